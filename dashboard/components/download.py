"""The download menu: any table of the page as CSV or Parquet, any chart as a picture."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl
import streamlit as st

_FORMULA = r"^[=+\-@\t\r]"


@dataclass(frozen=True)
class Item:
    """One thing to download: its name in the menu, its table, and the key of its chart if it has one."""

    title: str
    table: pl.DataFrame
    chart: str | None = None


def to_csv(table: pl.DataFrame) -> bytes:
    """The table as CSV in which no text cell can start a spreadsheet formula (those get an apostrophe)."""
    text = [column for column, kind in table.schema.items() if kind in (pl.String, pl.Categorical, pl.Enum)]
    cells = pl.col(text).cast(pl.String)
    return table.with_columns(cells.str.replace(_FORMULA, "'${0}")).write_csv().encode()


def to_parquet(table: pl.DataFrame) -> bytes:
    """The table as the bytes of a Parquet file."""
    buffer = io.BytesIO()
    table.write_parquet(buffer)
    return buffer.getvalue()


_PICTURE = st.components.v2.component(
    "ofclab_picture",
    html='<button type="button">Picture (PNG)</button>',
    css="""
    button {width: 100%; min-height: 2.5rem; font: inherit; font-size: 0.875rem; cursor: pointer;
      color: var(--st-text-color); background: var(--st-background-color); border: 1px solid var(--st-border-color);
      border-radius: var(--st-button-radius, var(--st-base-radius))}
    button:hover, button:focus-visible {border-color: var(--st-primary-color); color: var(--st-link-color)}
    button:focus-visible {outline: 2px solid var(--st-primary-color); outline-offset: 2px}
    """,
    js="""
    export default function({data, parentElement}) {
      parentElement.querySelector("button").onclick = () =>
        document.querySelector(`.st-key-chart_${data} .modebar-btn`)?.click()
    }
    """,
)


def download_menu(place: st.delta_generator.DeltaGenerator, page: str, items: Sequence[Item]) -> None:
    """Fill the page's download menu; nothing to download draws nothing."""
    if not items:
        return
    by_title = {item.title: item for item in items}
    with place.popover("Download", icon=":material/download:", type="tertiary"):
        item = by_title[st.selectbox("What", list(by_title), key=f"{page}_download")]
        stem = f"{page}-{item.title.lower().replace(' ', '-')}"
        for label, ending, mime, write in (
            ("Table (CSV)", "csv", "text/csv", to_csv),
            ("Table (Parquet)", "parquet", "application/vnd.apache.parquet", to_parquet),
        ):
            st.download_button(
                label,
                lambda write=write: write(item.table),
                f"{stem}.{ending}",
                mime,
                on_click="ignore",
                width="stretch",
                key=f"{page}_{ending}",
            )
        if item.chart:
            _PICTURE(data=item.chart, key=f"{page}_picture")
