"""Thirteen cards a player in one list: the first three are the front, the next five the middle, the last five the back.

    Alice: 2h 3h 5h 10d 10h 4h 7c 8s Jd Js 6c 7d 9c
    Bob: %w(As Ad 2c Kh Kd 9h 9s 3d Qs Qd Qc 4s 4d)
    totals: -12 12

A line a player (lists may be Ruby's, Python's or JSON's, and several lists in brackets may share a line), a blank line
between hands. A line ``totals: ..`` (or ``=> [..]`` after the lists) keeps the points the source gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ofclab.cards import Card, CardError, format_cards
from ofclab.importers.model import HandError, ImportedHand, ImportedSeat, Reject
from ofclab.importers.reading import (
    ENDLESS,
    MOST_LINE,
    Line,
    decode_head,
    is_cards,
    read_lines,
    read_row,
    refuse_unreadable,
    runs,
    tokens,
)
from ofclab.log import Completeness, Log
from ofclab.log.arrays import card_array, placement_array
from ofclab.log.parts import put
from ofclab.log.schema import SCORABLE

_LISTS = re.compile(r"(?:%w)?[\[({]([^\[\](){}]*)[\])}]")
_NAME = re.compile(r"\s*(?P<name>[^:=\[\](){},]{1,40}?)\s*[:=](?!>)\s*(?P<rest>.*)")
_TOTALS = re.compile(r"(?:\btotals?\s*[:=]|=>)\s*\[?\s*(?P<points>[-+]?\d{1,9}(?:[\s,]+[-+]?\d{1,9})*)\s*\]?\s*", re.I)
_PLACEMENT = (0,) * 3 + (1,) * 5 + (2,) * 5


def _lists(text: str) -> list[tuple[str | None, str]]:
    """Name and cards of each list on a line."""
    named = _NAME.fullmatch(text)
    name, rest = (named["name"].strip("'\" "), named["rest"]) if named else (None, text)
    # Brackets around all lists of a line say nothing.
    inner = _LISTS.findall(rest)
    if not inner:
        return [(name, rest)]
    if left_over := re.sub(r"[\[\](){},;\s]", "", _LISTS.sub("", rest)):
        raise HandError(f"cannot read {left_over!r} beside the lists")
    return [(name if len(inner) == 1 else None, cards) for cards in inner]


def _cards(text: str) -> tuple[Card, ...]:
    cards, slots = read_row(text)
    if len(cards) + slots != 13 or slots:
        raise HandError(f"want 13 cards, got {len(cards)}{f' and {slots} open slots' if slots else ''}")
    return cards


def _hand(file: str, lines: Sequence[Line]) -> ImportedHand:
    found: list[tuple[str | None, tuple[Card, ...]]] = []
    points: list[int] = []
    for line in lines:
        text = line.text
        try:
            refuse_unreadable(text)
            if totals := _TOTALS.search(text):
                points += [int(number) for number in re.findall(r"[-+]?\d+", totals["points"])]
                text = text[: totals.start()] + text[totals.end() :]
            if text.strip():
                found += [(name, _cards(cards)) for name, cards in _lists(text)]
        except (CardError, HandError) as error:
            raise HandError(str(error), line.number) from None
    if points and len(points) != len(found):
        raise HandError(f"{len(points)} totals for {len(found)} players")
    if len(found) > 4:
        raise HandError(f"{len(found)} players in one hand; a blank line parts hands")
    seats = tuple(
        ImportedSeat(
            player=name,
            cards=tuple(map(int, cards)),
            placement=_PLACEMENT,
            points_recorded=points[seat] if points else None,
        )
        for seat, (name, cards) in enumerate(found)
    )
    return ImportedHand(
        file=file,
        line=lines[0].number,
        site="flat13",
        seats=seats,
        completeness=Completeness.FINAL_BOARDS,
        warnings=(f"recorded points add up to {sum(points)}",) if sum(points) else (),
        raw="\n".join(line.text for line in lines),
    )


class Flat13:
    """The format of this module."""

    name = "flat13"
    description = "thirteen cards a player in one list: three front, five middle, five back"
    rules = "american-regular"

    def detect(self, path: Path, head: bytes) -> str | None:
        """Files of which at least half the lines list 13 cards."""
        lines = [text for text in decode_head(head).splitlines() if text.strip() and not text.startswith("#")]
        full = sum(_is_list(text) for text in lines)
        return f"{full} of {len(lines)} lines list 13 cards" if full and 2 * full >= len(lines) else None

    def read(self, path: Path, timezone: str) -> Iterator[ImportedHand | Reject]:
        """Every hand of the file: lines up to a blank one."""
        for run, is_whole in runs(line for line in read_lines(path) if not line.text.startswith("#")):
            if is_whole:
                yield _read(path.name, run)
            else:
                yield Reject(path.name, run[0].number, f"{ENDLESS}; a blank line parts hands", run[0].text)

    def write(self, log: Log, path: Path) -> int:
        """Write the boards and points of a log's hands; how many. HandError for a hand that is more than that."""
        lines = list(_write(log))
        put(path, "".join(f"{line}\n" for line in lines).encode())
        return lines.count("")


def _write(log: Log) -> Iterator[str]:
    """The lines of a log's hands. HandError for a hand that is more than boards and points."""
    for number in log.parts:
        hands, seats = log.part(number)
        cards, codes = card_array(seats).tolist(), placement_array(seats).tolist()
        players, points = seats["player"].to_list(), seats["points_recorded"].to_list()
        first = 0
        for hand in hands.iter_rows(named=True):
            places = range(first, first + hand["n_seats"])
            first += hand["n_seats"]
            if hand["completeness"] not in SCORABLE or any(seats["fl_cards"][i] for i in places):
                raise HandError(
                    f"hand {hand['hand_id']} is {hand['completeness']} or Fantasyland; a list of 13 holds final boards "
                    "of normal hands; write jsonl"
                )
            for i in places:
                rows = [card for row in range(3) for card, code in zip(cards[i], codes[i], strict=True) if code == row]
                yield f"{players[i]}: {format_cards(rows)}" if players[i] else format_cards(rows)
            totals = [points[i] for i in places]
            if None not in totals:
                yield f"totals: {' '.join(map(str, totals))}"
            yield ""


def _is_list(text: str) -> bool:
    if "/" in text or len(text) > MOST_LINE:
        return False
    try:
        return any(sum(map(_is_one_card, tokens(cards))) == 13 for _, cards in _lists(_TOTALS.sub("", text)))
    except HandError:
        return False


def _is_one_card(token: str) -> bool:
    return is_cards(token) and len(token) <= 3


def _read(file: str, lines: Sequence[Line]) -> ImportedHand | Reject:
    try:
        return _hand(file, lines)
    except HandError as error:
        return Reject(file, error.line or lines[0].number, str(error), "\n".join(line.text for line in lines))


IMPORTER = Flat13()
