"""Between the columns of a part and the arrays of the kernels."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.cards import UNSEEN
from ofclab.kernels.placement import DISCARD
from ofclab.log.schema import CARD_COLUMNS

Cards = NDArray[np.uint8]

_BITS, _SEVEN = np.uint64(3), np.uint64(7)
_ONE = np.uint64(1)
MOST_CARDS = 54
"""Ids of cards are below this."""


def pack_placement(codes: Cards) -> NDArray[np.uint64]:
    """Placement codes (n, 17) as one u64 a seat, 3 bits a card, the first card lowest."""
    packed = np.zeros(len(codes), np.uint64)
    for i in range(17):
        packed |= codes[:, i].astype(np.uint64) << np.uint64(3 * i)
    return packed


def unpack_placement(packed: NDArray[np.uint64]) -> Cards:
    """Placement codes u8 (n, 17) from the u64 of each seat."""
    codes = np.empty((len(packed), 17), np.uint8)
    left = packed.astype(np.uint64)
    for i in range(17):
        codes[:, i] = left & _SEVEN
        left = left >> _BITS
    return codes


def card_array(seats: pl.DataFrame) -> Cards:
    """Card ids u8 (n, 17) in deal order."""
    cards = np.empty((seats.height, 17), np.uint8)
    for i, name in enumerate(CARD_COLUMNS):
        cards[:, i] = seats[name].to_numpy()
    return cards


def placement_array(seats: pl.DataFrame) -> Cards:
    """Placement codes u8 (n, 17) in deal order."""
    return unpack_placement(seats["placement"].to_numpy())


_BOARD = np.repeat(np.arange(3, dtype=np.uint16), (3, 5, 5))


def boards(cards: Cards, codes: Cards) -> tuple[Cards, NDArray[np.bool_]]:
    """Board cards u8 (n, 13): front 3, middle 5, back 5; and which seats have just these rows, of real cards."""
    keys = codes.astype(np.uint16) << np.uint16(8) | cards
    keys.sort(axis=1)
    kept, behind = keys[:, :13], keys[:, 13]
    board = (kept & np.uint16(255)).astype(np.uint8)
    whole = ((kept >> np.uint16(8)) == _BOARD).all(axis=1) & (behind >= DISCARD << 8) & (board < MOST_CARDS).all(axis=1)
    return board, whole


def has_rows(codes: Cards) -> NDArray[np.bool_]:
    """Tell which seats have 3, 5 and 5 cards in their rows."""
    found = np.ones(len(codes), np.bool_)
    for row, size in enumerate((3, 5, 5)):
        found &= (codes == row).sum(axis=1) == size
    return found


def card_sets(cards: Cards) -> NDArray[np.uint64]:
    """The seen cards of each seat as bits."""
    bits = _ONE << (cards & np.uint8(63)).astype(np.uint64)
    bits[cards == UNSEEN] = 0
    return np.asarray(np.bitwise_or.reduce(bits, axis=1), np.uint64)


def first_seats(n_seats: NDArray[np.integer]) -> NDArray[np.int64]:
    """Row of each hand's first seat in the seats table."""
    starts = np.zeros(len(n_seats), np.int64)
    np.cumsum(n_seats[:-1], out=starts[1:])
    return starts


def hand_of_seat(n_seats: NDArray[np.integer]) -> NDArray[np.int64]:
    """Row of each seat's hand in the hands table."""
    return np.repeat(np.arange(len(n_seats)), n_seats)


def is_sorted(hands: pl.DataFrame) -> bool:
    """Tell whether the hands stand in the order of the log: by table, hand number, id."""
    table, number, hand = (hands[name].to_numpy() for name in ("table_id", "hand_no", "hand_id"))
    same_table, same_number = table[1:] == table[:-1], number[1:] == number[:-1]
    by_number = (number[1:] > number[:-1]) | same_number & (hand[1:] > hand[:-1])
    return bool(((table[1:] > table[:-1]) | same_table & by_number).all())


def is_aligned(hands: pl.DataFrame, seats: pl.DataFrame) -> bool:
    """Tell whether the seats stand hand by hand in the order of the hands, seats ascending."""
    n_seats = hands["n_seats"].to_numpy().astype(np.int64)
    if int(n_seats.sum()) != seats.height:
        return False
    if not np.array_equal(np.repeat(hands["hand_id"].to_numpy(), n_seats), seats["hand_id"].to_numpy()):
        return False
    seat = seats["seat"].to_numpy().astype(np.int64)
    rising = seat[1:] > seat[:-1]
    rising[first_seats(n_seats)[1:] - 1] = True
    return bool(rising.all())
