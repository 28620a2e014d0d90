"""From imported hands to the tables of a log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ofclab.cards import UNSEEN
from ofclab.importers.model import MOST_CARDS, ImportedHand, ImportedSeat, positions_of
from ofclab.kernels.placement import NO_CARD
from ofclab.log.schema import ACTS, CARD_COLUMNS, HANDS, SEATS

Pseudonym = Callable[[str, str], str]
"""From a site and a player's name to what the log calls him."""


@dataclass
class Identified:
    """A hand that is new to a log, with its ids and the ruleset it is scored under."""

    hand: ImportedHand
    hand_id: int
    table_id: int
    ruleset_id: str
    match_id: int | None = None


def tables(found: Sequence[Identified], pseudonym: Pseudonym) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """The hands, seats and acts tables of these hands."""
    return (
        _frame([_hand_row(one) for one in found], HANDS),
        _frame([row for one in found for row in _seat_rows(one, pseudonym)], SEATS),
        _frame([row for one in found for row in _act_rows(one)], ACTS),
    )


def _frame(rows: list[dict[str, Any]], schema: pl.Schema) -> pl.DataFrame:
    # Column by column, because a list of dicts is searched for its types.
    return pl.DataFrame(
        {name: pl.Series(name, [row.get(name) for row in rows], dtype) for name, dtype in schema.items()}
    )


def _hand_row(one: Identified) -> dict[str, Any]:
    hand = one.hand
    file, line = hand.source or (hand.file, hand.line)
    observers = hand.observer_seats
    return {
        "hand_id": one.hand_id,
        "table_id": one.table_id,
        "hand_no": hand.hand_no,
        "match_id": one.match_id,
        "button": hand.button,
        "n_seats": len(hand.seats),
        "ruleset_id": one.ruleset_id,
        "seed_key": hand.seed_key,
        "site": hand.site,
        "site_hand_id": hand.site_hand_id,
        "source_file": file,
        "source_line": line,
        "played_at": hand.played_at,
        "point_value_minor": hand.point_value_minor,
        "currency": hand.currency,
        "completeness": hand.completeness.value,
        "observer_seats": None if observers is None else sum(1 << seat for seat in set(observers)),
        "warnings": "\n".join(hand.warnings) or None,
    }


def _seat_rows(one: Identified, pseudonym: Pseudonym) -> list[dict[str, Any]]:
    places = zip(one.hand.numbered(), positions_of(one.hand), strict=True)
    return [
        {
            "hand_id": one.hand_id,
            "seat": number,
            "player": _player(seat, one.hand.site, pseudonym),
            "position": position,
            **dict(zip(CARD_COLUMNS, (*seat.cards, *(UNSEEN,) * (MOST_CARDS - len(seat.cards))), strict=True)),
            "placement": sum(
                (seat.placement[i] if i < len(seat.placement) else NO_CARD) << 3 * i for i in range(MOST_CARDS)
            ),
            **{
                name: getattr(seat, name)
                for name in SEATS
                if name in ImportedSeat.__dataclass_fields__ and name not in ("player", "placement")
            },
        }
        for (number, seat), position in places
    ]


def _player(seat: ImportedSeat, site: str | None, pseudonym: Pseudonym) -> str | None:
    # A strategy's label is no person's name.
    if seat.player is None or seat.strategy is not None:
        return seat.player
    return pseudonym(site or "", seat.player)


def _act_rows(one: Identified) -> list[dict[str, Any]]:
    return [
        {
            "hand_id": one.hand_id,
            "act": i,
            "seat": act.seat,
            "street": act.street,
            "seconds": act.seconds,
            "auto": act.auto,
        }
        for i, act in enumerate(one.hand.acts)
    ]
