"""Score & settle: who pays whom, and why."""

import streamlit as st
from components.download import download_menu
from components.house import choose_rules
from components.page import frame, show_error
from components.score_results import names_of, score_boards, show_missing, show_score
from components.score_table import MOST, choose_players, draw_table, draw_tools, read_position

TITLE = "Score & settle"
ICON = ":material/payments:"
SECTION = "Play"
ORDER = 10

here = frame(TITLE, "Who pays whom, and why?")
rules = choose_rules(here.context)
boards, rev = read_position(rules)
left, right = st.columns([1.25, 1], gap="medium")
with left:
    draw_tools(boards, min(MOST, rules.players.max))
    table = st.container()
with right:
    players = choose_players(len(boards))
scored = problem = None
try:
    scored = score_boards(boards, players, rules)
except ValueError as error:
    problem = str(error)
with table:
    draw_table(boards, players, rules, rev, scored)
with right:
    if problem:
        show_error("These boards cannot be scored under these rules.", problem, "Choose other rules or other cards.")
    elif scored is None:
        show_missing(boards, names_of(players))
    else:
        download_menu(here.menu, "score", show_score(scored, players, rules))
