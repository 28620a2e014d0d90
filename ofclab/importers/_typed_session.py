"""What is typed about a session: its date, table, rules and stakes, for all hands from there on."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from decimal import Decimal, InvalidOperation
from zoneinfo import ZoneInfo

from ofclab.importers.model import HandError
from ofclab.importers.sessions import SheetError, decimals, read_currency
from ofclab.rules import Rules, RulesError, load_rules, presets

_LINE = re.compile(r"\s*(?P<what>date|session|table|rules|point|id)\s*:\s*(?P<value>.*?)\s*", re.I)
_HEADING = re.compile(
    r"\s*#*\s*(?P<what>hand|round|spot|game|deal|problem)\s*(?:#|no\.?)?\s*(?P<number>\d{1,9})\b(?P<rest>[^/]*)", re.I
)
_DATE = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)(?:[ T,]+(?P<time>\d{1,2}:\d\d(?::\d\d(?:\.\d{1,6})?)?)\s*(?P<utc>UTC|Z)?)?"
)
_ID = re.compile(r"#?([0-9a-f]{16})")


@dataclass(frozen=True)
class Session:
    """What holds for the next hand."""

    played_at: datetime | None = None
    table: str | None = None
    table_id: int | None = None
    rules: Rules | None = None
    point_value_minor: int | None = None
    currency: str | None = None
    fault: str = ""
    """Why hands cannot be taken: their rules are not known."""
    hand_no: int = 0
    hand_id: int | None = None
    hand_at: datetime | None = None
    """Of the next hand alone, like its number and id."""

    @property
    def after(self) -> Session:
        """What holds once a hand is over."""
        return replace(self, hand_no=0, hand_id=None, hand_at=None)

    @property
    def when(self) -> datetime | None:
        """When the next hand was played: as its heading says, else as the session does."""
        return self.hand_at or self.played_at


def is_heading(text: str) -> bool:
    """Tell whether a line begins a hand."""
    return len(text) < 200 and _HEADING.fullmatch(text) is not None


def is_session_line(text: str) -> bool:
    """Tell whether a line is about the session."""
    return len(text) < 2000 and _LINE.fullmatch(text) is not None


def read_heading(text: str, session: Session, zone: ZoneInfo) -> Session:
    """The session with the number of the hand, and its date where one stands there. HandError for no date."""
    found = _HEADING.fullmatch(text)
    if found is None:
        return session
    number = int(found["number"]) if found["what"].lower() == "hand" and int(found["number"]) < 2**32 else 0
    session = replace(session, hand_no=number)
    rest = found["rest"].strip(" ,:;-()#")
    return replace(session, hand_at=read_date(rest, zone)) if re.match(r"\d{4}-", rest) else session


def read_date(text: str, zone: ZoneInfo) -> datetime:
    """``2026-03-28`` (midnight) or ``2026-03-28 21:30``, in UTC. HandError for anything else."""
    found = _DATE.fullmatch(text.strip())
    try:
        if found is None:
            raise ValueError
        day = datetime.strptime(found["day"], "%Y-%m-%d").date()
        clock = time.fromisoformat(found["time"].zfill(5) if found["time"] else "00:00")
        return datetime.combine(day, clock, tzinfo=UTC if found["utc"] else zone).astimezone(UTC)
    except (ValueError, OverflowError):
        raise HandError(f"no date {text[:40]!r}; write 2026-03-28 or 2026-03-28 21:30") from None


def read_session_line(text: str, session: Session, zone: ZoneInfo) -> Session:
    """The session with what this line says. HandError for a line that says nothing certain."""
    found = _LINE.fullmatch(text)
    if found is None:
        return session
    what, value = found["what"].lower(), found["value"]
    if what in ("date", "session"):
        return replace(session, played_at=read_date(value, zone))
    if what == "table":
        known = _ID.fullmatch(value)
        return replace(session, table=value, table_id=int(known[1], 16) if known and value[0] == "#" else None)
    if what == "id":
        if not (known := _ID.fullmatch(value)):
            raise HandError(f"id is {value[:40]!r}; want 16 hexadecimal digits")
        return replace(session, hand_id=int(known[1], 16))
    if what == "rules":
        return replace(session, rules=read_rules(value), fault="")
    points, currency = _stakes(value)
    return replace(session, point_value_minor=points, currency=currency)


def without(text: str, session: Session, why: str) -> Session:
    """The session after a line about it that cannot be read: what that line was to say is not known any more."""
    found = _LINE.fullmatch(text)
    what = found["what"].lower() if found else ""
    if what == "rules":
        return replace(session, rules=None, fault=why)
    if what == "point":
        return replace(session, point_value_minor=None, currency=None)
    return replace(session, played_at=None) if what in ("date", "session", "") else session


def read_rules(text: str) -> Rules:
    """A preset's name, with changes as JSON after it. HandError where they cannot be played."""
    name, _, changes = text.partition("{")
    preset, _, called = name.strip().partition(" as ")
    if preset not in presets():
        raise HandError(f"no rules {preset[:40]!r}; have {', '.join(presets())}")
    try:
        given = json.loads("{" + changes) if changes else {}
        rules = load_rules(preset)
        return rules.replace(given, name=called.strip() or rules.name) if given else rules
    except (ValueError, RulesError) as error:
        raise HandError(f"its rules cannot be played: {error}") from None


def write_rules(name: str, preset: str, changes: dict[str, object]) -> str:
    """The text that `read_rules` reads back."""
    called = f" as {name}" if changes else ""
    return f"{preset}{called} {json.dumps(changes, ensure_ascii=False)}" if changes else preset


def _stakes(text: str) -> tuple[int, str]:
    amount, _, unit = text.partition(" ")
    try:
        currency = read_currency(unit.removesuffix("a point").strip())
        if currency is None:
            raise SheetError("an amount without a currency")
        minor = Decimal(amount) * 10 ** decimals(currency)
        if minor != int(minor) or not 0 <= minor < 2**53:
            raise SheetError(f"{amount} {currency} is no amount")
        return int(minor), currency
    except (InvalidOperation, ValueError, OverflowError) as error:
        raise HandError(f"no value of a point in {text[:40]!r}; write such as 'Point: 0.50 EUR' ({error})") from None
