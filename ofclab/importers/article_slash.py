"""Hands annotated in strategy articles: a round, its streets, every board as front/middle/back.

    Round 644 (button)
    1. Ac/9d9s/7h8h, Kd/5c5s/10h7d
    2. Ac/9d9s(2c4c)/7h8h/[x], Kd/5c5s/10h7d/8cJc3d

Boards stand in the order in which the players act, so the last one has the button. Brackets hold what was placed on
this street; a fourth part is ``[x]``, a discard nobody saw, or the cards that the writer now has to play. Suits may be
glyphs or words, tens ``10``, cards ``{q-Clubs}``. A card without a suit (``Kx``, ``772KK``) is no card of a log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from ofclab.cards import Card, CardError
from ofclab.importers._states import State, tell
from ofclab.importers.model import ROW_NAMES, ROW_SIZES, HandError, ImportedHand, Reject
from ofclab.importers.reading import MOST_LINES, Line, decode_head, plain_suits, read_lines, read_row, refuse_unreadable
from ofclab.rules import load_rules

_ROUND = re.compile(r"\s*Round\s+(?P<number>\d{1,9})\s*(?:\((?P<notes>[^()]*)\))?\s*:?\s*", re.I)
_STREET = re.compile(r"\s*(?P<street>\d{1,2})\.\s+(?P<boards>.*/.*/.*)")
_MARKUP = re.compile(r"\{\s*(10|[2-9tjqka])\s*-\s*(club|diamond|heart|spade)?s?\s*\}", re.I)
_PLACED = re.compile(r"\(([^()]*)\)")
_RULES = "american-pineapple"


@dataclass(frozen=True)
class _Board:
    """One board of a line."""

    state: State
    fresh: tuple[Card, ...]
    """Cards in brackets."""
    hides: bool
    """Whether it shows a discard nobody saw."""


@dataclass(frozen=True)
class _Street:
    """One line of a round."""

    number: int
    boards: tuple[_Board, ...]
    line: int


def _plain(text: str) -> str:
    """Suits as letters, without the markup of the site."""
    return plain_suits(_MARKUP.sub(lambda found: found[1].upper() + (found[2] or " ")[0].lower(), text)).replace(
        " ", ""
    )


def _row(text: str, row: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The cards of a row, and those of them that were placed on this street."""
    fresh = tuple(card for part in _PLACED.findall(text) for card in _cards(part))
    before = _cards(_PLACED.sub(" ", text))
    if len(before) + len(fresh) > ROW_SIZES[row]:
        raise HandError(f"the {ROW_NAMES[row]} holds {ROW_SIZES[row]} cards, got {text!r}")
    return before + fresh, fresh


def _cards(text: str) -> tuple[Card, ...]:
    if found := re.search(r"(?:10|[2-9TJQKA])x", text, re.I):
        raise HandError(f"{found[0]!r} has no suit; a log needs whole cards")
    cards, slots = read_row(text) if text not in ("-", "") else ((), 0)
    if slots:
        raise HandError(f"no card in {text!r}; leave an empty row empty")
    return cards


def _board(text: str) -> _Board:
    parts = text.split("/")
    if len(parts) not in (3, 4):
        raise HandError(f"want front/middle/back, got {len(parts)} parts in {text!r}")
    rows = [_row(part, row) for row, part in enumerate(parts[:3])]
    tail = parts[3] if len(parts) == 4 else ""
    hides = tail.lower() == "[x]"
    state = State((rows[0][0], rows[1][0], rows[2][0]), hand=() if hides else _cards(tail.strip("[]")))
    known = [*state.rows[0], *state.rows[1], *state.rows[2], *state.hand]
    if twice := [card for card in known if known.count(card) > 1]:
        raise HandError(f"{Card(twice[0])} stands twice in {text!r}")
    return _Board(state, tuple(card for _, fresh in rows for card in fresh), hides)


def _street(line: Line) -> _Street:
    """One line of a round; HandError with its number for what cannot be read."""
    try:
        refuse_unreadable(line.text)
        found = _STREET.fullmatch(line.text)
        if found is None:
            raise HandError(
                f"cannot read {line.text.strip()[:60]!r}; want a street such as '1. Ac/9d9s/7h8h, Kd/5c5s/Th7d'"
            )
        boards = tuple(_board(_plain(board)) for board in found["boards"].split(", "))
    except (CardError, HandError) as error:
        raise HandError(str(error), line.number) from None
    return _Street(int(found["street"]), boards, line.number)


