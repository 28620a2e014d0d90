"""Comparisons of two rulesets, computed once and kept."""

import threading
from collections.abc import Callable
from typing import Any

import loaders
import streamlit as st

import ofclab as ofc

TABLES, HANDS = 100, 50
"""Tables, and hands at each, when rules are played anew: a few seconds."""
PLAYERS = ("never_bust_greedy", "never_bust_greedy")
"""Who plays where a log does not say: quick, and of one strength, so that what moves is the rules' doing."""
KEPT = 32


@st.cache_resource
def _kept() -> tuple[dict[tuple[Any, ...], Any], threading.Lock]:
    """Results by what they were computed from. Not `cache_data`: that would replay the progress bar."""
    return {}, threading.Lock()


def _once(key: tuple[Any, ...], compute: Callable[[], Any]) -> Any:
    kept, lock = _kept()
    if key not in kept:
        found = compute()
        with lock:
            kept[key] = found
            while len(kept) > KEPT:
                kept.pop(next(iter(kept)))
    return kept[key]


def rescored(entry: loaders.Entry, a: ofc.Rules, b: ofc.Rules) -> Any:
    """The hands of a log scored under both rulesets, play held fixed."""
    log = loaders.open_log(entry)
    return _once(
        ("rescored", entry.path, entry.stamp, a.id, b.id), lambda: ofc.compare_rules([a, b], log=log, mode="rescored")
    )


def resimulated(a: ofc.Rules, b: ofc.Rules, strategies: tuple[str, ...], progress: Callable[[Any], None]) -> Any:
    """Both rulesets played anew on the same shuffles by built-in strategies."""
    return _once(
        ("resimulated", a.id, b.id, strategies),
        lambda: ofc.compare_rules([a, b], strategies=strategies, tables=TABLES, hands=HANDS, progress=progress),
    )
