"""Ratio estimates whose intervals know that the hands of one table belong together.

Hands of one table are not independent (Fantasyland carries over), so the table is the unit of sampling. A metric is a
ratio of two sums, R = sum(y) / sum(x), summed by table first. Its standard error is that of the linearised ratio over
the C tables, se = sqrt(C / (C - 1) * sum((y - R x)^2)) / sum(x), and its interval R -+ t(C - 1) se. Source: Cochran,
*Sampling Techniques* (1977), sections 6.4 and 9A.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

Results = pl.LazyFrame | pl.DataFrame
"""A results frame (a row per hand and seat), lazy or not."""

FEW_TABLES = 10
"""Below this many tables an interval rests on too little; the frame says so in its column `few_tables`."""


@dataclass(frozen=True)
class Ratio:
    """A number that is one sum over another: what each row of a results frame adds to the top and to the bottom.

    ``hands`` marks the player-hands counted (None: those of the bottom); a rate lies between 0 and 1.
    """

    top: pl.Expr
    bottom: pl.Expr
    hands: pl.Expr | None = None
    is_rate: bool = True

    def sums(self) -> list[pl.Expr]:
        """The aggregations `_top`, `_bottom` and `hands` of one table."""
        hands = self.bottom if self.hands is None else self.hands
        return [
            self.top.cast(pl.Float64).sum().alias("_top"),
            self.bottom.cast(pl.Float64).sum().alias("_bottom"),
            hands.cast(pl.Int64).sum().alias("hands"),
        ]


def as_lazy(results: Results) -> pl.LazyFrame:
    """Take a frame of either kind as a LazyFrame."""
    return results.lazy()


def as_names(by: Sequence[str] | str) -> list[str]:
    """Take one column name or several as a list without repeats."""
    return list(dict.fromkeys([by] if isinstance(by, str) else by))


def table_keys(by: Sequence[str]) -> list[str]:
    """The columns that name one table of one group."""
    return list(dict.fromkeys([*by, "table_id"]))


def table_sums(results: Results, by: Sequence[str], ratio: Ratio) -> pl.LazyFrame:
    """Sum a ratio by group and table: `_top`, `_bottom` and `hands`."""
    return as_lazy(results).group_by(table_keys(by)).agg(ratio.sums())


def estimate(sums: pl.LazyFrame, by: Sequence[str]) -> pl.LazyFrame:
    """Turn sums by table (`_top`, `_bottom`, `hands`) into `_value` and `_se`, a row per group."""
    top, bottom = pl.col("_top"), pl.col("_bottom")
    residual = top - top.sum() / bottom.sum() * bottom
    groups = sums.group_by(list(by)).agg(
        pl.col("hands").sum(),
        (bottom > 0).sum().cast(pl.Int64).alias("clusters"),
        top.sum(),
        bottom.sum(),
        (residual**2).sum().alias("_spread"),
    )
    return _with_error(groups)


def shares(cells: pl.LazyFrame, by: Sequence[str], keys: Sequence[str]) -> pl.LazyFrame:
    """Estimate a ratio for every value of the keys, all values of a group sharing its bottom.

    `cells` has a row per table, group and value, with `_top`, `_bottom` and `hands`; the bottom of a table is the sum
    of its cells. A cell whose keys are null counts in the bottom only. Every value seen anywhere gets a row in every
    group, so that what a group never did is there as a zero with its upper bound.
    """
    by, keys, whole = list(by), list(keys), pl.col("_whole")
    cells = cells.with_columns(pl.col("_bottom").sum().over(table_keys(by)).alias("_whole"))
    groups = cells.group_by(by).agg(
        pl.col("hands").sum(),
        pl.col("table_id").filter(whole > 0).n_unique().cast(pl.Int64).alias("clusters"),
        pl.col("_bottom").sum(),
        (pl.col("_bottom") * whole).sum().alias("_bottom_squared"),
    )
    values = cells.drop_nulls(keys)
    parts = values.group_by([*by, *keys]).agg(
        pl.col("_top").sum(),
        (pl.col("_top") ** 2).sum().alias("_top_squared"),
        (pl.col("_top") * whole).sum().alias("_product"),
    )
    moments = pl.col("_top", "_top_squared", "_product")
    ratio = pl.col("_top") / pl.col("_bottom")
    # sum((y - R x)^2) multiplied out, because a table without a value has no cell for it.
    spread = pl.col("_top_squared") - 2 * ratio * pl.col("_product") + ratio**2 * pl.col("_bottom_squared")
    return _with_error(
        groups.join(values.select(keys).unique(), how="cross")
        .join(parts, on=[*by, *keys], how="left", nulls_equal=True)
        .with_columns(moments.fill_null(0.0))
        .with_columns(spread.clip(lower_bound=0.0).alias("_spread"))
    )


def interval(
    estimates: pl.LazyFrame,
    name: str,
    by: Sequence[str],
    keys: Sequence[str] = (),
    *,
    level: float = 0.95,
    is_rate: bool = True,
    bounds: tuple[str, str] = ("low", "high"),
    extra: Sequence[str] = (),
) -> pl.LazyFrame:
    """Give estimates their name and interval: by, keys, hands, clusters, name, low, high, extra, few_tables; sorted.

    A rate stays in [0, 1]: where its interval would leave it, and where a rate of 0 or 1 has no spread to go by, it is
    Wilson's for the effective number of trials, with t for z. One table says nothing about the spread between tables:
    a rate's interval is then all of [0, 1] and a mean has none (null). Raises ValueError unless 0 < level < 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"want a level between 0 and 1, such as 0.95; got {level}")
    low, high = bounds
    value, half = pl.col("_value"), pl.col("_t") * pl.col("_se")
    lower, upper = _rate_bounds(value, half) if is_rate else (value - half, value + half)
    known = value.is_not_null()
    columns = [*by, *keys, "hands", "clusters", name, low, high, *extra, "few_tables"]
    framed = (
        estimates.with_columns(_t_quantile(level).alias("_t"))
        .with_columns(
            value.alias(name),
            pl.when(known).then(lower).alias(low),
            pl.when(known).then(upper).alias(high),
            (pl.col("clusters") < FEW_TABLES).alias("few_tables"),
        )
        .select(columns)
    )
    return in_order(framed, [*by, *keys])


