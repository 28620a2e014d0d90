"""Points, drawn: means and spread by group, what a hand wins or loses, rows, scoops, hands needed."""

import plotly.graph_objects as go
import polars as pl

from ofclab.charts.groups import group_columns, labels, looks
from ofclab.charts.marks import RATE, ROW_HEIGHT, Axis, by_group, distribution, empty, finish_rows, row_panels
from ofclab.charts.theme import LIGHT, TEMPLATE


def points_marks(frame: pl.DataFrame) -> go.Figure:
    """Mean points per hand, a row per group. Wants the frame of `points_per_hand`."""
    return by_group(frame, "points_per_hand", Axis("Points per hand"), zero=True)


def points_per_100_marks(frame: pl.DataFrame) -> go.Figure:
    """Mean points per 100 hands, a row per group. Wants the frame of `points_per_100`."""
    return by_group(frame, "points_per_100", Axis("Points per 100 hands"), zero=True)


def points_spread(frame: pl.DataFrame) -> go.Figure:
    """How widely a hand swings, a row per group: 5 to 95 %, 25 to 75 % and the median. Wants `points_per_hand`."""
    if frame.is_empty():
        return empty()
    groups, axis = group_columns(frame), Axis("Points of a hand: 5 to 95 %, 25 to 75 % and median")
    figure = go.Figure(layout={"template": TEMPLATE, "height": ROW_HEIGHT * len(frame) + 64})
    names, ends = labels(frame, groups), frame.select("p5", "p25", "p50", "p75", "p95").iter_rows()
    for place, (name, style, (p5, p25, p50, p75, p95)) in enumerate(
        zip(names, looks(frame, groups), ends, strict=True)
    ):
        for lower, upper, width in ((p5, p95, 3), (p25, p75, 14)):
            figure.add_scatter(
                x=[lower, upper], y=[place, place], mode="lines", line={"color": style.line, "width": width},
                hoverinfo="skip",
            )  # fmt: skip
        figure.add_scatter(
            x=[p50], y=[place], mode="markers", opacity=1, text=[name], customdata=[[p5, p25, p75, p95]],
            marker={"size": 16, "symbol": "line-ns", "line": {"color": LIGHT["page"], "width": 3}},
            hovertemplate="%{text}<br>median %{x}, 25 to 75 %: %{customdata[1]} to %{customdata[2]}, "
            "5 to 95 %: %{customdata[0]} to %{customdata[3]}<extra></extra>",
        )  # fmt: skip
    finish_rows(figure, axis, names, zero=True)
    return figure


def points_distribution_bars(frame: pl.DataFrame) -> go.Figure:
    """Hands by the points they won or lost, a panel per group. Wants the frame of `points_distribution`."""
    groups = group_columns(frame, ["points"])
    return distribution(frame, "points_distribution", "points", Axis("% of hands", RATE), groups, "Points of a hand")


def row_wins_bars(frame: pl.DataFrame) -> go.Figure:
    """Rows won, tied and lost, a column per group. Wants the frame of `row_wins`."""
    return row_panels(frame, "row_wins", Axis("% of rows", RATE), group_columns(frame, ["outcome"]), ["outcome"])


def scoops_made_bars(frame: pl.DataFrame) -> go.Figure:
    """Scoops made, a row per group. Wants the frame of `scoops_made`."""
    return by_group(frame, "scoops_made", Axis("Scoops made, % of matchups", RATE), bars=True)


def scoops_suffered_bars(frame: pl.DataFrame) -> go.Figure:
    """Scoops suffered, a row per group. Wants the frame of `scoops_suffered`."""
    return by_group(frame, "scoops_suffered", Axis("Scoops suffered, % of matchups", RATE), bars=True)


def hands_needed_bars(frame: pl.DataFrame) -> go.Figure:
    """Hands needed to tell two players apart, a row per group. Wants the frame of `hands_needed`."""
    if frame.is_empty():
        return empty()
    groups = group_columns(frame)
    names, styles = labels(frame, groups, "Two players"), looks(frame, groups)
    figure = go.Figure(layout={"template": TEMPLATE, "height": ROW_HEIGHT * len(frame) + 64})
    figure.add_bar(
        x=frame["hands_needed"].to_list(), y=list(range(len(frame))), orientation="h", width=0.5,
        marker={"color": [style.line for style in styles], "line": {"width": 0}},
        texttemplate="%{x:,}", textposition="outside", cliponaxis=False, textfont={"color": LIGHT["text"]},
        customdata=frame.select("difference", "sd", "design_effect").rows(), hovertext=names,
        hovertemplate="%{hovertext}<br>%{x:,} hands for a difference of %{customdata[0]:.2f} points a hand; "
        "standard deviation %{customdata[1]:.1f}, design effect %{customdata[2]:.2f}<extra></extra>",
    )  # fmt: skip
    finish_rows(figure, Axis("Hands needed", ",.0f"), names, from_zero=True)
    return figure
