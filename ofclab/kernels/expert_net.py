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
SCREENED_OUT = np.float32(-1e8)
_LEAK = np.float32(0.05)
_LAST_PLAIN = 32
"""From the eighth on, so much further back stand the plain numbers across rows."""
_AS_IT_STANDS = np.zeros((1, 3), np.uint8)
"""The sets of the one placement that puts no cards anywhere."""
_FIRST_ROW_SLOT = np.array([0, 3, 8, 13], np.int64)


class Nets(NamedTuple):
    """Nets of streets 1, 2, ...: w1 f32 (S, 183, A), b1 (S, A), w2 (S, A, B), b2 (S, B), w3 (S, B), b3 (S,), foul (S,),
    screen (S, 183).

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
    """Buffers of one thread; numbers, first-layer parts, facts and marks are by row and set of dealt cards.

    ``worst_low`` i64 (1,): least code of a legal middle that is a 2-7 low, -1 where the middle is high.
    """

    x: NDArray[np.float32]
    parts: NDArray[np.float32]
    facts: NDArray[np.int64]
    screened: NDArray[np.float32]
    wanted: NDArray[np.bool_]
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
        np.zeros(10, np.uint8), np.zeros(14, np.int64), np.zeros(4, np.int64),
        np.zeros(SHARED, f32), np.zeros(a, f32), np.zeros(a, f32), np.zeros(b, f32),
        np.zeros(6, f32), np.array([worst_low]),
    )  # fmt: skip


@kernel
def look_at(unseen, n, s):
    """Take in what is unseen: the first step for a spot."""
    count_live(unseen, n, s.live, s.suit_live)
    shared_inputs(n, s.live, s.shared)


@kernel
def _row_cards(board, dealt, row, chosen, cards):
    """List the cards of a row and those of a set of dealt cards (bits); returns how many."""
    size = 0
    for slot in range(_FIRST_ROW_SLOT[row], _FIRST_ROW_SLOT[row + 1]):
        if board[slot] != 255:
            cards[size] = board[slot]
            size += 1
    for j in range(dealt.shape[0]):
        if (chosen >> j) & 1:
            cards[size] = dealt[j]
            size += 1
    return size


@kernel
def _look_at_rows(board, dealt, sets, first, last, chances, s):
    """Numbers and facts of each row with every set of dealt cards that one of the placements puts there."""
    cards, live, suit_live, hits, x, facts, wanted = s.cards, s.live, s.suit_live, s.hits, s.x, s.facts, s.wanted
    low = s.worst_low[0] >= 0
    for row in range(3):
        for chosen in range(_SETS):
            wanted[row, chosen] = False
        for pick in range(first, last):
            wanted[row, sets[pick, row]] = True
        for chosen in range(_SETS):
            if not wanted[row, chosen]:
                continue
            size = _row_cards(board, dealt, row, chosen, cards)
            if row == 0:
                front_inputs(cards, size, live, chances, x[0, chosen], facts[0, chosen])
            elif row == 1 and low:
                low_inputs(cards, size, live, chances, hits, x[1, chosen], facts[1, chosen])
            else:
                five_inputs(cards, size, live, suit_live, chances, x[row, chosen], facts[row, chosen])


@kernel
def _look_across(front, middle, back, s):
    """The numbers across rows, whatever the middle is."""
    if s.worst_low[0] >= 0:
        return cross_inputs_of_low(s.facts, front, middle, back, s.worst_low[0])
    return cross_inputs(s.facts, front, middle, back)


@kernel
def _dot(x, y, n):
    """Sum of products of the first n numbers: four sums side by side, which is as many times as fast."""
    one, two, three, four = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
    whole = n - n % 4
    for i in range(0, whole, 4):
        one += x[i] * y[i]
        two += x[i + 1] * y[i + 1]
        three += x[i + 2] * y[i + 2]
        four += x[i + 3] * y[i + 3]
    for i in range(whole, n):
        one += x[i] * y[i]
    return np.float32((one + two) + (three + four))


@kernel
def _leak(x):
    """Turn numbers below zero down; written as a choice, so that it runs in vectors."""
    for h in range(x.shape[0]):
        x[h] = x[h] if x[h] > np.float32(0) else _LEAK * x[h]


@kernel
def _screen_rows(screen, x, wanted, screened):
    """The screening part of each row with each set of dealt cards that is wanted."""
    for row in range(3):
        first = FIRST_INPUT[row]
        for chosen in range(_SETS):
            if wanted[row, chosen]:
                n = FRONT_INPUTS if row == 0 else ROW_INPUTS
                screened[row, chosen] = _dot(x[row, chosen], screen[first : first + n], n)


@kernel
def _sum_row(row, x, w1, part):
    """The first-layer part of a row from its numbers."""
    for h in range(part.shape[0]):
        part[h] = np.float32(0)
    first = FIRST_INPUT[row]
    for i in range(FRONT_INPUTS if row == 0 else ROW_INPUTS):
        by = x[i]
        if by != np.float32(0):
            for h in range(part.shape[0]):
                part[h] += by * w1[first + i, h]


@kernel
def _layers(w2, b2, w3, b3, first, second):
    """The layers behind the first; `first` and `second` are written over."""
    _leak(first)
    for k in range(second.shape[0]):
        second[k] = b2[k]
    # Four inputs at a time: the sums are read and written a quarter as often. Widths are multiples of four.
    for h in range(0, first.shape[0], 4):
        one, two, three, four = first[h], first[h + 1], first[h + 2], first[h + 3]
        for k in range(second.shape[0]):
            second[k] += (one * w2[h, k] + two * w2[h + 1, k]) + (three * w2[h + 2, k] + four * w2[h + 3, k])
    _leak(second)
    return np.float32(b3 + _dot(second, w3, second.shape[0]))


@kernel
def to_value(n):
    """How many of n placements the fast level values: all of a few, the best 16 or 24 by a linear sum of more.

    In 600 decisions a street that cost .003 points on the first with three seats or one-card play, .0005 heads-up in
    Pineapple, and nothing to speak of later.
    """
    return n if n <= 24 else 16 if n <= 48 else 24


@kernel
def _least_screened(sets, first, last, most, screen, s, values):
    """Screen placements by a linear sum; returns the least of so many that are to be valued."""
    screened, across = s.screened, screen[FIRST_CROSS:]
    _screen_rows(screen, s.x, s.wanted, screened)
    for pick in range(first, last):
        front, middle, back = sets[pick, 0], sets[pick, 1], sets[pick, 2]
        plain, one, other = _look_across(front, middle, back, s)
        rows = screened[0, front] + screened[1, middle] + screened[2, back]
        # Sums side by side: a single one would wait for each addition.
        near = (plain[0] * across[0] + plain[1] * across[1]) + (plain[2] * across[2] + plain[3] * across[3])
        far = (plain[4] * across[4] + plain[5] * across[5]) + (plain[6] * across[6] + plain[7] * across[7])
        gaps = plain[8] * across[40] + plain[9] * across[41] + plain[10] * across[42]
        values[pick - first] = (rows + (across[one] + across[other])) + ((near + far) + gaps)
    kth = last - first - most
    return np.partition(values[: last - first], kth)[kth]


@kernel
def value_placements(board, dealt, sets, first, last, most, street, chances, nets, s, values):
    """Points of placements first..last by the net of a street, values f32 (last - first,).

    `sets` u8 (N, 3): which dealt cards a placement puts to front, middle and back, as bits. Of more than `most`
    placements those that a linear sum thinks little of are SCREENED_OUT. `look_at` comes before; `chances` f32 (17, 6):
    hyp of the spot.
    """
    w1, b1, w2, b2 = nets.w1[street - 1], nets.b1[street - 1], nets.w2[street - 1], nets.b2[street - 1]
    w3, b3, foul, screen = nets.w3[street - 1], nets.b3[street - 1], nets.foul[street - 1], nets.screen[street - 1]
    base, hidden, second, parts, summed, x = s.base, s.first, s.second, s.parts, s.summed, s.x
    _look_at_rows(board, dealt, sets, first, last, chances, s)
    for row in range(3):
        for chosen in range(_SETS):
            summed[row, chosen] = False
    for h in range(base.shape[0]):
        base[h] = b1[h]
    for i in range(SHARED):
        by = s.shared[i]
        for h in range(base.shape[0]):
            base[h] += by * w1[i, h]
    least, many = np.float32(-np.inf), last - first > most
    if many:
        least = _least_screened(sets, first, last, most, screen, s, values)
    for pick in range(first, last):
        if many and values[pick - first] < least:
            values[pick - first] = SCREENED_OUT
            continue
        front, middle, back = sets[pick, 0], sets[pick, 1], sets[pick, 2]
        plain, one, other = _look_across(front, middle, back, s)
        if plain[6] + plain[7] > np.float32(0):
            values[pick - first] = foul
            continue
        for row in range(3):
            chosen = sets[pick, row]
            if not summed[row, chosen]:
                summed[row, chosen] = True
                _sum_row(row, x[row, chosen], w1, parts[row, chosen])
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
    """All 183 numbers of a board as it stands, f32 (183,); tells whether it can only foul."""
    look_at(unseen, n, s)
    for i in range(INPUTS):
        x[i] = np.float32(0)
    for i in range(SHARED):
        x[i] = s.shared[i]
    _look_at_rows(board, board[:0], _AS_IT_STANDS, 0, 1, chances, s)
    for row in range(3):
        for i in range(FRONT_INPUTS if row == 0 else ROW_INPUTS):
            x[FIRST_INPUT[row] + i] = s.x[row, 0, i]
    plain, one, other = _look_across(0, 0, 0, s)
    for i in range(11):
        x[FIRST_CROSS + (i if i < 8 else _LAST_PLAIN + i)] = plain[i]
    x[FIRST_CROSS + one], x[FIRST_CROSS + other] = np.float32(1), np.float32(1)
    return plain[6] + plain[7] > np.float32(0)
