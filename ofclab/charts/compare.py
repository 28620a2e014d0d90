"""Rules and players side by side, drawn: differences, relative changes, one change at a time, two rates at once."""

from collections.abc import Sequence
from typing import Any, Final

import plotly.graph_objects as go
import polars as pl

from ofclab.charts.groups import group_columns, labels, looks
from ofclab.charts.marks import (
    NUMBER,
    RATE,
    ROW_HEIGHT,
    Axis,
    empty,
    finish_rows,
    hover_data,
    interval_rows,
    mark_style,
    title_above,
)
from ofclab.charts.theme import DIVERGING, LIGHT, PLAIN, TEMPLATE, look_of, scale

SIGNED: Final = "+,.2~f"
SIGNED_RATE: Final = "+,.1~%"
TOO_CLOSE: Final = "too close to call"


def difference_marks(frame: pl.DataFrame) -> go.Figure:
    """Differences with their intervals around zero, a row each; hollow where zero is inside. One unit at a time.

    Wants rows of `RulesComparison.differences`, such as the points of every strategy.
    """
    if frame.is_empty():
        return empty("No differences to show")
    unit = frame["unit"][0]
    axis = Axis(f"Change, {unit}", SIGNED_RATE if unit.startswith("%") else SIGNED)
    several = frame["ruleset"].n_unique() > 1
    names = [_whose(row) + (f" · {row['ruleset']}" if several else "") for row in frame.iter_rows(named=True)]
    styles = [look_of(of, group) for of, group in frame.select("of", "group").iter_rows()]
    return interval_rows(frame, "difference", axis, names, styles, zero=True, hollow=_too_close(frame))


def relative_marks(frame: pl.DataFrame) -> go.Figure:
    """Relative changes of measures in different units, the levels under each name; hollow where zero is inside.

    Wants rows of `RulesComparison.differences`; those without a relative change are left out.
    """
    frame = frame.drop_nulls("relative")
    if frame.is_empty():
        return empty("No changes to show")
    names = [
        f"{row['title']}<br><span style='color:{LIGHT['muted']}'>{_level(row['before'], row['unit'])} → "
        f"{_level(row['after'], row['unit'])}</span>"
        for row in frame.iter_rows(named=True)
    ]
    figure = interval_rows(
        frame, "relative", Axis("Change, %", SIGNED_RATE), names, [PLAIN] * len(frame), low="relative_low",
        high="relative_high", zero=True, hollow=_too_close(frame),
    )  # fmt: skip
    return figure.update_layout(height=1.3 * ROW_HEIGHT * len(frame) + 64)


def change_waterfall(frame: pl.DataFrame) -> go.Figure:
    """One rule changed after the other: each bar runs from the level before to the level after, with its interval.

    Wants the frame of `RuleChanges.waterfall`.
    """
    if frame.is_empty():
        return empty("No changes to show")
    unit, names = frame["unit"][0], [f"{row[0]}. {row[1]}" for row in frame.select("number", "change").iter_rows()]
    axis = Axis(f"{frame['title'][0]}, {unit}", RATE if unit.startswith("%") else NUMBER)
    figure = go.Figure(layout={"template": TEMPLATE, "height": ROW_HEIGHT * len(frame) + 64})
    for place, row in enumerate(frame.iter_rows(named=True)):
        colour = {"higher": LIGHT["green"], "lower": LIGHT["red"]}.get(row["verdict"], LIGHT["muted"])
        for ends, width, ink in (
            ((row["before"], row["after"]), 16, LIGHT["border"]),
            ((row["after_low"], row["after_high"]), 3, colour),
        ):
            figure.add_scatter(
                x=list(ends), y=[place, place], mode="lines", line={"color": ink, "width": width}, hoverinfo="skip"
            )
    change = SIGNED_RATE if unit.startswith("%") else SIGNED
    figure.add_scatter(
        x=frame["after"].to_list(), y=list(range(len(frame))), mode="markers", opacity=1, text=names,
        marker=mark_style([PLAIN] * len(frame), _too_close(frame)),
        customdata=frame.select("difference", "low", "high", "verdict").rows(),
        hovertemplate=f"%{{text}}<br>%{{customdata[0]:{change}}} (%{{customdata[1]:{change}}} to "
        f"%{{customdata[2]:{change}}}), %{{customdata[3]}}<extra></extra>",
    )  # fmt: skip
    finish_rows(figure, axis, names)
    return figure.add_vline(x=frame["before"][0], line={"color": LIGHT["text"], "width": 1.5}, layer="below")


