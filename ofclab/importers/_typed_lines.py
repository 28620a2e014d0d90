"""The lines of typed boards: rows, labels, players, discards, and what they add up to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ofclab.cards import UNSEEN, Card, CardError
from ofclab.importers.model import ROW_NAMES, ROW_SIZES, HandError
from ofclab.importers.reading import MOST_LINE, Line, plain_suits, read_row, refuse_unreadable, tokens
from ofclab.kernels.placement import DISCARD, NOT_PLACED

_PLAYER = re.compile(r"(?P<name>[^:/\[\]()]{0,40}?)\s*(?P<notes>(?:\([^()]*\)\s*)*)(?P<colon>:?)")
_NUMBERED = re.compile(r"(?:player|seat|p)\s*\d(?:\s*[:.-]\s*\S.*)?|hero|villain|opponent", re.I)
_INLINE = re.compile(r"(?P<player>[^:/\[\]]{1,40}):\s*(?P<rows>.*(?:/|\[).*)")
_STREET = re.compile(r"\s*(?P<street>\d{1,2})[.)]\s+(?P<rows>[^/]*/[^/]*/[^/]*?)\s*")
_THROWN = re.compile(r"(?P<rows>.*?)[,;]?\s*\bdiscards?\b:?(?P<cards>[^/]*)", re.I)
_RECORDED = re.compile(
    r"\s*(?P<what>points|royalt(?:y|ies)|next(?:\s+fantasy\s*land)?)\s*[:=]\s*(?P<number>[-+]?\d{1,6})\s*", re.I
)
_FOULED = re.compile(r"\s*(?:not\s+)?foul(?:ed)?\s*", re.I)
_BY_NAME = re.compile(r"\s*points\s*[:=]\s*(?P<scores>.*\d)\s*", re.I)
_SCORE = re.compile(r"\s*(?P<name>[^:=/]{1,40}?)\s*[ :=]\s*(?P<points>[-+]?\d{1,6})\s*")
_OTHER = re.compile(r"\s*(discards?|discarded|muck|draws?|dealt|to play|in hand)\s*[:=](.*)", re.I)
_NOTE = re.compile(r"(?:opponent|villain|hero|he|she|i|we|they)\b.*\b(?:fantasy\s*land|fantasy|fl)\b.*", re.I)
_FIRST_LABEL = re.compile(r"\s*(?:(front|top|middle|mid|bottom|bot|back)\b\s*[:=]?|([ftmb])\s*(?:[:=]|(?=\[)))", re.I)
_NEXT_LABEL = re.compile(r"(?<![A-Za-z0-9])(?:front|top|middle|mid|bottom|bot|back|f|t|m|b)\s*(?:[:=]|(?=\[))", re.I)
_HAND_NAME = re.compile(
    r"(?:\s{2,}|\t)\(?(?:an?|one|two|three|four|no|full|royal|straight|flush|quads|trips|set|pair|high|[a-z]+ high"
    r"|ace|king|queen|jack|ten|nine|eight|seven|six|five|deuce)s?\b[A-Za-z,' -]*\)?\s*$",
    re.I,
)
_CARD = re.compile(r"(?:10|[2-9TJQKA])+[cdhs]?", re.I)
_PSEUDONYM = re.compile(r"p-[0-9a-f]{4,16}")
_ROW_OF = {"f": 0, "t": 0, "m": 1, "b": 2}


@dataclass(frozen=True)
class Street:
    """What one street adds: cards placed in each row, and those discarded (255: not seen)."""

    placed: tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
    discards: tuple[int, ...] | None
    """None: nothing is said about them."""


@dataclass
class Board:
    """One player's part of a hand while it is read."""

    name: str | None = None
    notes: list[str] = field(default_factory=list)
    rows: dict[int, tuple[Card, ...]] = field(default_factory=dict)
    labelled: bool | None = None
    others: dict[int, tuple[int, ...]] = field(default_factory=dict)
    streets: list[Street] = field(default_factory=list)
    """Streets, where the hand is typed street by street."""
    recorded: dict[str, int] = field(default_factory=dict)
    """``points``, ``royalties``, ``next`` and ``foul`` (0 or 1) as they are typed."""

    def add_street(self, number: int, street: Street) -> None:
        """Add the cards of the next street."""
        if number != len(self.streets) + 1:
            raise HandError(f"street {number} follows street {len(self.streets)} of {self.who}")
        if self.rows and not self.streets:
            raise HandError(f"{self.who} has rows above the streets")
        for row, cards in enumerate(street.placed):
            held = (*self.rows.get(row, ()), *cards)
            if len(held) > ROW_SIZES[row]:
                raise HandError(f"the {ROW_NAMES[row]} holds {ROW_SIZES[row]} cards, got {len(held)}")
            self.rows[row] = held
        self.streets.append(street)

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
        return not self.streets and len(self.rows) < 3 and row not in self.rows

    @property
    def who(self) -> str:
        return self.name or "a board"

    @property
    def is_finished(self) -> bool:
        return sum(map(len, self.rows.values())) == 13


@dataclass
class Spot:
    """The boards of one hand and what is said about it."""

    boards: list[Board] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    points: dict[str, int] = field(default_factory=dict)
    """Points by name, from one line for all."""
    next_is_new: bool = False
    """Whether what comes next begins another board, if the last one has its rows."""

    def current(self) -> Board:
        """The board that lines belong to now."""
        if not self.boards or (self.next_is_new and len(self.boards[-1].rows) == 3):
            self.boards.append(Board())
        self.next_is_new = False
        return self.boards[-1]


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
    is_cards = not _PSEUDONYM.fullmatch(name) and any(_CARD.fullmatch(token) for token in tokens(name))
    if is_cards or _STREET.fullmatch(text):
        return None
    notes = re.findall(r"\(([^()]*)\)", found["notes"]) if found else []
    return re.sub(r"('s)?\s+(hand|board)$", "", name, flags=re.I), notes


