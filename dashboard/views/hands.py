"""Hands: which deserve a look?"""

import hands
import streamlit as st
from components.download import Item, download_menu
from components.hands_table import choose_hands, link_part, show_hands
from components.library import choose_log
from components.page import frame, note, show_empty, verdict
from words import hands as say

TITLE = "Hands"
ICON = ":material/table_rows:"
SECTION = "Play"
ORDER = 8

here = frame(TITLE, say.QUESTION)
look = choose_log(here.context)
table = hands.frame(look.entry, look.rules)
rows = hands.wanted_rows(table, choose_hands(table))
summary = hands.summary(rows)
if not summary["hands"]:
    show_empty("No hand is like this. Remove a filter.")
    st.stop()
verdict(*say.found(summary, len(table)))
if len(table) == hands.MOST:
    note(f"The log is longer: these are its first {hands.MOST:,} player-hands.")
show_hands(hands.as_shown(rows, link_part(look.entry.name)))
download_menu(here.menu, "hands", [Item("Hands", rows.head(100_000).collect())])
