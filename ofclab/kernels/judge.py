"""What finished boards are worth to the player who decides, by their row codes.

Worths are whole numbers: `GRAIN` times points in fixed point, plus the outcome (0..6). Of finishes of equal points the
greater outcome is thus preferred, the same way wherever they meet. Sums over draws leave the outcomes out, so what is
decided before the last cards goes by points alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels.jit import kernel
from ofclab.kernels.rowstate import high_code, low_code, natural_word
from ofclab.kernels.scoring import read_boards

GRAIN = 8
"""Steps of worth in one unit of points; the outcome fills the gap."""
WIDTH = 48
"""Most unseen cards of an exact street."""
OUTCOMES = 7
"""0 foul, 1 legal without Fantasyland, 2.. an entry, by ascending number of cards."""
NEVER = -(1 << 29)
"""Worth of what cannot be."""

_OUTCOME = GRAIN - 1


class Payoff(NamedTuple):
    """What row codes are worth to the player who decides; tables are indexed by row code (N long).

    ``rows`` i32 (5, N): worth of a front, a middle, a back on a legal board (the Fantasyland of the front included),
    the greatest front legal before a row (the middle, or the back where the middle is a low), the greatest middle legal
    before a back. ``scalars`` i64 (8,): at the positions below. ``extra`` i32 (N,): what a front is worth beyond that
    beside the low that earns Fantasyland by itself.

    Unless PLAIN, ``masks`` u64 (opponents, 6, N) tell in which of up to 64 samples of an opponent's board a front, a
    middle, a back wins, then loses. Where only the winner of a pair collects (SHARE > 0), ``royalty`` i32 (3, N) are
    own points and ``planes`` u64 (opponents, digits) the binary digits of theirs by sample.
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
    """Buffers: best finishes by pair, codes to judge and their worths, single-card rows, one board with the words, the
    jokers and the natural cards (bits) of its rows.
    """

    v: NDArray[np.int32]
    codes: NDArray[np.uint16]
    worths: NDArray[np.int64]
    one: NDArray[np.int32]
    singles: NDArray[np.uint16]
    words: NDArray[np.uint32]
    jokers: NDArray[np.int64]
    masks: NDArray[np.uint64]
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
        np.zeros(3, np.int64), np.zeros(3, np.uint64),
        np.zeros((1, 13), np.uint8), np.zeros((1, 3), np.uint16),
        np.zeros(WIDTH, np.int64), np.zeros(OUTCOMES, np.int64),
    )  # fmt: skip


@kernel
def count_ones(bits):
    """Number of ones of a uint64."""
    bits = np.uint64(bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555)))
    bits = np.uint64((bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333)))
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
            worth += sweep * (count_ones(f & m & b) - count_ones(x & y & z))
            if majority or share:
                won_two, lost_two = (f & m) | (f & b) | (m & b), (x & y) | (x & z) | (y & z)
                worth += majority * (count_ones(won_two) - count_ones(lost_two))
                if share:
                    any_won, any_lost = f | m | b, x | y | z
                    ahead, behind = won_two | (any_won & ~any_lost), lost_two | (any_lost & ~any_won)
                    own = np.int64(royalty[0, front]) + royalty[1, middle] + royalty[2, back]
                    worth += share * own * count_ones(ahead)
                    for digit in range(planes.shape[1]):
                        worth -= share * (count_ones(behind & planes[i, digit]) << digit)
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
def points_of(worth):
    """A worth without its outcome."""
    return np.int64(worth) & ~np.int64(_OUTCOME)


@kernel
def outcome_of(worth):
    """Outcome (0..6) that a worth holds."""
    return np.int64(worth) & _OUTCOME


@kernel
def row_code(row, word, low):
    """Code of a complete row of natural cards from its word."""
    return low_code(word) if low and row == 1 else high_code(word)


@kernel
def bit_of(card):
    """The bit of a natural card; none of a joker."""
    return np.uint64(1) << np.uint64(card) if card < 52 else np.uint64(0)


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
    """Take a board and its rows to `work`; returns its first two open slots (-1: none)."""
    first, second = -1, -1
    for row in range(3):
        start, stop = (0, 3) if row == 0 else (3, 8) if row == 1 else (8, 13)
        work.words[row], work.jokers[row], work.masks[row] = natural_word(board, start, stop)
        for slot in range(start, stop):
            work.board[0, slot] = board[slot]
            if board[slot] == 255:
                if first < 0:
                    first = slot
                elif second < 0:
                    second = slot
    return first, second
