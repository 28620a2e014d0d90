"""From the engine's batches to the tables of a part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.kernels.columns import spread_seats
from ofclab.log.arrays import empty_columns
from ofclab.log.schema import CARD_COLUMNS, HANDS, SEATS, Completeness
from ofclab.log.score import SeatScores

if TYPE_CHECKING:
    from ofclab.engine import HandBatch


@dataclass(frozen=True)
class RunKey:
    """What ids of a simulated run are made of.

    table_id = key + table, hand_id = key + table * hands + hand number, both modulo 2^64.
    """

    key: int
    hands: int
    """Hands a table at most."""
    seed: int
    ruleset_id: str
    labels: tuple[str, ...]
    """Strategy of each seat."""

    def table_ids(self, tables: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Ids of tables."""
        return tables + np.uint64(self.key)

    def hand_ids(self, tables: NDArray[np.uint64], hand_no: NDArray[np.integer]) -> NDArray[np.uint64]:
        """Ids of hands of tables."""
        return np.uint64(self.key) + tables * np.uint64(self.hands) + hand_no.astype(np.uint64)


def part_frames(batches: Sequence[HandBatch], run: RunKey) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The hands and seats tables of the hands in the batches, sorted by (table, hand, seat)."""
    if not batches:
        return pl.DataFrame(schema=HANDS), pl.DataFrame(schema=SEATS)
    batches = sorted(batches, key=lambda batch: batch.hand_no)
    tables = np.concatenate([batch.tables for batch in batches])
    hand_no = np.concatenate([np.full(len(batch.tables), batch.hand_no, np.uint32) for batch in batches])
    # Stable: hands of a table stay in the order of their numbers.
    order = np.argsort(tables, kind="stable")
    tables, hand_no = tables[order], hand_no[order]

    def column(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(batch, name) for batch in batches])[order]

    playing = column("playing").astype(np.bool_)
    ids = run.hand_ids(tables, hand_no)
    is_first = np.concatenate([[True], tables[1:] != tables[:-1]])
    seed_keys = f"{run.seed}:" + pl.Series("seed_key", tables[is_first]).cast(pl.String)
    hands = {
        "hand_id": ids,
        "table_id": run.table_ids(tables),
        "hand_no": hand_no,
        "match_id": run.hand_ids(tables, column("match_hand")),
        "button": column("button"),
        "n_seats": playing.sum(axis=1).astype(np.uint8),
        "seed_key": seed_keys.gather(np.cumsum(is_first) - 1),
    }
    words = {"ruleset_id": run.ruleset_id, "completeness": Completeness.FULL.value}
    return _complete(hands, words, HANDS), _seats(batches, order, playing, ids, run)


def part_scores(batches: Sequence[HandBatch]) -> SeatScores | None:
    """What the engine scored, in the order of `part_frames`; None where chips move, which takes the pairs to settle."""
    if not batches or batches[0].stack_before is not None:
        return None
    batches = sorted(batches, key=lambda batch: batch.hand_no)
    order = np.argsort(np.concatenate([batch.tables for batch in batches]), kind="stable")
    playing = np.concatenate([batch.playing for batch in batches])[order].astype(np.bool_)
    names = ("codes", "fouled", "royalties", "next_fantasyland", "points")
    return SeatScores(*(_of_seats(batches, name, order, playing) for name in names))


def _of_seats(
    batches: Sequence[HandBatch], name: str, order: NDArray[np.int64], playing: NDArray[np.bool_]
) -> NDArray[Any]:
    """An array of the batches, (hands, seats, ...), as a row per seat that plays, in the order of the log."""
    values = np.concatenate([getattr(batch, name) for batch in batches]).take(order, axis=0)
    by_seat: NDArray[Any] = values.reshape(-1, *values.shape[2:]) if playing.all() else values[playing]
    return by_seat


def _seats(
    batches: Sequence[HandBatch],
    order: NDArray[np.int64],
    playing: NDArray[np.bool_],
    ids: NDArray[np.uint64],
    run: RunKey,
) -> pl.DataFrame:
    hand, seat = np.nonzero(playing)

    def of_seat(name: str) -> NDArray[Any]:
        return _of_seats(batches, name, order, playing)

    announced = pl.Series("announced", of_seat("announced"))
    label = pl.Series("strategy", run.labels, pl.String).gather(seat)
    cards, placement = empty_columns(len(hand)), np.empty(len(hand), np.uint64)
    dealt, placed = (np.concatenate([getattr(batch, name) for batch in batches]) for name in ("cards", "placement"))
    spread_seats(order, playing, dealt, placed, cards, placement)
    columns: dict[str, object] = {
        "hand_id": ids[hand],
        "seat": seat.astype(np.uint8),
        "player": label,
        "strategy": label,
        "announced": pl.select(pl.when(announced >= 0).then(announced == 1)).to_series(),
        "position": of_seat("position"),
        "fl_cards": of_seat("fantasyland"),
        **dict(zip(CARD_COLUMNS, cards[:, : len(hand)], strict=True)),
        "placement": placement,
    }
    if batches[0].stack_before is not None:
        columns |= {name: of_seat(name) for name in ("stack_before", "stack_after")}
    return _complete(columns, {"discards_known": True}, SEATS)


def _complete(columns: dict[str, object], same: Mapping[str, object], schema: pl.Schema) -> pl.DataFrame:
    """A frame of the schema: given columns, one value everywhere, null for the rest."""
    frame = pl.DataFrame(columns)
    return frame.select(
        pl.col(name).cast(dtype) if name in columns else pl.lit(same.get(name)).cast(dtype).alias(name)
        for name, dtype in schema.items()
    )
