"""Fantasyland hands against opponents: every setting tried, by plain Python and by the scorer, and what is said."""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import naive
import numpy as np
import oracle
import pytest
from settings_brute import FALLING, PREFIX, STRICT, all_boards

import ofclab as ofc
from ofclab.rules.compiled import compile_rules
from ofclab.scoring import read_codes, score_codes
from ofclab.solver.fantasyland import set_fantasyland
from ofclab.solver.payoff import OpponentBoards
from ofclab.solver.settings import boards_of, search
from ofclab.spot import SpotError

PINEAPPLE, DEUCE, JOKERS = map(ofc.load_rules, ("american-pineapple", "deuce-pineapple", "joker-progressive"))
HAND = "2c 2d 2h 2s Kc Kd Ks Qh Qd 9c 8d 7h 6s 5c"
STRONG = "As Ah Jc / Ts Th Td 3d 3c / Js Jh Jd 4d 4c"
OTHER = "Ad Ac 9d / 6h 6d 6c 5d 4h / 8s 8h 8c 3s 3h"
FOULED = "As Ah Ac / Ts 9h 8d 7c 2c / Jh Js 5d 4c 3d"


class Slow:
    """All settings of natural cards in plain Python, one after another, each against every opponent."""

    def __init__(self, rules: ofc.Rules, opponents: Sequence[ofc.Board]) -> None:
        self.flat = rules.flat()
        self.others = [
            oracle.judge({row: list(map(str, cards)) for row, cards in zip(oracle.ROWS, one.rows, strict=True)},
                         self.flat)
            for one in opponents
        ]  # fmt: skip
        self.worths: dict[Any, tuple[str, int]] = {}

    def worth(self, hands: Mapping[str, oracle.Hand], cards: int) -> tuple[str, int]:
        """What becomes of the seat (stays, leaves, fouls) and its points."""
        fouled = oracle.is_foul(hands, self.flat)
        paid = {row: 0 if fouled else oracle.row_royalty(row, hands[row], self.flat) for row in oracle.ROWS}
        mine = {"hands": hands, "fouled": fouled, "royalties": paid}
        points = sum(oracle.pair_points(mine, other, self.flat)["total"] for other in self.others)
        stays = not fouled and oracle.next_fantasyland(hands, cards, self.flat) > 0
        return "fouls" if fouled else "stays" if stays else "leaves", points

    def best(self, hand: Sequence[str]) -> dict[str, int]:
        """The most points by what becomes of the seat."""
        low, n, best = oracle.is_low(self.flat), len(hand), {}
        ranked = {}
        for size in (3, 5):
            for chosen in combinations(range(n), size):
                row = [hand[i] for i in chosen]
                ranked[chosen] = oracle.hand_rank(row), oracle.low_rank(row) if size == 5 else None
        for back in combinations(range(n), 5):
            left = [i for i in range(n) if i not in back]
            for middle in combinations(left, 5):
                for front in combinations([i for i in left if i not in middle], 3):
                    hands = (ranked[front][0], ranked[middle][low], ranked[back][0])
                    if hands not in self.worths:
                        self.worths[hands] = self.worth(dict(zip(oracle.ROWS, hands, strict=True)), n)
                    kind, points = self.worths[hands]
                    best[kind] = max(points, best.get(kind, points))
        return best


@pytest.mark.parametrize(
    ("name", "changes", "cards", "seats", "hands"),
    [
        ("american-pineapple", {}, 13, 2, 3),
        ("american-pineapple", {"royalties.mode": "pair_winner", "scoring.majority_bonus": 1}, 13, 3, 2),
        ("deuce-pineapple", {}, 13, 2, 3),
        ("american-pineapple", {}, 14, 2, 1),
    ],
)
def test_no_setting_wins_more_in_plain_python(
    name: str, changes: dict[str, Any], cards: int, seats: int, hands: int
) -> None:
    rules, rng = ofc.load_rules(name).replace(changes), random.Random(f"{name} {cards}")
    for _ in range(hands):
        hand = rng.sample(range(52), cards)
        others: list[ofc.Board] = []
        for _ in range(seats - 1):
            others.append(naive.legal_board(rules, rng, [*hand, *(card for one in others for card in one.cards)]))
        truth = Slow(rules, others).best([str(ofc.Card(card)) for card in hand])
        found = set_fantasyland(hand, rules, 0, others)
        assert (found.staying and found.staying.points) == truth.get("stays")
        assert (found.leaving and found.leaving.points) == truth.get("leaves")
        assert found.value == max(truth.values())


