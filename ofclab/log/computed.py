"""Computed tables beside the facts: stored by ruleset and scorer version, rebuilt when either differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import TYPE_CHECKING

import polars as pl
from polars.io.plugins import register_io_source

from ofclab.log.errors import LogError
from ofclab.log.parts import encode, note_of, part_name
from ofclab.log.schema import TABLES
from ofclab.log.score import score_frames, scorer_version
from ofclab.rules import Rules

if TYPE_CHECKING:
    from ofclab.log.scan import Log

Ruleset = Rules | Mapping[str, Rules]


def is_stored(log: Log, table: str, number: int, folder: str) -> bool:
    """Tell whether a part's computed table is there, whole, and made by this scorer from these facts."""
    name = f"{table}/{folder}/{part_name(number)}"
    try:
        footer = log.store.footer(name)
        note = note_of(footer, name)
    except LogError:
        return False
    wanted = {"table": table, "log": log.key, "part": number, "ruleset": folder, "scorer": scorer_version()}
    right_length = table != "scores" or footer.num_rows == log.rows(number)[1]
    return right_length and all(note.get(key) == value for key, value in wanted.items())


def compute(log: Log, table: str, number: int, ruleset: Ruleset) -> pl.DataFrame:
    """A part's computed table, from its facts."""
    scores, pairs = score_frames(*log.part(number), ruleset, log.rulesets)
    return scores if table == "scores" else pairs


def put_computed(log: Log, table: str, number: int, folder: str, frame: pl.DataFrame) -> None:
    """Store a part's computed table."""
    note = {"table": table, "log": log.key, "part": number, "ruleset": folder, "scorer": scorer_version()}
    log.store.put(f"{table}/{folder}/{part_name(number)}", encode(frame, note))


def store(
    log: Log,
    table: str,
    rules: Rules | str | None,
    numbers: Sequence[int],
    progress: Callable[[int, int], None] | None = None,
    again: bool = False,
) -> int:
    """Compute and store what parts lack; returns how many were computed, 0 for a log that cannot be written."""
    if not log.store.is_writable:
        return 0
    folder, ruleset = log.under(rules)
    count = 0
    for done, number in enumerate(numbers, 1):
        if again or not is_stored(log, table, number, folder):
            put_computed(log, table, number, folder, compute(log, table, number, ruleset))
            count += 1
        if progress is not None:
            progress(done, len(numbers))
    return count


def table(log: Log, table: str, rules: Rules | str | None, numbers: Sequence[int]) -> pl.LazyFrame:
    """A computed table of some parts, stored first where it can be, else computed part by part as it is read."""
    folder, ruleset = log.under(rules)
    store(log, table, rules, numbers)

    def there(number: int) -> bool:
        return is_stored(log, table, number, folder)

    with ThreadPoolExecutor(8) as pool:
        found = dict(zip(numbers, pool.map(there, numbers), strict=True))
    frames = []
    for stored, group in groupby(numbers, found.__getitem__):
        alike = list(group)
        frames.append(log.scan(table, alike, folder) if stored else _as_read(log, table, alike, ruleset))
    return pl.concat(frames) if frames else pl.LazyFrame(schema=TABLES[table])


def _as_read(log: Log, table: str, numbers: Sequence[int], ruleset: Ruleset) -> pl.LazyFrame:
    """A computed table that is computed when a frame is collected, one part at a time."""

    def parts(
        columns: list[str] | None, predicate: pl.Expr | None, most: int | None, _rows: int | None
    ) -> Iterator[pl.DataFrame]:
        for number in numbers:
            frame = compute(log, table, number, ruleset)
            if most is not None:
                frame = frame.head(most)
                most -= frame.height
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if columns is None else frame.select(columns)
            if most == 0:
                return

    return register_io_source(parts, schema=TABLES[table])
