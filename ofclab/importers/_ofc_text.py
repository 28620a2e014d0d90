"""The text view of the fpdb-3 tracker, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

from ofclab.importers._ofc_hand import (
    ROWS,
    Player,
    Round,
    Tracked,
    hand_of,
    read_amount,
    read_cards,
    read_points,
    read_time,
)
from ofclab.importers.model import HandError, ImportedHand, Reject
from ofclab.importers.reading import MOST_LINES, NOT_TEXT, Line, read_lines, refuse_unreadable

HEADING = re.compile(r"OFC Hand #(?P<number>\S{1,64}) - (?P<variant>\S{1,32})")
_PLAYER = re.compile(
    r"Seat (?P<seat>\d{1,2}): (?P<name>.{1,80}) "
    r"stack=(?P<stack>\S+) points=(?P<points>\S+) collected=(?P<collected>\S+)"
)
_ROW = re.compile(r"(?P<row>Top|Middle|Bottom|Active): (?P<cards>.*)")
_ROUND = re.compile(r"(?P<number>\d{1,5})\. (?P<rest>.+)")
_PLACED = re.compile(
    r"(?P<placed>no placement|(?:top|middle|bottom)=[^=;]*(?:; (?:top|middle|bottom)=[^=;]*)*?)"
    r"(?: discard=(?P<thrown>[^=;]*))?"
)


def read_text(path: Path, zone: ZoneInfo) -> Iterator[ImportedHand | Reject]:
    """Every hand: the lines from one heading to the next."""
    run: list[Line] = []
    for line in read_lines(path):
        if run and (HEADING.fullmatch(line.text.strip()[:200]) or len(run) > MOST_LINES):
            yield _read(path.name, run, zone)
            run = []
        if run or line.text.strip():
            run.append(line)
    if run:
        yield _read(path.name, run, zone)


def _read(file: str, lines: Sequence[Line], zone: ZoneInfo) -> ImportedHand | Reject:
    while lines and not lines[-1].text.strip():
        lines = lines[:-1]
    raw = "\n".join(line.text for line in lines)
    try:
        head = HEADING.fullmatch(lines[0].text.strip()[:200])
        if head is None:
            raise HandError("text before the first heading 'OFC Hand #1 - ofcp'")
        hand = Tracked(head["number"], head["variant"], lines[0].number)
        part = ""
        for line in lines[1:]:
            part = _line(hand, line, part, zone)
        _hide_names(hand)
        return hand_of(file, hand, raw)
    except HandError as error:
        return Reject(file, error.line or lines[0].number, str(error), raw)


def _line(hand: Tracked, line: Line, part: str, zone: ZoneInfo) -> str:
    """Take one line; the part of the hand the next one belongs to. HandError with the line's number."""
    text = line.text.strip()
    try:
        if NOT_TEXT in text:
            raise HandError("the line holds bytes that are not UTF-8 text")
        refuse_unreadable(text)
        if text in ("Players:", "Rounds:", "Warnings:"):
            return text[:-1]
        if not text:
            return part
        if part == "Warnings" and text.startswith("- "):
            hand.warnings.append(text.removeprefix("- "))
        elif part == "Rounds" and (found := _ROUND.fullmatch(text)):
            hand.rounds.append(_round(hand, found["rest"], line.number))
        elif part == "Players" and (found := _PLAYER.fullmatch(text)):
            hand.players.append(_player(found))
        elif part == "Players" and hand.players and (found := _ROW.fullmatch(text)):
            _row(hand.players[-1], found["row"].lower(), read_cards(found["cards"]))
        elif not part and text.startswith("Table: "):
            hand.table = text.removeprefix("Table: ").strip() or None
        elif not part and text.startswith("Timestamp: "):
            hand.played_at = read_time(text.removeprefix("Timestamp: ").strip(), zone)
        else:
            raise HandError(f"cannot read {text[:80]!r}{f' among the {part.lower()}' if part else ''}")
    except ValueError as error:
        raise HandError(str(error), line.number) from None
    return part


def _player(found: re.Match[str]) -> Player:
    collected = read_amount(found["collected"], "collected")
    return Player(
        int(found["seat"]), found["name"], read_amount(found["stack"], "stack"), read_points(found["points"]),
        f"{collected / 100:.2f}" if collected else None,
    )  # fmt: skip


def _row(player: Player, row: str, cards: tuple[int, ...]) -> None:
    if row == "active":
        player.active = cards
        return
    if row in player.rows:
        raise HandError(f"{row} stands twice for seat {player.seat}")
    player.rows[row] = cards


def _round(hand: Tracked, text: str, line: int) -> Round:
    """A round of one of the players; names may hold colons."""
    for name in sorted((player.name for player in hand.players), key=len, reverse=True):
        if text.startswith(f"{name}: ") and (found := _PLACED.fullmatch(text.removeprefix(f"{name}: "))):
            placed: dict[str, tuple[int, ...]] = {}
            if found["placed"] != "no placement":
                for part in found["placed"].split("; "):
                    row, _, cards = part.partition("=")
                    if row in placed:
                        raise HandError(f"{row} stands twice in a round; have {', '.join(ROWS)}")
                    placed[row] = read_cards(cards)
            return Round(name, placed, read_cards(found["thrown"] or "-"), line=line)
    raise HandError(f"cannot read the round {text[:80]!r}; want 'player: top=..; middle=..; bottom=.. discard=..'")


def _hide_names(hand: Tracked) -> None:
    """A log holds no names, so its warnings speak of seats."""
    for player in sorted(hand.players, key=lambda one: -len(one.name)):
        hand.warnings = [text.replace(player.name, f"seat {player.seat}") for text in hand.warnings]
