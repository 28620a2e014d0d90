"""How long until skill shows, and how easily a bankroll is lost: sliders, the formula, and its source."""

import math
from statistics import NormalDist
from typing import Any

import plotly.graph_objects as go
import polars as pl
import streamlit as st
from words import royalties as say

import ofclab as ofc
from components.chart import literal, show
from components.download import Item
from components.page import note

_NORMAL = NormalDist()
DIFFERENCES = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0)
HORIZON = 10_000
"""Hands of the short look at ruin."""


def risk_of_ruin(edge: float, sd: float, bankroll: float, hands: float | None = None) -> float:
    """Chance to lose a bankroll of so many points, within so many hands or ever.

    ``edge``: points won a hand; ``sd``: standard deviation of a hand, in points. Points are taken for a Brownian motion
    with drift, absorbed at 0: ever, exp(-2 edge bankroll / sd^2), and 1 without an edge; within n hands, the inverse
    Gaussian distribution of the first passage. Source: D. R. Cox and H. D. Miller, The Theory of Stochastic Processes
    (1965), section 5.7; for poker, B. Chen and J. Ankenman, The Mathematics of Poker (2006), part IV.
    """
    if bankroll <= 0:
        return 1.0
    if sd <= 0:
        return 0.0 if edge >= 0 else 1.0
    ever = math.exp(min(-2 * edge * bankroll / sd**2, 700.0))
    if hands is None:
        return min(ever, 1.0)
    if hands <= 0:
        return 0.0
    spread = sd * math.sqrt(hands)
    direct = _NORMAL.cdf((-bankroll - edge * hands) / spread)
    return min(direct + ever * _NORMAL.cdf((-bankroll + edge * hands) / spread), 1.0)


def bankroll_needed(edge: float, sd: float, risk: float) -> float | None:
    """Points with which the chance ever to lose them all is ``risk``; None without an edge."""
    return -math.log(risk) * sd**2 / (2 * edge) if edge > 0 else None


def draw_bankroll(points: pl.DataFrame, needed: pl.DataFrame, by: str | None) -> list[Item]:
    """Sliders for an edge and a bankroll; ruin as numbers and as a curve, then the hands until an edge shows.

    ``points``, ``needed``: the frames of `points_per_hand` and `hands_needed` by the same groups.
    """
    known = points.join(needed.select(*([by] if by else []), "design_effect"), on=by, nulls_equal=True) if by else (
        points.hstack(needed.select("design_effect")))  # fmt: skip
    known = known.drop_nulls(["points_per_hand", "sd"])
    if known.is_empty():
        note("Nobody here has hands enough for a spread.")
        return []
    rows = {str(row[by]) if by else "Everybody": row for row in known.to_dicts()}
    left, right = st.columns([1, 1.4], gap="medium")
    with left:
        row = _whose(rows)
        sd = row["sd"] * math.sqrt(row["design_effect"])
        edge = st.slider("Edge, points a hand", -5.0, 10.0, _within(row["points_per_hand"]), 0.05, key="royalties_edge",
                         help=say.EDGE)  # fmt: skip
        bankroll = st.slider("Bankroll, points", 50, 5000, 500, 50, key="royalties_bankroll", bind="query-params")
        st.markdown(say.ruin(risk_of_ruin(edge, sd, bankroll), risk_of_ruin(edge, sd, bankroll, HORIZON), HORIZON,
                             bankroll_needed(edge, sd, 0.05)))  # fmt: skip
    with right:
        top = max(1.5 * bankroll, 3 * (bankroll_needed(edge, sd, 0.05) or 5000))
        sizes = [round(min(top, 10_000) * step / 80) for step in range(81)]
        curve = pl.DataFrame({"bankroll": sizes, "risk_of_ruin": [risk_of_ruin(edge, sd, size) for size in sizes]})
        risk = risk_of_ruin(edge, sd, bankroll)
        show(_curve(curve, bankroll, risk), say.ruin_caption(edge, sd, row["design_effect"]), "ruin",
             say.ruin_alt(bankroll, risk))  # fmt: skip
    note(say.SOURCE)
    return [Item("Risk of ruin", curve, "ruin")]


def _whose(rows: dict[str, Any]) -> Any:
    name = next(iter(rows))
    if len(rows) > 1:
        name = st.selectbox("Whose spread", list(rows), key="royalties_who")
    return rows[name]


def _within(edge: float) -> float:
    return round(min(max(edge, -5.0), 10.0) * 20) / 20


def _curve(frame: pl.DataFrame, bankroll: float, risk: float) -> go.Figure:
    figure = go.Figure(layout={"template": "ofclab", "height": 260, "margin": {"t": 34}})
    figure.add_scatter(
        x=frame["bankroll"].to_list(), y=frame["risk_of_ruin"].to_list(), mode="lines",
        line={"color": "#0B6E5F", "width": 3}, hovertemplate="%{x:,} points: %{y:.1%}<extra></extra>",
    )  # fmt: skip
    figure.add_scatter(
        x=[bankroll], y=[risk], mode="markers", opacity=1, hoverinfo="skip",
        marker={"size": 12, "color": "#1B1F24", "line": {"color": "#FBFAF7", "width": 1.5}},
    )  # fmt: skip
    figure.update_yaxes(range=[-0.03, 1.05], tickformat=".0%")
    figure.update_xaxes(title_text="Bankroll, points", tickformat=",")
    return figure.add_annotation(text="Risk of ruin", x=0, y=1, xref="paper", yref="paper", xanchor="left", yshift=20,
                                 xshift=-36, showarrow=False, font={"color": "#5C6370", "size": 13})  # fmt: skip


def draw_hands_needed(needed: pl.DataFrame, by: str | None) -> Item:
    """A slider for the difference, and how many hands show it."""
    difference = st.select_slider("Difference to show, points a hand", DIFFERENCES, 1.0, key="royalties_difference",
                                  bind="query-params", help=ofc.analytics.define("difference"))  # fmt: skip
    # The hands needed go with the inverse square of the difference.
    scaled = needed.with_columns(
        pl.lit(float(difference)).alias("difference"),
        (pl.col("hands_needed") / difference**2).ceil().cast(pl.Int64).alias("hands_needed"),
    )
    shown = scaled.drop_nulls("hands_needed").filter(pl.col("hands_needed") > 0)
    if shown.is_empty():
        note("Nobody here has hands enough for a spread.")
        return Item("Hands needed", scaled)
    figure = ofc.charts.hands_needed_bars(literal(shown.head(12)))
    # Room for the numbers at the ends of the bars.
    figure.update_xaxes(range=[0, 1.3 * float(shown["hands_needed"].max() or 1)], nticks=4)
    show(figure, say.needed_caption(difference), "needed", say.needed_alt(shown, by, difference))
    return Item("Hands needed", scaled, "needed")
