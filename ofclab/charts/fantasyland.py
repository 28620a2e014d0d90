"""Fantasyland, drawn: how often it is reached and kept, what earns it, how long it lasts, what it brings."""

import plotly.graph_objects as go
import polars as pl

from ofclab.charts.groups import group_columns
from ofclab.charts.marks import RATE, Axis, by_group, distribution, row_panels


def entry_bars(frame: pl.DataFrame) -> go.Figure:
    """Entry rate, a row per group. Wants the frame of `entry_rate`."""
    return by_group(frame, "entry_rate", Axis("Fantasyland entries, % of hands not in Fantasyland", RATE), bars=True)


def entry_by_bars(frame: pl.DataFrame) -> go.Figure:
    """Entries by what earned them and the cards they give, a column per group. Wants the frame of `entry_by`."""
    said = frame.with_columns(
        pl.col("earned_by").cast(pl.String).str.replace_all("_", " "),
        pl.format("{} cards", "cards").alias("cards"),
    )
    axis = Axis("Entries, % of hands not in Fantasyland", RATE)
    return row_panels(said, "entry_by", axis, group_columns(frame, ["earned_by"]), ["earned_by", "cards"])


def stay_bars(frame: pl.DataFrame) -> go.Figure:
    """Stay rate, a row per group. Wants the frame of `stay_rate`."""
    return by_group(frame, "stay_rate", Axis("Stays, % of hands in Fantasyland", RATE), bars=True)


def fantasyland_share_bars(frame: pl.DataFrame) -> go.Figure:
    """Share of hands in Fantasyland, a row per group. Wants the frame of `fantasyland_share`."""
    return by_group(frame, "fantasyland_share", Axis("Hands in Fantasyland, % of hands", RATE), bars=True)


def chain_length_bars(frame: pl.DataFrame) -> go.Figure:
    """Chains by their length, a panel per group and cards. Wants the frame of `chain_length`."""
    said = frame.with_columns(pl.format("{} cards", "cards").alias("cards"))
    groups = [*group_columns(frame, ["cards"]), "cards"]
    return distribution(
        said, "chain_length", "length", Axis("% of chains", RATE), groups, "Hands in a row in Fantasyland"
    )


def mean_chain_bars(frame: pl.DataFrame) -> go.Figure:
    """Mean length of a chain, a row per group. Wants the frame of `mean_chain_length`."""
    return by_group(frame, "mean_chain_length", Axis("Length of Fantasyland, hands per chain"), bars=True)


def fantasyland_points_marks(frame: pl.DataFrame) -> go.Figure:
    """Points of a hand in Fantasyland by its cards, a column per group. Wants the frame of `fantasyland_points`."""
    said = frame.with_columns(pl.format("{} cards", "cards").alias("cards"))
    axis = Axis("Points per hand in Fantasyland")
    return row_panels(said, "fantasyland_points", axis, group_columns(frame, ["cards"]), ["cards"], bars=False)
