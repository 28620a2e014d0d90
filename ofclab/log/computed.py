"""Computed tables beside the facts: stored by ruleset and scorer version, rebuilt when either differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from threading import Lock
from typing import TYPE_CHECKING

import polars as pl
from polars.io.plugins import register_io_source

from ofclab.log.errors import LogError
from ofclab.log.fouls import foul_frame, fouls_version
from ofclab.log.parts import encode, note_of, part_name
from ofclab.log.schema import FOUL_STREETS, TABLES
from ofclab.log.score import score_frames, scorer_version
from ofclab.rules import Rules

if TYPE_CHECKING:
    from ofclab.log.scan import Log

Ruleset = Rules | Mapping[str, Rules]
_FOUL_COLUMNS = pl.Schema({"_row": pl.UInt8(), "foul_street": FOUL_STREETS["foul_street"]})


def _note(log: Log, table: str, number: int, folder: str) -> dict[str, object]:
    """What a stored part says of itself: whose it is, and which scorer computed it."""
    version = fouls_version() if table == "foul_streets" else scorer_version()
    return {"table": table, "log": log.key, "part": number, "ruleset": folder, "scorer": version}


def is_stored(log: Log, table: str, number: int, folder: str) -> bool:
    """Tell whether a part's computed table is there, whole, and made by this scorer from these facts."""
    name = f"{table}/{folder}/{part_name(number)}"
    try:
        footer = log.store.footer(name)
        note = note_of(footer, name)
    except LogError:
        return False
    right_length = table == "pair_scores" or footer.num_rows == log.rows(number)[1]
    return right_length and all(note.get(key) == value for key, value in _note(log, table, number, folder).items())


def compute(log: Log, table: str, number: int, ruleset: Ruleset) -> pl.DataFrame:
    """A part's computed table, from its facts."""
    if table == "foul_streets":
        return foul_frame(*log.part(number), ruleset, log.rulesets)
    scores, pairs = score_frames(*log.part(number), ruleset, pairs=table == "pair_scores")
    return scores if table == "scores" else pairs


def put_computed(log: Log, table: str, number: int, folder: str, frame: pl.DataFrame) -> None:
    """Store a part's computed table."""
    log.store.put(f"{table}/{folder}/{part_name(number)}", encode(frame, _note(log, table, number, folder)))


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

    frames = []
    for stored, alike in _stored_or_not(log, table, numbers, folder):
        frames.append(log.scan(table, alike, folder) if stored else _as_read(log, table, alike, ruleset))
    return pl.concat(frames) if frames else pl.LazyFrame(schema=TABLES[table])


def foul_streets(log: Log, rules: Rules | str | None, numbers: Sequence[int]) -> pl.LazyFrame:
    """The column ``foul_street`` of some parts, beside one called ``_row`` that costs nothing.

    What is not stored is computed when a frame that needs it is collected, and stored then where it can be: the search
    for the street of a foul takes many times as long as all the rest of a score. A query that needs none of it still
    asks for one column to learn how many rows there are, and that is ``_row``.
    """
    folder, ruleset = log.under(rules)
    frames = []
    for stored, alike in _stored_or_not(log, "foul_streets", numbers, folder):
        if stored:
            scanned = log.scan("foul_streets", alike, folder)
            frames.append(scanned.select(pl.col("seat").alias("_row"), "foul_street"))
        else:
            frames.append(_foul_streets_as_read(log, alike, folder, ruleset))
    return pl.concat(frames) if frames else pl.LazyFrame(schema=_FOUL_COLUMNS)


def _foul_streets_as_read(log: Log, numbers: Sequence[int], folder: str, ruleset: Ruleset) -> pl.LazyFrame:
    one_at_a_time = Lock()

    def part(number: int, columns: list[str]) -> pl.DataFrame:
        if "foul_street" not in columns:
            return pl.DataFrame({"_row": pl.repeat(0, log.rows(number)[1], dtype=pl.UInt8, eager=True)})
        # Branches of one query read side by side: the second waits for what the first finds, and reads it.
        with one_at_a_time:
            if is_stored(log, "foul_streets", number, folder):
                frame = log.read("foul_streets", number, folder)
            else:
                frame = compute(log, "foul_streets", number, ruleset)
                if log.store.is_writable:
                    put_computed(log, "foul_streets", number, folder, frame)
        return frame.select(pl.col("seat").alias("_row"), "foul_street")

    return _part_by_part(numbers, part, _FOUL_COLUMNS)


def _stored_or_not(log: Log, table: str, numbers: Sequence[int], folder: str) -> Iterator[tuple[bool, list[int]]]:
    """Parts in their order, in runs of those that are stored and those that are not."""

    def there(number: int) -> bool:
        return is_stored(log, table, number, folder)

    with ThreadPoolExecutor(8) as pool:
        found = dict(zip(numbers, pool.map(there, numbers), strict=True))
    for stored, group in groupby(numbers, found.__getitem__):
        yield stored, list(group)


def _as_read(log: Log, table: str, numbers: Sequence[int], ruleset: Ruleset) -> pl.LazyFrame:
    """A computed table that is computed when a frame is collected, one part at a time."""
    return _part_by_part(numbers, lambda number, _: compute(log, table, number, ruleset), TABLES[table])


def _part_by_part(
    numbers: Sequence[int], part: Callable[[int, list[str]], pl.DataFrame], schema: pl.Schema
) -> pl.LazyFrame:
    """A frame whose parts are made when it is collected, told which columns are wanted."""

    def parts(
        columns: list[str] | None, predicate: pl.Expr | None, most: int | None, _rows: int | None
    ) -> Iterator[pl.DataFrame]:
        for number in numbers:
            frame = part(number, schema.names() if columns is None else columns)
            if most is not None:
                frame = frame.head(most)
                most -= frame.height
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if columns is None else frame.select(columns)
            if most == 0:
                return

    return register_io_source(parts, schema=schema)
