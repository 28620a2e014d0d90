"""The last streets of a hand exactly, and the best placement before them, for batches of boards.

Worths and outcomes are those of `ofclab.kernels.endgame`. The sums run over all draws, so they are whole numbers; every
board of a batch has the same number of draws to divide by.
"""

from __future__ import annotations

import numpy as np

from ofclab.kernels.endgame import last_street, sum_last_street
from ofclab.kernels.jit import kernel
from ofclab.kernels.judge import (
    LOW,
    OUTCOMES,
    has_joker,
    judge,
    load_board,
    outcome_of,
    points_of,
    read_finished,
    row_code,
    row_of_slot,
)
from ofclab.kernels.street import any_street, copy_board, finished, open_slot, put, state_of
from ofclab.kernels.tables import CARD

FINISHED, THREE_CARDS, TWICE_THREE_CARDS, SINGLE_CARDS, ANY_STREET = range(5)
"""What is still to come: nothing; three cards, two placed; the same twice; one card a street; any one street."""
_NOTHING = -(1 << 62)


@kernel
def any_joker(board, cards):
    """Tell whether a joker is on a board or among cards."""
    return has_joker(board) or has_joker(cards)


@kernel
def _place_two(board, cards, i, j, row_i, row_j, after, rest):
    """Put cards i and j in their rows; False when a row is full. `rest` takes the other cards."""
    copy_board(board, after)
    slot = open_slot(after, row_i)
    if slot < 0:
        return False
    after[slot] = cards[i]
    slot = open_slot(after, row_j)
    if slot < 0:
        return False
    after[slot] = cards[j]
    filled = 0
    for k in range(cards.shape[0]):
        if k != i and k != j:
            rest[filled] = cards[k]
            filled += 1
    return True


@kernel
def _keep_best(best, n, way, chosen):
    """Sum over all triples of the best of their pairs; `chosen` u64 (n, n, 9): discards by pair and way to place it."""
    total = np.int64(0)
    for i in range(n - 2):
        for j in range(i + 1, n - 1):
            for k in range(j + 1, n):
                x, y, z = best[i, j, k], best[i, k, j], best[j, k, i]
                if x >= y and x >= z:
                    total += x
                    chosen[i, j, way[i, j, k]] |= np.uint64(1) << np.uint64(k - 2)
                elif y >= z:
                    total += y
                    chosen[i, k, way[i, k, j]] |= np.uint64(1) << np.uint64(j - 1)
                else:
                    total += z
                    chosen[j, k, way[j, k, i]] |= np.uint64(1) << np.uint64(i)
    return total


