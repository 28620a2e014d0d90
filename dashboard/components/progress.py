"""A progress bar that goes away when its work is done."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st


@contextmanager
def progress_bar(text: str, runs: int = 1) -> Iterator[Callable[[Any], None]]:
    """Show a bar while so many simulations run; yields the callback that takes their progress."""
    place = st.empty()
    bar = place.progress(0.0, text)
    finished = last = 0

    def report(progress: Any) -> None:
        nonlocal finished, last
        finished += progress.hands < last
        last = progress.hands
        share = (finished + progress.hands / max(progress.hands_to_play, 1)) / runs
        bar.progress(min(share, 1.0), f"{text}: {progress.rate:,.0f} hands a second")

    try:
        yield report
    finally:
        place.empty()
