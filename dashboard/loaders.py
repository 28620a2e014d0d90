"""What the pages read: the library of logs and rules files, opened by name, and every number computed once."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import streamlit as st

import ofclab as ofc

LIBRARY_VARIABLE = "OFCLAB_HOME"


@dataclass(frozen=True)
class Entry:
    """A log of the library: its name, its folder, and a stamp that changes when the log does."""

    name: str
    path: Path
    stamp: str
    changed: float


@dataclass(frozen=True)
class Facts:
    """What a log is, in words and sizes; `players` are strategies where the log has them."""

    kind: str
    rules: tuple[str, ...]
    players: tuple[str, ...]
    hands: int
    tables: int
    finished: bool


def runs_folder() -> Path:
    """Where a run started from here goes."""
    return Path(os.environ.get(LIBRARY_VARIABLE) or ".", "data", "runs")


def folders() -> list[Path]:
    """The folders the library is made of, those of the user first."""
    home = os.environ.get(LIBRARY_VARIABLE)
    if home:
        return [Path(home), Path(home, "data", "runs"), Path(home, "data", "samples")]
    # A checkout has its samples beside the dashboard, whatever the working folder is.
    return [Path("data/runs"), Path("data/samples"), Path(__file__).parents[1] / "data" / "samples"]


def library() -> dict[str, Entry]:
    """Every log of the library by name, the latest first."""
    found: dict[Path, Path] = {}
    for folder in folders():
        for pattern in ("*/manifest.json", "*/*/manifest.json"):
            for manifest in sorted(folder.glob(pattern)):
                found.setdefault(manifest.parent.resolve(), manifest.parent)
    entries: dict[str, Entry] = {}
    for path in found.values():
        name = path.name if path.name not in entries else f"{path.parent.name}-{path.name}"
        parts = _stats(path)
        if not parts:
            continue
        changed = max(part.st_mtime for part in parts)
        stamp = f"{changed}:{sum(part.st_size for part in parts)}:{len(parts)}"
        entries.setdefault(name, Entry(name, path, stamp, changed))
    return dict(sorted(entries.items(), key=lambda item: -item[1].changed))


def _stats(path: Path) -> list[os.stat_result]:
    """What the disk says of a log's files; those that go while one looks are left out."""
    found = []
    for file in [path / "manifest.json", *path.glob("hands/*.parquet"), *path.glob("seats/*.parquet")]:
        with suppress(FileNotFoundError):
            found.append(file.stat())
    return found


def readable(entries: Mapping[str, Entry]) -> list[str]:
    """The names of the logs that can be opened and hold hands."""
    names = []
    for name, entry in entries.items():
        with suppress(ofc.LogError):
            if facts(entry).hands:
                names.append(name)
    return names


@st.cache_resource(max_entries=16, show_spinner=False)
def _open(path: Path, stamp: str) -> ofc.Log:
    return ofc.open_log(path)


def open_log(entry: Entry) -> ofc.Log:
    """Open a log of the library; LogError names what is wrong with it."""
    return _open(entry.path, entry.stamp)


@st.cache_data(max_entries=256, show_spinner=False)
def _facts(path: Path, stamp: str) -> Facts:
    log = _open(path, stamp)
    source = log.manifest["source"]
    names = log.seats.select(pl.coalesce("strategy", "player").alias("who")).unique().collect()["who"].drop_nulls()
    tables = log.hands.select(pl.col("table_id").n_unique()).collect().item()
    kind = "import" if source.get("kind") in ("import", "imported") else "simulation"
    rules = tuple(log.manifest["rulesets"].values())
    return Facts(kind, rules, tuple(sorted(names)), log.n_hands, tables, log.is_complete)


def facts(entry: Entry) -> Facts:
    """What a log is and how large; LogError names what is wrong with it."""
    return _facts(entry.path, entry.stamp)


def rules_files() -> dict[str, Path]:
    """Rules files of the library by file name."""
    found: dict[str, Path] = {}
    for folder in folders():
        for pattern in ("*.toml", "rules/*.toml"):
            for file in sorted(folder.glob(pattern)):
                found.setdefault(file.name, file)
    return found


def rules_names() -> list[str]:
    """What can be chosen as rules: the shipped presets, then the library's rules files."""
    return [*ofc.presets(), *rules_files()]


def load_rules(name: str) -> ofc.Rules:
    """Load a preset or a rules file of the library by name; RulesError names what is wrong with a file."""
    return ofc.load_rules(rules_files().get(name, name))


def rules_of_log(entry: Entry) -> dict[str, ofc.Rules]:
    """The rulesets a log was played under, by name; one that is not what its name says elsewhere is marked."""
    known = {name: load_rules(name).id for name in ofc.presets()}
    files = rules_files()
    named: dict[str, ofc.Rules] = {}
    for rules in open_log(entry).rulesets.values():
        taken = rules.name in files or rules.name in named or known.get(rules.name, rules.id) != rules.id
        named[f"{rules.name} {rules.id[:6]}" if taken else rules.name] = rules
    return named


Only = tuple[tuple[str, tuple[str, ...]], ...]
"""Filters: columns, each with the values to keep."""


@st.cache_resource(max_entries=16, show_spinner="Scoring the hands")
def _results(path: Path, stamp: str, rules_id: str, _rules: Any) -> pl.LazyFrame:
    return _open(path, stamp).results(_rules)


@st.cache_data(max_entries=512, show_spinner=False)
def _compute(
    metric: str, path: Path, stamp: str, rules_id: str, _rules: Any, by: tuple[str, ...], only: Only
) -> pl.DataFrame:
    # A frame of one's own: on a shared one, a filter waits for its lock while it holds the interpreter's, which a look
    # at the schema in another thread needs to end.
    results = _results(path, stamp, rules_id, _rules).clone()
    for column, values in only:
        results = results.filter(pl.col(column).is_in(values))
    return ofc.log.collect(ofc.analytics.METRICS[metric].function(results, by))


def compute(
    metric: str, entry: Entry, rules: ofc.Rules | None, by: Sequence[str] = (), only: Only = ()
) -> pl.DataFrame:
    """One metric of a log under some rules (None: as played), by groups, over the rows the filters keep."""
    rules_id = "as played" if rules is None else rules.id
    return _compute(metric, entry.path, entry.stamp, rules_id, rules, tuple(by), only)


@st.cache_data(max_entries=64, show_spinner=False)
def _groups(path: Path, stamp: str) -> dict[str, list[str]]:
    seats = _open(path, stamp).seats
    names = seats.select(pl.col("strategy", "player").cast(pl.String)).unique().collect()
    strategies, players = (sorted(names[column].drop_nulls().unique()) for column in ("strategy", "player"))
    # A simulated player is called by its strategy: one of the two columns is enough.
    kept = {"strategy": strategies, "player": [] if players == strategies else players}
    return {column: values for column, values in kept.items() if values}


def groups(entry: Entry) -> dict[str, list[str]]:
    """Who plays in a log: the columns that say it (strategy, player) with their names."""
    return _groups(entry.path, entry.stamp)
