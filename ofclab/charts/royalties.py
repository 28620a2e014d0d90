"""Royalties, drawn: means by group, what each row and category brings in, how large they are."""

import plotly.graph_objects as go
import polars as pl

from ofclab.charts.groups import group_columns
from ofclab.charts.marks import RATE, Axis, by_group, distribution, row_panels


def royalty_bars(frame: pl.DataFrame) -> go.Figure:
    """Mean royalties over all hands, a row per group. Wants the frame of `royalties_per_hand`."""
    return by_group(frame, "royalties_per_hand", Axis("Royalties, points per hand"), bars=True)


def legal_royalty_bars(frame: pl.DataFrame) -> go.Figure:
    """Mean royalties over hands not fouled, a row per group. Wants the frame of `royalties_per_legal_hand`."""
    return by_group(frame, "royalties_per_legal_hand", Axis("Royalties, points per hand not fouled"), bars=True)


def royalty_category_bars(frame: pl.DataFrame) -> go.Figure:
    """What each category of each row brings in, a column per group. Wants the frame of `royalty_by_category`."""
    said = frame.with_columns(pl.col("category").cast(pl.String).str.replace_all("_", " "))
    groups = group_columns(frame, ["row"])
    return row_panels(said, "royalty_by_category", Axis("Royalties, points per hand"), groups, ["row", "category"])


def royalty_distribution_bars(frame: pl.DataFrame) -> go.Figure:
    """Hands by their royalty points, a panel per group. Wants the frame of `royalty_distribution`."""
    groups = group_columns(frame, ["points"])
    return distribution(frame, "royalty_distribution", "points", Axis("% of hands", RATE), groups, "Royalties, points")
