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
from dataclasses import dataclass, field
from pathlib import Path

from ofclab.cards import Card, CardError
from ofclab.importers.model import (
    ROW_NAMES,
    ROW_SIZES,
    HandError,
    ImportedHand,
    ImportedSeat,
    Reject,
)
from ofclab.importers.reading import Line, decode_head, plain_suits, read_lines, read_row, tokens
from ofclab.kernels.placement import DISCARD, NOT_PLACED
from ofclab.log import Completeness

_SEPARATOR = re.compile(r"\s*([-=*~])\1{2,}\s*")
_HEADING = re.compile(r"\s*#*\s*(hand|round|spot|game|deal|problem)\s*(#|no\.?)?\s*\d+\b[^/]*", re.I)
_PLAYER = re.compile(r"(?P<name>[^:/\[\]()]{0,40}?)\s*(?P<notes>(?:\([^()]*\)\s*)*)(?P<colon>:?)")
_NUMBERED = re.compile(r"(?:player|seat|p)\s*\d(?:\s*[:.-]\s*\S.*)?|hero|villain|opponent", re.I)
_INLINE = re.compile(r"(?P<player>[^:/\[\]]{1,40}):\s*(?P<rows>.*(?:/|\[).*)")
_OTHER = re.compile(r"\s*(discards?|discarded|muck|draws?|dealt|to play|in hand)\s*[:=](.*)", re.I)
_FANTASYLAND = re.compile(r"(?:fantasy\s*land|fantasy|fl)\b\D*(\d+)?", re.I)
_FIRST_LABEL = re.compile(r"\s*(?:(front|top|middle|mid|bottom|bot|back)\b\s*[:=]?|([ftmb])\s*(?:[:=]|(?=\[)))", re.I)
_NEXT_LABEL = re.compile(r"(?<![A-Za-z0-9])(?:front|top|middle|mid|bottom|bot|back|f|t|m|b)\s*(?:[:=]|(?=\[))", re.I)
_HAND_NAME = re.compile(
    r"(?:\s{2,}|\t)\(?(?:an?|one|two|three|four|no|full|royal|straight|flush|quads|trips|set|pair|high|[a-z]+ high"
    r"|ace|king|queen|jack|ten|nine|eight|seven|six|five|deuce)s?\b[A-Za-z,' -]*\)?\s*$",
    re.I,
)
_ROW_OF = {"f": 0, "t": 0, "m": 1, "b": 2}


@dataclass
class _Board:
    """One player's part of a hand while it is read."""

    name: str | None = None
    notes: list[str] = field(default_factory=list)
    rows: dict[int, tuple[Card, ...]] = field(default_factory=dict)
    labelled: bool | None = None
    others: dict[int, tuple[Card, ...]] = field(default_factory=dict)

    def add_row(self, row: int | None, cards: tuple[Card, ...], slots: int) -> None:
        if self.labelled is not None and self.labelled != (row is not None):
            raise HandError("some rows have labels and some have none")
        self.labelled = row is not None
        number = len(self.rows) if row is None else row
        size = ROW_SIZES[number]
        if len(cards) + slots > size:
            raise HandError(
                f"the {ROW_NAMES[number]} holds {size} cards, got {len(cards)} and {slots} open slots; front first"
            )
        self.rows[number] = cards

    def takes(self, row: int | None) -> bool:
        """Tell whether another row can still belong to this board."""
        return len(self.rows) < 3 and row not in self.rows

    @property
    def who(self) -> str:
        return self.name or "a board"

    @property
    def is_finished(self) -> bool:
        return sum(map(len, self.rows.values())) == 13


@dataclass
class _Spot:
    """The boards of one hand and what is said about it."""

    boards: list[_Board] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass
class _Paragraph:
    lines: list[Line]
    starts_hand: bool


def _paragraphs(lines: Iterator[Line]) -> Iterator[_Paragraph]:
    """Runs of lines, and whether a mark stands before each: dashes, a heading, two blank lines."""
    run: list[Line] = []
    blanks, mark, begun = 0, False, False
    for line in lines:
        text = line.text.strip()
        if text and not _HEADING.fullmatch(text) and not _SEPARATOR.fullmatch(text):
            if not text.startswith("#"):
                run.append(line)
            blanks, begun = 0, True
            continue
        if run:
            yield _Paragraph(run, mark)
            run, mark = [], False
        blanks = 0 if text else blanks + 1
        mark = mark or bool(text) or (begun and blanks > 1)
    if run:
        yield _Paragraph(run, mark)


