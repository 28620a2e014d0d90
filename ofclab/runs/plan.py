"""What a run will play, fixed before it starts: everything the bytes of its log depend on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ofclab.engine import Strategy
from ofclab.log.batches import RunKey
from ofclab.log.manifest import canonical_key, generator_version
from ofclab.rules import Rules

PART_ROWS = 131_072
"""Player-hands of a part, about; a large part is quick to write and read."""
LEAST_PART_ROWS = 8_192
"""Player-hands of a part of a small run, so that it has parts to share among workers."""
PARTS_OF_A_SMALL_RUN = 8
MOST_SEED = 2**64 - 1


class RunError(ValueError):
    """A run that cannot start, go on or end; the message says which part and how to resume."""


@dataclass(frozen=True)
class Plan:
    """A simulation before it starts."""

    rules: Rules
    strategies: tuple[str, ...]
    """Label of each seat's strategy."""
    tables: int
    hands: int
    seed: int
    stacks: tuple[int, ...] | None
    fantasyland_values: tuple[tuple[int, float], ...] | None
    tables_per_part: int

    @property
    def parts(self) -> int:
        """Parts of the log."""
        return -(-self.tables // self.tables_per_part)

    def tables_of(self, part: int) -> range:
        """Table numbers of a part."""
        first = part * self.tables_per_part
        return range(first, min(first + self.tables_per_part, self.tables))

    @property
    def values(self) -> dict[int, float] | None:
        """What a Fantasyland hand of so many cards is worth, None for the engine's own values."""
        return None if self.fantasyland_values is None else dict(self.fantasyland_values)

    @property
    def run_key(self) -> RunKey:
        """What the ids of hands and tables are made of; more tables keep the ids of the first ones."""
        source = self.source()
        kept = ("ruleset_id", "strategies", "seed", "hands", "stacks", "fantasyland_values")
        key = canonical_key({name: source[name] for name in kept})
        return RunKey(key, self.hands, self.seed, self.rules.id, self.strategies)

    @property
    def log_key(self) -> int:
        """Key of the log: stamped into every part, and how a worker knows that it found the right log."""
        return canonical_key(self.manifest_source())

    def source(self) -> dict[str, Any]:
        """The plan as it stands in the manifest, without the key of the run."""
        values = self.fantasyland_values
        return {
            "kind": "simulation",
            "ruleset_id": self.rules.id,
            "rules": self.rules.name,
            "strategies": list(self.strategies),
            "tables": self.tables,
            "hands": self.hands,
            "seed": self.seed,
            "stacks": None if self.stacks is None else list(self.stacks),
            "fantasyland_values": None if values is None else {str(cards): points for cards, points in values},
            "tables_per_part": self.tables_per_part,
            "parts": self.parts,
        }

    def manifest_source(self) -> dict[str, Any]:
        """The plan as it stands in the manifest."""
        return {**self.source(), "run_key": f"{self.run_key.key:016x}"}

    def difference(self, manifest: Mapping[str, Any]) -> str | None:
        """What another log was planned with that this plan was not, in words; None when nothing differs."""
        there, here = manifest["source"], self.manifest_source()
        if there.get("kind") != "simulation":
            return f"it is no simulation but {there.get('kind') or 'something else'}"
        told = []
        if there.get("ruleset_id") != self.rules.id:
            other = f"{there.get('rules')} ({there.get('ruleset_id')})"
            told = [f"the rules are {other} there, {self.rules.name} ({self.rules.id}) here"]
        for name in ("strategies", "tables", "hands", "seed", "stacks", "fantasyland_values"):
            if there.get(name) != here[name]:
                told.append(f"{name} is {there.get(name)!r} there, {here[name]!r} here")
        if not told and manifest.get("version") != generator_version():
            told = [f"it was begun by ofclab {manifest.get('version')}, this is {generator_version()}"]
        return "; ".join(told) or None


def tables_per_part(tables: int, hands: int, seats: int) -> int:
    """Tables of a part: a large run has parts of about PART_ROWS player-hands, a small one several smaller parts.

    Depends on the size of the run alone, never on the workers.
    """
    rows = min(PART_ROWS, max(LEAST_PART_ROWS, tables * hands * seats // PARTS_OF_A_SMALL_RUN))
    return max(1, rows // (hands * seats))


def make_plan(
    rules: Rules,
    strategies: Sequence[Strategy],
    tables: int,
    hands: int,
    seed: int,
    stacks: int | Sequence[int] | None,
    fantasyland_values: float | Mapping[int, float] | None,
) -> Plan:
    """Check what was asked for and fix it. Raises RunError naming the value that cannot be."""
    for name, value in (("tables", tables), ("hands", hands)):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < 2**32:
            raise RunError(f"{name} must be a whole number of at least 1, got {value!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MOST_SEED:
        raise RunError(f"the seed must be a whole number 0..2^64-1, got {seed!r}")
    seats = len(strategies)
    if not 2 <= seats <= rules.players.max:
        raise RunError(f"{rules.name} seats 2 to {rules.players.max} players, got {seats} strategies; give one a seat")
    if isinstance(stacks, int):
        stacks = [stacks] * seats
    if stacks is not None and (len(stacks) != seats or min(stacks) <= 0):
        raise RunError(f"want a positive stack for each of {seats} seats, got {list(stacks)}")
    if isinstance(fantasyland_values, int | float):
        fantasyland_values = dict.fromkeys(range(13, 18), float(fantasyland_values))
    values = None
    if fantasyland_values is not None:
        values = tuple(sorted((int(cards), float(points)) for cards, points in fantasyland_values.items()))
        if any(not 13 <= cards <= 17 for cards, _ in values):
            raise RunError(f"Fantasyland is worth points for 13 to 17 cards, got {dict(values)}")
    return Plan(
        rules,
        tuple(strategy.label for strategy in strategies),
        tables,
        hands,
        seed,
        None if stacks is None else tuple(int(chips) for chips in stacks),
        values,
        tables_per_part(tables, hands, seats),
    )
