"""Rows of a settlement without their owners, as the native client's stream shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ofclab.cards import DECK
from ofclab.importers.model import HandError, ImportedHand, ImportedSeat, Reject
from ofclab.importers.reading import MOST_LINES, Line, read_lines
from ofclab.kernels.placement import FRONT, UNKNOWN_ROW
from ofclab.log import Completeness

_ROW = re.compile(r"\s*\w{1,8}\.(\d{1,3}(?:;\d{1,3})*)\.\w{1,8}\.\w{1,8}\s*")


def is_rows(text: str) -> bool:
    """Tell whether a line is such a row."""
    return len(text) < 200 and _ROW.fullmatch(text) is not None


def read_rows(path: Path) -> Iterator[ImportedHand | Reject]:
    """A hand for each run of rows up to a blank line."""
    run: list[Line] = []
    for line in read_lines(path):
        if line.text.strip() and len(run) < MOST_LINES:
            run.append(line)
        elif run:
            yield _hand(path.name, run)
            run = []
    if run:
        yield _hand(path.name, run)


def _cards(line: Line) -> tuple[int, ...]:
    if not is_rows(line.text):
        raise HandError(f"no row {line.text[:60]!r}; want such as H.42;19;16;14;13.M.H", line.number)
    found = _ROW.fullmatch(line.text)
    ids = tuple(int(card) for card in found[1].split(";")) if found else ()
    if wrong := [card for card in ids if card >= DECK]:
        raise HandError(f"no card has the id {wrong[0]}; ids are 0 to 51", line.number)
    if len(ids) not in (3, 5):
        raise HandError(f"a row of {len(ids)} cards; want 3 or 5", line.number)
    return ids


def _hand(file: str, lines: list[Line]) -> ImportedHand | Reject:
    """Rows dealt out to as many seats as there are fronts: who held which, nobody knows."""
    raw = "\n".join(line.text for line in lines)
    try:
        rows = [_cards(line) for line in lines]
    except HandError as error:
        return Reject(file, error.line or lines[0].number, str(error), raw)
    fronts, fives = ([row for row in rows if len(row) == size] for size in (3, 5))
    if not fronts or len(fronts) > 4 or len(fives) != 2 * len(fronts):
        reason = f"{len(fronts)} rows of three and {len(fives)} of five cards; want one and two a player, four at most"
        return Reject(file, lines[0].number, reason, raw)
    seats = []
    for i, front in enumerate(fronts):
        others = fives[2 * i] + fives[2 * i + 1]
        seats.append(ImportedSeat(cards=front + others, placement=(FRONT,) * 3 + (UNKNOWN_ROW,) * 10))
    return ImportedHand(
        file=file, line=lines[0].number, site="swc", seats=tuple(seats), completeness=Completeness.UNATTRIBUTED_ROWS,
        observer_seats=(), warnings=("which rows belong together is not told",), raw=raw,
    )  # fmt: skip
