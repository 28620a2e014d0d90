"""The few ways a metric is drawn: marks with intervals, bars with intervals, panels, lines along a key."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import plotly.graph_objects as go
import polars as pl
from plotly.subplots import make_subplots

from ofclab.charts.groups import group_columns, labels, looks, say, split
from ofclab.charts.theme import LIGHT, TEMPLATE, Look

ROW_HEIGHT: Final = 44
"""Pixels a labelled row takes."""

PANELS_ACROSS: Final = 3
"""Panels side by side before the next line begins."""

RATE: Final = ",.2~%"
NUMBER: Final = ",.2~f"


Cell = dict[str, int]
"""Where in a grid of panels: row and col, counted from 1."""


@dataclass(frozen=True)
class Axis:
    """What a value axis says: its title with the unit, and how its numbers are written."""

    title: str
    ticks: str = NUMBER

    @property
    def hover(self) -> str:
        """The d3 format of a value in a hover label."""
        return ",.2~%" if self.ticks.endswith("%") else ",.2f"


def empty(text: str = "No hands to count") -> go.Figure:
    """A figure that says there is nothing to draw."""
    figure = go.Figure(layout={"template": TEMPLATE, "height": 120})
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    return figure.add_annotation(text=text, showarrow=False, font={"color": LIGHT["muted"]})


def interval_rows(
    frame: pl.DataFrame,
    value: str,
    axis: Axis,
    names: Sequence[str],
    styles: Sequence[Look],
    *,
    low: str = "low",
    high: str = "high",
    bars: bool = False,
    zero: bool = False,
    hollow: Sequence[bool] | None = None,
) -> go.Figure:
    """A labelled row for every row of the frame: a mark on its interval, on a bar from zero where `bars` is set.

    `zero` draws the zero line a difference or a mean is read against; a hollow mark cannot be told from it.
    """
    if frame.is_empty():
        return empty()
    figure = go.Figure(layout={"template": TEMPLATE, "height": ROW_HEIGHT * len(frame) + 64})
    add_rows(figure, frame, value, axis, names, styles, low=low, high=high, bars=bars, hollow=hollow)
    finish_rows(figure, axis, names, zero=zero, from_zero=bars)
    return figure


def by_group(frame: pl.DataFrame, value: str, axis: Axis, *, bars: bool = False, zero: bool = False) -> go.Figure:
    """A metric with one row per group: a labelled row for each."""
    groups = group_columns(frame)
    return interval_rows(frame, value, axis, labels(frame, groups), looks(frame, groups), bars=bars, zero=zero)


def add_rows(
    figure: go.Figure,
    frame: pl.DataFrame,
    value: str,
    axis: Axis,
    names: Sequence[str],
    styles: Sequence[Look],
    *,
    low: str = "low",
    high: str = "high",
    bars: bool = False,
    hollow: Sequence[bool] | None = None,
    cell: Cell | None = None,
) -> None:
    """Add the rows of a frame to a figure or to one cell of its panels."""
    where = cell or {}
    places = list(range(len(frame)))
    if bars:
        figure.add_trace(
            go.Bar(
                x=frame[value].to_list(), y=places, orientation="h", width=0.5, hoverinfo="skip",
                marker={"color": LIGHT["border"], "line": {"width": 0}},
            ),
            **where,
        )  # fmt: skip
    for place, style, (lower, upper) in zip(places, styles, frame.select(low, high).iter_rows(), strict=True):
        figure.add_trace(
            go.Scatter(
                x=[lower, upper], y=[place, place], mode="lines", hoverinfo="skip", cliponaxis=False,
                line={"color": style.line, "width": 3},
            ),
            **where,
        )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=frame[value].to_list(), y=places, mode="markers", opacity=1, cliponaxis=False, text=list(names),
            marker=mark_style(styles, hollow), customdata=hover_data(frame, low, high),
            hovertemplate=hover_text("x", axis),
        ),
        **where,
    )  # fmt: skip
    ends = [end for row in frame.select(low, high, value).rows() for end in row if end is not None]
    if ends:
        # A little room, or the longest interval seems cut off at the edge.
        room = 0.03 * ((max(ends) - min(0.0 if bars else min(ends), max(ends))) or 1.0)
        figure.update_xaxes(autorangeoptions_include=[max(ends) + room, min(ends) - (0 if bars else room)], **where)


def finish_rows(
    figure: go.Figure,
    axis: Axis,
    names: Sequence[str],
    *,
    zero: bool = False,
    from_zero: bool = False,
    cell: Cell | None = None,
) -> None:
    """Label the rows, title the value axis and draw the zero line."""
    where = cell or {}
    figure.update_yaxes(
        tickmode="array", tickvals=list(range(len(names))), ticktext=list(names), range=[len(names) - 0.5, -0.5],
        showgrid=False, tickfont={"size": 14, "color": LIGHT["text"]}, ticks="outside", ticklen=6,
        tickcolor="rgba(0,0,0,0)", **where,
    )  # fmt: skip
    figure.update_xaxes(
        title_text=axis.title, tickformat=axis.ticks, rangemode="tozero" if from_zero else "normal", **where
    )
    if zero:
        figure.add_vline(x=0, line={"color": LIGHT["text"], "width": 1.5}, layer="below", **where)


def row_panels(
    frame: pl.DataFrame, value: str, axis: Axis, groups: Sequence[str], keys: Sequence[str], *, bars: bool = True
) -> go.Figure:
    """The same labelled rows for every group, a column of them for each, titled by its name."""
    if frame.is_empty():
        return empty()
    parts, titles = split(frame, groups)
    names, columns = labels(parts[0], keys), min(len(parts), PANELS_ACROSS)
    lines, height = -(-len(parts) // columns), ROW_HEIGHT * len(names) * 0.75
    figure = make_subplots(
        lines, columns, shared_yaxes=True, subplot_titles=titles, horizontal_spacing=0.04,
        vertical_spacing=min(0.5, 64 / (lines * (height + 64))),
    )  # fmt: skip
    figure.update_layout(
        template=TEMPLATE, height=lines * (height + 64) + 32, margin={"t": 34 if titles else 10, "b": 48}
    )
    figure.update_annotations(font={"size": 14, "color": LIGHT["text"]})
    for place, part in enumerate(parts):
        cell: Cell = {"row": place // columns + 1, "col": place % columns + 1}
        add_rows(figure, part, value, axis, labels(part, keys), looks(part, groups), bars=bars, cell=cell)
        finish_rows(figure, Axis("", axis.ticks), names, from_zero=bars, cell=cell)
    figure.update_xaxes(matches="x")
    return figure.add_annotation(
        text=axis.title, xref="paper", yref="paper", x=0.5, y=0, yanchor="top", yshift=-24, showarrow=False,
        font={"size": 13, "color": LIGHT["muted"]},
    )  # fmt: skip


def distribution(
    frame: pl.DataFrame, value: str, key: str, axis: Axis, groups: Sequence[str], key_title: str
) -> go.Figure:
    """Bars of shares along a number, a panel above the other for every group, each bar with its interval."""
    if frame.is_empty():
        return empty()
    parts, titles = split(frame, groups)
    figure = make_subplots(
        len(parts), 1, shared_xaxes=True, subplot_titles=titles, vertical_spacing=min(0.5 / len(parts), 0.16)
    )
    figure.update_layout(template=TEMPLATE, height=210 * len(parts) + 50, bargap=0.15, margin={"t": 40})
    for row, part in enumerate(parts, 1):
        style = looks(part, groups)[0]
        at = part[key].to_list()
        figure.add_trace(
            go.Bar(
                x=at, y=part[value].to_list(), marker={"color": LIGHT["border"], "line": {"width": 0}},
                customdata=hover_data(part, "low", "high"), text=[say(key, where) for where in at], textposition="none",
                hovertemplate=hover_text("y", axis),
            ),
            row=row, col=1,
        )  # fmt: skip
        figure.add_trace(
            go.Scatter(
                x=[where for where in at for _ in range(3)],
                y=[end for ends in part.select("low", "high").iter_rows() for end in (*ends, None)],
                mode="lines", line={"color": style.line, "width": 3}, hoverinfo="skip", cliponaxis=False,
            ),
            row=row, col=1,
        )  # fmt: skip
    figure.update_annotations(font={"size": 14, "color": LIGHT["text"]}, x=0, xanchor="left")
    figure.update_yaxes(tickformat=axis.ticks, rangemode="tozero")
    figure.update_xaxes(showgrid=False, title_text=key_title, row=len(parts), col=1)
    if frame[key].n_unique() <= 12:
        figure.update_xaxes(dtick=1)
    return title_above(figure, axis.title, shift=18 if titles else 2)


def lines_along(
    frame: pl.DataFrame, value: str, key: str, axis: Axis, groups: Sequence[str], key_title: str
) -> go.Figure:
    """A line for every group along a whole number, each point with its interval, named at its end."""
    if frame.is_empty():
        return empty()
    figure = go.Figure(layout={"template": TEMPLATE, "height": 340, "margin": {"t": 34}})
    parts, _ = split(frame, groups)
    for place, part in enumerate(parts):
        style, name = looks(part, groups)[0], labels(part.head(1), groups)[0]
        # Side by side, so that intervals of different groups do not cover each other.
        at = [where + 0.08 * (place - (len(parts) - 1) / 2) for where in part[key].to_list()]
        figure.add_scatter(
            x=[where for where in at for _ in range(3)],
            y=[end for ends in part.select("low", "high").iter_rows() for end in (*ends, None)],
            mode="lines", line={"color": style.line, "width": 3}, hoverinfo="skip", cliponaxis=False,
        )  # fmt: skip
        figure.add_scatter(
            x=at, y=part[value].to_list(), mode="lines+markers", opacity=1, cliponaxis=False,
            line={"color": style.line, "width": 1},
            marker=mark_style([style] * len(part), None), customdata=hover_data(part, "low", "high"),
            text=[f"{name}, {say(key, where)}" for where in part[key].to_list()], hovertemplate=hover_text("y", axis),
        )  # fmt: skip
        if groups:
            figure.add_annotation(
                x=at[-1], y=part[value].to_list()[-1], text=name, showarrow=False, xanchor="left", xshift=12,
                font={"color": style.line},
            )  # fmt: skip
    ticks = sorted(set(frame[key].to_list()))
    figure.update_xaxes(
        title_text=key_title, showgrid=False, range=[ticks[0] - 0.4, ticks[-1] + (1.2 if groups else 0.4)],
        tickmode="array", tickvals=ticks,
    )  # fmt: skip
    figure.update_yaxes(tickformat=axis.ticks, rangemode="tozero")
    return title_above(figure, axis.title, shift=8)


def title_above(figure: go.Figure, text: str, shift: int = 2) -> go.Figure:
    """Put the title of the value axis horizontally above it."""
    return figure.add_annotation(
        text=text, xref="paper", yref="paper", x=0, y=1, xanchor="left", yanchor="bottom", yshift=shift,
        showarrow=False, font={"size": 13, "color": LIGHT["muted"]},
    )  # fmt: skip


def mark_style(styles: Sequence[Look], hollow: Sequence[bool] | None) -> dict[str, Any]:
    """12 px marks with a rim in the page's colour; a hollow one is the page's colour with a rim of its own."""
    empty_marks = hollow or [False] * len(styles)
    pairs = list(zip(styles, empty_marks, strict=True))
    return {
        "size": 12,
        "opacity": 1,
        "symbol": [style.symbol for style in styles],
        "color": [LIGHT["page"] if bare else style.mark for style, bare in pairs],
        "line": {
            "color": [style.mark if bare else LIGHT["page"] for style, bare in pairs],
            "width": [2.5 if bare else 1.5 for bare in empty_marks],
        },
    }


def hover_data(frame: pl.DataFrame, low: str, high: str) -> list[list[Any]]:
    """What a hover label adds to the value: interval and player-hands, where the frame has them."""
    columns = [pl.col(name) if name in frame.columns else pl.lit(None).alias(name) for name in (low, high, "hands")]
    return [list(row) for row in frame.select(columns).iter_rows()]


def hover_text(value: str, axis: Axis) -> str:
    """The hover label of a point whose value is `x` or `y`."""
    form = axis.hover
    return (
        f"%{{text}}<br>%{{{value}:{form}}} (%{{customdata[0]:{form}}} to %{{customdata[1]:{form}}})"
        "<br>%{customdata[2]:,} hands<extra></extra>"
    )
