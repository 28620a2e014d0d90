"""The greedy placement: rows valued once per subset of the dealt cards, then summed for every placement."""

from __future__ import annotations

import numpy as np

from ofclab.kernels import rng
from ofclab.kernels.choose import state_of
from ofclab.kernels.jit import kernel
from ofclab.kernels.placement import DISCARD, FIRST_SLOT, ROW_SIZE
from ofclab.kernels.rowstate import high_code, low_code, natural_word, partial_code, sum_subsets
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
def _value_rows(own, dealt, counts, last, switches, class_points, slot_points, sums, wild, masks, sizes, made, codes,
                worth):  # fmt: skip
    """Code and worth of every row with every subset of the dealt cards; returns whether a joker is in it.

    On the last street the codes are those of complete rows; before it they are of rows so far, and a 2-7 middle has the
    code 1 while it can still qualify and 0 when it cannot. `sums`, `wild`, `masks`, `made`: room for what is known of
    each subset; `sizes`: cards of each.
    """
    low = switches[LOW_MIDDLE] == 1
    sum_subsets(dealt, dealt.shape[0], sums, wild, masks)
    subsets = 1 << dealt.shape[0]
    any_jokers = wild[subsets - 1] > 0
    told, told_jokers = np.uint32(0), -1
    for row in range(2, -1, -1):
        base, base_jokers, base_mask = natural_word(own, FIRST_SLOT[row], FIRST_SLOT[row] + ROW_SIZE[row])
        any_jokers |= base_jokers > 0
        low_row = low and row == 1
        # Rows that hold the same are worth the same: the empty ones of the first street.
        same = base == told and base_jokers == told_jokers
        for subset in range(subsets):
            still_open = ROW_SIZE[row] - counts[row] - sizes[subset]
            if still_open < 0:
                continue
            word, jokers = np.uint32(base + sums[subset]), base_jokers + wild[subset]
            worth[row, subset] = slot_points[still_open]
            if last:
                if still_open == 0 and jokers == 0:
                    codes[row, subset] = low_code(word) if low_row else high_code(word)
            elif low_row:
                mask, filled = base_mask | masks[subset], ROW_SIZE[row] - still_open
                codes[row, subset] = 0 if _low_is_dead(word, jokers, mask, filled, switches[LOW_WORST]) else 1
            elif same:
                codes[row, subset] = codes[2, subset]
                worth[row, subset] += made[subset]
            else:
                codes[row, subset] = _row_so_far(word, jokers)
                points = class_points[PARTIAL_CATEGORY[codes[row, subset]]]
                worth[row, subset] += points
                if row == 2:
                    made[subset] = points
        if row == 2:
            told, told_jokers = base, base_jokers
    return any_jokers


@kernel
def _value_placements(first, n, masks, codes, worth, low, values_of):
    """Value so far of n placements from `first`; which ones break the order is hard to foresee, so nothing branches."""
    for at in range(n):
        pick = first + at
        in_front, in_middle, in_back = masks[pick, 0], masks[pick, 1], masks[pick, 2]
        front, middle, back = codes[0, in_front], codes[1, in_middle], codes[2, in_back]
        bust = ((middle == 0) | (front > back)) if low else ((front > middle) | (middle > back))
        value = worth[0, in_front] + worth[1, in_middle] + worth[2, in_back]
        values_of[at] = _BUST if bust else value


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
    sums, wild, in_subset = np.empty(subsets, np.uint32), np.empty(subsets, np.int64), np.empty(subsets, np.uint64)
    sizes, made = np.zeros(subsets, np.int64), np.empty(subsets)
    for subset in range(1, subsets):
        sizes[subset] = sizes[subset >> 1] + (subset & 1)
    masks, values_of = np.zeros((choices.shape[0], 3), np.uint8), np.empty(choices.shape[0])
    for pick in range(choices.shape[0]):
        for j in range(choices.shape[1]):
            if choices[pick, j] != DISCARD:
                masks[pick, choices[pick, j]] |= np.uint8(1 << j)
    low = switches[LOW_MIDDLE] == 1
    for i in range(keys.shape[0]):
        jokers = _value_rows(
            own[i], dealt[i], counts[i], last, switches, class_points, slot_points, sums, wild, in_subset, sizes, made,
            codes, worth,
        )  # fmt: skip
        state = state_of(counts[i])
        first, n = start[state], start[state + 1] - start[state]
        if last:
            for at in range(n):
                pick = first + at
                front, middle = codes[0, masks[pick, 0]], codes[1, masks[pick, 1]]
                back = codes[2, masks[pick, 2]]
                if jokers:
                    _read_board(own[i], counts[i], dealt[i], choices[pick], switches, cross, board, read)
                    front, middle, back = read[0, 0], read[0, 1], read[0, 2]
                values_of[at] = _final_value(
                    front, middle, back, switches, cross, royalty, entry, stay, values, foul_cost
                )
        else:
            _value_placements(first, n, masks, codes, worth, low, values_of)
        best, most, ties = first, -np.inf, 0
        for at in range(n):
            value = values_of[at]
            if value > most - 1e-9:
                if value > most + 1e-9:
                    best, most, ties = first + at, value, 1
                else:
                    ties += 1
                    if rng.below(keys[i], ties, ties) == 0:
                        best = first + at
        for j in range(out.shape[1]):
            out[i, j] = choices[best, j]
