"""What the open slots of a row can still become: multisets of ranks with the codes they could give the row.

Counts of the 13 ranks are packed in a uint64, four bits a rank; sets of cards are uint64 with bit 4 * rank + suit.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels.jit import kernel
from ofclab.kernels.placement import DISCARD, FIRST_SLOT, OPEN, ROW_SIZE
from ofclab.kernels.rowstate import slot_of
from ofclab.kernels.scoring import COPY_ANY, FIVE_OF_A_KIND_ALLOWED, LOW_MIDDLE, MAY_COPY
from ofclab.kernels.tables import CARD, FIRST_FIVE_OF_A_KIND, HIGH, LOW, SLOTS, multisets, row_key

STRONGEST, STRONGEST_BY_SUITS, WEAKEST, EVERY = range(4)
HIGHEST = 65535
MOST_FILLS = 6175
MOST_JOKER_CODES = 2 * 455 * 91
"""Two codes (suited or not) for each reading of two jokers beside each fill of three slots, the longest list."""

_KEY = np.uint32((1 << 20) - 1)
_SLOTS = np.uint32(SLOTS)
_NATURAL = np.uint64((1 << 52) - 1)
_THREES, _FIVES, _SIXES, _EIGHTS = (np.uint64(n * 0x1111111111111) for n in (3, 5, 6, 8))
_U1, _U2, _U4, _U15 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(15)


class FillTables(NamedTuple):
    """Multisets of 0 to 5 ranks: where each size starts, sums of rank keys, counts, whether no rank repeats."""

    start: NDArray[np.int64]
    keys: NDArray[np.uint32]
    counts: NDArray[np.uint64]
    distinct: NDArray[np.bool_]


class RowStates(NamedTuple):
    """A board in play: its slots; by row the cards, and of the natural ones rank keys, counts and suits; the jokers.

    ``suits``: bits of the suits in which the row may still become a flush, 0 in front.
    """

    board: NDArray[np.uint8]
    filled: NDArray[np.int64]
    keys: NDArray[np.uint32]
    counts: NDArray[np.uint64]
    suits: NDArray[np.int64]
    jokers: NDArray[np.int64]


class FillLists(NamedTuple):
    """Fills listed for the three rows, each row from ``first`` on: a code and the index of the multiset."""

    codes: NDArray[np.int32]
    fills: NDArray[np.int32]
    first: NDArray[np.int64]


@cache
def fill_tables() -> FillTables:
    """The multisets, built on first use."""
    every = [list(multisets(size)) for size in range(6)]
    flat = [ranks for sets in every for ranks in sets]
    return FillTables(
        np.cumsum([0] + [len(sets) for sets in every]),
        np.array([row_key(ranks) for ranks in flat], np.uint32),
        np.array([sum(1 << 4 * rank for rank in ranks) for ranks in flat], np.uint64),
        np.array([len(set(ranks)) == len(ranks) for ranks in flat]),
    )


def row_states() -> RowStates:
    """An empty board."""
    return RowStates(
        np.empty(13, np.uint8),
        np.empty(3, np.int64),
        np.empty(3, np.uint32),
        np.empty(3, np.uint64),
        np.empty(3, np.int64),
        np.empty(3, np.int64),
    )


def fill_lists(jokers: bool) -> FillLists:
    """Room for the lists of any board, of a deck with jokers or without."""
    room = 2 * MOST_FILLS + (MOST_JOKER_CODES if jokers else 2 * MOST_FILLS)
    return FillLists(
        np.empty(room, np.int32), np.empty(room, np.int32), np.array([0, 2 * MOST_FILLS, MOST_FILLS], np.int64)
    )


@kernel
def holds(supply, need):
    """Tell whether a supply covers a need in every rank."""
    return ((supply | _EIGHTS) - need) & _EIGHTS == _EIGHTS


@kernel
def rank_counts(cards):
    """How many cards of each rank a set holds."""
    pairs = cards - ((cards >> _U1) & _FIVES)
    return (pairs & _THREES) + ((pairs >> _U2) & _THREES)


@kernel
def covering_suit(need, suits, unseen):
    """A suit among the bits of `suits` in which every rank of a need is unseen; -1 when there is none."""
    for suit in range(4):
        if (suits >> suit) & 1 and (need << np.uint64(suit)) & ~unseen == 0:
            return suit
    return -1


@kernel
def read_state(cards, placement, dealt, deck_size, seen, state):
    """Fill `state` with the board after `dealt` cards; returns the natural cards and the number of jokers not seen."""
    state.board[:] = OPEN
    state.filled[:] = 0
    state.keys[:] = 0
    state.counts[:] = 0
    state.jokers[:] = 0
    state.suits[0], state.suits[1], state.suits[2] = 0, 15, 15
    for j in range(dealt):
        card, row = np.int64(cards[j]), placement[j]
        if card == OPEN:
            continue
        seen |= _U1 << np.uint64(card)
        if row >= DISCARD:
            continue
        state.board[FIRST_SLOT[row] + state.filled[row]] = card
        state.filled[row] += 1
        if card >= 52:
            state.jokers[row] += 1
            continue
        state.keys[row] += CARD[card] & _KEY
        state.counts[row] += _U1 << np.uint64(card & ~3)
        state.suits[row] &= 1 << (card & 3)
    jokers = 0
    for joker in range(52, deck_size):
        jokers += (seen >> np.uint64(joker)) & _U1 == 0
    return ~seen & _NATURAL, jokers


@kernel
def list_fills(goal, row, state, unseen, supply, least, most, switches, tables, lists):
    """List the fills of a row whose code may lie from `least` to `most`; returns how many.

    `goal`: the greatest code of each fill, the greatest with and without a flush, the least, or every code. A code is
    listed where some suits of the fill and some reading of the row's jokers give it.
    """
    open_slots, jokers = ROW_SIZE[row] - state.filled[row], state.jokers[row]
    low = row == 1 and switches[LOW_MIDDLE] == 1
    repeats = switches[MAY_COPY] == COPY_ANY
    five_of_a_kind = repeats and switches[FIVE_OF_A_KIND_ALLOWED] == 1 and not low
    suits = state.suits[row]
    # A row of five natural cards of one suit reads as a flush only.
    plain = suits == 0 or open_slots > 0 or jokers > 0
    start, first, listed = tables.start, lists.first[row], lists.first[row]
    for fill in range(start[open_slots], start[open_slots + 1]):
        need = tables.counts[fill]
        if not holds(supply, need):
            continue
        key, held = np.uint32(state.keys[row] + tables.keys[fill]), state.counts[row] + need
        suited = suits != 0 and tables.distinct[fill] and covering_suit(need, suits, unseen) >= 0
        strongest, strongest_plain, weakest = np.int64(-1), np.int64(-1), np.int64(HIGHEST + 1)
        for reading in range(start[jokers], start[jokers + 1]):
            read = held + tables.counts[reading]
            code_plain, code_suited = np.int64(-1), np.int64(-1)
            if (read + _THREES) & _EIGHTS:
                if five_of_a_kind:
                    code_plain = np.int64(FIRST_FIVE_OF_A_KIND)
                    while read & _U15 == 0:
                        read >>= _U4
                        code_plain = np.int64(code_plain + 1)
            else:
                slot = slot_of(np.uint32(key + tables.keys[reading]))
                if plain:
                    code_plain = np.int64(LOW[slot]) if low else np.int64(HIGH[slot])
                if suited and (repeats or (read + _SIXES) & _EIGHTS == 0):
                    slot = np.uint32(slot + _SLOTS)
                    code_suited = np.int64(LOW[slot]) if low else np.int64(HIGH[slot])
            if goal == EVERY:
                if code_plain >= 0 and least <= code_plain <= most:
                    lists.codes[listed], lists.fills[listed] = code_plain, fill
                    listed += 1
                if code_suited >= 0 and least <= code_suited <= most:
                    lists.codes[listed], lists.fills[listed] = code_suited, fill
                    listed += 1
                continue
            strongest = max(strongest, code_plain, code_suited)
            strongest_plain = max(strongest_plain, code_plain)
            if code_plain >= 0:
                weakest = min(weakest, code_plain)
        code = weakest if goal == WEAKEST else strongest
        if goal != EVERY and code >= 0 and least <= code <= most:
            lists.codes[listed], lists.fills[listed] = code, fill
            listed += 1
        if goal == STRONGEST_BY_SUITS and suited and open_slots > 0 and least <= strongest_plain <= most:
            lists.codes[listed], lists.fills[listed] = strongest_plain, fill
            listed += 1
    return listed - first
