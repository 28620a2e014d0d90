"""Read files line by line and cards token by token, the way people and programs write them."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from ofclab.cards import Card, CardError, parse_cards

NOT_TEXT = "\ufffd"
"""What a byte that is no text turns into; a line that holds it is not taken."""

MOST_LINE = 2_000
"""Characters of a line typed by people; longer ones are something else, and patterns would take long over them."""
LONGEST_LINE = 1 << 20
"""Characters of any line that is read; of a longer one this many are kept, and one more to tell."""
MOST_LINES = 10_000
"""Lines of one hand; more are no hand, and keeping them would fill the memory."""
MOST_TEXT = 1 << 22
"""Characters of one hand."""
ENDLESS = f"a hand of more than {MOST_LINES} lines or {MOST_TEXT} characters"
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_GLYPHS = str.maketrans("♣♦♥♠♧♢♡♤", "cdhscdhs", "\ufe0e\ufe0f")
_SUIT_WORDS = re.compile(
    r"(?<![A-Za-z0-9])(10|[2-9TJQKA])[ -]?([cdhs])(?:lub|iamond|eart|pade)s?(?:[ -]suit)?(?![A-Za-z0-9])", re.I
)
_SEPARATORS = re.compile(r"[\s,;'\"()-]+")
_SLOT = re.compile(r"[xX_.]|\.\.|__")
_CARDS = re.compile(r"(?:(?:10|[2-9TtJjQqKkAa])[cdhsCDHS]|[xX][12])+")
_RANKS = re.compile(r"(?:10|[2-9TtJjQqKkAa])+")


@dataclass(frozen=True)
class Line:
    """One line of a file; lines are counted from 1."""

    number: int
    text: str

    @property
    def is_cut(self) -> bool:
        """Tell whether the line goes on behind what was kept of it."""
        return len(self.text) > LONGEST_LINE


def refuse_unreadable(text: str) -> None:
    """Raise CardError for a line that is no text, or that nobody can have typed."""
    if NOT_TEXT in text:
        raise CardError("the line holds bytes that are not UTF-8 text")
    if len(text) > MOST_LINE:
        raise CardError(f"the line has {len(text)} characters; want at most {MOST_LINE}")


def encoding_of(head: bytes) -> str:
    """The encoding the first bytes of a file announce; UTF-8 unless they say otherwise."""
    return next((name for bom, name in _BOMS if head.startswith(bom)), "utf-8")


def read_lines(path: Path) -> Iterator[Line]:
    """The lines of a text file; bytes that are no text become ``NOT_TEXT``, so that only their line is lost.

    Memory stays bounded whatever the file holds: of a line longer than `LONGEST_LINE` the rest is passed over.
    """
    with path.open("rb") as file:
        encoding = encoding_of(file.read(4))
    with path.open(encoding=encoding, errors="replace", newline=None) as text:
        number = 0
        while line := text.readline(LONGEST_LINE + 1):
            number += 1
            yield Line(number, line.rstrip("\n"))
            while len(line) > LONGEST_LINE and not line.endswith("\n"):
                line = text.readline(LONGEST_LINE + 1)


def runs(lines: Iterable[Line]) -> Iterator[tuple[list[Line], bool]]:
    """Lines up to a blank one, and whether they are all there: of `MOST_LINES` or more the rest is passed over."""
    run: list[Line] = []
    size, is_whole = 0, True
    for line in lines:
        if not line.text.strip():
            if run:
                yield run, is_whole
            run, size, is_whole = [], 0, True
        elif is_whole:
            run.append(line)
            size += len(line.text)
            is_whole = len(run) < MOST_LINES and size < MOST_TEXT
    if run:
        yield run, is_whole


def decode_head(head: bytes) -> str:
    """The beginning of a file as text, for telling its format."""
    return head.decode(encoding_of(head), "replace")


def as_utc(text: str, zone: tzinfo) -> datetime | None:
    """An ISO time in UTC, in ``zone`` where it names none of its own; None for text that is no time."""
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def plain_suits(text: str) -> str:
    """Write suits as letters: ``10♥`` and ``10Spade Suit`` become ``10h`` and ``10s``."""
    return _SUIT_WORDS.sub(lambda found: found[1] + found[2].lower(), text.translate(_GLYPHS))


def is_slot(token: str) -> bool:
    """Tell whether a token is an open slot: ``X``, ``_``, ``__``, ``.`` or ``..``."""
    return _SLOT.fullmatch(token) is not None


def is_cards(token: str) -> bool:
    """Tell whether a token is one or more cards."""
    return _CARDS.fullmatch(token) is not None


def tokens(text: str) -> list[str]:
    """The tokens of a row, without the signs between them."""
    return [token for token in _SEPARATORS.split(plain_suits(text)) if token]


def read_row(text: str) -> tuple[tuple[Card, ...], int]:
    """The cards of a row and the open slots it shows. Raises CardError naming the token that is neither."""
    cards: list[Card] = []
    slots = 0
    for token in tokens(text):
        if is_cards(token):
            cards += parse_cards(token)
        elif is_slot(token):
            slots += 1
        elif token.upper() in ("JK", "JOKER"):
            raise CardError(f"{token!r} does not say which joker it is; write X1 or X2")
        elif _RANKS.fullmatch(token):
            raise CardError(f"{token!r} has no suit; a log needs whole cards, such as {token[-1].upper()}h")
        elif NOT_TEXT in token:
            raise CardError("the line holds bytes that are not UTF-8 text")
        else:
            raise CardError(
                f"no card {token!r}; write a rank 2-9 10 T J Q K A and a suit c d h s, or X for an open slot"
            )
    return tuple(cards), slots
