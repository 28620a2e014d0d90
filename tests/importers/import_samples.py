"""The samples of every importer, and what tests do with them: compare logs, cut files in two."""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import polars as pl

from ofclab.importers import Importer
from ofclab.log import Log
from ofclab.registry import members

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data" / "samples"
IMPORTERS: dict[str, Importer] = members("ofclab.importers", "IMPORTER")
BETWEEN_HANDS = re.compile(r"\s*(Hand \d+|-{3,})?\s*")


def samples(name: str) -> list[Path]:
    """The sample files of an importer."""
    return sorted(path for path in (SAMPLES / name).glob("*") if not path.name.startswith("expected_"))


ALL = [(name, path) for name in sorted(IMPORTERS) for path in samples(name)]
ALL_IDS = [f"{name}-{path.stem}" for name, path in ALL]


def facts(log: Log, sources: bool = False) -> dict[str, pl.DataFrame]:
    """Everything a log holds of its hands, in an order that does not depend on parts."""
    hands = log.hands.collect() if sources else log.hands.drop("source_file", "source_line").collect()
    return {
        "hands": hands.sort("hand_id"),
        "seats": log.seats.sort("hand_id", "seat").collect(),
        "acts": log.acts.sort("hand_id", "act").collect(),
    }


def same_facts(first: Log, second: Log, sources: bool = False) -> bool:
    one, two = facts(first, sources), facts(second, sources)
    return all(one[table].equals(two[table]) for table in one)


def cut_in_two(importer: Importer, path: Path, folder: Path) -> list[Path]:
    """Two files with the hands of one, the first half and the rest."""
    folder.mkdir()
    parts = [folder / f"first_{path.name}", folder / f"second_{path.name}"]
    if path.suffix == ".db":
        return _cut_database(path, parts)
    items = list(importer.read(path, "UTC"))
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    start = items[len(items) // 2].line - 1
    while BETWEEN_HANDS.fullmatch(lines[start - 1]):
        start -= 1
    parts[0].write_text("".join(lines[:start]), encoding="utf-8")
    parts[1].write_text("".join(lines[start:]), encoding="utf-8")
    return parts


def _cut_database(path: Path, parts: list[Path]) -> list[Path]:
    for part, sign in zip(parts, (">", "<="), strict=True):
        shutil.copy(path, part)
        part.chmod(0o644)
        with closing(sqlite3.connect(part)) as base:
            (middle,) = base.execute("SELECT count(*) / 2 FROM hands").fetchone()
            base.execute(f"DELETE FROM hands WHERE rowid {sign} ?", (middle,))
            base.execute("DELETE FROM turns WHERE hand_id NOT IN (SELECT hand_id FROM hands)")
            base.commit()
    return parts
