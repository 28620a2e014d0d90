"""The card table: seats with their rows, a tray of dealt cards, a deck. Choose a card, choose a slot.

`card_table` draws it and returns the `Draft` its visitor has made of the position named by `rev`. The browser draws
every step at once and tells Python afterwards; a new `rev` throws the draft away. Whatever comes back is read as if a
stranger had sent it: a draft of another `rev`, or one that makes no sense, is None.

- Seats alone: boards to look at (`card_table(key, [seat], rev=...)`).
- With a `Tray`: its cards go to the rows of the first seat; `confirm` names the button that ends the move.
- With a `Deck` that can be picked from: the visitor builds the position, at the seats that say `edit`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import streamlit as st
import words

import ofclab as ofc
from components.theme import is_dark

Size = Literal["s", "m", "l"]
_HERE = Path(__file__).parent
_ALL = [str(ofc.Card(card)) for card in range(54)]
FACES = {card: ofc.drawing.card_svg(ofc.Card.parse(card)) for card in _ALL}
NAMES = {card: ofc.drawing.card_name(ofc.Card.parse(card)) for card in _ALL}
_JS = (
    "".join((_HERE / name).read_text(encoding="utf-8") for name in ("card_table_moves.js", "card_table_draw.js"))
    .replace("__FACES__", json.dumps(FACES))
    .replace("__NAMES__", json.dumps(NAMES))
)
_table = st.components.v2.component(
    "ofclab_card_table", css=(_HERE / "card_table.css").read_text(encoding="utf-8"), js=_JS
)


@dataclass(frozen=True)
class Seat:
    """One player at the table. `labels`: what each row makes and pays; `closed`: the rows lie face down."""

    name: str
    board: ofc.Board = field(default_factory=ofc.Board)
    note: str = ""
    pill: str = ""
    tone: Literal["", "good", "bad"] = ""
    labels: tuple[tuple[str, str], ...] = (("", ""),) * 3
    fresh: tuple[ofc.Card, ...] = ()
    discards: tuple[ofc.Card, ...] = ()
    hidden: int = 0
    """Discards that lie face down."""
    closed: bool = False
    edit: bool = False
    discard_slots: int = 0
    size: Size | None = None

    def as_data(self) -> dict[str, Any]:
        """The seat as the browser wants it."""
        return {
            **{name: getattr(self, name) for name in ("name", "note", "pill", "tone", "hidden", "closed", "edit")},
            "rows": [[str(card) for card in row] for row in self.board.rows],
            "labels": [list(label) for label in self.labels],
            "fresh": [str(card) for card in self.fresh],
            "discards": [str(card) for card in self.discards],
            "discard_slots": self.discard_slots,
            "size": self.size,
        }


@dataclass(frozen=True)
class Tray:
    """Dealt cards: `keep` of them go to the first seat's rows, the rest is discarded; `put`: already drafted there."""

    cards: tuple[ofc.Card, ...]
    keep: int
    label: str = ""
    confirm: str = ""
    slots: int = 0
    """Cards the tray has room for when the position is being built."""
    put: Mapping[ofc.Card, ofc.Row] = field(default_factory=dict)


@dataclass(frozen=True)
class Deck:
    """All cards: those in `gone` or on the table are hollow; with `pick` the others can be put on the table."""

    name: str
    gone: tuple[ofc.Card, ...] = ()
    pick: bool = False
    jokers: int = 0


@dataclass(frozen=True)
class Draft:
    """What a visitor has made of a position: boards and discards by seat, dealt cards, and where those should go."""

    boards: tuple[ofc.Board, ...] = ()
    discards: tuple[tuple[ofc.Card, ...], ...] = ()
    dealt: tuple[ofc.Card, ...] = ()
    put: Mapping[ofc.Card, ofc.Row] = field(default_factory=dict)

    def placement(self, keep: int) -> ofc.Placement | None:
        """Where the dealt cards go, once `keep` of them have a row."""
        if len(self.put) != keep or not keep:
            return None
        rows = tuple((card, self.put[card]) for card in self.dealt if card in self.put)
        return ofc.Placement(rows, tuple(card for card in self.dealt if card not in self.put))


