"""The last street of Pineapple exactly: what a board with two open slots is worth over every draw of three cards.

With v[i][j] the best finish with cards i and j, a draw of three is worth the best of its three pairs. For each pair the
sum over the third card is one run along two rows of v, so the whole street is a few microseconds.
"""

from __future__ import annotations

import numpy as np

from ofclab.kernels.jit import kernel
from ofclab.kernels.judge import (
    FOUL,
    GRAIN,
    LOW,
    NEVER,
    OUTCOMES,
    PLAIN,
    WIDTH,
    WORST,
    bit_of,
    judge,
    load_board,
    read_finished,
    row_code,
    row_of_slot,
)
from ofclab.kernels.scoring import COPY_NONE, MAY_COPY, NO_LIMIT, put_in_order, read_as
from ofclab.kernels.tables import CARD

_HALF_NEVER = np.int32(NEVER >> 1)
_OUTCOME = GRAIN - 1
_FIELD, _FIELD_BITS = 8, 255


@kernel
def _list_singles(cards, n, first_row, second_row, low, work):
    """Codes of every row for each card: a full row as it is, an open one with the card."""
    words, singles = work.words, work.singles
    for row in range(3):
        if row == first_row or row == second_row:
            for i in range(n):
                singles[row, i] = row_code(row, np.uint32(words[row] + CARD[cards[i]]), low)
        else:
            code = row_code(row, words[row], low)
            for i in range(n):
                singles[row, i] = code


@kernel
def _list_pairs(cards, n, row_1, row_2, low, work):
    """Codes of every finish by pairs of cards in work.codes, both ways round where the open slots lie in two rows."""
    codes, singles, words = work.codes, work.singles, work.words
    half, k = n * (n - 1) >> 1, 0
    for i in range(n - 1):
        for j in range(i + 1, n):
            for row in range(3):
                codes[row, k] = singles[row, j if row == row_2 else i]
                codes[row, k + half] = singles[row, i if row == row_2 else j]
            if row_1 == row_2:
                word = np.uint32(np.uint32(words[row_1] + CARD[cards[i]]) + CARD[cards[j]])
                codes[row_1, k] = row_code(row_1, word, low)
            k += 1
    return half if row_1 == row_2 else 2 * half


@kernel
def _read_singles(cards, n, first_row, second_row, pay, work):
    """As `_list_singles` where jokers are about: the strongest reading of each row with each card."""
    words, jokers, masks, singles = work.words, work.jokers, work.masks, work.singles
    for row in range(3):
        is_open = row == first_row or row == second_row
        for i in range(n):
            if i > 0 and not is_open:
                singles[row, i] = singles[row, 0]
                continue
            word, wild, mask = words[row], jokers[row], masks[row]
            if is_open:
                word, mask = np.uint32(word + CARD[cards[i]]), mask | bit_of(cards[i])
                wild += cards[i] >= 52
            singles[row, i] = read_as(row, word, wild, mask, np.uint64(0), NO_LIMIT, pay.switches)


@kernel
def _read_pairs(cards, n, row_1, row_2, pay, work):
    """As `_list_pairs` where jokers are about that may copy cards of other rows: first the rows by themselves."""
    codes, singles, words, jokers, masks = work.codes, work.singles, work.words, work.jokers, work.masks
    switches, cross, none, low = pay.switches, pay.cross, np.uint64(0), pay.scalars[LOW] == 1
    on_board = jokers.sum() > 0
    half, k = n * (n - 1) >> 1, 0
    for i in range(n - 1):
        for j in range(i + 1, n):
            for turn in range(1 if row_1 == row_2 else 2):
                a, b = (j, i) if turn else (i, j)
                one, two, at = cards[a], cards[b], k + turn * half
                front = singles[0, b if row_2 == 0 else a]
                middle, back = singles[1, b if row_2 == 1 else a], singles[2, b if row_2 == 2 else a]
                if not on_board and one < 52 and two < 52:
                    codes[0, at], codes[1, at], codes[2, at] = front, middle, back
                    if row_1 == row_2:
                        word = np.uint32(np.uint32(words[row_1] + CARD[one]) + CARD[two])
                        codes[row_1, at] = row_code(row_1, word, low)
                    continue
                w0, w1, w2, j0, j1, j2 = words[0], words[1], words[2], jokers[0], jokers[1], jokers[2]
                m0, m1, m2 = masks[0], masks[1], masks[2]
                for placed in range(2):
                    card, row = (two, row_2) if placed else (one, row_1)
                    if row == 0:
                        w0, j0, m0 = np.uint32(w0 + CARD[card]), j0 + (card >= 52), m0 | bit_of(card)
                    elif row == 1:
                        w1, j1, m1 = np.uint32(w1 + CARD[card]), j1 + (card >= 52), m1 | bit_of(card)
                    else:
                        w2, j2, m2 = np.uint32(w2 + CARD[card]), j2 + (card >= 52), m2 | bit_of(card)
                if row_1 == row_2:
                    if row_1 == 0:
                        front = read_as(0, w0, j0, m0, none, NO_LIMIT, switches)
                    elif row_1 == 1:
                        middle = read_as(1, w1, j1, m1, none, NO_LIMIT, switches)
                    else:
                        back = read_as(2, w2, j2, m2, none, NO_LIMIT, switches)
                codes[0, at], codes[1, at], codes[2, at] = put_in_order(
                    front, middle, back, (w0, w1, w2), (j0, j1, j2), (m0, m1, m2), none, switches, cross
                )
            k += 1
    return half if row_1 == row_2 else 2 * half


