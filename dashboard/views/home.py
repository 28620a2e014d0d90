"""Home: the logs there are, and how to get more."""

import loaders
import streamlit as st
from components.library import list_log, show_empty_library
from components.page import frame, note

TITLE = "Home"
ICON = ":material/home:"
SECTION = ""
ORDER = 0
MOST = 20

frame("ofclab", "Which log, and what can I ask it?")
logs = list(loaders.library().values())

left, right = st.columns([1.25, 1], gap="medium")
with left:
    st.subheader("Logs", anchor=False)
    if not logs:
        show_empty_library()
    for entry in logs[:MOST]:
        list_log(entry)
    if len(logs) > MOST:
        with st.expander(f"{len(logs) - MOST} more, older"):
            for entry in logs[MOST:]:
                list_log(entry)
with right:
    st.subheader("Play hands", anchor=False)
    st.markdown("One strategy a seat; the same seed gives the same cards whatever the rules and the players.")
    st.code(
        "ofclab simulate --rules american-pineapple \\\n"
        "  --strategy anti_foul \\\n"
        "  --strategy fantasy_chaser \\\n"
        "  --tables 1000 --hands 200 --seed 7 \\\n"
        "  --out data/runs/first",
        language=None,
        wrap_lines=True,
    )
    st.subheader("Import hands", anchor=False)
    st.markdown("Every hand read is new, a duplicate, or rejected with the file, the line and the reason.")
    st.code("ofclab import hands.txt --out data/runs/mine", language=None, wrap_lines=True)
    st.subheader("House rules", anchor=False)
    st.markdown("A rules file beside the logs can be chosen wherever a preset can.")
    st.code("ofclab rules show american-pineapple --toml \\\n  > data/runs/house.toml", language=None, wrap_lines=True)
    note("Logs are looked for in `$OFCLAB_HOME`, or in `data/runs` and `data/samples` of the working folder.")
