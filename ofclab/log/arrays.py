"""Between the columns of a part and the arrays of the kernels."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.cards import UNSEEN
from ofclab.kernels.columns import gather_boards
from ofclab.log.schema import CARD_COLUMNS

Cards = NDArray[np.uint8]

_BITS, _SEVEN = np.uint64(3), np.uint64(7)
_ONE = np.uint64(1)


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


def empty_columns(n: int) -> Cards:
    """Room for 17 columns of n cards, each somewhat longer than n.

    Columns that lie a multiple of 4,096 bytes apart would push each other out of the cache row by row.
    """
    return np.empty((17, (n // 4096 + 1) * 4096 + 192), np.uint8)


def card_columns(seats: pl.DataFrame) -> Cards:
    """Card ids column by column in deal order, u8 (17, n or more): see `empty_columns`."""
    columns = empty_columns(seats.height)
    for i, name in enumerate(CARD_COLUMNS):
        columns[i, : seats.height] = seats[name].to_numpy()
    return columns


def card_array(seats: pl.DataFrame) -> Cards:
    """Card ids u8 (n, 17) in deal order."""
    return np.ascontiguousarray(card_columns(seats)[:, : seats.height].T)


def packed_placements(seats: pl.DataFrame) -> NDArray[np.uint64]:
    """Placements of each seat as they stand in the log, three bits a card."""
    return np.ascontiguousarray(seats["placement"].to_numpy())


def placement_array(seats: pl.DataFrame) -> Cards:
    """Placement codes u8 (n, 17) in deal order."""
    return unpack_placement(seats["placement"].to_numpy())


def boards(columns: Cards, packed: NDArray[np.uint64], at: NDArray[np.int64]) -> tuple[Cards, int | None]:
    """Boards u8 (len(at), 13) of the seats in rows ``at``: front 3, middle 5, back 5.

    Also says which of them, if any, is the first without just these rows, of real cards.
    """
    laid = np.empty((len(at), 13), np.uint8)
    broken = gather_boards(columns, packed, at, laid)
    return laid, None if broken < 0 else int(broken)


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
