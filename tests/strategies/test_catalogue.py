"""Each rule of the catalogue on the positions that define it, and how the rules play."""

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ofclab as ofc
from ofclab.engine import Spots
from ofclab.kernels.rollouts import entry_chances
from ofclab.rules.compiled import compile_rules
from ofclab.solver.evaluate import evaluate_spot
from ofclab.spot import Spot
from ofclab.strategies import get

PINEAPPLE = ofc.load_rules("american-pineapple")
REGULAR = ofc.load_rules("american-regular")
DEUCE = ofc.load_rules("deuce-pineapple")
JOKERS = ofc.load_rules("joker-progressive")
VALUES = {13: 7.0, 14: 9.3, 15: 13.0, 16: 17.0, 17: 21.0}


def slots(board: ofc.Board) -> NDArray[np.uint8]:
    out = np.full(13, 255, np.uint8)
    for first, row in zip((0, 3, 8), board.rows, strict=True):
        out[first : first + len(row)] = row
    return out


def spots(
    board: str, dealt: str, rules: ofc.Rules = PINEAPPLE, discards: str = "", opponents: Sequence[str] = ("- / - / -",),
    copies: int = 1,
) -> Spots:  # fmt: skip
    """One decision, `copies` times with different random streams."""
    own, compiled = ofc.Board.parse(board), compile_rules(rules)
    placed = np.cumsum([0, *compiled.rounds[:, 1]]).tolist()
    street = placed.index(len(own.cards)) + 1
    thrown = np.full(8, 255, np.uint8)
    thrown[: len(ofc.parse_cards(discards))] = ofc.parse_cards(discards)
    others = np.stack([slots(ofc.Board.parse(other)) for other in opponents])
    counts = np.array([len(row) for row in own.rows], np.uint8)
    one = [
        slots(own), counts, np.array(ofc.parse_cards(dealt), np.uint8), thrown, others,
        np.zeros(len(opponents), np.uint8), np.full((len(opponents), 8), 255, np.uint8),
    ]  # fmt: skip
    many = [np.repeat(array[None], copies, axis=0) for array in one]
    keys = np.arange(1, copies + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    place = int(compiled.rounds[street - 1, 1])
    return Spots(rules, compiled, VALUES, street, place, keys, *many, np.ones(copies, np.uint8))


def plays(name: str, given: Spots) -> list[str]:
    """The rows a strategy chooses, as text, one for each copy."""
    strategy = get(name)
    strategy.prepare(given.rules, VALUES)
    found = []
    for cards, rows in zip(given.dealt.tolist(), strategy.place(given).tolist(), strict=True):
        groups = [[c for c, where in zip(cards, rows, strict=True) if where == row] for row in range(3)]
        found.append(" / ".join(ofc.format_cards(sorted(group, reverse=True)) or "-" for group in groups))
    return found


def opens(name: str, dealt: str, rules: ofc.Rules = PINEAPPLE) -> list[list[str]]:
    """Front, middle and back of several openings with the same cards, cards split apart."""
    return [rows.split(" / ") for rows in plays(name, spots("- / - / -", dealt, rules, copies=6))]


def cards(text: str) -> set[str]:
    return set(text.split()) - {"-"}


@pytest.mark.parametrize(
    ("dealt", "opening"),
    [
        ("Ah Ad 6c 6d 9s", "- / Ah Ad / 9s 6d 6c"),
        ("7h 7d 2c Kh Kd", "- / Kh Kd / 7h 7d 2c"),
        ("Ah Ad Kh Kd 2c", "- / Kh Kd / Ah Ad 2c"),
        ("8h 8d 3h 3d Jc", "- / - / Jc 8h 8d 3h 3d"),
    ],
)
def test_pairs_back_keeps_pairs_together_and_the_high_ones_in_the_middle(dealt: str, opening: str) -> None:
    assert set(plays("pairs_back", spots("- / - / -", dealt, copies=6))) == {opening}


def test_pairs_back_does_not_split_a_pair_for_a_three_flush() -> None:
    for _, _, back in opens("pairs_back", "7h 7d Kh 9h 2c"):
        assert {"7h", "7d"} <= cards(back)
    for _, _, back in opens("flush_first", "7h 7d Kh 9h 2c"):
        assert {"7h", "Kh", "9h"} <= cards(back)
        assert "7d" not in back


def test_pairs_back_takes_the_rank_from_which_pairs_go_to_the_middle() -> None:
    for _, middle, _ in opens("pairs_back(middle='Q')", "Qh Qd 7c 5h 3d"):
        assert {"Qh", "Qd"} <= cards(middle)
    for _, _, back in opens("pairs_back", "Qh Qd 7c 5h 3d"):
        assert {"Qh", "Qd"} <= cards(back)
    with pytest.raises(ofc.UnknownStrategy, match="no rank"):
        get("pairs_back(middle='X')")


def test_qka_front_opens_with_one_big_card_in_front() -> None:
    for front, middle, _ in opens("qka_front", "Ah Kc Qs 8h 7c"):
        assert len(cards(front)) == 1
        assert cards(front) | cards(middle) >= {"Ah", "Kc", "Qs"}
    for front, middle, _ in opens("qka_front", "Kh 7h 7d 9s 2c"):
        assert cards(front) == {"Kh"}
        assert {"7h", "7d"} <= cards(middle)
    for front, _, _ in opens("qka_front", "9h 8c 7d 6s 2c"):
        assert len(cards(front)) <= 1


def test_qka_front_puts_two_cards_in_front_only_as_aces() -> None:
    for front, _, _ in opens("qka_front", "Ah Ad 7c 5s 2d"):
        assert cards(front) in ({"Ah", "Ad"}, {"Ah"}, {"Ad"})
    for front, middle, _ in opens("qka_front", "Kh Kd 7c 5s 2d"):
        assert cards(middle) >= {"Kh", "Kd"}
        assert len(cards(front)) <= 1


def test_big_is_what_earns_fantasyland_under_the_rules() -> None:
    # Kings and aces only; a queen is a card like any other.
    for front, _, _ in opens("qka_front", "Kh Qc 8d 7s 2c", DEUCE):
        assert cards(front) == {"Kh"}
    for front, _, _ in opens("qka_front", "Qh 9c 8d 5s 2c", DEUCE):
        assert len(cards(front)) <= 1
    none = PINEAPPLE.replace({"fantasyland.enabled": False})
    for front, _, _ in opens("qka_front", "Qh 9c 8d 5s 2c", none):
        assert cards(front) == {"Qh"}


@pytest.mark.parametrize("name", ["qka_front", "pairs_back", "two_pair_back_ace_split"])
def test_no_habit_pairs_a_low_middle(name: str) -> None:
    for dealt in ("Ah Ad 6c 6d 9s", "Kh Kd 7c 5h 3d", "7h 7d 2c Kh Kd"):
        for _, middle, _ in opens(name, dealt, DEUCE):
            ranks = [card[0] for card in cards(middle)]
            assert len(set(ranks)) == len(ranks)


def test_two_pair_go_to_the_back_and_aces_are_split() -> None:
    for _, _, back in opens("two_pair_back_ace_split", "Jh Jd 4c 4s Kc"):
        assert {"Jh", "Jd", "4c", "4s"} <= cards(back)
    for front, middle, back in opens("two_pair_back_ace_split", "Jh Jd 4c 4s Ac"):
        assert (cards(front), cards(middle), cards(back)) == ({"Ac"}, set(), {"Jh", "Jd", "4c", "4s"})
    for front, middle, _ in opens("two_pair_back_ace_split", "Ah Ad Kc 7s 2d"):
        assert len(cards(front) & {"Ah", "Ad"}) == 1
        assert len(cards(middle) & {"Ah", "Ad"}) == 1
        assert "Kc" in middle
    for front, middle, _ in opens("two_pair_back_ace_split", "Ah Kc Qs 8h 7c"):
        assert "Ah" in front
        assert {"Kc", "Qs"} <= cards(middle)


def test_flush_first_waits_while_the_flush_is_alive_and_gives_it_up_when_it_is_dead() -> None:
    board, dealt = "- / 9c 8d / Kh 6h 3h", "Kd 6s 2d"
    for rows in plays("flush_first", spots(board, dealt, copies=6)):
        assert rows.endswith("/ -")
    # Eight of the ten other hearts are on the table: two live, four wanted.
    dead = ["Qh Jh / Th 9h 8h / 7h 5h 4h"]
    given_up = plays("flush_first", spots(board, dealt, opponents=dead, copies=6))
    assert any({"Kd", "6s"} & cards(rows.split(" / ")[2]) for rows in given_up)
    for rows in plays("flush_first(outs_per_card=0.5)", spots(board, dealt, opponents=dead, copies=6)):
        assert rows.endswith("/ -")


def test_flush_first_counts_a_joker_as_suited() -> None:
    rules, board = JOKERS, "- / 9c 8d / X1 6h 3h"
    for rows in plays("flush_first", spots(board, "Kd 6s 2d", rules, copies=4)):
        assert rows.endswith("/ -")


def chance(
    board: str, dealt: str, rows: str, rules: ofc.Rules, rollouts: int, sampled: int, discards: str = ""
) -> float:
    given, found = spots(board, dealt, rules, discards), np.zeros(1)
    choice = np.array([["fmbx".index(row) for row in rows]], np.uint8)
    arrays = given.compiled
    entry_chances(
        given.keys, given.board, given.counts, given.dealt, choice, given.discards, given.opponents,
        given.opponents_discards, 52 + rules.deck.jokers, sampled, rollouts, arrays.switches, arrays.cross,
        arrays.entry, arrays.stay, found,
    )  # fmt: skip
    return float(found[0])


def test_the_chance_of_fantasyland_is_that_of_the_draws() -> None:
    # Queen up, king in the middle pair to be beaten; two slots open and three cards to come, all draws enumerated.
    board, dealt, thrown = "Qh 4c / 9d 9c 5s / Ks Kd 8s 8c", "7c 3d 2h", "Jd Jc"
    own = ofc.Board.parse("Qh 4c / 9d 9c 7c 5s 3d / Ks Kd 8s 8c")
    seen = {*own.cards, *ofc.parse_cards(dealt), *ofc.parse_cards(thrown)}
    unseen = [card for card in range(52) if card not in seen]
    draws = np.array(list(combinations(unseen, 3)), np.uint8)
    reached = np.zeros(len(draws), np.bool_)
    for a, b in permutations(range(3), 2):
        ends = np.tile(slots(own), (len(draws), 1))
        ends[:, 2], ends[:, 12] = draws[:, a], draws[:, b]
        reached |= ofc.score_boards(np.stack([ends, ends], axis=1), PINEAPPLE).next_fantasyland[:, 0] > 0
    estimate = chance(board, dealt, "mmx", PINEAPPLE, 4000, 3, thrown)
    assert estimate == pytest.approx(reached.mean(), abs=4 * np.sqrt(0.25 / 4000))


def test_a_chance_can_be_certain_and_impossible() -> None:
    certain = "Qh Qd 2c / Kd Kc 5s / As Ad 8s"
    assert chance(certain, "Ac 8h 3d", "bbx", PINEAPPLE, 50, 3) > 0.9
    assert chance("Jh Jd 2c / Kd Kc 5s / As Ad 8s", "Ac 8h 3d", "bbx", PINEAPPLE, 50, 3) == 0.0


def test_jokers_and_lows_count_for_the_chance_of_fantasyland() -> None:
    assert chance("X1 Qd 2c / Kd Kc 5s / As Ad 8s", "Ac 8h 3d", "bbx", JOKERS, 50, 3) > 0.9
    low = "5h 4d 2c / 7d 5c 4s 3h / As Ad"
    assert 0 < chance(low, "Ac 8h Jd", "bbx", DEUCE, 400, 3) < 0.6


def test_gamble_gambles_by_its_threshold() -> None:
    given = spots("- / - / -", "Qh 9c 8d 5s 2c", copies=40)
    always, never = plays("gamble(p=0.0)", given), plays("gamble(p=1.1)", given)
    assert never == plays("royalty_greedy(samples=4)", given)
    assert always == plays("hindsight(fantasyland=100.0, samples=4)", given)
    some = plays("gamble(p=0.4)", given)
    assert all(row in (a, b) for row, a, b in zip(some, always, never, strict=True))


LATE = [
    (PINEAPPLE, 20, 9, 2),
    (DEUCE, 10, 9, 2),
    (REGULAR, 10, 11, 0),
    (JOKERS, 2, 9, 2),
]


@pytest.mark.parametrize(("rules", "count", "placed", "thrown"), LATE, ids=lambda value: getattr(value, "name", None))
def test_the_endgame_is_played_as_the_solver_says(rules: ofc.Rules, count: int, placed: int, thrown: int) -> None:
    """The placement chosen is one the exact solver finds no better than."""
    random = np.random.default_rng(5)
    strategy = get("exact_endgame")
    strategy.prepare(rules, VALUES)
    for _ in range(count):
        deck = random.permutation(52 + rules.deck.jokers).tolist()
        shape = random.permutation([0] * 3 + [1] * 5 + [2] * 5)[:placed]
        board = ofc.Board(*(tuple(c for c, row in zip(deck, shape, strict=False) if row == r) for r in range(3)))
        deal = int(compile_rules(rules).rounds[-1, 0])
        dealt = ofc.format_cards(deck[placed : placed + deal])
        discards = ofc.format_cards(deck[placed + deal : placed + deal + thrown])
        given = spots(str(board), dealt, rules, discards)
        chosen = strategy.place(given)[0].tolist()
        found = evaluate_spot(Spot(board, dealt, discards), rules, VALUES, budget=60)
        assert found.exact
        losses = dict(zip(found.placements, found["loss"], strict=True))
        rows = tuple(ofc.Row)
        hand = ofc.parse_cards(dealt)
        mine = dict(zip(hand, chosen, strict=True))
        matching = [
            loss
            for placement, loss in losses.items()
            if {card: rows.index(row) for card, row in placement.rows} | dict.fromkeys(placement.discards, 3) == mine
        ]
        assert matching == [pytest.approx(0.0, abs=2e-4)], (board, dealt)


@pytest.mark.parametrize("others", [1, 2])
def test_the_last_street_wins_most_from_boards_that_lie_open(others: int) -> None:
    random = np.random.default_rng(9)
    strategy = get("exact_endgame")
    strategy.prepare(PINEAPPLE, VALUES)
    for _ in range(20):
        deck = random.permutation(52).tolist()
        shape = random.permutation([0] * 3 + [1] * 5 + [2] * 5)[:11]
        board = ofc.Board(*(tuple(c for c, row in zip(deck, shape, strict=False) if row == r) for r in range(3)))
        rest = deck[11 + 3 :]
        theirs = [ofc.Board(tuple(r[:3]), tuple(r[3:8]), tuple(r[8:13])) for r in (rest[:13], rest[13:26])][:others]
        dealt = tuple(ofc.Card(card) for card in deck[11:14])
        given = spots(str(board), ofc.format_cards(dealt), opponents=[str(other) for other in theirs])
        chosen = strategy.place(given)[0].tolist()

        def worth(placement: ofc.Placement, board: ofc.Board = board, theirs: Any = theirs) -> float:
            scored = ofc.score([board.place(placement), *theirs], PINEAPPLE)
            return scored.points[0] + VALUES.get(scored.seats[0].next_fantasyland, 0.0)

        rows = tuple(ofc.Row)
        kept = tuple((card, rows[row]) for card, row in zip(dealt, chosen, strict=True) if row < 3)
        mine = ofc.Placement(kept, tuple(card for card, row in zip(dealt, chosen, strict=True) if row == 3))
        assert worth(mine) == max(map(worth, ofc.legal_placements(board, dealt, PINEAPPLE)))


def test_an_endgame_needs_a_base_that_exists() -> None:
    assert (
        get("exact_endgame(base='gamble(p=0.4, samples=2)')").label == "exact_endgame(base='gamble(p=0.4, samples=2)')"
    )
    with pytest.raises(ofc.UnknownStrategy, match="hindsight"):
        get("exact_endgame(base='hindsite')")


# Name; foul rate, entry rate, royalties a hand heads-up in Pineapple with Fantasyland at 9.3, as these rules play.
FIGURES: Mapping[str, tuple[float, float, float]] = {
    "exact_endgame": (0.125, 0.144, 4.15),
    "flush_first": (0.100, 0.085, 3.64),
    "gamble": (0.133, 0.113, 3.71),
    "pairs_back": (0.100, 0.105, 3.34),
    "qka_front": (0.212, 0.118, 2.60),
    "two_pair_back_ace_split": (0.091, 0.062, 3.17),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FIGURES))
def test_the_catalogue_plays_as_its_docs_say(name: str) -> None:
    (batch,) = ofc.play(PINEAPPLE, [get(name)] * 2, range(1000), 1, 32, fantasyland_values={14: 9.3})
    by_table = np.stack(
        [batch.fouled.mean(axis=1), (batch.next_fantasyland > 0).mean(axis=1), batch.royalties.sum(axis=2).mean(axis=1)]
    )
    errors = by_table.std(axis=1, ddof=1) / np.sqrt(by_table.shape[1])
    assert (abs(by_table.mean(axis=1) - np.array(FIGURES[name])) < 5 * errors).all(), by_table.mean(axis=1)
