"""Lines of a score sheet, whatever they stand in: dates, names, results, who pays whom."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time

from ofclab.importers.model import ImportedHand, ImportedSeat
from ofclab.importers.reading import MOST_LINE, NOT_TEXT, as_utc
from ofclab.importers.sessions import (
    ME,
    ImportedSession,
    SessionResult,
    SheetError,
    content_hash,
    read_currency,
    read_money,
    read_points,
)
from ofclab.log import Completeness

SITE = "score_sheet"
Item = ImportedSession | ImportedHand
Cells = Mapping[str, object]
"""What a line says, by the canonical name of the column; nothing empty."""

NAMES = {
    "date": "date", "played": "date", "played_at": "date", "day": "date",
    "opponent": "opponent", "player": "player", "name": "player",
    "points": "points", "score": "points", "net": "points", "result": "points",
    "money": "money", "moneyamount": "money", "amount": "money",
    "currency": "currency", "moneycurrency": "currency",
    "notes": "note", "note": "note", "comment": "note", "comments": "note",
    "hands": "hands", "hand": "hand", "handnumber": "hand", "hand_no": "hand", "round": "hand",
    "id": "id", "session": "session", "createdat": "created", "stake": "stake", "point_value": "stake",
}  # fmt: skip
"""What columns are called."""

_AMOUNT = r"[-+−]?\d+(?:\.\d+)?"
_PAYS = re.compile(
    rf"(?P<payer>[^,;:]{{1,40}}?)\s+(?:pays?|owes?)\s+(?P<payee>[^,;:]{{1,40}}?)\s+(?P<points>{_AMOUNT})", re.I
)
_DATED = re.compile(r"\s*(?P<date>\d{4}-\d{2}-\d{2})\s*[:,]?\s+(?P<rest>\S.*)")


def canonical(name: str) -> str | None:
    """The canonical name of a column; None for a column of another kind, such as a player's."""
    return NAMES.get(name.strip().lower().replace(" ", "_").replace("#", ""))


def text_of(value: object, what: str) -> str:
    """A cell as text. Raises SheetError where it is none."""
    if isinstance(value, (dict, list, bool)):
        raise SheetError(f"{what} is {str(value)[:40]!r}; want text")
    text = str(value).strip()
    if NOT_TEXT in text or any(ord(letter) < 32 and letter not in "\n\t" for letter in text):
        raise SheetError("the line holds bytes that are not UTF-8 text")
    if len(text) > MOST_LINE:
        raise SheetError(f"{what} has {len(text)} characters; want at most {MOST_LINE}")
    return text


def read_date(cells: Cells) -> datetime | None:
    """When a line was played: its date as that day in UTC, else the moment it was written down."""
    if "date" in cells:
        text = text_of(cells["date"], "the date")
        try:
            found = datetime.combine(date.fromisoformat(text), time(), UTC) if len(text) == 10 else as_utc(text, UTC)
        except ValueError:
            found = None
        if found is None:
            raise SheetError(f"date {text[:40]!r} does not say which day; write 2026-03-28")
        return found
    created = cells.get("created")
    if isinstance(created, int) and 0 < created < 253_402_300_000_000:
        return datetime.fromtimestamp(created / 1000, UTC)
    return None


def count(cells: Cells, name: str) -> int | None:
    """A whole number from 0, None where there is none."""
    if name not in cells:
        return None
    text = text_of(cells[name], name)
    if not text.isdecimal() or len(text) > 9:
        raise SheetError(f"{name} is {text[:40]!r}; want a whole number")
    return int(text)


def facts(cells: Cells) -> dict[str, object]:
    """What a line says of the whole session: date, currency, stake, hands, note, id, warnings left out."""
    currency = read_currency(text_of(cells["currency"], "the currency")) if "currency" in cells else None
    stake = read_money(cells["stake"], currency) if "stake" in cells and currency else None
    hands = 1 if "hand" in cells else count(cells, "hands")
    note = text_of(cells["note"], "the note") if "note" in cells else None
    return {
        "played_at": read_date(cells),
        "currency": currency,
        "point_value_minor": stake,
        "hands": hands,
        "note": note,
        "site_session_id": text_of(cells["id"], "the id") if "id" in cells else None,
    }


