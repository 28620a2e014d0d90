"""What a review hands back: every decision with its verdict, and the reports made of them."""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from ofclab.analytics import decisions as reports
from ofclab.board import Board
from ofclab.log import Log
from ofclab.reviews.levels import Thresholds
from ofclab.reviews.schema import DECISIONS
from ofclab.reviews.store import Engine

_TOLD = ("street", "board", "dealt", "played", "best", "ev_loss", "se", "verdict")


def framed(log: Log, found: pl.DataFrame, engine: Engine, limits: Thresholds) -> pl.DataFrame:
    """Decisions as a log keeps them, with their hand, its result, and the verdicts under these thresholds."""
    worth = {0: 0.0, **dict(engine.fantasyland_values)}
    earned, brought = (
        pl.col(name).replace_strict(worth, default=0.0, return_dtype=pl.Float64) for name in ("next_fl", "fl_cards")
    )
    hands = log.hands.select("hand_id", "table_id", "hand_no", "n_seats", "ruleset_id")
    results = log.results().select("hand_id", "seat", "player", "strategy", "position", "points", "next_fl")
    loss, error, best = pl.col("ev_loss"), pl.col("se"), pl.col("is_best")
    close = (loss <= limits.errors * error) | (loss < limits.close)
    verdict = (
        pl.when(best)
        .then(pl.lit("best"))
        .when(close)
        .then(pl.lit("too close to call"))
        .when(loss < limits.mistake)
        .then(pl.lit("inaccuracy"))
        .when(loss < limits.blunder)
        .then(pl.lit("mistake"))
        .otherwise(pl.lit("blunder"))
    )
    return (
        found.lazy()
        .join(hands, on="hand_id", how="left")
        .join(results, on=["hand_id", "seat"], how="left")
        .with_columns(
            ev_best=pl.col("ev_played") + loss,
            verdict=verdict.cast(DECISIONS["verdict"]),
            worth=pl.when(pl.col("points").is_not_null()).then(pl.col("points") + earned - brought),
            tricky=(pl.col("gap") >= limits.gap) & (pl.col("spread") >= limits.spread),
        )
        .select(DECISIONS.names())
        .sort("table_id", "hand_no", "hand_id", "seat", "street")
        .collect()
    )


@dataclass(frozen=True, eq=False)
class Review:
    """The decisions of a log, judged.

    ``decisions``: a row per decision (`ofclab.reviews.schema.DECISIONS`): hand_id, seat, street, player, what was
    played and what was best, their values and chances, ev_loss with its standard error, and the verdict.
    ``player_hands``: hands of these players in the log; ``hands``: those that could be reviewed.
    """

    log: Log
    players: list[str] | None
    engine: Engine
    thresholds: Thresholds
    decisions: pl.DataFrame
    player_hands: int

    @property
    def hands(self) -> int:
        """Player-hands with at least one decision whose cards are known."""
        return self.decisions.select("hand_id", "seat").n_unique() if len(self.decisions) else 0

    @cached_property
    def verdicts(self) -> dict[str, int]:
        """How many decisions got which verdict."""
        counts = dict(self.decisions.group_by("verdict").len().iter_rows())
        return {name: counts.get(name, 0) for name in DECISIONS["verdict"].categories.to_list()}  # type: ignore[attr-defined]

    @cached_property
    def summary(self) -> pl.DataFrame:
        """A row per player: what the decisions lost per 100 hands, with interval, and the accuracy of tricky spots."""
        lost = reports.loss_per_100(self.decisions, by=["player"])
        right = reports.accuracy(self.decisions, by=["player"]).select(
            "player", "accuracy", accuracy_low="low", accuracy_high="high", tricky="spots"
        )
        return lost.join(right, on="player", how="left", nulls_equal=True, maintain_order="left").collect()

    @cached_property
    def leaks(self) -> pl.DataFrame:
        """What loses most, in points per 100 hands: `ofclab.analytics.leaks`."""
        return reports.leaks(self.decisions).collect()

    def worst(self, count: int = 10) -> pl.DataFrame:
        """The decisions that lost most, those inside the noise left out."""
        clear = self.decisions.filter(pl.col("verdict").is_in(["inaccuracy", "mistake", "blunder"]))
        return clear.sort("ev_loss", "hand_id", "street", descending=[True, False, False]).head(count)

    @property
    def sentence(self) -> str:
        """The verdict in a sentence."""
        if not len(self.decisions):
            return f"None of {self.player_hands:,} player-hands tells what was dealt: nothing to review."
        who = " and ".join(self.players) if self.players else "All players"
        lost = reports.loss_per_100(self.decisions).collect().row(0, named=True)
        counted = ", ".join(f"{count:,} {name}" for name, count in self.verdicts.items() if count)
        between = f" ({lost['low']:.0f} to {lost['high']:.0f})" if lost["low"] is not None else ""
        right = reports.accuracy(self.decisions).collect().row(0, named=True)
        told = f"; {right['accuracy']:.0%} of {right['spots']:,} tricky spots right" if right["spots"] else ""
        return (
            f"{who} lost {lost['loss_per_100']:.0f} points per 100 hands{between} to {len(self.decisions):,} decisions "
            f"in {self.hands:,} of {self.player_hands:,} player-hands: {counted}{told}."
        )

    @property
    def information(self) -> str:
        """What the values rest on."""
        level = self.engine.level
        values = ", ".join(f"{points:g} ({cards} cards)" for cards, points in self.engine.fantasyland_values)
        return (
            f"Judged by what each player saw. Level {level.name}: the best placement chosen in {level.choose} futures, "
            f"its lead measured in {level.first} others, {level.second} where the verdict was open; later streets and "
            f"opponents by {self.engine.policy}; Fantasyland worth {values}. Verdicts: {self.thresholds}."
        )

    def __repr__(self) -> str:
        worst = self.worst(5).select(_TOLD) if len(self.decisions) else None
        return "\n".join(filter(None, (self.sentence, None if worst is None else str(worst), self.information)))

    def _repr_html_(self) -> str:
        cells = "".join(_html_row(row) for row in self.worst(5).iter_rows(named=True))
        head = "".join(f"<th>{name}</th>" for name in ("street", "board", "dealt", "played", "best", "loss"))
        table = f"<table><tr>{head}</tr>{cells}</table>" if cells else ""
        return f"<div><p>{html.escape(self.sentence)}</p>{table}<p>{html.escape(self.information)}</p></div>"

    def as_dict(self, worst: int = 10) -> dict[str, Any]:
        """The review as plain values: what the program prints as JSON."""
        return {
            "log": str(self.log.path), "players": self.players, "sentence": self.sentence,
            "information": self.information, "engine": self.engine.source, "hands": self.hands,
            "player_hands": self.player_hands, "decisions": len(self.decisions), "verdicts": self.verdicts,
            "summary": self.summary.to_dicts(), "leaks": self.leaks.to_dicts(), "worst": self.worst(worst).to_dicts(),
        }  # fmt: skip


def _html_row(row: dict[str, Any]) -> str:
    board = Board.parse(row["board"])._repr_html_() if not row["fl_cards"] else "Fantasyland"
    told = (row["street"], board, row["dealt"], row["played"], row["best"])
    loss = f"{row['ev_loss']:.2f} ± {row['se']:.2f}, {row['verdict']}"
    return "<tr>" + "".join(f"<td>{value}</td>" for value in (*told, loss)) + "</tr>"
