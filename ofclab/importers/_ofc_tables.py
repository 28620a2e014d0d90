"""The three tables of open-face hands in the fpdb-3 tracker's SQLite database."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from ofclab.importers._ofc_hand import (
    ROWS,
    Player,
    Round,
    Tracked,
    hand_of,
    read_amount,
    read_cards,
    read_points,
    read_time,
)
from ofclab.importers._sqlite import DAMAGE, connect
from ofclab.importers.model import HandError, ImportedHand, Reject

_COLUMNS = {
    "HttpOFCHands": ("siteHandNo", "tableName", "startTime", "variant"),
    "HttpOFCPlayers": ("ofcHandId", "playerName", "seatNo", "startStack", "points", "collected",
                       "topCards", "middleCards", "bottomCards"),
    "HttpOFCRounds": ("ofcHandId", "roundNo", "stepNo", "playerName", "dealt", "placedJson", "discarded"),
}  # fmt: skip
_FINE = ("", "ok", "valid", "validated", "complete")
Row = Mapping[str, Any]


def detect(path: Path) -> str | None:
    """Why a database is the tracker's; None where it is not."""
    try:
        with closing(connect(path)) as connection:
            return None if _missing(connection) else f"SQLite file with the tables {', '.join(_COLUMNS)}"
    except DAMAGE:
        return None


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {row["name"] for row in connection.execute(f"pragma table_info({table})")}


def _missing(connection: sqlite3.Connection) -> str | None:
    """The first table or column that is not there."""
    for table, columns in _COLUMNS.items():
        found = _columns(connection, table)
        if absent := [column for column in columns if column not in found]:
            return f"the table {table} has no {', '.join(absent)}" if found else f"no table {table}"
    return None


def read_tables(file: str, connection: sqlite3.Connection, zone: ZoneInfo) -> Iterator[ImportedHand | Reject]:
    """Every hand in the order it was stored, then players of hands that are not there."""
    if missing := _missing(connection):
        yield Reject(file, 0, f"{missing}; this is not the tracker's database")
        return
    key = "id" if "id" in _columns(connection, "HttpOFCHands") else "rowid"
    query = f"select {key} as hand_key, * from HttpOFCHands order by {key}"
    for line, row in enumerate(connection.execute(query), 1):
        raw = _raw([row])
        try:
            players = _rows(connection, "HttpOFCPlayers", row["hand_key"], "seatNo")
            rounds = _rows(connection, "HttpOFCRounds", row["hand_key"], "roundNo, stepNo")
            raw = _raw([row, *players, *rounds])
            yield _hand(file, line, row, players, rounds, zone, raw)
        except DAMAGE as error:
            yield Reject(file, line, f"the hand's rows are damaged: {error}", raw)
        except HandError as error:
            yield Reject(file, line, str(error), raw)
    orphans = f"select distinct ofcHandId from HttpOFCPlayers where ofcHandId not in (select {key} from HttpOFCHands)"
    for row in connection.execute(orphans):
        yield Reject(file, 0, "players of a hand that is not in the table HttpOFCHands", str(row["ofcHandId"]))


def _rows(connection: sqlite3.Connection, table: str, key: object, order: str) -> Sequence[Row]:
    return connection.execute(f"select * from {table} where ofcHandId = ? order by {order}", (key,)).fetchall()


def _raw(rows: Sequence[Row]) -> str:
    """The rows of a hand as text."""
    lines = ({name: row[name] for name in row.keys() if name != "rawJson"} for row in rows)  # noqa: SIM118
    return "\n".join(json.dumps(line, ensure_ascii=False, default=str) for line in lines)


def _hand(
    file: str, line: int, row: Row, players: Sequence[Row], rounds: Sequence[Row], zone: ZoneInfo, raw: str
) -> ImportedHand:
    names = row.keys()
    number = row["siteHandNo"]
    if number is None or str(number) == "":
        raise HandError("siteHandNo is empty")
    hand = Tracked(str(number), _text(row, "variant"), line, table=_text(row, "tableName") or None)
    if "site" in names and row["site"] not in (None, ""):
        hand.site = str(row["site"])
    if row["startTime"] not in (None, ""):
        hand.played_at = read_time(_text(row, "startTime"), zone)
    status = str(row["validationStatus"] or "") if "validationStatus" in names else ""
    if status.lower() not in _FINE:
        hand.warnings.append(f"the tracker says {status[:200]}")
    hand.players = [_player(one) for one in players]
    hand.rounds = [_round(one) for one in rounds]
    for player in hand.players:
        hand.warnings = [text.replace(player.name, f"seat {player.seat}") for text in hand.warnings]
    return hand_of(file, hand, raw)


def _text(row: Row, name: str) -> str:
    value = row[name]
    if not isinstance(value, str | None):
        raise HandError(f"{name} is {str(value)[:60]!r}; want a text")
    return (value or "").strip()


def _cards(row: Row, name: str) -> tuple[int, ...]:
    return read_cards(_text(row, name) or "-")


def _player(row: Row) -> Player:
    if not isinstance(row["seatNo"], int) or not 0 <= row["seatNo"] < 100:
        raise HandError(f"seatNo is {str(row['seatNo'])[:40]!r}; want a number")
    collected = 0 if row["collected"] is None else read_amount(row["collected"], "collected")
    return Player(
        row["seatNo"],
        _text(row, "playerName"),
        None if row["startStack"] is None else read_amount(row["startStack"], "startStack"),
        None if row["points"] is None else read_points(row["points"]),
        f"{collected / 100:.2f}" if collected else None,
        {name: _cards(row, f"{name}Cards") for name in ROWS},
    )


def _round(row: Row) -> Round:
    """A step of a round; ``placedJson`` holds the cards of each row, as texts or lists."""
    try:
        placed = json.loads(_text(row, "placedJson") or "{}")
    except (ValueError, RecursionError):
        raise HandError(f"placedJson is not JSON: {str(row['placedJson'])[:60]!r}") from None
    if not isinstance(placed, dict) or not set(placed) <= set(ROWS):
        raise HandError(f"placedJson is {str(placed)[:60]!r}; want cards for {', '.join(ROWS)}")
    rows = {}
    for name, cards in placed.items():
        if isinstance(cards, list) and all(isinstance(card, str) for card in cards):
            cards = " ".join(cards)
        if not isinstance(cards, str):
            raise HandError(f"{name} of placedJson is {str(cards)[:60]!r}; want cards")
        rows[name] = read_cards(cards or "-")
    return Round(_text(row, "playerName"), rows, _cards(row, "discarded"), _cards(row, "dealt"))