def amounts(cells: Cells, currency: str | None) -> tuple[int | None, int | None]:
    """Points and money of a line, the money in minor units."""
    points = read_points(text_of(cells["points"], "points")) if "points" in cells else None
    money = read_money(text_of(cells["money"], "money"), currency) if "money" in cells else None
    return points, money


def against(cells: Cells, file: str, line: int, raw: str) -> ImportedSession:
    """The keeper's session against one opponent."""
    said = facts(cells)
    opponent = text_of(cells["opponent"], "the opponent")
    keeper = text_of(cells["player"], "the player") if "player" in cells else ME
    points, money = amounts(cells, _currency(said))
    if points is None and money is None:
        raise SheetError("neither points nor money")
    results = (
        SessionResult(keeper, points, money, opponent),
        SessionResult(opponent, _minus(points), _minus(money), keeper),
    )
    return session(file, line, results, said, raw, warnings=contradictions(points, money))


def contradictions(points: int | None, money: int | None) -> tuple[str, ...]:
    """What is odd about a result: points and money that point in opposite directions."""
    return ("points and money have opposite signs",) if (points or 0) * (money or 0) < 0 else ()


def alone(cells: Cells, file: str, line: int, raw: str) -> ImportedHand:
    """One hand of a sheet that keeps nobody's points but the keeper's: the opponents are not known."""
    said = facts(cells)
    points, money = amounts(cells, _currency(said))
    if points is None:
        raise SheetError("no points")
    warnings = [f"says: {said['note']}"] if said["note"] else []
    warnings += [f"money {money} in minor units of {said['currency']}"] if money is not None else []
    played_at = said["played_at"]
    number = count(cells, "hand") or 0
    return ImportedHand(
        file=file,
        line=line,
        site=SITE,
        hand_no=number,
        # The number alone names no hand, because every sheet counts from 1.
        hand_id=content_hash("hand", SITE, played_at, number, points) if number and played_at else None,
        seats=(ImportedSeat(player=ME, points_recorded=points),),
        completeness=Completeness.SCORE_ONLY,
        played_at=played_at if isinstance(played_at, datetime) else None,
        currency=_currency(said),
        warnings=tuple(warnings),
        raw=raw,
    )


def session(
    file: str,
    line: int,
    results: tuple[SessionResult, ...],
    said: Mapping[str, object],
    raw: str,
    warnings: tuple[str, ...] = (),
) -> ImportedSession:
    """A session with what `facts` says of it."""
    return ImportedSession(file, line, SITE, results, raw=raw, warnings=warnings, **said)  # type: ignore[arg-type]


def pays(text: str) -> list[tuple[str, str, int]] | None:
    """Who pays whom how many points in a line such as ``A pays B 4, C pays A 2``; None for any other line."""
    if len(text) > MOST_LINE:
        return None
    dated = _DATED.fullmatch(text)
    parts = [part.strip() for part in re.split(r"[,;]", dated["rest"] if dated else text) if part.strip()]
    found = [_PAYS.fullmatch(part) for part in parts]
    if not found or not all(found):
        return None
    matches = [match for match in found if match is not None]
    try:
        return [(match["payer"].strip(), match["payee"].strip(), read_points(match["points"])) for match in matches]
    except SheetError:
        return None


def pay_date(text: str) -> Cells:
    """The date before a line of payments."""
    dated = _DATED.fullmatch(text)
    return {"date": dated["date"]} if dated else {}


def pair_results(payments: list[tuple[str, str, int]]) -> tuple[SessionResult, ...]:
    """The net of each pair from both sides. Raises SheetError for a pair that stands twice."""
    results: list[SessionResult] = []
    for payer, payee, points in payments:
        if points < 0:
            raise SheetError(f"{payer} pays {payee} {points}; write {payee} pays {payer} {-points}")
        if any({one.player, one.opponent} == {payer, payee} for one in results):
            raise SheetError(f"the pair {payer}, {payee} stands twice; write its net once")
        results += [SessionResult(payee, points, None, payer), SessionResult(payer, -points, None, payee)]
    return tuple(results)


def _currency(said: Mapping[str, object]) -> str | None:
    found = said["currency"]
    return found if isinstance(found, str) else None


def _minus(value: int | None) -> int | None:
    return None if value is None else -value
