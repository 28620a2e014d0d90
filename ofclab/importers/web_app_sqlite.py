"""The SQLite log of a heads-up web app: sessions, hands, turns with what was dealt, and the result as JSON.

Deal order comes from the turns, so such hands can be reviewed as well as scored. A Fantasyland turn deals 13 to 17
cards and lists 13 with the row ``auto``: three top, five middle, five bottom, the rest are discards. Old hands write
``JK`` for a joker; it is taken as X1 or X2 only where the rest of the hand leaves no choice. Times are UTC unless told
otherwise.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from ofclab.cards import Card, parse_cards
from ofclab.importers.model import Act, HandError, ImportedHand, ImportedSeat, Reject
from ofclab.kernels.placement import DISCARD
from ofclab.log import Completeness

_ROWS = {"top": 0, "middle": 1, "bottom": 2}
_AUTO = (0,) * 3 + (1,) * 5 + (2,) * 5
_JOKERS = frozenset({"X1", "X2"})
_UNKNOWN_JOKER = "JK"
_CARD = re.compile(r"[2-9TJQKA][cdhs]|X[12]|JK")
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
Row = Mapping[str, Any]
_DAMAGE = (sqlite3.Error, UnicodeError)
"""What sqlite3 raises over a damaged file; the second where a damaged name is no text."""


@dataclass(frozen=True)
class _Turn:
    """One player's turn: tokens of the cards dealt, where each placed one went, and the one discarded."""

    dealt: tuple[str, ...]
    placed: tuple[tuple[str, int], ...]
    discard: str | None
    auto: bool


def _json(text: object, what: str, kind: type) -> Any:
    try:
        value = json.loads(str(text))
    except (ValueError, RecursionError):
        raise HandError(f"{what} is not JSON: {str(text)[:80]!r}") from None
    if not isinstance(value, kind):
        raise HandError(f"{what} is no {kind.__name__}: {str(text)[:80]!r}")
    return value


def _token(value: object) -> str:
    if not isinstance(value, str) or not _CARD.fullmatch(value):
        raise HandError(
            f"no card {value!r}; this format writes a rank 2-9 T J Q K A and a suit c d h s, jokers X1 and X2"
        )
    return value


def _turn(row: Row) -> _Turn:
    """Read one row of the table turns."""
    street, player = row["turn"], row["player"]
    where = f"turn {street} of player {player}"
    dealt = tuple(_token(card) for card in _json(row["dealt_cards"], f"dealt_cards, {where}", list))
    actions = _json(row["action_placements"], f"action_placements, {where}", list)
    if not all(isinstance(action, list) and len(action) == 2 for action in actions):
        raise HandError(f"action_placements, {where}: want pairs of card and row, got {actions!r}")
    cards, rows = [_token(card) for card, _ in actions], [row for _, row in actions]
    in_fantasyland = street == 0 and len(dealt) >= 13
    auto = in_fantasyland and bool(rows) and all(name == "auto" for name in rows)
    if not auto and (unknown := [name for name in rows if name not in _ROWS]):
        raise HandError(f"no row {unknown[0]!r} in {where}; have {', '.join(_ROWS)}")
    want = (range(13, 18), 13) if in_fantasyland else ((5,), 5) if street == 0 else ((3,), 2)
    if len(dealt) not in want[0] or len(cards) != want[1]:
        raise HandError(f"{where} deals {len(dealt)} cards and places {len(cards)}")
    discard = None if row["action_discard"] in (None, "") else _token(row["action_discard"])
    codes = _AUTO if auto else tuple(_ROWS[name] for name in rows)
    return _Turn(dealt, tuple(zip(cards, codes, strict=True)), discard, auto)


def _know_jokers(turns: dict[tuple[int, int], _Turn]) -> dict[tuple[int, int], _Turn]:
    """Say which joker a dealt JK is: the other one, where one is named elsewhere in the hand."""
    dealt = [card for turn in turns.values() for card in turn.dealt]
    missing = _JOKERS - set(dealt)
    if _UNKNOWN_JOKER not in dealt:
        return turns
    if dealt.count(_UNKNOWN_JOKER) > 1 or len(missing) != 1:
        raise HandError("JK does not say which joker it is, and the rest of the hand does not tell")
    (known,) = missing
    return {
        key: replace(turn, dealt=tuple(known if card == _UNKNOWN_JOKER else card for card in turn.dealt))
        for key, turn in turns.items()
    }