def best_of_all(
    hand: Sequence[int], rules: ofc.Rules, others: Sequence[OpponentBoards]
) -> tuple[int | None, int | None, int | None]:
    """The most points, summed over the opponents' boards, of all settings that stay, that do not, and that foul."""
    compiled, cards = compile_rules(rules), np.array(hand, np.uint8)
    best: list[int | None] = [None, None, None]
    for boards in all_boards(cards):
        codes = read_codes(boards, compiled)
        total = np.zeros(len(boards), np.int64)
        for other in others:
            both = np.empty((len(boards), len(other.codes), 2, 3), np.uint16)
            both[:, :, 0], both[:, :, 1] = codes[:, None], other.codes
            came_in = np.zeros((len(boards) * len(other.codes), 2), np.uint8)
            came_in[:, 0] = len(hand)
            scored = score_codes(both.reshape(-1, 2, 3), compiled, came_in)
            total += scored.points[:, 0].reshape(len(boards), -1).sum(axis=1)
        first = slice(None, None, len(others[-1].codes))
        fouled, stays = scored.fouled[first, 0], scored.next_fantasyland[first, 0] > 0
        for kind, where in enumerate((stays, ~stays & ~fouled, fouled)):
            if where.any():
                top = int(total[where].max())
                best[kind] = top if best[kind] is None else max(best[kind], top)
    return best[0], best[1], best[2]


def points_of(hand: Sequence[int], rules: ofc.Rules, others: Sequence[OpponentBoards]) -> list[int | None]:
    """The same of the settings that the search finds, scored as boards."""
    compiled = compile_rules(rules)
    found: list[int | None] = []
    for settings in search(hand, compiled, others, 3):
        totals = []
        for board in boards_of(hand, settings):
            mine = OpponentBoards.judge(read_codes(board[None], compiled), compiled)
            total = 0
            for other in others:
                codes = np.stack((np.broadcast_to(mine.codes, other.codes.shape), other.codes), axis=1)
                total += int(score_codes(codes, compiled, np.zeros(codes.shape[:2], np.uint8)).points[:, 0].sum())
            totals.append(total)
        assert totals == sorted(totals, reverse=True)
        found.append(totals[0] if totals else None)
    return found


def opponents(
    rules: ofc.Rules, rng: random.Random, seats: int, samples: int, without: Sequence[int]
) -> list[OpponentBoards]:
    """Random boards of so many opponents, a foul among them where there are several."""
    found = []
    for _ in range(seats):
        boards = [naive.legal_board(rules, rng, without) for _ in range(samples)]
        if samples > 1:
            boards[1] = ofc.Board.parse(FOULED)
        cards = np.array([one.front + one.middle + one.back for one in boards], np.uint8)
        found.append(OpponentBoards.judge(read_codes(cards, compile_rules(rules)), compile_rules(rules)))
    return found


CASES: list[tuple[str, dict[str, Any], int, int]] = [
    # ruleset, changes, cards, jokers
    ("american-pineapple", {}, 14, 0),
    ("american-pineapple", {"royalties.mode": "row_winner"}, 13, 0),
    ("american-pineapple", {"royalties.mode": "pair_winner"}, 13, 0),
    ("american-pineapple", {"royalties.mode": "off", "scoring.majority_bonus": 2}, 13, 0),
    ("american-pineapple", {"foul.pays_opponent_royalties": False, "foul.penalty": 0}, 13, 0),
    ("american-pineapple", STRICT | PREFIX | FALLING, 13, 0),
    ("spartan-2-4", {"fantasyland.stay": {"front": "QQ", "middle": "full_house", "back": "quads"}}, 13, 0),
    ("pagat-progressive", {}, 14, 0),
    ("deuce-pineapple", {}, 14, 0),
    ("deuce-pineapple", {"foul.back_over_front": "gt", "royalties.mode": "pair_winner"} | PREFIX, 13, 0),
    ("joker-progressive", {}, 14, 1),
    ("joker-progressive", {}, 13, 2),
    ("joker-progressive", {"jokers.may_copy": "any", "jokers.five_of_a_kind": True}, 13, 2),
    ("joker-progressive", {"jokers.may_copy": "other_row", "jokers.reading": "strongest"}, 13, 1),
]


