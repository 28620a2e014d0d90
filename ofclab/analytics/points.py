"""Points: what a hand is worth, how widely it swings, how often rows and scoops are won."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from ofclab.analytics.intervals import (
    FEW_TABLES,
    Ratio,
    Results,
    as_lazy,
    as_names,
    beside,
    by_group,
    estimate,
    in_order,
    interval,
    shares,
    table_keys,
    table_sums,
)

PERCENTILES: Final = (5, 25, 50, 75, 95)

_SCORED = pl.col("points").is_not_null()
_ROWS_PLAYED = pl.sum_horizontal(pl.col(f"rows_{outcome}").cast(pl.Int64) for outcome in ("won", "tied", "lost"))

POINTS_PER_HAND: Final = Ratio(pl.col("points"), _SCORED, is_rate=False)
POINTS_PER_100: Final = Ratio(pl.col("points").cast(pl.Int64) * 100, _SCORED, is_rate=False)


def points_per_hand(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Mean points per hand with its interval, standard deviation and percentiles, a row per group.

    A percentile is the value of the hand nearest to it: hand round(q * (hands - 1)) in order, counted from 0.
    Columns: by, hands, clusters, points_per_hand, low, high, sd, p5, p25, p50, p75, p95 (points), few_tables.
    """
    by = as_names(by)
    extra = ["sd", *(f"p{percent}" for percent in PERCENTILES)]
    return interval(_moments(results, by), "points_per_hand", by, level=level, is_rate=False, extra=extra)


