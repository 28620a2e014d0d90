"""A hand of a log on the table: as its player saw it on a street, or at the showdown."""

from dataclasses import dataclass

import evaluated
import loaders
import streamlit as st
from words import hands as say
from words.spot import placement_html

import ofclab as ofc
from components.card_table import Deck, Seat, card_table, face_down, labels
from components.page import show_empty, show_error, show_list
from components.refine import show_search

END = "End"


@dataclass(frozen=True)
class Look:
    """What is looked at: a hand, from whose seat, on which street (None: the showdown)."""

    hand: ofc.log.LoggedHand
    seat: int
    street: int | None


def _asked(key: str) -> int | None:
    text = st.query_params.get(key, "")
    return int(text) if text.isdigit() and len(text) < 21 else None


def read_hand(entry: loaders.Entry) -> ofc.log.LoggedHand | None:
    """The hand the address names; None, and said, where the log has no such hand."""
    log, number = loaders.open_log(entry), _asked("replay_hand")
    if "replay_hand" not in st.query_params:
        show_empty("No hand is chosen: every row of the table of hands leads to one.")
        st.page_link("views/hands.py", label="To the hands", icon=":material/table_rows:")
        return None
    try:
        if number is not None and number < 2**64:
            return ofc.log.read_hand(log, number)
    except ofc.LogError:
        pass
    show_error("This log has no such hand.", st.query_params["replay_hand"], "")
    st.page_link("views/hands.py", label="Back to the hands", icon=":material/arrow_back:")
    return None


def choose_look(hand: ofc.log.LoggedHand) -> Look:
    """Draw whose seat and which street, kept in the address."""
    seats = {seat.seat: say.seat_name(hand, seat) for seat in hand.seats}
    asked = _asked("replay_seat")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seat = st.segmented_control(
            "Seen by", list(seats), format_func=lambda number: seats[number], required=True, key="replay_seat_choice",
            default=asked if asked in seats else next(iter(seats)),
        )  # fmt: skip
        own = hand.seat(seat)
        streets = [street for street in range(1, hand.streets + 1) if not own.fl_cards or street == 1]
        street = _asked("replay_street")
        # In Fantasyland everything is one decision: the street of another seat may not be there.
        if st.session_state.get("replay_street_choice", END) not in [*streets, END]:
            del st.session_state["replay_street_choice"]
        chosen = st.segmented_control(
            "Street", [*streets, END], required=True, key="replay_street_choice",
            default=street if street in streets else END if "replay_street" in st.query_params else [*streets, END][0],
        )  # fmt: skip
    st.query_params["replay_seat"] = str(seat)
    st.query_params["replay_street"] = str(chosen).lower()
    return Look(hand, int(seat or 0), None if chosen == END else int(str(chosen)))


def draw_hand(look: Look) -> ofc.Spot | None:
    """Draw the boards as the player saw them, and the cards he had not seen; return the spot he faced."""
    decision = None if look.street is None else look.hand.decision(look.seat, look.street)
    if decision is None:
        _draw_end(look)
        return None
    hand, rules = look.hand, look.hand.rules
    own = hand.seat(look.seat)
    after = decision.board.place(decision.placement)
    seats = [
        Seat(
            own.name, after, note=say.seat_note(hand, own), labels=labels(after, rules),
            fresh=tuple(card for card, _ in decision.placement.rows),
            discards=decision.discards + decision.placement.discards, size="l",
            pill=f"Fantasyland {own.fl_cards}" if own.fl_cards else "",
        )
    ]  # fmt: skip
    for number, board, came_in in zip(
        decision.opponents_seats, decision.opponents, decision.opponents_fantasyland, strict=True
    ):
        other = hand.seat(number)
        seats.append(
            Seat(
                other.name, board, note=say.seat_note(hand, other), labels=labels(board, rules), closed=bool(came_in),
                hidden=face_down(board, rules),
                pill=f"Fantasyland {came_in}" if came_in else "", size="m",
            )
        )  # fmt: skip
    spot = ofc.Spot(
        decision.board, decision.dealt, decision.discards, None, len(seats), own.position or 1, decision.opponents,
        decision.opponents_fantasyland, decision.shown,
    )  # fmt: skip
    seen = tuple(card for card in map(ofc.Card, range(52 + rules.deck.jokers)) if card not in spot.unseen(rules))
    deck = Deck("Cards not seen", gone=seen, jokers=rules.deck.jokers)
    card_table("replay_table", seats, rev=f"{hand.hand_id}-{look.seat}-{look.street}", deck=deck)
    return spot


