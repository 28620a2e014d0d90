"""Computed tables beside the facts: stored by ruleset and scorer version, rebuilt when either differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import polars as pl

from ofclab.log.errors import LogError
from ofclab.log.parts import encode, note_of, part_name, put
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
    put(log.store.folder / table / folder / part_name(number), encode(frame, note))


def store(
    log: Log, table: str, rules: Rules | str | None, progress: Callable[[int, int], None] | None, again: bool = False
) -> int:
    """Compute and store what parts lack; returns how many were computed, 0 for a log that cannot be written."""
    if not log.store.is_writable:
        return 0
    folder, ruleset = log.under(rules)
    count = 0
    for done, number in enumerate(log.parts, 1):
        if again or not is_stored(log, table, number, folder):
            put_computed(log, table, number, folder, compute(log, table, number, ruleset))
            count += 1
        if progress is not None:
            progress(done, len(log.parts))
    return count


def part(log: Log, table: str, number: int, folder: str, ruleset: Ruleset) -> pl.LazyFrame:
    """A part's computed table: as stored, or computed from the facts when the frame is collected."""
    if is_stored(log, table, number, folder):
        return log.scan(table, number, folder)
    trigger = log.scan("hands", number).select("hand_id")
    return trigger.map_batches(
        lambda _: compute(log, table, number, ruleset),
        schema=TABLES[table],
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
    )


def table(log: Log, table: str, rules: Rules | str | None) -> pl.LazyFrame:
    """A computed table over all parts, stored first where it can be."""
    folder, ruleset = log.under(rules)
    store(log, table, rules, None)
    frames = [part(log, table, number, folder, ruleset) for number in log.parts]
    return pl.concat(frames) if frames else pl.LazyFrame(schema=TABLES[table])
