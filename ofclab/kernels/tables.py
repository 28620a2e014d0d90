"""The tables behind every rank look-up: row keys, one strength scale for three and five cards, one for 2-7 lows.

A row is the sum of its cards' words (`CARD`): the low 20 bits are unique for every multiset of up to five ranks, the
high 12 bits count the suits, 3 bits each. Adding a card is one addition. `DISPLACEMENT[key >> 8] + (key & 255)` is the
row's slot in the tables of strengths, a first-fit perfect hash; suited rows of five stand `SLOTS` further on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

# The smallest ascending keys whose sums over every multiset of five ranks (no five of a kind) differ, and an offset per
# card that keeps rows of different length apart; tests/kernels/test_tables.py checks all 8,555 sums.
RANK_KEYS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
CARD_OFFSET = 137319
KEY_MASK = (1 << 20) - 1
SUITED = 0x24900000
"""Bits that `word & word >> 2` leaves when five cards share a suit (a suit count of 5 is binary 101)."""

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL_FLUSH, FIVE_OF_A_KIND = (
    range(11)
)
CATEGORIES = (
    "high_card",
    "pair",
    "two_pair",
    "trips",
    "straight",
    "flush",
    "full_house",
    "quads",
    "straight_flush",
    "royal_flush",
    "five_of_a_kind",
)

Strength = tuple[int, ...]
"""(category, ranks in order of weight), ranks 1..13 with 0 for a missing card: compares as the hands do."""

_CATEGORY_OF_SHAPE = {
    (1, 1, 1, 1, 1): HIGH_CARD,
    (1, 1, 1): HIGH_CARD,
    (2, 1, 1, 1): PAIR,
    (2, 1): PAIR,
    (2, 2, 1): TWO_PAIR,
    (3, 1, 1): TRIPS,
    (3,): TRIPS,
    (3, 2): FULL_HOUSE,
    (4, 1): QUADS,
    (5,): FIVE_OF_A_KIND,
}
_WHEEL = (12, 3, 2, 1, 0)


def high_strength(ranks: Sequence[int], suited: bool = False) -> Strength:
    """Strength of three or five ranks (0..12). A-2-3-4-5 is the lowest straight; three cards make no straight or flush.

    A suited row with a repeated rank (only a joker can make one) is a flush that compares its five ranks in order.
    """
    by_weight = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    category = _CATEGORY_OF_SHAPE[tuple(count for _, count in by_weight)]
    order = tuple(rank for rank, _ in by_weight)
    if category == HIGH_CARD and len(ranks) == 5 and (order[0] - order[4] == 4 or order == _WHEEL):
        top = 3 if order == _WHEEL else order[0]
        if not suited:
            return (STRAIGHT, top + 1, 0, 0, 0, 0)
        return (ROYAL_FLUSH if top == 12 else STRAIGHT_FLUSH, top + 1, 0, 0, 0, 0)
    if suited and category < FLUSH:
        return (FLUSH, *(rank + 1 for rank in sorted(ranks, reverse=True)))
    return (category, *(rank + 1 for rank in order), *(0,) * (5 - len(order)))


def low_strength(ranks: Sequence[int], suited: bool = False) -> Strength:
    """2-7 strength of five ranks: aces are high, straights and flushes count against; greater is better."""
    if tuple(sorted(ranks, reverse=True)) == _WHEEL:
        category, *order = (FLUSH if suited else HIGH_CARD, *(rank + 1 for rank in _WHEEL))
    else:
        category, *order = high_strength(ranks, suited)
    return (-category, *(-rank for rank in order))


def partial_strength(ranks: Sequence[int]) -> Strength:
    """Strength of up to four ranks by multiplicities alone (no straights, no flushes): an unfinished row."""
    by_weight = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    counts = [count for _, count in by_weight] + [0, 0]
    category = {4: QUADS, 3: TRIPS, 2: TWO_PAIR if counts[1] == 2 else PAIR}.get(counts[0], HIGH_CARD)
    return (category, *(rank + 1 for rank, _ in by_weight), *(0,) * (5 - len(by_weight)))


def row_key(ranks: Sequence[int]) -> int:
    """The low 20 bits of a row's word."""
    return sum(RANK_KEYS[rank] + CARD_OFFSET for rank in ranks)


def multisets(size: int) -> Iterator[tuple[int, ...]]:
    """All multisets of ranks a row of this size can hold without five of a kind."""
    return (ranks for ranks in combinations_with_replacement(range(13), size) if size < 5 or ranks[0] != ranks[4])


