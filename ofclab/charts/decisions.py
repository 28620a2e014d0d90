"""Reviewed decisions, drawn: accuracy, what was lost and where, leaks, luck, opponents' tendencies."""

import plotly.graph_objects as go
import polars as pl

from ofclab.charts.groups import group_columns, labels, looks
from ofclab.charts.marks import (
    RATE,
    ROW_HEIGHT,
    Axis,
    add_rows,
    by_group,
    empty,
    finish_rows,
    interval_rows,
    mark_style,
    row_panels,
)
from ofclab.charts.theme import PLAIN, TEMPLATE

_PER_100 = Axis("Points lost per 100 hands")


def accuracy_bars(frame: pl.DataFrame) -> go.Figure:
    """Tricky spots played right, a row per group. Wants the frame of `accuracy`."""
    return by_group(frame, "accuracy", Axis("Played right, % of tricky spots", RATE), bars=True)


def tricky_loss_marks(frame: pl.DataFrame) -> go.Figure:
    """Mean loss of a tricky spot, a row per group. Wants the frame of `tricky_loss`."""
    return by_group(frame, "tricky_loss", Axis("Lost, points per tricky spot"), zero=True)


def loss_marks(frame: pl.DataFrame) -> go.Figure:
    """Points lost per 100 hands, a row per group. Wants the frame of `loss_per_100`."""
    return by_group(frame, "loss_per_100", _PER_100, zero=True)


def loss_by_street_bars(frame: pl.DataFrame) -> go.Figure:
    """Points lost on each street, a column per group. Wants the frame of `loss_by_street`."""
    return row_panels(frame, "loss_by_street", _PER_100, group_columns(frame, ["at"]), ["at"])


def loss_by_row_bars(frame: pl.DataFrame) -> go.Figure:
    """Points lost by where a card went, a column per group. Wants the frame of `loss_by_row`."""
    return row_panels(frame, "loss_by_row", _PER_100, group_columns(frame, ["row"]), ["row"])


def loss_by_hand_bars(frame: pl.DataFrame) -> go.Figure:
    """Points lost by the hand class that was broken, a column per group. Wants the frame of `loss_by_hand`."""
    return row_panels(frame, "loss_by_hand", _PER_100, group_columns(frame, ["broken"]), ["broken"])


def fantasyland_chase_bars(frame: pl.DataFrame) -> go.Figure:
    """Points lost by chasing Fantasyland too much or too little, a column per group. Wants `fantasyland_chase`."""
    return row_panels(frame, "fantasyland_chase", _PER_100, group_columns(frame, ["chase"]), ["chase"])


def leak_marks(frame: pl.DataFrame) -> go.Figure:
    """Leaks, the dearest first, a row per group, theme and leak. Wants the frame of `leaks`."""
    groups = group_columns(frame, ["theme"])
    names = labels(frame, [*groups, "theme", "leak"])
    return interval_rows(frame, "leaks", _PER_100, names, looks(frame, groups), zero=True)


def luck_adjusted_marks(frame: pl.DataFrame) -> go.Figure:
    """Points a hand adjusted for luck (full marks) and as won (hollow, below). Wants the frame of `luck_adjusted`."""
    if frame.is_empty():
        return empty()
    groups, axis = group_columns(frame), Axis("Points per hand: adjusted for luck, and as won (hollow)")
    names, styles = labels(frame, groups), looks(frame, groups)
    figure = go.Figure(layout={"template": TEMPLATE, "height": ROW_HEIGHT * len(frame) + 64})
    add_rows(figure, frame, "luck_adjusted", axis, names, styles)
    places = [place + 0.22 for place in range(len(frame))]
    for place, style, ends in zip(places, styles, frame.select("actual_low", "actual_high").iter_rows(), strict=True):
        figure.add_scatter(
            x=list(ends), y=[place, place], mode="lines", hoverinfo="skip", cliponaxis=False,
            line={"color": style.line, "width": 3, "dash": "dot"},
        )  # fmt: skip
    figure.add_scatter(
        x=frame["actual"].to_list(), y=places, mode="markers", opacity=1, cliponaxis=False, text=names,
        marker=mark_style(styles, [True] * len(frame)), customdata=frame.select("actual_low", "actual_high").rows(),
        hovertemplate="%{text}<br>won %{x:,.2f} (%{customdata[0]:,.2f} to %{customdata[1]:,.2f})<extra></extra>",
    )  # fmt: skip
    finish_rows(figure, axis, names, zero=True)
    return figure


def tendency_panels(frame: pl.DataFrame) -> go.Figure:
    """Every player's tendencies on their intervals, a row per player and tendency. Wants the frame of `tendencies`."""
    if frame.is_empty():
        return empty()
    groups = frame.columns[: frame.columns.index("tendency")]
    ordered = frame.sort("tendency", *groups, nulls_last=True)
    names = labels(ordered, ["tendency", *groups])
    few = ordered["few_hands"].to_list()
    axis = Axis("Per hand not in Fantasyland (hollow: fewer than 100 hands)")
    return interval_rows(ordered, "tendencies", axis, names, [PLAIN] * len(ordered), hollow=few)