def _street(text: str) -> Street:
    """The rows of a street, and what is discarded."""
    thrown = _THROWN.fullmatch(text)
    rows = [read_row(row)[0] for row in (thrown["rows"] if thrown else text).split("/")]
    if thrown is None:
        return Street((rows[0], rows[1], rows[2]), None)
    return Street((rows[0], rows[1], rows[2]), _seen_or_not(thrown["cards"]))


def _seen_or_not(text: str) -> tuple[int, ...]:
    """Cards, ``??`` for one that nobody saw."""
    words = text.replace("??", " ?? ").split()
    return tuple(card for word in words for card in ((UNSEEN,) if word == "??" else map(int, read_row(word)[0])))


def _read_recorded(text: str, spot: Spot) -> bool:
    """Take a line about the result; tell whether it is one."""
    found = _RECORDED.fullmatch(text)
    if found or _FOULED.fullmatch(text):
        if not spot.boards:
            raise HandError(f"{text!r} stands above the boards; write it under the board it is about")
        what = found["what"].lower() if found else "foul"
        what = "royalties" if what.startswith("roy") else "next" if what.startswith("next") else what
        number = int(found["number"]) if found else int(not text.lower().startswith("not"))
        if what in spot.boards[-1].recorded:
            raise HandError(f"{what} stands twice for {spot.boards[-1].who}")
        spot.boards[-1].recorded[what] = number
        return True
    if named := _BY_NAME.fullmatch(text):
        for part in named["scores"].split(","):
            score = _SCORE.fullmatch(part)
            if score is None:
                raise HandError(f"no points in {part.strip()[:40]!r}; write such as 'points: Ann +6, Bo -6'")
            if score["name"] in spot.points:
                raise HandError(f"{score['name']} stands twice in the points")
            spot.points[score["name"]] = int(score["points"])
        return True
    return False


def _read_line(text: str, spot: Spot) -> None:
    """Add one line to a spot. Raises CardError or HandError for text that says nothing known."""
    refuse_unreadable(text)
    text = plain_suits(text.strip())
    if _read_recorded(text, spot):
        return
    if street := _STREET.fullmatch(text):
        number = int(street["street"])
        if not spot.boards or (number == 1 and spot.boards[-1].rows):
            spot.boards.append(Board())
        spot.next_is_new = False
        spot.boards[-1].add_street(number, _street(street["rows"]))
        return
    if other := _OTHER.fullmatch(text):
        kind = DISCARD if other[1][:2].lower() in ("di", "mu") else NOT_PLACED
        board = spot.current()
        if kind in board.others:
            raise HandError(f"{other[1].lower()} stands twice for {board.who}")
        board.others[kind] = _seen_or_not(other[2])
        return
    if player := _player(text):
        spot.boards.append(Board(*player))
        return
    inline = None if _labels(text) else _INLINE.fullmatch(text)
    if inline and (named := _player(inline["player"] + ":")):
        spot.boards.append(Board(*named))
        text = inline["rows"]
    elif _NOTE.fullmatch(text):
        spot.notes.append(text)
        return
    for row, cards, slots in _rows(text):
        if not spot.current().takes(row):
            spot.boards.append(Board())
        spot.current().add_row(row, cards, slots)


def read_spot(paragraphs: Sequence[Sequence[Line]], is_part: bool = False) -> Spot:
    """The boards of a hand from its paragraphs. Raises HandError with the line that cannot be read.

    ``is_part``: points may be of players whose boards are not among these paragraphs.
    """
    spot = Spot()
    for paragraph in paragraphs:
        # Cards above the rows of a paragraph are this board's; a paragraph of such cards alone is the last board's.
        spot.next_is_new = not all(_OTHER.fullmatch(line.text.strip()) for line in paragraph)
        for line in paragraph:
            try:
                _read_line(line.text, spot)
            except (CardError, HandError) as error:
                raise HandError(str(error), line.number) from None
    if not spot.boards and not spot.points:
        raise HandError("no board")
    names = [board.name for board in spot.boards]
    if spot.boards and not is_part and (unknown := [name for name in spot.points if names.count(name) != 1]):
        raise HandError(
            f"points of {unknown[0]!r}, who is {'no player' if unknown[0] not in names else 'not one player'}"
        )
    for board in spot.boards:
        if missing := [name for number, name in enumerate(ROW_NAMES) if number not in board.rows]:
            raise HandError(f"{board.who} has no {' and no '.join(missing)}; want three rows, front first")
    return spot


def is_like_rows(text: str) -> bool:
    """Tell whether a line holds rows of a board, or other cards of a player."""
    text = plain_suits(text[: MOST_LINE + 1].strip())
    if street := _STREET.fullmatch(text):
        try:
            return any(_street(street["rows"]).placed)
        except CardError:
            return False
    if _RECORDED.fullmatch(text) or _BY_NAME.fullmatch(text):
        return True
    other = _OTHER.fullmatch(text)
    inline = None if _labels(text) else _INLINE.fullmatch(text)
    try:
        if other:
            return bool(_seen_or_not(other[2]))
        rows = _rows(inline["rows"] if inline else text)
    except HandError:
        return False
    except CardError:
        return all(re.fullmatch(r"(?:10|[2-9TJQKA])+", token, re.I) for token in tokens(text))
    return any(cards for _, cards, _ in rows) and all(len(cards) + slots <= 5 for _, cards, slots in rows)
