"""Comparisons of two rulesets: re-scored at once and kept, re-simulated as jobs whose tables stay in the library."""

import hashlib
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jobs
import loaders
import polars as pl
import streamlit as st

import ofclab as ofc

SIZES = {"Small": (100, 50), "Medium": (400, 100), "Large": (2000, 200)}
"""Tables, and hands at each, when rules are played anew: seconds, a minute, many minutes."""
PLAYERS = ("never_bust_greedy", "never_bust_greedy")
"""Who plays where a log does not say: quick, and of one strength, so that what moves is the rules' doing."""
CHAINS = 1000
"""Fantasyland chains played for each number of cards to find what Fantasyland is worth."""
KEPT = 32


@dataclass(frozen=True)
class Found:
    """What a comparison says: differences, levels, and the notes on what they rest on."""

    differences: pl.DataFrame
    levels: pl.DataFrame
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Steps:
    """What each change is worth: one after the other, and each alone; the notes on what that rests on."""

    steps: pl.DataFrame
    alone: pl.DataFrame
    notes: tuple[str, ...]

    def waterfall(self, metric: str) -> pl.DataFrame:
        """The steps of one measure of all players, with the interval of each step's end, for `change_waterfall`."""
        found = self.steps.filter((pl.col("metric") == metric) & (pl.col("of") == "all"))
        ends = [(pl.col("before") + pl.col(end)).alias(f"after_{end}") for end in ("low", "high")]
        return found.with_columns(ends).sort("number")

    def measures(self) -> dict[str, str]:
        """Measures of all players together, with their titles."""
        of_all = self.steps.filter(pl.col("of") == "all").select("metric", "title").unique(maintain_order=True)
        return dict(of_all.iter_rows())


@st.cache_resource
def _kept() -> tuple[dict[tuple[Any, ...], Any], threading.Lock]:
    """Results by what they were computed from."""
    return {}, threading.Lock()


def _once(key: tuple[Any, ...], compute: Callable[[], Any]) -> Any:
    kept, lock = _kept()
    if key not in kept:
        found = compute()
        with lock:
            kept[key] = found
            while len(kept) > KEPT:
                kept.pop(next(iter(kept)))
    return kept[key]


def rescored(entry: loaders.Entry, a: ofc.Rules, b: ofc.Rules) -> Found:
    """The hands of a log scored under both rulesets, play held fixed."""
    log = loaders.open_log(entry)

    def compute() -> Found:
        found = ofc.compare_rules([a, b], log=log, mode="rescored")
        return Found(found.differences, found.levels, found.notes)

    found: Found = _once(("rescored", entry.path, entry.stamp, a.id, b.id, a.name, b.name), compute)
    return found


def rescored_steps(entry: loaders.Entry, a: ofc.Rules, b: ofc.Rules) -> Steps:
    """The same, a change at a time."""
    log = loaders.open_log(entry)

    def compute() -> Steps:
        found = ofc.one_change_at_a_time(a, b, log=log, mode="rescored")
        return Steps(found.steps, found.alone, found.notes)

    found: Steps = _once(("steps", entry.path, entry.stamp, a.id, b.id), compute)
    return found


def _name(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def _asked(a: ofc.Rules, b: ofc.Rules, players: tuple[str, ...], size: str, runs: int) -> dict[str, Any]:
    tables, hands = SIZES[size]
    return {"strategies": list(players), "tables": tables, "hands": hands, "seed": 1, "runs": runs,
            "names": [a.name, b.name]}  # fmt: skip


def comparison_job(a: ofc.Rules, b: ofc.Rules, players: tuple[str, ...], size: str) -> tuple[str, dict[str, Any]]:
    """Name and order of the job that plays both rulesets anew."""
    asked = _asked(a, b, players, size, 2)
    return f"compare-{_name(a.id, b.id, asked)}", asked


def steps_job(
    a: ofc.Rules, b: ofc.Rules, players: tuple[str, ...], size: str, changes: int
) -> tuple[str, dict[str, Any]]:
    """Name and order of the job that plays every change anew."""
    asked = {**_asked(a, b, players, size, 2 * changes), "steps": True}
    return f"steps-{_name(a.id, b.id, asked)}", asked


def _table(job: jobs.Job, name: str) -> pl.DataFrame | None:
    file = job.folder / f"{name}.parquet"
    return pl.read_parquet(file) if file.is_file() else None


def _notes(job: jobs.Job) -> tuple[str, ...]:
    file = job.folder / "notes.json"
    return tuple(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else ()


def played(job: jobs.Job) -> Found:
    """What a finished job found."""
    differences, levels = _table(job, "differences"), _table(job, "levels")
    if differences is None or levels is None:
        raise ValueError(f"{job.folder} does not hold the tables of a comparison; remove it and play anew")
    return Found(differences, levels, _notes(job))


def played_steps(job: jobs.Job) -> Steps:
    """What a finished job found, a change at a time."""
    steps, alone = _table(job, "steps"), _table(job, "alone")
    if steps is None or alone is None:
        raise ValueError(f"{job.folder} does not hold the tables of a comparison; remove it and play anew")
    return Steps(steps, alone, _notes(job))


def worth(rules: ofc.Rules) -> pl.DataFrame | None:
    """What a Fantasyland hand is worth by its cards, everybody playing the quick strategy; None without Fantasyland."""
    if not rules.fantasyland.enabled:
        return None

    def compute() -> pl.DataFrame:
        return ofc.fantasyland_value(rules, PLAYERS[0], tables=CHAINS).frame

    found: pl.DataFrame = _once(("worth", rules.id), compute)
    return found