def _labels(text: str) -> list[tuple[int, str]]:
    """Row numbers and texts of a labelled line; empty for a line without labels."""
    first = _FIRST_LABEL.match(text)
    if first is None:
        return []
    found = [(_ROW_OF[(first[1] or first[2])[0].lower()], first.end())]
    found += [(_ROW_OF[label[0][0].lower()], label.end()) for label in _NEXT_LABEL.finditer(text, first.end())]
    starts = [first.start(), *(label.start() for label in _NEXT_LABEL.finditer(text, first.end())), len(text)]
    return [
        (row, _HAND_NAME.sub("", text[start:end].replace("[", " ").replace("]", " ")))
        for (row, start), end in zip(found, starts[1:], strict=True)
    ]


def _rows(text: str) -> list[tuple[int | None, tuple[Card, ...], int]]:
    """The rows of one line: row number (None without a label), cards, open slots."""
    if labelled := _labels(text):
        return [(row, *read_row(content)) for row, content in labelled]
    if "/" in text:
        parts = text.strip().rstrip("/").split("/")
        if len(parts) != 3:
            raise HandError(f"want front / middle / back, got {len(parts)} rows in {text.strip()!r}")
        return [(None, *read_row(part)) for part in parts]
    return [(None, *read_row(text))]


def _player(text: str) -> tuple[str, list[str]] | None:
    """A player's name and the notes in brackets after it, when the line is a heading of that kind."""
    found = _PLAYER.fullmatch(text)
    is_named = found is not None and (found["colon"] or found["notes"])
    if not (is_named or _NUMBERED.fullmatch(text.rstrip(": "))) or _labels(text):
        return None
    name = found["name"] if found else text.rstrip(": ")
    if any(re.fullmatch(r"(?:10|[2-9TJQKA])+[cdhs]?", token, re.I) for token in tokens(name)):
        return None
    notes = re.findall(r"\(([^()]*)\)", found["notes"]) if found else []
    return re.sub(r"('s)?\s+(hand|board)$", "", name, flags=re.I), notes


def _read_line(text: str, spot: _Spot) -> None:
    """Add one line to a spot. Raises CardError or HandError for text that says nothing known."""
    text = plain_suits(text.strip())
    if other := _OTHER.fullmatch(text):
        kind = DISCARD if other[1][:2].lower() in ("di", "mu") else NOT_PLACED
        # A draw may stand above the board it is for.
        board = _current(spot)
        if kind in board.others:
            raise HandError(f"{other[1].lower()} stands twice for {board.who}")
        board.others[kind] = read_row(other[2])[0]
        return
    if player := _player(text):
        spot.boards.append(_Board(*player))
        return
    inline = None if _labels(text) else _INLINE.fullmatch(text)
    if inline and (named := _player(inline["player"] + ":")):
        spot.boards.append(_Board(*named))
        text = inline["rows"]
    elif _FANTASYLAND.search(text) and re.match(r"(opponent|villain|hero|he|she|i|we|they)\b", text, re.I):
        spot.notes.append(text)
        return
    for row, cards, slots in _rows(text):
        if not _current(spot).takes(row):
            spot.boards.append(_Board())
        _current(spot).add_row(row, cards, slots)


def _current(spot: _Spot) -> _Board:
    if not spot.boards:
        spot.boards.append(_Board())
    return spot.boards[-1]


def _spot(lines: Sequence[Line]) -> _Spot:
    spot = _Spot()
    for line in lines:
        try:
            _read_line(line.text, spot)
        except (CardError, HandError) as error:
            raise HandError(str(error), line.number) from None
    for board in spot.boards:
        if missing := [name for number, name in enumerate(ROW_NAMES) if number not in board.rows]:
            raise HandError(f"{board.who} has no {' and no '.join(missing)}; want three rows, front first")
    return spot


def _fantasyland(board: _Board) -> int:
    """Cards a player came in with, from the notes after the name."""
    for note in board.notes:
        if found := _FANTASYLAND.search(note):
            cards = int(found[1] or 0) or (13 + len(board.others.get(DISCARD, ())) if DISCARD in board.others else 0)
            if not cards:
                raise HandError(f"{board.who} is in Fantasyland with how many cards? Write (Fantasyland 14)")
            return cards
    return 0


def _seat(board: _Board) -> ImportedSeat:
    groups = [(row, board.rows[row]) for row in range(3)] + sorted(board.others.items())
    return ImportedSeat(
        player=board.name or None,
        cards=tuple(int(card) for _, cards in groups for card in cards),
        placement=tuple(code for code, cards in groups for _ in cards),
        fl_cards=_fantasyland(board),
        discards_known=DISCARD in board.others,
    )