@pytest.mark.parametrize(("name", "changes", "cards", "jokers"), CASES)
@pytest.mark.parametrize(("seats", "samples"), [(1, 1), (2, 3)])
def test_no_setting_wins_more(
    name: str, changes: dict[str, Any], cards: int, jokers: int, seats: int, samples: int
) -> None:
    rules, rng = ofc.load_rules(name).replace(changes), random.Random(f"{name} {changes} {seats}")
    hand = [*range(52, 52 + jokers), *rng.sample(range(52), cards - jokers)]
    rng.shuffle(hand)
    others = opponents(rules, rng, seats, samples, hand)
    assert tuple(points_of(hand, rules, others)) == best_of_all(hand, rules, others)[:2]


def test_more_boards_than_a_word_holds() -> None:
    rng = random.Random(70)
    for rules in (PINEAPPLE, PINEAPPLE.replace({"royalties.mode": "pair_winner", "scoring.majority_bonus": 1})):
        hand = rng.sample(range(52), 13)
        others = opponents(rules, rng, 1, 70, hand)
        assert tuple(points_of(hand, rules, others)) == best_of_all(hand, rules, others)[:2]


def test_an_exact_answer_is_what_the_scorer_pays() -> None:
    found = set_fantasyland(HAND, PINEAPPLE, 9.6, STRONG)
    scored = ofc.score([found.board, STRONG], PINEAPPLE, [14, 0])
    pair, mine = scored.pairs[0], found.against[0]
    assert found.exact
    assert (found.points, found.value) == (scored.points[0], scored.points[0] + 9.6)
    assert mine.rows + mine.scoop == pair.base
    assert (mine.royalties, mine.points) == (pair.royalties, pair.total)
    assert [int(won) for won in mine.wins] == [int(row == 1) for row in pair.rows]
    three = set_fantasyland(HAND, PINEAPPLE, 9.6, [STRONG, ofc.Board.parse(OTHER)])
    assert [one.opponent for one in three.against] == [STRONG, OTHER]
    assert three.points == sum(one.points for one in three.against)
    assert three.points == ofc.score([three.board, STRONG, OTHER], PINEAPPLE).points[0]


def test_staying_is_weighed_against_leaving() -> None:
    hand, other = "As Ah Ad 2c 2d 2h 2s Kc Kd Qh 9s 8d 7h 5c", "Jc Jd 3c / 4c 4d 4h 6c 6d / Ts Th Td 3d 3h"
    found = set_fantasyland(hand, PINEAPPLE, 0, other)
    assert found.staying is not None
    assert found.leaving is not None
    assert found.stay_cost == found.leaving.points - found.staying.points
    equal = float(found.stay_cost)
    assert set_fantasyland(hand, PINEAPPLE, equal + 0.5, other).stays
    assert set_fantasyland(hand, PINEAPPLE, equal, other).stays
    assert not set_fantasyland(hand, PINEAPPLE, equal - 0.5, other).stays
    for one in (found, set_fantasyland(hand, PINEAPPLE, 9.6)):
        assert "Staying" in one.explanation
        assert "both are equal at" in one.explanation
    alone = set_fantasyland(hand, PINEAPPLE, 9.6)
    assert alone.staying is not None
    assert alone.leaving is not None
    assert alone.staying.points == alone.staying.royalties
    assert alone.leaving.points == set_fantasyland(hand, PINEAPPLE, -1000).royalties
    assert [option.loss for option in alone.candidates] == [0, alone.candidates[0].value - alone.candidates[1].value]


def test_a_foul_is_played_where_it_costs_nothing() -> None:
    mild = PINEAPPLE.replace({"foul.penalty": 0, "foul.pays_opponent_royalties": False})
    weak = "2c 3d 5h 7s 8c 9d Jh Qs Kc 4d 6h Ts 2d"
    strong = "As Ah Ac / Qh Qd Qc 3c 3h / Kh Ks Kd Jc Js"
    found = set_fantasyland(weak, mild, 0, strong)
    assert found.fouled
    assert found.points == 0
    assert "foul is better" in found.explanation or "No legal setting stays" in found.explanation
    assert not set_fantasyland(weak, PINEAPPLE, 0, strong).fouled


