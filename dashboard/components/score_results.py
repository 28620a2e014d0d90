"""The answers of Score & settle: who pays whom and why, chips, and the next hand."""

from collections.abc import Sequence

import polars as pl
import streamlit as st
from words import score as say

import ofclab as ofc
from components.download import Item
from components.page import note, show_empty, show_error, show_html_table, show_list, verdict
from components.score_table import Player


def names_of(players: Sequence[Player]) -> list[str]:
    """The players' names; those of one name are numbered."""
    names = [player.name for player in players]
    return [f"{name} ({i + 1})" if names.count(name) > 1 else name for i, name in enumerate(names)]


def score_boards(boards: Sequence[ofc.Board], players: Sequence[Player], rules: ofc.Rules) -> ofc.Score | None:
    """The score of complete boards, None while cards are missing; ValueError names what the rules do not allow."""
    foreign = [card for board in boards for card in board.cards if card >= 52 + rules.deck.jokers]
    if foreign:
        raise ValueError(f"{ofc.format_cards(foreign)} is not in the deck of these rules")
    if not all(board.is_complete for board in boards):
        return None
    return ofc.score(boards, rules, [player.came_in for player in players])


def show_missing(boards: Sequence[ofc.Board], names: Sequence[str]) -> None:
    """Say which cards the table waits for."""
    show_empty("When every board has its 13 cards, you see here who pays whom.")
    note(say.missing(boards, [f"board {i + 1}" for i in range(len(names))]))


def show_score(scored: ofc.Score, players: Sequence[Player], rules: ofc.Rules) -> list[Item]:
    """Draw the verdict, every pair with its reason, the chips and the next hand; return what can be downloaded."""
    names = names_of(players)
    verdict(*say.verdict(scored.points, names))
    show_html_table(say.PAIR_HEADS, [say.pair_row(pair, scored, names) for pair in scored.pairs])
    show_list("Why", "in payment order", [say.why(pair, scored, names, rules) for pair in scored.pairs])
    items = [Item("Pairs", _pairs(scored, names)), Item("Boards", _boards(scored, names))]
    if any(player.stack is not None for player in players):
        items.append(_show_chips(scored, players, names, rules))
    show_list("Next hand", "", say.next_hand(scored, names, rules))
    if rules.fantasyland.stay_must_announce and any(player.came_in for player in players):
        note("Under these rules a stay must be announced; it counts as announced here.")
    return items


def _show_chips(scored: ofc.Score, players: Sequence[Player], names: Sequence[str], rules: ofc.Rules) -> Item:
    stacks = {name: player.stack for name, player in zip(names, players, strict=True)}
    owed = [(names[pair.a], names[pair.b], pair.total) for pair in scored.pairs]
    st.subheader("Chips", anchor=False)
    try:
        settled = ofc.settle(owed, stacks, rules)
    except ofc.SettlementError as error:
        show_error("These chips cannot be settled.", str(error), "Change the chips under the names.")
        return Item("Payments", pl.DataFrame())
    st.html(f"<p>{say.stacks_sentence(settled)}</p>")
    show_html_table(say.STEP_HEADS, [say.step_row(step) for step in settled.steps])
    rows = [(step.payer or "", step.payee or "", step.owed_chips, step.paid_chips) for step in settled.steps]
    schema = {"payer": pl.String, "payee": pl.String, "owed": pl.Int64, "paid": pl.Int64}
    return Item("Payments", pl.DataFrame(rows, schema, orient="row"))


def _pairs(scored: ofc.Score, names: Sequence[str]) -> pl.DataFrame:
    rows = [(names[pair.a], names[pair.b], *pair.rows, pair.base, pair.royalties, pair.total) for pair in scored.pairs]
    numbers = ("front", "middle", "back", "base", "royalties", "points")
    return pl.DataFrame(rows, ["first", "second", *numbers], orient="row")


def _boards(scored: ofc.Score, names: Sequence[str]) -> pl.DataFrame:
    rows = [
        (name, points, seat.fouled, *seat.royalties, seat.next_fantasyland)
        for name, points, seat in zip(names, scored.points, scored.seats, strict=True)
    ]
    royalties = ("royalty_front", "royalty_middle", "royalty_back")
    return pl.DataFrame(rows, ["player", "points", "fouled", *royalties, "next_fantasyland"], orient="row")
