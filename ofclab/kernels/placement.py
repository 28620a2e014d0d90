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
_FIRST_SLOTS, _SIZES = np.uint32(0x00080300), np.uint32(0xFF050503)
"""First slot and size of front, middle, back in a byte each; any number of cards may be thrown away."""
_U32 = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_BYTE, _LOW_BYTE = np.uint32(8), np.uint32(255)
_0, _1, _2, _3 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)


def cards_a_seat(seats: int) -> int:
    """Cards of the deck reserved for each seat: 17 for two or three seats, 13 for four."""
    return 17 if seats <= 3 else 13


@kernel
def _deal(seed, tables, hand, deck_size, out):
    n, seats, each = out.shape
    dealt, size, one = np.uint64(seats * each), np.uint64(deck_size), np.uint64(1)
    deck, sorted_deck = np.empty(deck_size, np.uint8), np.arange(deck_size).astype(np.uint8)
    flat = out.reshape(n, seats * each)
    for i in range(n):
        deck[:] = sorted_deck
        key = rng.stream(seed, tables[i], hand, rng.DEAL)
        bits = np.uint64(0)
        for position in range(dealt):
            if position & one == 0:
                bits = rng.draw(key, position)
                half = bits >> _U32
            else:
                half = bits & _LOW_HALF
            other = position + ((half * (size - position)) >> _U32)
            card = deck[other]
            deck[other] = deck[position]
            flat[i, position] = card


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
    mine, cards = np.uint64(seat), np.uint64(dealt.shape[1])
    for i in range(np.uint64(where.shape[0])):
        table = np.uint64(where[i])
        # Cards of front, middle, back and discards in a byte each: which row comes is hard to foresee, so no branch
        # hangs on it.
        front, middle, back = counts[table, mine, _0], counts[table, mine, _1], counts[table, mine, _2]
        placed = np.uint32(np.uint32(front) + np.uint32(middle + back))
        filled = np.uint32(np.uint32(front) | (np.uint32(middle) << _BYTE) | (np.uint32(back) << np.uint32(16)))
        legal = True
        for j in range(cards):
            row = np.uint32(choice[i, j])
            shift = np.uint32(_BYTE * (row & np.uint32(3)))
            here = np.uint32((filled >> shift) & _LOW_BYTE)
            legal &= (row <= np.uint32(DISCARD)) & (here < np.uint32((_SIZES >> shift) & _LOW_BYTE))
            filled = np.uint32(filled + np.uint32(np.uint32(1) << shift))
            placement[table, mine, np.uint64(first) + j] = row
            if row != np.uint32(DISCARD):
                slot = np.uint64(np.uint32((_FIRST_SLOTS >> shift) & _LOW_BYTE) + here) if legal else _0
                boards[table, mine, slot] = dealt[i, j]
                if placed >= np.uint32(10):
                    hidden[table, mine] |= np.uint16(_1 << slot)
                placed = np.uint32(placed + np.uint32(1))
        if not legal or (filled >> np.uint32(24)) != np.uint32(dealt.shape[1] - place):
            return np.int64(i)
        for row in range(_3):
            counts[table, mine, row] = (filled >> np.uint32(_BYTE * np.uint32(row))) & _LOW_BYTE
    return -1


@kernel
def seat_orders(button, playing, order, position):
    """Playing seats from the dealer's left, 255 behind the last, and the place of each seat: 1.., 0 = sits out."""
    seats = order.shape[1]
    for table in range(order.shape[0]):
        filled = 0
        for step in range(1, seats + 1):
            order[table, step - 1] = 255
            seat = (np.int64(button[table]) + step) % seats
            if playing[table, seat]:
                order[table, filled] = seat
                filled += 1
                position[table, seat] = filled
            else:
                position[table, seat] = 0


@kernel
def show_cards(dealt, playing, came_in, seen, out):
    """Fill `out` u8 (T, S, 17) with the cards each seat is dealt: `seen` in streets, or as many as it came in with."""
    for table in range(out.shape[0]):
        for seat in range(out.shape[1]):
            shown = np.int64(came_in[table, seat])
            if shown == 0:
                shown = seen
            shown = min(shown, dealt.shape[2]) if playing[table, seat] else 0
            for j in range(17):
                out[table, seat, j] = dealt[table, seat, j] if j < shown else np.uint8(OPEN)


@kernel
def find_decisions(order, turn, fantasyland, seat, stream_keys, cards, first, counts, where, keys, dealt, own_counts):
    """Find the tables where a seat acts at this turn, and what it is dealt; returns how many there are.

    `stream_keys` u64 (T,): the seat's streams on this street; `dealt` u8 (T, k) takes the cards from position `first`.
    """
    n = _0
    mine, at, cards_each = np.uint64(seat), np.uint64(first), np.uint64(dealt.shape[1])
    for table in range(np.uint64(order.shape[0])):
        if order[table, np.uint64(turn)] != seat or fantasyland[table, mine] > 0:
            continue
        where[n], keys[n] = table, stream_keys[table]
        for j in range(cards_each):
            dealt[n, j] = cards[table, mine, at + j]
        for row in range(_3):
            own_counts[n, row] = counts[table, mine, row]
        n += _1
    return np.int64(n)


@kernel
def look(where, seat, fantasyland, playing, boards, hidden, face_down, cards, placement, known, reveal,
         own, opponents, opponents_fantasyland, discards, opponents_discards):  # fmt: skip
    """What one seat sees at the tables `where`: its own rows and discards, and the others' from its left.

    Boards in Fantasyland stay hidden, and so do the last three cards where `face_down`; discards of others show only
    where `reveal`. Nobody has placed more than the first `known` cards.
    """
    seats = boards.shape[1]
    for i in range(where.shape[0]):
        table = where[i]
        for slot in range(13):
            own[i, slot] = boards[table, seat, slot]
        n = 0
        for j in range(known):
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
                for j in range(known):
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
