"""The last street of a hand: the placement whose finished board is worth most, against boards that are known or not."""

from __future__ import annotations

import numpy as np

from ofclab.kernels.choose import state_of
from ofclab.kernels.jit import kernel
from ofclab.kernels.placement import DISCARD, FIRST_SLOT, OPEN
from ofclab.kernels.scoring import is_foul, judge_boards, next_cards, pair_boards, read_boards

_STRENGTH = 1e-9
"""Weight of the row codes, small enough to decide between boards of equal worth only."""


@kernel
def carry_out(own, counts, dealt, choice, board):
    """Fill `board` u8 (13,) with the own board after a placement."""
    board[:] = own
    front, middle, back = np.int64(counts[0]), np.int64(counts[1]), np.int64(counts[2])
    for j in range(dealt.shape[0]):
        row = choice[j]
        if row == DISCARD:
            continue
        filled = front if row == 0 else middle if row == 1 else back
        board[FIRST_SLOT[row] + filled] = dealt[j]
        if row == 0:
            front += 1
        elif row == 1:
            middle += 1
        else:
            back += 1


@kernel
def all_known(opponents, opponents_fantasyland):
    """Tell whether somebody plays against us and every such board lies open and complete."""
    seated = 0
    for other in range(opponents.shape[0]):
        if opponents_fantasyland[other] == OPEN:
            continue
        seated += 1
        for card in opponents[other]:
            if card == OPEN:
                return False
    return seated > 0


@kernel
def _read_known(opponents, opponents_fantasyland, switches, cross, royalty, entry, stay, codes, fouled, royalties):
    """Fill places 1.. of codes (1, seats, 3), fouled (1, seats), royalties (1, seats, 3); returns the seats filled."""
    seats = 1
    came_in, announced = np.zeros(1, np.uint8), np.ones(1, np.bool_)
    foul, points, following = np.zeros(1, np.bool_), np.zeros((1, 3), np.int32), np.zeros(1, np.uint8)
    read = np.zeros((1, 3), np.uint16)
    for other in range(opponents.shape[0]):
        if opponents_fantasyland[other] == OPEN:
            continue
        read_boards(opponents[other].copy().reshape(1, 13), switches, cross, read)
        judge_boards(read, came_in, announced, switches, cross, royalty, entry, stay, foul, points, following)
        codes[0, seats], fouled[0, seats], royalties[0, seats] = read[0], foul[0], points[0]
        seats += 1
    return seats


@kernel
def best_finish(own, counts, dealt, choices, start, opponents, opponents_fantasyland, switches, cross, royalty,
                entry, stay, values, royalty_weight, foul_cost, out):  # fmt: skip
    """The placement on the last street whose board is worth most; equal worth goes by the strength of the rows.

    A board is worth `royalty_weight` f8 (n,) times its royalties plus the Fantasyland it earns, a foul minus
    `foul_cost` f8 (n,). Where every opponent's board lies open and complete, it is worth the points it wins from them
    and the Fantasyland.
    """
    most = opponents.shape[1] + 1
    board, read = np.empty((1, 13), np.uint8), np.zeros((1, 3), np.uint16)
    codes, fouled = np.zeros((1, most, 3), np.uint16), np.zeros((1, most), np.bool_)
    royalties = np.zeros((1, most, 3), np.int32)
    pairs, points = np.zeros((1, most * (most - 1) // 2, 6), np.int32), np.zeros((1, most), np.int32)
    for i in range(own.shape[0]):
        known = all_known(opponents[i], opponents_fantasyland[i])
        seats = 1
        if known:
            seats = _read_known(
                opponents[i], opponents_fantasyland[i], switches, cross, royalty, entry, stay, codes, fouled, royalties
            )
        state = state_of(counts[i])
        best, best_worth = start[state], -np.inf
        for pick in range(start[state], start[state + 1]):
            carry_out(own[i], counts[i], dealt[i], choices[pick], board[0])
            read_boards(board, switches, cross, read)
            front, middle, back = read[0, 0], read[0, 1], read[0, 2]
            foul = is_foul(front, middle, back, switches, cross)
            worth = _STRENGTH * (np.float64(front) + middle + back)
            if not foul:
                worth += values[next_cards(front, middle, back, 0, True, switches, entry, stay)]
            if known:
                codes[0, 0], fouled[0, 0] = read[0], foul
                for row in range(3):
                    royalties[0, 0, row] = 0 if foul else royalty[row, read[0, row]]
                pair_boards(codes[:, :seats], fouled, royalties, switches, pairs, points)
                worth += points[0, 0]
            elif foul:
                worth -= foul_cost[i]
            else:
                worth += royalty_weight[i] * (np.float64(royalty[0, front]) + royalty[1, middle] + royalty[2, back])
            if worth > best_worth:
                best, best_worth = pick, worth
        for j in range(out.shape[1]):
            out[i, j] = choices[best, j]
