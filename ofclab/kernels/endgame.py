"""The last street of Pineapple exactly: what a board with two open slots is worth over every draw of three cards.

With v[i][j] the best finish with cards i and j, a draw of three is worth the best of its three pairs. For each pair the
sum over the third card is one run along two rows of v, so the whole street is a few microseconds.

Worths are whole numbers: `GRAIN` times points in fixed point, plus the outcome (0..6). Of equal points the greater
outcome is thus preferred, the same way wherever they meet; the outcome can be read off any worth, and once outcomes are
counted the points of a sum are exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels.jit import kernel
from ofclab.kernels.rowstate import high_code, low_code, natural_word
from ofclab.kernels.scoring import read_boards
from ofclab.kernels.tables import CARD

GRAIN = 8
"""Steps of worth in one unit of points; the outcome fills the gap."""
WIDTH = 48
"""Most unseen cards of an exact street."""
OUTCOMES = 7
"""0 foul, 1 legal without Fantasyland, 2.. an entry, by ascending number of cards."""
NEVER = -(1 << 29)
"""Worth of what cannot be."""

_HALF_NEVER = np.int32(NEVER >> 1)
_OUTCOME = GRAIN - 1
_FIELD, _FIELD_BITS = 8, 255


class Payoff(NamedTuple):
    """What row codes are worth to the player who decides; tables are indexed by row code (N long).

    ``rows`` i32 (5, N): worth of a front, a middle, a back on a legal board (the Fantasyland of the front included), the
    greatest front legal before a row (the middle, or the back where the middle is a low), the greatest middle legal
    before a back. ``scalars`` i64 (8,): at the positions below. ``extra`` i32 (N,): what a front is worth beyond that
    beside the low that earns Fantasyland by itself.

    Unless PLAIN, ``masks`` u64 (opponents, 6, N) tell in which of up to 64 samples of an opponent's board a front, a
    middle, a back wins, then loses. Where only the winner of a pair collects (SHARE > 0), ``royalty`` i32 (3, N) are own
    points and ``planes`` u64 (opponents, 8) the binary digits of theirs by sample.
    """

    rows: NDArray[np.int32]
    scalars: NDArray[np.int64]
    extra: NDArray[np.int32]
    masks: NDArray[np.uint64]
    royalty: NDArray[np.int32]
    planes: NDArray[np.uint64]
    switches: NDArray[np.int64]
    cross: NDArray[np.uint16]


(
    FOUL,  # worth of a foul
    LOW,  # 1: the middle is a 2-7 low
    WORST,  # least code of a legal middle
    WHEEL,  # code of the low that earns Fantasyland, -1: none
    PLAIN,  # 1: rows are worth what they are by themselves
    SWEEP,  # worth of each sample with three rows won
    MAJORITY,  # worth of each sample with two or more rows won
    SHARE,  # worth of one royalty point in one sample, collected by the winner of the pair only
) = range(8)
N_SCALARS = 8


class Work(NamedTuple):
    """Buffers: best finishes by pair, codes to judge and their worths, single-card rows, one board."""

    v: NDArray[np.int32]
    codes: NDArray[np.uint16]
    worths: NDArray[np.int64]
    one: NDArray[np.int32]
    singles: NDArray[np.uint16]
    words: NDArray[np.uint32]
    board: NDArray[np.uint8]
    read: NDArray[np.uint16]
    by_card: NDArray[np.int64]
    counts: NDArray[np.int64]


def make_work() -> Work:
    """Fresh buffers; one set a thread."""
    most = WIDTH * (WIDTH - 1)
    return Work(
        np.full((WIDTH, WIDTH), NEVER, np.int32), np.zeros((3, most), np.uint16), np.zeros(most, np.int64),
        np.zeros((4, WIDTH), np.int32), np.zeros((3, WIDTH), np.uint16), np.zeros(3, np.uint32),
        np.zeros((1, 13), np.uint8), np.zeros((1, 3), np.uint16),
        np.zeros(WIDTH, np.int64), np.zeros(OUTCOMES, np.int64),
    )  # fmt: skip


@kernel
def _ones(bits):
    """Number of ones of a uint64."""
    bits = np.uint64(bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555)))
    bits = np.uint64(
        (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    )
    bits = np.uint64((bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F))
    return np.int64(np.uint64(bits * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def _judge_together(codes, n, pay, worths):
    """Add to legal boards what their rows are worth together: sweeps, majorities, royalties of the pair's winner."""
    masks, planes, royalty, extra = pay.masks, pay.planes, pay.royalty, pay.extra
    wheel, sweep, majority, share = pay.scalars[WHEEL], pay.scalars[SWEEP], pay.scalars[MAJORITY], pay.scalars[SHARE]
    for k in range(n):
        if worths[k] & _OUTCOME == 0:
            continue
        front, middle, back = codes[0, k], codes[1, k], codes[2, k]
        worth = np.int64(extra[front]) if middle == wheel else np.int64(0)
        for i in range(masks.shape[0]):
            f, m, b = masks[i, 0, front], masks[i, 1, middle], masks[i, 2, back]
            x, y, z = masks[i, 3, front], masks[i, 4, middle], masks[i, 5, back]
            worth += sweep * (_ones(f & m & b) - _ones(x & y & z))
            if majority or share:
                won_two, lost_two = (f & m) | (f & b) | (m & b), (x & y) | (x & z) | (y & z)
                worth += majority * (_ones(won_two) - _ones(lost_two))
                if share:
                    any_won, any_lost = f | m | b, x | y | z
                    ahead, behind = won_two | (any_won & ~any_lost), lost_two | (any_lost & ~any_won)
                    own = np.int64(royalty[0, front]) + royalty[1, middle] + royalty[2, back]
                    worth += share * own * _ones(ahead)
                    for digit in range(planes.shape[1]):
                        worth -= share * (_ones(behind & planes[i, digit]) << digit)
        worths[k] += worth


