"""One street of any kind exactly: the best way to complete a board with every draw of so many cards."""

from __future__ import annotations

import numpy as np

from ofclab.kernels.jit import kernel
from ofclab.kernels.judge import (
    LOW,
    has_joker,
    judge,
    load_board,
    outcome_of,
    points_of,
    read_finished,
    row_code,
    row_of_slot,
)
from ofclab.kernels.placement import DISCARD, FIRST_SLOT, ROW_SIZE
from ofclab.kernels.rowstate import sum_subsets
from ofclab.kernels.scoring import COPY_NONE, MAY_COPY, NO_LIMIT, put_in_order, read_as
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
def read_finishes(board, dealt, choices, ways, free, pay, work, sums, row_codes, first):
    """As `list_finishes` where jokers are on the board or dealt, in work.codes; the board's rows are in `work`.

    `choices` u8 (n, k): the rows of the dealt cards by way. The rows are read by themselves first, unless a joker may
    copy no card of the board, so that a reading hangs on all rows.
    """
    switches, cross, none, codes = pay.switches, pay.cross, np.uint64(0), work.codes
    if switches[MAY_COPY] == COPY_NONE:
        for way in range(ways.shape[0]):
            copy_board(board, work.board[0])
            put(work.board[0], dealt, choices[way])
            read_finished(pay, work, first + way)
        return
    words, jokers, masks = work.words, work.jokers, work.masks
    wild, bits, deal = np.empty(32, np.int64), np.empty(32, np.uint64), dealt.shape[0]
    sum_subsets(dealt, deal, sums, wild, bits)
    for row in range(3):
        for subset in range(1 << deal):
            if _SIZE[subset] == free[row]:
                row_codes[row, subset] = read_as(
                    row, np.uint32(words[row] + sums[subset]), jokers[row] + wild[subset], masks[row] | bits[subset],
                    none, NO_LIMIT, switches,
                )  # fmt: skip
    for way in range(ways.shape[0]):
        f, m, b, at = ways[way, 0], ways[way, 1], ways[way, 2], first + way
        codes[0, at], codes[1, at], codes[2, at] = put_in_order(
            row_codes[0, f], row_codes[1, m], row_codes[2, b],
            (np.uint32(words[0] + sums[f]), np.uint32(words[1] + sums[m]), np.uint32(words[2] + sums[b])),
            (jokers[0] + wild[f], jokers[1] + wild[m], jokers[2] + wild[b]),
            (masks[0] | bits[f], masks[1] | bits[m], masks[2] | bits[b]), none, switches, cross,
        )  # fmt: skip


@kernel
def _best_of_finishes(n, pay, work):
    """Worth of the best of the first n finishes in work.codes."""
    judge(work.codes, n, pay, work.worths)
    best = work.worths[0]
    for k in range(1, n):
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
    """Sum of worths over all draws of `deal` cards for a board they complete; work.counts take the outcomes.

    `jokers`: some are among the cards or on the board.
    """
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
    total, low, on_board = np.int64(0), pay.scalars[LOW] == 1, jokers and has_joker(board)
    while True:
        joker = on_board
        for j in range(deal):
            dealt[j] = cards[picks[j]]
            joker |= dealt[j] >= 52
        if joker:
            read_finishes(board, dealt, choices[first:last], ways, free, pay, work, sums, row_codes, 0)
        else:
            list_finishes(dealt, ways, free, low, work.words, sums, row_codes, work.codes, 0)
        worth = _best_of_finishes(last - first, pay, work)
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