def crossed_marks(across: pl.DataFrame, up: pl.DataFrame, x: str, y: str, x_title: str, y_title: str) -> go.Figure:
    """Two metrics of the same groups at once, each mark with both intervals and its name beside it.

    `across` and `up` are frames of the metrics `x` and `y` by the same groups, such as the foul and the entry rate.
    """
    groups = group_columns(across)
    both = across.join(up, on=groups, suffix="_up", maintain_order="left") if groups else across
    if both.is_empty():
        return empty()
    names, styles = labels(both, groups), looks(both, groups)
    axes = [Axis(title, RATE if "%" in title else NUMBER) for title in (x_title, y_title)]
    figure = go.Figure(layout={"template": TEMPLATE, "height": 420, "margin": {"t": 34}})
    ends = both.select(x, y, "low", "high", "low_up", "high_up").iter_rows()
    for style, (at_x, at_y, *lines) in zip(styles, ends, strict=True):
        for xs, ys in (((lines[0], lines[1]), (at_y, at_y)), ((at_x, at_x), (lines[2], lines[3]))):
            figure.add_scatter(
                x=list(xs), y=list(ys), mode="lines", line={"color": style.line, "width": 3}, hoverinfo="skip"
            )
    figure.add_scatter(
        x=both[x].to_list(), y=both[y].to_list(), mode="markers", opacity=1, text=names,
        marker=mark_style(styles, None), customdata=hover_data(both, "low", "high"),
        hovertemplate=f"%{{text}}<br>{x_title}: %{{x:{axes[0].hover}}}<br>{y_title}: %{{y:{axes[1].hover}}}"
        "<br>%{customdata[2]:,} hands<extra></extra>",
    )  # fmt: skip
    for name, style, (right, upwards), (at_x, at_y) in zip(
        names, styles, _free_sides(both.select(x, y).rows()), both.select(x, y).iter_rows(), strict=True
    ):
        figure.add_annotation(
            x=at_x, y=at_y, text=name, showarrow=False, font={"color": style.mark},
            xanchor=("right", "center", "left")[right + 1], xshift=6 * right,
            yanchor=("top", "middle", "bottom")[upwards + 1], yshift=4 * upwards,
        )  # fmt: skip
    figure.update_xaxes(title_text=x_title, tickformat=axes[0].ticks)
    figure.update_yaxes(tickformat=axes[1].ticks)
    return title_above(figure, y_title, shift=8)


def payoff_matrix(frame: pl.DataFrame) -> go.Figure:
    """Points a hand each row wins from each column, columns numbered as the rows are.

    Wants columns a, b, points: a row for each pair, from a's side.
    """
    if frame.is_empty():
        return empty("No matches to show")
    won = {(a, b): points for a, b, points in frame.select("a", "b", "points").iter_rows()}
    won |= {(b, a): -points for (a, b), points in list(won.items())}
    names = sorted({name for pair in won for name in pair})
    table = [[won.get((a, b)) for b in names] for a in names]
    figure = go.Figure(layout={"template": TEMPLATE, "height": 40 * len(names) + 80})
    figure.add_heatmap(
        z=table, x=list(range(len(names))), y=list(range(len(names))), texttemplate="%{z:+.2f}", zmid=0, xgap=2, ygap=2,
        colorscale=scale(DIVERGING), showscale=False, customdata=[[[a, b] for b in names] for a in names],
        hovertemplate="%{customdata[0]} wins %{z:+.2f} points a hand from %{customdata[1]}<extra></extra>",
        hoverongaps=False,
    )  # fmt: skip
    numbers = [str(i + 1) for i in range(len(names))]
    finish_rows(
        figure, Axis("Points per hand won from strategy number"), [f"{i + 1}. {n}" for i, n in enumerate(names)]
    )
    return figure.update_xaxes(
        tickmode="array", tickvals=list(range(len(names))), ticktext=numbers, showgrid=False, side="top", ticks=""
    )


def _free_sides(points: Sequence[tuple[float, float]]) -> list[tuple[int, int]]:
    """For each point the first of eight sides with no other point near, as (right, upwards) from -1 to 1."""
    # Corners first: the four straight ways out are where the intervals lie.
    sides = [(1, 1), (-1, 1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)]
    widths = [max(values) - min(values) or 1.0 for values in zip(*points, strict=True)]
    placed = [(x / widths[0], y / widths[1]) for x, y in points]

    def crowd(at: tuple[float, float], side: tuple[int, int]) -> int:
        x, y = at[0] + 0.12 * side[0], at[1] + 0.05 * side[1]
        return sum(abs(x - other[0]) < 0.14 and abs(y - other[1]) < 0.05 for other in placed if other != at)

    return [min(sides, key=lambda side: crowd(at, side)) for at in placed]


def _whose(row: dict[str, Any]) -> str:
    """What a difference is of: the measure, or the player or place it is measured for."""
    if row["of"] == "all":
        return str(row["title"])
    return str(row["group"]) if row["of"] == "strategy" else f"{row['of']} {row['group']}"


def _too_close(frame: pl.DataFrame) -> list[bool]:
    return (frame["verdict"] == TOO_CLOSE).to_list()


def _level(value: float, unit: str) -> str:
    return f"{value:.1%}" if unit.startswith("%") else f"{value:.2f}"
