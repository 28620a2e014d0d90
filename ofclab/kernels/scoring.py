"""Score arrays of finished boards: read the rows, judge fouls and royalties, settle the pairs."""

from __future__ import annotations

import numpy as np

from ofclab.kernels.jit import kernel
from ofclab.kernels.rowstate import high_code, low_code, natural_word, read_row

# Positions in the array of switches that a ruleset compiles to.
(
    LOW_MIDDLE,  # 1: the middle is a 2-7 low
    LOW_WORST,  # least low code that qualifies (0: any)
    BACK_STRICT,  # 1: the back must be better than the middle, not equal
    MIDDLE_STRICT,  # 1: the middle must be better than the front
    FRONT_STRICT,  # 1: with a low middle, the back must be better than the front
    MAY_COPY,  # what a joker may read as: COPY_NONE, COPY_OTHER_ROW, COPY_ANY
    READING_LEGAL,  # 1: strongest legal reading, 0: strongest
    FIVE_OF_A_KIND_ALLOWED,
    PER_ROW,
    SWEEP_BONUS,
    MAJORITY_BONUS,
    PENALTY,
    FOUL_PAYS_ROYALTIES,
    ROYALTY_MODE,  # MODE_BOTH, MODE_ROW_WINNER, MODE_PAIR_WINNER, MODE_OFF
    ENTRY_BOTH_CARDS,  # cards when front and low middle both earn Fantasyland (0: the larger)
    STAY_CARDS,  # 0: as many as the seat came in with
    STAY_ANNOUNCED,  # 1: a stay that was not announced is lost
) = range(17)
N_SWITCHES = 17
COPY_NONE, COPY_OTHER_ROW, COPY_ANY = range(3)
MODE_BOTH, MODE_ROW_WINNER, MODE_PAIR_WINNER, MODE_OFF = range(4)

NO_LIMIT = np.uint16(65535)
"""No code is above it."""


@kernel
def _under(code, strict):
    """The greatest code that is legal in front of a row of this code."""
    return np.uint16(code - strict) if code > 0 else np.uint16(0)


@kernel
def read_as(row, word, jokers, mask, every, limit, switches):
    """Code of a complete row by its word, its jokers at their strongest reading not above `limit` (0: none is).

    `mask`: bits of the row's natural cards, `every`: of all the board's, which count where a joker may copy none.
    """
    low = switches[LOW_MIDDLE] == 1 and row == 1
    if jokers == 0:
        return low_code(word) if low else high_code(word)
    copy = switches[MAY_COPY]
    blocked = np.uint64(0) if copy == COPY_ANY else (mask if copy == COPY_OTHER_ROW else every | mask)
    five = switches[FIVE_OF_A_KIND_ALLOWED] == 1
    return read_row(word, 3 if row == 0 else 5, jokers, mask, blocked, copy == COPY_ANY, five, low, limit)


@kernel
def _read_under(row, code, words, jokers, masks, every, limit, switches):
    """The reading of a row that stands where its strongest is `code` and nothing above `limit` is legal."""
    if jokers[row] == 0 or code <= limit:
        return code
    under = read_as(row, words[row], jokers[row], masks[row], every, limit, switches)
    return under if under > 0 else code


@kernel
def put_in_order(front, middle, back, words, jokers, masks, every, switches, cross):
    """Codes of three rows, row by row from the back no stronger than legal, from those of their strongest readings.

    `words`, `jokers`, `masks`: three each, by row.
    """
    if switches[READING_LEGAL] == 0:
        return front, middle, back
    if switches[LOW_MIDDLE] == 1:
        limit = _under(cross[back], switches[FRONT_STRICT])
    else:
        middle = _read_under(1, middle, words, jokers, masks, every, _under(back, switches[BACK_STRICT]), switches)
        limit = _under(cross[middle], switches[MIDDLE_STRICT])
    return _read_under(0, front, words, jokers, masks, every, limit, switches), middle, back


@kernel
def _read_jokers(cards, switches, cross, codes):
    """Codes of one board of 13 cards with jokers."""
    front, middle, back = natural_word(cards, 0, 3), natural_word(cards, 3, 8), natural_word(cards, 8, 13)
    words, jokers, masks = (
        (front[0], middle[0], back[0]),
        (front[1], middle[1], back[1]),
        (front[2], middle[2], back[2]),
    )
    every = masks[0] | masks[1] | masks[2]
    codes[0], codes[1], codes[2] = put_in_order(
        read_as(0, words[0], jokers[0], masks[0], every, NO_LIMIT, switches),
        read_as(1, words[1], jokers[1], masks[1], every, NO_LIMIT, switches),
        read_as(2, words[2], jokers[2], masks[2], every, NO_LIMIT, switches),
        words, jokers, masks, every, switches, cross,
    )  # fmt: skip


