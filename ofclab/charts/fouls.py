"""How often boards foul, drawn: rates by group, and street by street."""

import plotly.graph_objects as go
import polars as pl

from ofclab.charts.groups import group_columns
from ofclab.charts.marks import RATE, Axis, by_group, lines_along


def foul_bars(frame: pl.DataFrame) -> go.Figure:
    """Foul rate, a row per group. Wants the frame of `foul_rate`."""
    return by_group(frame, "foul_rate", Axis("Foul rate, % of hands", RATE), bars=True)


def fantasyland_foul_bars(frame: pl.DataFrame) -> go.Figure:
    """Foul rate in Fantasyland, a row per group. Wants the frame of `fantasyland_foul_rate`."""
    axis = Axis("Foul rate, % of hands in Fantasyland", RATE)
    return by_group(frame, "fantasyland_foul_rate", axis, bars=True)


def foul_street_lines(frame: pl.DataFrame) -> go.Figure:
    """Fouls that became certain on each street, a line per group. Wants the frame of `foul_street`."""
    axis = Axis("Fouls certain on this street, % of hands", RATE)
    return lines_along(frame, "foul_street", "street", axis, group_columns(frame, ["street"]), "Street")


def foul_hazard_lines(frame: pl.DataFrame) -> go.Figure:
    """Hazard of each street, a line per group. Wants the frame of `foul_hazard`."""
    axis = Axis("Fouls certain on this street, % of boards still alive", RATE)
    return lines_along(frame, "foul_hazard", "street", axis, group_columns(frame, ["street"]), "Street")
