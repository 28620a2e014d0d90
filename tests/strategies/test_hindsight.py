"""Hindsight against a plain-Python reading of its rule: the same choices from the same draws."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray

import ofclab as ofc
from ofclab.kernels import rng
from ofclab.strategies.hindsight import Hindsight

EMPTY, THROWN = 255, 3
FOUL, SAMPLES = 6.0, 8
HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)
MIDDLE = {TRIPS: 2, STRAIGHT: 4, FLUSH: 8, FULL_HOUSE: 12, QUADS: 20, STRAIGHT_FLUSH: 30}
BACK = {STRAIGHT: 2, FLUSH: 4, FULL_HOUSE: 6, QUADS: 10, STRAIGHT_FLUSH: 15}
SHAPES = {(4, 1): QUADS, (3, 2): FULL_HOUSE, (3, 1, 1): TRIPS, (3,): TRIPS, (2, 2, 1): TWO_PAIR}
ACE, QUEEN, SIX = 12, 10, 4

Cards = list[int]
Hand = tuple[int, ...]


def hand(cards: Cards) -> Hand:
    """Class and ranks of three or five cards; a front is less than a row it is the beginning of."""
    counts = Counter(card // 4 for card in cards)
    order = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = tuple(sorted(counts.values(), reverse=True))
    if len(cards) == 5 and len(counts) == 5:
        flush = len({card % 4 for card in cards}) == 1
        top = 3 if order == [ACE, 3, 2, 1, 0] else order[0] if order[0] - order[4] == 4 else None
        if top is not None:
            return (STRAIGHT_FLUSH if flush else STRAIGHT, top)
        if flush:
            return (FLUSH, *order)
    return (SHAPES.get(shape, PAIR if max(shape) == 2 else HIGH), *order)


def worth(row: int, found: Hand, fantasyland: float) -> float:
    """Royalties of a row under the American rules, and Fantasyland for queens or better in front."""
    kind = found[0]
    if row == 0:
        royalties = 10 + found[1] if kind == TRIPS else max(0, found[1] - SIX + 1) if kind == PAIR else 0
        return royalties + fantasyland * (kind == TRIPS or (kind == PAIR and found[1] >= QUEEN))
    royal = kind == STRAIGHT_FLUSH and found[1] == ACE
    return (50 if row == 1 else 25) if royal else (MIDDLE if row == 1 else BACK).get(kind, 0)


def best_filling(rows: list[Cards], sample: Cards, fantasyland: float) -> float:
    """Most that the open slots can be filled to with cards of the sample; a foul where nothing is legal."""
    front_free, middle_free, back_free = (size - len(row) for size, row in zip((3, 5, 5), rows, strict=True))
    ways = [
        {which: hand(row + [sample[i] for i in which]) for which in combinations(range(len(sample)), free)}
        for row, free in zip(rows, (front_free, middle_free, back_free), strict=True)
    ]
    values = [{which: worth(row, found, fantasyland) for which, found in ways[row].items()} for row in range(3)]
    best = -FOUL
    for in_back, back in ways[2].items():
        for in_middle, middle in ways[1].items():
            if middle > back or set(in_middle) & set(in_back):
                continue
            both, taken = values[2][in_back] + values[1][in_middle], {*in_middle, *in_back}
            for in_front, front in ways[0].items():
                if front <= middle and both + values[0][in_front] > best and not taken & set(in_front):
                    best = both + values[0][in_front]
    return best


def plain_choice(spots: ofc.Spots, i: int, fantasyland: float) -> list[int]:
    """Rounds of eight common samples, the better half kept (of an odd number the larger), until one is left."""
    rows = [[c for c in spots.board[i, a:b].tolist() if c != EMPTY] for a, b in ((0, 3), (3, 8), (8, 13))]
    dealt, free = spots.dealt[i].tolist(), [size - len(row) for size, row in zip((3, 5, 5), rows, strict=True)]
    known = {*dealt, *spots.board[i].tolist(), *spots.discards[i].tolist(), *spots.opponents[i].ravel().tolist()}
    unseen = [card for card in range(52) if card not in known]
    alive = [
        choice
        for choice in product(range(4), repeat=len(dealt))
        if choice.count(THROWN) == len(dealt) - spots.place and all(choice.count(row) <= free[row] for row in range(3))
    ]
    left = sum(free) - spots.place
    size = {8: 8, 6: 6, 4: 5, 2: 3, 0: 0}[left] if spots.streets == 5 else left
    totals, counter = dict.fromkeys(alive, 0.0), 0
    while len(alive) > 1:
        for _ in range(SAMPLES if size else 1):
            for j in range(size):
                other = j + int(rng.below(spots.keys[i], counter, len(unseen) - j))
                unseen[j], unseen[other] = unseen[other], unseen[j]
                counter += 1
            for choice in alive:
                after = [
                    row + [c for c, at in zip(dealt, choice, strict=True) if at == r] for r, row in enumerate(rows)
                ]
                totals[choice] += best_filling(after, unseen[:size], fantasyland)
        keep = (len(alive) + 1) // 2 if size else 1
        for place in range(keep):
            top = max(range(place, len(alive)), key=lambda at: (totals[alive[at]], -at))
            alive[place], alive[top] = alive[top], alive[place]
        alive = alive[:keep]
    return list(alive[0])


@pytest.mark.parametrize(
    ("preset", "fantasyland", "decisions"),
    [("american-pineapple", 9.3, {2: 2, 3: 10, 4: 20, 5: 20}), ("american-regular", 7.0, {3: 6, 5: 10, 7: 10, 9: 10})],
)
def test_chooses_what_its_rule_says(preset: str, fantasyland: float, decisions: dict[int, int]) -> None:
    checked: Counter[int] = Counter()

    class Watched(Hindsight):
        def place(self, spots: ofc.Spots) -> NDArray[np.uint8]:
            chosen = super().place(spots)
            while checked[spots.street] < decisions.get(spots.street, 0):
                i = checked[spots.street]
                assert chosen[i].tolist() == plain_choice(spots, i, fantasyland), (spots.street, i)
                checked[spots.street] += 1
            return chosen

    values = dict.fromkeys(range(13, 18), fantasyland)
    list(ofc.play(ofc.load_rules(preset), [Watched()] * 2, range(20), 1, 77, fantasyland_values=values))
    assert checked == decisions
