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


def end_labels_inside(figure: Any) -> Any:
    """Put the names of lines over their last marks, apart from each other: beside them a phone cuts them off."""
    named = [note for note in figure.layout.annotations if note.xanchor == "left" and note.xref in (None, "x")]
    tops = [y for trace in figure.data for y in trace.y if y is not None]
    if not named or not max(tops):
        return figure
    pixels, least = 240 / max(tops), -LINE
    for label in sorted(named, key=lambda note: note.y):
        least = max(label.y * pixels, least + LINE)
        label.update(xanchor="right", xshift=10, yshift=least - label.y * pixels + 15)
    # Room for a mark on the zero line and for a name over the highest one.
    figure.update_yaxes(range=[-0.04 * max(tops), 1.12 * max(tops)])
    first, last = figure.layout.xaxis.range
    return figure.update_xaxes(range=[first, last - 0.8])


def literal(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with its text as plotly must get it to show exactly its characters: a chart reads tags in labels."""
    text = pl.selectors.string()
    return frame.with_columns(
        text.str.replace_all("&", "&amp;", literal=True).str.replace_all("<", "&lt;", literal=True)
    )


def draw(heading: str, metric: str, frame: pl.DataFrame, alt: str) -> Item:
    """Draw a metric's chart under a heading with its definition, counts and interval; return it for the downloads."""
    st.subheader(heading, anchor=False)
    figure = end_labels_inside(charts.CHARTS[metric](literal(frame)))
    if figure.layout.xaxis.rangemode == "tozero":
        # The heading names the metric already, and the longest interval must not seem cut off at the edge.
        figure.update_xaxes(title_text=METRICS[metric].unit, range=[0, 1.05 * (frame["high"].max() or 1)])
    show(figure, words.caption(metric, frame), metric, alt)
    return Item(METRICS[metric].title, frame, metric)
