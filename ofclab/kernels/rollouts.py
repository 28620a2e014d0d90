"""Chance that a board ends legal and earns Fantasyland: in how many samples of unseen cards a filling does both.

The samples are as thin as those of `ofclab.kernels.hindsight`, because choosing among all future draws with hindsight
is too good.
"""

from __future__ import annotations

import numpy as np

from ofclab.kernels import rng
from ofclab.kernels.finish import carry_out
from ofclab.kernels.jit import kernel
from ofclab.kernels.placement import FIRST_SLOT, OPEN, ROW_SIZE
from ofclab.kernels.rowstate import high_code, low_code, natural_word
from ofclab.kernels.scoring import LOW_MIDDLE, is_foul, next_cards, read_boards
from ofclab.kernels.tables import CARD
from ofclab.kernels.unseen import unseen_cards

_MOST = 9
_JOKER = 52


@kernel
def _list_codes(board, sample, n, free, low, codes, sets, length):
    """Codes of every row with every set of sampled cards that fills it; `sets` i64 (3, 512) are their bits."""
    for row in range(3):
        word = natural_word(board, FIRST_SLOT[row], FIRST_SLOT[row] + ROW_SIZE[row])[0]
        length[row] = 0
        for subset in range(1 << n):
            size, full = 0, word
            for j in range(n):
                if (subset >> j) & 1:
                    size += 1
                    if sample[j] < _JOKER:
                        full = np.uint32(full + CARD[sample[j]])
            if size == free[row]:
                codes[row, length[row]] = low_code(full) if low and row == 1 else high_code(full)
                sets[row, length[row]] = subset
                length[row] += 1


@kernel
def _fill(board, sample, free, in_front, in_middle, in_back, filled):
    """Fill `filled` u8 (1, 13) with the board and these cards of the sample."""
    for row in range(3):
        chosen = in_front if row == 0 else in_middle if row == 1 else in_back
        j = 0
        for slot in range(FIRST_SLOT[row], FIRST_SLOT[row] + ROW_SIZE[row]):
            filled[0, slot] = board[slot]
            if board[slot] == OPEN:
                while not (chosen >> j) & 1:
                    j += 1
                filled[0, slot] = sample[j]
                j += 1


@kernel
def _reaches(board, sample, n, free, jokers, switches, cross, entry, stay, codes, sets, length, filled, read):
    """Tell whether some filling with cards of the sample is legal and earns Fantasyland."""
    low = switches[LOW_MIDDLE] == 1
    _list_codes(board, sample, n, free, low, codes, sets, length)
    by_middle = low and entry[1].max() > 0
    for i in range(length[0]):
        front, in_front = codes[0, i], sets[0, i]
        if not jokers and not by_middle and entry[0, front] == 0:
            continue
        for j in range(length[1]):
            middle, in_middle = codes[1, j], sets[1, j]
            if in_front & in_middle or (not jokers and entry[0, front] == 0 and entry[1, middle] == 0):
                continue
            for k in range(length[2]):
                back, in_back = codes[2, k], sets[2, k]
                if (in_front | in_middle) & in_back:
                    continue
                if jokers:
                    _fill(board, sample, free, in_front, in_middle, in_back, filled)
                    read_boards(filled, switches, cross, read)
                    front, middle, back = read[0, 0], read[0, 1], read[0, 2]
                if is_foul(front, middle, back, switches, cross):
                    continue
                if next_cards(front, middle, back, 0, True, switches, entry, stay) > 0:
                    return True
    return False


@kernel
def entry_chances(keys, own, counts, dealt, choice, discards, opponents, opponents_discards, deck_size, sampled,
                  samples, switches, cross, entry, stay, chances):  # fmt: skip
    """Chance that the board after each placement `choice` u8 (n, k) ends legal with Fantasyland, f8 (n,).

    `sampled`: unseen cards a sample holds, at least the open slots.
    """
    board, filled, read = np.empty(13, np.uint8), np.empty((1, 13), np.uint8), np.zeros((1, 3), np.uint16)
    unseen, free = np.empty(54, np.uint8), np.empty(3, np.int64)
    codes, sets = np.zeros((3, 1 << _MOST), np.uint16), np.zeros((3, 1 << _MOST), np.int64)
    length = np.zeros(3, np.int64)
    for i in range(keys.shape[0]):
        carry_out(own[i], counts[i], dealt[i], choice[i], board)
        on_board = False
        for row in range(3):
            free[row] = 0
            for slot in range(FIRST_SLOT[row], FIRST_SLOT[row] + ROW_SIZE[row]):
                free[row] += board[slot] == OPEN
                on_board |= board[slot] >= _JOKER and board[slot] != OPEN
        n = unseen_cards(own[i], dealt[i], discards[i], opponents[i], opponents_discards[i], deck_size, unseen)
        hits, counter = 0, 0
        for _ in range(samples):
            jokers = on_board
            for j in range(sampled):
                # Counted down from the far end, so that these draws are not those of the fillings.
                other = j + rng.below(keys[i], (1 << 40) + counter, n - j)
                unseen[j], unseen[other] = unseen[other], unseen[j]
                jokers |= unseen[j] >= _JOKER
                counter += 1
            hits += _reaches(
                board, unseen, sampled, free, jokers, switches, cross, entry, stay, codes, sets, length, filled, read
            )
        chances[i] = hits / samples
