"""A ledger, drawn: the leaderboard, who won what from whom, how points added up."""

import plotly.graph_objects as go
import polars as pl

from ofclab.charts.groups import looks
from ofclab.charts.marks import ROW_HEIGHT, Axis, empty, finish_rows
from ofclab.charts.theme import DIVERGING, LIGHT, TEMPLATE, look_of, scale

_NOTHING = "No sessions to show"


def leaderboard_bars(frame: pl.DataFrame) -> go.Figure:
    """Points of each player, a bar each, best first. Wants one season of the frame of `leaderboard`."""
    ranked = frame.drop_nulls("points")
    if ranked.is_empty():
        return empty(_NOTHING)
    names, styles = ranked["player"].to_list(), looks(ranked, ["player"])
    figure = go.Figure(layout={"template": TEMPLATE, "height": ROW_HEIGHT * len(ranked) + 64})
    figure.add_bar(
        x=ranked["points"].to_list(), y=list(range(len(ranked))), orientation="h", width=0.5,
        marker={"color": [style.line for style in styles], "line": {"width": 0}},
        texttemplate="%{x:+,}", textposition="outside", cliponaxis=False, textfont={"color": LIGHT["text"]},
        customdata=ranked.select("sessions", "hands").rows(), hovertext=names,
        hovertemplate="%{hovertext}<br>%{x:+,} points in %{customdata[0]} sessions, %{customdata[1]} hands"
        "<extra></extra>",
    )  # fmt: skip
    finish_rows(figure, Axis("Points", ",.0f"), names, zero=True)
    return figure


def pair_nets_matrix(frame: pl.DataFrame) -> go.Figure:
    """Points each row has won from each column, columns numbered as the rows are. Wants the frame of `pair_nets`."""
    known = frame.drop_nulls("points").group_by("player", "opponent").agg(pl.col("points").sum())
    if known.is_empty():
        return empty(_NOTHING)
    won = {(a, b): points for a, b, points in known.iter_rows()}
    names = sorted({name for pair in won for name in pair})
    figure = go.Figure(layout={"template": TEMPLATE, "height": 40 * len(names) + 80})
    figure.add_heatmap(
        z=[[won.get((a, b)) for b in names] for a in names], x=list(range(len(names))), y=list(range(len(names))),
        texttemplate="%{z:+,}", zmid=0, xgap=2, ygap=2, colorscale=scale(DIVERGING), showscale=False,
        customdata=[[[a, b] for b in names] for a in names], hoverongaps=False,
        hovertemplate="%{customdata[0]} has won %{z:+,} points from %{customdata[1]}<extra></extra>",
    )  # fmt: skip
    finish_rows(figure, Axis("Points won from player number"), [f"{i}. {name}" for i, name in enumerate(names, 1)])
    return figure.update_xaxes(
        tickmode="array", tickvals=list(range(len(names))), ticktext=[str(i + 1) for i in range(len(names))],
        showgrid=False, side="top", ticks="",
    )  # fmt: skip


def running_points_lines(frame: pl.DataFrame) -> go.Figure:
    """How each player's points added up, a line each with its name at the end. Wants the frame of `running_points`."""
    if frame.is_empty():
        return empty(_NOTHING)
    figure = go.Figure(layout={"template": TEMPLATE, "height": 360, "margin": {"r": 96}})
    dated = frame["played_at"].null_count() == 0
    for (name,), line in frame.group_by("player", maintain_order=True):
        style = look_of("player", name)
        xs = line["played_at"].to_list() if dated else list(range(1, len(line) + 1))
        figure.add_scatter(
            x=xs, y=line["total"].to_list(), mode="lines+markers",
            line={"color": style.line, "width": 2, "shape": "hv"},
            marker={"color": style.mark, "size": 7}, name=str(name), customdata=line.select("points").rows(),
            hovertemplate=f"{name}<br>%{{y:+,}} points, %{{customdata[0]:+,}} in this session<extra></extra>",
        )  # fmt: skip
        figure.add_annotation(
            x=xs[-1], y=line["total"][-1], text=str(name), showarrow=False, xanchor="left", xshift=8,
            font={"color": style.mark},
        )  # fmt: skip
    figure.update_xaxes(title_text="" if dated else "Session")
    return figure.update_yaxes(title_text="Points", tickformat="+,", zeroline=True, zerolinecolor=LIGHT["border"])
