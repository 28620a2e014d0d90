"""Placements of the rule-of-thumb strategies for whole batches of spots.

`choices` u8 (N, k) lists the legal placements by open slots, `start` i64 (145,) where each state's list begins; see
`ofclab.strategies.base.placement_table`.
"""

from __future__ import annotations

import numpy as np

from ofclab.kernels import rng
from ofclab.kernels.jit import kernel
from ofclab.kernels.placement import DISCARD, FIRST_SLOT, ROW_SIZE
from ofclab.kernels.rowstate import low_code, natural_word, partial_code
from ofclab.kernels.scoring import LOW_MIDDLE, LOW_WORST, is_foul, next_cards, read_boards
from ofclab.kernels.tables import CARD, HIGH_CARD, LOW_CODES, PARTIAL_CATEGORY

_BUST = -1000.0
_RANK_BITS = np.uint32((1 << 20) - 1)
WORST_BY_RANK = np.zeros(13, np.int64)
"""Least low code whose highest card has each rank; a low of that rank or better has at least this code."""
for _strength, _code in sorted(LOW_CODES.items(), reverse=True):
    if _strength[0] == -HIGH_CARD:
        WORST_BY_RANK[-_strength[1] - 1] = _code


@kernel
def state_of(counts):
    """Index of a board's open slots in the table of placements."""
    return (3 - np.int64(counts[0])) * 36 + (5 - np.int64(counts[1])) * 6 + (5 - np.int64(counts[2]))


@kernel
def random_legal(keys, counts, choices, start, out):
    """A uniform legal placement for each spot."""
    for i in range(keys.shape[0]):
        state = state_of(counts[i])
        pick = start[state] + rng.below(keys[i], 0, start[state + 1] - start[state])
        for j in range(out.shape[1]):
            out[i, j] = choices[pick, j]


@kernel
def cutoff_rows(dealt, counts, choices, start, front_max, middle_max, out):
    """The placement of least cost: cards want the front up to some pips, the middle up to more, else the back."""
    for i in range(dealt.shape[0]):
        state = state_of(counts[i])
        best, least = start[state], np.inf
        for pick in range(start[state], start[state + 1]):
            cost = 0.0
            for j in range(dealt.shape[1]):
                pips = 2 + (dealt[i, j] >> 2)
                row = np.int64(choices[pick, j])
                if row == DISCARD:
                    cost += 10.0 * pips
                    continue
                wanted = 0 if pips <= front_max else 1 if pips <= middle_max else 2
                cost += (row - wanted) if row >= wanted else 1.5 * (wanted - row)
            if cost < least:
                best, least = pick, cost
        for j in range(out.shape[1]):
            out[i, j] = choices[best, j]


@kernel
def _row_so_far(word, jokers):
    """Code of a row so far; a joker counts as the rank that makes the most of the row."""
    best = partial_code(word) if jokers == 0 else np.uint16(0)
    if jokers > 0:
        for first in range(13):
            one = np.uint32(word + (CARD[4 * first] & _RANK_BITS))
            if jokers == 1:
                best = max(best, partial_code(one))
            else:
                for second in range(13):
                    best = max(best, partial_code(np.uint32(one + (CARD[4 * second] & _RANK_BITS))))
    return best


@kernel
def _value_so_far(board, switches, class_points, slot_points):
    """Value of an unfinished board: class points plus a little for open slots; a broken order is a bust."""
    low = switches[LOW_MIDDLE] == 1
    value, ahead = 0.0, np.uint16(0)
    for row in range(3):
        word, jokers, mask = natural_word(board, FIRST_SLOT[row], FIRST_SLOT[row] + ROW_SIZE[row])
        filled = 0
        for slot in range(FIRST_SLOT[row], FIRST_SLOT[row] + ROW_SIZE[row]):
            filled += board[slot] != 255
        value += slot_points * (ROW_SIZE[row] - filled) ** 0.3
        if low and row == 1:
            if _low_is_dead(word, jokers, mask, filled, switches[LOW_WORST]):
                return _BUST
            continue
        code = _row_so_far(word, jokers)
        if code < ahead:
            return _BUST
        ahead = code
        value += class_points[PARTIAL_CATEGORY[code]]
    return value


@kernel
def _low_is_dead(word, jokers, mask, filled, worst):
    """Tell whether a middle so far cannot become a qualifying low: a pair, too high a card, five cards that miss it."""
    if worst == 0:
        return False
    if filled == 5 and jokers == 0:
        return low_code(word) < worst
    highest = 0
    for rank in range(13):
        cards = (mask >> np.uint64(4 * rank)) & np.uint64(15)
        if cards:
            highest = rank
            if cards & np.uint64(cards - np.uint64(1)):
                return True
    return highest > _worst_rank(worst)


@kernel
def _worst_rank(worst):
    """Highest rank a qualifying low may hold, from the least low code that qualifies."""
    for rank in range(5, 13):
        if WORST_BY_RANK[rank] == worst:
            return rank
    return 12


@kernel
def final_value(board, switches, cross, royalty, entry, stay, values, foul_cost, codes):
    """Royalties plus the value of the Fantasyland earned by a complete board, minus the cost of a foul."""
    read_boards(board.reshape(1, 13), switches, cross, codes)
    front, middle, back = codes[0, 0], codes[0, 1], codes[0, 2]
    if is_foul(front, middle, back, switches, cross):
        return -foul_cost
    earned = next_cards(front, middle, back, 0, True, switches, entry, stay)
    return royalty[0, front] + royalty[1, middle] + royalty[2, back] + values[earned]


@kernel
def never_bust_greedy(keys, own, dealt, counts, choices, start, last, switches, cross, royalty, entry, stay, values,
                      class_points, slot_points, foul_cost, out):  # fmt: skip
    """The placement of greatest value so far (on the last street: of the finished board), ties broken at random."""
    board = np.empty(13, np.uint8)
    codes = np.empty((1, 3), np.uint16)
    filled = np.empty(3, np.int64)
    for i in range(keys.shape[0]):
        state = state_of(counts[i])
        best, most, ties = start[state], -np.inf, 0
        for pick in range(start[state], start[state + 1]):
            board[:] = own[i]
            for row in range(3):
                filled[row] = counts[i, row]
            for j in range(dealt.shape[1]):
                row = choices[pick, j]
                if row != DISCARD:
                    board[FIRST_SLOT[row] + filled[row]] = dealt[i, j]
                    filled[row] += 1
            if last:
                value = final_value(board, switches, cross, royalty, entry, stay, values, foul_cost, codes)
            else:
                value = _value_so_far(board, switches, class_points, slot_points)
            if value > most + 1e-9:
                best, most, ties = pick, value, 1
            elif value > most - 1e-9:
                ties += 1
                if rng.below(keys[i], ties, ties) == 0:
                    best = pick
        for j in range(out.shape[1]):
            out[i, j] = choices[best, j]
