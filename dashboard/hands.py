"""The hands of a log as a table to filter and sort at once: a row per player and hand, kept small and in memory."""

from dataclasses import dataclass
from typing import Any

import evaluated
import loaders
import polars as pl
import streamlit as st
from words import hands as say

import ofclab as ofc

MOST = 4_000_000
"""Player-hands kept at most, about 40 bytes each; of a longer log the first ones are shown."""
RESULTS = ("Everything", "Won", "Lost", "Fouled", "To Fantasyland", "In Fantasyland")
_ROYALTIES = pl.sum_horizontal("royalty_front", "royalty_middle", "royalty_back").cast(pl.Int16)


@dataclass(frozen=True)
class Wanted:
    """Which hands to show: names (none: everybody's), one of `RESULTS`, least royalties, room, days, least loss."""

    names: tuple[str, ...] = ()
    result: str = "Everything"
    royalties: int = 0
    site: str | None = None
    days: tuple[Any, Any] | None = None
    loss: float = 0.0


@st.cache_resource(max_entries=2, show_spinner="Reading the hands")
def _frame(path: Any, stamp: str, rules_id: str, reviewed: str, _log: Any, _rules: Any, _judged: Any) -> pl.DataFrame:
    results = _log.results(_rules).head(MOST)
    names = pl.coalesce("strategy", "player", pl.format("Seat {}", "seat"))
    table = (pl.col("table_id") - pl.col("table_id").first()).cast(pl.UInt64) if _is_simulated(_log) else pl.lit(None)
    kept = results.select(
        "hand_id",
        "seat",
        names.cast(pl.Categorical).alias("player"),
        "points",
        _ROYALTIES.alias("royalties"),
        "fouled",
        # In words here and not where it is shown: a sort would say them of every row.
        pl.col("front_class", "middle_class", "back_class")
        .cast(pl.String)
        .replace(say.CLASSES)
        .cast(pl.Enum(say.ORDERED)),
        "fl_cards",
        "next_fl",
        "position",
        table.cast(pl.UInt64).alias("table"),
        "hand_no",
        "played_at",
        pl.col("site").cast(pl.Categorical),
    )
    frame = ofc.log.collect(kept)
    if _judged is not None:
        losses = _judged.group_by("hand_id", "seat").agg(pl.col("ev_loss").sum().cast(pl.Float32).alias("loss"))
        frame = frame.join(losses, on=["hand_id", "seat"], how="left", maintain_order="left")
    empty = [name for name in ("table", "played_at", "site") if frame[name].null_count() == len(frame)]
    return frame.drop(empty)


def _is_simulated(log: ofc.Log) -> bool:
    return log.manifest["source"].get("strategies") is not None


def frame(entry: loaders.Entry, rules: ofc.Rules | None) -> pl.DataFrame:
    """A row per player and hand; columns no hand fills are left out."""
    rules_id = "as played" if rules is None else rules.id
    judged = evaluated.decisions(entry)
    return _frame(entry.path, entry.stamp, rules_id, evaluated.stamp(entry), loaders.open_log(entry), rules, judged)


def wanted_rows(table: pl.DataFrame, wanted: Wanted) -> pl.LazyFrame:
    """The rows that are wanted, not yet collected."""
    conditions = {
        "Won": pl.col("points") > 0,
        "Lost": pl.col("points") < 0,
        "Fouled": pl.col("fouled"),
        "To Fantasyland": (pl.col("next_fl") > 0) & (pl.col("fl_cards") == 0),
        "In Fantasyland": pl.col("fl_cards") > 0,
    }
    rows = table.lazy()
    if wanted.names:
        rows = rows.filter(pl.col("player").cast(pl.String).is_in(wanted.names))
    if wanted.result in conditions:
        rows = rows.filter(conditions[wanted.result])
    if wanted.royalties:
        rows = rows.filter(pl.col("royalties") >= wanted.royalties)
    if wanted.site and "site" in table.columns:
        rows = rows.filter(pl.col("site").cast(pl.String) == wanted.site)
    if wanted.days and "played_at" in table.columns:
        rows = rows.filter(pl.col("played_at").dt.date().is_between(*wanted.days))
    if wanted.loss and "loss" in table.columns:
        rows = rows.filter(pl.col("loss") >= wanted.loss)
    return rows


def summary(rows: pl.LazyFrame) -> dict[str, Any]:
    """How many rows there are, and their mean points, fouls and royalties."""
    means = pl.col("points", "fouled", "royalties").mean()
    return rows.select(pl.len().alias("hands"), means).collect().row(0, named=True)


def as_shown(rows: pl.LazyFrame, log: str) -> pl.LazyFrame:
    """The rows as the table shows them: a link to the replay first."""
    link = pl.format(f"replay?log={log}&replay_hand={{}}&replay_seat={{}}", "hand_id", "seat").alias("replay")
    first = [name for name in ("player", "points", "loss") if name in rows.collect_schema()]
    return rows.select(link, *first, pl.all().exclude("hand_id", "seat", *first))