def _hand(file: str, lines: Sequence[Line]) -> ImportedHand:
    head = _ROUND.fullmatch(lines[0].text)
    if head is None:
        raise HandError("streets before the first 'Round <number>'", lines[0].number)
    streets = [_street(line) for line in lines[1:]]
    if not streets:
        raise HandError("a round without boards")
    for before, after in pairwise(streets):
        if after.number <= before.number:
            raise HandError(f"street {after.number} follows street {before.number}", after.line)
    players = {len(street.boards) for street in streets}
    if len(players) > 1:
        raise HandError(f"{' and '.join(map(str, sorted(players)))} boards a line; want every player's on each")
    (count,) = players
    if count > 4:
        raise HandError(f"{count} boards in one hand")
    heroes = {seat for street in streets for seat in range(count) if street.boards[seat].state.hand}
    if len(heroes) > 1:
        raise HandError(f"{len(heroes)} players have cards to play; want the writer alone")
    notes = [note.strip() for note in (head["notes"] or "").split(",") if note.strip()]
    in_fantasyland = [note for note in notes if "fantasy" in note.lower()]
    has_button = any(note.lower() in ("button", "dealer") for note in notes)
    hero = heroes.pop() if heroes else count - 1 if has_button else None
    if has_button and hero != count - 1:
        raise HandError("the writer has the button and must act last", streets[0].line)
    rules = load_rules(_RULES)
    flags = [13 if seat == hero and in_fantasyland else None for seat in range(count)]
    told, completeness, acts = tell([[board.state for board in street.boards] for street in streets], rules, flags)
    earlier: set[Card] = set()
    for street in streets:
        _check_fresh(street, earlier)
        earlier |= {Card(card) for board in street.boards for row in board.state.rows for card in row}
    other = [note for note in notes if note not in in_fantasyland and note.lower() not in ("button", "dealer")]
    unsaid = ["is in Fantasyland by the note; the boards do not tell who"] if in_fantasyland and hero is None else []
    return ImportedHand(
        file=file, line=lines[0].number, site="article", seats=tuple(seat.seat for seat in told),
        completeness=completeness, hand_no=int(head["number"]), button=count - 1, acts=acts,
        observer_seats=() if hero is None else (hero,),
        warnings=(*(f"says: {note}" for note in other), *unsaid,
                  *(f"seat {i} {note}" for i, seat in enumerate(told) for note in seat.notes)),
    )  # fmt: skip


def _check_fresh(street: _Street, earlier: set[Card]) -> None:
    """Brackets hold what this street placed: two cards, five on the first, thirteen in Fantasyland."""
    for board in street.boards:
        if board.fresh and len(board.fresh) not in (5 if street.number == 1 else 2, 13):
            raise HandError(f"{len(board.fresh)} cards in brackets; a street places two", street.line)
        if board.hides and street.number == 1:
            raise HandError("a discard on the first street", street.line)
        if old := [card for card in board.fresh if card in earlier]:
            raise HandError(f"{old[0]} is placed on street {street.number} and lay there before", street.line)


class ArticleSlash:
    """The format of this module."""

    name = "article_slash"
    description = "rounds annotated in articles: front/middle/back of every player, a line a street"
    rules = _RULES

    def detect(self, path: Path, head: bytes) -> str | None:
        """Files with a round's heading and numbered boards."""
        lines = [line for line in decode_head(head).splitlines() if line.strip() and len(line) < 2000]
        rounds = sum(_ROUND.fullmatch(line) is not None for line in lines)
        streets = sum(_STREET.fullmatch(line) is not None for line in lines)
        is_most = rounds and streets and 2 * (rounds + streets) >= len(lines)
        return f"{rounds} rounds with {streets} numbered lines of boards" if is_most else None

    def read(self, path: Path, timezone: str) -> Iterator[ImportedHand | Reject]:
        """Every round of the file."""
        run: list[Line] = []
        for line in read_lines(path):
            if not line.text.strip():
                continue
            if run and (_ROUND.fullmatch(line.text[:200]) or len(run) > MOST_LINES):
                yield _read(path.name, run)
                run = []
            run.append(line)
        if run:
            yield _read(path.name, run)


def _read(file: str, lines: Sequence[Line]) -> ImportedHand | Reject:
    raw = "\n".join(line.text for line in lines)
    try:
        return replace(_hand(file, lines), raw=raw)
    except HandError as error:
        return Reject(file, error.line or lines[0].number, str(error), raw)


IMPORTER = ArticleSlash()
