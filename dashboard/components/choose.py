"""Choices that live in the address: what it names is checked against what there is, and never taken as a path."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.page import show_error


def _widget(key: str) -> str:
    return f"{key}_choice"


def _write(key: str) -> None:
    st.query_params[key] = st.session_state[_widget(key)]


def from_url(key: str, options: Sequence[str], default: str, what: str, *, always: bool = False) -> str:
    """The choice the address names, else the one made before, else the default.

    The address then names it, a default only where it is `always` said because it may be another one tomorrow.

    A name that is no option stops the page with an error and the choices, so that a link never shows something else.
    """
    asked = st.query_params.get(key)
    if asked is None:
        before = st.session_state.get(f"{key}_chosen")
        asked = before if before in options else default
        if always or asked != default:
            st.query_params[key] = asked
    if asked not in options:
        show_error(f"There is no {what} of this name.", asked, f"Choose one of the {len(options)} there are:")
        st.session_state[_widget(key)] = None
        label = f"{what.capitalize()} instead"
        st.selectbox(label, options, key=_widget(key), on_change=_write, args=(key,), placeholder="Choose", width=360)
        st.stop()
    st.session_state[f"{key}_chosen"] = asked
    return asked


def choose(
    label: str, key: str, options: Sequence[str], value: str, *, help: str | None = None, width: Any = "stretch"
) -> None:
    """Draw the list from which a choice in the address is made; it runs the page again with the new address."""
    st.session_state[_widget(key)] = value
    st.selectbox(label, options, key=_widget(key), on_change=_write, args=(key,), help=help, width=width)
