"""Score sheets as tables of text: a line a session, a line a player, or a column a player; lines of payments."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from ofclab.importers._score_sheet_rows import (
    Cells,
    Item,
    against,
    alone,
    canonical,
    facts,
    pair_results,
    pay_date,
    pays,
    session,
    text_of,
)
from ofclab.importers.model import HandError, Reject
from ofclab.importers.reading import MOST_LINE, NOT_TEXT, Line
from ofclab.importers.sessions import SessionResult, SheetError, read_currency, read_money, read_points

_DELIMITERS = ",;\t"
_MONEY = " money"
_MOST_COLUMNS = 64
Row = tuple[int, list[str], str]
"""Line number, cells and the text they stand in."""


def _delimiter(header: str) -> str:
    return max(_DELIMITERS, key=header.count)


def _cells(text: str, delimiter: str) -> list[str]:
    if len(text) > MOST_LINE:
        return []
    try:
        return [cell.strip() for cell in next(csv.reader([text], delimiter=delimiter), [])]
    except csv.Error:
        return []


def _players(header: Sequence[str]) -> list[str]:
    """The columns that are players: those that nothing else is called."""
    return [name for name in header if name and canonical(name) is None and not name.lower().endswith(_MONEY)]


def _kind(header: Sequence[str]) -> str | None:
    """What kind of table a header begins; None for another table."""
    named = {canonical(name) for name in header}
    amounts = named & {"points", "money"}
    if "opponent" in named and amounts:
        return "against"
    if "player" in named and amounts and named & {"session", "date", "id"}:
        return "players"
    if {"hand", "points"} <= named:
        return "alone"
    if named & {"date", "session", "hand"} and len(_players(header)) >= 2 and len(header) <= _MOST_COLUMNS:
        return "columns"
    return None


_SAID = {
    "against": "a session of the keeper's a line",
    "players": "a player of a session a line",
    "alone": "a hand of the keeper's a line",
    "columns": "a column a player",
}


def recognise(first: str) -> str | None:
    """Why a first line is the header of a score sheet, or None."""
    header = _cells(first.lstrip("\ufeff"), _delimiter(first))
    kind = _kind(header)
    # A column a player is the weakest sign, so its players must not be numbers or anything but names.
    if kind is None or (kind == "columns" and not all(_is_name(name) for name in _players(header))):
        return None
    return f"its header {', '.join(header[:6])} is that of a score sheet, {_SAID[kind]}"


def _is_name(text: str) -> bool:
    # A known column of another table, such as exp_score_p0 or hand_id, is no name of a player.
    return "_" not in text and any(letter.isalpha() for letter in text) and len(text) <= 40


def read(file: str, lines: Iterable[Line]) -> Iterator[Item | Reject]:
    """Every session or hand of a table."""
    kept = (line for line in lines if line.text.strip() and not line.text.startswith("#"))
    first = next(kept, None)
    if first is None:
        return
    text = first.text.lstrip("\ufeff")
    delimiter = _delimiter(text)
    header = _cells(text, delimiter)
    kind = _kind(header)
    named = [canonical(name) for name in header if canonical(name)]
    if kind is None or len(set(header)) != len(header) or len(set(named)) != len(named):
        why = "a column stands twice" if kind else "want opponent or player and points or money, or a column a player"
        yield Reject(file, first.number, f"{text[:80]!r} is no header of a score sheet: {why}", first.text)
        return
    rows = _rows(file, kept, header, delimiter)
    if kind == "players":
        yield from _by_session(file, header, rows)
        return
    make = {"against": _against, "alone": _alone, "columns": _columns}[kind]
    for row in rows:
        yield row if isinstance(row, Reject) else _try(file, make, header, row)


def _rows(file: str, lines: Iterable[Line], header: Sequence[str], delimiter: str) -> Iterator[Row | Reject]:
    for line in lines:
        cells = _cells(line.text, delimiter)
        if NOT_TEXT in line.text:
            yield Reject(file, line.number, "the line holds bytes that are not UTF-8 text", line.text)
        elif len(cells) != len(header):
            reason = f"{len(cells)} cells where the header has {len(header)}"
            yield Reject(file, line.number, reason if cells else "the line cannot be read as cells", line.text)
        else:
            yield line.number, cells, line.text


def _try(file: str, make: object, header: Sequence[str], row: Row) -> Item | Reject:
    number, cells, text = row
    try:
        made: Item = make(file, header, number, cells, text)  # type: ignore[operator]
        return made
    except (SheetError, HandError) as error:
        return Reject(file, number, str(error), text)


def _named(header: Sequence[str], cells: Sequence[str]) -> Cells:
    return {name: cell for column, cell in zip(header, cells, strict=True) if (name := canonical(column)) and cell}


def _against(file: str, header: Sequence[str], number: int, cells: Sequence[str], text: str) -> Item:
    named = _named(header, cells)
    if "opponent" not in named:
        raise SheetError("no opponent")
    return against(named, file, number, text)


def _alone(file: str, header: Sequence[str], number: int, cells: Sequence[str], text: str) -> Item:
    return alone(_named(header, cells), file, number, text)


def _columns(file: str, header: Sequence[str], number: int, cells: Sequence[str], text: str) -> Item:
    said = facts(_named(header, cells))
    currency = said["currency"] if isinstance(said["currency"], str) else None
    by_name = dict(zip(header, cells, strict=True))
    results = []
    for name in _players(header):
        money = next((by_name[other] for other in header if other.lower() == f"{name.lower()}{_MONEY}"), "")
        if by_name[name] or money:
            points = read_points(by_name[name]) if by_name[name] else None
            results.append(SessionResult(name, points, read_money(money, currency) if money else None))
    if len(results) == 1:
        raise SheetError(f"only {results[0].player} has a result; the others' are missing")
    return session(file, number, tuple(results), said, text)


def _by_session(file: str, header: Sequence[str], rows: Iterator[Row | Reject]) -> Iterator[Item | Reject]:
    """Sessions of which every player has a line; lines of one session follow each other."""
    taken: list[tuple[int, dict[str, object], str]] = []
    for row in rows:
        if isinstance(row, Reject):
            yield row
        else:
            taken.append((row[0], dict(_named(header, row[1])), row[2]))

    def key(row: tuple[int, dict[str, object], str]) -> tuple[object, ...]:
        cells = row[1]
        session_key = next((cells[name] for name in ("id", "session") if name in cells), None)
        own = (session_key,) if session_key else (cells.get("date"), cells.get("hand"))
        return (*own, cells.get("currency"))

    for _, group in groupby(taken, key):
        lines = list(group)
        raw = "\n".join(text for _, _, text in lines)
        try:
            yield _session(file, lines, raw)
        except SheetError as error:
            yield Reject(file, lines[0][0], str(error), raw)


def _session(file: str, lines: Sequence[tuple[int, dict[str, object], str]], raw: str) -> Item:
    results, notes = [], []
    for _, cells, _ in lines:
        if "player" not in cells:
            raise SheetError("a line without a player")
        currency = read_currency(text_of(cells["currency"], "the currency")) if "currency" in cells else None
        points = read_points(cells["points"]) if "points" in cells else None
        money = read_money(cells["money"], currency) if "money" in cells else None
        results.append(SessionResult(text_of(cells["player"], "the player"), points, money))
        notes += [cells["note"]] if "note" in cells else []
    cells = {**lines[0][1], **({"note": "; ".join(map(str, dict.fromkeys(notes)))} if notes else {})}
    said = facts(cells)
    # A name of the session is not unique among sheets; with its day and players it is.
    said["site_session_id"] = None
    if len(results) == 1:
        raise SheetError(f"only {results[0].player} has a result; the others' are missing")
    return session(file, lines[0][0], tuple(results), said, raw)


def read_pays(file: str, lines: Iterable[Line]) -> Iterator[Item | Reject]:
    """Every hand of a sheet of payments."""
    for line in lines:
        if not line.text.strip() or line.text.startswith("#"):
            continue
        payments = pays(line.text)
        if payments is None:
            yield Reject(file, line.number, "want payments such as: A pays B 4, C pays A 2", line.text)
            continue
        try:
            said = facts({**pay_date(line.text), "hand": "1"})
            yield session(file, line.number, pair_results(payments), said, line.text)
        except SheetError as error:
            yield Reject(file, line.number, str(error), line.text)