def _displace(keys: Sequence[int]) -> tuple[NDArray[np.uint16], int]:
    """First-fit row displacement: an offset for each key >> 8 such that no two keys share a slot."""
    columns: dict[int, list[int]] = {}
    for key in keys:
        columns.setdefault(key >> 8, []).append(key & 255)
    displacement = np.zeros((KEY_MASK >> 8) + 1, np.uint16)
    taken = 0
    for row, used in sorted(columns.items(), key=lambda item: (-len(item[1]), item[0])):
        blocked = 0
        for column in used:
            blocked |= taken >> column
        offset = (~blocked & (blocked + 1)).bit_length() - 1
        taken |= sum(1 << column for column in used) << offset
        displacement[row] = offset
    return displacement, int(displacement.max()) + 256


def _codes(strengths: Iterable[Strength]) -> dict[Strength, int]:
    """Codes 1..n in order of strength; 0 stays free for a row that is not complete."""
    return {strength: code for code, strength in enumerate(sorted(set(strengths)), 1)}


DISPLACEMENT, SLOTS = _displace([row_key(ranks) for size in range(6) for ranks in multisets(size)])


def _slot(ranks: Sequence[int]) -> int:
    key = row_key(ranks)
    return int(DISPLACEMENT[key >> 8]) + (key & 255)


def _five_card_table(
    strength: Callable[[Sequence[int], bool], Strength], codes: dict[Strength, int]
) -> NDArray[np.uint16]:
    table = np.zeros(2 * SLOTS, np.uint16)
    for ranks in multisets(5):
        slot = _slot(ranks)
        table[slot] = codes[strength(ranks, False)]
        table[slot + SLOTS] = codes[strength(ranks, True)]
    return table


_FIVES_OF_A_KIND: list[Strength] = [(FIVE_OF_A_KIND, rank + 1, 0, 0, 0, 0) for rank in range(13)]

HIGH_CODES = _codes(
    [high_strength(ranks, suited) for ranks in multisets(5) for suited in (False, True)]
    + [high_strength(ranks) for ranks in multisets(3)]
    + _FIVES_OF_A_KIND
)
"""Strength -> code of the scale that fronts and five-card rows share."""
LOW_CODES = _codes(low_strength(ranks, suited) for ranks in multisets(5) for suited in (False, True))
"""Strength -> code of the 2-7 scale; the greater the code the better the low."""
PARTIAL_CODES = _codes(
    [partial_strength(ranks) for size in range(5) for ranks in multisets(size)]
    + [high_strength(ranks, suited) for ranks in multisets(5) for suited in (False, True)]
)
"""Strength of a row of any length -> code; rows of fewer than five cards count by multiplicities."""

N_CODES = max(len(HIGH_CODES), len(LOW_CODES)) + 1
FIRST_FIVE_OF_A_KIND = HIGH_CODES[_FIVES_OF_A_KIND[0]]
"""Code of five deuces; five of rank r is r further on."""
WHEEL_LOW = len(LOW_CODES)
"""Code of 7-5-4-3-2."""

HIGH = _five_card_table(high_strength, HIGH_CODES)
for _ranks in multisets(3):
    HIGH[_slot(_ranks)] = HIGH[_slot(_ranks) + SLOTS] = HIGH_CODES[high_strength(_ranks)]
LOW = _five_card_table(low_strength, LOW_CODES)
PARTIAL = _five_card_table(high_strength, PARTIAL_CODES)
for _size in range(5):
    for _ranks in multisets(_size):
        # Four suited cards are no flush yet, and no suit count below five marks a row as suited.
        PARTIAL[_slot(_ranks)] = PARTIAL_CODES[partial_strength(_ranks)]

CARD = np.zeros(54, np.uint32)
"""The word of each card; a joker adds nothing, so a row's suit counts tell how many of its cards are natural."""
for _card in range(52):
    CARD[_card] = RANK_KEYS[_card >> 2] + CARD_OFFSET | 1 << 20 + 3 * (_card & 3)


def _categories(codes: dict[Strength, int]) -> NDArray[np.uint8]:
    categories = np.zeros(len(codes) + 1, np.uint8)
    for strength, code in codes.items():
        categories[code] = strength[0]
    return categories


CATEGORY = _categories(HIGH_CODES)
"""Category (index into CATEGORIES) of each high code."""
PARTIAL_CATEGORY = _categories(PARTIAL_CODES)
"""Category of each code of a row of any length."""

for _table in (DISPLACEMENT, HIGH, LOW, PARTIAL, CARD, CATEGORY, PARTIAL_CATEGORY):
    _table.setflags(write=False)