@kernel
def _read_boards(cards, n, first, second, pay, work):
    """As `_list_pairs` where a joker may copy no card of the board, so that a reading hangs on all rows."""
    half, k = n * (n - 1) >> 1, 0
    turns = 1 if row_of_slot(first) == row_of_slot(second) else 2
    for i in range(n - 1):
        for j in range(i + 1, n):
            for turn in range(turns):
                work.board[0, first] = cards[j] if turn else cards[i]
                work.board[0, second] = cards[i] if turn else cards[j]
                read_finished(pay, work, k + turn * half)
            k += 1
    return turns * half


@kernel
def _fill_any(n, finishes, keep, pay, work):
    """Best finish of every pair from the codes in work.codes, whatever the payoff; `keep` masks the worths."""
    judge(work.codes, finishes, pay, work.worths)
    v, worths = work.v, work.worths
    half, k = n * (n - 1) >> 1, 0
    for i in range(n - 1):
        for j in range(i + 1, n):
            best = worths[k]
            if finishes > half and worths[k + half] > best:
                best = worths[k + half]
            v[i, j] = v[j, i] = np.int32(np.int32(best) & keep)
            k += 1


@kernel
def _fill_two_rows(n, row_1, row_2, keep, pay, work):
    """Best finish of every pair when two rows have one open slot each and rows are worth what they are by themselves.

    A row of pairs is one run: card i in the first open row and j in the second is legal where need[i] <= allow[j]; what
    is foul whatever the other card is worth NEVER already.
    """
    need, worth_1, allow, worth_2 = work.one[0], work.one[1], work.one[2], work.one[3]
    singles, rows, v = work.singles, pay.rows, work.v
    front_limit, middle_limit = rows[3], rows[4]
    low, worst, foul = pay.scalars[LOW] == 1, pay.scalars[WORST], np.int32(pay.scalars[FOUL])
    fixed = 3 - row_1 - row_2
    base = rows[fixed, singles[fixed, 0]]
    for i in range(n):
        f, m, b = singles[0, i], singles[1, i], singles[2, i]
        need[i], allow[i] = 0, 0
        worth_1[i], worth_2[i] = np.int32(rows[row_1, singles[row_1, i]] + base), rows[row_2, singles[row_2, i]]
        if fixed == 2:
            need[i] = f
            allow[i] = front_limit[b] if low else front_limit[m]
            if m < worst or m > middle_limit[b]:
                worth_2[i] = NEVER
        elif fixed == 1:
            need[i] = f if low else 0
            allow[i] = front_limit[b] if low else 0
            if m < worst or m > middle_limit[b]:
                worth_2[i] = NEVER
            if not low and f > front_limit[m]:
                worth_1[i] = NEVER
        else:
            need[i] = m
            allow[i] = middle_limit[b]
            if m < worst or (not low and f > front_limit[m]):
                worth_1[i] = NEVER
            if low and f > front_limit[b]:
                worth_2[i] = NEVER
    for i in range(n):
        need_i, worth_1i, allow_i, worth_2i = need[i], worth_1[i], allow[i], worth_2[i]
        for j in range(WIDTH):
            there = np.int32(worth_1i + worth_2[j])
            there = there if need_i <= allow[j] and there > _HALF_NEVER else foul
            back = np.int32(worth_1[j] + worth_2i)
            back = back if need[j] <= allow_i and back > _HALF_NEVER else foul
            v[i, j] = np.int32((there if there > back else back) & keep)


@kernel
def _fill_one_row(cards, n, row, keep, pay, work):
    """Best finish of every pair when one row has both open slots and rows are worth what they are by themselves."""
    rows, v, word = pay.rows, work.v, work.words[row]
    front_limit, middle_limit, row_worth = rows[3], rows[4], rows[row]
    low, worst, foul = pay.scalars[LOW] == 1, pay.scalars[WORST], np.int32(pay.scalars[FOUL])
    f, m, b = work.singles[0, 0], work.singles[1, 0], work.singles[2, 0]
    base = np.int32(0)
    for other in range(3):
        if other != row:
            base = np.int32(base + rows[other, work.singles[other, 0]])
    for i in range(n - 1):
        one = np.uint32(word + CARD[cards[i]])
        for j in range(i + 1, n):
            code = row_code(row, np.uint32(one + CARD[cards[j]]), low)
            if row == 0:
                f = code
            elif row == 1:
                m = code
            else:
                b = code
            legal = (m >= worst) & (m <= middle_limit[b]) & (f <= front_limit[b if low else m])
            v[i, j] = v[j, i] = np.int32(np.int32(base + row_worth[code]) & keep) if legal else foul


