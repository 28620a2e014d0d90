"""Royalties & points: how big, how often, and how long until anybody knows."""

import polars as pl
import streamlit as st
from components.bankroll import draw_bankroll, draw_hands_needed
from components.chart import draw, literal, most_played, show
from components.download import Item, download_menu
from components.library import choose_groups, choose_log
from components.page import frame, note, show_empty, show_table, verdict
from words import FEW_TABLES, side_by_side
from words import royalties as say

import ofclab as ofc

TITLE = "Royalties & points"
ICON = ":material/bar_chart:"
SECTION = "Study"
ORDER = 5
ROWS = ("All rows", "front", "middle", "back")
VIEWS = {"Points": "points_distribution", "Royalties": "royalty_distribution"}
MOST = 4

here = frame(TITLE, "How big, how often, and how long until I know?")
look = choose_log(here.context)
by, only = choose_groups(look, "royalties")
split = (by,) if by else ()

points, royalties, needed = (
    look.compute(metric, split, only) for metric in ("points_per_hand", "royalties_per_hand", "hands_needed")
)
if not points["hands"].sum():
    show_empty("No hand of this choice has points: the source tells cards only.")
    st.stop()
verdict(*say.points_verdict(points, royalties, needed, by))
if points["few_tables"].any():
    note(FEW_TABLES)

left, right = st.columns(2, gap="medium")
with left:
    made = look.compute("royalty_by_category", split, only)
    row = st.segmented_control("Row", ROWS, default=ROWS[0], key="royalties_row", bind="query-params", required=True,
                               format_func=str.capitalize)  # fmt: skip
    shown = most_played("royalty_by_category", made.filter(pl.lit(row == ROWS[0]) | (pl.col("row") == row)), MOST)
    shown = shown.filter((pl.col("royalty_by_category").max() > 0).over("row", "category"))
    if shown.is_empty():
        show_empty("No hand of this choice made a royalty.")
        items = [Item("Royalties by row and hand", made)]
    else:
        items = [draw("What royalties are made of", "royalty_by_category", shown, say.made_of(shown))]
with right:
    view = st.segmented_control("Distribution of", list(VIEWS), default="Points", key="royalties_view",
                                bind="query-params", required=True)  # fmt: skip
    spread = most_played(VIEWS[view], look.compute(VIEWS[view], split, only), MOST)
    alt = say.spread_alt(points, by)
    items.append(
        draw("How large they are" if view == "Royalties" else "What a hand wins or loses", VIEWS[view], spread, alt)
    )
    st.subheader("How widely a hand swings", anchor=False)
    drawn = most_played("points_per_hand", points.drop_nulls("p50"))
    show(
        ofc.charts.points_spread(literal(drawn)).update_xaxes(title_text="Points of a hand"), say.SPREAD, "spread", alt
    )

left, right = st.columns([1.9, 1], gap="medium")
with left:
    st.subheader("How easily a bankroll is lost", anchor=False)
    items += draw_bankroll(points, needed, by)
with right:
    st.subheader("How long until skill shows", anchor=False)
    items.append(draw_hands_needed(needed, by))

st.subheader("The figures", anchor=False)
metrics = ("points_per_hand", "royalties_per_hand", "royalties_per_legal_hand")
figures = side_by_side({metric: look.compute(metric, split, only) for metric in metrics}, split)
show_table(figures, split, metrics)
download_menu(here.menu, "royalties", [Item("All figures", figures), Item("Percentiles", points, "spread"), *items])
