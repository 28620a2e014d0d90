"""Rows that hold jokers: every way they can read, and the candidate rows these make in a Fantasyland hand.

Under may_copy none a joker may read as a card of the hand only where that card is thrown away. So the wide entry of a
row is a uint64 `order << 48 | code << 34 | needs << 17 | cards`: the cards it places, the cards that must be discarded
for this reading, its code, and a key to sort by.
"""

from __future__ import annotations

import numpy as np

from ofclab.kernels.candidates import CARD_BITS
from ofclab.kernels.jit import kernel
from ofclab.kernels.rowstate import slot_of
from ofclab.kernels.tables import CARD, FIRST_FIVE_OF_A_KIND, HIGH, LOW, SLOTS

NEEDS_SHIFT, CODE_SHIFT, ORDER_SHIFT = 17, 34, 48
MOST_READINGS = 1536
"""Room for the readings of one row: at most 17 for each of 78 pairs of ranks and 7 for each rank twice."""

_NEEDS, _CODE, _ORDER = np.uint64(NEEDS_SHIFT), np.uint64(CODE_SHIFT), np.uint64(ORDER_SHIFT)
_CARDS = np.uint64((1 << CARD_BITS) - 1)
_CODE_MASK = np.uint64((1 << ORDER_SHIFT - CODE_SHIFT) - 1)
_SUITED = np.uint32(0x24900000)
_SLOTS = np.uint32(SLOTS)


@kernel
def wide_code(entry):
    """Row code of a wide entry."""
    return np.int64(entry >> _CODE & _CODE_MASK)


@kernel
def clash(a, b):
    """Cards that two wide entries both place, or one places and the other needs discarded."""
    return (a & (b | b >> _NEEDS) | a >> _NEEDS & b) & _CARDS


@kernel
def widen(plain, count, wide):
    """Turn plain entries into wide ones; returns how many."""
    for i in range(count):
        entry = np.uint64(plain[i])
        wide[i] = (entry >> np.uint64(CARD_BITS)) << _CODE | (entry & _CARDS)
    return count


@kernel
def narrow(wide, count, plain):
    """Turn wide entries that need no discard into plain ones."""
    for i in range(count):
        plain[i] = np.uint32(np.uint64(wide_code(wide[i])) << np.uint64(CARD_BITS) | (wide[i] & _CARDS))


@kernel
def key_by(order, wide, count):
    """Give wide entries the sorting keys of their codes."""
    for i in range(count):
        wide[i] |= np.uint64(order[wide_code(wide[i])]) << _ORDER


@kernel
def greatest_code(wide, count):
    """The greatest row code of a wide list, 0 for an empty one."""
    greatest = 0
    for i in range(count):
        greatest = max(greatest, wide_code(wide[i]))
    return greatest


@kernel
def _code(word, suited, low):
    slot = slot_of(word)
    if suited:
        slot = np.uint32(slot + _SLOTS)
    return np.int64(LOW[slot]) if low else np.int64(HIGH[slot])


@kernel
def _suit_of(word, natural):
    """Bit (1, 2, 4, 8) of the suit that all three or four natural cards of a five share, 0 when they do not."""
    found = (word >> np.uint32(2)) & _SUITED if natural == 4 else word & (word >> np.uint32(1)) & _SUITED
    for suit in range(4):
        if (found >> np.uint32(20 + 3 * suit)) & np.uint32(1):
            return 1 << suit
    return 0


@kernel
def _lone_rank(own):
    """The rank that all of a row's natural cards share, -1 when they do not."""
    lone = -1
    for rank in range(13):
        if (own >> (4 * rank)) & 15:
            if lone >= 0:
                return -1
            lone = rank
    return lone


@kernel
def _two_of_a_rank(code, free, held, rank, place, codes, needs, count):
    """Readings of two jokers as two different cards of one rank."""
    free_cards = (free & 1) + (free >> 1 & 1) + (free >> 2 & 1) + (free >> 3 & 1)
    if free_cards >= 2:
        codes[count], needs[count] = code, 0
        return count + 1
    for first in range(4):
        if not (held >> first) & 1:
            continue
        if free_cards == 1:
            codes[count], needs[count] = code, place[4 * rank + first]
            count += 1
            continue
        for second in range(first + 1, 4):
            if (held >> second) & 1:
                codes[count], needs[count] = code, place[4 * rank + first] | place[4 * rank + second]
                count += 1
    return count


