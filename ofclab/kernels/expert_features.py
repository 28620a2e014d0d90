"""What Expert's nets look at: 183 numbers of a board with open slots, by row and across rows.

A row's numbers depend on its own cards and on what is unseen alone, so they are worked out once for every set of dealt
cards a placement may put there. hyp(o, k) is the chance of k or more of o cards among the cards still to be dealt. A
middle that is a 2-7 low has other numbers, in as many places.

A joker in a row counts as one more card of the rank that makes the row's class, as an ace where it lies alone, and in a
straight as the missing card that comes least. Jokers still unseen are outs for whatever one card makes.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels.jit import kernel
from ofclab.kernels.rowstate import high_code, low_code, natural_word, read_row
from ofclab.kernels.tables import (
    CARD,
    CATEGORY,
    FULL_HOUSE,
    PAIR,
    QUADS,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
)

SHARED, FRONT_INPUTS, ROW_INPUTS, CROSS = 15, 33, 46, 43
"""How many numbers: of the unseen cards, of the front, of the middle or the back, across rows."""
FIRST_INPUT = np.array([SHARED, SHARED + FRONT_INPUTS, SHARED + FRONT_INPUTS + ROW_INPUTS], np.int64)
"""Where the numbers of front, middle and back begin; those across rows follow."""
FIRST_CROSS = SHARED + FRONT_INPUTS + 2 * ROW_INPUTS
INPUTS = FIRST_CROSS + CROSS

MOST_OUTS, MOST_NEEDED = 16, 5
_PRESENT = 0.45
"""A row more likely than this to become a straight or a flush counts as strong."""
_NONE = np.float32(0)
_JOKER, _ACE = 13, 12
"""The rank of a joker's card id, and the greatest of the others."""
_BIG = 10
"""Queens, as a rank 0..12; they and better up front earn Fantasyland in most rules."""
_SEVEN, _TEN, _FIRST_CHANCE = 5, 8, 15
"""Ranks of a low's greatest card whose chances are told, and where."""
_WHEEL = np.array([0, 1, 2, 3, 5], np.int64)
"""Ranks of the best low, 7-5-4-3-2."""
_LIKELY, _SURE = 0.45, 0.85
"""Chances of a ten low that tell weak, likely and nearly sure lows apart."""

(
    SCORE,  # how strong it is so far: 100 times its class and 7 times its main rank
    GROUP,  # a five: 0 weak, 1 pair, 2 two pair, 3 better or likely so; a front or a low: as said where it is set
    PAIR_RANK,  # rank of a mere pair, -1: none
    LEAST,  # code of the least it may end as when it is complete, -1 when it is not or may read as anything
    MOST,  # code of the most it may end as
) = range(5)
"""Facts of a row, of which the numbers across rows are made."""
N_FACTS, _ANYTHING = 5, 1 << 20


@lru_cache(maxsize=1)
def chance_table() -> NDArray[np.float32]:
    """hyp(o, k) with n unseen cards and T to be dealt, f32 (55, 13, 17, 6) at [n, T, o, k]."""
    table = np.zeros((55, 13, MOST_OUTS + 1, MOST_NEEDED + 1), np.float32)
    for n in range(55):
        for dealt in range(13):
            for outs in range(MOST_OUTS + 1):
                table[n, dealt, outs] = _tail(n, min(dealt, n), min(outs, n))
    table.setflags(write=False)
    return table


def _tail(n: int, dealt: int, outs: int) -> list[float]:
    """Chance of 0, 1, .. MOST_NEEDED or more of so many outs."""
    ways = [comb(outs, hits) * comb(n - outs, dealt - hits) if hits <= dealt else 0 for hits in range(MOST_NEEDED)]
    whole, left, found = comb(n, dealt), comb(n, dealt), []
    for hits in range(MOST_NEEDED + 1):
        found.append(left / whole)
        left -= ways[hits] if hits < MOST_NEEDED else 0
    return found