@kernel
def two_streets(board, cards, jokers, track, pay, work):
    """Sum of worths over two draws of three, played best, for a board with four open slots.

    For every pair kept from the first draw and every way to place it, the second draw is summed over all cards and,
    card by card, over those draws that hold it: taking the latter away gives the sum where that card was the discard. A
    second turn counts six times the outcomes of the kept ways in work.counts.
    """
    n = cards.shape[0]
    best, way, chosen = np.empty((n, n, n), np.int64), np.empty((n, n, n), np.uint8), np.empty((n, n, 9), np.uint64)
    for i in range(n):
        for j in range(n):
            for k in range(n):
                best[i, j, k] = _NOTHING
            for rows in range(9):
                chosen[i, j, rows] = np.uint64(0)
    after, rest = np.empty(13, np.uint8), np.empty(n, np.uint8)
    worth = np.int64(0)
    for turn in range(2 if track else 1):
        for i in range(n - 1):
            for j in range(i + 1, n):
                for rows in range(9):
                    if turn == 1 and chosen[i, j, rows] == 0:
                        continue
                    if not _place_two(board, cards, i, j, rows // 3, rows % 3, after, rest):
                        continue
                    total = last_street(after, rest, n - 2, jokers, turn == 1, chosen[i, j, rows], pay, work)
                    if turn == 1:
                        continue
                    for k in range(n - 2):
                        third = k + np.int64(k >= i)
                        third += np.int64(third >= j)
                        if total - work.by_card[k] > best[i, j, third]:
                            best[i, j, third] = total - work.by_card[k]
                            way[i, j, third] = rows
        if turn == 0:
            worth = _keep_best(best, n, way, chosen)
    return worth


@kernel
def last_card(board, cards, used, jokers, pay, work, counts):
    """Sum of points over every card not yet used, for a board with one open slot; `counts` take the outcomes.

    work.words holds the words of the rows.
    """
    slot = 0
    while board[slot] != 255:
        slot += 1
    row, low, words, codes = row_of_slot(slot), pay.scalars[LOW] == 1, work.words, work.codes
    other_1, other_2 = (row + 1) % 3, (row + 2) % 3
    code_1, code_2, on_board = np.uint16(0), np.uint16(0), jokers and has_joker(board)
    if not on_board:
        code_1, code_2 = row_code(other_1, words[other_1], low), row_code(other_2, words[other_2], low)
    n = np.int64(0)
    for i in range(cards.shape[0]):
        if (used >> np.uint64(i)) & np.uint64(1):
            continue
        if on_board or cards[i] >= 52:
            copy_board(board, work.board[0])
            work.board[0, slot] = cards[i]
            read_finished(pay, work, n)
        else:
            codes[row, n] = row_code(row, np.uint32(words[row] + CARD[cards[i]]), low)
            codes[other_1, n], codes[other_2, n] = code_1, code_2
        n += 1
    judge(codes, n, pay, work.worths)
    total = np.int64(0)
    for outcome in range(OUTCOMES):
        counts[outcome] = 0
    for k in range(n):
        total += points_of(work.worths[k])
        counts[outcome_of(work.worths[k])] += 1
    return total


@kernel
def single_cards(board, cards, used, depth, jokers, pay, work, counts):
    """Sum of points over `depth` draws of one card, each placed best; counts (depth + 1, 2, 7) are scratch.

    The outcomes end up in counts[depth, 0]. `used`: bit set of cards that are gone. work.words holds the words of the
    rows; they and the board are left as they were.
    """
    if depth == 1:
        return last_card(board, cards, used, jokers, pay, work, counts[1, 0])
    total, words = np.int64(0), work.words
    for outcome in range(OUTCOMES):
        counts[depth, 0, outcome] = 0
    for i in range(cards.shape[0]):
        if (used >> np.uint64(i)) & np.uint64(1):
            continue
        best = np.int64(_NOTHING)
        gone = np.uint64(used | (np.uint64(1) << np.uint64(i)))
        for row in range(3):
            slot = open_slot(board, row)
            if slot < 0:
                continue
            board[slot] = cards[i]
            words[row] = np.uint32(words[row] + CARD[cards[i]])
            worth = single_cards(board, cards, gone, depth - 1, jokers, pay, work, counts)
            words[row] = np.uint32(words[row] - CARD[cards[i]])
            board[slot] = 255
            if worth > best:
                best = worth
                for outcome in range(OUTCOMES):
                    counts[depth, 1, outcome] = counts[depth - 1, 0, outcome]
        total += best
        for outcome in range(OUTCOMES):
            counts[depth, 0, outcome] += counts[depth, 1, outcome]
    return total


@kernel
def decide_boards(
    boards, dealt, cards, choices, start, kind, depth, next_deal, next_choices, next_start, pay, work,
    worths, counts, picks,
):  # fmt: skip
    """Best placement of `dealt` u8 (n, k) on each board u8 (n, 13) with its own unseen `cards` u8 (n, m).

    Fills worths i64 (n,), outcome counts i64 (n, 7) and picks i64 (n,), rows of `choices`. With k = 0 nothing is
    placed: the boards are valued as they are. What is still to come is `kind`, with `depth` single cards or a street of
    `next_deal` cards and its choices.
    """
    scratch = np.empty((depth + 1, 2, OUTCOMES), np.int64)
    after, none = np.empty(13, np.uint8), np.uint64(0)
    for i in range(boards.shape[0]):
        first, last = 0, 1
        if dealt.shape[1] > 0:
            state = state_of(boards[i])
            first, last = start[state], start[state + 1]
        worths[i], picks[i] = _NOTHING, first
        # After the choices one turn more for the best of them, whose outcomes are counted.
        for turn in range(first if last > first + 1 else last, last + 1):
            track = turn == last
            pick = picks[i] if track else turn
            copy_board(boards[i], after)
            if dealt.shape[1] > 0:
                put(after, dealt[i], choices[pick])
            jokers = any_joker(after, cards[i])
            for outcome in range(OUTCOMES):
                work.counts[outcome] = 0
            times = 6
            if kind == THREE_CARDS and not track:
                worth = sum_last_street(after, cards[i], cards.shape[1], jokers, pay, work)
            elif kind == THREE_CARDS:
                worth = last_street(after, cards[i], cards.shape[1], jokers, track, none, pay, work)
                for outcome in range(OUTCOMES):
                    worth -= outcome * work.counts[outcome] // times
            elif kind == TWICE_THREE_CARDS:
                worth = two_streets(after, cards[i], jokers, track, pay, work)
            else:
                times = 1
                if kind == SINGLE_CARDS:
                    load_board(after, work)
                    worth = single_cards(after, cards[i], none, depth, jokers, pay, work, scratch)
                    for outcome in range(OUTCOMES):
                        work.counts[outcome] = scratch[depth, 0, outcome]
                elif kind == ANY_STREET:
                    worth = any_street(after, cards[i], next_deal, next_choices, next_start, jokers, pay, work)
                else:
                    worth = finished(after, pay, work)
            if worth > worths[i]:
                worths[i], picks[i] = worth, pick
        for outcome in range(OUTCOMES):
            counts[i, outcome] = work.counts[outcome] // times
