"""The table of Spot: the position in the address, built by clicks or pasted, and the questions around it."""

import re
from collections.abc import Mapping

import streamlit as st
from words import spot as say

import ofclab as ofc
from components.card_table import Deck, Draft, Seat, Tray, card_table, draft_of, face_down, labels
from components.page import note, show_error
from components.positions import held, keep, replace, rev_of

KEY = "spot_spot"
TABLE = "spot_table"
_THIRD = "Qh / 8s 8d / As Ks 9s 4s dealt: 2c Qd Jh discards: 3h opponent: 3c / 7h 7d 6h / Kd Kc Tc position: 1"
EXAMPLES = (
    ("A first street", "- / - / - dealt: Ah Kc Qs 8h 7c opponent: - / - / - position: 1"),
    ("A third street", _THIRD),
    ("A Fantasyland hand", "dealt: Ah Qd 3c Kh 4d Th 3d Qc Jh 5s 4s 9s 8h 7d"),
)
_RULES_LINE = re.compile(r"\brules\s*[:=]\s*\S+", re.IGNORECASE)


def read_spot() -> tuple[ofc.Spot, str]:
    """The spot of the address and its `rev`; text that is no spot is said and leaves an empty table."""
    text, rev = held(KEY)
    try:
        spot, twice = _lenient(text)
    except ValueError as error:
        show_error("The spot of this address cannot be read.", str(error), "Put the cards on the table, or paste.")
        return ofc.Spot(seats=2), rev
    if twice:
        show_error("A card stands twice.", ", ".join(twice), "It was kept where it stood first; the rest is as it was.")
    return spot, rev


def _lenient(text: str) -> tuple[ofc.Spot, list[str]]:
    """The spot of a text, and the cards that were taken out of it because they stood before."""
    text, twice = _RULES_LINE.sub(" ", text), list[str]()
    for _ in range(8):
        try:
            return ofc.Spot.parse(text), twice
        except ofc.CardError as error:
            repeated = re.match(r"(\S+) stands twice", str(error))
            if repeated is None:
                raise
            twice.append(repeated[1])
            pattern = repeated[1].replace("T", "(?:T|10)")
            *_, last = re.finditer(pattern, text, re.IGNORECASE)
            text = text[: last.start()] + text[last.end() :]
    raise ofc.SpotError("more than eight cards stand twice")


def as_text(spot: ofc.Spot) -> str:
    """A spot on one line, as the address holds it."""
    return " ".join(str(spot).splitlines())


def is_fantasyland(spot: ofc.Spot) -> bool:
    """Tell whether the dealt cards are a Fantasyland hand."""
    return len(spot.dealt) >= 13 and not spot.board.cards


def draw_table(spot: ofc.Spot, rules: ofc.Rules, rev: str, put: Mapping[ofc.Card, ofc.Row]) -> Draft | None:
    """Draw own board, tray, opponents and deck; every step is kept in the address."""
    deal, place, thrown = say.street(spot, rules)
    draft = draft_of(TABLE, rev)
    shown = put if draft is None else draft.put
    own = spot.board
    if shown and set(shown) <= set(spot.dealt):
        try:
            own = spot.board.place(ofc.Placement(tuple(shown.items())))
        except ValueError:
            own = spot.board
    hints = labels(own, rules)
    seats = [
        Seat(
            "You", spot.board, note=say.seat_note(spot, rules), labels=hints, discards=spot.discards, edit=True,
            discard_slots=max(thrown, len(spot.discards)),
        )
    ]  # fmt: skip
    for i, (board, came_in) in enumerate(zip(spot.opponents, spot.opponents_fantasyland, strict=True)):
        seats.append(
            Seat(
                say.opponent(i, len(spot.opponents)), board, labels=labels(board, rules), size="s", edit=not came_in,
                closed=bool(came_in), hidden=face_down(board, rules), pill=f"Fantasyland {came_in}" if came_in else "",
            )
        )  # fmt: skip
    dealt = len(spot.dealt)
    slots = deal if spot.board.cards or dealt < 5 else min(17, dealt + 1)
    tray = Tray(
        spot.dealt, 13 if is_fantasyland(spot) else place, label=say.tray_label(spot, deal, place),
        slots=max(slots, dealt), put=put,
    )  # fmt: skip
    deck = Deck("Cards", gone=spot.dead, pick=True, jokers=rules.deck.jokers)
    return card_table(TABLE, seats, rev=rev, tray=tray, deck=deck, hint=say.HINT, on_draft=_drafted)


def _drafted() -> None:
    draft = draft_of(TABLE, rev_of(KEY))
    if draft is None or not draft.boards:
        return
    before, _ = _lenient(st.session_state[f"{KEY}_held"].text)
    came_in = before.opponents_fantasyland if len(before.opponents) == len(draft.boards) - 1 else ()
    keep(KEY, as_text(ofc.Spot(
        draft.boards[0], draft.dealt, draft.discards[0], None, len(draft.boards), before.position,
        draft.boards[1:], came_in, before.dead,
    )))  # fmt: skip


