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

Hands are set apart by a line of dashes, a heading such as ``Hand 2``, or two blank lines; boards inside a hand by one
blank line. In a file without any such mark a blank line parts hands, except that named players, and finished boards
without names, that follow each other make one hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from ofclab.importers._typed_lines import Board, Spot, is_like_rows, read_spot
from ofclab.importers.model import HandError, ImportedHand, ImportedSeat, Reject
from ofclab.importers.reading import Line, decode_head, read_lines
from ofclab.kernels.placement import DISCARD, NOT_PLACED
from ofclab.log import Completeness

_SEPARATOR = re.compile(r"\s*([-=*~])\1{2,}\s*")
_HEADING = re.compile(r"\s*#*\s*(hand|round|spot|game|deal|problem)\s*(#|no\.?)?\s*\d+\b[^/]*", re.I)
_FANTASYLAND = re.compile(r"(?:fantasy\s*land|fantasy|fl)\b\D*(\d{1,3})?", re.I)
_BUTTON = re.compile(r"\b(button|dealer|btn|d)\b", re.I)

Paragraph = list[Line]


def _paragraphs(lines: Iterator[Line]) -> Iterator[tuple[Paragraph, bool]]:
    """Runs of lines, each with whether a mark stands before it: dashes, a heading, two blank lines."""
    run: Paragraph = []
    blanks, mark, begun = 0, False, False
    for line in lines:
        text = line.text.strip()
        if text and not _HEADING.fullmatch(text) and not _SEPARATOR.fullmatch(text):
            if not text.startswith("#"):
                run.append(line)
            blanks, begun = 0, True
            continue
        if run:
            yield run, mark
            run, mark = [], False
        blanks = 0 if text else blanks + 1
        mark = mark or bool(text) or (begun and blanks > 1)
    if run:
        yield run, mark


def _hands(paragraphs: Sequence[tuple[Paragraph, bool]]) -> Iterator[list[Paragraph]]:
    """The paragraphs of each hand."""
    has_marks = any(mark for _, mark in paragraphs)
    hand: list[Paragraph] = []
    players: frozenset[str] | None = None
    for paragraph, mark in paragraphs:
        new = None if has_marks else _players(paragraph)
        fits = players is not None and new is not None and bool(players) == bool(new) and not players & new
        if hand and (mark if has_marks else not fits):
            yield hand
            hand, players = [], None
        hand.append(paragraph)
        players = new if players is None or new is None else players | new
    if hand:
        yield hand


def _players(paragraph: Paragraph) -> frozenset[str] | None:
    """Who plays in a paragraph that may be part of a hand: names, or nobody by name but finished boards.

    None for a paragraph that stands alone in a file without marks.
    """
    try:
        spot = read_spot([paragraph])
    except HandError:
        return None
    names = frozenset(board.name for board in spot.boards if board.name)
    if spot.notes or len(names) not in (0, len(spot.boards)):
        return None
    return names if names or all(board.is_finished for board in spot.boards) else None


def _fantasyland(board: Board) -> int:
    """Cards a player came in with, from the notes after the name."""
    for note in board.notes:
        if found := _FANTASYLAND.search(note):
            cards = int(found[1] or 0) or (13 + len(board.others.get(DISCARD, ())) if DISCARD in board.others else 0)
            if not cards:
                raise HandError(f"{board.who} is in Fantasyland with how many cards? Write (Fantasyland 14)")
            return cards
    return 0


def _seat(board: Board) -> ImportedSeat:
    groups = [(row, board.rows[row]) for row in range(3)] + sorted(board.others.items())
    return ImportedSeat(
        player=board.name or None,
        cards=tuple(int(card) for _, cards in groups for card in cards),
        placement=tuple(code for code, cards in groups for _ in cards),
        fl_cards=_fantasyland(board),
        discards_known=DISCARD in board.others,
    )


def _read(file: str, paragraphs: Sequence[Paragraph]) -> ImportedHand | Reject:
    """One hand."""
    lines = list(chain(*paragraphs))
    by_number = {line.number: line.text for line in lines}
    first = lines[0].number
    # As it stood, blank lines included.
    raw = "\n".join(by_number.get(number, "") for number in range(first, lines[-1].number + 1))
    try:
        return _hand(file, first, read_spot(paragraphs), raw)
    except HandError as error:
        return Reject(file, error.line or first, str(error), raw)


def _hand(file: str, line: int, spot: Spot, raw: str) -> ImportedHand:
    if len(spot.boards) > 4:
        raise HandError(f"{len(spot.boards)} boards in one hand; part hands by a line of dashes")
    said = [(seat, note) for seat, board in enumerate(spot.boards) for note in board.notes]
    buttons = [seat for seat, note in said if _BUTTON.search(note)]
    if len(buttons) > 1:
        raise HandError(f"{len(buttons)} players have the button")
    other = [note for _, note in said if not _BUTTON.search(note) and not _FANTASYLAND.search(note)]
    finished = all(board.is_finished and NOT_PLACED not in board.others for board in spot.boards)
    warnings = [f"says: {note}" for note in (*spot.notes, *other)] + ([] if finished else ["not all cards are placed"])
    return ImportedHand(
        file=file,
        line=line,
        site="typed_boards",
        seats=tuple(_seat(board) for board in spot.boards),
        completeness=Completeness.FINAL_BOARDS if finished else Completeness.UNFINISHED,
        button=buttons[0] if buttons else None,
        warnings=tuple(warnings),
        raw=raw,
    )


class TypedBoards:
    """The format of this module."""

    name = "typed_boards"
    description = "boards typed by people: three lines a board, front first"
    rules = "american-pineapple"

    def detect(self, path: Path, head: bytes) -> str | None:
        """Files of which at least half the lines are rows of a board."""
        lines = [text for text in decode_head(head).splitlines() if text.strip() and not text.startswith("#")]
        rows = sum(map(is_like_rows, lines))
        return f"{rows} of {len(lines)} lines are rows of boards" if rows and 2 * rows >= len(lines) else None

    def read(self, path: Path, timezone: str) -> Iterator[ImportedHand | Reject]:
        """Every hand of the file; see the module for what makes one."""
        for hand in _hands(list(_paragraphs(read_lines(path)))):
            yield _read(path.name, hand)


IMPORTER = TypedBoards()
