"""Strategies: who trades fouls for Fantasyland, who wins from whom, what royalties are made of."""

import payoffs
import streamlit as st
from components.download import download_menu
from components.field import draw_matrix, draw_profile, draw_trade
from components.library import choose_log
from components.page import frame, note, show_empty, verdict
from components.tournament import tournament
from words import strategies as say

TITLE = "Strategies"
ICON = ":material/groups:"
SECTION = "Study"
ORDER = 3

here = frame(TITLE, "Who trades fouls for Fantasyland, and who wins?")
source = st.segmented_control("Where from", ["This log", "A tournament"], default="This log", key="strategies_view",
                              bind="query-params", required=True, label_visibility="collapsed")  # fmt: skip
if source == "A tournament":
    download_menu(here.menu, "strategies", tournament())
    st.stop()

look = choose_log(here.context)
by = look.who()
if by is None:
    show_empty("The source of this log names no players.")
    st.stop()
fouls, entries = look.compute("foul_rate", (by,)), look.compute("entry_rate", (by,))
verdict(*say.trade_verdict(fouls, entries, by))
one = len(fouls) == 1

left, right = st.columns(2, gap="medium")
with left:
    items = [draw_trade(fouls, entries, by)]
with right:
    pairs = payoffs.between(look, by)
    if one or pairs.is_empty():
        st.subheader("Who wins from whom", anchor=False)
        note(say.ONE if one else say.NEVER_MET)
    else:
        items += draw_matrix(pairs, say.MATRIX, "Points a hand")
items.append(draw_profile(look.compute("royalty_by_category", (by,)), by, say.trade_alt(fouls, entries, by)))
download_menu(here.menu, "strategies", items)
