"""Spot: where should these cards go, and what does the wrong place cost?"""

import streamlit as st
from components.download import download_menu
from components.house import choose_rules
from components.page import frame
from components.spot_results import show_answer
from components.spot_table import choose_values, draw_table, draw_tools, read_spot, show_text
from words import spot as say

TITLE = "Spot"
ICON = ":material/target:"
SECTION = "Play"
ORDER = 7

here = frame(TITLE, say.QUESTION)
rules = choose_rules(here.context)
spot, rev = read_spot()
put = st.session_state.get("spot_put", {})
if not set(put) <= set(spot.dealt):
    put = st.session_state["spot_put"] = {}
left, right = st.columns([1, 1.4], gap="medium")
with left:
    draw_tools(spot, rules)
    draw_table(spot, rules, rev, put)
with right:
    values = choose_values(rules, spot.seats)
    items = show_answer(spot, rules, values, put)
    show_text(spot)
download_menu(here.menu, "spot", items)
