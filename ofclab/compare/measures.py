"""What is measured when rules are compared: sums by table, estimates, and how far each table moves them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.analytics.fantasyland import ENTRY_RATE, FANTASYLAND_SHARE, STAY_RATE
from ofclab.analytics.fouls import FOUL_RATE
from ofclab.analytics.intervals import Ratio
from ofclab.analytics.points import POINTS_PER_HAND
from ofclab.analytics.royalties import ROYALTIES_PER_HAND
from ofclab.log import collect
from ofclab.rules import Rules

Floats = NDArray[np.float64]

_SCORED = pl.col("points").is_not_null()
_EXCHANGED: Final = Ratio(
    pl.col("points").cast(pl.Float64).abs() / 2, pl.when(_SCORED).then(1 / pl.col("n_seats")), is_rate=False
)
_SQUARES: Final = Ratio(pl.col("points").cast(pl.Float64) ** 2, _SCORED, is_rate=False)


@dataclass(frozen=True)
class Measure:
    """One number rulesets are compared by.

    ``ratio``: what it is a ratio of (None: the standard deviation of the points of a hand); ``groups``: whose it is.
    """

    name: str
    title: str
    unit: str
    ratio: Ratio | None
    groups: tuple[str, ...] = ("all", "strategy")

    @property
    def is_rate(self) -> bool:
        """Whether it lies between 0 and 1."""
        return self.ratio is not None and self.ratio.is_rate


MEASURES: Final = (
    Measure("points_sd", "Swing of a hand, one st. dev.", "points", None),
    Measure("points_exchanged", "Points that change hands", "points per hand", _EXCHANGED, ("all",)),
    Measure("royalties_per_hand", "Royalties", "points per hand", ROYALTIES_PER_HAND),
    Measure("foul_rate", "Fouls", "% of hands", FOUL_RATE),
    Measure("entry_rate", "Fantasyland entries", "% of hands not in Fantasyland", ENTRY_RATE),
    Measure("stay_rate", "Fantasyland stays", "% of hands in Fantasyland", STAY_RATE),
    Measure("fantasyland_share", "Hands in Fantasyland", "% of hands", FANTASYLAND_SHARE),
    Measure("points_per_hand", "Points", "points per hand", POINTS_PER_HAND, ("strategy", "seat", "position")),
)
NOT_RESCORED: Final = frozenset({"stay_rate", "fantasyland_share"})
"""Measures of what only happens in Fantasyland, where re-scoring cannot follow."""

_SUMMED: Final = {**{m.name: m.ratio for m in MEASURES if m.ratio is not None}, "squares": _SQUARES}
_GROUPS: Final = ("all", "strategy", "seat", "position")


def _columns_for(of: str) -> list[str]:
    """The sums that the measures of one kind of group are made of."""
    wanted = {
        name
        for measure in MEASURES
        if of in measure.groups
        for name in ((measure.name,) if measure.ratio is not None else ("squares", "points_per_hand"))
    }
    return [f"{name}.{part}" for name in _SUMMED if name in wanted for part in ("top", "bottom")]


@dataclass(frozen=True, eq=False)
class Estimate:
    """A number and what each table adds to its error: the values of its influence function, one a table."""

    value: float
    influence: Floats
    trials: Floats
    """What it counts at each table: player-hands for most measures."""

    @cached_property
    def error(self) -> float:
        """Standard error over tables, NaN for fewer than two."""
        return spread(self.influence, self.tables)

    @property
    def tables(self) -> int:
        """Tables that count."""
        return int((self.trials > 0).sum())


@dataclass(frozen=True, eq=False)
class Sample:
    """The hands of one ruleset as sums by table, tables in the order all samples share."""

    rules: Rules
    name: str
    sums: dict[tuple[str, str], dict[str, Floats]]
    """By (kind of group, group): `<measure>.top` and `<measure>.bottom` of every table."""

    def estimate(self, measure: Measure, of: str, group: str) -> Estimate | None:
        """One measure of one group; None where it counts nothing."""
        sums = self.sums.get((of, group))
        if sums is None:
            return None
        name = "squares" if measure.ratio is None else measure.name
        top, trials = sums[f"{name}.top"], sums[f"{name}.bottom"]
        if not trials.sum() > 0:
            return None
        if measure.ratio is None:
            return _deviation(trials, sums["points_per_hand.top"], top)
        value = float(top.sum() / trials.sum())
        return Estimate(value, (top - value * trials) / trials.sum(), trials)


def spread(influence: Floats, tables: int) -> float:
    """Standard error of the number these influences belong to, cluster-robust over so many tables."""
    if tables < 2:
        return float("nan")
    return float(np.sqrt(tables / (tables - 1) * np.square(influence).sum()))


def _deviation(hands: Floats, points: Floats, squares: Floats) -> Estimate:
    """Standard deviation of the points of a hand; the influence is that of sqrt(E[p^2] - E[p]^2)."""
    n = hands.sum()
    mean, square = points.sum() / n, squares.sum() / n
    sd = float(np.sqrt(max(square - mean**2, 0.0) * (n / (n - 1) if n > 1 else 1.0)))
    variance = (squares - square * hands) - 2 * mean * (points - mean * hands)
    influence = variance / n / (2 * sd) if sd > 0 else np.zeros_like(hands)
    return Estimate(sd, influence, hands)


def table_sums(results: pl.LazyFrame, pair: str) -> pl.DataFrame:
    """One scan of a results frame: sums by table (named by `pair`), strategy or player, seat and position."""
    sums = [
        expression.cast(pl.Float64).sum().alias(f"{name}.{part}")
        for name, ratio in _SUMMED.items()
        for part, expression in (("top", ratio.top), ("bottom", ratio.bottom))
    ]
    who = pl.coalesce("strategy", "player", pl.lit("unknown")).alias("strategy")
    return collect(results.group_by(pl.col(pair).cast(pl.String).alias("pair"), who, "seat", "position").agg(sums))


def added(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """The sums by table of several frames of results, added up."""
    return pl.concat(parts).group_by("pair", "strategy", "seat", "position").agg(pl.all().sum())


def as_samples(rulesets: Sequence[Rules], names: Sequence[str], sums: Sequence[pl.DataFrame]) -> list[Sample]:
    """Samples whose tables are paired: the same place in every array is the same table."""
    tables = pl.concat([frame["pair"] for frame in sums]).unique().sort()
    return [
        Sample(rules, name, _by_group(frame, tables)) for rules, name, frame in zip(rulesets, names, sums, strict=True)
    ]


def _by_group(frame: pl.DataFrame, tables: pl.Series) -> dict[tuple[str, str], dict[str, Floats]]:
    order = pl.DataFrame({"pair": tables}, schema={"pair": pl.String}).with_row_index("place")
    found = {}
    for of in _GROUPS:
        columns = _columns_for(of)
        group = pl.lit("all") if of == "all" else pl.col(of).cast(pl.String)
        rolled = frame.group_by(group.alias("group"), "pair").agg(pl.col(columns).sum()).join(order, on="pair")
        for part in rolled.drop_nulls("group").partition_by("group"):
            arrays = {name: np.zeros(len(tables)) for name in columns}
            for name in columns:
                arrays[name][part["place"].to_numpy()] = part[name].to_numpy()
            found[of, str(part["group"][0])] = arrays
    return found
