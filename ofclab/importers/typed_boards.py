"""Boards typed by people: three lines a board, front first, as magazines, forums and screenshots have them.

    Hand 1
    Alice (Button):
    Qh Qd 2c
    8s 8d 5c 5h X
    As Ks 9s 4s 2s
    discards: 3d 7c

    Bob:
    Top[Ac Kd] Mid[Tc 9c 8h] Bot[7h 7d 7s]

A board may also stand on one line, ``Qh Qd 2c / 8s 8d .. / As ..``, or have labels: ``Top[..] Mid[..] Bot[..]``,
``F: .. M: .. B: ..``, ``Front: ..``; the name of the hand after a labelled row is skipped. Tens are ``10h`` or ``Th``,
suits letters, glyphs or words; ``X`` and ``_`` are open slots. Lines ``discards: ..`` and ``Draw: ..`` give a player's
other cards, ``(Button)`` and ``(Fantasyland 14)`` after a name what they say.

A hand may be typed street by street, each line with the cards of its street and the discard (``??``: not seen):

    Hand 2, 2026-03-28 21:40
    Bo (Button):
    1. Qh / 8s 8d / As Ks
    2. Qd / - / 9s  discard 3d
    points: +6
    royalties: 7
    next: 14

``points``, ``royalties``, ``next`` (Fantasyland cards of the next hand) and ``foul`` under a board keep what was noted
at the table; ``points: Ann +6, Bo -6`` does so for all, and may stand alone for a hand nobody noted the cards of.
Lines ``Date: 2026-03-28 21:30``, ``Table: ..``, ``Rules: turbo``, ``Point: 0.50 EUR`` hold for all hands below them; a
date without a time is midnight, and times are those of ``timezone``.

Hands are set apart by a line of dashes, a heading such as ``Hand 2``, or two blank lines; boards inside a hand by one
blank line. In a file without any such mark a blank line parts hands, except that named players, and finished boards
without names, that follow each other make one hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from zoneinfo import ZoneInfo

from ofclab.importers._typed_lines import Spot, is_like_rows, read_spot
from ofclab.importers._typed_seats import is_fantasyland, told_of
from ofclab.importers._typed_session import (
    Session,
    is_heading,
    is_session_line,
    read_heading,
    read_session_line,
    without,
)
from ofclab.importers._typed_write import write_typed
from ofclab.importers.model import HandError, ImportedHand, Reject
from ofclab.importers.reading import ENDLESS, MOST_LINES, MOST_TEXT, Line, decode_head, read_lines
from ofclab.log import Completeness, Log

_SEPARATOR = re.compile(r"\s*([-=*~])\1{2,}\s*")
_BUTTON = re.compile(r"\b(button|dealer|btn|d)\b", re.I)

Paragraph = list[Line]


@dataclass(frozen=True)
class Mark:
    """What stands between hands: a line of dashes or two blank lines (None), a heading or a line about the session."""

    line: Line | None = None


def _paragraphs(lines: Iterable[Line]) -> Iterator[Paragraph | Mark]:
    """Runs of lines, and the marks between them; of a run without end the rest is passed over."""
    run: Paragraph = []
    blanks, begun, size = 0, False, 0
    for line in lines:
        text = line.text.strip()
        is_about = bool(text) and (is_heading(text) or is_session_line(text))
        if text and not is_about and not _SEPARATOR.fullmatch(text):
            if not text.startswith("#") and len(run) <= MOST_LINES and size <= MOST_TEXT:
                run.append(line)
                size += len(line.text)
            blanks, begun = 0, True
            continue
        if run:
            yield run
            run, size = [], 0
        blanks = 0 if text else blanks + 1
        if text:
            yield Mark(line if is_about else None)
        elif begun and blanks == 2:
            yield Mark()
    if run:
        yield run


def _hands(items: Iterable[Paragraph | Mark], has_marks: bool) -> Iterator[list[Paragraph] | Mark]:
    """The paragraphs of each hand, and the marks that say something."""
    hand: list[Paragraph] = []
    players: frozenset[str] | None = None
    size = 0
    for item in items:
        if isinstance(item, Mark):
            if hand:
                yield hand
                hand, players = [], None
            yield item
            continue
        new = None if has_marks else _players(item)
        fits = players is not None and new is not None and bool(players) == bool(new) and not players & new
        if hand and not (has_marks or fits):
            yield hand
            hand, players = [], None
        size = len(item) + (size if hand else 0)
        if not hand or size - len(item) <= MOST_LINES:
            hand.append(item)
        players = new if players is None or new is None else players | new
    if hand:
        yield hand


def _players(paragraph: Paragraph) -> frozenset[str] | None:
    """Who plays in a paragraph that may be part of a hand: names, or nobody by name but finished boards.

    None for a paragraph that stands alone in a file without marks.
    """
    try:
        spot = read_spot([paragraph], is_part=True)
    except HandError:
        return None
    names = frozenset(board.name for board in spot.boards if board.name)
    if spot.notes or len(names) not in (0, len(spot.boards)):
        return None
    return names if names or all(board.is_finished for board in spot.boards) else None


def _read(file: str, paragraphs: Sequence[Paragraph], session: Session) -> ImportedHand | Reject:
    """One hand."""
    lines = list(chain(*paragraphs))
    by_number = {line.number: line.text for line in lines}
    first = lines[0].number
    if len(lines) > MOST_LINES or sum(len(line.text) for line in lines) > MOST_TEXT:
        return Reject(file, first, f"{ENDLESS}; part hands by a line of dashes", lines[0].text)
    # As it stood, blank lines included.
    raw = "\n".join(by_number.get(number, "") for number in range(first, lines[-1].number + 1))
    try:
        if session.fault:
            raise HandError(f"its rules are not known: {session.fault}")
        return _hand(file, first, read_spot(paragraphs), raw, session)
    except HandError as error:
        return Reject(file, error.line or first, str(error), raw)


def _hand(file: str, line: int, spot: Spot, raw: str, session: Session) -> ImportedHand:
    if len(spot.boards) > 4:
        raise HandError(f"{len(spot.boards)} boards in one hand; part hands by a line of dashes")
    said = [(seat, note) for seat, board in enumerate(spot.boards) for note in board.notes]
    buttons = [seat for seat, note in said if _BUTTON.search(note)]
    if len(buttons) > 1:
        raise HandError(f"{len(buttons)} players have the button")
    other = [note for _, note in said if not _BUTTON.search(note) and not is_fantasyland(note)]
    seats, completeness, observers = told_of(spot)
    warnings = [f"says: {note}" for note in (*spot.notes, *other)]
    warnings += ["not all cards are placed"] if completeness is Completeness.UNFINISHED else []
    points = [seat.points_recorded for seat in seats if seat.points_recorded is not None]
    total = sum(points) if len(points) == len(seats) else 0
    warnings += [f"recorded points add up to {total}"] if total else []
    return ImportedHand(
        file=file, line=line, site="typed_boards", seats=seats, completeness=completeness,
        button=buttons[0] if buttons else None, played_at=session.when, table=session.table,
        table_id=session.table_id, rules=session.rules, point_value_minor=session.point_value_minor,
        currency=session.currency, hand_no=session.hand_no, hand_id=session.hand_id, observer_seats=observers,
        warnings=tuple(warnings), raw=raw,
    )  # fmt: skip


class TypedBoards:
    """The format of this module."""

    name = "typed_boards"
    description = "boards typed by people: three lines a board, front first"
    rules = "american-pineapple"

    def detect(self, path: Path, head: bytes) -> str | None:
        """Files of which at least half the lines are rows of a board."""
        lines = [text for text in decode_head(head).splitlines() if text.strip() and not text.startswith("#")]
        lines = [text for text in lines if not (is_heading(text) or is_session_line(text))]
        rows = sum(map(is_like_rows, lines))
        return f"{rows} of {len(lines)} lines are rows of boards" if rows and 2 * rows >= len(lines) else None

    def read(self, path: Path, timezone: str) -> Iterator[ImportedHand | Reject]:
        """Every hand of the file; see the module for what makes one."""
        zone, session = ZoneInfo(timezone), Session()
        # Whether blank lines part hands is only known at the end, so the file is read twice.
        has_marks = any(_parts_hands(item) for item in _paragraphs(read_lines(path)))
        for item in _hands(_paragraphs(read_lines(path)), has_marks):
            if isinstance(item, list):
                yield _read(path.name, item, session)
                session = session.after
            elif item.line is not None:
                read = read_heading if is_heading(item.line.text) else read_session_line
                try:
                    session = read(item.line.text, session, zone)
                except HandError as error:
                    session = without(item.line.text, session, str(error))
                    yield Reject(path.name, item.line.number, str(error), item.line.text)

    def write(self, log: Log, path: Path) -> int:
        """Write a log's hands so that `read` gives them back; how many. HandError for a hand that cannot be typed."""
        return write_typed(log, path)


def _parts_hands(item: Paragraph | Mark) -> bool:
    """Tell whether something parts hands: what is said about a session does not."""
    return isinstance(item, Mark) and not (item.line is not None and is_session_line(item.line.text))


IMPORTER = TypedBoards()
