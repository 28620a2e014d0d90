"""The SQLite log of a heads-up web app: sessions, hands, turns with what was dealt, and the result as JSON.

Deal order comes from the turns, so such hands can be reviewed as well as scored. A Fantasyland turn deals 13 to 17
cards and lists 13 with the row ``auto``: three top, five middle, five bottom, the rest are discards. Old hands write
``JK`` for a joker; it is taken as X1 or X2 only where the rest of the hand leaves no choice. Times are UTC unless told
otherwise.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from ofclab.cards import Card
from ofclab.importers._sqlite import DAMAGE, connect
from ofclab.importers._web_app_turns import JOKERS, ROWS, UNKNOWN_JOKER, Row, Turns, read_json, read_token
from ofclab.importers.model import HandError, ImportedHand, ImportedSeat, Reject
from ofclab.importers.reading import as_utc
from ofclab.log import Completeness

_COLUMNS = {
    "sessions": ("session_id", "player0_id", "player1_id"),
    "hands": (
        "hand_id",
        "session_id",
        "hand_number",
        "started_at",
        "btn",
        "chips_before",
        "chips_after",
        "result_detail",
    ),
    "turns": ("id", "hand_id", "turn", "player", "dealt_cards", "action_placements", "action_discard"),
}
"""What sqlite3 raises over a damaged file; the second where a damaged name is no text."""


def _pair(values: object, what: str, kind: type | tuple[type, ...]) -> tuple[Any, Any]:
    """Both players' values of a list in the result."""
    if not isinstance(values, list) or len(values) != 2 or not all(isinstance(value, kind) for value in values):
        raise HandError(f"{what} is {values!r}; want a value for each of two players")
    return values[0], values[1]


def _check_boards(seats: Sequence[ImportedSeat], boards: Sequence[Mapping[str, Any]]) -> None:
    """The result must show the boards that the turns built."""
    for player, (seat, board) in enumerate(zip(seats, boards, strict=True)):
        for name, code in ROWS.items():
            built = {str(Card(card)) for card in seat.row(code)}
            tokens = board.get(name)
            if not isinstance(tokens, list):
                raise HandError(f"the result shows no {name} of player {player}")
            shown = [read_token(card) for card in tokens]
            unknown = shown.count(UNKNOWN_JOKER)
            left = built - set(shown)
            if len(shown) != len(built) or len(left) != unknown or not left <= JOKERS:
                raise HandError(
                    f"the {name} of player {player} is {' '.join(sorted(built))} by the turns and "
                    f"{' '.join(sorted(shown))} in the result"
                )


def _with_result(hand: Row, seats: list[ImportedSeat], warnings: list[str]) -> list[ImportedSeat]:
    """Seats with what the source recorded about the result."""
    detail = read_json(hand["result_detail"], "result_detail", dict)
    _check_boards(seats, _pair(detail.get("boards"), "boards", dict))
    points = _pair(detail.get("raw_score"), "raw_score", int)
    paid = _pair(detail.get("actual_score", list(points)), "actual_score", int)
    royalties = [board.get("total") for board in _pair(detail.get("royalties"), "royalties", dict)]
    _pair(royalties, "royalties.total", int)
    fouls = _pair(detail.get("busted"), "busted", bool)
    following = _pair(detail.get("fl_card_count", [None, None]), "fl_card_count", (int, type(None)))
    if sum(points):
        warnings.append(f"recorded points add up to {sum(points)}")
    if points != paid:
        warnings.append(f"recorded points {list(points)} were paid as {list(paid)}")
    return [
        replace(
            seat, points_recorded=points[i], royalties_recorded=royalties[i], foul_recorded=fouls[i],
            next_fl_recorded=following[i],
        )
        for i, seat in enumerate(seats)
    ]  # fmt: skip


def _chips(hand: Row, name: str) -> tuple[int | None, int | None]:
    return _pair(read_json(hand[name], name, list), name, int) if hand[name] is not None else (None, None)


def _time(text: object, zone: ZoneInfo, warnings: list[str]) -> datetime | None:
    time = as_utc(str(text), zone)
    if time is None:
        warnings.append(f"started_at is no time: {str(text)[:40]!r}")
    return time


