"""The samples of every importer, and what tests do with them: compare logs, cut files in two."""

import json
import re
import shutil
import sqlite3
from contextlib import closing
from itertools import takewhile
from pathlib import Path

import polars as pl

from ofclab.importers import Importer
from ofclab.log import Log
from ofclab.registry import members

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data" / "samples"
IMPORTERS: dict[str, Importer] = members("ofclab.importers", "IMPORTER")
BETWEEN_HANDS = re.compile(r"\s*(Hand \d+.*|-{3,})?\s*")
HEAD = re.compile(r"(Date|Session|Table|Rules|Point): |#")
_OF_A_HAND = {"turns": "hand_id", "HttpOFCPlayers": "ofcHandId", "HttpOFCRounds": "ofcHandId"}
_HANDS = {"hands": "hand_id", "HttpOFCHands": "id"}


def samples(name: str) -> list[Path]:
    """The sample files of an importer."""
    found = (path for path in (SAMPLES / name).glob("*") if path.is_file())
    return sorted(path for path in found if not path.name.startswith("expected_"))


ALL = [(name, path) for name in sorted(IMPORTERS) for path in samples(name)]
ALL_IDS = [f"{name}-{path.stem}" for name, path in ALL]


def facts(log: Log, sources: bool = False) -> dict[str, pl.DataFrame]:
    """Everything a log holds of its hands, in an order that does not depend on parts."""
    hands = log.hands.collect() if sources else log.hands.drop("source_file", "source_line").collect()
    return {
        "hands": hands.sort("hand_id"),
        "seats": log.seats.sort("hand_id", "seat").collect(),
        "acts": log.acts.sort("hand_id", "act").collect(),
        "ledger": log.ledger.drop([] if sources else ["source_file", "source_line"]).collect().sort(pl.all()),
    }


def same_facts(first: Log, second: Log, sources: bool = False) -> bool:
    one, two = facts(first, sources), facts(second, sources)
    return all(one[table].equals(two[table]) for table in one)


def between(line: str) -> bool:
    """Tell whether a line belongs to the hand that follows."""
    return BETWEEN_HANDS.fullmatch(line) is not None


def cut_in_two(importer: Importer, path: Path, folder: Path) -> list[Path]:
    """Two files with the hands of one, the first half and the rest."""
    folder.mkdir()
    parts = [folder / f"first_{path.name}", folder / f"second_{path.name}"]
    if path.suffix == ".db":
        return _cut_database(path, parts)
    if path.suffix == ".json":
        whole = json.loads(path.read_text(encoding="utf-8"))
        for part, piece in zip(parts, (whole[: len(whole) // 2], whole[len(whole) // 2 :]), strict=True):
            part.write_text(json.dumps(piece), encoding="utf-8")
        return parts
    items = list(importer.read(path, "UTC"))
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    start = items[len(items) // 2].line - 1
    # A chat is cut between games, other files between hands; the head of a typed session stands on both pieces.
    while not lines[start].startswith("New game") if lines[0].startswith("New game") else between(lines[start - 1]):
        start -= 1
    head = list(takewhile(HEAD.match, lines)) if path.suffix == ".txt" else lines[: path.suffix == ".csv"]
    parts[0].write_text("".join(lines[:start]), encoding="utf-8")
    parts[1].write_text("".join([*head, *lines[start:]]), encoding="utf-8")
    return parts


def _cut_database(path: Path, parts: list[Path]) -> list[Path]:
    for part, sign in zip(parts, (">", "<="), strict=True):
        shutil.copy(path, part)
        part.chmod(0o644)
        with closing(sqlite3.connect(part)) as base:
            tables = {name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            (hands,) = tables & set(_HANDS)
            (middle,) = base.execute(f"SELECT count(*) / 2 FROM {hands}").fetchone()
            base.execute(f"DELETE FROM {hands} WHERE rowid {sign} ?", (middle,))
            for table in tables & set(_OF_A_HAND):
                key = _OF_A_HAND[table]
                base.execute(f"DELETE FROM {table} WHERE {key} NOT IN (SELECT {_HANDS[hands]} FROM {hands})")
            base.commit()
    return parts
