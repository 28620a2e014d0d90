"""An answer that gets better while you look: the verdict, a Stop button, and the table of placements."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st
from words import spot as say

import ofclab as ofc
from components.page import note, show_error, verdict
from components.placements import as_key, show_placements
from components.solving import ROUNDS, Search, search

EVERY = 1.0
"""Seconds between two looks at a search that goes on."""
Told = Callable[[ofc.SpotEvaluation, Mapping[str, Any] | None], tuple[str, ...]]
"""Says the verdict of an answer; the row of the marked placement comes with it."""


def show_search(
    key: str,
    spot: ofc.Spot,
    rules: ofc.Rules,
    values: Mapping[int, float],
    mine: Callable[[], ofc.Placement | None],
    *,
    rev: str = "",
    mark: str = "Yours",
    told: Told | None = None,
    on_pick: Callable[[], None] | None = None,
    rounds: int = len(ROUNDS),
) -> Search:
    """Show what every placement of a spot is worth, better every second, until it is good or stopped.

    `mine` says which placement is marked, whenever it is looked at; `rev` names the position for `on_pick`.
    """
    question, asked = (str(spot), rules.id, tuple(values.items())), f"{key}_question"
    if st.session_state.get(asked) != question:
        st.session_state[asked], st.session_state[f"{key}_stopped"] = question, False
    goes_on = not st.session_state[f"{key}_stopped"]
    found = search(spot, rules, values, go_on=goes_on, rounds=rounds)
    goes_on = goes_on and not found.is_done

    def look() -> None:
        now = search(spot, rules, values, go_on=not st.session_state[f"{key}_stopped"], rounds=rounds)
        if goes_on and now.is_done:
            # Once more as a whole: the page need not look again.
            st.rerun()
        _draw(key, now, values, mine(), goes_on, rev, mark, told or _spot_verdict, on_pick)

    # In a container of its own: a look that writes more than the last one moves nothing that follows.
    with st.container():
        st.fragment(look, run_every=EVERY if goes_on else None)()
    return found


def _spot_verdict(answer: ofc.SpotEvaluation, row: Mapping[str, Any] | None) -> tuple[str, ...]:
    return say.headline(answer), say.sentence(answer)


def _stop(key: str, stopped: bool) -> None:
    st.session_state[f"{key}_stopped"] = stopped


def _draw(
    key: str, found: Search, values: Mapping[int, float], mine: ofc.Placement | None, goes_on: bool, rev: str,
    mark: str, told: Told, on_pick: Callable[[], None] | None,
) -> None:  # fmt: skip
    if found.error:
        show_error("This spot cannot be valued.", found.error, "Change the spot or the rules.")
        return
    row = row_of(found.answer, mine)
    top, button = st.columns([4, 1], gap="small", vertical_alignment="top")
    with button:
        if goes_on:
            st.button("Stop", icon=":material/stop_circle:", on_click=_stop, args=(key, True), key=f"{key}_stop")
        elif not found.is_done:
            st.button("Go on", icon=":material/play_circle:", on_click=_stop, args=(key, False), key=f"{key}_go")
    with top:
        if found.answer is None:
            verdict("Dealing the cards to come …" if goes_on else "Stopped before the first answer.")
        else:
            verdict(*told(found.answer, row))
    if goes_on:
        st.progress(found.progress)
    if found.answer is None:
        return
    if mine is not None and row is not None and told is _spot_verdict:
        st.html(f"<p>{say.yours(mine, row)}</p>")
    show_placements(f"{key}_rows", found.answer, mine, rev=rev, yours_said=mark, on_pick=on_pick)
    note(say.caption(found.answer, values))


def row_of(answer: ofc.SpotEvaluation | None, mine: ofc.Placement | None) -> dict[str, Any] | None:
    """The row of an answer that values a placement; None where there is none."""
    if answer is None or mine is None:
        return None
    rows = zip(answer.placements, answer.frame.to_dicts(), strict=True)
    return next((row for one, row in rows if as_key(one) == as_key(mine)), None)
