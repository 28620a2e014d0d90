"""The trainer's tables: hands played to their end against a strategy, and spots to solve."""

from collections.abc import Callable
from typing import Any

import games
import streamlit as st
import training
from words import trainer as say
from words.spot import opponent, seat_note, street

import ofclab as ofc
from components.card_table import Seat, Tray, card_table, confirmed, face_down, labels
from components.page import note, show_empty, show_error, verdict
from components.placements import as_key
from components.refine import row_of, show_search
from components.solving import search

TABLE = "trainer_table"


def _table(rules: ofc.Rules, against: str, seed: int) -> ofc.Table:
    key = (rules.id, against, seed)
    if st.session_state.get("trainer_game_key") != key:
        st.session_state["trainer_game"], st.session_state["trainer_played"] = games.resume(rules, against, seed)
        st.session_state["trainer_game_key"] = key
        st.session_state["trainer_last"] = None
    return st.session_state["trainer_game"]  # type: ignore[no-any-return]


def play_hands(rules: ofc.Rules, against: str, seed: int) -> None:
    """Play hand after hand; each decision is judged while the next one waits."""
    table = _table(rules, against, seed)
    left, right = st.columns([1, 1.35], gap="medium")
    with left:
        if table.decision is not None:
            _draw_decision(table, against)
        else:
            _draw_end(table, against)
    with right:
        if table.decision is None:
            _show_end(table, against)
        elif table.hands:
            st.html(f"<p>{say.score_line(table.hands)}</p>")
        _show_last(rules, against)


def _rev(table: ofc.Table) -> str:
    decision = table.decision
    return f"{table.hand_no}-{'' if decision is None else ofc.format_cards(decision.dealt)}-{id(table)}"


def _seats(table: ofc.Table, against: str) -> list[Seat]:
    decision = table.decision
    assert decision is not None
    view, rules = decision.view, table.rules
    button, came_in = table.button, table.fantasyland
    own = Seat(
        "You", decision.board, note=say.seat_note(0, button, 2), labels=labels(decision.board, rules),
        discards=view.discards if view else (), pill=f"Fantasyland {came_in[0]}" if came_in[0] else "", tone="good",
    )  # fmt: skip
    other = view.opponents[0].board if view else ofc.Board()
    facing = Seat(
        against, other, note=say.seat_note(1, button, 2), labels=labels(other, rules), size="s",
        closed=bool(came_in[1]), hidden=face_down(other, rules),
        pill=f"Fantasyland {came_in[1]}" if came_in[1] else "",
        discards=view.opponents[0].discards if view else (),
    )  # fmt: skip
    return [own, facing]


def _draw_decision(table: ofc.Table, against: str) -> None:
    decision, rev = table.decision, _rev(table)
    assert decision is not None
    keep = 13 if decision.fantasyland else _place(table)

    def confirm() -> None:
        draft = confirmed(TABLE, rev, decision.dealt)
        placement = draft.placement(keep) if draft else None
        if placement is None:
            return
        try:
            table.decide(placement)
        except (ofc.IllegalPlacement, ofc.SessionError) as error:
            st.session_state["trainer_problem"] = str(error)
            return
        st.session_state["trainer_last"] = (decision, placement)
        st.session_state["trainer_played"].append(placement)
        games.save(st.session_state["trainer_game_key"], st.session_state["trainer_played"])

    if problem := st.session_state.pop("trainer_problem", None):
        show_error("That cannot be placed so.", problem, "Place the cards again.")
    tray = Tray(decision.dealt, keep, label=say.tray_label(decision, keep), confirm="Confirm")
    card_table(TABLE, _seats(table, against), rev=rev, tray=tray, hint=say.KEYS, on_confirm=confirm)


def _place(table: ofc.Table) -> int:
    decision = table.decision
    return len(ofc.legal_placements(decision.board, decision.dealt, table.rules)[0].rows)  # type: ignore[union-attr]


def _draw_end(table: ofc.Table, against: str) -> None:
    hand = table.hands[-1]
    seats = []
    for i, name in enumerate(("You", against)):
        fouled = hand.fouled[i]
        pill = "Fouled" if fouled else f"To Fantasyland: {hand.next_fantasyland[i]}" if hand.next_fantasyland[i] else ""
        seats.append(
            Seat(
                name, hand.boards[i], note=say.seat_note(i, hand.button, 2), discards=hand.discards[i], pill=pill,
                labels=labels(hand.boards[i], table.rules, fouled), tone="bad" if fouled else "good", size="m",
            )
        )  # fmt: skip
    card_table(f"{TABLE}_end", seats, rev=f"end-{hand.hand_no}-{id(table)}")


def _show_end(table: ofc.Table, against: str) -> None:
    hand = table.hands[-1]
    names = ("You", against)
    verdict(*say.hand_result(hand.points, names, hand.fouled, hand.next_fantasyland), say.score_line(table.hands))
    if table.is_over:
        note("The game is over: the rules end it here. Start another with the next seed.")
    else:
        st.button("Deal the next hand", type="primary", key="trainer_deal", on_click=table.deal)


