"""The answers of Spot: placements refined while you look, or the setting of a Fantasyland hand."""

from collections.abc import Mapping
from typing import Any

import streamlit as st
from words import spot as say

import ofclab as ofc
from components.card_table import Seat, card_table, draft_of, labels
from components.download import Item
from components.page import show_empty, show_error, show_list, show_note, verdict
from components.placements import picked
from components.positions import replace, rev_of
from components.refine import show_search
from components.solving import search
from components.spot_table import EXAMPLES, KEY, TABLE, as_text, is_fantasyland

SAMPLES = 400
"""Boards of the opponents on which the best settings are compared."""


def show_answer(
    spot: ofc.Spot, rules: ofc.Rules, values: dict[int, float], put: Mapping[ofc.Card, ofc.Row]
) -> list[Item]:
    """Show what the spot on the table is worth, or what is missing on it; return what can be downloaded."""
    if is_fantasyland(spot):
        return _show_setting(spot, rules, values)
    problem = _problem(spot, rules)
    if problem:
        box = show_empty(problem)
        if problem == say.EMPTY:
            box.button("Show an example", type="primary", on_click=replace, args=(KEY, EXAMPLES[1][1]))
        return []

    def mine() -> ofc.Placement | None:
        draft = draft_of(TABLE, rev_of(KEY))
        chosen = dict(put) if draft is None else draft.put
        _, keep, _ = say.street(spot, rules)
        if len(chosen) != keep or not set(chosen) <= set(spot.dealt):
            return None
        rows = tuple((card, chosen[card]) for card in spot.dealt if card in chosen)
        return ofc.Placement(rows, tuple(card for card in spot.dealt if card not in chosen))

    def pick() -> None:
        answer = search(spot, rules, values, go_on=False).answer
        placement = picked("spot_rows", rev_of(KEY), answer) if answer is not None else None
        if placement is not None:
            st.session_state["spot_put"] = dict(placement.rows)
            replace(KEY, as_text(spot))
            st.rerun()

    found = show_search("spot", spot, rules, values, mine, rev=rev_of(KEY), on_pick=pick)
    return [] if found.answer is None else [Item("Placements", found.answer.frame)]


def _problem(spot: ofc.Spot, rules: ofc.Rules) -> str:
    if not spot.dealt and not spot.board.cards:
        return say.EMPTY
    try:
        spot.check(rules)
    except ValueError as error:
        return str(error)
    return ""


@st.cache_data(max_entries=64, show_spinner="Setting the hand")
def _setting(text: str, rules_id: str, values: tuple[tuple[int, float], ...], _rules: Any) -> Any:
    spot = ofc.Spot.parse(text)
    others = [
        f"Fantasyland {cards}" if cards else board
        for board, cards in zip(spot.opponents, spot.opponents_fantasyland, strict=True)
    ]
    return ofc.set_fantasyland(
        spot.dealt, _rules, opponents=others, fantasyland_values=dict(values), samples=SAMPLES, dead=spot.dead
    )


def _show_setting(spot: ofc.Spot, rules: ofc.Rules, values: Mapping[int, float]) -> list[Item]:
    try:
        found = _setting(as_text(spot), rules.id, tuple(sorted(values.items())), rules)
    except ValueError as error:
        show_error("These cards cannot be set.", str(error), "Take the card off the table, or choose other rules.")
        return []
    verdict(*say.setting(found))
    options = [("Best", found.best)]
    other = found.leaving if found.stays else found.staying
    if other is not None:
        options.append(("Best that stays" if other.stays else "Best that does not stay", other))
    for number, (name, option) in enumerate(options):
        seat = Seat(
            name, option.board, note=say.option(option, bool(option.against)), discards=option.discards,
            labels=labels(option.board, rules, option.fouled), tone="bad" if option.fouled else "good",
            pill="Fouled" if option.fouled else "Stays" if option.stays else "",
        )  # fmt: skip
        card_table(f"spot_setting_{number}", [seat], rev=f"{name}-{option.board}", size="m")
    show_list("Why", "", found.explanation.splitlines())
    show_note(found.information)
    return [Item("Settings", found.frame)]
