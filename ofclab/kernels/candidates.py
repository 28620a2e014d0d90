"""Candidate rows of a Fantasyland hand: every front and every five of 13 to 17 cards with its code, best first.

A plain entry is a uint32 `code << 17 | cards`, bit i of the cards = the i-th card of the hand. A joker may read as a card
of the hand only where that card is thrown away (may_copy none), so the wide entry of a row that holds jokers is a uint64
`order << 48 | code << 34 | needs << 17 | cards`: `needs` are the cards that must be discarded for this reading, `order`
a key to sort by.
"""

from __future__ import annotations

import numpy as np

from ofclab.kernels.jit import kernel
from ofclab.kernels.rowstate import high_code, low_code, slot_of
from ofclab.kernels.tables import CARD, FIRST_FIVE_OF_A_KIND, HIGH, LOW, SLOTS

CARD_BITS = 17
WIDE_NEEDS, WIDE_CODE, WIDE_ORDER = 17, 34, 48
MOST_READINGS = 1536
"""Room for the readings of one row: at most 16 for each of 78 pairs of ranks, 7 for each rank twice, and the flushes."""

_CARDS = np.uint32((1 << CARD_BITS) - 1)
_ENTRY = np.uint64((1 << WIDE_ORDER) - 1)
_SUITED = np.uint32(0x24900000)
_SLOTS = np.uint32(SLOTS)
_DIGIT = 7


@kernel
def list_fronts(words, n, out):
    """Plain entries of all fronts of the first n cards, unsorted; returns how many."""
    count = 0
    for i in range(n - 2):
        for j in range(i + 1, n - 1):
            two = np.uint32(words[i] + words[j])
            cards = np.uint32(np.uint32(1 << i) | np.uint32(1 << j))
            for k in range(j + 1, n):
                code = np.uint32(high_code(np.uint32(two + words[k])))
                out[count] = np.uint32(code << np.uint32(CARD_BITS)) | cards | np.uint32(1 << k)
                count += 1
    return count


@kernel
def list_fives(words, n, pair_words, pair_cards, out):
    """Plain entries of all fives of the first n cards, unsorted; returns how many.

    Sums of three meet sums of two: 2.2 times faster than five nested loops.
    """
    pairs = 0
    for i in range(n - 1):
        for j in range(i + 1, n):
            pair_words[pairs] = np.uint32(words[i] + words[j])
            pair_cards[pairs] = np.uint32(np.uint32(1 << i) | np.uint32(1 << j))
            pairs += 1
    count = 0
    for i in range(n - 4):
        for j in range(i + 1, n - 3):
            two = np.uint32(words[i] + words[j])
            two_cards = np.uint32(np.uint32(1 << i) | np.uint32(1 << j))
            for k in range(j + 1, n - 2):
                three = np.uint32(two + words[k])
                cards = np.uint32(two_cards | np.uint32(1 << k))
                # The pairs stand in order of their first card: those beyond k are the last ones.
                for pair in range((k + 1) * (2 * n - k - 2) >> 1, pairs):
                    code = np.uint32(high_code(np.uint32(three + pair_words[pair])))
                    out[count] = np.uint32(code << np.uint32(CARD_BITS)) | cards | pair_cards[pair]
                    count += 1
    return count


@kernel
def list_lows(words, n, worst, out):
    """Plain entries of the 2-7 lows of the first n cards that are no worse than `worst`, unsorted."""
    count = 0
    for i in range(n - 4):
        for j in range(i + 1, n - 3):
            two = np.uint32(words[i] + words[j])
            for k in range(j + 1, n - 2):
                three = np.uint32(two + words[k])
                for m in range(k + 1, n - 1):
                    four = np.uint32(three + words[m])
                    cards = np.uint32((1 << i) | (1 << j) | (1 << k) | (1 << m))
                    for last in range(m + 1, n):
                        code = np.uint32(low_code(np.uint32(four + words[last])))
                        if code >= worst:
                            out[count] = np.uint32(code << np.uint32(CARD_BITS)) | cards | np.uint32(1 << last)
                            count += 1
    return count


@kernel
def sort_descending(entries, n, spare, tally, shift):
    """Sort the first n entries by the 14 bits from `shift` on, greatest first: two stable counting passes."""
    size = 1 << _DIGIT
    tally[:] = 0
    for i in range(n):
        key = np.int64(entries[i] >> shift)
        tally[key & (size - 1)] += 1
        tally[size + (key >> _DIGIT)] += 1
    for half in range(2):
        total = 0
        for digit in range(size - 1, -1, -1):
            here = tally[half * size + digit]
            tally[half * size + digit] = total
            total += here
    for i in range(n):
        digit = np.int64(entries[i] >> shift) & (size - 1)
        spare[tally[digit]] = entries[i]
        tally[digit] += 1
    for i in range(n):
        digit = size + (np.int64(spare[i] >> shift) >> _DIGIT)
        entries[tally[digit]] = spare[i]
        tally[digit] += 1


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

    `own`, `free`, `held`: 52-bit sets of the row's natural cards, of the cards a joker may read as outright, and of those
    it may read as once discarded, whose bits in the hand are in `place`. A reading is left out only where another has
    the same code and needs nothing. The readings are those of `ofclab.kernels.rowstate.read_row`, found rank by rank.
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
def widen(plain, count, wide, start):
    """Turn plain entries into wide ones, written from `start` on; returns where they end."""
    for i in range(count):
        entry = np.uint64(plain[i])
        wide[start + i] = (entry >> np.uint64(CARD_BITS)) << np.uint64(WIDE_CODE) | (entry & np.uint64(_CARDS))
    return start + count


@kernel
def narrow(wide, count, plain):
    """Turn wide entries that need no discard into plain ones."""
    for i in range(count):
        entry = wide[i] & _ENTRY
        plain[i] = np.uint32(entry >> np.uint64(WIDE_CODE) << np.uint64(CARD_BITS) | (entry & np.uint64(_CARDS)))


@kernel
def list_joker_rows(hand, natural, jokers, size, reading, low, worst, every, codes, needs, wide, count):  # type: ignore[no-untyped-def]
    """Append the wide entries of all rows of `size` cards with at least one joker; returns the new count.

    `hand`: card ids, the natural ones first. `reading`: what jokers may read as: the free and the held cards as in
    `list_readings`, whether a row's own cards are barred, the bits of held cards, whether two jokers may read as one card,
    whether five of a kind exists. With `every` each reading is an entry; else only the strongest one that needs no discard
    and the stronger ones that do. Codes below `worst` are left out.
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
                entry = np.uint64(codes[i]) << np.uint64(WIDE_CODE) | np.uint64(needs[i]) << np.uint64(WIDE_NEEDS)
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