def _show_last(rules: ofc.Rules, against: str) -> None:
    last = st.session_state.get("trainer_last")
    if last is None:
        show_empty("Each decision is judged here, while the hand goes on.")
        return
    decision, placement = last
    st.subheader("Your last decision", anchor=False)
    if not st.toggle("Judge my decisions", True, key="trainer_judge", bind="query-params"):
        return
    if decision.fantasyland:
        _judge_fantasyland(decision, placement, rules)
        return
    _judge("trainer", ofc.Spot.of_view(decision.view), rules, placement, "play", against)


def _judge_fantasyland(decision: Any, placement: ofc.Placement, rules: ofc.Rules) -> None:
    cards = len(decision.dealt)
    stay_cards = cards if rules.fantasyland.stay_cards == "same" else int(rules.fantasyland.stay_cards)
    worth = ofc.usual_fantasyland_values(rules).get(stay_cards, 0.0)
    best = ofc.set_fantasyland(decision.dealt, rules, worth)
    board = ofc.Board().place(placement)
    scored = ofc.score([board, best.board], rules, [cards, cards]).seats[0]
    mine = 0.0 if scored.fouled else scored.royalties.total + (worth if scored.next_fantasyland else 0.0)
    verdict(*say.fantasyland_told(placement, best, mine))


def _judge(key: str, spot: ofc.Spot, rules: ofc.Rules, mine: ofc.Placement, mode: str, against: str) -> None:
    """Show what a decision cost; it is kept once it is judged, even if the visitor has gone on by then."""
    waiting = st.session_state.setdefault("trainer_waiting", {})
    known = st.session_state.setdefault("trainer_known", set())
    name = (str(spot), rules.id, as_key(mine), mode)
    if name not in known:
        known.add(name)
        waiting[name] = (spot, rules, mine, mode, against)
    show_search(
        key, spot, rules, ofc.usual_fantasyland_values(rules), lambda: mine, told=say.told, rounds=training.ROUNDS
    )


def keep_judged() -> None:
    """Keep the decisions whose judgement has come since the last look."""
    waiting = st.session_state.get("trainer_waiting", {})
    for name, (spot, rules, mine, mode, against) in list(waiting.items()):
        found = search(spot, rules, ofc.usual_fantasyland_values(rules), go_on=True, rounds=training.ROUNDS)
        if not found.is_done:
            continue
        del waiting[name]
        row = row_of(found.answer, mine)
        if found.answer is not None and row is not None:
            training.judge(found.answer, mine, row, mode, against)


def solve_spots(rules: ofc.Rules, spot: ofc.Spot, number: int, forward: Callable[[], None]) -> None:
    """Show one spot to solve; the verdict comes after the answer."""
    answered = st.session_state.get("trainer_answer")
    mine = answered[1] if answered is not None and answered[0] == (str(spot), number) else None
    _, keep, _ = street(spot, rules)
    rev = f"quiz-{number}-{ofc.format_cards(spot.dealt)}"

    def confirm() -> None:
        draft = confirmed(TABLE, rev, spot.dealt)
        placement = draft.placement(keep) if draft else None
        if placement is not None and placement in _same_order(spot, placement, rules):
            st.session_state["trainer_answer"] = ((str(spot), number), placement)

    own = spot.board if mine is None else spot.board.place(mine)
    fresh = () if mine is None else tuple(card for card, _ in mine.rows)
    thrown = spot.discards + (mine.discards if mine is not None else ())
    seats = [Seat("You", own, note=seat_note(spot, rules), labels=labels(own, rules), fresh=fresh, discards=thrown)]
    for i, (board, came_in) in enumerate(zip(spot.opponents, spot.opponents_fantasyland, strict=True)):
        name, pill = opponent(i, len(spot.opponents)), f"Fantasyland {came_in}" if came_in else ""
        seats.append(
            Seat(
                name,
                board,
                labels=labels(board, rules),
                size="s",
                closed=bool(came_in),
                pill=pill,
                hidden=face_down(board, rules),
            )
        )
    left, right = st.columns([1, 1.35], gap="medium")
    with left:
        tray = Tray(spot.dealt, keep, label=f"Place {keep} of {len(spot.dealt)}.", confirm="Confirm")
        if mine is None:
            card_table(TABLE, seats, rev=rev, tray=tray, hint=say.KEYS, on_confirm=confirm)
        else:
            card_table(f"{TABLE}_answer", seats, rev=f"{rev}-answer")
    with right:
        if mine is None:
            show_empty("Place the cards and confirm: then you see what each placement is worth.")
            st.button("Skip this spot", key="trainer_next", on_click=forward)
        else:
            st.button("Next spot", key="trainer_next", on_click=forward, type="primary")
            _judge("quiz", spot, rules, mine, "quiz", "")


def _same_order(spot: ofc.Spot, placement: ofc.Placement, rules: ofc.Rules) -> list[ofc.Placement]:
    """The placement alone where it is legal; nothing where it is not."""
    legal = ofc.legal_placements(spot.board, spot.dealt, rules)
    return [placement] if any(as_key(one) == as_key(placement) for one in legal) else []
