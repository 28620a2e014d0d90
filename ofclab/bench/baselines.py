"""The straightforward way to compute what the fast kernels compute: everything tried, nothing remembered or skipped."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels.jit import kernel
from ofclab.kernels.rowstate import high_code
from ofclab.kernels.tables import CARD

_NOTHING = -(1 << 60)
_OUTCOME = 7
_FIRST = np.array([0, 3, 8, 13], np.int64)


def subsets(n: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Bit sets of n cards for `every_setting`: all fronts, all rows of five, all discards."""
    fronts, fives, discards = (
        np.array([sum(1 << i for i in chosen) for chosen in combinations(range(n), size)], np.int64)
        for size in (3, 5, n - 13)
    )
    return fronts, fives, discards


@kernel
def every_setting(cards, fronts, fives, discards, worth, stay, bonus, codes):
    """Greatest value of a Fantasyland hand of natural cards: every front, middle, back, one after another.

    `worth` i64 (3, N) and `stay` bool (3, N) by row code; `codes` i64 (1 << n,) is room for the codes of all rows.
    """
    n = cards.shape[0]
    for masks in (fronts, fives):
        for mask in masks:
            word = np.uint32(0)
            for i in range(n):
                if (mask >> i) & 1:
                    word = np.uint32(word + CARD[cards[i]])
            codes[mask] = high_code(word)
    best, every = _NOTHING, (1 << n) - 1
    for in_front in fronts:
        front = codes[in_front]
        for in_middle in fives:
            if in_front & in_middle:
                continue
            middle, rest = codes[in_middle], every & ~in_front & ~in_middle
            if front > middle:
                continue
            for left in discards:
                if left & ~rest:
                    continue
                back = codes[rest & ~left]
                if middle > back:
                    continue
                value = worth[0, front] + worth[1, middle] + worth[2, back]
                if stay[0, front] or stay[1, middle] or stay[2, back]:
                    value += bonus
                best = max(best, value)
    return best


@kernel
def _value(board, rows, foul):
    """Worth of a complete board of natural cards, its outcome left out: three rows ranked, judged and looked up."""
    front, middle, back = np.uint32(0), np.uint32(0), np.uint32(0)
    for slot in range(3):
        front = np.uint32(front + CARD[board[slot]])
    for slot in range(3, 8):
        middle = np.uint32(middle + CARD[board[slot]])
    for slot in range(8, 13):
        back = np.uint32(back + CARD[board[slot]])
    f, m, b = high_code(front), high_code(middle), high_code(back)
    if m > b or f > m:
        return foul
    return (np.int64(rows[0, f]) + rows[1, m] + rows[2, b]) & ~_OUTCOME


@kernel
def every_finish(board, cards, rows, foul):
    """Sum over every draw of three of `cards` of the best way to place two of them in the two open slots of a board.

    `rows` i32 (3 or more, N): worth by row and code; `foul`: worth of a foul.
    """
    n, first, second = cards.shape[0], -1, -1
    for slot in range(13):
        if board[slot] == 255:
            if first < 0:
                first = slot
            else:
                second = slot
    total = np.int64(0)
    drawn = np.empty(3, np.uint8)
    for i in range(n - 2):
        for j in range(i + 1, n - 1):
            for k in range(j + 1, n):
                drawn[0], drawn[1], drawn[2] = cards[i], cards[j], cards[k]
                best = np.int64(_NOTHING)
                for x in range(3):
                    for y in range(3):
                        if x != y:
                            board[first], board[second] = drawn[x], drawn[y]
                            best = max(best, _value(board, rows, foul))
                total += best
    board[first], board[second] = 255, 255
    return total


@kernel
def _put(board, card, row):
    """Put a card in the first open slot of a row; the slot, -1 when the row is full."""
    for slot in range(_FIRST[row], _FIRST[row + 1]):
        if board[slot] == 255:
            board[slot] = card
            return slot
    return -1


@kernel
def every_decision(board, dealt, cards, rows, foul):
    """Greatest `every_finish` over all ways to place two of three dealt cards on a board with four open slots."""
    best = np.int64(_NOTHING)
    for x in range(3):
        for y in range(x + 1, 3):
            for row_x in range(3):
                for row_y in range(3):
                    slot_x = _put(board, dealt[x], row_x)
                    slot_y = _put(board, dealt[y], row_y) if slot_x >= 0 else -1
                    if slot_y >= 0:
                        best = max(best, every_finish(board, cards, rows, foul))
                        board[slot_y] = 255
                    if slot_x >= 0:
                        board[slot_x] = 255
    return best


@kernel
def some_draws(board, cards, draws, rows, foul):
    """Sum of `every_decision` over the given draws i64 (n, 3) of `cards`, the others left to the last street."""
    rest, total = np.empty(cards.shape[0] - 3, np.uint8), np.int64(0)
    dealt = np.empty(3, np.uint8)
    for draw in range(draws.shape[0]):
        filled = 0
        for i in range(cards.shape[0]):
            if i != draws[draw, 0] and i != draws[draw, 1] and i != draws[draw, 2]:
                rest[filled] = cards[i]
                filled += 1
        for i in range(3):
            dealt[i] = cards[draws[draw, i]]
        total += every_decision(board, dealt, rest, rows, foul)
    return total
