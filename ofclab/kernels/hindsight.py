"""Placements judged by filling the open slots from samples of unseen cards, with successive halving.

Every round draws samples that all placements still alive share, adds to each placement the value of one filling a
sample (the best legal one, or a random one), and keeps the better half.
"""

from __future__ import annotations

from math import comb

import numpy as np

from ofclab.kernels import rng
from ofclab.kernels.choose import state_of
from ofclab.kernels.jit import kernel
from ofclab.kernels.placement import DISCARD, FIRST_SLOT, ROW_SIZE
from ofclab.kernels.rowstate import high_code, low_code, natural_word, read_row
from ofclab.kernels.scoring import (
    BACK_STRICT,
    COPY_ANY,
    COPY_OTHER_ROW,
    FIVE_OF_A_KIND_ALLOWED,
    FRONT_STRICT,
    LOW_MIDDLE,
    LOW_WORST,
    MAY_COPY,
    MIDDLE_STRICT,
    next_cards,
)
from ofclab.kernels.tables import CARD

SAMPLES_A_ROUND = 8
MOST_SAMPLED = 9
"""Most cards of a sample: eight open slots, or fewer with one card to spare."""
_SUBSETS = 1 << MOST_SAMPLED
_NO_LIMIT = np.uint16(65535)

OPTION = np.dtype(
    [
        ("word", np.uint32, 3),
        ("jokers", np.int64, 3),
        ("mask", np.uint64, 3),
        ("open", np.int64, 3),
        ("board", np.uint64),
    ]
)
"""A placement carried out: word, jokers, natural-card bits and open slots of each row, and the bits of the board."""

_BY_SIZE = np.zeros((MOST_SAMPLED + 1, _SUBSETS), np.int64)
"""Subsets of n sampled cards, sorted by how many cards they hold."""
_SIZE_START = np.zeros((MOST_SAMPLED + 1, MOST_SAMPLED + 2), np.int64)
"""Where the subsets of each size begin."""
for _n in range(MOST_SAMPLED + 1):
    _BY_SIZE[_n, : 1 << _n] = sorted(range(1 << _n), key=int.bit_count)
    _SIZE_START[_n, 1 : _n + 2] = np.cumsum([comb(_n, size) for size in range(_n + 1)])


@kernel
def _unseen_cards(own, dealt, discards, opponents, opponents_discards, deck_size, cards):
    """List the cards a player has not seen; returns how many."""
    seen = np.uint64(0)
    one = np.uint64(1)
    for card in own:
        if card != 255:
            seen |= one << np.uint64(card)
    for card in dealt:
        seen |= one << np.uint64(card)
    for card in discards:
        if card != 255:
            seen |= one << np.uint64(card)
    for other in range(opponents.shape[0]):
        for card in opponents[other]:
            if card != 255:
                seen |= one << np.uint64(card)
        for card in opponents_discards[other]:
            if card != 255:
                seen |= one << np.uint64(card)
    n = 0
    for card in range(deck_size):
        if not (seen >> np.uint64(card)) & one:
            cards[n] = card
            n += 1
    return n


@kernel
def _sum_subsets(sample, n, words, jokers, masks):
    """Row word, jokers and natural-card bits of every subset of a sample."""
    words[0], jokers[0], masks[0] = np.uint32(0), 0, np.uint64(0)
    for subset in range(1, 1 << n):
        lowest = 0
        while not (subset >> lowest) & 1:
            lowest += 1
        rest = subset & (subset - 1)
        card = sample[lowest]
        if card >= 52:
            words[subset], jokers[subset], masks[subset] = words[rest], jokers[rest] + 1, masks[rest]
        else:
            words[subset] = np.uint32(words[rest] + CARD[card])
            jokers[subset] = jokers[rest]
            masks[subset] = masks[rest] | (np.uint64(1) << np.uint64(card))


@kernel
def _row_code(row, word, jokers, mask, board_mask, switches, limit):
    """Code of a complete row, jokers at their strongest reading not above `limit`."""
    low = switches[LOW_MIDDLE] == 1 and row == 1
    if jokers == 0:
        return low_code(word) if low else high_code(word)
    copy = switches[MAY_COPY]
    blocked = np.uint64(0) if copy == COPY_ANY else (mask if copy == COPY_OTHER_ROW else board_mask | mask)
    five = switches[FIVE_OF_A_KIND_ALLOWED] == 1
    return read_row(word, ROW_SIZE[row], jokers, mask, blocked, copy == COPY_ANY, five, low, limit)


