"""The logs of the library on Home: what each is, the pages that look at it, a new name, removal after a question."""

import loaders
import shelf
import streamlit as st
import words
from words import home as say

import ofclab as ofc
from components.library import PAGES, show_title
from components.page import show_error


def list_log(entry: loaders.Entry) -> None:
    """One log of the library: name, size, what it is and what can be done with it; a broken one says why."""
    with st.container(border=True, gap="small", key=f"log_{entry.name}"):
        facts = None
        try:
            facts = loaders.facts(entry)
        except ofc.LogError as error:
            show_title(entry.name, ":red[:material/error: cannot be read]")
            st.text(str(error))
        if facts:
            hands, tables = words.counted(facts.hands, "hand"), words.counted(facts.tables, "table")
            show_title(entry.name, f":gray[{hands} · {tables} · {shelf.size_said(shelf.size(entry))}]")
            played = f"{', '.join(facts.rules)} · {words.some(facts.players)}"
            st.text(f"{facts.kind.capitalize()} · {played}" + ("" if facts.finished else " · unfinished"))
        with st.container(horizontal=True, vertical_alignment="center"):
            for page, label, icon in PAGES if facts and facts.hands else ():
                st.page_link(page, label=label, icon=icon, query_params={"log": entry.name})
            if shelf.is_own(entry):
                _change(entry)


def _change(entry: loaders.Entry) -> None:
    with st.popover("Change", icon=":material/more_horiz:", type="tertiary"):
        name = st.text_input("New name", key=f"name_{entry.name}", placeholder=entry.name, max_chars=80)
        if st.button("Rename", icon=":material/edit:", key=f"rename_{entry.name}", disabled=not name.strip()):
            _do(lambda: shelf.rename(entry, name))
        st.markdown(say.REMOVE)
        sure = st.checkbox(say.SURE, key=f"sure_{entry.name}")
        if st.button("Delete", icon=":material/delete:", key=f"delete_{entry.name}", disabled=not sure):
            _do(lambda: shelf.remove(entry))


def _do(act: object) -> None:
    assert callable(act)
    try:
        act()
    except (shelf.ShelfError, OSError) as error:
        show_error("This was not done.", str(error))
        return
    st.query_params.pop("log", None)
    st.session_state.pop("log_chosen", None)
    st.rerun()


def quick_answers(entry: loaders.Entry) -> None:
    """Four numbers of a log with their intervals, each with its definition on hover."""
    with st.container(horizontal=True, key="answers"):
        for metric in say.METRICS:
            about = ofc.analytics.METRICS[metric]
            row = loaders.compute(metric, entry, None).row(0, named=True)
            st.metric(
                about.title,
                say.level(row, metric),
                say.spread(row, metric),
                delta_color="off",
                delta_arrow="off",
                help=f"{about.explanation} In {about.unit}.",
                border=True,
            )
