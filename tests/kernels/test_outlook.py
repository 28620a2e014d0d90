"""When a foul is certain: the kernel against every completion of the board, one by one."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

import ofclab as ofc
from ofclab.kernels.outlook import foul_streets
from ofclab.kernels.scoring import BACK_STRICT, FRONT_STRICT, LOW_WORST, MIDDLE_STRICT
from ofclab.rules.compiled import CompiledRules, compile_rules
from ofclab.scoring import read_codes

PINEAPPLE = ofc.load_rules("american-pineapple")
REGULAR = ofc.load_rules("american-regular")
DEUCE = ofc.load_rules("deuce-pineapple")
JOKERS = ofc.load_rules("joker-progressive")
ROW_SIZES = (3, 5, 5)

RULES = {
    "pineapple": PINEAPPLE,
    "regular": REGULAR,
    "strict": PINEAPPLE.replace({"foul.back_over_middle": "gt", "foul.middle_over_front": "gt"}),
    "prefix tie": PINEAPPLE.replace({"foul.cross_length_compare": "prefix_tie"}),
    "strict prefix tie": REGULAR.replace({"foul.cross_length_compare": "prefix_tie", "foul.middle_over_front": "gt"}),
    "2-7": DEUCE,
    "2-7 nine": DEUCE.replace({"foul.low_middle_worst": "9", "foul.back_over_front": "gt"}),
    "2-7 any low": DEUCE.replace({"foul.low_middle_worst": None, "foul.cross_length_compare": "prefix_tie"}),
}
JOKER_RULES = {
    f"{copy} {reading}{' five' * five}": JOKERS.replace(
        {"jokers.may_copy": copy, "jokers.reading": reading, "jokers.five_of_a_kind": five}
    )
    for copy in ("none", "other_row", "any")
    for reading in ("strongest_legal", "strongest")
    for five in (False, True)
} | {
    f"2-7 {copy}": JOKERS.replace(
        {"ranking.middle": "2-7", "royalties.middle": None, "foul.low_middle_worst": "T", "jokers.may_copy": copy}
    )
    for copy in ("none", "any")
}  # fmt: skip


def random_hands(
    rng: np.random.Generator, rules: ofc.Rules, count: int, spare: int, deck: NDArray[np.integer] | None = None
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint64]]:
    """Hands placed at random; of the cards they are not dealt all but `spare` are seen from the first street on."""
    rounds = compile_rules(rules).rounds
    dealt = int(rounds[:, 0].sum())
    cards = np.full((count, 17), 255, np.uint8)
    placement = np.full((count, 17), 7, np.uint8)
    seen = np.zeros((count, len(rounds)), np.uint64)
    everything = np.arange(52 + rules.deck.jokers)
    for i in range(count):
        cards[i, :dealt] = rng.permutation(everything if deck is None else deck)[:dealt]
        rows = iter(rng.permutation(np.repeat([0, 1, 2], ROW_SIZES)))
        at = 0
        for deal, place, _ in rounds.tolist():
            kept = rng.permutation(deal)[:place]
            placement[i, at : at + deal] = [next(rows) if j in kept else 3 for j in range(deal)]
            at += deal
        others = rng.permutation(np.setdiff1d(everything, cards[i, :dealt]))
        seen[i] = sum(1 << int(card) for card in others[spare:])
    return cards, placement, seen


@cache
def ways_to_fill(cards: int, front: int, middle: int, back: int) -> NDArray[np.int64]:
    """Every choice of cards for the open slots of three rows, as positions among the unseen cards."""
    ways = np.empty((1, 0), np.int64)
    for slots in (front, middle, back):
        free = np.ones((len(ways), cards), np.bool_)
        free[np.arange(len(ways))[:, None], ways] = False
        rest = np.nonzero(free)[1].reshape(len(ways), -1)
        picks = list(combinations(range(rest.shape[1]), slots))
        chosen = rest[:, np.array(picks, np.int64).reshape(len(picks), slots)]
        ways = np.concatenate(
            (np.repeat(ways, chosen.shape[1], axis=0), chosen.reshape(len(ways) * len(picks), slots)), axis=1
        )
    return ways


def legal_somehow(rows: list[list[int]], unseen: list[int], compiled: CompiledRules) -> bool:
    """Tell whether any completion of the rows is legal, by scoring all of them."""
    free = [size - len(row) for size, row in zip(ROW_SIZES, rows, strict=True)]
    ways = ways_to_fill(len(unseen), *free)
    boards = np.empty((len(ways), 13), np.uint8)
    slot, used = 0, 0
    for row, size, slots in zip(rows, ROW_SIZES, free, strict=True):
        boards[:, slot : slot + len(row)] = row
        boards[:, slot + len(row) : slot + size] = np.array(unseen, np.uint8)[ways[:, used : used + slots]]
        slot, used = slot + size, used + slots
    for start in range(0, len(boards), 2000):
        front, middle, back = read_codes(boards[start : start + 2000], compiled).T.astype(np.int64)
        switches, cross = compiled.switches, compiled.cross.astype(np.int64)
        if compiled.low_middle:
            legal = (middle >= switches[LOW_WORST]) & (front <= cross[back] - switches[FRONT_STRICT])
        else:
            legal = (middle <= back - switches[BACK_STRICT]) & (front <= cross[middle] - switches[MIDDLE_STRICT])
        if legal.any():
            return True
    return False


def street_by_brute_force(
    cards: NDArray[np.uint8], placement: NDArray[np.uint8], seen: NDArray[np.uint64], rules: ofc.Rules
) -> int:
    """The first street after which no completion is legal; 0 for a board that is legal."""
    compiled = compile_rules(rules)
    for street in range(len(compiled.rounds), 0, -1):
        at = int(compiled.rounds[:street, 0].sum())
        rows = [
            [int(c) for c, where in zip(cards[:at], placement[:at], strict=True) if where == row] for row in range(3)
        ]
        known = {int(card) for card in cards[:at]}
        unseen = [c for c in range(52 + rules.deck.jokers) if c not in known and not int(seen[street - 1]) >> c & 1]
        if legal_somehow(rows, unseen, compiled):
            return 0 if street == len(compiled.rounds) else street + 1
    return 1


def agree(rules: ofc.Rules, hands: tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint64]]) -> int:
    """Compare the kernel with brute force on every hand; returns how many fouls were certain before the last street."""
    cards, placement, seen = hands
    compiled = compile_rules(rules)
    found = foul_streets(
        cards, placement, compiled.rounds, compiled.switches, compiled.cross, 52 + rules.deck.jokers, seen
    )
    for i in range(len(cards)):
        expected = street_by_brute_force(cards[i], placement[i], seen[i], rules)
        assert found[i] == expected, (i, cards[i], placement[i], seen[i])
    return int(((found > 0) & (found < len(compiled.rounds))).sum())


def small_decks(jokers: int) -> list[NDArray[np.integer] | None]:
    """The whole deck, and parts of it in which rows compete for the same cards."""
    wild = np.arange(52, 52 + jokers)
    parts = [
        [4 * rank + suit for rank in (0, 3, 7, 8, 12) for suit in range(4)],
        [4 * rank + suit for rank in range(13) for suit in (0, 2)],
        [4 * rank + suit for rank in range(2, 8) for suit in range(4)],
    ]
    return [None, *(np.concatenate((part, wild)) for part in parts)]


@pytest.mark.parametrize("name", RULES)
def test_agrees_with_every_completion(name: str) -> None:
    rules, rng = RULES[name], np.random.default_rng(20)
    regular, dead_early = len(compile_rules(rules).rounds) > 6, rules.foul.low_middle_worst is not None
    early = sum(
        agree(rules, random_hands(rng, rules, 2 if dead_early else 8, spare, deck))
        for deck in small_decks(0)
        for spare in ((0, 1, 3) if regular else (0,))
    )
    assert early > 0


@pytest.mark.parametrize("name", JOKER_RULES)
def test_agrees_with_every_completion_where_jokers_are_dealt(name: str) -> None:
    rules, rng = JOKER_RULES[name], np.random.default_rng(21)
    for deck in small_decks(2):
        agree(rules, random_hands(rng, rules, 3 if rules.ranking.middle == "high" else 1, 0, deck))


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES | JOKER_RULES)
def test_agrees_with_every_completion_of_many_hands(name: str) -> None:
    rules, rng = (RULES | JOKER_RULES)[name], np.random.default_rng(22)
    for deck in small_decks(rules.deck.jokers):
        for spare in (0, 1):
            agree(rules, random_hands(rng, rules, 60 if rules.ranking.middle == "high" else 15, spare, deck))


@pytest.mark.parametrize("rules", [PINEAPPLE, REGULAR], ids=["pineapple", "regular"])
def test_agrees_with_every_completion_of_the_last_open_slots_from_the_whole_deck(rules: ofc.Rules) -> None:
    """Nothing of the opponents is seen: with two slots open some 1,400 completions, with four over half a million."""
    compiled = compile_rules(rules)
    cards, placement, _ = random_hands(np.random.default_rng(23), rules, 120, 0)
    seen = np.zeros((len(cards), len(compiled.rounds)), np.uint64)
    found = foul_streets(cards, placement, compiled.rounds, compiled.switches, compiled.cross, 52)
    left = 13 - np.cumsum(compiled.rounds[:, 1])
    checked_at_four = 0
    for i in range(len(cards)):
        for open_slots in (2, 4):
            street = int(np.flatnonzero(left == open_slots)[0]) + 1
            if open_slots == 4 and (found[i] == 0 or found[i] > street + 1 or checked_at_four > 3):
                continue
            checked_at_four += open_slots == 4
            at = int(compiled.rounds[:street, 0].sum())
            rows = [[int(c) for c, w in zip(cards[i, :at], placement[i, :at], strict=True) if w == r] for r in range(3)]
            unseen = sorted(set(range(52)) - {int(card) for card in cards[i, :at]})
            assert legal_somehow(rows, unseen, compiled) == (found[i] == 0 or found[i] > street), (i, rows, seen[i])


def street(text: str, rules: ofc.Rules = PINEAPPLE, seen: str = "") -> int:
    """The street of certainty of a hand written row by card, f m b, x = discarded; `seen`: shown on street 4."""
    compiled = compile_rules(rules)
    cards, placement = np.full((1, 17), 255, np.uint8), np.full((1, 17), 7, np.uint8)
    for at, word in enumerate(text.replace("/", " ").split()):
        cards[0, at] = 255 if word[1:] == "??" else ofc.parse_cards(word[1:])[0]
        placement[0, at] = "fmbx".index(word[0])
    known = np.zeros((1, len(compiled.rounds)), np.uint64)
    known[0, 3:] = sum(1 << card for card in ofc.parse_cards(seen))
    return int(
        foul_streets(
            cards, placement, compiled.rounds, compiled.switches, compiled.cross, 52 + rules.deck.jokers, known
        )[0]
    )


def test_trips_in_front_are_certain_once_the_middle_can_hold_no_better() -> None:
    # With 2 5 in the middle a straight is possible; with 2 5 9 J one pair is the best to come.
    assert street("fKc fKd m2c m5d b3h / fKh b4c x4s / m9s mJd x4d / mJh b7c x6d / b8h bTs x6c") == 3


def test_a_foul_is_certain_as_soon_as_the_last_out_is_seen() -> None:
    # Aces in front, 9 8 4 4 in the middle before the last street: a nine, an eight or a four would do.
    hand = "fAc fAd m9c m8d bKc / fQs m4c x2c / bKd bTc x2d / bTd m4d x2h / mJh b3c x2s"
    assert street(hand) == 5
    assert street(hand, seen="9d 9h 9s 8c 8h 8s 4h") == 5
    assert street(hand, seen="9d 9h 9s 8c 8h 8s 4h 4s") == 4


def test_a_pair_in_a_deuce_to_seven_middle_is_certain_at_once() -> None:
    hand = "m4c m4d fKc bAc bQd / f2c m7d x3c / f3d b9c x5h / bTd m8d x6h / m2h bJc x6s"
    assert street(hand, DEUCE) == 1


def test_an_unseen_joker_keeps_a_board_alive() -> None:
    # Nines in the middle, 8 8 2 2 in the back before the last street: an eight, a deuce or a joker would do.
    hand = "m9c m9d m9h b8c b8d / b2c b2h x3c / m4s f5c x3d / mJd f6d x3s / bKd f7h xTc"
    assert street(hand) == 5
    assert street(hand, seen="8h 8s 2d 2s") == 4
    assert street(hand, JOKERS, seen="8h 8s 2d 2s") == 5
    assert street(hand, JOKERS, seen="8h 8s 2d 2s X1 X2") == 4


def test_boards_that_are_legal_or_not_complete_have_no_street() -> None:
    legal = "f2c f3d m4c m4d b9c / f6h m7s xTc / b9d bKc xTd / mJh bKd xTh / mQs b2h xTs"
    assert street(legal) == 0
    assert street("fAc fAd m9c m8d bKc / fQs m4c x2c") == 0


def test_discards_nobody_recorded_are_taken_for_unseen() -> None:
    hand = "fKc fKd m2c m5d b3h / fKh b4c x{} / m9s mJd x4d / mJh b7c x6d / b8h bTs x6c"
    assert street(hand.format("4s")) == street(hand.format("??")) == 3
    lost = "fKc fKd m2c m5d b3h / fKh b4c x4s / m9s m?? x4d / mJh b7c x6d / b8h bTs x6c"
    assert street(lost) == 0