@kernel
def _list_codes(row, option, n, words, jokers, masks, switches, codes):
    """Codes of one row with every subset of the sample that fills it."""
    first, last = _SIZE_START[n, option.open[row]], _SIZE_START[n, option.open[row] + 1]
    for i in range(first, last):
        subset = _BY_SIZE[n, i]
        codes[row, subset] = _row_code(
            row, np.uint32(option.word[row] + words[subset]), option.jokers[row] + jokers[subset],
            option.mask[row] | masks[subset], option.board, switches, _NO_LIMIT,
        )  # fmt: skip
    return first, last


@kernel
def _best_filling(n, option, words, jokers, masks, switches, cross, royalty, ceiling, entry, stay, values, foul_cost,
                  codes):  # fmt: skip
    """Value of the best legal filling of the open slots with cards of a sample; minus the foul cost if none is legal.

    `ceiling` f8 (3, N): the most a row of each code or less adds, Fantasyland included; it bounds what a back and a
    middle can still become.
    """
    low = switches[LOW_MIDDLE] == 1
    every = (1 << n) - 1
    exact_fit = option.open[0] + option.open[1] + option.open[2] == n
    first_front, last_front = _list_codes(0, option, n, words, jokers, masks, switches, codes)
    first_middle, last_middle = _list_codes(1, option, n, words, jokers, masks, switches, codes)
    first_back, last_back = _list_codes(2, option, n, words, jokers, masks, switches, codes)
    most_front = 0.0
    for i in range(first_front, last_front):
        most_front = max(most_front, ceiling[0, codes[0, _BY_SIZE[n, i]]])
    best = -foul_cost
    for i in range(first_back, last_back):
        in_back = _BY_SIZE[n, i]
        back = codes[2, in_back]
        worth_back = royalty[2, back]
        for j in range(first_middle, last_middle):
            in_middle = _BY_SIZE[n, j]
            middle = codes[1, in_middle]
            if in_middle & in_back or worth_back + ceiling[1, middle] + most_front <= best:
                continue
            if low:
                if middle < switches[LOW_WORST]:
                    continue
                limit = np.int64(cross[back]) - switches[FRONT_STRICT]
            else:
                most = np.int64(back) - switches[BACK_STRICT]
                if middle > most:
                    if option.jokers[1] + jokers[in_middle] == 0:
                        continue
                    middle = _row_code(
                        1, np.uint32(option.word[1] + words[in_middle]), option.jokers[1] + jokers[in_middle],
                        option.mask[1] | masks[in_middle], option.board, switches, np.uint16(most),
                    )  # fmt: skip
                    if middle == 0:
                        continue
                limit = np.int64(cross[middle]) - switches[MIDDLE_STRICT]
            worth = worth_back + royalty[1, middle]
            rest = every ^ in_back ^ in_middle
            for k in range(first_front, last_front):
                in_front = rest if exact_fit else _BY_SIZE[n, k]
                if in_front & ~rest:
                    continue
                front = codes[0, in_front]
                if front > limit and option.jokers[0] + jokers[in_front] > 0 and limit > 0:
                    front = _row_code(
                        0, np.uint32(option.word[0] + words[in_front]), option.jokers[0] + jokers[in_front],
                        option.mask[0] | masks[in_front], option.board, switches, np.uint16(limit),
                    )  # fmt: skip
                if 0 < front <= limit:
                    value = worth + royalty[0, front]
                    value += values[next_cards(front, middle, back, 0, True, switches, entry, stay)]
                    best = max(best, value)
                if exact_fit:
                    break
    return best


@kernel
def _random_filling(key, counter, sample, n, option, switches, cross, royalty, entry, stay, values, foul_cost,
                    shuffled):  # fmt: skip
    """Value of one random filling of the open slots with cards of a sample."""
    for i in range(n):
        shuffled[i] = sample[i]
    used = 0
    codes = np.zeros(3, np.uint16)
    low = switches[LOW_MIDDLE] == 1
    limit = np.int64(_NO_LIMIT)
    for step in range(3):
        row = 2 - step
        word, jokers, mask = option.word[row], option.jokers[row], option.mask[row]
        for _ in range(option.open[row]):
            other = used + rng.below(key, counter + used, n - used)
            shuffled[used], shuffled[other] = shuffled[other], shuffled[used]
            card = shuffled[used]
            used += 1
            if card >= 52:
                jokers += 1
            else:
                word = np.uint32(word + CARD[card])
                mask |= np.uint64(1) << np.uint64(card)
        low_row = low and row == 1
        most = np.int64(_NO_LIMIT) if low_row else limit
        if most <= 0:
            return -foul_cost
        code = _row_code(row, word, jokers, mask, option.board, switches, np.uint16(most))
        if code == 0 or code > most or (low_row and code < switches[LOW_WORST]):
            return -foul_cost
        codes[row] = code
        if row == 2:
            limit = np.int64(cross[code]) - switches[FRONT_STRICT] if low else np.int64(code) - switches[BACK_STRICT]
        elif not low:
            limit = np.int64(cross[code]) - switches[MIDDLE_STRICT]
    earned = next_cards(codes[0], codes[1], codes[2], 0, True, switches, entry, stay)
    return royalty[0, codes[0]] + royalty[1, codes[1]] + royalty[2, codes[2]] + values[earned]


