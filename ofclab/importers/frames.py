"""From imported hands to the tables of a log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ofclab.cards import UNSEEN
from ofclab.importers.model import MOST_CARDS, ImportedHand, ImportedSeat, positions_of
from ofclab.importers.players import Pseudonyms
from ofclab.importers.sessions import ImportedSession, SessionResult
from ofclab.kernels.placement import NO_CARD
from ofclab.log.schema import ACTS, CARD_COLUMNS, HANDS, LEDGER, SEATS


@dataclass
class Identified:
    """A hand that is new to a log, with its ids and the ruleset it is scored under."""

    hand: ImportedHand
    hand_id: int
    table_id: int
    ruleset_id: str
    match_id: int | None = None


def tables(found: Sequence[Identified], players: Pseudonyms) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """The hands, seats and acts tables of these hands; the log calls their players by pseudonyms."""
    seats = [row for one in found for row in _seat_rows(one, players)]
    # Names before notes, so that a note about somebody who sits in a later hand does not name him either.
    return (
        _frame([_hand_row(one, players) for one in found], HANDS),
        _frame(seats, SEATS),
        _frame([row for one in found for row in _act_rows(one)], ACTS),
    )


def ledger(found: Sequence[tuple[int, ImportedSession]], players: Pseudonyms) -> pl.DataFrame:
    """The ledger table of sessions with their ids."""
    results = [
        (session_id, session, one, players.of(session.site, one.player)) for session_id, session in found
        for one in session.results
    ]  # fmt: skip
    return _frame([_ledger_row(*result, players) for result in results], LEDGER)


def _ledger_row(
    session_id: int, session: ImportedSession, one: SessionResult, player: str, players: Pseudonyms
) -> dict[str, Any]:
    notes = [session.note] if session.note else []
    note = "\n".join((*notes, *session.warnings)) or None
    return {
        "session_id": session_id,
        "player": player,
        "opponent": None if one.opponent is None else players.of(session.site, one.opponent),
        "site": session.site,
        "source_file": session.source[0] if session.source else session.file,
        "source_line": session.source[1] if session.source else session.line,
        "played_at": session.played_at,
        "hands": session.hands,
        "points": one.points,
        "net_minor": one.net_minor,
        "point_value_minor": session.point_value_minor,
        "currency": session.currency,
        "note": None if note is None else players.redact(note, session.site, session.players),
    }


def _frame(rows: list[dict[str, Any]], schema: pl.Schema) -> pl.DataFrame:
    # Column by column, because a list of dicts is searched for its types.
    return pl.DataFrame(
        {name: pl.Series(name, [row.get(name) for row in rows], dtype) for name, dtype in schema.items()}
    )


def _hand_row(one: Identified, players: Pseudonyms) -> dict[str, Any]:
    hand = one.hand
    # A strategy's label is no person's name.
    names = [seat.player for seat in hand.seats if seat.player and seat.strategy is None]
    warnings = players.redact("\n".join(hand.warnings), hand.site or "", names) if hand.warnings else ""
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
        "warnings": warnings or None,
    }


def _seat_rows(one: Identified, players: Pseudonyms) -> list[dict[str, Any]]:
    places = zip(one.hand.numbered(), positions_of(one.hand), strict=True)
    return [
        {
            "hand_id": one.hand_id,
            "seat": number,
            "player": _player(seat, one.hand.site, players),
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


def _player(seat: ImportedSeat, site: str | None, players: Pseudonyms) -> str | None:
    if seat.player is None or seat.strategy is not None:
        return seat.player
    return players.of(site or "", seat.player)


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
