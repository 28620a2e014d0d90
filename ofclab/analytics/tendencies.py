"""Opponents' tendencies with shrinkage: what few hands say is drawn towards what all players do.

Empirical Bayes: players' true rates are taken to lie around the pool's rate with a variance that the players themselves
show (DerSimonian and Laird 1986, the method of moments); a player's rate is then drawn towards the pool by what his
hands leave open, weight = between / (between + within). Source: Efron and Morris 1975, "Data analysis using Stein's
estimator and its generalizations".
"""

from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

import polars as pl

from ofclab.analytics.intervals import Ratio, Results, as_lazy, as_names

FEW_HANDS: Final = 100
"""Below this many hands a tendency says little; the frame says so in its column `few_hands`."""

_SCORED = pl.col("points").is_not_null()
_NORMAL = _SCORED & (pl.col("fl_cards") == 0)
_WHAT: Final = {
    "fouls": Ratio(pl.col("fouled"), _NORMAL),
    "Fantasyland entries": Ratio(pl.col("next_fl") > 0, _NORMAL),
    "AA in front": Ratio(pl.col("earned_by").cast(pl.String).fill_null("") == "AA", _NORMAL),
    "royalties in front": Ratio(pl.col("royalty_front"), _NORMAL, is_rate=False),
    "royalties in the middle": Ratio(pl.col("royalty_middle"), _NORMAL, is_rate=False),
    "royalties in the back": Ratio(pl.col("royalty_back"), _NORMAL, is_rate=False),
}
"""Per hand played street by street."""


def tendencies(results: Results, by: Sequence[str] = ("player",), *, level: float = 0.95) -> pl.LazyFrame:
    """What players do per hand not in Fantasyland, drawn towards the pool where there are few hands.

    ``results``: a results frame; ``by``: who is a player. Columns: by, tendency, hands, tendencies (the estimate), low,
    high, measured: what the hands show, pool: all players together, weight: of the measured value (1 = taken as it is,
    0 = nothing but the pool), few_hands: fewer than 100 hands. Rates lie in 0..1, royalties are points a hand; hands
    count as independent. Raises ValueError unless 0 < level < 1.
    """
    by = as_names(by)
    if not 0 < level < 1:
        raise ValueError(f"want a level between 0 and 1, such as 0.95; got {level}")
    frames = [_drawn(as_lazy(results), by, name, ratio, level) for name, ratio in _WHAT.items()]
    return pl.concat(frames).sort([*by, "tendency"], nulls_last=True)


def _drawn(results: pl.LazyFrame, by: list[str], name: str, ratio: Ratio, level: float) -> pl.LazyFrame:
    top = pl.when(ratio.bottom).then(ratio.top.cast(pl.Float64))
    hands, total, squares = pl.col("hands"), pl.col("_sum"), pl.col("_squares")
    measured, pool, within = pl.col("measured"), pl.col("pool"), pl.col("_within")
    sums = (
        results.group_by(by)
        .agg(top.count().cast(pl.Int64).alias("hands"), top.sum().alias("_sum"), (top**2).sum().alias("_squares"))
        .filter(hands > 0)
    )
    if ratio.is_rate:
        # A hand more, half of it a hit: what nobody has done yet is not taken for impossible.
        share = (total.sum() + 0.5) / (hands.sum() + 1)
        variance = share * (1 - share)
    else:
        variance = (squares.sum() / hands.sum() - pool**2).clip(lower_bound=0.0)
    trust = 1 / within
    spread = (trust * (measured - pool) ** 2).sum() - (pl.len() - 1)
    scale = trust.sum() - (trust**2).sum() / trust.sum()
    between = pl.when((pl.len() > 1) & (scale > 0)).then((spread / scale).clip(lower_bound=0.0)).otherwise(0.0)
    # Few players say little about how much players differ: the interval allows for one standard error more of that.
    at_most = between + pl.when((pl.len() > 1) & (scale > 0)).then((2 * (pl.len() - 1)).sqrt() / scale)
    value, widest = pl.col("tendencies"), pl.col("_widest")
    pooled = pl.col("_variance") / hands.sum()
    error = (widest * within + (1 - widest) ** 2 * pooled).sqrt()
    half = NormalDist().inv_cdf(0.5 + level / 2) * error
    bounds = [value - half, value + half]
    if ratio.is_rate:
        bounds = [end.clip(0.0, 1.0) for end in bounds]
    return (
        sums.with_columns(measured=total / hands, pool=total.sum() / hands.sum())
        .with_columns(_variance=variance)
        .with_columns(_within=pl.col("_variance") / hands)
        .with_columns(
            weight=pl.when(within > 0).then(between / (between + within)).otherwise(1.0),
            _widest=pl.when(within > 0).then(at_most / (at_most + within)).fill_null(1.0),
        )
        .with_columns(tendencies=pool + pl.col("weight") * (measured - pool))
        .select(
            *by, pl.lit(name).alias("tendency"), "hands", "tendencies", bounds[0].alias("low"), bounds[1].alias("high"),
            "measured", "pool", "weight", (hands < FEW_HANDS).alias("few_hands"),
        )
    )  # fmt: skip
