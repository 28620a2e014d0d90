"""The greedy placement: rows valued once per subset of the dealt cards, then summed for every placement."""

from __future__ import annotations

import numpy as np

from ofclab.kernels import rng
from ofclab.kernels.choose import state_of
from ofclab.kernels.jit import kernel
from ofclab.kernels.placement import DISCARD, FIRST_SLOT, ROW_SIZE
from ofclab.kernels.rowstate import high_code, low_code, natural_word, partial_code
from ofclab.kernels.scoring import LOW_MIDDLE, LOW_WORST, is_foul, next_cards, read_boards
from ofclab.kernels.tables import CARD, HIGH_CARD, LOW_CODES, PARTIAL_CATEGORY

_BUST = -1000.0
_RANK_BITS = np.uint32((1 << 20) - 1)
_WORST_BY_RANK = np.zeros(13, np.int64)
"""Least low code whose highest card has each rank; a low of that rank or better has at least this code."""
for _strength, _code in sorted(LOW_CODES.items(), reverse=True):
    if _strength[0] == -HIGH_CARD:
        _WORST_BY_RANK[-_strength[1] - 1] = _code


@kernel
def _row_so_far(word, jokers):
    """Code of a row so far; a joker counts as the rank that makes the most of the row."""
    if jokers == 0:
        return partial_code(word)
    best = np.uint16(0)
    for first in range(13):
        one = np.uint32(word + (CARD[4 * first] & _RANK_BITS))
        if jokers == 1:
            best = max(best, partial_code(one))
        else:
            for second in range(13):
                best = max(best, partial_code(np.uint32(one + (CARD[4 * second] & _RANK_BITS))))
    return best


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
    allowed = 5
    while allowed < 12 and _WORST_BY_RANK[allowed] != worst:
        allowed += 1
    return highest > allowed


@kernel
def _value_rows(own, dealt, counts, last, switches, class_points, slot_points, codes, worth):
    """Code and worth of every row with every subset of the dealt cards; returns whether a joker is in it.

    On the last street the codes are those of complete rows; before it they are of rows so far, and a 2-7 middle has the
    code 1 while it can still qualify and 0 when it cannot.
    """
    low = switches[LOW_MIDDLE] == 1
    any_jokers = False
    for row in range(3):
        base, base_jokers, base_mask = natural_word(own, FIRST_SLOT[row], FIRST_SLOT[row] + ROW_SIZE[row])
        any_jokers |= base_jokers > 0
        for subset in range(1 << dealt.shape[0]):
            word, jokers, mask, filled = base, base_jokers, base_mask, np.int64(counts[row])
            for j in range(dealt.shape[0]):
                if (subset >> j) & 1:
                    filled += 1
                    if dealt[j] >= 52:
                        jokers += 1
                    else:
                        word = np.uint32(word + CARD[dealt[j]])
                        mask |= np.uint64(1) << np.uint64(dealt[j])
            any_jokers |= jokers > 0
            if filled > ROW_SIZE[row]:
                continue
            worth[row, subset] = slot_points[ROW_SIZE[row] - filled]
            if last:
                if filled == ROW_SIZE[row] and jokers == 0:
                    codes[row, subset] = low_code(word) if low and row == 1 else high_code(word)
            elif low and row == 1:
                codes[row, subset] = 0 if _low_is_dead(word, jokers, mask, filled, switches[LOW_WORST]) else 1
            else:
                codes[row, subset] = _row_so_far(word, jokers)
                worth[row, subset] += class_points[PARTIAL_CATEGORY[codes[row, subset]]]
    return any_jokers


@kernel
def _final_value(front, middle, back, switches, cross, royalty, entry, stay, values, foul_cost):
    """Royalties plus the value of the Fantasyland earned by a complete board, minus the cost of a foul."""
    if is_foul(front, middle, back, switches, cross):
        return -foul_cost
    earned = next_cards(front, middle, back, 0, True, switches, entry, stay)
    return royalty[0, front] + royalty[1, middle] + royalty[2, back] + values[earned]


@kernel
def _read_board(own, counts, dealt, choice, switches, cross, board, codes):
    """Codes of the complete board that a placement makes, jokers read."""
    board[:] = own
    filled = counts.copy()
    for j in range(dealt.shape[0]):
        row = choice[j]
        if row != DISCARD:
            board[FIRST_SLOT[row] + filled[row]] = dealt[j]
            filled[row] += 1
    read_boards(board.reshape(1, 13), switches, cross, codes)


@kernel
def never_bust_greedy(keys, own, dealt, counts, choices, start, last, switches, cross, royalty, entry, stay, values,
                      class_points, slot_points, foul_cost, out):  # fmt: skip
    """The placement of greatest value so far (on the last street: of the finished board), ties broken at random.

    `class_points` f8 (categories,); `slot_points` f8 (6,): what a row adds by its open slots.
    """
    subsets = 1 << dealt.shape[1]
    codes, worth = np.zeros((3, subsets), np.uint16), np.zeros((3, subsets))
    board, read = np.empty(13, np.uint8), np.empty((1, 3), np.uint16)
    masks = np.zeros((choices.shape[0], 3), np.int64)
    for pick in range(choices.shape[0]):
        for j in range(choices.shape[1]):
            if choices[pick, j] != DISCARD:
                masks[pick, choices[pick, j]] |= 1 << j
    low = switches[LOW_MIDDLE] == 1
    for i in range(keys.shape[0]):
        jokers = _value_rows(own[i], dealt[i], counts[i], last, switches, class_points, slot_points, codes, worth)
        state = state_of(counts[i])
        best, most, ties = start[state], -np.inf, 0
        for pick in range(start[state], start[state + 1]):
            in_front, in_middle, in_back = masks[pick, 0], masks[pick, 1], masks[pick, 2]
            front, middle, back = codes[0, in_front], codes[1, in_middle], codes[2, in_back]
            if last:
                if jokers:
                    _read_board(own[i], counts[i], dealt[i], choices[pick], switches, cross, board, read)
                    front, middle, back = read[0, 0], read[0, 1], read[0, 2]
                value = _final_value(front, middle, back, switches, cross, royalty, entry, stay, values, foul_cost)
            elif (middle == 0 or front > back) if low else (front > middle or middle > back):
                value = _BUST
            else:
                value = worth[0, in_front] + worth[1, in_middle] + worth[2, in_back]
            if value > most + 1e-9:
                best, most, ties = pick, value, 1
            elif value > most - 1e-9:
                ties += 1
                if rng.below(keys[i], ties, ties) == 0:
                    best = pick
        for j in range(out.shape[1]):
            out[i, j] = choices[best, j]
