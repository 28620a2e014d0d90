"""Home: the logs there are, quick answers from one of them, and how to get more."""

import loaders
import streamlit as st
from components.choose import choose, from_url
from components.library import show_empty_library
from components.page import frame, note, show_error, unmarked
from components.shelf import list_log, quick_answers

import ofclab as ofc

TITLE = "Home"
ICON = ":material/home:"
SECTION = ""
ORDER = 0
MOST = 20

here = frame("ofclab", "Which log, and what can I ask it?")
entries = loaders.library()
if entries:
    readable = loaders.readable(entries)
    name = from_url("log", list(entries), next(iter(readable or entries)), "log")
    with here.context.popover(unmarked(name), icon=":material/database:", type="tertiary"):
        choose("Quick answers from", "log", list(entries), name)
    try:
        quick_answers(entries[name])
    except ofc.LogError as error:
        show_error("This log cannot be read.", str(error), "Choose another log at the top of the page.")

left, right = st.columns([1.25, 1], gap="medium")
with left:
    st.subheader("Logs", anchor=False)
    if not entries:
        show_empty_library()
    for entry in list(entries.values())[:MOST]:
        list_log(entry)
    if len(entries) > MOST:
        with st.expander(f"{len(entries) - MOST} more, older"):
            for entry in list(entries.values())[MOST:]:
                list_log(entry)
with right:
    st.subheader("Play hands", anchor=False)
    st.markdown("One strategy a seat; the same seed gives the same cards whatever the rules and the players.")
    st.page_link("views/run.py", label="Start a simulation", icon=":material/play_circle:")
    st.subheader("Import hands", anchor=False)
    st.markdown("Every hand read is new, a duplicate, or rejected with the file, the line and the reason.")
    st.page_link("views/review.py", label="Import and review", icon=":material/upload:")
    st.subheader("At the table and after", anchor=False)
    st.markdown("Who pays whom, what a placement is worth, and hands against a strategy that can be beaten.")
    with st.container(horizontal=True):
        st.page_link("views/score.py", label="Score & settle", icon=":material/calculate:")
        st.page_link("views/spot.py", label="Study a spot", icon=":material/target:")
        st.page_link("views/trainer.py", label="Play", icon=":material/school:")
    st.subheader("House rules", anchor=False)
    st.markdown("Change a preset rule by rule, in a form or as text, and see what it does; keep it in the library.")
    st.page_link("views/compare.py", label="Edit house rules", icon=":material/edit:",
                 query_params={"compare_editor": "true"})  # fmt: skip
    with st.expander("On the command line"):
        st.code(
            "ofclab simulate --rules american-pineapple \\\n  --strategy anti_foul --strategy fantasy_chaser \\\n"
            "  --tables 1000 --hands 200 --seed 7 \\\n  --out data/runs/first\n"
            "ofclab import hands.txt --out data/runs/mine\n"
            "ofclab rules show american-pineapple --toml \\\n  > data/runs/house.toml",
            language=None, wrap_lines=True,
        )  # fmt: skip
    note("Logs are looked for in `$OFCLAB_HOME`, or in `data/runs` and `data/samples` of the working folder.")