@kernel
def judge(codes, n, pay, worths):
    """Worths of n finished boards by their row codes u16 (3, n or more)."""
    front_worth, middle_worth, back_worth = pay.rows[0], pay.rows[1], pay.rows[2]
    front_limit, middle_limit = pay.rows[3], pay.rows[4]
    foul, low, worst = pay.scalars[FOUL], pay.scalars[LOW] == 1, pay.scalars[WORST]
    fronts, middles, backs = codes[0], codes[1], codes[2]
    for k in range(n):
        front, middle, back = fronts[k], middles[k], backs[k]
        behind = back if low else middle
        legal = (middle >= worst) & (middle <= middle_limit[back]) & (front <= front_limit[behind])
        worth = np.int64(front_worth[front]) + middle_worth[middle] + back_worth[back]
        worths[k] = worth if legal else foul
    if pay.scalars[PLAIN] == 0:
        _judge_together(codes, n, pay, worths)


@kernel
def outcome_of(worth):
    """Outcome (0..6) that a worth holds."""
    return np.int64(worth) & _OUTCOME


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
def row_code(row, word, low):
    """Code of a complete row of natural cards from its word."""
    return low_code(word) if low and row == 1 else high_code(word)


@kernel
def row_of_slot(slot):
    """Row of a slot: 0-2 front, 3-7 middle, 8-12 back."""
    return 0 if slot < 3 else 1 if slot < 8 else 2


@kernel
def has_joker(cards):
    """Tell whether a joker is among card ids (255 = none)."""
    found = False
    for i in range(cards.shape[0]):
        found |= cards[i] == 52 or cards[i] == 53
    return found


@kernel
def read_finished(pay, work, k):
    """Take the codes of the complete board in work.board, jokers read as the rules say, to column k of work.codes."""
    read_boards(work.board, pay.switches, pay.cross, work.read)
    for row in range(3):
        work.codes[row, k] = work.read[0, row]


@kernel
def load_board(board, work):
    """Take a board to work.board and its row words to work.words; returns its first two open slots (-1: none)."""
    first, second = -1, -1
    for row in range(3):
        start, stop = (0, 3) if row == 0 else (3, 8) if row == 1 else (8, 13)
        work.words[row] = natural_word(board, start, stop)[0]
        for slot in range(start, stop):
            work.board[0, slot] = board[slot]
            if board[slot] == 255:
                if first < 0:
                    first = slot
                elif second < 0:
                    second = slot
    return first, second