def _hand(file: str, line: int, hand: Row, turns: Sequence[Row], session: Row | None, zone: ZoneInfo) -> ImportedHand:
    """One hand of the table hands with its turns."""
    if not turns:
        raise HandError("the hand has no turns")
    read = Turns(turns)
    seats = [read.seat(player) for player in (0, 1)]
    warnings = read.warnings
    has_result = hand["result_detail"] not in (None, "")
    if has_result:
        seats = _with_result(hand, seats, warnings)
    else:
        warnings.append("the source has no result")
    players = (str(session["player0_id"]), str(session["player1_id"])) if session else (None, None)
    if session is None:
        warnings.append("the session is not in the file")
    before, after = _chips(hand, "chips_before"), _chips(hand, "chips_after")
    if None not in (*before, *after) and sum(filter(None, before)) != sum(filter(None, after)):
        warnings.append(f"chips {list(before)} became {list(after)}")
    is_whole = all(seat.placed == 13 for seat in seats)
    for name in ("hand_number", "btn"):
        if not isinstance(hand[name], int):
            raise HandError(f"{name} is {hand[name]!r}; want a number")
    return ImportedHand(
        file=file,
        line=line,
        site="web_app",
        site_hand_id=str(hand["hand_id"]),
        table=str(hand["session_id"]),
        hand_no=hand["hand_number"],
        button=hand["btn"],
        seats=tuple(
            replace(seat, player=players[i], stack_before=before[i], stack_after=after[i])
            for i, seat in enumerate(seats)
        ),
        completeness=Completeness.FULL if has_result or is_whole else Completeness.UNFINISHED,
        played_at=_time(hand["started_at"], zone, warnings),
        point_value_minor=1,
        currency="chips",
        acts=read.acts(),
        warnings=tuple(warnings),
    )  # fmt: skip


def _missing(connection: sqlite3.Connection) -> str | None:
    """The first table or column that is not there."""
    for table, columns in _COLUMNS.items():
        found = {row["name"] for row in connection.execute(f"pragma table_info({table})")}
        if absent := [column for column in columns if column not in found]:
            return f"the table {table} has no {', '.join(absent)}" if found else f"no table {table}"
    return None


class WebAppSqlite:
    """The format of this module."""

    name = "web_app_sqlite"
    description = "SQLite log of a heads-up web app with two jokers"
    rules = "joker-progressive"

    def detect(self, path: Path, head: bytes) -> str | None:
        """SQLite files with the app's tables."""
        if not head.startswith(b"SQLite format 3\0"):
            return None
        try:
            with closing(connect(path)) as connection:
                return None if _missing(connection) else f"SQLite file with the tables {', '.join(_COLUMNS)}"
        except DAMAGE:
            return None

    def read(self, path: Path, timezone: str) -> Iterator[ImportedHand | Reject]:
        """Every hand of the file in the order it was stored, then turns that belong to no hand."""
        line = 0
        try:
            with closing(connect(path)) as connection:
                if missing := _missing(connection):
                    yield Reject(path.name, 0, f"{missing}; this is not the log of the web app")
                    return
                sessions = {row["session_id"]: row for row in connection.execute("select * from sessions")}
                for line, hand in enumerate(connection.execute("select * from hands order by rowid"), 1):
                    yield _read(path.name, line, hand, sessions, connection, ZoneInfo(timezone))
                orphans = "select distinct hand_id from turns where hand_id not in (select hand_id from hands)"
                for row in connection.execute(orphans):
                    yield Reject(path.name, 0, "turns of a hand that is not in the table hands", str(row["hand_id"]))
        except DAMAGE as error:
            yield Reject(path.name, line + 1, f"the database is damaged here ({error}); nothing behind it was read")


def _read(
    file: str, line: int, hand: Row, sessions: Mapping[str, Row], connection: sqlite3.Connection, zone: ZoneInfo
) -> ImportedHand | Reject:
    raw = json.dumps({name: str(hand[name]) for name in hand.keys()}, ensure_ascii=False)  # noqa: SIM118
    try:
        query = "select * from turns where hand_id = ? order by id"
        turns = connection.execute(query, (hand["hand_id"],)).fetchall()
        return replace(_hand(file, line, hand, turns, sessions.get(hand["session_id"]), zone), raw=raw)
    except DAMAGE as error:
        return Reject(file, line, f"the turns of the hand are damaged: {error}", raw)
    except HandError as error:
        return Reject(file, line, str(error), raw)


IMPORTER = WebAppSqlite()
