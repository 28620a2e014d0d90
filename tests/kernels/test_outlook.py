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
    ways = []
    for first in combinations(range(cards), front):
        rest = [i for i in range(cards) if i not in first]
        for second in combinations(rest, middle):
            ways += [first + second + third for third in combinations([i for i in rest if i not in second], back)]
    return np.array(ways, np.int64).reshape(len(ways), front + middle + back)


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
