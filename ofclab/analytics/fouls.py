"""How often boards foul, and on which street the foul became certain."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from ofclab.analytics.intervals import Ratio, Results, as_lazy, as_names, by_group, estimate, interval, table_keys

_JUDGED = pl.col("fouled").is_not_null()
_STREET_BY_STREET = _JUDGED & (pl.col("fl_cards") == 0)
_IN_FANTASYLAND = _JUDGED & (pl.col("fl_cards") > 0)

FOUL_RATE: Final = Ratio(_STREET_BY_STREET & pl.col("fouled"), _STREET_BY_STREET)
FANTASYLAND_FOUL_RATE: Final = Ratio(_IN_FANTASYLAND & pl.col("fouled"), _IN_FANTASYLAND)

ORDER_KNOWN: Final = ("full", "own_discards")
"""Completeness of the hands whose deal order is known."""


def foul_rate(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Share of fouled boards among hands played street by street (Fantasyland apart), a row per group.

    Columns: by, hands, clusters, foul_rate, low, high, few_tables.
    """
    return by_group(results, "foul_rate", by, FOUL_RATE, level)


def fantasyland_foul_rate(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Share of fouled boards among hands played in Fantasyland, a row per group.

    Columns: by, hands, clusters, fantasyland_foul_rate, low, high, few_tables.
    """
    return by_group(results, "fantasyland_foul_rate", by, FANTASYLAND_FOUL_RATE, level)


def foul_street(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Share of hands played street by street whose foul became certain on each street; together the foul rate.

    A foul is certain from the street after which no completion with cards the player has not seen is legal. Only hands
    whose deal order is known count. Columns: by, street, hands, clusters, foul_street, low, high, few_tables.
    """
    streets = _streets(results, as_names(by))
    return _street_ratio(streets, "foul_street", as_names(by), level)


def foul_hazard(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Share of the boards still alive before a street whose foul became certain on it.

    `hands` counts the boards still alive. Columns: by, street, hands, clusters, foul_hazard, low, high, few_tables.
    """
    alive = pl.col("foul_street").is_null() | (pl.col("foul_street") >= pl.col("street"))
    streets = _streets(results, as_names(by)).filter(alive)
    return _street_ratio(streets, "foul_hazard", as_names(by), level)


def _streets(results: Results, by: Sequence[str]) -> pl.LazyFrame:
    """Count boards by table, street and the street their foul became certain on (null: never)."""
    frame = as_lazy(results)
    counted = _STREET_BY_STREET & ~(pl.col("fouled") & pl.col("foul_street").is_null())
    if "completeness" in frame.collect_schema().names():
        counted = counted & pl.col("completeness").cast(pl.String).is_in(ORDER_KNOWN)
    boards = (
        frame.filter(counted)
        .group_by([*table_keys(by), "foul_street"])
        .agg(pl.len().cast(pl.Int64).alias("hands"))
        .with_columns(pl.col("foul_street").cast(pl.Int64))
    )
    last = pl.col("foul_street").max().fill_null(0)
    return boards.join(boards.select(pl.int_range(1, last + 1).alias("street")), how="cross")


def _street_ratio(streets: pl.LazyFrame, name: str, by: Sequence[str], level: float) -> pl.LazyFrame:
    keys = [*by, "street"]
    certain_now = (pl.col("foul_street") == pl.col("street")).fill_null(False)
    sums = streets.group_by(table_keys(keys)).agg(
        pl.col("hands").filter(certain_now).sum().cast(pl.Float64).alias("_top"),
        pl.col("hands").sum().cast(pl.Float64).alias("_bottom"),
        pl.col("hands").sum(),
    )
    return interval(estimate(sums, keys), name, by, ["street"], level=level)
