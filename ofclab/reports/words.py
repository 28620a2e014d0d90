"""A metric's frame as columns and rows to read."""

from __future__ import annotations

import polars as pl

from ofclab.analytics import Metric
from ofclab.compare.result import cell, number

_HEADS = {"clusters": "tables"}


def in_words(metric: Metric, frame: pl.DataFrame) -> tuple[list[str], list[list[str]]]:
    """Columns and rows of a metric for reading: the value with its interval, counts beside it, rates in per cent."""
    shown = [c for c in frame.columns if c not in ("low", "high", "few_tables", metric.name)]
    rows = []
    for row in frame.iter_rows(named=True):
        cells = [cell(row[column]) for column in shown]
        if metric.name in row:
            cells.append(number(row[metric.name], metric.unit))
        if row.get("low") is not None:
            few = " (few tables)" if row.get("few_tables") else ""
            cells.append(f"{number(row['low'], metric.unit)} to {number(row['high'], metric.unit)}{few}")
        elif "low" in row:
            cells.append("–")
        rows.append(cells)
    heads = [_HEADS.get(column, column) for column in shown]
    heads += ["value"] * (metric.name in frame.columns) + ["95 % interval"] * ("low" in frame.columns)
    return heads, rows