@kernel
def count_live(unseen, n, live, suit_live):
    """Unseen cards by rank i64 (14,), the jokers last, and natural ones by suit i64 (4,)."""
    live[:] = 0
    suit_live[:] = 0
    for i in range(n):
        live[unseen[i] >> 2] += 1
        suit_live[unseen[i] & 3] += unseen[i] < 52


@kernel
def shared_inputs(n, live, x):
    """The numbers of the unseen cards, f32 (15,)."""
    x[0] = np.float32((n - 32) / 10)
    for rank in range(14):
        x[1 + rank] = np.float32(live[rank])


@kernel
def _pattern(cards, size):
    """Class by multiplicities, the three ranks of most weight, -1 where there are fewer, and the number of jokers."""
    packed = np.int64(0)
    for i in range(size):
        packed += np.int64(1) << np.int64(4 * (cards[i] >> 2))
    jokers = packed >> np.int64(4 * _JOKER)
    if jokers == size:
        packed = jokers << np.int64(4 * _ACE)
    first, second, third = np.int64(-1), np.int64(-1), np.int64(-1)
    for rank in range(12, -1, -1):
        count = (packed >> np.int64(4 * rank)) & 15
        if count == 0:
            continue
        key = 16 * count + rank
        if key > first:
            first, second, third = key, first, second
        elif key > second:
            second, third = key, second
        elif key > third:
            third = key
    most, next_most = first >> 4 if first >= 0 else 0, second >> 4 if second >= 0 else 0
    most += jokers if jokers < size else 0
    kind = np.int64(0)
    if most >= 4:
        kind = QUADS
    elif most == 3:
        kind = FULL_HOUSE if next_most == 2 else TRIPS
    elif most == 2:
        kind = TWO_PAIR if next_most == 2 else PAIR
    return (
        kind, first & 15 if first >= 0 else -1, second & 15 if second >= 0 else -1, third & 15 if third >= 0 else -1,
        jokers,
    )  # fmt: skip


@kernel
def _outs(count):
    return min(count, MOST_OUTS)


@kernel
def _strongest(cards, word, size, jokers, low):
    """Code of a complete five-card row, the strongest that any rules read it as."""
    if jokers == 0:
        return low_code(word) if low else high_code(word)
    mask = natural_word(cards, 0, size)[2]
    return read_row(word, size, jokers, mask, np.uint64(0), True, True, low, np.uint16(65535))


