"""Show a chart in the page's colours, with its caption and the words a screen reader says."""

from typing import Any

# First of all and whole: plotly looks for pandas among the loaded modules, and must not find it half loaded by the
# thread of another visitor.
import pandas  # noqa: F401
import polars as pl
import streamlit as st
import words

from components.download import Item
from components.page import note
from components.theme import is_dark, page_color
from ofclab import charts
from ofclab.analytics import METRICS

# The mode bar is hidden by style; the download menu presses its button.
_CONFIG = {"displayModeBar": True, "modeBarButtons": [["toImage"]], "scrollZoom": False, "doubleClick": False}

MOST_ROWS, MOST_LINES = 12, 6
"""Groups a chart shows at most: an import may name hundreds of players."""
LINE = 18
"""Pixels a line of text takes in a chart."""


def show(figure: Any, caption: str, key: str, alt: str) -> None:
    """Draw a plotly figure built in light colours; `key` names it for the download menu, `alt` states the takeaway."""
    drawn = charts.dark(figure) if is_dark() else figure
    drawn.update_layout(paper_bgcolor=page_color())
    config = {**_CONFIG, "toImageButtonOptions": {"format": "png", "scale": 2, "filename": key}}
    with st.container(key=f"chart_{key}", gap="small"):
        st.plotly_chart(drawn, theme=None, key=f"plot_{key}", config=config, alt=alt)
        note(caption)


def _end_labels_inside(figure: Any, highest: float, ends: dict[float, float]) -> None:
    """Put the names of lines over their last intervals, apart from each other: beside them a phone cuts them off.

    `highest`: the top of the highest interval; `ends`: the top of the last interval by the value of the last mark.
    """
    named = [label for label in figure.layout.annotations if label.xanchor == "left" and label.y in ends]
    if not named or not highest:
        return
    pixels, lowest = 230 / highest, -LINE
    for label in sorted(named, key=lambda label: ends[label.y]):
        lowest = max(ends[label.y] * pixels, lowest + LINE)
        label.update(xanchor="right", xshift=10, yshift=lowest - label.y * pixels + 13)
    # Room for a mark on the zero line and for names over the highest interval.
    figure.update_yaxes(range=[-0.04 * highest, max(highest * pixels, lowest + LINE) / pixels * 1.08])
    first, last = figure.layout.xaxis.range
    figure.update_xaxes(range=[first, last - 0.8])


def _say_unit_only(figure: Any, unit: str) -> None:
    """Cut the titles of value axes to their unit: the heading names the metric, and a phone has no room for both."""
    if str(figure.layout.xaxis.title.text).endswith(unit):
        figure.update_xaxes(title_text=unit)
    for label in figure.layout.annotations:
        if str(label.text).endswith(unit):
            label.text = unit


def literal(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with its text as plotly must get it to show exactly its characters: a chart reads tags in labels."""
    text = pl.selectors.string()
    return frame.with_columns(
        text.str.replace_all("&", "&amp;", literal=True).str.replace_all("<", "&lt;", literal=True)
    )


def most_played(metric: str, frame: pl.DataFrame, most: int = MOST_ROWS) -> pl.DataFrame:
    """The rows of the groups with the most hands, in their order."""
    groups = [name for name in frame.columns[: frame.columns.index("hands")] if name not in METRICS[metric].keys]
    if not groups:
        return frame
    ranked = frame.group_by(groups, maintain_order=True).agg(pl.col("hands").max()).sort("hands", descending=True)
    return frame.join(ranked.head(most), on=groups, how="semi", nulls_equal=True, maintain_order="left")


def draw(heading: str, metric: str, frame: pl.DataFrame, alt: str) -> Item:
    """Draw a metric's chart under a heading with its definition, counts and interval; return it for the downloads."""
    st.subheader(heading, anchor=False)
    known = frame.filter(pl.col("hands") > 0)
    drawn = most_played(metric, known, MOST_LINES if "street" in frame.columns else MOST_ROWS)
    figure = charts.CHARTS[metric](literal(drawn))
    if "street" in drawn.columns:
        last = drawn.filter(pl.col("street") == pl.col("street").max())
        _end_labels_inside(figure, drawn["high"].max(), dict(last.select(metric, "high").iter_rows()))
    _say_unit_only(figure, METRICS[metric].unit)
    caption = words.caption(metric, drawn)
    if len(drawn) < len(known):
        caption += " Only those with the most hands are drawn; the table has all."
    show(figure, caption, metric, alt)
    return Item(METRICS[metric].title, frame, metric)
