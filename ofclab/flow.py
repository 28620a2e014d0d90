"""The flow of a hand: who acts when, where the button goes, what a timeout places."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Any

from ofclab.board import Board, BoardError, Placement, Row, as_board, street_of
from ofclab.cards import Cards, parse_cards, require_distinct
from ofclab.rules import Rules, RulesError
from ofclab.rules.compiled import compile_rules


def _from_left(seats: int | Sequence[Hashable], button: Hashable) -> list[Any]:
    """Seats from the dealer's left, dealer last."""
    labels: list[Any] = list(range(seats)) if isinstance(seats, int) else list(seats)
    if button not in labels:
        raise ValueError(f"no seat {button!r} has the button; have {', '.join(map(repr, labels))}")
    dealer = labels.index(button)
    return labels[dealer + 1 :] + labels[: dealer + 1]


def turn_order(
    seats: int | Sequence[Hashable],
    button: Hashable,
    rules: Rules,
    fantasyland: Collection[Hashable] = (),
    street: int = 1,
) -> tuple[Any, ...]:
    """Who acts on a street, in order: the dealer's left first, the dealer last.

    ``seats``: their number or labels in clockwise order; ``fantasyland``: the seats now in Fantasyland. They set before
    the others, or in turn where ``fantasyland.set_timing`` says so, and take no part in later streets (RULES 2.17).
    """
    order = _from_left(seats, button)
    setting = [seat for seat in order if seat in fantasyland]
    others = [seat for seat in order if seat not in fantasyland]
    if street > 1:
        return tuple(others)
    return tuple(order) if rules.fantasyland.set_timing == "in_turn" else tuple(setting + others)


def next_button(
    seats: int | Sequence[Hashable], button: Hashable, rules: Rules, earned: Collection[Hashable] = ()
) -> Any:
    """The seat that deals the next hand: one to the left, or the same while anyone goes to Fantasyland.

    ``earned``: seats that play the next hand in Fantasyland. ``fantasyland.button = "moves"`` always moves it.
    """
    if earned and rules.fantasyland.button == "frozen":
        return button
    return _from_left(seats, button)[0]


def auto_place(board: Board | str, dealt: Cards, rules: Rules) -> Placement:
    """What the room places for a player whose time ran out (002:66-73).

    Cards in dealt order, back before middle before front; from street 2 the last cards are discarded. A Fantasyland
    hand (an empty board and 13 to 17 cards) keeps the first 13. Raises RulesError where the rules place nothing.
    """
    if rules.timeout.autoplace == "none":
        raise RulesError("timeout.autoplace is 'none': these rules place nothing for a player out of time")
    board, cards = as_board(board), parse_cards(dealt)
    require_distinct(board.cards + cards, "the board and the deal")
    if not board.cards and 13 <= len(cards) <= 17:
        place = 13
    else:
        deal, place, _ = (int(n) for n in compile_rules(rules).rounds[street_of(board, rules) - 1])
        if len(cards) != deal:
            raise BoardError(f"this street deals {deal} cards under {rules.name}, got {len(cards)}")
    free = dict(zip(Row, board.open_slots, strict=True))
    rows = [row for row in (Row.BACK, Row.MIDDLE, Row.FRONT) for _ in range(free[row])]
    return Placement(tuple(zip(cards[:place], rows, strict=False)), cards[place:])
