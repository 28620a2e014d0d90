"""Deal hands and carry out placements for many tables at once.

Boards are u8 (..., 13): slots 0-2 front, 3-7 middle, 8-12 back, 255 = open. A placement is one row code a dealt card.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels import rng
from ofclab.kernels.jit import kernel

FRONT, MIDDLE, BACK, DISCARD = range(4)
NOT_PLACED = 4
UNKNOWN_ROW = 5
NO_CARD = 7
OPEN = 255
FIRST_SLOT = np.array([0, 3, 8], np.int64)
ROW_SIZE = np.array([3, 5, 5], np.int64)
_U32 = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)


def cards_a_seat(seats: int) -> int:
    """Cards of the deck reserved for each seat: 17 for two or three seats, 13 for four."""
    return 17 if seats <= 3 else 13


@kernel
def _deal(seed, tables, hand, deck_size, out):
    n, seats, each = out.shape
    deck = np.empty(deck_size, np.uint8)
    for i in range(n):
        for card in range(deck_size):
            deck[card] = card
        key = rng.stream(seed, tables[i], hand, rng.DEAL)
        bits = np.uint64(0)
        for position in range(seats * each):
            if position & 1 == 0:
                bits = rng.draw(key, position)
                half = bits >> _U32
            else:
                half = bits & _LOW_HALF
            other = position + np.int64((half * np.uint64(deck_size - position)) >> _U32)
            deck[position], deck[other] = deck[other], deck[position]
            out[i, position // each, position % each] = deck[position]


def deal(seed: int, tables: NDArray[np.uint64], hand: int, seats: int, jokers: int = 0) -> NDArray[np.uint8]:
    """Every seat's cards in deal order, u8 (tables, seats, 17 or 13), for one hand number of each table.

    Depends on (seed, table, hand) alone: a seat's first 13 cards are the same whether it is dealt 13 or 17, and no rule
    or strategy shifts them.
    """
    out = np.empty((len(tables), seats, cards_a_seat(seats)), np.uint8)
    _deal(np.uint64(seed), np.ascontiguousarray(tables, np.uint64), np.int64(hand), np.int64(52 + jokers), out)
    return out


@kernel
def apply_placements(where, seat, dealt, choice, first, place, boards, counts, hidden, placement):
    """Carry out one street for the tables `where` at one seat; returns -1, or the index of the first illegal placement.

    `dealt` and `choice` u8 (n, k); `first`: position of the street's first card in the seat's deal; `counts` u8
    (T, S, 3): cards a row; `hidden` u16 (T, S): slots of the last three placed cards; `placement` u8 (T, S, 17):
    filled in.
    """
    k = dealt.shape[1]
    for i in range(where.shape[0]):
        table = where[i]
        kept = 0
        for j in range(k):
            row = choice[i, j]
            if row < 3:
                kept += 1
            elif row != DISCARD:
                return i
        if kept != place:
            return i
        for j in range(k):
            row = choice[i, j]
            placement[table, seat, first + j] = row
            if row == DISCARD:
                continue
            filled = counts[table, seat, row]
            if filled >= ROW_SIZE[row]:
                return i
            slot = FIRST_SLOT[row] + filled
            boards[table, seat, slot] = dealt[i, j]
            if np.int64(counts[table, seat, 0]) + counts[table, seat, 1] + counts[table, seat, 2] >= 10:
                hidden[table, seat] |= np.uint16(1 << slot)
            counts[table, seat, row] = filled + 1
    return -1


@kernel
def look(where, seat, fantasyland, playing, boards, hidden, face_down, cards, placement, dealt_so_far, reveal,
         own, opponents, opponents_fantasyland, discards, opponents_discards):  # fmt: skip
    """What one seat sees at the tables `where`: its own rows and discards, and the others' from its left.

    Boards in Fantasyland stay hidden, and so do the last three cards where `face_down`; discards of others show only
    where `reveal`. `dealt_so_far[s]`: cards seat s has been dealt and has placed.
    """
    seats = boards.shape[1]
    for i in range(where.shape[0]):
        table = where[i]
        for slot in range(13):
            own[i, slot] = boards[table, seat, slot]
        n = 0
        for j in range(dealt_so_far[table, seat]):
            if placement[table, seat, j] == DISCARD:
                discards[i, n] = cards[table, seat, j]
                n += 1
        for step in range(1, seats):
            other = (seat + step) % seats
            came_in = fantasyland[table, other]
            opponents_fantasyland[i, step - 1] = came_in if playing[table, other] else OPEN
            for slot in range(13):
                card = boards[table, other, slot]
                if came_in > 0 or (face_down and (hidden[table, other] >> slot) & 1):
                    card = np.uint8(OPEN)
                opponents[i, step - 1, slot] = card
            if reveal and came_in == 0:
                n = 0
                for j in range(dealt_so_far[table, other]):
                    if placement[table, other, j] == DISCARD:
                        opponents_discards[i, step - 1, n] = cards[table, other, j]
                        n += 1


@kernel
def place_fantasyland(where, seats, cards, came_in, masks, boards, placement):
    """Lay out Fantasyland hands: `masks` u32 (n, 3) of card positions for front, middle, back."""
    for i in range(where.shape[0]):
        table, seat = where[i], seats[i]
        filled = np.zeros(3, np.int64)
        for j in range(came_in[i]):
            row = DISCARD
            for r in range(3):
                if (masks[i, r] >> np.uint32(j)) & np.uint32(1):
                    row = r
            placement[table, seat, j] = row
            if row != DISCARD:
                boards[table, seat, FIRST_SLOT[row] + filled[row]] = cards[table, seat, j]
                filled[row] += 1


@kernel
def decision_keys(seed, tables, hand, seat, street, out):
    """The stream of each decision, u64 (n,)."""
    for i in range(tables.shape[0]):
        out[i] = rng.stream(seed, tables[i], hand, rng.decision_purpose(seat, street))