def _draw_end(look: Look) -> None:
    hand = look.hand
    scored = score_of(hand)
    seats = []
    for i, seat in enumerate(hand.seats):
        got = scored.seats[i] if scored else None
        seats.append(
            Seat(
                say.seat_name(hand, seat), seat.board, note=say.seat_note(hand, seat),
                labels=labels(seat.board, hand.rules, bool(got and got.fouled)), discards=seat.discards, size="m",
                pill="Fouled" if got and got.fouled else f"Fantasyland {seat.fl_cards}" if seat.fl_cards else "",
                tone="bad" if got and got.fouled else "",
            )
        )  # fmt: skip
    card_table("replay_table", seats, rev=f"{hand.hand_id}-end")


def score_of(hand: ofc.log.LoggedHand) -> ofc.Score | None:
    """The score of a hand whose boards are all known."""
    if not 2 <= len(hand.seats) <= 4 or not all(seat.board.is_complete for seat in hand.seats):
        return None
    return ofc.score([seat.board for seat in hand.seats], hand.rules, [seat.fl_cards for seat in hand.seats])


def show_cost(look: Look, spot: ofc.Spot) -> None:
    """What was played on a street, and on demand what the alternatives are worth."""
    decision = look.hand.decision(look.seat, look.street or 0)
    if decision is None:
        return
    if look.hand.seat(look.seat).fl_cards:
        show_list("Fantasyland", f"{len(decision.dealt)} cards", [say.fantasyland_set(decision, look.hand.rules)])
        return
    st.html(f"<p>Played: {placement_html(decision.placement, discards=True)}.</p>")
    if not st.toggle("Value the alternatives", key="replay_value", bind="query-params"):
        return

    def told(answer: ofc.SpotEvaluation, row: object) -> tuple[str, ...]:
        best = placement_html(answer.best, discards=True)
        return say.cost(row, best) if isinstance(row, dict) else (f"Best: {best}.",)

    values = ofc.usual_fantasyland_values(look.hand.rules, spot.seats)
    show_search("replay", spot, look.hand.rules, values, lambda: decision.placement, mark="Played", told=told)


def show_result(hand: ofc.log.LoggedHand) -> None:
    """Points of everybody, as recorded or scored."""
    scored = score_of(hand)
    lines = [
        say.result(
            say.seat_name(hand, seat), scored.points[i] if scored else seat.points_recorded,
            scored.seats[i] if scored else None,
        )
        for i, seat in enumerate(hand.seats)
    ]  # fmt: skip
    show_list("Result", f"under {hand.rules.name}", lines)


def show_review(entry: loaders.Entry, look: Look) -> None:
    """What a review of the log has found of this player's hand."""
    found = evaluated.of_hand(entry, look.hand.hand_id, look.seat)
    if found:
        lost = sum(row["ev_loss"] for row in found)
        show_list("What the review found", f"{lost:.2f} points lost", [say.reviewed(row) for row in found])


def show_text(look: Look, spot: ofc.Spot | None) -> None:
    """The street as text to copy, with nothing hidden in it, and the way to the Spot page; at the end the boards."""
    with st.expander("Copy as text, or share", icon=":material/share:"):
        if spot is None:
            lines = [f"{say.seat_name(look.hand, seat)}: {seat.board}" for seat in look.hand.seats]
            st.code("\n".join(lines), language=None)
            return
        st.code(str(spot), language=None)
        address = {"spot_spot": " ".join(str(spot).splitlines())}
        if look.hand.rules.name in loaders.rules_names():
            address["rules"] = look.hand.rules.name
        st.page_link("views/spot.py", label="Open in Spot", icon=":material/target:", query_params=address)
