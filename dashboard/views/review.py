"""Review: hands of your own, taken in, accounted for and looked at."""

import loaders
import streamlit as st
from components.download import download_menu
from components.intake import ask_for_hands, is_empty, show_account, show_report
from components.ledger import draw_ledger
from components.library import choose_log
from components.page import frame, note
from components.reviewing import draw_decisions
from words import review as say

TITLE = "Review"
ICON = ":material/rate_review:"
SECTION = "Mine"
ORDER = 9
VIEWS = ("Account", "Decisions", "Ledger")

here = frame(TITLE, "Where do I leak?")
entries = loaders.library()
with st.expander("Import hands", icon=":material/upload:", expanded=not entries):
    ask_for_hands(entries)
if not entries:
    note(say.EMPTY)
    st.stop()
asked = entries.get(st.query_params.get("log", ""))
if asked and is_empty(asked):
    # The other pages have nothing to say of such a log; here are the reasons.
    show_report(asked.name)
    download_menu(here.menu, "review", show_account(asked))
look = choose_log(here.context, with_rules=False)
show_report(look.entry.name)
view = st.segmented_control("Look at", VIEWS, default=VIEWS[0], key="review_view", bind="query-params", required=True,
                            label_visibility="collapsed")  # fmt: skip
parts = {"Account": lambda: show_account(look.entry), "Decisions": lambda: draw_decisions(look),
         "Ledger": lambda: draw_ledger(look.entry)}  # fmt: skip
download_menu(here.menu, "review", parts[view]())