@kernel
def five_inputs(cards, size, live, suit_live, chances, x, facts):
    """Numbers f32 (46,) and facts i64 (5,) of a middle or a back; `chances` f32 (17, 6): hyp of the spot."""
    for i in range(ROW_INPUTS):
        x[i] = np.float32(0)
    free, wild = 5 - size, live[_JOKER]
    kind, main, second, third, jokers = _pattern(cards, size)
    word, first_suit, one_suit, ranks, paired = np.uint32(0), np.int64(-1), True, np.int64(0), False
    for i in range(size):
        x[32 + (cards[i] >> 2)] += np.float32(1)
        if cards[i] >= 52:
            continue
        word = np.uint32(word + CARD[cards[i]])
        suit, bit = np.int64(cards[i] & 3), np.int64(1) << np.int64(cards[i] >> 2)
        one_suit &= first_suit < 0 or suit == first_suit
        first_suit = suit
        paired |= ranks & bit != 0
        ranks |= bit
    code = np.int64(0)
    if size == 5:
        code = np.int64(_strongest(cards, word, size, jokers, False))
        kind = min(np.int64(CATEGORY[code]), np.int64(STRAIGHT_FLUSH))
    x[free], x[6 + kind] = np.float32(1), np.float32(1)
    x[15], x[16], x[17] = np.float32((main + 1) / 13), np.float32((second + 1) / 13), np.float32((third + 1) / 13)
    flush = np.float32(0)
    if first_suit < 0:
        for suit in range(4):
            flush = max(flush, chances[_outs(suit_live[suit] + wild), free])
    elif one_suit:
        flush = chances[_outs(suit_live[first_suit] + wild), free]
    if size > 0 and one_suit:
        x[18] = np.float32(1)
        x[20] = np.float32(size >= 3)
    x[19] = flush
    top, total = np.float32(0), np.float32(0)
    if not paired:
        for low in range(-1, 9):
            inside = np.int64(31) << np.int64(low) if low >= 0 else np.int64(15 | 1 << 12)
            if ranks & ~inside:
                continue
            chance, least, next_least = np.float32(1), np.float32(1), np.float32(1)
            for step in range(5):
                rank = low + step if low + step >= 0 else 12
                if not (ranks >> np.int64(rank)) & 1:
                    card = chances[live[rank] + wild, 1]
                    if jokers > 0 and card < least:
                        card, least = least, card
                    if jokers > 1 and card < next_least:
                        card, next_least = next_least, card
                    chance = np.float32(chance * card)
            top, total = max(top, chance), np.float32(total + chance)
    x[21], x[22] = top, total
    singles = np.int64(0)
    for rank in range(13):
        if x[32 + rank] == np.float32(1):
            singles += live[rank]
    if free > 0 and size > 0:
        x[23], x[26] = chances[live[main] + wild, 1], chances[_outs(singles + wild), 1]
        if second >= 0:
            x[25] = chances[live[second] + wild, 1]
    if free > 1 and size > 0:
        x[24], x[27] = chances[live[main] + wild, 2], chances[_outs(singles + wild), 2]
    if kind == PAIR or kind == TWO_PAIR or kind == 0:
        x[28 if kind == PAIR else 29 if kind == TWO_PAIR else 30] = np.float32((main + 1) / 13)
    if kind == TWO_PAIR and free > 0:
        x[31] = chances[_outs(live[main] + live[second] + wild), 1]
    facts[SCORE] = 100 * kind + 7 * main
    facts[GROUP] = 3 if kind >= TRIPS or flush > _PRESENT or top > _PRESENT else kind
    facts[PAIR_RANK] = main if kind == PAIR else -1
    facts[LEAST] = code if free == 0 and jokers == 0 else -1
    facts[MOST] = code if free == 0 else _ANYTHING


@kernel
def _low_chances(ranks, free, live, chances, hits, x):
    """Chances of a seven, eight, nine, ten low for a row of different `ranks` (bits) with open slots, to x[15:19].

    `hits` f32 (6,) is scratch: chances of so many different ranks so far, each rank taken by itself.
    """
    for count in range(6):
        hits[count] = np.float32(count == 0)
    for rank in range(_TEN + 1):
        if not (ranks >> np.int64(rank)) & 1:
            chance = chances[_outs(live[rank]), 1]
            for count in range(free, 0, -1):
                stays = np.float32(1) if count == free else np.float32(np.float32(1) - chance)
                hits[count] = np.float32(hits[count] * stays + hits[count - 1] * chance)
            hits[0] = np.float32(hits[0] * (np.float32(1) - chance)) if free > 0 else hits[0]
        if rank >= _SEVEN:
            x[_FIRST_CHANCE + rank - _SEVEN] = hits[free] if ranks >> np.int64(rank + 1) == 0 else np.float32(0)