def _hand(file: str, lines: Sequence[Line], boards: Sequence[_Board], notes: Sequence[str]) -> ImportedHand:
    said = [(seat, note) for seat, board in enumerate(boards) for note in board.notes]
    buttons = [seat for seat, note in said if re.search(r"\b(button|dealer|btn|d)\b", note, re.I)]
    if len(buttons) > 1:
        raise HandError(f"{len(buttons)} players have the button")
    finished = all(board.is_finished and NOT_PLACED not in board.others for board in boards)
    return ImportedHand(
        file=file,
        line=lines[0].number,
        site="typed_boards",
        seats=tuple(_seat(board) for board in boards),
        completeness=Completeness.FINAL_BOARDS if finished else Completeness.UNFINISHED,
        button=buttons[0] if buttons else None,
        warnings=(*(f"says: {note}" for note in notes), *(() if finished else ("not all cards are placed",))),
        raw=_text(lines),
    )


def _goes_with(before: _Spot, after: _Spot) -> bool:
    """Tell whether two paragraphs of a file without marks are one hand."""
    both = [*before.boards, *after.boards]
    names = [board.name for board in both]
    if before.notes or after.notes or not after.boards:
        return False
    return (all(names) and len(set(names)) == len(names)) or (
        not any(names) and all(board.is_finished for board in both)
    )


class TypedBoards:
    """The format of this module."""

    name = "typed_boards"
    description = "boards typed by people: three lines a board, front first"
    rules = "american-pineapple"

    def detect(self, path: Path, head: bytes) -> str | None:
        """Files of which at least half the lines are rows of a board."""
        lines = [text for text in decode_head(head).splitlines() if text.strip() and not text.startswith("#")]
        rows = sum(_is_like_rows(plain_suits(text)) for text in lines)
        return f"{rows} of {len(lines)} lines are rows of boards" if rows and 2 * rows >= len(lines) else None

    def read(self, path: Path, timezone: str) -> Iterator[ImportedHand | Reject]:
        """Every hand of the file; see the module for what makes one."""
        paragraphs = list(_paragraphs(read_lines(path)))
        marked = any(paragraph.starts_hand for paragraph in paragraphs)
        waiting: list[Line] = []
        spot = _Spot()

        def finish() -> Iterator[ImportedHand | Reject]:
            if waiting:
                yield _finished(path.name, waiting, spot)

        for paragraph in paragraphs:
            if marked:
                if paragraph.starts_hand:
                    yield from finish()
                    waiting = []
                waiting = waiting + paragraph.lines
                spot = _Spot()
                continue
            try:
                new = _spot(paragraph.lines)
            except HandError as error:
                yield from finish()
                yield _rejected(path.name, paragraph.lines, error)
                waiting, spot = [], _Spot()
                continue
            if waiting and _goes_with(spot, new):
                waiting, spot = waiting + paragraph.lines, _Spot(spot.boards + new.boards)
            else:
                yield from finish()
                waiting, spot = paragraph.lines, new
        yield from finish()


def _is_like_rows(text: str) -> bool:
    """Tell whether a line holds rows of a board, or other cards of a player."""
    other = _OTHER.fullmatch(text.strip())
    inline = None if _labels(text) else _INLINE.fullmatch(text.strip())
    try:
        rows = _rows(other[2] if other else inline["rows"] if inline else text)
    except HandError:
        return False
    except CardError:
        return all(re.fullmatch(r"(?:10|[2-9TJQKA])+", token, re.I) for token in tokens(text))
    return any(cards for _, cards, _ in rows) and all(len(cards) + slots <= 5 for _, cards, slots in rows)


def _text(lines: Sequence[Line]) -> str:
    """The lines as they stood, the blank ones between them included."""
    by_number = {line.number: line.text for line in lines}
    return "\n".join(by_number.get(number, "") for number in range(lines[0].number, lines[-1].number + 1))


def _rejected(file: str, lines: Sequence[Line], error: HandError) -> Reject:
    return Reject(file, error.line or lines[0].number, str(error), _text(lines))


def _finished(file: str, lines: Sequence[Line], spot: _Spot) -> ImportedHand | Reject:
    try:
        spot = spot if spot.boards else _spot(lines)
        if not spot.boards:
            raise HandError("no board")
        return _hand(file, lines, spot.boards, spot.notes)
    except HandError as error:
        return _rejected(file, lines, error)


IMPORTER = TypedBoards()
