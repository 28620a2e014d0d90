"""One street of any kind exactly: the best way to complete a board with every draw of so many cards."""

from __future__ import annotations

import numpy as np

from ofclab.kernels.jit import kernel
from ofclab.kernels.judge import (
    LOW,
    judge,
    load_board,
    outcome_of,
    points_of,
    read_finished,
    row_code,
    row_of_slot,
)
from ofclab.kernels.placement import DISCARD, FIRST_SLOT, ROW_SIZE
from ofclab.kernels.tables import CARD

_SIZE = np.array([subset.bit_count() for subset in range(32)], np.int64)
"""Cards of each subset of up to five."""


@kernel
def copy_board(board, target):
    """Copy 13 slots (a loop: slices take numba seconds to compile)."""
    for slot in range(13):
        target[slot] = board[slot]


@kernel
def open_slot(board, row):
    """First open slot of a row, -1 when it is full."""
    for slot in range(FIRST_SLOT[row], FIRST_SLOT[row] + ROW_SIZE[row]):
        if board[slot] == 255:
            return slot
    return -1


@kernel
def state_of(board):
    """Index of a board's open slots in the table of placements (`ofclab.strategies.base.placement_table`)."""
    state = 0
    for slot in range(13):
        if board[slot] == 255:
            row = row_of_slot(slot)
            state += 36 if row == 0 else 6 if row == 1 else 1
    return state


@kernel
def put(board, dealt, choice):
    """Place dealt cards by their rows (3 = discarded) in the first open slots."""
    for j in range(dealt.shape[0]):
        if choice[j] != DISCARD:
            board[open_slot(board, choice[j])] = dealt[j]


@kernel
def _list_ways(board, choices, first, last, ways):
    """ways u8 (last - first, 3): which dealt cards, as bits, each choice puts in each row; returns the open slots."""
    for pick in range(first, last):
        for row in range(3):
            ways[pick - first, row] = 0
            for j in range(choices.shape[1]):
                if choices[pick, j] == row:
                    ways[pick - first, row] |= np.uint8(1 << j)
    free = np.empty(3, np.int64)
    for row in range(3):
        free[row] = 0
    for slot in range(13):
        if board[slot] == 255:
            free[row_of_slot(slot)] += 1
    return free


@kernel
def list_finishes(dealt, ways, free, low, words, sums, row_codes, codes, first):
    """Codes u16 (3, first + n or more) of the `ways` to complete a board of natural cards, from column `first` on.

    `ways` u8 (n, 3): which dealt cards go to each row, as bits; `words` u32 (3,): those of the rows; `free` i64 (3,):
    their open slots. sums u32 (32,) and row_codes u16 (3, 32) are scratch: the words of all sets of dealt cards, and
    each row's code with those that fill it.
    """
    sums[0] = np.uint32(0)
    deal = dealt.shape[0]
    for j in range(deal):
        for subset in range(1 << j):
            sums[(1 << j) | subset] = np.uint32(sums[subset] + CARD[dealt[j]])
    for row in range(3):
        for subset in range(1 << deal):
            if _SIZE[subset] == free[row]:
                row_codes[row, subset] = row_code(row, np.uint32(words[row] + sums[subset]), low)
    for way in range(ways.shape[0]):
        for row in range(3):
            codes[row, first + way] = row_codes[row, ways[way, row]]


@kernel
def _best_finish(dealt, ways, free, pay, work, sums, row_codes):
    """Worth of the best of the `ways` to complete the board in work.words with natural cards."""
    list_finishes(dealt, ways, free, pay.scalars[LOW] == 1, work.words, sums, row_codes, work.codes, 0)
    judge(work.codes, ways.shape[0], pay, work.worths)
    best = work.worths[0]
    for way in range(1, ways.shape[0]):
        best = max(best, work.worths[way])
    return best


@kernel
def _best_reading(board, dealt, choices, first, last, pay, work):
    """As `_best_finish` where jokers are on the board or dealt."""
    for pick in range(first, last):
        copy_board(board, work.board[0])
        put(work.board[0], dealt, choices[pick])
        read_finished(pay, work, pick - first)
    judge(work.codes, last - first, pay, work.worths)
    best = work.worths[0]
    for k in range(1, last - first):
        best = max(best, work.worths[k])
    return best


@kernel
def finished(board, pay, work):
    """Worth of a complete board, jokers read as the rules say; work.counts take its outcome."""
    copy_board(board, work.board[0])
    read_finished(pay, work, np.int64(0))
    judge(work.codes, np.int64(1), pay, work.worths)
    work.counts[outcome_of(work.worths[0])] += 1
    return points_of(work.worths[0])


@kernel
def any_street(board, cards, deal, choices, start, jokers, pay, work):
    """Sum of worths over all draws of `deal` cards for a board they complete; work.counts take the outcomes."""
    n = cards.shape[0]
    state = state_of(board)
    first, last = start[state], start[state + 1]
    ways = np.empty((last - first, 3), np.uint8)
    free = _list_ways(board, choices, first, last, ways)
    picks, dealt = np.empty(deal, np.int64), np.empty(deal, np.uint8)
    for j in range(deal):
        picks[j] = j
    sums, row_codes = np.empty(32, np.uint32), np.empty((3, 32), np.uint16)
    load_board(board, work)
    total = np.int64(0)
    while True:
        joker = jokers == 2
        for j in range(deal):
            dealt[j] = cards[picks[j]]
            joker |= dealt[j] >= 52
        if joker:
            worth = _best_reading(board, dealt, choices, first, last, pay, work)
        else:
            worth = _best_finish(dealt, ways, free, pay, work, sums, row_codes)
        total += points_of(worth)
        work.counts[outcome_of(worth)] += 1
        place = deal - 1
        while place >= 0 and picks[place] == n - deal + place:
            place -= 1
        if place < 0:
            return total
        picks[place] += 1
        for j in range(place + 1, deal):
            picks[j] = picks[j - 1] + 1
