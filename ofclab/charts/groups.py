"""How the groups of a metric frame are told apart: their columns, their names, their looks."""

from collections.abc import Sequence

import polars as pl

from ofclab.charts.theme import PLAIN, Look, look_of


def group_columns(frame: pl.DataFrame, keys: Sequence[str] = ()) -> list[str]:
    """The columns a metric was grouped by: those before its own keys and its counts."""
    stop = min(frame.columns.index(name) for name in [*keys, "hands"])
    return frame.columns[:stop]


def say(column: str, value: object) -> str:
    """One group value in words: names stand alone, numbers say what they number."""
    if value is None:
        return f"{column} unknown"
    if isinstance(value, bool):
        return column if value else f"not {column}"
    return f"{column} {value}" if isinstance(value, int | float) else str(value)


def labels(frame: pl.DataFrame, columns: Sequence[str], nothing: str = "All hands") -> list[str]:
    """A label for every row from some of its columns."""
    if not columns:
        return [nothing] * len(frame)
    rows = frame.select(columns).iter_rows()
    return [" · ".join(say(name, value) for name, value in zip(columns, row, strict=True)) for row in rows]


def looks(frame: pl.DataFrame, columns: Sequence[str]) -> list[Look]:
    """The look of every row: that of its strategy or ruleset where it has one."""
    named = next((name for name in columns if name in ("strategy", "player", "ruleset", "rules")), None)
    return [PLAIN] * len(frame) if named is None else [look_of(named, value) for value in frame[named]]


def split(frame: pl.DataFrame, groups: Sequence[str]) -> tuple[list[pl.DataFrame], list[str] | None]:
    """The part of the frame each group has, and their names; one part without a name when there are no groups."""
    if not groups:
        return [frame], None
    parts = frame.partition_by(list(groups), maintain_order=True)
    return parts, [labels(part.head(1), groups)[0] for part in parts]