@kernel
def _carry_out(own, counts, dealt, choice, board, option):
    """The placement `choice` of the cards dealt, as an OPTION."""
    board[:] = own
    for row in range(3):
        option.open[row] = ROW_SIZE[row] - counts[row]
    for j in range(dealt.shape[0]):
        row = np.int64(choice[j])
        if row != DISCARD:
            board[FIRST_SLOT[row] + ROW_SIZE[row] - option.open[row]] = dealt[j]
            option.open[row] -= 1
    option.board = np.uint64(0)
    for row in range(3):
        word, jokers, mask = natural_word(board, FIRST_SLOT[row], FIRST_SLOT[row] + ROW_SIZE[row])
        option.word[row], option.jokers[row], option.mask[row] = word, jokers, mask
        option.board |= mask


@kernel
def _keep_best(alive, totals, left, keep):
    """Move the `keep` options of greatest total to the front."""
    for a in range(keep):
        top = a
        for b in range(a + 1, left):
            if totals[alive[b]] > totals[alive[top]]:
                top = b
        alive[a], alive[top] = alive[top], alive[a]


@kernel
def fill_by_samples(keys, own, dealt, counts, discards, opponents, opponents_discards, deck_size, choices, start,
                    sampled, at_random, switches, cross, royalty, ceiling, entry, stay, values, foul_cost,
                    out):  # fmt: skip
    """The placement whose sampled fillings are worth most, by successive halving.

    `sampled`: unseen cards a sample holds (at least the slots a placement leaves open); `at_random`: value one random
    filling of a sample instead of the best one. Complete boards need no sample: they are valued as they are.
    """
    most = 0
    for state in range(144):
        most = max(most, start[state + 1] - start[state])
    alive, totals = np.empty(most, np.int64), np.empty(most, np.float64)
    options = np.empty(most, OPTION)
    unseen, board = np.empty(54, np.uint8), np.empty(13, np.uint8)
    shuffled = np.empty(MOST_SAMPLED, np.uint8)
    words, jokers, masks = np.empty(_SUBSETS, np.uint32), np.empty(_SUBSETS, np.int64), np.empty(_SUBSETS, np.uint64)
    codes = np.empty((3, _SUBSETS), np.uint16)
    for i in range(keys.shape[0]):
        state = state_of(counts[i])
        first, left = start[state], start[state + 1] - start[state]
        n_unseen = _unseen_cards(own[i], dealt[i], discards[i], opponents[i], opponents_discards[i], deck_size, unseen)
        for option in range(left):
            alive[option], totals[option] = option, 0.0
            _carry_out(own[i], counts[i], dealt[i], choices[first + option], board, options[option])
        counter, samples = 0, 1 if sampled == 0 else SAMPLES_A_ROUND
        while left > 1:
            for _ in range(samples):
                for j in range(sampled):
                    other = j + rng.below(keys[i], counter, n_unseen - j)
                    unseen[j], unseen[other] = unseen[other], unseen[j]
                    counter += 1
                _sum_subsets(unseen, sampled, words, jokers, masks)
                for a in range(left):
                    option = options[alive[a]]
                    if at_random:
                        totals[alive[a]] += _random_filling(
                            keys[i], counter, unseen, sampled, option, switches, cross, royalty, entry, stay, values,
                            foul_cost, shuffled,
                        )  # fmt: skip
                    else:
                        totals[alive[a]] += _best_filling(
                            sampled, option, words, jokers, masks, switches, cross, royalty, ceiling, entry, stay,
                            values, foul_cost, codes,
                        )  # fmt: skip
                counter += MOST_SAMPLED
            keep = 1 if sampled == 0 else (left + 1) // 2
            _keep_best(alive, totals, left, keep)
            left = keep
        for j in range(dealt.shape[1]):
            out[i, j] = choices[first + alive[0], j]
