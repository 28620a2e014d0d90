"""What must hold before a part is written."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.cards import UNSEEN, format_cards
from ofclab.kernels.columns import are_sound
from ofclab.kernels.placement import NO_CARD, NOT_PLACED, UNKNOWN_ROW
from ofclab.log import arrays
from ofclab.log.errors import LogError
from ofclab.log.schema import REQUIRED, TABLES
from ofclab.log.score import is_scorable

MOST_CARD = 53


def as_table(frame: pl.DataFrame, table: str) -> pl.DataFrame:
    """The frame with the columns, order and types of a log table; columns left out are null.

    Raises LogError for an unknown column, a value that does not fit, or a null where none may be.
    """
    schema = TABLES[table]
    unknown = [name for name in frame.columns if name not in schema]
    if unknown:
        raise LogError(f"{table} has no column {', '.join(map(repr, unknown))}; have {', '.join(schema)}")
    try:
        cast = frame.select(
            pl.col(name).cast(dtype) if name in frame.columns else pl.lit(None, dtype).alias(name)
            for name, dtype in schema.items()
        )
    except pl.exceptions.PolarsError as error:
        raise LogError(f"a value does not fit the {table} table: {error}") from None
    for name in REQUIRED[table]:
        if cast[name].null_count():
            raise LogError(f"{table}.{name} may not be null; {cast[name].null_count()} of {cast.height} rows are")
    return cast


def sort_part(hands: pl.DataFrame, seats: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both tables in the order of the log: table, hand, seat."""
    hands = hands.sort("table_id", "hand_no", "hand_id")
    order = hands.select("hand_id").with_row_index("_order")
    seats = seats.join(order, on="hand_id", how="left").sort("_order", "seat", nulls_last=True).drop("_order")
    return hands, seats


def check_part(hands: pl.DataFrame, seats: pl.DataFrame, rulesets: Collection[str]) -> None:
    """Raise LogError naming the first hand that cannot be: see `faults`."""
    missing = set(hands["ruleset_id"].unique()) - set(rulesets)
    if missing:
        have = ", ".join(rulesets) or "none"
        raise LogError(f"hands name rulesets the log does not hold: {', '.join(sorted(missing))}; have {have}")
    ids = hands["hand_id"].to_numpy()
    # Ids that rise in a circle, with one step back, are all different; those of a simulated part do.
    if np.count_nonzero(np.roll(ids, -1) <= ids) > 1 and hands["hand_id"].is_duplicated().any():
        raise LogError(f"hand {hands['hand_id'].filter(hands['hand_id'].is_duplicated())[0]} stands twice in a part")
    misplaced = misalignment(hands, seats)
    if misplaced is not None:
        raise LogError(misplaced)
    found = faults(hands, seats)
    if found:
        raise LogError(found[0][2])


def misalignment(hands: pl.DataFrame, seats: pl.DataFrame) -> str | None:
    """What keeps the seats from standing hand by hand in the order of the hands; None when they do."""
    if arrays.is_aligned(hands, seats):
        return None
    counted = hands.select("hand_id", "n_seats").join(
        seats.group_by("hand_id").agg(pl.len(), pl.col("seat").n_unique().alias("different")),
        on="hand_id", how="full", coalesce=True,
    )  # fmt: skip
    wrong = counted.filter(
        pl.col("n_seats").ne_missing(pl.col("len").cast(pl.UInt8)) | (pl.col("len") != pl.col("different"))
    )
    if wrong.height:
        hand = wrong.sort("hand_id").row(0, named=True)
        return f"hand {hand['hand_id']} has {hand['len'] or 0} seat rows where hands.n_seats says {hand['n_seats']}"
    return "seats do not stand in the order of the hands"


def faults(hands: pl.DataFrame, seats: pl.DataFrame, most: int = 1) -> list[tuple[int, int | None, str]]:
    """Hands that no source can mean, as (hand_id, seat, what is wrong): a card twice in a hand, a card id that is none,
    a dealt card that went nowhere, rows that are not 3, 5 and 5 where the rows are known.
    """
    columns, packed = arrays.card_columns(seats), arrays.packed_placements(seats)
    n_seats = hands["n_seats"].to_numpy()
    known = is_scorable(hands)
    if are_sound(columns, packed, n_seats, known):
        return []
    return named_faults(hands, seats, columns, known, most)


def named_faults(
    hands: pl.DataFrame, seats: pl.DataFrame, columns: arrays.Cards, known: NDArray[np.bool_], most: int
) -> list[tuple[int, int | None, str]]:
    """The faults of `faults`, looked for one kind after the other; ``known``: hands whose rows are known."""
    packed, n_seats = arrays.packed_placements(seats), hands["n_seats"].to_numpy()
    cards, codes = np.ascontiguousarray(columns[:, : seats.height].T), arrays.unpack_placement(packed)
    ids, seat_no = seats["hand_id"].to_numpy(), seats["seat"].to_numpy()
    scorable = np.repeat(known, n_seats)
    found: list[tuple[int, int | None, str]] = []

    def report(wrong: NDArray[np.bool_], what: str) -> None:
        for row in np.flatnonzero(wrong)[: most - len(found)]:
            shown = format_cards(c for c in cards[row].tolist() if c <= MOST_CARD) or "none"
            hand, seat = int(ids[row]), int(seat_no[row])
            found.append((hand, seat, f"hand {hand}, seat {seat}: {what}; cards {shown}, placed {_digits(codes[row])}"))

    report(((cards > MOST_CARD) & (cards != UNSEEN)).any(axis=1), "a card id above 53 that is not 255")
    report(((codes > UNKNOWN_ROW) & (codes != NO_CARD)).any(axis=1), "a placement code that means nothing")
    report(((cards != UNSEEN) & (codes == NO_CARD)).any(axis=1), "a dealt card that went nowhere")
    report(((cards == UNSEEN) & (codes < 3) & scorable[:, None]).any(axis=1), "a row with a card nobody saw")
    unplaced = ((codes == NOT_PLACED) | (codes == UNKNOWN_ROW)).any(axis=1)
    report(scorable & unplaced, "dealt is not placed + discarded in a hand whose rows are known")
    report(scorable & ~unplaced & ~arrays.has_rows(codes), "rows that are not 3, 5 and 5 cards")
    if len(found) < most:
        found += _repeats(cards, ids, n_seats, most - len(found))
    return found


def _repeats(
    cards: arrays.Cards, ids: NDArray[np.uint64], n_seats: NDArray[np.integer], most: int
) -> list[tuple[int, int | None, str]]:
    """Hands in which a card stands twice."""
    if not len(n_seats):
        return []
    starts = arrays.first_seats(n_seats)
    different = np.bitwise_count(np.bitwise_or.reduceat(arrays.card_sets(cards), starts))
    seen = np.add.reduceat((cards != UNSEEN).sum(axis=1), starts)
    found: list[tuple[int, int | None, str]] = []
    for hand in np.flatnonzero(different != seen)[:most]:
        all_cards = cards[starts[hand] : starts[hand] + n_seats[hand]]
        values, counts = np.unique(all_cards[all_cards != UNSEEN], return_counts=True)
        twice = format_cards(c for c in values[counts > 1].tolist() if c <= MOST_CARD)
        hand_id = int(ids[starts[hand]])
        found.append((hand_id, None, f"hand {hand_id}: {twice} stands twice"))
    return found


def _digits(codes: arrays.Cards) -> str:
    return "".join(map(str, codes.tolist()))