def _resolve(turn: _Turn, where: str) -> tuple[_Turn, str | None]:
    """Say which joker a placed or discarded JK is: the one this turn dealt that is nowhere else."""
    named = [card for card, _ in turn.placed] + ([turn.discard] if turn.discard else [])
    if _UNKNOWN_JOKER not in named:
        return turn, None
    left = sorted(_JOKERS & set(turn.dealt) - set(named))
    if named.count(_UNKNOWN_JOKER) > 1 or len(left) != 1:
        raise HandError(f"JK does not say which joker it is, and {where} dealt {' and '.join(left) or 'none'}")
    placed = tuple((left[0] if card == _UNKNOWN_JOKER else card, code) for card, code in turn.placed)
    discard = left[0] if turn.discard == _UNKNOWN_JOKER else turn.discard
    return replace(turn, placed=placed, discard=discard), f"JK is {left[0]}, the only joker {where} dealt"


def _codes(turn: _Turn, where: str) -> list[int]:
    """Where each dealt card went."""
    placed = dict(turn.placed)
    if len(placed) != len(turn.placed) or len(set(turn.dealt)) != len(turn.dealt):
        raise HandError(f"a card stands twice in {where}: {' '.join(turn.dealt)}")
    if strange := [card for card in placed if card not in turn.dealt]:
        raise HandError(f"{where} places {strange[0]}, which was not dealt: {' '.join(turn.dealt)}")
    left = [card for card in turn.dealt if card not in placed]
    if turn.discard is not None and left != [turn.discard]:
        raise HandError(f"{where} discards {turn.discard} where {' '.join(left) or 'nothing'} is left")
    return [placed.get(card, DISCARD) for card in turn.dealt]


class _Hand:
    """One hand while it is read: its turns, then its seats."""

    def __init__(self, turns: Sequence[Row]) -> None:
        read: dict[tuple[int, int], _Turn] = {}
        for row in turns:
            if row["player"] not in (0, 1) or row["turn"] not in range(5):
                raise HandError(f"turn {row['turn']!r} of player {row['player']!r}; want turns 0 to 4, players 0 and 1")
            read[row["turn"], row["player"]] = _turn(row)
        self.order = list(read)
        self.turns = _know_jokers(read)
        self.warnings: list[str] = []

    def seat(self, player: int) -> ImportedSeat:
        """What one player was dealt and where it went."""
        cards: list[str] = []
        codes: list[int] = []
        streets = sorted(street for street, who in self.turns if who == player)
        if streets != list(range(len(streets))):
            raise HandError(f"player {player} has the turns {streets}; one is missing")
        for street in streets:
            where = f"turn {street} of player {player}"
            turn, note = _resolve(self.turns[street, player], where)
            self.warnings += [note] if note else []
            cards += turn.dealt
            codes += _codes(turn, where)
        came_in = len(self.turns[0, player].dealt) if streets else 0
        if came_in >= 13 and len(streets) > 1:
            raise HandError(f"player {player} is in Fantasyland and plays on")
        ids = tuple(int(card) for card in parse_cards(" ".join(cards)))
        return ImportedSeat(
            cards=ids, placement=tuple(codes), fl_cards=came_in if came_in >= 13 else 0, discards_known=bool(streets)
        )

    def acts(self) -> tuple[Act, ...]:
        """The turns in the order they were stored."""
        return tuple(Act(player, street + 1, None, self.turns[street, player].auto) for street, player in self.order)


def _pair(values: object, what: str, kind: type | tuple[type, ...]) -> tuple[Any, Any]:
    """Both players' values of a list in the result."""
    if not isinstance(values, list) or len(values) != 2 or not all(isinstance(value, kind) for value in values):
        raise HandError(f"{what} is {values!r}; want a value for each of two players")
    return values[0], values[1]