@kernel
def read_boards(cards, switches, cross, codes):
    """Fill `codes` (n, 3) u16 from complete boards `cards` (n, 13) u8: front 3, middle 5, back 5."""
    low = switches[LOW_MIDDLE] == 1
    every_card = np.uint64(0)
    for i in range(cards.shape[0]):
        jokers = False
        for j in range(13):
            jokers |= cards[i, j] >= 52
        if jokers:
            _read_jokers(cards[i], switches, cross, codes[i])
            continue
        for row in range(3):
            first, last = (0, 3) if row == 0 else (3, 8) if row == 1 else (8, 13)
            word = natural_word(cards[i], first, last)[0]
            codes[i, row] = read_row(
                word, last - first, 0, every_card, every_card, False, False, low and row == 1, NO_LIMIT
            )


@kernel
def is_foul(front, middle, back, switches, cross):
    """Tell whether three row codes are out of order."""
    if switches[LOW_MIDDLE] == 1:
        return middle < switches[LOW_WORST] or front > _under(cross[back], switches[FRONT_STRICT])
    return middle > _under(back, switches[BACK_STRICT]) or front > _under(cross[middle], switches[MIDDLE_STRICT])


@kernel
def next_cards(front, middle, back, came_in, announced, switches, entry, stay):
    """Fantasyland cards a legal board earns for the next hand; entry and stay exclude each other."""
    if came_in > 0:
        if not (stay[0, front] or stay[1, middle] or stay[2, back]) or (
            switches[STAY_ANNOUNCED] == 1 and not announced
        ):
            return np.uint8(0)
        return np.uint8(came_in) if switches[STAY_CARDS] == 0 else np.uint8(switches[STAY_CARDS])
    by_front, by_low = entry[0, front], entry[1, middle]
    if by_front > 0 and by_low > 0 and switches[ENTRY_BOTH_CARDS] > 0:
        return np.uint8(switches[ENTRY_BOTH_CARDS])
    return max(by_front, by_low)


@kernel
def judge_boards(codes, came_in, announced, switches, cross, royalty, entry, stay, fouled, royalties, following):
    """From `codes` (n, 3): fouls (n,), royalties (n, 3) and Fantasyland cards of the next hand (n,)."""
    for i in range(codes.shape[0]):
        front, middle, back = codes[i, 0], codes[i, 1], codes[i, 2]
        if is_foul(front, middle, back, switches, cross):
            fouled[i] = True
            royalties[i, :] = 0
            following[i] = 0
        else:
            fouled[i] = False
            royalties[i, 0] = royalty[0, front]
            royalties[i, 1] = royalty[1, middle]
            royalties[i, 2] = royalty[2, back]
            following[i] = next_cards(front, middle, back, came_in[i], announced[i], switches, entry, stay)


@kernel
def _pair(codes_a, codes_b, fouled_a, fouled_b, royalties_a, royalties_b, switches, out):
    """One pair from a's side: rows front, middle, back (1, 0, -1), base points, royalty points, total."""
    out[:] = 0
    if fouled_a and fouled_b:
        return
    mode = switches[ROYALTY_MODE]
    if fouled_a or fouled_b:
        sign = -1 if fouled_a else 1
        winner = royalties_b if fouled_a else royalties_a
        out[0:3] = sign
        out[3] = sign * switches[PENALTY]
        if switches[FOUL_PAYS_ROYALTIES] == 1 and mode != MODE_OFF:
            out[4] = sign * (winner[0] + winner[1] + winner[2])
    else:
        won, lost = 0, 0
        for row in range(3):
            result = np.int32(codes_a[row] > codes_b[row]) - np.int32(codes_a[row] < codes_b[row])
            out[row] = result
            won += result == 1
            lost += result == -1
        out[3] = switches[PER_ROW] * (won - lost)
        out[3] += switches[SWEEP_BONUS] * (np.int64(won == 3) - np.int64(lost == 3))
        out[3] += switches[MAJORITY_BONUS] * (np.int64(won >= 2) - np.int64(lost >= 2))
        for row in range(3):
            keeps_a = mode == MODE_BOTH or (mode == MODE_ROW_WINNER and out[row] == 1)
            keeps_b = mode == MODE_BOTH or (mode == MODE_ROW_WINNER and out[row] == -1)
            if mode == MODE_PAIR_WINNER:
                keeps_a, keeps_b = out[3] > 0, out[3] < 0
            out[4] += royalties_a[row] * keeps_a - royalties_b[row] * keeps_b
    out[5] = out[3] + out[4]


@kernel
def pair_boards(codes, fouled, royalties, switches, pairs, points):
    """Settle all pairs of each hand: codes (n, seats, 3) -> pairs (n, n_pairs, 6) and points (n, seats)."""
    seats = codes.shape[1]
    for i in range(codes.shape[0]):
        points[i, :] = 0
        pair = 0
        for a in range(seats):
            for b in range(a + 1, seats):
                _pair(
                    codes[i, a], codes[i, b], fouled[i, a], fouled[i, b], royalties[i, a], royalties[i, b],
                    switches, pairs[i, pair],
                )  # fmt: skip
                points[i, a] += pairs[i, pair, 5]
                points[i, b] -= pairs[i, pair, 5]
                pair += 1
