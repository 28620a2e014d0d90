"""What a tournament hands back: pairs, rates, the payoff matrix, ratings."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from ofclab.analytics.intervals import estimate, interval
from ofclab.rules import Rules

TOO_CLOSE = "too close to call"

_RATES = (
    ("foul_rate", "fouls", "normal_hands", True),
    ("entry_rate", "entries", "normal_hands", True),
    ("stay_rate", "stays", "fantasyland_hands", True),
    ("royalties_per_normal_hand", "normal_royalties", "normal_hands", False),
    ("royalties_per_hand", "royalties", "hands", False),
)


@dataclass(frozen=True, eq=False)
class Tournament:
    """Strategies against each other on mirrored deals.

    A deal is played in every seating, and each time to the end of the Fantasyland hands it causes. Intervals are over
    deals, 95 %. ``matches``: a row per line-up, deal and pair: points of `a` from `b` over all ``seatings``, and hands.
    ``totals``: a row per line-up, deal and strategy: points over all seatings and what is counted for the rates.
    """

    rules: Rules
    names: tuple[str, ...]
    seats: int
    deals: int
    seed: int
    seatings: int
    matches: pl.DataFrame
    totals: pl.DataFrame

    @cached_property
    def pairs(self) -> pl.DataFrame:
        """Every pair once: a, b, points of `a` from `b` a deal, low, high, verdict, deals, hands.

        A deal counts with the Fantasyland hands it causes.
        """
        by = ["a", "b"]
        sums = self.matches.lazy().group_by([*by, "deal"]).agg(
            pl.col("points").sum().cast(pl.Float64).alias("_top"),
            (pl.len() * self.seatings).cast(pl.Float64).alias("_bottom"),
            pl.col("hands").sum(),
        )  # fmt: skip
        found = interval(estimate(sums, by), "points", by, is_rate=False).rename({"clusters": "deals"}).collect()
        verdict = (
            pl.when(pl.col("low") > 0).then(pl.lit("ahead")).when(pl.col("high") < 0).then(pl.lit("behind"))
        ).otherwise(pl.lit(TOO_CLOSE))
        return self._ordered(found.with_columns(verdict=verdict), by).select(
            *by, "points", "low", "high", "verdict", "deals", "hands"
        )

    @cached_property
    def rates(self) -> pl.DataFrame:
        """A row per strategy: points a deal, foul_rate, entry_rate, stay_rate, royalties, each with _low and _high.

        Fouls and entries count hands played street by street, stays hands in Fantasyland; royalties_per_normal_hand
        leaves Fantasyland hands out, royalties_per_hand takes all.
        """
        by, frame = ["strategy"], self.totals.lazy()
        wide = frame.group_by("strategy").agg(pl.col("hands").sum(), pl.col("fantasyland_hands").sum()).collect()
        frame = frame.with_columns(seatings=pl.lit(self.seatings))
        measures = [("points", pl.col("points"), pl.col("seatings"), False)]
        measures += [(name, pl.col(top), pl.col(bottom), is_rate) for name, top, bottom, is_rate in _RATES]
        for name, top, bottom, is_rate in measures:
            sums = frame.group_by("strategy", "deal").agg(
                top.sum().cast(pl.Float64).alias("_top"), bottom.cast(pl.Float64).sum().alias("_bottom"),
                pl.col("hands").sum(),
            )  # fmt: skip
            found = interval(
                estimate(sums, by), name, by, is_rate=is_rate, bounds=(f"{name}_low", f"{name}_high")
            ).collect()
            wide = wide.join(found.select("strategy", name, f"{name}_low", f"{name}_high"), on="strategy")
        return self._ordered(wide, by).sort("points", descending=True, maintain_order=True)

    @cached_property
    def payoff(self) -> pl.DataFrame:
        """Points a deal of every strategy (a row) from every other (a column): 0 from itself, null unless they met."""
        won: dict[tuple[str, str], float] = {(name, name): 0.0 for name in self.names}
        for a, b, points in self.pairs.select("a", "b", "points").iter_rows():
            won[a, b], won[b, a] = points, -points if points else 0.0
        columns = {name: [won.get((row, name)) for row in self.names] for name in self.names}
        return pl.DataFrame(
            {"strategy": self.names, **columns}, {"strategy": pl.String, **dict.fromkeys(self.names, pl.Float64)}
        )

    @cached_property
    def ratings(self) -> pl.DataFrame:
        """Ratings of the Plackett-Luce model of openskill, a game a mirrored deal: strategy, mu, sigma, ordinal, games.

        ordinal = mu - 3 sigma is what they are sorted by. Raises ImportError unless the ``ratings`` extra is installed.
        """
        try:
            from openskill.models import PlackettLuce
        except ImportError:
            raise ImportError("ratings need openskill: pip install 'ofclab[ratings]'") from None
        model = PlackettLuce()
        rated = {name: model.rating(name=name) for name in self.names}
        games = dict.fromkeys(self.names, 0)
        played = self.totals.group_by("deal", "lineup", maintain_order=True).agg("strategy", "points")
        for names, points in played.sort("deal", "lineup").select("strategy", "points").iter_rows():
            teams = model.rate([[rated[name]] for name in names], scores=[float(won) for won in points])
            for name, team in zip(names, teams, strict=True):
                rated[name], games[name] = team[0], games[name] + 1
        rows = [(name, r.mu, r.sigma, r.ordinal(), games[name]) for name, r in rated.items()]
        schema = {
            "strategy": pl.String,
            "mu": pl.Float64,
            "sigma": pl.Float64,
            "ordinal": pl.Float64,
            "games": pl.Int64,
        }
        return pl.DataFrame(rows, schema, orient="row").sort("ordinal", descending=True, maintain_order=True)

    def _ordered(self, frame: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
        """Rows in the order the strategies were named."""
        return frame.sort([pl.col(name).cast(pl.Enum(self.names)) for name in by])

    def __repr__(self) -> str:
        best = self.rates.row(0, named=True)
        return (
            f"<Tournament under {self.rules.name}: {len(self.names)} strategies, {self.seats} seats, {self.deals:,} "
            f"mirrored deals; {best['strategy']} wins {best['points']:+.2f} points a deal "
            f"({best['points_low']:+.2f} to {best['points_high']:+.2f})>"
        )

    def _repr_html_(self) -> str:
        told = (
            f"{self.deals:,} mirrored deals, {self.seats} seats, under {html.escape(self.rules.name or 'house rules')}"
        )
        parts = [f"<p>{told}; points a deal with the Fantasyland hands it causes</p>"]
        parts += [_html_table(frame) for frame in (self.pairs, self.rates, self.payoff)]
        return "<div>" + "".join(parts) + "</div>"


def _html_table(frame: pl.DataFrame) -> str:
    heads = "".join(f"<th>{html.escape(name)}</th>" for name in frame.columns)
    lines = (
        "<tr>" + "".join(f"<td>{html.escape(_cell(value))}</td>" for value in row) + "</tr>"
        for row in frame.iter_rows()
    )
    return f"<table><tr>{heads}</tr>{''.join(lines)}</table>"


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}".replace("-", "−") if isinstance(value, float) else str(value)