@kernel
def list_readings(word, size, jokers, own, free, held, place, may_repeat, five_of_a_kind, low, codes, needs):
    """Every reading of a row with one or two jokers: its codes and the cards each needs discarded; returns how many.

    `own`, `free`, `held`: 52-bit sets of the row's natural cards, of the cards a joker may read as outright, and of
    those it may read as once discarded, whose bits in the hand are in `place`. A reading is left out only where another
    has the same code and needs nothing. The readings are those of `ofclab.kernels.rowstate.read_row`, rank by rank.
    """
    count = 0
    suit = _suit_of(word, size - jokers) if size == 5 else 0
    lone = _lone_rank(own) if size == 5 else -1
    for first in range(13):
        one = np.uint32(word + CARD[4 * first])
        free_1, held_1 = (free >> (4 * first)) & 15, (held >> (4 * first)) & 15
        if jokers == 1:
            if lone == first:
                if five_of_a_kind and not low and free_1:
                    codes[count], needs[count] = FIRST_FIVE_OF_A_KIND + lone, 0
                    count += 1
                continue
            if free_1 & ~suit:
                codes[count], needs[count] = _code(one, False, low), 0
                count += 1
            else:
                for other in range(4):
                    if (held_1 & ~suit) >> other & 1:
                        codes[count], needs[count] = _code(one, False, low), place[4 * first + other]
                        count += 1
            if (free_1 | held_1) & suit:
                codes[count], needs[count] = _code(one, True, low), 0
                if held_1 & suit:
                    for same in range(4):
                        if suit >> same & 1:
                            needs[count] = place[4 * first + same]
                count += 1
            continue
        for second in range(first, 13):
            two = np.uint32(one + CARD[4 * second])
            free_2, held_2 = (free >> (4 * second)) & 15, (held >> (4 * second)) & 15
            if lone == first and lone == second:
                if five_of_a_kind and may_repeat and not low and free_1:
                    codes[count], needs[count] = FIRST_FIVE_OF_A_KIND + lone, 0
                    count += 1
                continue
            if first == second:
                count = _two_of_a_rank(_code(two, False, low), free_1, held_1, first, place, codes, needs, count)
                if may_repeat and free_1 & suit:
                    codes[count], needs[count] = _code(two, True, low), 0
                    count += 1
                continue
            outright = free_1 != 0 and free_2 != 0 and (suit == 0 or free_1 | free_2 != suit)
            if outright:
                codes[count], needs[count] = _code(two, False, low), 0
                count += 1
            for a in range(4):
                for b in range(4):
                    if not ((free_1 | held_1) >> a & 1 and (free_2 | held_2) >> b & 1):
                        continue
                    suited = a == b and (suit >> a & 1) == 1
                    if outright and not suited:
                        continue
                    codes[count] = _code(two, suited, low)
                    needs[count] = 0
                    if held_1 >> a & 1:
                        needs[count] |= place[4 * first + a]
                    if held_2 >> b & 1:
                        needs[count] |= place[4 * second + b]
                    count += 1
    return count


@kernel
def list_joker_rows(hand, natural, jokers, size, reading, low, worst, every, codes, needs, wide, count):
    """Append the wide entries of all rows of `size` cards with at least one joker; returns the new count.

    `hand`: card ids, the natural ones first. `reading`: what jokers may read as: the free and the held cards as in
    `list_readings`, whether a row's own cards are barred, the bits of held cards, whether two jokers may read as one
    card, whether five of a kind exists. With `every` each reading is an entry; else only the strongest one that needs
    no discard and the stronger ones that do. Codes below `worst` are left out.
    """
    free, held, own_barred, place, may_repeat, five_of_a_kind = reading
    for inside in range(1, jokers + 1):
        taken = size - inside
        chosen = (1 << taken) - 1
        while chosen < 1 << natural:
            word, own = np.uint32(0), 0
            for i in range(natural):
                if chosen >> i & 1:
                    word = np.uint32(word + CARD[hand[i]])
                    own |= 1 << hand[i]
            usable = free & ~own if own_barred else free
            found = list_readings(
                word, size, inside, own, usable, held & ~own, place, may_repeat, five_of_a_kind, low, codes, needs
            )
            outright = 0
            if not every:
                for i in range(found):
                    if needs[i] == 0 and codes[i] > outright:
                        outright = codes[i]
            for i in range(found):
                if codes[i] < worst or (not every and (codes[i] < outright or (codes[i] == outright and needs[i]))):
                    continue
                entry = np.uint64(codes[i]) << _CODE | np.uint64(needs[i]) << _NEEDS
                entry |= np.uint64(chosen)
                if inside == 2:
                    wide[count] = entry | np.uint64(3 << natural)
                    count += 1
                else:
                    for joker in range(jokers):
                        wide[count] = entry | np.uint64(1 << (natural + joker))
                        count += 1
            lowest = chosen & -chosen
            carry = chosen + lowest
            chosen = (((carry ^ chosen) >> 2) // lowest) | carry
    return count
