"""How fast hands are played: measured for a moment, kept for the next time."""

import time

import streamlit as st

import ofclab as ofc

MOMENT = 0.15
"""Seconds of play that are enough to go by."""
MOST_TABLES = 512


@st.cache_data(max_entries=64, show_spinner="Measuring how fast these strategies play")
def hands_a_second(rules_id: str, strategies: tuple[str, ...], _rules: ofc.Rules) -> float:
    """Hands a second of these strategies under these rules, one table counted once whatever its seats."""
    players, tables = [ofc.strategies.get(label) for label in strategies], 8
    # The first hands may have to compile; they do not count.
    list(ofc.play(_rules, players, range(4), 3, 0))
    while True:
        begun = time.perf_counter()
        list(ofc.play(_rules, players, range(tables), 2, 0))
        seconds = time.perf_counter() - begun
        if seconds > MOMENT or tables >= MOST_TABLES:
            return 2 * tables / max(seconds, 1e-6)
        tables *= 8