@kernel
def _list_singles(cards, n, first_row, second_row, low, work):
    """Codes of every row for each card: a full row as it is, an open one with the card."""
    words, singles = work.words, work.singles
    for row in range(3):
        if row == first_row or row == second_row:
            for i in range(n):
                if cards[i] < 52:
                    singles[row, i] = row_code(row, np.uint32(words[row] + CARD[cards[i]]), low)
        else:
            singles[row, :n] = row_code(row, words[row], low)


@kernel
def _list_pairs(cards, n, first, second, jokers, low, pay, work):
    """Codes of every finish by pairs of cards in work.codes, both ways round where the open slots lie in two rows."""
    row_1, row_2 = row_of_slot(first), row_of_slot(second)
    codes, singles, words, board = work.codes, work.singles, work.words, work.board
    half, k = n * (n - 1) >> 1, 0
    for i in range(n - 1):
        for j in range(i + 1, n):
            natural = jokers == 0 or (jokers == 1 and cards[i] < 52 and cards[j] < 52)
            if natural:
                for row in range(3):
                    codes[row, k] = singles[row, j if row == row_2 else i]
                    codes[row, k + half] = singles[row, i if row == row_2 else j]
                if row_1 == row_2:
                    word = np.uint32(np.uint32(words[row_1] + CARD[cards[i]]) + CARD[cards[j]])
                    codes[row_1, k] = row_code(row_1, word, low)
            else:
                board[0, first], board[0, second] = cards[i], cards[j]
                read_finished(pay, work, k)
                if row_1 != row_2:
                    board[0, first], board[0, second] = cards[j], cards[i]
                    read_finished(pay, work, k + half)
            k += 1
    return half if row_1 == row_2 else 2 * half


@kernel
def _fill_any(n, finishes, pay, work):
    """Best finish of every pair from the codes in work.codes, whatever the payoff."""
    judge(work.codes, finishes, pay, work.worths)
    v, worths = work.v, work.worths
    half, k = n * (n - 1) >> 1, 0
    for i in range(n - 1):
        for j in range(i + 1, n):
            best = worths[k]
            if finishes > half and worths[k + half] > best:
                best = worths[k + half]
            v[i, j] = v[j, i] = np.int32(best)
            k += 1


@kernel
def _fill_two_rows(n, row_1, row_2, pay, work):
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
            v[i, j] = there if there > back else back


@kernel
def _fill_one_row(cards, n, row, pay, work):
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
            v[i, j] = v[j, i] = np.int32(base + row_worth[code]) if legal else foul


@kernel
def _fill_pairs(board, cards, n, jokers, pay, work):
    """work.v: worth of the best finish of a board with two open slots by pair of the first n `cards`.

    `jokers`: 0 none anywhere, 1 among the cards, 2 on the board. v[i, i] and columns from n on are NEVER.
    """
    first, second = load_board(board, work)
    row_1, row_2, low = row_of_slot(first), row_of_slot(second), pay.scalars[LOW] == 1
    if jokers < 2:
        _list_singles(cards, n, row_1, row_2, low, work)
    if jokers == 0 and pay.scalars[PLAIN] == 1:
        if row_1 == row_2:
            _fill_one_row(cards, n, row_1, pay, work)
        else:
            _fill_two_rows(n, row_1, row_2, pay, work)
    else:
        finishes = _list_pairs(cards, n, first, second, jokers, low, pay, work)
        _fill_any(n, finishes, pay, work)
    v = work.v
    for i in range(n):
        v[i, i] = NEVER
        for j in range(n, WIDTH):
            v[i, j] = NEVER


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
def last_street(board, cards, n, jokers, track, chosen, pay, work):
    """Sum of worths over all draws of three of the first n `cards` for a board with two open slots.

    work.by_card[i]: the part of the sum that holds card i. With `track` six times the outcomes are added to work.counts:
    those of all draws, or where the bit set `chosen` (uint64) names cards, for each of them those of the draws without it.
    """
    _fill_pairs(board, cards, n, jokers, pay, work)
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
