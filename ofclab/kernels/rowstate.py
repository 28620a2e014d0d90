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
def _rank(cards, low, out):
    for i in range(cards.shape[0]):
        word = np.uint32(0)
        for j in range(cards.shape[1]):
            word = np.uint32(word + CARD[cards[i, j]])
        out[i] = low_code(word) if low else high_code(word)


def _rank_rows(cards: NDArray[np.integer], size: int, low: bool) -> Codes:
    rows = np.ascontiguousarray(cards, dtype=np.uint8)
    if rows.ndim != 2 or rows.shape[1] != size:
        raise ValueError(f"want an array of shape (n, {size}), got {rows.shape}")
    if rows.size and rows.max() >= 52:
        raise ValueError(f"want card ids 0..51, got {rows.max()}; rows with jokers are read by score_boards")
    out = np.empty(len(rows), np.uint16)
    _rank(rows, low, out)
    return out


def rank_fives(cards: NDArray[np.integer]) -> Codes:
    """High codes (uint16, shape (n,)) of five-card rows given as card ids of shape (n, 5)."""
    return _rank_rows(cards, 5, low=False)


def rank_fronts(cards: NDArray[np.integer]) -> Codes:
    """High codes (uint16, shape (n,)) of three-card fronts given as card ids of shape (n, 3)."""
    return _rank_rows(cards, 3, low=False)


def rank_lows(cards: NDArray[np.integer]) -> Codes:
    """2-7 codes (uint16, shape (n,)) of five-card rows of shape (n, 5); the greater the better the low."""
    return _rank_rows(cards, 5, low=True)


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
def _one_rank(mask):
    """The rank all natural cards of a row share, -1 when there is more than one or no natural card."""
    found = -1
    for rank in range(13):
        if (mask >> np.uint64(4 * rank)) & np.uint64(15):
            if found >= 0:
                return -1
            found = rank
    return found


@kernel
def read_row(word, size, jokers, mask, blocked, may_repeat, five_of_a_kind, low, limit):
    """Strongest code not above `limit` that a row with 0-2 jokers can be read as; 0 when there is none.

    `mask`: bits of the row's natural cards; `blocked`: bits of cards no joker may read as; `may_repeat`: two jokers may
    read as the same card; a reading as five of a kind counts only where `five_of_a_kind` and never in a low.
    """
    if jokers == 0:
        code = low_code(word) if low else high_code(word)
        return code if code <= limit else np.uint16(0)
    lone = _one_rank(mask) if size == 5 else -1
    best = np.uint16(0)
    for first in range(52):
        if (blocked >> np.uint64(first)) & np.uint64(1):
            continue
        one = np.uint32(word + CARD[first])
        if jokers == 1:
            if lone >= 0 and first >> 2 == lone:
                if not five_of_a_kind or low:
                    continue
                code = np.uint16(FIRST_FIVE_OF_A_KIND + lone)
            else:
                code = low_code(one) if low else high_code(one)
            if code <= limit and code > best:
                best = code
            continue
        for second in range(first if may_repeat else first + 1, 52):
            if (blocked >> np.uint64(second)) & np.uint64(1):
                continue
            if lone >= 0 and first >> 2 == lone and second >> 2 == lone:
                if not five_of_a_kind or low:
                    continue
                code = np.uint16(FIRST_FIVE_OF_A_KIND + lone)
            else:
                two = np.uint32(one + CARD[second])
                code = low_code(two) if low else high_code(two)
            if code <= limit and code > best:
                best = code
    return best
