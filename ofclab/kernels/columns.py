"""Between the arrays of hands and the columns of a log: lay columns out, read boards from them, look for faults.

Cards stand column by column, u8 (17, seats) in deal order, placements packed in a u64 a seat, three bits a card.
"""

from __future__ import annotations

import numpy as np

from ofclab.kernels.jit import kernel
from ofclab.kernels.placement import OPEN

_0, _1, _3, _5, _7, _8, _13, _17, _63 = (np.uint64(i) for i in (0, 1, 3, 5, 7, 8, 13, 17, 63))
_OPEN, _CARDS = np.uint64(OPEN), np.uint64(54)
_STARTS = np.uint64(0x40404040_0D080300)
"""Where cards of each placement code are laid out, a byte a code: front, middle, back, discards, and all others."""
_LAID = np.uint64(0xFFFFFF)
_FULL = np.uint64(0x0D0803)
"""Where the next cards of front, middle and back would lie, when these are whole."""
_ROWS = np.uint64(3 | 5 << 5 | 5 << 10)
"""Counts by placement code, five bits each: whole rows, and nothing that is not placed or in no known row."""
_NOT_DISCARDS = np.uint64((1 << 30) - 1 - (31 << 15))
_NO_CODE = np.uint64(31 << 30)
BLOCK = 512
"""Seats looked at together: column by column, a machine word a seat, without a branch."""


@kernel
def spread_seats(order, playing, cards, placement, columns, packed):
    """Lay out the seats that play (hands, seats) in columns: cards and placements (hands, seats, 17) of hands `order`.

    `playing` in the order of the columns, the others as they were played.
    """
    row = np.uint64(0)
    for i in range(order.shape[0]):
        hand = np.uint64(order[i])
        for seat in range(np.uint64(playing.shape[1])):
            if not playing[i, seat]:
                continue
            codes = _0
            for j in range(_17):
                columns[j, row] = cards[hand, seat, j]
                codes |= np.uint64(placement[hand, seat, j]) << (_3 * j)
            packed[row] = codes
            row += _1


@kernel
def gather_boards(columns, packed, at, boards):
    """Fill `boards` (n, 13): front 3, middle 5, back 5, from rows `at` of the columns; returns which is not whole.

    -1 when all are: rows of just 3, 5 and 5 real cards.
    """
    laid = np.zeros(96, np.uint8)
    for i in range(at.shape[0]):
        row = np.uint64(at[i])
        codes, next_slots = packed[row], _STARTS
        for j in range(_17):
            code = (codes & _7) * _8
            codes >>= _3
            laid[(next_slots >> code) & np.uint64(255)] = columns[j, row]
            next_slots += _1 << code
        greatest = np.uint8(0)
        for j in range(_13):
            greatest = max(greatest, laid[j])
            boards[i, j] = laid[j]
        if next_slots & _LAID != _FULL or np.uint64(greatest) >= _CARDS:
            return i
    return -1


@kernel
def _look_at(columns, packed, first, n, seen, odd, unknown):
    """Of n seats from `first`: cards as bits, whether anything cannot be, whether rows are not known and whole."""
    codes, kinds = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
    for i in range(n):
        codes[i] = packed[first + i]
        seen[i], odd[i], unknown[i], kinds[i] = _0, _0, _0, _0
    for j in range(17):
        cards = columns[j, first : first + n]
        for i in range(n):
            card, code = np.uint64(cards[i]), codes[i] & _7
            codes[i] >>= _3
            dealt = np.uint64(card != _OPEN)
            bit = dealt << (card & _63)
            odd[i] |= seen[i] & bit
            odd[i] |= dealt & (np.uint64(card >= _CARDS) | np.uint64(code == _7))
            unknown[i] |= (dealt ^ _1) & np.uint64(code < _3)
            seen[i] |= bit
            kinds[i] += _1 << (code * _5)
    for i in range(n):
        odd[i] |= kinds[i] & _NO_CODE
        unknown[i] |= np.uint64(kinds[i] & _NOT_DISCARDS != _ROWS)


@kernel
def are_sound(columns, packed, n_seats, scorable):
    """Tell whether every hand can be: see `ofclab.log.checks.faults`. `n_seats`, `scorable`: of each hand."""
    seen, odd, unknown = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
    seats, first, at, behind = packed.shape[0], np.int64(0), np.int64(0), np.int64(0)
    for hand in range(n_seats.shape[0]):
        all_cards = _0
        for _ in range(n_seats[hand]):
            if at == behind:
                first, behind = behind, min(behind + BLOCK, seats)
                _look_at(columns, packed, first, behind - first, seen, odd, unknown)
            i = at - first
            if odd[i] | (all_cards & seen[i]) != _0 or (scorable[hand] and unknown[i] != _0):
                return False
            all_cards |= seen[i]
            at += 1
    return True


@kernel
def count_rows(codes, fouled, counts):
    """Count by hand and seat, u8 (5, n, seats): rows won, tied and lost, scoops made and suffered.

    Of row codes (n, seats, 3) and fouls (n, seats). A foul loses every row to a legal board and ties with another foul.
    """
    counts[:] = 0
    seats = fouled.shape[1]
    for i in range(fouled.shape[0]):
        for a in range(seats):
            for b in range(a + 1, seats):
                won, lost = np.uint8(0), np.uint8(0)
                if fouled[i, a] or fouled[i, b]:
                    won, lost = np.uint8(3 * (not fouled[i, a])), np.uint8(3 * (not fouled[i, b]))
                else:
                    for row in range(3):
                        won += np.uint8(codes[i, a, row] > codes[i, b, row])
                        lost += np.uint8(codes[i, a, row] < codes[i, b, row])
                    made, suffered = np.uint8(won == 3), np.uint8(lost == 3)
                    counts[3, i, a] += made
                    counts[4, i, b] += made
                    counts[3, i, b] += suffered
                    counts[4, i, a] += suffered
                tied = np.uint8(3 - won - lost)
                counts[0, i, a] += won
                counts[0, i, b] += lost
                counts[1, i, a] += tied
                counts[1, i, b] += tied
                counts[2, i, a] += lost
                counts[2, i, b] += won
