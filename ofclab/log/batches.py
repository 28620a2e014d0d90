"""From the engine's batches to the tables of a part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.log.arrays import pack_placement
from ofclab.log.schema import CARD_COLUMNS, HANDS, SEATS, Completeness

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
    tables = np.concatenate([batch.tables for batch in batches])
    hand_no = np.concatenate([np.full(len(batch.tables), batch.hand_no, np.uint32) for batch in batches])
    order = np.lexsort((hand_no, tables))
    tables, hand_no = tables[order], hand_no[order]

    def column(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(batch, name) for batch in batches])[order]

    playing = column("playing").astype(np.bool_)
    ids = run.hand_ids(tables, hand_no)
    numbers, of_table = np.unique(tables, return_inverse=True)
    seed_keys = pl.Series("seed_key", [f"{run.seed}:{table}" for table in numbers.tolist()], pl.String)
    hands = {
        "hand_id": ids,
        "table_id": run.table_ids(tables),
        "hand_no": hand_no,
        "match_id": run.hand_ids(tables, column("match_hand")),
        "button": column("button"),
        "n_seats": playing.sum(axis=1).astype(np.uint8),
        "seed_key": seed_keys.gather(of_table),
    }
    words = {"ruleset_id": run.ruleset_id, "completeness": Completeness.FULL.value}
    return _complete(hands, words, HANDS), _seats(column, playing, ids, run, batches[0].stack_before is not None)


def _seats(
    column: Callable[[str], NDArray[Any]],
    playing: NDArray[np.bool_],
    ids: NDArray[np.uint64],
    run: RunKey,
    has_stacks: bool,
) -> pl.DataFrame:
    hand, seat = np.nonzero(playing)

    def of_seat(name: str) -> NDArray[Any]:
        values: NDArray[Any] = column(name)[hand, seat]
        return values

    announced = pl.Series("announced", of_seat("announced"))
    label = pl.Series("strategy", run.labels, pl.String).gather(seat)
    cards = of_seat("cards")
    columns: dict[str, object] = {
        "hand_id": ids[hand],
        "seat": seat.astype(np.uint8),
        "player": label,
        "strategy": label,
        "announced": pl.select(pl.when(announced >= 0).then(announced == 1)).to_series(),
        "position": of_seat("position"),
        "fl_cards": of_seat("fantasyland"),
        **{name: np.ascontiguousarray(cards[:, i]) for i, name in enumerate(CARD_COLUMNS)},
        "placement": pack_placement(of_seat("placement")),
    }
    if has_stacks:
        columns |= {name: of_seat(name) for name in ("stack_before", "stack_after")}
    return _complete(columns, {"discards_known": True}, SEATS)


def _complete(columns: dict[str, object], same: Mapping[str, object], schema: pl.Schema) -> pl.DataFrame:
    """A frame of the schema: given columns, one value everywhere, null for the rest."""
    frame = pl.DataFrame(columns)
    return frame.select(
        pl.col(name).cast(dtype) if name in columns else pl.lit(same.get(name)).cast(dtype).alias(name)
        for name, dtype in schema.items()
    )