@kernel
def _fill_pairs(board, cards, n, jokers, track, pay, work):
    """work.v: worth of the best finish of a board with two open slots by pair of the first n `cards`.

    `jokers`: some are among the cards or on the board. The worths hold their outcomes only with `track`, so
    that sums without it compare by points alone. v[i, i] and columns from n on are NEVER.
    """
    keep = np.int32(-1) if track else np.int32(~_OUTCOME)
    first, second = load_board(board, work)
    row_1, row_2, low = row_of_slot(first), row_of_slot(second), pay.scalars[LOW] == 1
    if not jokers:
        _list_singles(cards, n, row_1, row_2, low, work)
        if pay.scalars[PLAIN] == 0:
            _fill_any(n, _list_pairs(cards, n, row_1, row_2, low, work), keep, pay, work)
        elif row_1 == row_2:
            _fill_one_row(cards, n, row_1, keep, pay, work)
        else:
            _fill_two_rows(n, row_1, row_2, keep, pay, work)
    elif pay.switches[MAY_COPY] == COPY_NONE:
        _fill_any(n, _read_boards(cards, n, first, second, pay, work), keep, pay, work)
    else:
        _read_singles(cards, n, row_1, row_2, pay, work)
        _fill_any(n, _read_pairs(cards, n, row_1, row_2, pay, work), keep, pay, work)
    v = work.v
    for i in range(n):
        v[i, i] = NEVER
        for j in range(n, WIDTH):
            v[i, j] = NEVER


@kernel
def _packed(worth):
    """An outcome as a one in its own byte, so that sums of up to 255 of them count."""
    return np.int64(1) << np.int64(_FIELD * (np.int64(worth) & _OUTCOME))


@kernel
def _unpack(sums, times, counts):
    """Add a sum of packed outcomes, so many times, to counts i64 (7,)."""
    for outcome in range(OUTCOMES):
        counts[outcome] += times * ((sums >> np.int64(_FIELD * outcome)) & _FIELD_BITS)


@kernel
def _third_cards(v, i, j):
    """Sum over a third card of the best of its three pairs, for the pair (i, j); NEVER pairs count as v[i, j]."""
    pair, total = v[i, j], np.int32(0)
    for third in range(WIDTH):
        best = v[i, third] if v[i, third] > v[j, third] else v[j, third]
        total = np.int32(total + (best if best > pair else pair))
    return total


@kernel
def _third_outcomes(v, i, j):
    """As `_third_cards`, the packed outcomes of the best pairs."""
    pair, total = v[i, j], np.int64(0)
    for third in range(WIDTH):
        best = v[i, third] if v[i, third] > v[j, third] else v[j, third]
        total += _packed(best if best > pair else pair)
    return total


@kernel
def sum_last_street(board, cards, n, jokers, pay, work):
    """The sum of `last_street` alone, in a fifth less time."""
    _fill_pairs(board, cards, n, jokers, False, pay, work)
    v, total, pairs = work.v, np.int64(0), np.int64(0)
    for i in range(n - 1):
        for j in range(i + 1, n):
            total += _third_cards(v, i, j)
            pairs += v[i, j]
    return (total - np.int64(WIDTH - n + 2) * pairs) // 3


@kernel
def last_street(board, cards, n, jokers, track, chosen, pay, work):
    """Sum of worths over all draws of three of the first n `cards` for a board with two open slots.

    work.by_card[i]: the part of the sum that holds card i. With `track` the worths hold their outcomes, and six times
    the outcomes are added to work.counts: those of all draws, or where the bit set `chosen` (uint64) names cards, for
    each of them those of the draws without it.
    """
    _fill_pairs(board, cards, n, jokers, track, pay, work)
    v, by_card = work.v, work.by_card
    void, one, size = np.int64(WIDTH - n + 2), np.uint64(1), np.int64(0)
    for i in range(n):
        by_card[i] = 0
        size += np.int64((chosen >> np.uint64(i)) & one)
    total = np.int64(0)
    for i in range(n - 1):
        mine = np.int64(0)
        for j in range(i + 1, n):
            both = _third_cards(v, i, j) - void * v[i, j]
            mine += both
            by_card[j] += both
        by_card[i] += mine
        total += mine
    for i in range(n):
        by_card[i] //= 2
    if track:
        for i in range(n - 1):
            with_i = np.int64((chosen >> np.uint64(i)) & one)
            for j in range(i + 1, n):
                held = with_i + np.int64((chosen >> np.uint64(j)) & one)
                times = 2 * size - 3 * held if size > 0 else 2
                _unpack(_third_outcomes(v, i, j) - void * _packed(v[i, j]), times, work.counts)
    return total // 3
