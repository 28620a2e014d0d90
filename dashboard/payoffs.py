"""Who wins how much from whom: of a log, by the strategies or players of both seats."""

from pathlib import Path
from typing import Any

import loaders
import polars as pl
import streamlit as st

import ofclab as ofc


@st.cache_data(max_entries=32, show_spinner=False)
def _between(path: Path, stamp: str, rules_id: str, _rules: Any, column: str) -> pl.DataFrame:
    log = ofc.open_log(path)
    seats = log.seats.select("hand_id", "seat", pl.col(column).cast(pl.String).alias("who"))
    tables = log.hands.select("hand_id", "table_id")
    pairs = log.pair_scores(_rules).select("hand_id", "seat", "opponent", pl.col("total").alias("points"))
    joined = (
        pairs.join(seats.rename({"who": "a"}), on=["hand_id", "seat"])
        .join(seats.rename({"who": "b"}), left_on=["hand_id", "opponent"], right_on=["hand_id", "seat"])
        .join(tables, on="hand_id")
        .filter(pl.col("a") < pl.col("b"))
    )
    return ofc.analytics.points_per_hand(joined, by=["a", "b"]).collect().rename({"points_per_hand": "points"})


def between(look: Any, column: str) -> pl.DataFrame:
    """Points a hand of every `a` from every `b` it has met (a before b in the alphabet), with interval and hands."""
    rules = look.rules
    entry: loaders.Entry = look.entry
    return _between(entry.path, entry.stamp, "as played" if rules is None else rules.id, rules, column)