def change_table(spot: ofc.Spot, opponents: int, position: int, came_in: tuple[int, ...]) -> None:
    """Hold the spot with other opponents or at another position."""
    boards = (spot.opponents + (ofc.Board(),) * opponents)[:opponents]
    fantasyland = (came_in + (0,) * opponents)[:opponents]
    replace(KEY, as_text(ofc.Spot(
        spot.board, spot.dealt, spot.discards, None, opponents + 1, min(position, opponents + 1), boards, fantasyland,
        spot.dead,
    )))  # fmt: skip


def draw_tools(spot: ofc.Spot, rules: ofc.Rules) -> None:
    """The buttons around the table: paste, opponents, examples, clear."""
    with st.container(horizontal=True, key="spot_tools"):
        with st.popover("Paste", icon=":material/content_paste:"):
            st.text_area("A spot as text", key="spot_paste", height=150, placeholder=say.PASTE, max_chars=2000)
            st.button("Put it on the table", on_click=_pasted, type="primary")
            if problem := st.session_state.pop("spot_problem", None):
                show_error("This is no spot.", problem, "The spot on the table stays as it is.")
        with st.popover("Opponents", icon=":material/group:"):
            _choose_opponents(spot, rules)
        with st.popover("Start from", icon=":material/playing_cards:"):
            cleared = as_text(ofc.Spot(seats=spot.seats, position=spot.position))
            for label, text in (*EXAMPLES, ("An empty table", cleared)):
                st.button(label, on_click=replace, args=(KEY, text), width="stretch")


def show_text(spot: ofc.Spot) -> None:
    """The spot as text to copy; its link is the address of the page."""
    with st.expander("Copy as text, or share", icon=":material/share:"):
        note(say.SHARE)
        st.code(str(spot), language=None)


def _choose_opponents(spot: ofc.Spot, rules: ofc.Rules) -> None:
    now = len(spot.opponents)
    # Keyed by what the table holds: a spot that is pasted brings its own opponents.
    count = st.segmented_control(
        "Opponents", range(rules.players.max), default=min(now, rules.players.max - 1), required=True,
        key=f"spot_opponents_{now}", help="None: royalties, Fantasyland and the penalty of a foul alone.",
    )  # fmt: skip
    position = st.segmented_control(
        "You act", range(1, count + 2), default=min(spot.position, count + 1), required=True,
        key=f"spot_position_{now}_{count}_{spot.position}", format_func=say.turn,
    )  # fmt: skip
    came_in = tuple(
        st.selectbox(
            f"{say.opponent(i, count)} came in with", (0, 13, 14, 15, 16, 17),
            (0, 13, 14, 15, 16, 17).index(spot.opponents_fantasyland[i] if i < now else 0),
            key=f"spot_opponent_{i}_{now}_{count}", format_func=say.came_in,
        )
        for i in range(count)
    )  # fmt: skip
    if (count, position, came_in) != (now, spot.position, spot.opponents_fantasyland):
        change_table(spot, count, position, came_in)
        st.rerun()


def _pasted() -> None:
    text = st.session_state["spot_paste"]
    try:
        _lenient(text)
        if not text.strip():
            raise ofc.SpotError("there is no text")
    except ValueError as error:
        st.session_state["spot_problem"] = str(error)
        return
    named = re.search(r"\brules\s*[:=]\s*(\S+)", text, re.IGNORECASE)
    if named and named[1] in ofc.presets():
        st.query_params["rules"] = named[1]
    replace(KEY, " ".join(_RULES_LINE.sub(" ", text).split()) if "/" in text or ":" in text else text)


def choose_values(rules: ofc.Rules, seats: int) -> dict[int, float]:
    """Draw what Fantasyland is worth by number of cards, the visitor's own numbers kept in the address; return it."""
    usual = ofc.usual_fantasyland_values(rules, seats)
    asked = dict(re.findall(r"(1[3-7]):(-?\d+(?:\.\d+)?)", st.query_params.get("spot_fl", "")))
    values = {cards: min(max(float(asked.get(str(cards), points)), -100.0), 200.0) for cards, points in usual.items()}
    with st.popover("Fantasyland values", icon=":material/star:"):
        note(say.VALUES)
        for cards, value in values.items():
            st.session_state[_value_key(cards)] = value
            st.number_input(
                f"{cards} cards", -100.0, 200.0, step=0.1, format="%.1f", key=_value_key(cards),
                on_change=_write_values, args=(usual,),
            )  # fmt: skip
    return values


def _value_key(cards: int) -> str:
    return f"spot_fl_{cards}"


def _write_values(usual: dict[int, float]) -> None:
    """Keep the numbers that differ from the usual ones in the address."""
    chosen = {cards: st.session_state[_value_key(cards)] for cards in usual}
    changed = ",".join(f"{cards}:{value:g}" for cards, value in chosen.items() if value != usual[cards])
    if changed:
        st.query_params["spot_fl"] = changed
    elif "spot_fl" in st.query_params:
        del st.query_params["spot_fl"]