def test_a_low_middle_that_must_foul() -> None:
    found = set_fantasyland(
        "Ah Qd 3c Kh 4d Th 3d Qc Jh As Ac Ks Kc", DEUCE, 9, "2c 3h 4c / 8c 6d 5d 4h 2d / 9c 9d 9h 6c 6h"
    )
    assert (found.fouled, found.stays, found.explanation) == (True, False, "Every setting fouls.")
    assert found.points == -6 - 8
    assert ofc.is_foul(found.board, DEUCE)


def test_unknown_boards_are_sampled_within_their_errors() -> None:
    few, many = (
        set_fantasyland(HAND, PINEAPPLE, 9.6, seats=2, samples=samples, policy="never_bust_greedy", seed=seed)
        for samples, seed in ((200, 1), (4000, 2))
    )
    assert not few.exact
    assert "never_bust_greedy" in few.information
    assert few.board == many.board
    assert abs(few.points - many.points) < 4 * np.hypot(few.se, many.se)
    (against,) = few.against
    assert against.points == pytest.approx(against.rows + against.scoop + against.royalties)
    assert few.points == pytest.approx(against.points)
    assert all(0 < chance <= 1 for chance in against.wins)
    assert 0 < against.scoops < 1
    again = set_fantasyland(HAND, PINEAPPLE, 9.6, seats=2, samples=200, policy="never_bust_greedy", seed=1)
    assert again == few


def test_open_rows_and_hidden_fantasyland_hands_count() -> None:
    weak, strong = (
        set_fantasyland(HAND, PINEAPPLE, 9.6, [other], samples=200, policy="never_bust_greedy")
        for other in ("- / 3c 4d / Jh Ts 8c", "Ah As / Jc Jd Jh / Tc Td Th Ts")
    )
    hidden = set_fantasyland(HAND, PINEAPPLE, 9.6, ["Fantasyland 14"], samples=200, policy="never_bust_greedy")
    assert weak.points > hidden.points > strong.points
    assert hidden.against[0].opponent == "Fantasyland 14"
    assert hidden.against[0].fouls == 0
    both = set_fantasyland(
        HAND, PINEAPPLE, 9.6, [STRONG], seats=3, samples=50, policy="never_bust_greedy", dead="3h 4h"
    )
    assert len(both.against) == 2
    assert both.against[0].is_certain
    assert not both.against[1].is_certain


def test_the_value_of_a_stay_is_that_of_the_next_cards() -> None:
    progressive = ofc.load_rules("ofo-variable")
    assert set_fantasyland(HAND, progressive).stay_value == 0
    cards = 14 if progressive.fantasyland.stay_cards == "same" else progressive.fantasyland.stay_cards
    assert set_fantasyland(HAND, progressive, fantasyland_values={cards: 3.5}).stay_value == 3.5
    assert set_fantasyland(HAND, progressive, opponents=STRONG, fantasyland_values=2).stay_value == 2
    assert set_fantasyland(HAND, PINEAPPLE, opponents=STRONG).stay_value == 9.6


def test_the_answer_shows_itself() -> None:
    found = set_fantasyland(HAND, PINEAPPLE, 9.6, STRONG)
    assert repr(found).startswith(f"FantasylandSetting('{found.board}', discards=")
    assert f"points={found.points:.2f}" in repr(found)
    for words in (STRONG, "rows", "scoop", "royalties", "A stay is worth 9.6"):
        assert words in found.explanation
        assert words in found._repr_html_()
    assert found.frame["loss"].is_sorted()
    assert found.frame["verdict"][0] == "best"
    assert (found.frame["points"] == found.frame["rows"] + found.frame["scoop"] + found.frame["royalty_points"]).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"opponents": "2c 3d 4h / 5s 6c 8h 9d Jc / Ts Th Td 3c 3h"}, "2c stands twice"),
        ({"opponents": "As / Js / 3c 4c"}, "0, 5, 7, 9, 11, 13 cards"),
        ({"seats": 4}, "at most 3 players"),
        ({"opponents": STRONG, "samples": 1}, "at least 2 samples"),
        ({"seats": 2, "policy": "clairvoyant"}, "no strategy 'clairvoyant'"),
        ({"opponents": "X1 3d 4h / 5s 6c 8h 9d Jc / Ts Th Td 3c 3h"}, "X1 is not in the deck"),
    ],
)
def test_opponents_that_cannot_be_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises((SpotError, ValueError), match=message):
        set_fantasyland(HAND, PINEAPPLE, 9.6, **changes)
