"""Placements judged by filling the open slots from samples of unseen cards, with successive halving.

Every round draws samples that all placements still alive share, adds to each placement the value of one filling a
sample (the best legal one, or a random one), and keeps the better half, of an odd number the larger one.
"""

from __future__ import annotations

from math import comb

import numpy as np

from ofclab.kernels import rng
from ofclab.kernels.candidates import DIGIT_BITS, sort_descending
from ofclab.kernels.choose import state_of
from ofclab.kernels.jit import kernel
from ofclab.kernels.placement import DISCARD, FIRST_SLOT, ROW_SIZE
from ofclab.kernels.rowstate import natural_word, sum_subsets
from ofclab.kernels.scoring import (
    BACK_STRICT,
    FRONT_STRICT,
    LOW_MIDDLE,
    LOW_WORST,
    MIDDLE_STRICT,
    NO_LIMIT,
    next_cards,
    read_as,
)
from ofclab.kernels.tables import CARD
from ofclab.kernels.unseen import unseen_cards

MOST_SAMPLED = 9
"""Most cards of a sample: eight open slots, or fewer with one card to spare."""
_SUBSETS = 1 << MOST_SAMPLED
_MOST_FILLINGS = comb(MOST_SAMPLED, 5)

OPTION = np.dtype(
    [
        ("word", np.uint32, 3),
        ("jokers", np.int64, 3),
        ("mask", np.uint64, 3),
        ("open", np.int64, 3),
        ("board", np.uint64),
        ("dealt", np.int64, 3),
    ]
)
"""A placement carried out: word, jokers, natural-card bits and open slots of each row, the bits of the board, and which
of the dealt cards went to each row."""

_DEALT, _CODE = np.uint64(MOST_SAMPLED), np.uint64(32)
"""Where the dealt cards and the code begin in an entry of a sorted list; the sampled cards are its lowest bits."""
_SUBSET = (1 << MOST_SAMPLED) - 1

_BY_SIZE = np.zeros((MOST_SAMPLED + 1, _SUBSETS), np.int64)
"""Subsets of n sampled cards, sorted by how many cards they hold."""
_SIZE_START = np.zeros((MOST_SAMPLED + 1, MOST_SAMPLED + 2), np.int64)
"""Where the subsets of each size begin."""
for _n in range(MOST_SAMPLED + 1):
    _BY_SIZE[_n, : 1 << _n] = sorted(range(1 << _n), key=int.bit_count)
    _SIZE_START[_n, 1 : _n + 2] = np.cumsum([comb(_n, size) for size in range(_n + 1)])


@kernel
def list_rows(row, options, owner, n, words, jokers, masks, switches, entries, spare, tally, lists, length):
    """List what one row becomes with every subset of the sample that fills it, strongest first.

    Placements that put the same dealt cards into the row share a list; `owner` i64 (masks,): one of the placements that
    put the dealt cards of each mask there, -1 where none does.
    """
    found = 0
    for dealt in range(owner.shape[0]):
        length[row, dealt] = 0
        if owner[dealt] < 0:
            continue
        option = options[owner[dealt]]
        word, has_jokers, mask = option.word[row], option.jokers[row], option.mask[row]
        free = option.open[row]
        for i in range(_SIZE_START[n, free], _SIZE_START[n, free + 1]):
            subset = _BY_SIZE[n, i]
            code = read_as(
                row, np.uint32(word + words[subset]), has_jokers + jokers[subset], mask | masks[subset], option.board,
                NO_LIMIT, switches,
            )  # fmt: skip
            entries[found] = (np.uint64(code) << _CODE) | np.uint64((dealt << MOST_SAMPLED) | subset)
            found += 1
    sort_descending(entries, found, spare, tally, _CODE)
    for i in range(found):
        dealt = np.int64(entries[i] >> _DEALT) & (owner.shape[0] - 1)
        code = np.int64(entries[i] >> _CODE)
        lists[row, dealt, length[row, dealt]] = (code << MOST_SAMPLED) | (np.int64(entries[i]) & _SUBSET)
        length[row, dealt] += 1


@kernel
def _read_under(row, option, subset, words, jokers, masks, switches, limit):
    """Code of a row read not above a limit; 0 where natural cards leave no choice."""
    if option.jokers[row] + jokers[subset] == 0 or limit <= 0:
        return np.uint16(0)
    return read_as(
        row, np.uint32(option.word[row] + words[subset]), option.jokers[row] + jokers[subset],
        option.mask[row] | masks[subset], option.board, np.uint16(limit), switches,
    )  # fmt: skip


