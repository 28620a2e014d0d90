"""The table of hands with its filters, which live in the address."""

from typing import Any
from urllib.parse import quote

import hands
import polars as pl
import streamlit as st
from words import hands as say


def choose_hands(table: pl.DataFrame) -> hands.Wanted:
    """Draw the filters that this log has something for, and return what is wanted."""
    with st.container(horizontal=True, vertical_alignment="top", key="hands_filters"):
        names = table["player"].unique().cast(pl.String).sort().to_list()
        who = st.multiselect(
            "Whose hands", names, key="hands_player", bind="query-params", placeholder="Everyone's", width=300
        )
        result = st.selectbox("Result", hands.RESULTS, key="hands_result", bind="query-params", width=180)
        royalties = st.number_input(
            "Royalties from", 0, 100, 0, 1, key="hands_royalties", bind="query-params", width=140
        )
        site = days = None
        loss = 0.0
        if "loss" in table.columns:
            loss = st.number_input(
                "Lost by play from", 0.0, 100.0, 0.0, 0.5, key="hands_loss", bind="query-params", width=160
            )
        if "site" in table.columns:
            rooms = table["site"].drop_nulls().unique().cast(pl.String).sort().to_list()
            site = st.selectbox(
                "Room", rooms, index=None, key="hands_site", bind="query-params", placeholder="Any", width=180
            )
        if "played_at" in table.columns:
            days_played = table["played_at"].drop_nulls().dt.date()
            first: Any = days_played.min()
            last: Any = days_played.max()
            chosen = st.date_input("Played", (first, last), first, last, key="hands_days", width=240)
            days = chosen if isinstance(chosen, tuple) and len(chosen) == 2 else None
    return hands.Wanted(tuple(who), result, royalties, site, days, loss)


def show_hands(rows: pl.LazyFrame) -> None:
    """Draw the rows; only what is looked at leaves the server, and sorting is done there."""
    columns = {}
    for name, kind in rows.collect_schema().items():
        title, about = say.COLUMNS[name]
        if name == "replay":
            columns[name] = st.column_config.LinkColumn(title, help=about, display_text="Replay", width="small")
        elif kind.is_integer():
            columns[name] = st.column_config.NumberColumn(title, help=about, width="small")
        elif name == "played_at":
            columns[name] = st.column_config.DatetimeColumn(title, help=about, format="YYYY-MM-DD HH:mm")
        elif name == "loss":
            columns[name] = st.column_config.NumberColumn(title, help=about, format="%.2f", width="small")
        elif name == "fouled":
            columns[name] = st.column_config.CheckboxColumn(title, help=about, width="small")
        else:
            columns[name] = st.column_config.TextColumn(title, help=about)
    st.dataframe(
        rows, column_config=columns, hide_index=True, lazy=True, height=560, key="hands_rows",
        alt="The hands that are like this, a row per player and hand",
    )  # fmt: skip


def link_part(text: str) -> str:
    """Text as a part of an address, fit for a format string."""
    return quote(text, safe="").replace("{", "%7B").replace("}", "%7D")
