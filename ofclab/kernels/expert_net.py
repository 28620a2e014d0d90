"""Expert's nets on all placements of a spot at once.

The first layer is a sum over rows, so each row's part is worked out once for every set of dealt cards that a placement
puts there; a placement then costs three additions of vectors, a dozen numbers across rows, and the small layers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels.expert_features import (
    FIRST_CROSS,
    FIRST_INPUT,
    FRONT_INPUTS,
    INPUTS,
    N_FACTS,
    ROW_INPUTS,
    SHARED,
    count_live,
    cross_inputs,
    cross_inputs_of_low,
    five_inputs,
    front_inputs,
    low_inputs,
    shared_inputs,
)
from ofclab.kernels.jit import kernel

_MOST_DEALT = 5
_SETS = 1 << _MOST_DEALT
SCREENED, _MANY = 40, 64
SCREENED_OUT = np.float32(-1e8)
_LEAK = np.float32(0.05)
_LAST_PLAIN = 32
"""From the eighth on, so much further back stand the plain numbers across rows."""
_FIRST_ROW_SLOT = np.array([0, 3, 8, 13], np.int64)


class Nets(NamedTuple):
    """Nets of streets 1, 2, ...: w1 f32 (S, 179, A), b1 (S, A), w2 (S, A, B), b2 (S, B), w3 (S, B), b3 (S,), foul (S,),
    screen (S, 179).

    Inputs are not standardised: the weights have taken that in. The answer is in points; ``foul`` is that of a board
    that can only foul. ``screen``: the inputs' weights in a linear sum by which many placements are screened.
    """

    w1: NDArray[np.float32]
    b1: NDArray[np.float32]
    w2: NDArray[np.float32]
    b2: NDArray[np.float32]
    w3: NDArray[np.float32]
    b3: NDArray[np.float32]
    foul: NDArray[np.float32]
    screen: NDArray[np.float32]


class Scratch(NamedTuple):
    """Buffers of one thread; numbers, first-layer parts, facts and done marks are by row and set of dealt cards.

    ``worst_low`` i64 (1,): least code of a legal middle that is a 2-7 low, -1 where the middle is high.
    """

    x: NDArray[np.float32]
    parts: NDArray[np.float32]
    facts: NDArray[np.int64]
    screened: NDArray[np.float32]
    done: NDArray[np.bool_]
    summed: NDArray[np.bool_]
    cards: NDArray[np.uint8]
    live: NDArray[np.int64]
    suit_live: NDArray[np.int64]
    shared: NDArray[np.float32]
    base: NDArray[np.float32]
    first: NDArray[np.float32]
    second: NDArray[np.float32]
    hits: NDArray[np.float32]
    worst_low: NDArray[np.int64]


def make_scratch(nets: Nets, worst_low: int = -1) -> Scratch:
    """Fresh buffers for nets of this size; one set a thread."""
    a, b, f32 = nets.w1.shape[2], nets.w2.shape[2], np.float32
    return Scratch(
        np.zeros((3, _SETS, ROW_INPUTS), f32), np.zeros((3, _SETS, a), f32), np.zeros((3, _SETS, N_FACTS), np.int64),
        np.zeros((3, _SETS), f32), np.zeros((3, _SETS), np.bool_), np.zeros((3, _SETS), np.bool_),
        np.zeros(10, np.uint8), np.zeros(13, np.int64), np.zeros(4, np.int64),
        np.zeros(SHARED, f32), np.zeros(a, f32), np.zeros(a, f32), np.zeros(b, f32),
        np.zeros(6, f32), np.array([worst_low]),
    )  # fmt: skip


@kernel
def look_at(unseen, n, s):
    """Take in what is unseen: the first step for a spot."""
    count_live(unseen, n, s.live, s.suit_live)
    shared_inputs(n, s.live, s.shared)
    for row in range(3):
        for chosen in range(_SETS):
            s.done[row, chosen] = False
            s.summed[row, chosen] = False


@kernel
def row_facts(board, dealt, row, chosen, chances, s):
    """Numbers and facts of a row with the dealt cards of a set (bits), once for each set."""
    size, cards = 0, s.cards
    for slot in range(_FIRST_ROW_SLOT[row], _FIRST_ROW_SLOT[row + 1]):
        if board[slot] != 255:
            cards[size] = board[slot]
            size += 1
    for j in range(dealt.shape[0]):
        if (chosen >> j) & 1:
            cards[size] = dealt[j]
            size += 1
    if row == 0:
        front_inputs(cards, size, s.live, chances, s.x[0, chosen], s.facts[0, chosen])
    elif row == 1 and s.worst_low[0] >= 0:
        low_inputs(cards, size, s.live, chances, s.hits, s.x[row, chosen], s.facts[row, chosen])
    else:
        five_inputs(cards, size, s.live, s.suit_live, chances, s.x[row, chosen], s.facts[row, chosen])


@kernel
def _look_across(front, middle, back, s):
    """The numbers across rows, whatever the middle is."""
    if s.worst_low[0] >= 0:
        return cross_inputs_of_low(s.facts, front, middle, back, s.worst_low[0])
    return cross_inputs(s.facts, front, middle, back)


@kernel
def _look_at_rows(board, dealt, front, middle, back, screen, chances, s):
    """Numbers, facts and screening part of each row with its set of dealt cards, where not there yet."""
    for row in range(3):
        chosen = front if row == 0 else middle if row == 1 else back
        if not s.done[row, chosen]:
            s.done[row, chosen] = True
            row_facts(board, dealt, row, chosen, chances, s)
            first, part = FIRST_INPUT[row], np.float32(0)
            for i in range(FRONT_INPUTS if row == 0 else ROW_INPUTS):
                part += s.x[row, chosen, i] * screen[first + i]
            s.screened[row, chosen] = part


@kernel
def _sum_rows(front, middle, back, w1, s):
    """The first-layer part of each row with its set of dealt cards, where not there yet."""
    parts, x = s.parts, s.x
    for row in range(3):
        chosen = front if row == 0 else middle if row == 1 else back
        if not s.summed[row, chosen]:
            s.summed[row, chosen] = True
            for h in range(parts.shape[2]):
                parts[row, chosen, h] = np.float32(0)
            first = FIRST_INPUT[row]
            for i in range(FRONT_INPUTS if row == 0 else ROW_INPUTS):
                by = x[row, chosen, i]
                if by != np.float32(0):
                    for h in range(parts.shape[2]):
                        parts[row, chosen, h] += by * w1[first + i, h]


@kernel
def _layers(w2, b2, w3, b3, first, second):
    """The layers behind the first."""
    for k in range(second.shape[0]):
        second[k] = b2[k]
    # Four inputs at a time: the sums are read and written a quarter as often. Widths are multiples of four.
    for h in range(0, first.shape[0], 4):
        one, two = max(first[h], _LEAK * first[h]), max(first[h + 1], _LEAK * first[h + 1])
        three, four = max(first[h + 2], _LEAK * first[h + 2]), max(first[h + 3], _LEAK * first[h + 3])
        for k in range(second.shape[0]):
            second[k] += (one * w2[h, k] + two * w2[h + 1, k]) + (three * w2[h + 2, k] + four * w2[h + 3, k])
    total = b3
    for k in range(second.shape[0]):
        total = np.float32(total + max(second[k], _LEAK * second[k]) * w3[k])
    return total


@kernel
def _least_screened(board, dealt, sets, first, last, screen, chances, s, values):
    """Screen placements by a linear sum; returns the least of those that are to be valued."""
    screened, done, across = s.screened, s.done, screen[FIRST_CROSS:]
    for pick in range(first, last):
        front, middle, back = sets[pick, 0], sets[pick, 1], sets[pick, 2]
        if not (done[0, front] and done[1, middle] and done[2, back]):
            _look_at_rows(board, dealt, front, middle, back, screen, chances, s)
        plain, one, other = _look_across(front, middle, back, s)
        total = screened[0, front] + screened[1, middle] + screened[2, back] + across[one] + across[other]
        for i in range(8):
            total += plain[i] * across[i]
        for i in range(8, 11):
            total += plain[i] * across[_LAST_PLAIN + i]
        values[pick - first] = total
    kth = last - first - SCREENED
    return np.partition(values[: last - first], kth)[kth]


@kernel
def value_placements(board, dealt, sets, first, last, street, chances, nets, s, values):
    """Points of placements first..last by the net of a street, values f32 (last - first,).

    `sets` u8 (N, 3): which dealt cards a placement puts to front, middle and back, as bits. Of more than 64 placements
    only the best 40 by a linear sum are valued; the others are SCREENED_OUT. `look_at` comes before; `chances` f32
    (17, 6): hyp of the spot.
    """
    w1, b1, w2, b2 = nets.w1[street - 1], nets.b1[street - 1], nets.w2[street - 1], nets.b2[street - 1]
    w3, b3, foul, screen = nets.w3[street - 1], nets.b3[street - 1], nets.foul[street - 1], nets.screen[street - 1]
    base, hidden, second, parts, done, summed = s.base, s.first, s.second, s.parts, s.done, s.summed
    for h in range(base.shape[0]):
        base[h] = b1[h]
    for i in range(SHARED):
        by = s.shared[i]
        for h in range(base.shape[0]):
            base[h] += by * w1[i, h]
    least, many = np.float32(-np.inf), last - first > _MANY
    if many:
        least = _least_screened(board, dealt, sets, first, last, screen, chances, s, values)
    for pick in range(first, last):
        if many and values[pick - first] < least:
            values[pick - first] = SCREENED_OUT
            continue
        front, middle, back = sets[pick, 0], sets[pick, 1], sets[pick, 2]
        # Asked here, because a call hands over every buffer.
        if not (done[0, front] and done[1, middle] and done[2, back]):
            _look_at_rows(board, dealt, front, middle, back, screen, chances, s)
        if not (summed[0, front] and summed[1, middle] and summed[2, back]):
            _sum_rows(front, middle, back, w1, s)
        plain, one, other = _look_across(front, middle, back, s)
        if plain[6] + plain[7] > np.float32(0):
            values[pick - first] = foul
            continue
        one, other = one + FIRST_CROSS, other + FIRST_CROSS
        for h in range(hidden.shape[0]):
            rows = parts[0, front, h] + parts[1, middle, h] + parts[2, back, h]
            hidden[h] = base[h] + rows + w1[one, h] + w1[other, h]
        for i in range(11):
            by, place = plain[i], FIRST_CROSS + (i if i < 8 else _LAST_PLAIN + i)
            if by != np.float32(0):
                for h in range(hidden.shape[0]):
                    hidden[h] += by * w1[place, h]
        values[pick - first] = _layers(w2, b2, w3, b3, hidden, second)


@kernel
def all_inputs(board, unseen, n, chances, s, x):
    """All 179 numbers of a board as it stands, f32 (179,); tells whether it can only foul."""
    look_at(unseen, n, s)
    for i in range(INPUTS):
        x[i] = np.float32(0)
    for i in range(SHARED):
        x[i] = s.shared[i]
    for row in range(3):
        row_facts(board, board[:0], row, 0, chances, s)
        for i in range(FRONT_INPUTS if row == 0 else ROW_INPUTS):
            x[FIRST_INPUT[row] + i] = s.x[row, 0, i]
    plain, one, other = _look_across(0, 0, 0, s)
    for i in range(11):
        x[FIRST_CROSS + (i if i < 8 else _LAST_PLAIN + i)] = plain[i]
    x[FIRST_CROSS + one], x[FIRST_CROSS + other] = np.float32(1), np.float32(1)
    return plain[6] + plain[7] > np.float32(0)