def labels(board: ofc.Board, rules: ofc.Rules | None, fouled: bool = False) -> tuple[tuple[str, str], ...]:
    """What each row makes and the royalty it pays, as a seat wants them; a foul pays nothing."""
    if rules is None:
        return (("", ""),) * 3
    read = ofc.describe_board(board, rules)
    return tuple((row.made, f"+{row.royalty}" if row.royalty and not fouled else "") for row in read)


def face_down(board: ofc.Board, rules: ofc.Rules) -> int:
    """How many cards a player who sits behind such a board has thrown where nobody sees them."""
    if rules.visibility.discards == "revealed":
        return 0
    placed, thrown = 5, 0
    for street in rules.deal.rounds:
        placed += street.place
        thrown += street.discard if placed <= len(board.cards) else 0
    return thrown


def card_table(
    key: str,
    seats: Sequence[Seat],
    *,
    rev: str,
    tray: Tray | None = None,
    deck: Deck | None = None,
    size: Size = "l",
    disabled: bool = False,
    hint: str = "",
    on_draft: Callable[[], None] | None = None,
    on_confirm: Callable[[], None] | None = None,
) -> Draft | None:
    """Draw a card table and return the draft its visitor has made of the position `rev`, None while there is none.

    `on_draft` runs at every step, `on_confirm` when the tray's button is pressed; both read the step with `draft_of`.
    Raises ValueError where there is no seat, or a card stands twice on the table.
    """
    if not 1 <= len(seats) <= 4:
        raise ValueError(f"want one to four seats, got {len(seats)}")
    shown = [card for seat in seats for card in (*seat.board.cards, *seat.discards)] + list(tray.cards if tray else ())
    twice = {card for card in shown if shown.count(card) > 1}
    if twice:
        raise ValueError(f"{ofc.format_cards(sorted(twice))} stands twice on the table")
    data = {
        "rev": rev, "size": size, "disabled": disabled, "hint": hint, "dark": is_dark(),
        "seats": [seat.as_data() for seat in seats],
        "tray": None if tray is None else {
            "cards": [str(card) for card in tray.cards], "keep": tray.keep, "label": tray.label,
            "confirm": tray.confirm, "slots": tray.slots, "name": words.TRAY,
            "put": {str(card): list(ofc.Row).index(row) for card, row in tray.put.items()},
        },
        "deck": None if deck is None else {
            "name": deck.name, "gone": [str(card) for card in deck.gone], "pick": deck.pick, "jokers": deck.jokers,
        },
    }  # fmt: skip
    _table(
        key=key, data=data, default={"draft": None},
        on_draft_change=on_draft or (lambda: None), on_act_change=on_confirm or (lambda: None),
    )  # fmt: skip
    return draft_of(key, rev)


def draft_of(key: str, rev: str) -> Draft | None:
    """The draft a table holds for the position `rev`; None where there is none or it makes no sense."""
    return read_draft(_sent(key, "draft"), rev)


def confirmed(key: str, rev: str, dealt: Sequence[ofc.Card]) -> Draft | None:
    """What was sent by the tray's button, for `on_confirm`; None where it is not of this position."""
    sent = _sent(key, "act")
    return read_draft({**sent, "tray": [str(card) for card in dealt]}, rev) if isinstance(sent, dict) else None


def _sent(key: str, name: str) -> Any:
    state: Any = st.session_state.get(key)
    return state.get(name) if hasattr(state, "get") else None


def read_draft(sent: Any, rev: str) -> Draft | None:
    """Read what a browser sent for the position `rev`; None where it is of another position or makes no sense."""
    if not isinstance(sent, dict) or sent.get("rev") != rev:
        return None
    try:
        seats = sent.get("seats") or []
        boards = tuple(ofc.Board(*(ofc.parse_cards(" ".join(row)) for row in seat["rows"])) for seat in seats)
        discards = tuple(ofc.parse_cards(" ".join(seat["discards"])) for seat in seats)
        dealt = ofc.parse_cards(" ".join(sent.get("tray") or []))
        put = {ofc.Card.parse(card): list(ofc.Row)[row] for card, row in (sent.get("put") or {}).items()}
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        return None
    everything = [card for board in boards for card in board.cards] + [c for thrown in discards for c in thrown]
    everything += dealt
    if len(set(everything)) < len(everything) or len(boards) > 4 or not set(put) <= set(dealt):
        return None
    return Draft(boards, discards, dealt, put)
