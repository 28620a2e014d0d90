"""Reviewed decisions beside the facts of a log: a file per part under ``evaluations/<engine>/``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from ofclab.engine import Strategy
from ofclab.log import Log, LogError
from ofclab.log.manifest import canonical_key, generator_version
from ofclab.log.parts import encode, note_of, part_name
from ofclab.reviews.levels import Level
from ofclab.reviews.schema import EVALUATIONS
from ofclab.strategies import UnknownStrategy, get

VERSION = 1
"""Raised whenever the same settings would give other numbers."""


@dataclass(frozen=True)
class Engine:
    """All that the values of a review depend on beside the log: policy, level, seed, worth of Fantasyland, version."""

    policy: str
    level: Level
    fantasyland_values: tuple[tuple[int, float], ...]
    seed: int

    @property
    def source(self) -> dict[str, Any]:
        """The settings as plain values."""
        values = {str(cards): points for cards, points in self.fantasyland_values}
        told = {"policy": self.policy, "level": asdict(self.level), "fantasyland_values": values}
        return {**told, "seed": self.seed, "version": f"{generator_version()}, review {VERSION}"}

    @property
    def name(self) -> str:
        """Folder of its evaluations: level, policy and a hash of all settings."""
        policy = re.sub(r"[^a-z0-9.]+", "-", self.policy.lower()).strip("-")
        return f"{self.level.name}-{policy}-{canonical_key(self.source):016x}"


def is_named(player: Strategy) -> bool:
    """Tell whether a strategy's label says what it does: what one of the user's own found is not kept."""
    try:
        return bool(get(player.label) == player)
    except (UnknownStrategy, TypeError, ValueError):
        return False


def read_part(log: Log, number: int, engine: Engine) -> pl.DataFrame:
    """What is kept of one part, empty where nothing is; LogError naming a file that is corrupt or of something else."""
    name = _file(number, engine)
    if not log.store.has(name):
        return EVALUATIONS.to_frame()
    where = log.store.location(name)
    note = note_of(log.store.footer(name), where)
    wanted = _note(log, number, engine)
    if any(note.get(key) != value for key, value in wanted.items()):
        raise LogError(f"{where} belongs to another log, part or review; remove it, or review under other settings")
    frame = log.read("evaluations", number, engine.name)
    if frame.schema != EVALUATIONS:
        raise LogError(f"{where} does not have the columns of a review; remove it to review the part again")
    return frame


def put_part(log: Log, number: int, engine: Engine, frame: pl.DataFrame) -> None:
    """Keep the decisions of one part, whole or not at all."""
    log.store.put(_file(number, engine), encode(frame, _note(log, number, engine)))


def _file(number: int, engine: Engine) -> str:
    return f"evaluations/{engine.name}/{part_name(number)}"


def _note(log: Log, number: int, engine: Engine) -> Mapping[str, Any]:
    return {"table": "evaluations", "log": log.key, "part": number, "engine": engine.source}
