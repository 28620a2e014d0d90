"""Row words and their strengths: batch ranks of fronts, fives and 2-7 lows, and the reading of rows with jokers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels.jit import kernel
from ofclab.kernels.tables import CARD, DISPLACEMENT, FIRST_FIVE_OF_A_KIND, HIGH, LOW, PARTIAL, SLOTS

Codes = NDArray[np.uint16]
CardArray = NDArray[np.uint8]

_MASK = np.uint32((1 << 20) - 1)
_SUITED = np.uint32(0x24900000)
_SLOTS = np.uint32(SLOTS)
_NO_LIMIT = np.uint16(65535)
_LOW_BYTE = np.uint32(255)
_ONE = np.uint64(1)
_RANK = CARD[:52:4] & _MASK
"""What a card of each rank adds to a row word, its suit left out."""


@kernel
def slot_of(word):
    """Slot of a row word (uint32) in the tables of partial rows."""
    key = word & _MASK
    return np.uint32(np.uint32(DISPLACEMENT[key >> np.uint32(8)]) + (key & _LOW_BYTE))


@kernel
def high_code(word):
    """High code of a row of three or five cards; 0 for any other length."""
    slot = slot_of(word)
    if word & (word >> np.uint32(2)) & _SUITED:
        slot = np.uint32(slot + _SLOTS)
    return HIGH[slot]


@kernel
def low_code(word):
    """2-7 code of a row of five cards, the greater the better the low."""
    slot = slot_of(word)
    if word & (word >> np.uint32(2)) & _SUITED:
        slot = np.uint32(slot + _SLOTS)
    return LOW[slot]


@kernel
def partial_code(word):
    """Strength so far of a row of any length; straights and flushes count with five cards only."""
    slot = slot_of(word)
    if word & (word >> np.uint32(2)) & _SUITED:
        slot = np.uint32(slot + _SLOTS)
    return PARTIAL[slot]


@kernel
def _rank_fives(cards, codes, out):
    """Codes of five-card rows; spelled out card by card, which is twice as fast as a loop over them."""
    for i in range(out.shape[0]):
        word = np.uint32(CARD[cards[i, 0]] + CARD[cards[i, 1]])
        word = np.uint32(word + np.uint32(CARD[cards[i, 2]] + CARD[cards[i, 3]]))
        word = np.uint32(word + CARD[cards[i, 4]])
        suited = np.uint32(word & (word >> np.uint32(2)) & _SUITED != 0)
        out[i] = codes[np.uint32(slot_of(word) + np.uint32(suited * _SLOTS))]


@kernel
def _rank_fronts(cards, codes, out):
    for i in range(out.shape[0]):
        word = np.uint32(np.uint32(CARD[cards[i, 0]] + CARD[cards[i, 1]]) + CARD[cards[i, 2]])
        out[i] = codes[slot_of(word)]


def _natural_rows(cards: NDArray[np.integer], size: int) -> tuple[CardArray, Codes]:
    """Rows of natural cards as the kernels take them, and room for their codes."""
    rows = np.ascontiguousarray(cards, dtype=np.uint8)
    if rows.ndim != 2 or rows.shape[1] != size:
        raise ValueError(f"want an array of shape (n, {size}), got {rows.shape}")
    if rows.size and rows.max() >= 52:
        raise ValueError(f"want card ids 0..51, got {rows.max()}; rows with jokers are read by score_boards")
    return rows, np.empty(len(rows), np.uint16)


def rank_fives(cards: NDArray[np.integer]) -> Codes:
    """High codes (uint16, shape (n,)) of five-card rows given as card ids of shape (n, 5)."""
    rows, codes = _natural_rows(cards, 5)
    _rank_fives(rows, HIGH, codes)
    return codes


def rank_fronts(cards: NDArray[np.integer]) -> Codes:
    """High codes (uint16, shape (n,)) of three-card fronts given as card ids of shape (n, 3)."""
    rows, codes = _natural_rows(cards, 3)
    _rank_fronts(rows, HIGH, codes)
    return codes


def rank_lows(cards: NDArray[np.integer]) -> Codes:
    """2-7 codes (uint16, shape (n,)) of five-card rows of shape (n, 5); the greater the better the low."""
    rows, codes = _natural_rows(cards, 5)
    _rank_fives(rows, LOW, codes)
    return codes


@kernel
def natural_word(cards, first, last):
    """(word of the natural cards, number of jokers, bit mask of the natural cards) of cards[first:last], 255 = open."""
    word, jokers, mask = np.uint32(0), 0, np.uint64(0)
    for i in range(first, last):
        card = cards[i]
        if card == 255:
            continue
        if card >= 52:
            jokers += 1
        else:
            word = np.uint32(word + CARD[card])
            mask |= np.uint64(1) << np.uint64(card)
    return word, jokers, mask


@kernel
def sum_subsets(cards, n, words, jokers, masks):
    """Row word, number of jokers and bits of the natural cards of every subset of the first n cards."""
    words[0], jokers[0], masks[0] = 0, 0, 0
    for j in range(n):
        card = cards[j]
        joker = card >= 52
        bit = np.uint64(0) if joker else np.uint64(1) << np.uint64(card)
        for subset in range(1 << j):
            more = subset | 1 << j
            words[more] = np.uint32(words[subset] + CARD[card])
            jokers[more], masks[more] = jokers[subset] + joker, masks[subset] | bit


@kernel
def _code(word, suited, low):
    """Code of a row word whose suits are told apart from it."""
    slot = slot_of(word)
    if suited:
        slot = np.uint32(slot + _SLOTS)
    return LOW[slot] if low else HIGH[slot]


@kernel
def _shape(mask):
    """(the rank all natural cards of a row share, the suit they share), each -1 when there is none."""
    rank, suits = -1, 0
    for r in range(13):
        cards = np.int64(mask >> np.uint64(4 * r)) & 15
        if cards:
            rank = r if rank == -1 else -2
            suits |= cards
    suit = 0 if suits == 1 else 1 if suits == 2 else 2 if suits == 4 else 3 if suits == 8 else -1
    return max(rank, -1), suit


@kernel
def _stronger(best, code, limit):
    return code if best < code <= limit else best


@kernel
def read_row(word, size, jokers, mask, blocked, may_repeat, five_of_a_kind, low, limit):
    """Strongest code not above `limit` that a row with 0-2 jokers can be read as; 0 when there is none.

    `mask`: bits of the row's natural cards; `blocked`: bits of cards no joker may read as; `may_repeat`: two jokers may
    read as the same card; a reading as five of a kind counts only where `five_of_a_kind` and never in a low.
    """
    if jokers == 0:
        code = low_code(word) if low else high_code(word)
        return code if code <= limit else np.uint16(0)
    lone, suit = _shape(mask)
    if size == 3:
        lone, suit = -1, -1
    best = np.uint16(0)
    for first in range(13):
        free = np.int64(~blocked >> np.uint64(4 * first)) & 15
        if free == 0:
            continue
        in_suit = suit >= 0 and (free >> suit) & 1 == 1
        off_suit = free != (1 << suit if suit >= 0 else 0)
        one = np.uint32(word + _RANK[first])
        if jokers == 1:
            if first == lone:
                if five_of_a_kind and not low:
                    best = _stronger(best, np.uint16(FIRST_FIVE_OF_A_KIND + lone), limit)
                continue
            if off_suit:
                best = _stronger(best, _code(one, False, low), limit)
            if in_suit:
                best = _stronger(best, _code(one, True, low), limit)
            continue
        for second in range(first, 13):
            other = np.int64(~blocked >> np.uint64(4 * second)) & 15
            if other == 0 or (first == second and not may_repeat and free & (free - 1) == 0):
                continue
            if first == lone and second == lone:
                if five_of_a_kind and not low:
                    best = _stronger(best, np.uint16(FIRST_FIVE_OF_A_KIND + lone), limit)
                continue
            two = np.uint32(one + _RANK[second])
            if off_suit or suit < 0 or other != 1 << suit or first == second:
                best = _stronger(best, _code(two, False, low), limit)
            if in_suit and (other >> suit) & 1 == 1 and (first != second or may_repeat):
                best = _stronger(best, _code(two, True, low), limit)
    return best