def points_per_100(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Mean points per 100 hands, a row per group.

    Columns: by, hands, clusters, points_per_100, low, high, few_tables.
    """
    return by_group(results, "points_per_100", by, POINTS_PER_100, level)


def points_distribution(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Share of hands by the points they won or lost.

    Columns: by, points, hands, clusters, points_distribution, low, high, few_tables.
    """
    by = as_names(by)
    counted = pl.col("hands").cast(pl.Float64)
    cells = _by_points(results, table_keys(by)).with_columns(counted.alias("_top"), counted.alias("_bottom"))
    return interval(shares(cells, by, ["points"]), "points_distribution", by, ["points"], level=level)


def row_wins(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Share of rows won, tied and lost, over all opponents; a foul loses all three to a board that does not foul.

    Columns: by, outcome (won, tied, lost), hands, clusters, row_wins, low, high, rows, few_tables.
    """
    by, outcomes = as_names(by), ("won", "tied", "lost")
    played = _ROWS_PLAYED > 0
    found = [
        estimate(table_sums(results, by, Ratio(pl.col(f"rows_{outcome}"), _ROWS_PLAYED, played)), by).with_columns(
            pl.lit(outcome, dtype=pl.Enum(outcomes)).alias("outcome"), pl.col("_bottom").cast(pl.Int64).alias("rows")
        )
        for outcome in outcomes
    ]
    return interval(pl.concat(found), "row_wins", by, ["outcome"], level=level, extra=["rows"])


def scoops_made(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Share of matchups (a hand against one opponent) in which all three rows were won, neither board a foul.

    Columns: by, hands, clusters, scoops_made, low, high, matchups, few_tables.
    """
    return _scoops(results, "scoops_made", by, level)


def scoops_suffered(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Share of matchups (a hand against one opponent) in which all three rows were lost, neither board a foul.

    Columns: by, hands, clusters, scoops_suffered, low, high, matchups, few_tables.
    """
    return _scoops(results, "scoops_suffered", by, level)


def hands_needed(
    results: Results | tuple[float, float],
    by: Sequence[str] = (),
    *,
    level: float = 0.95,
    difference: float = 1.0,
    power: float = 0.8,
) -> pl.LazyFrame:
    """Hands two players must play each other until a difference of so many points a hand shows, a row per group.

    `results`: a results frame, whose standard deviation and design effect are used, or a pair (difference, sd).
    n = ((z(level) + z(power)) sd / difference)^2 * design effect, the normal approximation of a two-sided test of
    that level that finds the difference with that power. The design effect is how much wider the interval by tables
    is than one of independent hands, at least 1. Players who are each measured against others need twice as many.
    Columns: by, hands, clusters, hands_needed, difference, sd, design_effect, power, few_tables.
    Raises ValueError for a difference of 0, or a level or power outside 0..1.
    """
    by = as_names(by)
    if isinstance(results, tuple):
        difference, sd = results
        found = pl.LazyFrame(
            {"hands": None, "clusters": None, "sd": float(sd), "design_effect": 1.0},
            schema={"hands": pl.Int64, "clusters": pl.Int64, "sd": pl.Float64, "design_effect": pl.Float64},
        )
    else:
        effect = pl.when(pl.col("sd") > 0).then((pl.col("_se") / pl.col("sd")) ** 2 * pl.col("_bottom"))
        found = _moments(results, by).with_columns(effect.fill_null(1.0).clip(lower_bound=1.0).alias("design_effect"))
    needed = _squared_effect(difference, level, power) * pl.col("sd") ** 2 * pl.col("design_effect")
    framed = found.select(
        *by,
        "hands",
        "clusters",
        needed.ceil().cast(pl.Int64).alias("hands_needed"),
        pl.lit(float(difference)).alias("difference"),
        "sd",
        "design_effect",
        pl.lit(float(power)).alias("power"),
        (pl.col("clusters") < FEW_TABLES).alias("few_tables"),
    )
    return in_order(framed, by)


def _by_points(results: Results, by: Sequence[str]) -> pl.LazyFrame:
    """Count hands by points: all that the spread, percentiles and shares need."""
    return (
        as_lazy(results)
        .filter(_SCORED)
        .group_by([*by, pl.col("points").cast(pl.Int64)])
        .agg(pl.len().cast(pl.Int64).alias("hands"))
    )


def _moments(results: Results, by: Sequence[str]) -> pl.LazyFrame:
    """Mean (`_value`, `_se`), standard deviation and exact percentiles of the points, a row per group."""
    points, hands = pl.col("points"), pl.col("hands")
    sums = table_sums(results, by, POINTS_PER_HAND)
    # Counted without the tables: hands by table and points together are a tenth of a long log.
    counts = _by_points(results, by)
    mean = (points * hands).sum() / hands.sum()
    variance = ((points - mean) ** 2 * hands).sum() / (hands.sum() - 1)
    # Position round((hands - 1) q) counted from 0, halves upwards, as polars' own "nearest" does.
    below = hands.sort_by("points").cum_sum()
    spread = counts.group_by(list(by)).agg(
        pl.when(hands.sum() > 1).then(variance.sqrt()).alias("sd"),
        *(
            points.sort().filter(below > ((hands.sum() - 1) * percent / 100 + 0.5).floor()).first().alias(f"p{percent}")
            for percent in PERCENTILES
        ),
    )
    return beside(estimate(sums, by), spread, by)


def _scoops(results: Results, name: str, by: Sequence[str], level: float) -> pl.LazyFrame:
    by = as_names(by)
    matchups = pl.when(pl.col(name).is_not_null()).then(_ROWS_PLAYED // 3)
    sums = table_sums(results, by, Ratio(pl.col(name), matchups, matchups > 0))
    found = estimate(sums, by).with_columns(pl.col("_bottom").cast(pl.Int64).alias("matchups"))
    return interval(found, name, by, level=level, extra=["matchups"])


def _squared_effect(difference: float, level: float, power: float) -> float:
    """((z(level) + z(power)) / difference)^2 for a two-sided test."""
    from scipy.special import ndtri

    if difference == 0:
        raise ValueError("want a difference other than 0: no number of hands tells equal players apart")
    for name, value in (("level", level), ("power", power)):
        if not 0 < value < 1:
            raise ValueError(f"want a {name} between 0 and 1, such as 0.8; got {value}")
    return float(((ndtri(0.5 + level / 2) + ndtri(power)) / difference) ** 2)
