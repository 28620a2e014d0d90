"""Fantasyland: how often it is reached and kept, what earns it, how long it lasts and what it brings."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from ofclab.analytics.intervals import (
    Ratio,
    Results,
    as_lazy,
    as_names,
    by_group,
    estimate,
    interval,
    shares,
    table_keys,
    table_sums,
)

_NORMAL = (pl.col("fl_cards") == 0) & pl.col("next_fl").is_not_null()
_INSIDE = (pl.col("fl_cards") > 0) & pl.col("next_fl").is_not_null()
_GOES_ON = pl.col("next_fl") > 0
_PLAYED = pl.col("fl_cards").is_not_null()
_POINTS_INSIDE = (pl.col("fl_cards") > 0) & pl.col("points").is_not_null()

ENTRY_RATE: Final = Ratio(_NORMAL & _GOES_ON, _NORMAL)
STAY_RATE: Final = Ratio(_INSIDE & _GOES_ON, _INSIDE)
FANTASYLAND_SHARE: Final = Ratio(_PLAYED & (pl.col("fl_cards") > 0), _PLAYED)
FANTASYLAND_POINTS: Final = Ratio(pl.when(_POINTS_INSIDE).then("points"), _POINTS_INSIDE, is_rate=False)
MEAN_CHAIN_LENGTH: Final = Ratio(pl.col("length"), pl.col("chain") > 0, pl.col("length"), is_rate=False)
"""Of chains, not of hands."""


def entry_rate(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Fantasyland entries per hand not in Fantasyland, a row per group.

    Columns: by, hands, clusters, entry_rate, low, high, few_tables.
    """
    return by_group(results, "entry_rate", by, ENTRY_RATE, level)


def entry_by(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Entries per hand not in Fantasyland by what earned them and the cards they give; they add up to the entry rate.

    Columns: by, earned_by, cards, hands, clusters, entry_by, low, high, entries, few_tables.
    """
    by, keys = as_names(by), ["earned_by", "cards"]
    entered = pl.when(_GOES_ON)
    cells = (
        as_lazy(results)
        .filter(_NORMAL)
        .group_by(
            [
                *table_keys(by),
                entered.then(pl.col("earned_by")).alias("earned_by"),
                entered.then(pl.col("next_fl").cast(pl.Int64)).alias("cards"),
            ]
        )
        .agg(
            _GOES_ON.cast(pl.Float64).sum().alias("_top"),
            pl.len().cast(pl.Float64).alias("_bottom"),
            pl.len().cast(pl.Int64).alias("hands"),
        )
    )
    found = shares(cells, by, keys).with_columns(pl.col("_top").cast(pl.Int64).alias("entries"))
    return interval(found, "entry_by", by, keys, level=level, extra=["entries"])


def stay_rate(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Stays per hand played in Fantasyland, a row per group.

    Columns: by, hands, clusters, stay_rate, low, high, few_tables.
    """
    return by_group(results, "stay_rate", by, STAY_RATE, level)


def fantasyland_share(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Share of all hands that were played in Fantasyland, a row per group.

    Columns: by, hands, clusters, fantasyland_share, low, high, few_tables.
    """
    return by_group(results, "fantasyland_share", by, FANTASYLAND_SHARE, level)


def fantasyland_points(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Mean points of a hand played in Fantasyland, by the cards it was dealt.

    What the hand itself wins, continuation not included: the value of Fantasyland is another number.
    Columns: by, cards, hands, clusters, fantasyland_points, low, high, few_tables.
    """
    by = as_names(by)
    inside = as_lazy(results).filter(_POINTS_INSIDE).with_columns(pl.col("fl_cards").cast(pl.Int64).alias("cards"))
    return by_group(inside, "fantasyland_points", [*by, "cards"], FANTASYLAND_POINTS, level)


def chain_length(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Share of Fantasyland chains by their length in hands, for each number of cards the chain began with.

    A chain is a player's Fantasyland hands in a row; one cut off by the table's end counts the hands it had. `hands`
    counts Fantasyland hands. Columns: by, cards, length, hands, clusters, chain_length, low, high, chains, few_tables.
    """
    by = as_names(by)
    groups = [*by, "cards"]
    cells = (
        _chains(results, by)
        .group_by([*table_keys(groups), "length"])
        .agg(
            pl.len().cast(pl.Float64).alias("_top"),
            pl.len().cast(pl.Float64).alias("_bottom"),
            pl.col("length").sum().alias("hands"),
        )
    )
    found = shares(cells, groups, ["length"]).with_columns(pl.col("_bottom").cast(pl.Int64).alias("chains"))
    return interval(found, "chain_length", by, ["cards", "length"], level=level, extra=["chains"])


def mean_chain_length(results: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Mean hands of a Fantasyland chain, a row per group; `hands` counts Fantasyland hands, `chains` the chains.

    Columns: by, hands, clusters, mean_chain_length, low, high, chains, few_tables.
    """
    by = as_names(by)
    sums = table_sums(_chains(results, by), by, MEAN_CHAIN_LENGTH)
    found = estimate(sums, by).with_columns(pl.col("_bottom").cast(pl.Int64).alias("chains"))
    return interval(found, "mean_chain_length", by, level=level, is_rate=False, extra=["chains"])


def _chains(results: Results, by: Sequence[str]) -> pl.LazyFrame:
    """A row per chain: group (as of its first hand), table, seat, chain, length, cards of its first hand."""
    player = ["table_id", "seat"]
    hand = pl.col("hand_no").cast(pl.Int64)
    begins = (hand - hand.shift(1).over(player, order_by="hand_no")).fill_null(0) != 1
    first = [pl.col(name).sort_by("hand_no").first() for name in by if name not in player]
    return (
        as_lazy(results)
        .filter(pl.col("fl_cards") > 0)
        .with_columns(begins.cast(pl.Int64).alias("chain"))
        .with_columns(pl.col("chain").cum_sum().over(player, order_by="hand_no"))
        .group_by([*player, "chain"])
        .agg(
            *first,
            pl.len().cast(pl.Int64).alias("length"),
            pl.col("fl_cards").sort_by("hand_no").first().cast(pl.Int64).alias("cards"),
        )
    )
