"""The text view of open-face hands in the fpdb-3 tracker, and the three tables of its SQLite database.

    OFC Hand #777001 - ofcp
    Table: ofc-table
    Timestamp: 2026-06-28T10:00:00Z

    Players:
    Seat 0: player1 stack=100 points=10 collected=10
      Top: Ks Jh 4h
      Middle: Qc 8c 5c Ad Jd
      Bottom: Ah 10h 9h 7h 6h
      Active: 2c
    ..
    Rounds:
      1. player2: top=Ac; middle=Qs Js; bottom=Kh Kc
      2. player1: top=Ks; middle=Qc 8c; bottom=Ah 10h discard=4d

    Warnings:
      - seat 1 joined late

The rules follow from the variant: ``ofc``, ``ofcp``, ``ofcp_27``. Rounds count what the tracker saw change, not
streets: where each player's rounds fill whole streets the order of the deal is known, else the boards alone. Discards
are the observed player's. Amounts have two decimals; times carry their zone in the text, those of the database are UTC
unless told otherwise. The tables are HttpOFCHands, HttpOFCPlayers and HttpOFCRounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zoneinfo import ZoneInfo

from ofclab.importers import _ofc_tables as tables
from ofclab.importers._ofc_text import HEADING, read_text
from ofclab.importers._sqlite import DAMAGE, connect
from ofclab.importers.model import ImportedHand, Reject
from ofclab.importers.reading import decode_head

_SQLITE = b"SQLite format 3\0"


class OfcTextView:
    """The format of this module."""

    name = "ofc_text_view"
    description = "open-face hands of the fpdb-3 tracker: its text view, or its SQLite database"
    rules = "american-pineapple"

    def detect(self, path: Path, head: bytes) -> str | None:
        """Texts with the view's heading, SQLite files with its tables."""
        if head.startswith(_SQLITE):
            return tables.detect(path)
        headings = sum(HEADING.fullmatch(line.strip()) is not None for line in decode_head(head).splitlines())
        return f"{headings} headings such as 'OFC Hand #1 - ofcp'" if headings else None

    def read(self, path: Path, timezone: str) -> Iterator[ImportedHand | Reject]:
        """Every hand of the file."""
        with path.open("rb") as file:
            is_database = file.read(len(_SQLITE)) == _SQLITE
        if not is_database:
            yield from read_text(path, ZoneInfo(timezone))
            return
        try:
            with closing(connect(path)) as connection:
                yield from tables.read_tables(path.name, connection, ZoneInfo(timezone))
        except DAMAGE as error:
            yield Reject(path.name, 0, f"the database is damaged ({error}); nothing behind the damage was read")


IMPORTER = OfcTextView()
