"""The ledger of a log: the leaderboard by season, who won what from whom, how points added up, who pays whom."""

from pathlib import Path

import loaders
import polars as pl
import streamlit as st
from words import review as say

import ofclab as ofc
from components.chart import literal, show
from components.download import Item
from components.page import note, show_empty, show_html_table, show_note, verdict

SEASONS = {"All time": "all", "Years": "year", "Quarters": "quarter", "Months": "month"}
MOST = 12


@st.cache_resource(max_entries=16, show_spinner="Adding up the sessions")
def _entries(path: Path, stamp: str) -> pl.DataFrame:
    return ofc.log.entries(ofc.open_log(path)).collect()


def draw_ledger(entry: loaders.Entry) -> list[Item]:
    """Draw the ledger, or say that the log has none."""
    found = _entries(entry.path, entry.stamp)
    if found.is_empty():
        show_empty("This log holds no sessions and no hands of named players.")
        return []
    chosen = st.segmented_control("Season", list(SEASONS), default="All time", key="review_season",
                                  bind="query-params", required=True)  # fmt: skip
    board = ofc.analytics.leaderboard(found, SEASONS[chosen]).collect()
    seasons = board["season"].unique(maintain_order=True).to_list()
    if len(seasons) > 1:
        season = st.selectbox("Which", seasons, index=len(seasons) - 1, key="review_season_name", width=240)
        board_shown = board.filter(pl.col("season") == season)
    else:
        board_shown = board
    verdict(*say.board_verdict(board_shown.to_dicts()))
    items = [Item("Leaderboard", board.drop("money"), "board")]
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader("Leaderboard", anchor=False)
        bars = ofc.charts.leaderboard_bars(literal(board_shown.head(MOST)))
        # Room for the numbers at the ends of the bars.
        most = float(board_shown["points"].abs().max() or 1)
        least = min(float(board_shown["points"].min() or 0), 0.0)
        bars.update_xaxes(range=[1.35 * least - 0.05 * most, 1.35 * most], nticks=5)
        show(bars, say.BOARD, "board", say.board_alt(board_shown.to_dicts()))
        show_html_table(*say.board_table(board_shown.to_dicts()))
    with right:
        pairs = ofc.analytics.pair_nets(found).collect()
        st.subheader("Who won what from whom", anchor=False)
        names = sorted({*pairs["player"], *pairs["opponent"]})
        if not names:
            note("The sheets keep totals only, so nobody knows who won from whom.")
        elif len(names) <= MOST:
            show(ofc.charts.pair_nets_matrix(literal(pairs)), say.PAIRS, "pairs", say.pairs_alt(pairs.to_dicts()))
        if names:
            items.append(Item("Who won what from whom", pairs, "pairs" if len(names) <= MOST else None))
        running = ofc.analytics.running_points(found).collect()
        best = board_shown["player"].head(6).to_list()
        lines = running.filter(pl.col("player").is_in(best))
        if lines.select(pl.col("session").n_unique()).item() > 1:
            st.subheader("How it went", anchor=False)
            figure = ofc.charts.running_points_lines(literal(lines)).update_yaxes(title_text="")
            show(figure, say.RUNNING, "running", say.board_alt(board_shown.to_dicts()))
        items.append(Item("How it went", running, "running"))
    items += _payments(found)
    return items


def _payments(found: pl.DataFrame) -> list[Item]:
    nets = ofc.analytics.money_totals(found).collect()
    if nets.is_empty():
        return []
    st.subheader("Who pays whom", anchor=False)
    try:
        plan = ofc.analytics.settle_up(nets)
    except ValueError as error:
        show_note(str(error))
        return [Item("Money", nets)]
    show_html_table(*say.payments(plan.frame.to_dicts()))
    show_note(plan.note.capitalize() + ".")
    return [Item("Payments", plan.frame), Item("Money", nets)]
