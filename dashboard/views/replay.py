"""Replay: one hand, street by street, as its player saw it."""

import streamlit as st
from components.library import choose_log
from components.page import frame, note
from components.replay_table import choose_look, draw_hand, read_hand, show_cost, show_result, show_review, show_text
from words import hands as say

TITLE = "Replay"
ICON = ":material/replay:"
SECTION = "Play"
ORDER = 50
HIDDEN = True

here = frame(TITLE, say.REPLAY)
look = choose_log(here.context, with_rules=False)
hand = read_hand(look.entry)
if hand is None:
    st.stop()
st.page_link("views/hands.py", label="All hands", icon=":material/arrow_back:", query_params={"log": look.entry.name})
st.subheader(say.hand_title(hand), anchor=False)
seen = choose_look(hand)
left, right = st.columns([1, 1.35], gap="medium")
with left:
    spot = draw_hand(seen)
with right:
    if not hand.streets:
        note(say.NO_STREETS)
    if spot is not None:
        show_cost(seen, spot)
    else:
        show_result(hand)
    show_review(look.entry, seen)
    show_text(seen, spot)