@kernel
def low_inputs(cards, size, live, chances, hits, x, facts):
    """Numbers f32 (46,) and facts i64 (5,) of a middle that is a 2-7 low; `hits` f32 (6,) is scratch.

    Its group is how likely it is a ten low: 0 not at all, 1 maybe, 2 likely, 3 nearly surely.
    """
    for i in range(ROW_INPUTS):
        x[i] = np.float32(0)
    free, word, ranks, jokers = 5 - size, np.uint32(0), np.int64(0), np.int64(0)
    first_suit, one_suit, paired = np.int64(-1), True, False
    for i in range(size):
        rank, suit = np.int64(cards[i] >> 2), np.int64(cards[i] & 3)
        x[32 + rank] += np.float32(1)
        if rank == _JOKER:
            jokers += 1
            continue
        word = np.uint32(word + CARD[cards[i]])
        one_suit &= first_suit < 0 or suit == first_suit
        first_suit = suit
        paired |= (ranks >> rank) & 1 == 1
        ranks |= np.int64(1) << rank
    x[free], x[6] = np.float32(1), np.float32(paired)
    found, lowest, highest = 0, np.int64(0), np.int64(-1)
    for rank in range(12, -1, -1):
        if (ranks >> np.int64(rank)) & 1:
            lowest = rank
            highest = max(highest, rank)
            if found < 3:
                x[8 + found] = np.float32((rank + 1) / 13)
            found += 1
            x[11] += np.float32(rank <= _SEVEN)
    x[7] = np.float32(highest > _TEN)
    x[12], x[13] = np.float32(one_suit and size >= 2), np.float32(one_suit and size >= 3)
    x[14] = np.float32(size >= 3 and not paired and highest - lowest <= 4)
    if not paired:
        _low_chances(ranks, free, live, chances, hits, x)
        wheel, least, next_least, inside = np.float32(1), np.float32(1), np.float32(1), np.int64(0)
        for i in range(5):
            inside |= np.int64(1) << _WHEEL[i]
            if not (ranks >> _WHEEL[i]) & 1:
                card = chances[live[_WHEEL[i]], 1]
                if jokers > 0 and card < least:
                    card, least = least, card
                if jokers > 1 and card < next_least:
                    card, next_least = next_least, card
                wheel = np.float32(wheel * card)
        x[19] = wheel if ranks & ~inside == 0 else np.float32(0)
    ten = x[_FIRST_CHANCE + _TEN - _SEVEN]
    facts[SCORE], facts[PAIR_RANK], facts[LEAST] = 0, -1, -1
    facts[MOST] = _ANYTHING if free > 0 else np.int64(_strongest(cards, word, size, jokers, True))
    if paired:
        facts[MOST] = 0
    facts[GROUP] = 0 if ten == np.float32(0) else 1 if ten < _LIKELY else 2 if ten < _SURE else 3


@kernel
def front_inputs(cards, size, live, chances, x, facts):
    """Numbers f32 (33,) and facts i64 (5,) of a front.

    Its group: 0 nothing, 1 a single that may become a great pair, 2 a pair, 3 queens or better.
    """
    for i in range(FRONT_INPUTS):
        x[i] = np.float32(0)
    free, wild = 3 - size, live[_JOKER]
    kind, main, second, _, jokers = _pattern(cards, size)
    word = np.uint32(0)
    for i in range(size):
        word = np.uint32(word + CARD[cards[i]])
        x[19 + (cards[i] >> 2)] += np.float32(1)
    x[free] = np.float32(1)
    x[4 if kind == 0 else 5 if kind == PAIR else 6] = np.float32(1)
    big = (kind > 0 and main >= _BIG) or kind == TRIPS
    matching, top_single = np.int64(0), np.int64(0)
    if kind > 0:
        x[7] = np.float32((main + 1) / 13)
        x[10] = np.float32(10 + main if kind == TRIPS else max(0, main - 3)) / np.float32(10)
    else:
        x[8], x[9] = np.float32((main + 1) / 13), np.float32((second + 1) / 13)
    x[11] = np.float32(big)
    from_nothing = np.float32(1)
    for rank in range(_BIG, 13):
        held, chance = np.float32(x[19 + rank] + jokers), np.float32(0)
        if held >= np.float32(2):
            chance = np.float32(1)
        elif held == np.float32(1) and free > 0:
            chance = chances[live[rank] + wild, 1]
            if kind == 0:
                matching += live[rank]
        elif held == np.float32(0) and free > 1:
            chance = chances[live[rank] + wild, 2]
            from_nothing = np.float32(from_nothing * (np.float32(1) - chance))
        x[16 + rank - _BIG] = chance
    if free > 0 and kind == 0:
        x[12] = chances[_outs(matching + wild), 1] if matching > 0 else np.float32(0)
        top_single = np.int64(matching > 0)
        x[13] = np.float32(np.float32(1) - from_nothing)
        singles = np.int64(0)
        for rank in range(13):
            singles += live[rank] * np.int64(x[19 + rank])
        if size > 0:
            # With a lone joker any card makes a pair.
            x[15] = np.float32(1) if jokers > 0 else chances[_outs(singles + wild), 1]
    if kind == PAIR and free > 0:
        x[14] = np.float32(1) if jokers == size else chances[live[main] + wild, 1]
    elif kind == 0 and free == 2:
        x[14] = chances[live[main] + wild, 2]
    facts[SCORE], facts[PAIR_RANK] = 100 * kind + 7 * main, main if kind == PAIR else -1
    facts[GROUP] = 3 if big else 2 if kind == PAIR else top_single
    facts[LEAST] = np.int64(high_code(word)) if size == 3 and jokers == 0 else -1
    facts[MOST] = _ANYTHING


