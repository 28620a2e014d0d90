"""Strategies side by side: fouls against Fantasyland, who wins from whom, what royalties are made of."""

from collections.abc import Sequence
from typing import Any

import jobs
import polars as pl
import streamlit as st
from words import strategies as say

import ofclab as ofc
from components.chart import draw, literal, most_played, show
from components.download import Item
from components.page import note, show_html_table, verdict

MOST_IN_MATRIX, MOST_PROFILES = 12, 4


def draw_trade(fouls: pl.DataFrame, entries: pl.DataFrame, by: str) -> Item:
    """Foul rate across, entry rate up, a mark for each player with both intervals."""
    st.subheader("Fouls against Fantasyland", anchor=False)
    keep = most_played("foul_rate", fouls.filter(pl.col("hands") > 0))
    up = entries.filter(pl.col("hands") > 0)
    if keep.is_empty() or up.is_empty():
        note("Nobody here played street by street.")
        return Item("Fouls against Fantasyland", fouls)
    titles = "Foul rate, % of hands", "Fantasyland entries, % of hands not in Fantasyland"
    figure = ofc.charts.crossed_marks(literal(keep), literal(up), "foul_rate", "entry_rate", *titles)
    show(_roomy(figure, keep, up), say.TRADE, "trade", say.trade_alt(keep, up, by))
    return Item("Fouls against Fantasyland", keep.join(up, on=by, suffix="_entries", nulls_equal=True), "trade")


def _roomy(figure: Any, across: pl.DataFrame, up: pl.DataFrame) -> Any:
    """Leave room at the sides for names and intervals, and put each name where it hits nothing."""
    ends = []
    for axis, frame in (("xaxis", across), ("yaxis", up)):
        least, most = float(frame["low"].min() or 0.0), float(frame["high"].max() or 1.0)
        space = max(most - least, 0.01) * 0.25
        ends.append((max(least - space, -0.005), most + space))
        figure.update_layout({axis: {"range": ends[-1]}})
    names = [label for label in figure.layout.annotations if label.xref != "paper" and label.yref != "paper"]
    _put_names(names, *ends)
    return figure


def _put_names(names: Sequence[Any], across: tuple[float, float], up: tuple[float, float]) -> None:
    """Give each name the first place beside its mark where it meets no other name or mark and stays inside."""
    width, height, letter, line = 330.0, 340.0, 7.2, 18.0  # pixels, of a phone: there is more room on a desk

    def pixels(label: Any) -> tuple[float, float]:
        x = (label.x - across[0]) / (across[1] - across[0]) * width
        return x, (label.y - up[0]) / (up[1] - up[0]) * height

    taken = [(x - 8, x + 8, y - 8, y + 8) for x, y in map(pixels, names)]
    for label in names:
        x, y = pixels(label)
        long = letter * len(str(label.text))
        best = None
        for side, rise in ((side, rise) for rise in (1, -1, 2, -2, 3) for side in (1, -1)):
            left, middle = (x + 9 if side > 0 else x - 9 - long), y + 12 * rise
            box = (left, left + long, middle - line / 2, middle + line / 2)
            hits = sum(box[0] < b[1] and b[0] < box[1] and box[2] < b[3] and b[2] < box[3] for b in taken)
            cost = 3 * hits + 2 * (box[0] < 0 or box[1] > width) + 4 * (box[2] < 0 or box[3] > height)
            if best is None or cost < best[0]:
                best = (cost, side, rise, box)
            if not cost:
                break
        assert best is not None
        _, side, rise, box = best
        taken.append(box)
        label.update(xanchor="left" if side > 0 else "right", xshift=9 * side, yanchor="middle", yshift=12 * rise)


def draw_matrix(pairs: pl.DataFrame, caption: str, unit: str) -> list[Item]:
    """Who wins how much from whom: a matrix for three and more, and the table of every pair."""
    st.subheader("Who wins from whom", anchor=False)
    names = sorted({*pairs["a"], *pairs["b"]})
    items = [Item("Who wins from whom", pairs, "matrix" if len(names) > 2 else None)]
    if 2 < len(names) <= MOST_IN_MATRIX:
        figure = ofc.charts.payoff_matrix(literal(pairs)).update_xaxes(title_text=f"{unit} won from number")
        show(figure, caption, "matrix", say.matrix_alt(pairs))
    else:
        note(say.PAIR)
    show_html_table(*say.matrix_table(pairs.head(66), unit))
    return items


def draw_profile(frame: pl.DataFrame, by: str, alt: str) -> Item:
    """What each row and hand brings in, a column for each of the most played."""
    kept = most_played("royalty_by_category", frame, MOST_PROFILES)
    # Hands that pay nobody anything say nothing here.
    paying = kept.group_by("row", "category").agg(pl.col("royalty_by_category").max().alias("most"))
    shown = kept.join(paying.filter(pl.col("most") > 0), on=["row", "category"], maintain_order="left").drop("most")
    if shown.is_empty():
        st.subheader("What royalties are made of", anchor=False)
        note("No hand here made a royalty.")
        return Item("Royalties by row and hand", frame)
    drawn = draw("What royalties are made of", "royalty_by_category", shown, alt)
    return Item(drawn.title, frame, drawn.chart)


def draw_tournament(job: jobs.Job) -> list[Item]:
    """What a finished tournament found: the verdict, the trade, the matrix, the rates."""
    pairs, rates = (pl.read_parquet(job.folder / f"{name}.parquet") for name in ("pairs", "rates"))
    verdict(*say.match_verdict(rates, pairs, job.asked["deals"]))
    fouls, entries = (_rate(rates, name) for name in ("foul_rate", "entry_rate"))
    left, right = st.columns(2, gap="medium")
    with left:
        items = [draw_trade(fouls, entries, "strategy")]
    with right:
        items += draw_matrix(pairs, say.MATCH_MATRIX, "Points a deal")
    return [*items, Item("Rates of the tournament", rates)]


def _rate(rates: pl.DataFrame, name: str) -> pl.DataFrame:
    ends = [pl.col(f"{name}_{end}").alias(end) for end in ("low", "high")]
    return rates.select("strategy", "hands", pl.lit(99).alias("clusters"), name, *ends)


def pick(all_names: Sequence[str]) -> tuple[str, ...]:
    """Draw the choice of who plays a tournament."""
    chosen = st.multiselect(
        "Strategies", all_names, default=["never_bust_greedy", "cutoff_rows", "random_legal"],
        key="strategies_picks", bind="query-params", max_selections=8, width=480,
    )  # fmt: skip
    return tuple(chosen)
