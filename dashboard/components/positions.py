"""Positions that live in the address as text: read from a link, changed at a card table, or pasted."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import streamlit as st

import ofclab as ofc

ECHO = 3.0
"""Seconds in which an address may still be one the page wrote before its last one: the browser was a step behind."""


@dataclass
class _Held:
    """A position, the number of its `rev`, and when each text was written to the address."""

    text: str
    number: int = 1
    written: dict[str, float] = field(default_factory=dict)

    def write(self, key: str, text: str) -> None:
        now = time.monotonic()
        self.written = {known: when for known, when in self.written.items() if now - when < ECHO}
        self.written[self.text] = self.written[text] = now
        self.text = text
        st.query_params[key] = text


def _state(key: str, default: str = "") -> _Held:
    return st.session_state.setdefault(f"{key}_held", _Held(default))  # type: ignore[no-any-return]


def held(key: str, default: str = "") -> tuple[str, str]:
    """The position the address names, else the one held before, and the `rev` a card table knows it by."""
    state = _state(key, default)
    asked = st.query_params.get(key, state.text)
    is_echo = time.monotonic() - state.written.get(asked, -ECHO) < ECHO
    if asked != state.text and not is_echo:
        state.text, state.number = asked, state.number + 1
    if state.text != default or key in st.query_params:
        st.query_params[key] = state.text
    return state.text, rev_of(key)


def rev_of(key: str) -> str:
    """The `rev` of the position held now."""
    return f"{key}-{_state(key).number}"


def keep(key: str, text: str) -> None:
    """Hold what a card table has drafted: the table goes on with its draft."""
    _state(key).write(key, text)


def replace(key: str, text: str) -> None:
    """Hold another position: the table throws its draft away."""
    state = _state(key)
    state.number += 1
    state.write(key, text)


def read_boards(text: str) -> list[tuple[str, ofc.Board]]:
    """Boards from text, each with the name written before it, which may be empty.

    A board is ``front / middle / back`` on a line or three lines of a row each; `|` parts boards too. A name stands
    before it with a colon, on the same line or its own. A card that stood before is left out by `without_repeats`.
    Raises BoardError or CardError naming what cannot be read.
    """
    found: list[tuple[str, ofc.Board]] = []
    name, rows = "", list[str]()
    for line in text.replace("|", "\n").splitlines():
        label, colon, rest = line.rpartition(":")
        if colon:
            name = label.strip()
        if not rest.strip():
            continue
        rows += [row.strip() for row in rest.split("/")]
        if len(rows) >= 3:
            found.append((name, ofc.Board(*(_row(row) for row in rows[:3]))))
            name, rows = "", []
    if rows:
        raise ofc.BoardError(f"want three rows a board, front / middle / back; the last has {len(rows)}: {rows[-1]!r}")
    return found


def _row(text: str) -> tuple[ofc.Card, ...]:
    """One row; dots, stars and dashes are open slots."""
    return ofc.parse_cards(" ".join(word for word in text.split() if set(word) - set(".-_*?·…")))


def without_repeats(
    boards: Sequence[ofc.Board], seen: Sequence[ofc.Card] = ()
) -> tuple[list[ofc.Board], list[ofc.Card]]:
    """The boards without the cards that stood before, on another board or in `seen`; and those cards."""
    known, twice, kept = set(seen), list[ofc.Card](), list[ofc.Board]()
    for board in boards:
        twice += [card for card in board.cards if card in known]
        kept.append(ofc.Board(*(tuple(card for card in row if card not in known) for row in board.rows)))
        known |= set(board.cards)
    return kept, twice