def _check_boards(seats: Sequence[ImportedSeat], boards: Sequence[Mapping[str, Any]]) -> None:
    """The result must show the boards that the turns built."""
    for player, (seat, board) in enumerate(zip(seats, boards, strict=True)):
        for name, code in _ROWS.items():
            built = {str(Card(card)) for card in seat.row(code)}
            tokens = board.get(name)
            if not isinstance(tokens, list):
                raise HandError(f"the result shows no {name} of player {player}")
            shown = [_token(card) for card in tokens]
            unknown = shown.count(_UNKNOWN_JOKER)
            left = built - set(shown)
            if len(shown) != len(built) or len(left) != unknown or not left <= _JOKERS:
                raise HandError(
                    f"the {name} of player {player} is {' '.join(sorted(built))} by the turns and "
                    f"{' '.join(sorted(shown))} in the result"
                )


def _with_result(hand: Row, seats: list[ImportedSeat], warnings: list[str]) -> list[ImportedSeat]:
    """Seats with what the source recorded about the result."""
    detail = _json(hand["result_detail"], "result_detail", dict)
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
    return _pair(_json(hand[name], name, list), name, int) if hand[name] is not None else (None, None)


def _time(text: object, zone: ZoneInfo, warnings: list[str]) -> datetime | None:
    try:
        time = datetime.fromisoformat(str(text))
        return (time if time.tzinfo else time.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        warnings.append(f"started_at is no time: {str(text)[:40]!r}")
        return None


def _hand(file: str, line: int, hand: Row, turns: Sequence[Row], session: Row | None, zone: ZoneInfo) -> ImportedHand:
    """One hand of the table hands with its turns."""
    if not turns:
        raise HandError("the hand has no turns")
    read = _Hand(turns)
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


def _open(path: Path) -> sqlite3.Connection:
    """Open a database for reading, also where nothing may be written beside it."""
    uri = path.resolve().as_uri()
    try:
        connection = sqlite3.connect(f"{uri}?mode=ro", uri=True)
        connection.execute("select count(*) from sqlite_master").fetchone()
    except _DAMAGE:
        connection = sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True)
    connection.row_factory = sqlite3.Row
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return connection


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
            with closing(_open(path)) as connection:
                return None if _missing(connection) else f"SQLite file with the tables {', '.join(_COLUMNS)}"
        except _DAMAGE:
            return None

    def read(self, path: Path, timezone: str) -> Iterator[ImportedHand | Reject]:
        """Every hand of the file in the order it was stored, then turns that belong to no hand."""
        line = 0
        try:
            with closing(_open(path)) as connection:
                if missing := _missing(connection):
                    yield Reject(path.name, 0, f"{missing}; this is not the log of the web app")
                    return
                sessions = {row["session_id"]: row for row in connection.execute("select * from sessions")}
                for line, hand in enumerate(connection.execute("select * from hands order by rowid"), 1):
                    yield _read(path.name, line, hand, sessions, connection, ZoneInfo(timezone))
                orphans = "select distinct hand_id from turns where hand_id not in (select hand_id from hands)"
                for row in connection.execute(orphans):
                    yield Reject(path.name, 0, "turns of a hand that is not in the table hands", str(row["hand_id"]))
        except _DAMAGE as error:
            yield Reject(path.name, line + 1, f"the database is damaged here ({error}); nothing behind it was read")


def _read(
    file: str, line: int, hand: Row, sessions: Mapping[str, Row], connection: sqlite3.Connection, zone: ZoneInfo
) -> ImportedHand | Reject:
    raw = json.dumps({name: str(hand[name]) for name in hand.keys()}, ensure_ascii=False)  # noqa: SIM118
    try:
        query = "select * from turns where hand_id = ? order by id"
        turns = connection.execute(query, (hand["hand_id"],)).fetchall()
        return replace(_hand(file, line, hand, turns, sessions.get(hand["session_id"]), zone), raw=raw)
    except _DAMAGE as error:
        return Reject(file, line, f"the turns of the hand are damaged: {error}", raw)
    except HandError as error:
        return Reject(file, line, str(error), raw)


IMPORTER = WebAppSqlite()
