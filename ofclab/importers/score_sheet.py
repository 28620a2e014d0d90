"""Score sheets and session ledgers: who won how much, without cards. CSV, JSON, or lines "A pays B 4".

    date,opponent,points,money,currency,notes        the keeper's sessions, one opponent a line
    2026-03-28,Per,14,70.00,SEK,2 hours

    session,date,player,points,money,currency        a line for each player of a session
    1,2026-03-28,Ann,14,70.00,SEK

    date,Ann,Bob,Cem,currency                        a column for each player, money with a second column "Ann money"
    2026-03-28,14,-20,6,SEK

    2026-03-28: A pays B 4, C pays A 2               the net of each pair, a hand a line

Other columns: ``hand`` (the line is that one hand), ``hands``, ``stake`` (money a point), ``id``, ``notes``. A line
``handNumber,date,points,notes`` is one hand of the keeper's alone. JSON: a list of objects with the same names (also
``moneyAmount``, ``moneyCurrency``, ``createdAt``), a session with its ``players`` ``[{"name", "points", "money"}]`` or
``pairs`` ``[{"payer", "payee", "points"}]``, or a table whose players have a ``hand`` of ``top``, ``middle`` and
``bottom``: with all cards it is a hand that can be scored.

The keeper, whom no sheet names, is ``me``. Nets of a session must cancel; dates are written 2026-03-28 and kept as that
day in UTC, whatever the timezone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ofclab.importers import _score_sheet_csv as sheet_csv
from ofclab.importers import _score_sheet_json as sheet_json
from ofclab.importers._score_sheet_rows import Item, pays
from ofclab.importers.model import Reject
from ofclab.importers.reading import decode_head, read_lines

_COMMENT = "#"


def _is_json(text: str) -> bool:
    """Tell whether a file that begins so holds a JSON list or object."""
    return text.lstrip("\ufeff \r\n\t")[:1] in ("[", "{")


class ScoreSheet:
    """The format of this module."""

    name = "score_sheet"
    description = "score sheets and session ledgers: points and money of sessions without cards (CSV, JSON, lines)"
    rules = "american-regular"

    def detect(self, path: Path, head: bytes) -> str | None:
        """A CSV header or JSON names of a score sheet, or lines of which at least half say who pays whom."""
        text = decode_head(head)
        if _is_json(text):
            return sheet_json.recognise(text)
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith(_COMMENT)]
        paid = sum(pays(line) is not None for line in lines)
        if paid and 2 * paid >= len(lines):
            return f"{paid} of {len(lines)} lines say who pays whom"
        return sheet_csv.recognise(lines[0]) if lines else None

    def read(self, path: Path, timezone: str) -> Iterator[Item | Reject]:
        """Every session or hand of the file."""
        with path.open("rb") as file:
            first = decode_head(file.read(1 << 16))
        if _is_json(first):
            yield from sheet_json.read(path)
            return
        start = next((line for line in first.splitlines() if line.strip() and not line.startswith(_COMMENT)), "")
        if pays(start) is not None:
            yield from sheet_csv.read_pays(path.name, read_lines(path))
        else:
            yield from sheet_csv.read(path.name, read_lines(path))


IMPORTER = ScoreSheet()