@kernel
def _group(facts, row, chosen, score_before):
    """0 weak, 1 a pair above the row before, 2 two pair, 3 trips or better or likely a straight or a flush."""
    group = facts[row, chosen, GROUP]
    return group if group != 1 or facts[row, chosen, SCORE] > score_before else 0


@kernel
def _gap(rank, rank_before):
    """Ranks between two pairs, as a share of all ranks."""
    return np.float32((rank - rank_before) / 13) if rank >= 0 and rank_before >= 0 else _NONE


@kernel
def _sign(x):
    """-1, 0 or 1."""
    return np.float32(np.int64(x > 0) - np.int64(x < 0))


@kernel
def cross_inputs(facts, front, middle, back):
    """Numbers across rows from facts i64 (3, sets, 5) of each row with one of its sets of dealt cards.

    First the plain ones, of places 0-7 and 40-42 of the 43; of places 8-23 and 24-39 one each is 1, and those two are
    returned too. (Numbers and no array: it is the innermost step of screening.) A row with a joker is never called
    over the one behind it, because it may read as less.
    """
    in_front, in_middle, in_back = facts[0, front, SCORE], facts[1, middle, SCORE], facts[2, back, SCORE]
    one, two = np.float32((in_middle - in_front) / 100), np.float32((in_back - in_middle) / 100)
    over_middle = facts[0, front, LEAST] > facts[1, middle, MOST]
    over_back = facts[1, middle, LEAST] > facts[2, back, MOST]
    its_pair, pair_behind = facts[1, middle, PAIR_RANK], facts[2, back, PAIR_RANK]
    plain = (
        one, two, min(one, _NONE), min(two, _NONE), _sign(in_middle - in_front), _sign(in_back - in_middle),
        np.float32(over_middle), np.float32(over_back), _gap(its_pair, facts[0, front, PAIR_RANK]),
        _gap(pair_behind, its_pair), _gap(pair_behind, facts[0, front, PAIR_RANK]),
    )  # fmt: skip
    group = _group(facts, 1, middle, in_front)
    return plain, 8 + 4 * facts[0, front, GROUP] + group, 24 + 4 * group + _group(facts, 2, back, in_middle)


@kernel
def cross_inputs_of_low(facts, front, middle, back, worst):
    """As `cross_inputs` where the middle is a 2-7 low and legal from code `worst` on.

    The back stands to the front as it does elsewhere to the middle; in the place of a group of the middle is how likely
    its low is.
    """
    in_front, in_back = facts[0, front, SCORE], facts[2, back, SCORE]
    ahead = np.float32((in_back - in_front) / 100)
    dead = facts[1, middle, MOST] < worst
    over_back = facts[0, front, LEAST] > facts[2, back, MOST]
    plain = (
        ahead, _NONE, min(ahead, _NONE), _NONE, _sign(in_back - in_front), _NONE, np.float32(dead),
        np.float32(over_back), _NONE, _NONE, _gap(facts[2, back, PAIR_RANK], facts[0, front, PAIR_RANK]),
    )  # fmt: skip
    group = _group(facts, 2, back, in_front)
    return plain, 8 + 4 * facts[0, front, GROUP] + group, 24 + 4 * facts[1, middle, GROUP] + group