def by_group(results: Results, name: str, by: Sequence[str], ratio: Ratio, level: float) -> pl.LazyFrame:
    """Estimate a ratio of a results frame with its interval, a row per group."""
    by = as_names(by)
    return interval(estimate(table_sums(results, by, ratio), by), name, by, level=level, is_rate=ratio.is_rate)


def in_order(frame: pl.LazyFrame, keys: Sequence[str]) -> pl.LazyFrame:
    """Sort by the keys, nulls last; a frame without keys has one row."""
    return frame.sort(list(keys), nulls_last=True) if keys else frame


def beside(left: pl.LazyFrame, right: pl.LazyFrame, by: Sequence[str]) -> pl.LazyFrame:
    """Join two frames with a row per group each."""
    if not by:
        return left.join(right, how="cross")
    return left.join(right, on=list(by), how="left", nulls_equal=True)


def _rate_bounds(value: pl.Expr, half: pl.Expr) -> tuple[pl.Expr, pl.Expr]:
    t, error, variance = pl.col("_t"), pl.col("_se"), value * (1 - value)
    trials = pl.when((error > 0) & (variance > 0)).then(variance / error**2).otherwise(pl.col("_bottom"))
    centre = (value + t**2 / (2 * trials)) / (1 + t**2 / trials)
    wilson = t * (variance / trials + t**2 / (4 * trials**2)).sqrt() / (1 + t**2 / trials)
    leaves = (value - half <= 0) | (value + half >= 1)
    lower = pl.when(leaves).then(centre - wilson).otherwise(value - half)
    upper = pl.when(leaves).then(centre + wilson).otherwise(value + half)
    one_table = pl.col("clusters") < 2
    return (
        pl.when(one_table | (value <= 0)).then(0.0).otherwise(lower).clip(0, 1),
        pl.when(one_table | (value >= 1)).then(1.0).otherwise(upper).clip(0, 1),
    )


def _with_error(groups: pl.LazyFrame) -> pl.LazyFrame:
    clusters, bottom = pl.col("clusters"), pl.col("_bottom")
    error = (clusters / (clusters - 1) * pl.col("_spread")).sqrt() / bottom
    return groups.with_columns(
        pl.when(bottom > 0).then(pl.col("_top") / bottom).alias("_value"),
        pl.when(clusters > 1).then(error).alias("_se"),
    )


def _t_quantile(level: float) -> pl.Expr:
    def quantile(clusters: pl.Series) -> pl.Series:
        # scipy takes half a second to import, so only when a number is wanted.
        from scipy.special import stdtrit

        return pl.Series(stdtrit(clusters.to_numpy() - 1.0, 0.5 + level / 2))

    return pl.col("clusters").map_batches(quantile, return_dtype=pl.Float64, is_elementwise=True)
