"""What royalties are worth, from which rows and hands."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from ofclab.analytics.intervals import (
    Ratio,
    Results,
    as_lazy,
    as_names,
    beside,
    by_group,
    in_order,
    interval,
    shares,
    table_keys,
)

ROWS: Final = ("front", "middle", "back")
_JUDGED = pl.col("fouled").is_not_null()
_LEGAL = _JUDGED & ~pl.col("fouled")
_TOTAL = pl.sum_horizontal(pl.col(f"royalty_{row}").cast(pl.Int64) for row in ROWS)

ROYALTIES_PER_HAND: Final = Ratio(pl.when(_JUDGED).then(_TOTAL), _JUDGED, is_rate=False)
ROYALTIES_PER_LEGAL_HAND: Final = Ratio(pl.when(_LEGAL).then(_TOTAL), _LEGAL, is_rate=False)


def royalties_per_hand(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Mean royalty points over all hands, fouls and Fantasyland included, a row per group.

    Columns: by, hands, clusters, royalties_per_hand, low, high, few_tables.
    """
    return by_group(results, "royalties_per_hand", by, ROYALTIES_PER_HAND, level)


def royalties_per_legal_hand(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Mean royalty points over the hands that did not foul, Fantasyland included, a row per group.

    Columns: by, hands, clusters, royalties_per_legal_hand, low, high, few_tables.
    """
    return by_group(results, "royalties_per_legal_hand", by, ROYALTIES_PER_LEGAL_HAND, level)


def royalty_by_category(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Royalty points a hand that each category of each row brings in, and how often the row makes it.

    Over all hands; a fouled board makes nothing, so the shares of a row add up to 1 less the foul rate and the points
    of all rows to `royalties_per_hand`. Columns: by, row, category, hands, clusters, royalty_by_category (points per
    hand), low, high, share, share_low, share_high, few_tables.
    """
    by, keys = as_names(by), ["row", "category"]
    points = interval(_by_category(results, by, "_top"), "royalty_by_category", by, keys, level=level, is_rate=False)
    share = interval(
        _by_category(results, by, "_bottom"), "share", by, keys, level=level, bounds=("share_low", "share_high")
    )
    both = beside(points, share.drop("hands", "clusters", "few_tables"), [*by, *keys])
    return in_order(both.select(pl.exclude("few_tables"), "few_tables"), [*by, *keys])


def royalty_distribution(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Share of hands by their royalty points, all rows together; fouls count as 0.

    Columns: by, points, hands, clusters, royalty_distribution, low, high, few_tables.
    """
    by = as_names(by)
    cells = (
        as_lazy(results)
        .filter(_JUDGED)
        .group_by([*table_keys(by), _TOTAL.alias("points")])
        .agg(pl.len().cast(pl.Int64).alias("hands"))
        .with_columns(pl.col("hands").cast(pl.Float64).alias(name) for name in ("_top", "_bottom"))
    )
    return interval(shares(cells, by, ["points"]), "royalty_distribution", by, ["points"], level=level)


def _by_category(results: Results, by: Sequence[str], top: str) -> pl.LazyFrame:
    """Estimate the royalty points (`_top`) or hands (`_bottom`) of each row and category per hand."""
    judged = as_lazy(results).filter(_JUDGED)
    found = []
    for row in ROWS:
        category = pl.when(~pl.col("fouled")).then(pl.col(f"{row}_class"))
        cells = (
            judged.group_by([*table_keys(by), category.alias("category")])
            .agg(
                pl.col(f"royalty_{row}").cast(pl.Float64).sum().alias("_top"),
                pl.len().cast(pl.Float64).alias("_bottom"),
                pl.len().cast(pl.Int64).alias("hands"),
            )
            .with_columns(pl.col(top).alias("_top"))
        )
        found.append(shares(cells, by, ["category"]).with_columns(pl.lit(row, dtype=pl.Enum(ROWS)).alias("row")))
    return pl.concat(found)
