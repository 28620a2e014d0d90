"""Leaderboards: how the players of a group did, season by season."""

from collections.abc import Mapping
from datetime import date
from typing import Literal

import polars as pl

from ofclab.analytics.intervals import estimate, interval
from ofclab.analytics.ledger import Entries

Season = Literal["all", "year", "quarter", "month"] | Mapping[str, tuple[date, date]]

UNDATED = "undated"
"""The season of sessions whose date nobody knows."""
OUTSIDE = "outside"
"""The season of sessions that no season named holds."""


def in_seasons(entries: Entries, season: Season = "all") -> pl.LazyFrame:
    """The entries with the column ``season``: ``2026``, ``2026-Q2``, ``2026-04``, or the names given.

    ``season``: all, year, quarter, month, or first and last day of each season by its name. Days are days in UTC.
    Raises ValueError for anything else.
    """
    played = pl.col("played_at")
    if isinstance(season, Mapping):
        named = pl.lit(OUTSIDE)
        for name, (first, last) in reversed(list(season.items())):
            named = pl.when(played.dt.date().is_between(first, last)).then(pl.lit(name)).otherwise(named)
    elif season == "all":
        return entries.lazy().with_columns(season=pl.lit("all"))
    elif season == "year":
        named = played.dt.strftime("%Y")
    elif season == "month":
        named = played.dt.strftime("%Y-%m")
    elif season == "quarter":
        named = pl.concat_str(played.dt.strftime("%Y"), pl.lit("-Q"), played.dt.quarter().cast(pl.String))
    else:
        raise ValueError(f"no season {season!r}; have all, year, quarter, month, or days by name")
    return entries.lazy().with_columns(season=pl.when(played.is_null()).then(pl.lit(UNDATED)).otherwise(named))


def leaderboard(entries: Entries, season: Season = "all", level: float = 0.95) -> pl.LazyFrame:
    """The players of each season, most points first.

    Columns: season, rank, player, sessions, points, hands (null where no sheet counted them), points_per_hand with
    ``low`` and ``high`` (over the sessions whose hands are known; hands of a session hang together, so the interval is
    clustered by session), few_sessions (fewer than 10: the interval rests on too little), and ``money``, a list of
    currency and net_minor, one of each currency. Ties share a rank. ``season``: see `in_seasons`.
    """
    keys = ["season", "player"]
    named = in_seasons(entries, season)
    totals = named.group_by([*keys, "session"]).agg(
        pl.col("hands").max(),
        pl.when(pl.col("points").is_not_null().any()).then(pl.col("points").sum()).alias("points"),
    )
    players = totals.group_by(keys).agg(
        pl.col("session").n_unique().cast(pl.Int64).alias("sessions"),
        pl.when(pl.col("points").is_not_null().any()).then(pl.col("points").sum()).alias("points"),
    )
    counted = totals.filter(pl.col("hands").is_not_null() & pl.col("points").is_not_null()).select(
        *keys,
        pl.col("points").cast(pl.Float64).alias("_top"),
        pl.col("hands").cast(pl.Float64).alias("_bottom"),
        "hands",
    )
    means = interval(estimate(counted, keys), "points_per_hand", keys, level=level, is_rate=False).rename(
        {"few_tables": "few_sessions"}
    )
    money = (
        named.filter(pl.col("net_minor").is_not_null())
        .group_by([*keys, "currency"])
        .agg(pl.col("net_minor").sum())
        .sort("currency")
        .group_by(keys, maintain_order=True)
        .agg(pl.struct("currency", "net_minor").alias("money"))
    )
    rank = pl.col("points").rank("min", descending=True).over("season").cast(pl.Int64)
    return (
        players.join(means.drop("clusters"), on=keys, how="left")
        .join(money, on=keys, how="left")
        .select(
            "season", rank.alias("rank"), "player", "sessions", "points", "hands", "points_per_hand", "low", "high",
            "few_sessions", "money",
        )
        .sort("season", "rank", "player", nulls_last=True)
    )  # fmt: skip