@kernel
def best_filling(fronts, n_fronts, middles, n_middles, backs, n_backs, option, words, jokers, masks, switches, cross,
                  royalty, ceiling, entry, stay, values, foul_cost):  # fmt: skip
    """Value of the best legal filling of the open slots with cards of a sample; minus the foul cost if none is legal.

    `ceiling` f8 (3, N): the most a row of each code or less adds, Fantasyland included. Rows are tried strongest first,
    so a row whose ceiling cannot beat the best so far ends its list.
    """
    low = switches[LOW_MIDDLE] == 1
    most_front = ceiling[0, fronts[0] >> MOST_SAMPLED]
    top_middle = middles[0] >> MOST_SAMPLED
    best = -foul_cost
    for i in range(n_backs):
        in_back, back = backs[i] & _SUBSET, backs[i] >> MOST_SAMPLED
        front_under = min(most_front, ceiling[0, cross[back]])
        if ceiling[2, back] + ceiling[1, top_middle if low else min(back, top_middle)] + front_under <= best:
            break
        worth_back = royalty[2, back]
        for j in range(n_middles):
            in_middle, middle = middles[j] & _SUBSET, middles[j] >> MOST_SAMPLED
            if in_middle & in_back:
                continue
            if low:
                if middle < switches[LOW_WORST] or worth_back + ceiling[1, middle] + front_under <= best:
                    break
                limit = np.int64(cross[back]) - switches[FRONT_STRICT]
            else:
                most = back - switches[BACK_STRICT]
                if middle > most:
                    middle = np.int64(_read_under(1, option, in_middle, words, jokers, masks, switches, most))
                    if middle == 0:
                        continue
                elif worth_back + ceiling[1, middle] + min(most_front, ceiling[0, cross[middle]]) <= best:
                    break
                limit = np.int64(cross[middle]) - switches[MIDDLE_STRICT]
            worth = worth_back + royalty[1, middle]
            for k in range(n_fronts):
                in_front, front = fronts[k] & _SUBSET, fronts[k] >> MOST_SAMPLED
                if not low and worth + ceiling[0, front] <= best:
                    break
                if in_front & (in_back | in_middle):
                    continue
                if front > limit:
                    front = np.int64(_read_under(0, option, in_front, words, jokers, masks, switches, limit))
                    if front == 0:
                        continue
                value = worth + royalty[0, front]
                value += values[next_cards(front, middle, back, 0, True, switches, entry, stay)]
                best = max(best, value)
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
    limit = np.int64(NO_LIMIT)
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
        most = np.int64(NO_LIMIT) if low_row else limit
        if most <= 0:
            return -foul_cost
        code = read_as(row, word, jokers, mask, option.board, np.uint16(most), switches)
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
def carry_out(own, counts, dealt, choice, board, option):
    """The placement `choice` of the cards dealt, as an OPTION."""
    board[:] = own
    for row in range(3):
        option.open[row] = ROW_SIZE[row] - counts[row]
        option.dealt[row] = 0
    for j in range(dealt.shape[0]):
        row = np.int64(choice[j])
        if row != DISCARD:
            board[FIRST_SLOT[row] + ROW_SIZE[row] - option.open[row]] = dealt[j]
            option.open[row] -= 1
            option.dealt[row] |= 1 << j
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
                    sampled, samples, at_random, switches, cross, royalty, ceiling, entry, stay, values, foul_cost,
                    out):  # fmt: skip
    """The placement whose sampled fillings are worth most, by successive halving.

    `sampled`: unseen cards a sample holds (at least the slots a placement leaves open); `samples`: samples a round;
    `at_random`: value one random filling of a sample instead of the best one. Complete boards need no sample: they are
    valued as they are.
    """
    most = 0
    for state in range(144):
        most = max(most, start[state + 1] - start[state])
    alive, totals = np.empty(most, np.int64), np.empty(most, np.float64)
    options = np.empty(most, OPTION)
    unseen, board = np.empty(54, np.uint8), np.empty(13, np.uint8)
    shuffled = np.empty(MOST_SAMPLED, np.uint8)
    words, jokers, masks = np.empty(_SUBSETS, np.uint32), np.empty(_SUBSETS, np.int64), np.empty(_SUBSETS, np.uint64)
    handed = 1 << dealt.shape[1]
    owner = np.empty((3, handed), np.int64)
    lists, length = np.empty((3, handed, _MOST_FILLINGS), np.int64), np.empty((3, handed), np.int64)
    entries, spare = np.empty(handed * _MOST_FILLINGS, np.uint64), np.empty(handed * _MOST_FILLINGS, np.uint64)
    tally = np.empty(2 << DIGIT_BITS, np.int64)
    for i in range(keys.shape[0]):
        state = state_of(counts[i])
        first, left = start[state], start[state + 1] - start[state]
        n_unseen = unseen_cards(own[i], dealt[i], discards[i], opponents[i], opponents_discards[i], deck_size, unseen)
        for option in range(left):
            alive[option], totals[option] = option, 0.0
            carry_out(own[i], counts[i], dealt[i], choices[first + option], board, options[option])
        counter = 0
        while left > 1:
            owner[:] = -1
            for a in range(left):
                for row in range(3):
                    owner[row, options[alive[a]].dealt[row]] = alive[a]
            for _ in range(1 if sampled == 0 else samples):
                for j in range(sampled):
                    other = j + rng.below(keys[i], counter, n_unseen - j)
                    unseen[j], unseen[other] = unseen[other], unseen[j]
                    counter += 1
                if at_random:
                    for a in range(left):
                        totals[alive[a]] += _random_filling(
                            keys[i], counter, unseen, sampled, options[alive[a]], switches, cross, royalty, entry, stay,
                            values, foul_cost, shuffled,
                        )  # fmt: skip
                    counter += MOST_SAMPLED
                    continue
                sum_subsets(unseen, sampled, words, jokers, masks)
                for row in range(3):
                    list_rows(row, options, owner[row], sampled, words, jokers, masks, switches, entries, spare, tally,
                               lists, length)  # fmt: skip
                for a in range(left):
                    option = options[alive[a]]
                    front, middle, back = option.dealt[0], option.dealt[1], option.dealt[2]
                    totals[alive[a]] += best_filling(
                        lists[0, front], length[0, front], lists[1, middle], length[1, middle], lists[2, back],
                        length[2, back], option, words, jokers, masks, switches, cross, royalty, ceiling, entry, stay,
                        values, foul_cost,
                    )  # fmt: skip
            keep = 1 if sampled == 0 else (left + 1) // 2
            _keep_best(alive, totals, left, keep)
            left = keep
        for j in range(dealt.shape[1]):
            out[i, j] = choices[first + alive[0], j]
