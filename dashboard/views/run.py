"""Run: simulations that go on in the background."""

import jobs
import loaders
import streamlit as st
from components.jobs import show_job
from components.page import frame, note, show_error, show_note, unmarked
from components.run_form import ask_for_run, can_go_on, go_on
from words import run as say

TITLE = "Run"
ICON = ":material/play_circle:"
SECTION = "Mine"
ORDER = 11
MOST = 12

frame(TITLE, "How long does it take, and how far is it?")
runs = jobs.every("simulation")
asked = st.query_params.get("run")
if asked is not None and asked not in runs:
    show_error("There is no run of this name.", asked, "Its log may be in the library, on Home.")
shown = sorted((run for run in runs.values() if run.is_active or run.name == asked), key=lambda run: run.name != asked)
for run in shown:
    show_job(run, run.name)
    show_note(say.plan_of(run.asked))

left, right = st.columns([1.55, 1], gap="medium")
with left:
    st.subheader("New run", anchor=False)
    ask_for_run()
with right:
    st.subheader("Earlier", anchor=False)
    earlier = [run for run in runs.values() if run not in shown][:MOST]
    unfinished = [entry for entry in loaders.library().values() if can_go_on(entry)][:MOST]
    for run in earlier:
        show_job(run, run.name)
    for entry in unfinished:
        with st.container(border=True, gap="small"):
            st.markdown(f"**{unmarked(entry.name)}** &nbsp; {say.STATES['interrupted']}")
            st.button("Resume", icon=":material/play_arrow:", key=f"go_on_{entry.name}", on_click=go_on, args=(entry,))
    if not earlier and not unfinished:
        note("No run has been started from here yet.")
    note("A run goes on when this page, or the dashboard, is closed: its state lies beside the logs.")
