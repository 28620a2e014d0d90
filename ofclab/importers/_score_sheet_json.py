"""Score sheets as JSON: entries of a ledger, hands of a tracker, sessions with players or pairs, scored tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ofclab.cards import CardError
from ofclab.importers._score_sheet_rows import (
    SITE,
    Item,
    against,
    alone,
    amounts,
    canonical,
    facts,
    pair_results,
    session,
    text_of,
)
from ofclab.importers.model import HandError, ImportedHand, ImportedSeat, Reject
from ofclab.importers.reading import encoding_of, read_row
from ofclab.importers.sessions import SessionResult, SheetError, read_points
from ofclab.log import Completeness

MOST_BYTES = 64 << 20
"""A longer file is no score sheet."""
_LISTS = ("sessions", "entries", "hands", "games")
_ROWS = {"top": 0, "middle": 1, "bottom": 2}
_SIZES = (3, 5, 5)
_KNOWN = {
    r'"opponent"\s*:.*"(points|moneyAmount|money)"\s*:': "entries with opponent and points",
    r'"handNumber"\s*:.*"points"\s*:': "hands with number and points",
    r'"players"\s*:\s*\[\s*\{.*"(points|money|hand|stat)"\s*:': "players with points",
    r'"pairs"\s*:\s*\[\s*\{.*"payer"\s*:': "pairs with payer and payee",
}
_FOREIGN = re.compile(r'"(format|schema_version|gamestate|frame_kind|chair)"\s*:')


def recognise(head: str) -> str | None:
    """Why a JSON file is a score sheet, or None."""
    if _FOREIGN.search(head):
        return None
    found = (said for pattern, said in _KNOWN.items() if re.search(pattern, head, re.DOTALL))
    said = next(found, None)
    return f"JSON that lists {said}" if said else None


def read(path: Path) -> Iterator[Item | Reject]:
    """Every entry of the file; what stands before a tear is taken."""
    if path.stat().st_size > MOST_BYTES:
        yield Reject(path.name, 0, f"{path.stat().st_size:,} bytes; a score sheet has at most {MOST_BYTES:,}")
        return
    content = path.read_bytes()
    try:
        text = content.decode(encoding_of(content[:4])).lstrip("\ufeff")
    except UnicodeDecodeError as error:
        yield Reject(path.name, content[: error.start].count(b"\n") + 1, "the file holds bytes that are not text")
        return
    for line, value, raw in _entries(path.name, text):
        if isinstance(value, Reject):
            yield value
            continue
        try:
            yield _item(path.name, line, value, raw)
        except (SheetError, HandError, CardError) as error:
            yield Reject(path.name, line, str(error), raw)
        except RecursionError:
            yield Reject(path.name, line, "the entry is nested too deeply", raw)


def _entries(file: str, text: str) -> Iterator[tuple[int, Any, str]]:
    """Line, value and text of each entry."""
    decoder = json.JSONDecoder()
    # A list, or an object that holds one under a name of its own; anything else is one entry.
    named = re.match(
        r'\s*\{\s*(?:"state"\s*:\s*\{\s*)?(?:"\w+"\s*:\s*[\d."\w-]+\s*,\s*)*"(' + "|".join(_LISTS) + r')"\s*:\s*\[',
        text,
    )
    start = named.end() if named else len(text) - len(text.lstrip()) + 1 if text.lstrip().startswith("[") else None
    if start is None:
        yield _entry(file, text, len(text) - len(text.lstrip()), decoder)[:3]
        return
    place = start
    while True:
        place = _skip(text, place)
        if place >= len(text):
            yield 0, Reject(file, text.count("\n") + 1, "the file is cut off here"), ""
            return
        if text[place] == "]":
            return
        line, value, raw, place = _entry(file, text, place, decoder)
        yield line, value, raw
        if isinstance(value, Reject):
            return


def _entry(file: str, text: str, place: int, decoder: json.JSONDecoder) -> tuple[int, Any, str, int]:
    line = text.count("\n", 0, place) + 1
    try:
        value, end = decoder.raw_decode(text, place)
    except (ValueError, RecursionError) as error:
        raw = text[place : place + 400]
        return line, Reject(file, line, f"not JSON from here on ({error}); nothing behind it was read", raw), raw, place
    return line, value, text[place:end], end


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n,":
        place += 1
    return place


def _named(entry: Mapping[str, Any]) -> dict[str, object]:
    """The entry by the canonical names; nothing empty."""
    found: dict[str, object] = {}
    for key, value in entry.items():
        name = canonical(key)
        if name and value is not None and value != "" and not isinstance(value, (dict, list)):
            found.setdefault(name, value)
    return found


def _item(file: str, line: int, entry: Any, raw: str) -> Item:
    if not isinstance(entry, dict):
        raise SheetError(f"want an object, got {str(entry)[:40]!r}")
    named = _named(entry)
    players, pairs = entry.get("players"), entry.get("pairs")
    if isinstance(pairs, list):
        said = facts(named)
        return session(file, line, pair_results([_payment(pair) for pair in pairs]), said, raw)
    if isinstance(players, list) and any(isinstance(one, dict) and "hand" in one for one in players):
        return _table(file, line, entry, players, raw)
    if isinstance(players, list):
        said = facts(named)
        results = tuple(_result(one, said) for one in players)
        if len(results) == 1:
            raise SheetError(f"only {results[0].player} has a result; the others' are missing")
        return session(file, line, results, said, raw)
    if "opponent" in named:
        return against(named, file, line, raw)
    if "hand" in named and "points" in named:
        return alone(named, file, line, raw)
    raise SheetError(f"want opponent, players, pairs, or handNumber and points; got {', '.join(list(entry)[:6])}")


def _payment(pair: Any) -> tuple[str, str, int]:
    if not isinstance(pair, dict) or not {"payer", "payee", "points"} <= set(pair):
        raise SheetError(f"want payer, payee and points for a pair, got {str(pair)[:60]!r}")
    payer, payee = (text_of(pair[name], f"the {name}") for name in ("payer", "payee"))
    return payer, payee, read_points(text_of(pair["points"], "points"))


def _result(one: Any, said: Mapping[str, object]) -> SessionResult:
    named = _named(one) if isinstance(one, dict) else {}
    if "player" not in named:
        raise SheetError(f"want name and points of a player, got {str(one)[:60]!r}")
    currency = said["currency"] if isinstance(said["currency"], str) else None
    return SessionResult(text_of(named["player"], "the name"), *amounts(named, currency))


def _table(file: str, line: int, entry: Mapping[str, Any], players: list[Any], raw: str) -> Item:
    """A table whose players have hands: with all cards a hand that can be scored, else what the table's stats say."""
    seats = [_seat(one) for one in players]
    said = facts(_named(entry) | ({"date": entry["creationTime"]} if "creationTime" in entry else {}))
    stats = [one for one in entry.get("stats") or () if isinstance(one, dict) and one.get("stat") is not None]
    results = tuple(
        SessionResult(text_of(one.get("player", ""), "the player"), read_points(text_of(one["stat"], "the stat")))
        for one in stats
    )
    if not all(len(seat.cards) == 13 for seat in seats):
        if not results:
            raise SheetError("the players have neither all their cards nor stats")
        return session(file, line, results, said, raw)
    # The stats may be of this hand or of the table so far, so they are no recorded points of the hand.
    told = ", ".join(f"{seat.player} {one.points:+d}" for seat, one in zip(seats, results, strict=False))
    return ImportedHand(
        file=file,
        line=line,
        site=SITE,
        seats=tuple(seats),
        completeness=Completeness.FINAL_BOARDS,
        played_at=said["played_at"],  # type: ignore[arg-type]
        warnings=(f"stats of the table: {told}",) if told else (),
        raw=raw,
    )


def _seat(one: Any) -> ImportedSeat:
    if not isinstance(one, dict) or not isinstance(one.get("hand"), dict):
        raise SheetError(f"want name and hand of a player, got {str(one)[:60]!r}")
    name, hand = text_of(one.get("name", ""), "the name"), one["hand"]
    cards: list[int] = []
    codes: list[int] = []
    for row, code in _ROWS.items():
        told = hand.get(row)
        shown = told.get("cards") or () if isinstance(told, dict) else ()
        found = read_row(" ".join(text_of(card, "a card") for card in shown))[0]
        if len(found) > _SIZES[code]:
            raise SheetError(f"the {row} of {name} holds {_SIZES[code]} cards, got {len(found)}")
        cards += map(int, found)
        codes += [code] * len(found)
    return ImportedSeat(player=name or None, cards=tuple(cards), placement=tuple(codes))
