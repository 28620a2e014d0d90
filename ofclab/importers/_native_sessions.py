"""Sessions of the ledger in ofclab's own exchange format: one JSON object a line for one session.

{"format": "ofclab-session", "version": 1, "id": "9f..", "site": "score_sheet", "source_file": .., "source_line": ..,
 "played_at": "2026-02-08T00:00:00Z", "hands": 24, "currency": "EUR", "point_value_minor": 50, "note": ..,
 "results": [{"player": "p-1a2b", "opponent": "me", "points": 7, "net_minor": 350}]}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from ofclab.importers.model import HandError
from ofclab.importers.reading import as_utc
from ofclab.importers.sessions import ImportedSession, SessionResult
from ofclab.log import Log

FORMAT, VERSION = "ofclab-session", 1
_MARK = f'"format":"{FORMAT}"'
_SESSION = {
    "format": str, "version": int, "id": str, "site": str, "source_file": str, "source_line": int, "played_at": str,
    "hands": int, "currency": str, "point_value_minor": int, "note": str, "results": list,
}  # fmt: skip
_RESULT = {"player": str, "opponent": str, "points": int, "net_minor": int}


def is_session(text: str) -> bool:
    """Tell whether a line holds a session; its format stands first."""
    return text[:60].replace(" ", "").startswith("{" + _MARK)


def session_lines(log: Log) -> Iterator[dict[str, Any]]:
    """The sessions of a log's ledger as JSON objects."""
    rows = log.ledger.collect()
    for (session_id,), results in rows.group_by("session_id", maintain_order=True):
        first = results.row(0, named=True)
        played_at = first["played_at"]
        facts = {
            "format": FORMAT,
            "version": VERSION,
            "id": f"{session_id:016x}",
            **{name: first[name] for name in ("site", "source_file", "source_line")},
            "played_at": None if played_at is None else played_at.isoformat().replace("+00:00", "Z"),
            **{name: first[name] for name in ("hands", "currency", "point_value_minor", "note")},
            "results": [_known(row) for row in results.select(*_RESULT).iter_rows(named=True)],
        }
        yield _known(facts)


def _known(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value is not None}


def read_session(file: str, line: int, text: str, zone: ZoneInfo) -> ImportedSession:
    """The session of a line. Raises HandError for one that is none."""
    try:
        said = _checked(json.loads(text), _SESSION, "the session")
    except (ValueError, RecursionError) as error:
        raise error if isinstance(error, HandError) else HandError(f"the line is not JSON: {error}") from None
    if said.get("version") != VERSION:
        raise HandError(f"the version is {said.get('version')}; this ofclab reads {VERSION}")
    results = [_checked(one, _RESULT, "a result") for one in said.get("results", ())]
    if any("player" not in one for one in results):
        raise HandError("a result without a player")
    try:
        session_id = int(said["id"], 16) if "id" in said else None
    except ValueError:
        raise HandError(f"id is {said['id'][:40]!r}; want 16 hexadecimal digits") from None
    if session_id is not None and session_id >= 2**64:
        raise HandError(f"id is {said['id'][:40]!r}; want 16 hexadecimal digits")
    return ImportedSession(
        file=file,
        line=line,
        site=said.get("site", ""),
        results=tuple(SessionResult(**one) for one in results),
        session_id=session_id,
        # A session with an id comes from a log, and keeps the source it had there.
        source=(said.get("source_file"), said.get("source_line")) if session_id is not None else None,
        played_at=_time(said["played_at"], zone) if "played_at" in said else None,
        hands=said.get("hands"),
        currency=said.get("currency"),
        point_value_minor=said.get("point_value_minor"),
        note=said.get("note"),
        raw=text,
    )


def _checked(value: object, fields: Mapping[str, type], what: str) -> dict[str, Any]:
    """A JSON object whose fields are known and of their type; null counts as left out."""
    if not isinstance(value, dict):
        raise HandError(f"want an object for {what}, got {str(value)[:60]!r}")
    if unknown := [name for name in value if name not in fields]:
        raise HandError(f"{what} has no field {unknown[0]!r}; have {', '.join(fields)}")
    for name, found in value.items():
        if found is not None and type(found) is not fields[name]:
            raise HandError(f"{name} of {what} is {str(found)[:60]!r}; want {fields[name].__name__}")
    return _known(value)


def _time(text: str, zone: ZoneInfo) -> datetime:
    time = as_utc(text, zone)
    if time is None:
        raise HandError(f"played_at is {text[:40]!r}; want a time such as 2026-02-08T02:20:30Z")
    return time
