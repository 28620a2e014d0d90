"""What a Fantasyland hand is worth: chains played out, to the fixed point where play aims at that very worth."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.engine import DEFAULT_FANTASYLAND_VALUES
from ofclab.kernels.jit import cache_root
from ofclab.kernels.scoring import ENTRY_BOTH_CARDS, STAY_CARDS
from ofclab.rules import Rules, load_rules
from ofclab.rules.compiled import compile_rules
from ofclab.solver.chains import Chains, play_chains
from ofclab.solver.shares import Workers, fresh, pack
from ofclab.strategies import UnknownStrategy, get

CHAINS_AT_ONCE = 500
LEVEL = 0.95
_SCHEMA = 1
_LEAST_STEP = 2.0
"""Points by which the second start is moved beyond the first answer, at least; closer ones would not show the slope."""
_STEEPEST = 0.9


@dataclass(frozen=True, eq=False)
class FantasylandValue:
    """Points a Fantasyland hand is worth beyond a normal hand, everything that follows from it included.

    ``frame`` has a row per number of cards: cards, value, low, high (95 %), chains: chains played; hands: mean length
    of a chain; of its first hand: points, royalties, stay_rate. ``slope``: by how much the value that is found moves
    with the value that players aim at; ``start``: the values aimed at when the frame was measured.
    """

    rules: Rules
    strategy: str
    seats: int
    frame: pl.DataFrame
    slope: float
    start: Mapping[int, float]

    @property
    def values(self) -> dict[int, float]:
        """Points by number of cards, as ``fantasyland_values`` of every other function."""
        return dict(self.frame.select("cards", "value").iter_rows())

    def __getitem__(self, cards: int) -> float:
        return self.values[cards]

    def __repr__(self) -> str:
        told = ", ".join(
            f"{row['cards']} cards {row['value']:.2f} ({row['low']:.2f} to {row['high']:.2f})"
            for row in self.frame.iter_rows(named=True)
        )
        return f"<FantasylandValue under {self.rules.name}, {self.strategy}, {self.seats} seats: {told}>"

    def _repr_html_(self) -> str:
        return f"<p>{self.rules.name}, {self.strategy}, {self.seats} seats</p>{self.frame._repr_html_()}"


def fantasyland_cards(rules: Rules) -> tuple[int, ...]:
    """The numbers of Fantasyland cards that a player can come to under these rules."""
    compiled = compile_rules(rules)
    sizes = {int(cards) for cards in np.unique(compiled.entry)}
    if compiled.entry[1].any() and compiled.entry[0].any():
        sizes.add(int(compiled.switches[ENTRY_BOTH_CARDS]))
    if compiled.stay.any():
        sizes.add(int(compiled.switches[STAY_CARDS]))
    return tuple(sorted(sizes - {0}))


def fantasyland_value(
    rules: Rules | str | Path,
    strategy: Any = "hindsight",
    seats: int = 2,
    tables: int = 4000,
    hands: int = 200,
    seed: int = 0,
    workers: int = 1,
    cache: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> FantasylandValue:
    """Points that a Fantasyland hand is worth, by number of cards, when everybody plays one strategy.

    One seat begins with the Fantasyland cards, and what it wins is counted until nobody is in Fantasyland: a normal
    hand among equals is worth nothing, so that is what the hand adds. How people play depends on what they think
    Fantasyland is worth, x: with s the slope of the value found, V(x), the fixed point is V* = (V(x0) - s x0) / (1 - s)
    (repeating V alone goes up and down around it). Two rounds of ``tables`` / 2 chains find s and a first V*, a third
    one of ``tables`` chains from V* gives the answer and its interval, clustered by table.

    ``hands``: longest chain that is played out. ``cache``: keep the answer for a named strategy in the user's cache,
    by ruleset, strategy and seats, and take it from there when it rests on as many tables.
    Raises ValueError for rules without Fantasyland, SessionError for seats the rules do not allow.
    """
    ruleset, player = load_rules(rules), get(strategy)
    sizes = fantasyland_cards(ruleset)
    if not sizes:
        raise ValueError(f"{ruleset.name or 'this ruleset'} has no Fantasyland (fantasyland.enabled is off)")
    if tables < 4:
        raise ValueError(f"want at least 4 tables, got {tables}")
    path = _cache_path(ruleset, player, seats) if cache else None
    known = _read(path, ruleset, tables) if path is not None else None
    if known is not None:
        return known
    first = np.array([DEFAULT_FANTASYLAND_VALUES[cards] for cards in sizes])
    with Workers(workers) as pool:
        rounds = _Rounds(ruleset, pack([player], workers), sizes, seats, hands, seed, pool, progress, tables)
        found = rounds.means(first, range(tables // 2))
        step = found - first
        away = np.where(np.abs(step) < _LEAST_STEP, np.copysign(_LEAST_STEP, step.mean() or 1.0), step)
        second = first + 2 * away
        moved = rounds.means(second, range(tables // 2)) - found
        slope = min(_STEEPEST, float(moved @ (second - first)) / float((second - first) @ (second - first)))
        start = (found - slope * first) / (1 - slope)
        played = rounds.play(start, range(tables, 2 * tables))
    value = _measured(ruleset, player.label, seats, sizes, start, slope, played)
    if path is not None:
        _write(path, value)
    return value


@dataclass
class _Job:
    """Some chains of one number of cards."""

    rules: Rules
    strategy: bytes | list[Any]
    seats: int
    tables: range
    cards: int
    longest: int
    seed: int
    values: dict[int, float]


def _chains(job: _Job) -> Chains:
    players = fresh(job.strategy, [0] * job.seats)
    return play_chains(job.rules, players, job.tables, job.cards, job.longest, job.seed, job.values)


@dataclass
class _Rounds:
    """Plays chains of every number of cards when all aim at given values."""

    rules: Rules
    strategy: bytes | list[Any]
    sizes: tuple[int, ...]
    seats: int
    longest: int
    seed: int
    workers: Workers
    progress: Callable[[int, int], None] | None
    tables: int
    done: int = 0

    def play(self, aim: NDArray[np.float64], tables: range) -> list[Chains]:
        """Chains of every number of cards, the same tables whatever is aimed at."""
        values = dict(zip(self.sizes, aim.tolist(), strict=True))
        pieces = [tables[first : first + CHAINS_AT_ONCE] for first in range(0, len(tables), CHAINS_AT_ONCE)]
        jobs = [
            _Job(self.rules, self.strategy, self.seats, piece, cards, self.longest, self.seed, values)
            for cards in self.sizes
            for piece in pieces
        ]
        parts = []
        for job, part in zip(jobs, self.workers.share(_chains, jobs), strict=True):
            parts.append(part)
            self.done += len(job.tables)
            if self.progress is not None:
                whole = (self.tables // 2 * 2 + self.tables) * len(self.sizes)
                self.progress(self.done, whole)
        return [_joined(parts[i * len(pieces) : (i + 1) * len(pieces)]) for i in range(len(self.sizes))]

    def means(self, aim: NDArray[np.float64], tables: range) -> NDArray[np.float64]:
        """Mean points of a chain by number of cards."""
        return np.array([chains.points.mean() for chains in self.play(aim, tables)])


def _joined(parts: list[Chains]) -> Chains:
    return Chains(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("points", "hands", "first_points", "royalties", "stays")
        )
    )


def _measured(
    rules: Rules, label: str, seats: int, sizes: tuple[int, ...], start: NDArray[np.float64], slope: float,
    played: list[Chains],
) -> FantasylandValue:  # fmt: skip
    """The crossing formula applied to the last round."""
    # scipy takes half a second to import.
    from scipy.special import stdtrit

    rows = []
    for cards, aim, chains in zip(sizes, start.tolist(), played, strict=True):
        n = len(chains.points)
        value = (float(chains.points.mean()) - slope * aim) / (1 - slope)
        error = float(chains.points.std(ddof=1)) / np.sqrt(n) / (1 - slope)
        half = float(stdtrit(n - 1, 0.5 + LEVEL / 2)) * error
        rows.append(
            (cards, value, value - half, value + half, n, float(chains.hands.mean()),
             float(chains.first_points.mean()), float(chains.royalties.mean()), float(chains.stays.mean()))
        )  # fmt: skip
    names = ("cards", "value", "low", "high", "chains", "hands", "points", "royalties", "stay_rate")
    integers = ("cards", "chains")
    schema = {name: pl.Int64 if name in integers else pl.Float64 for name in names}
    aimed = dict(zip(sizes, start.tolist(), strict=True))
    return FantasylandValue(rules, label, seats, pl.DataFrame(rows, schema, orient="row"), slope, aimed)


def _cache_path(rules: Rules, player: Any, seats: int) -> Path | None:
    """Where the value of a strategy that its label names is kept; None for one of the user's own."""
    try:
        named = get(player.label) == player
    except UnknownStrategy:
        named = False
    if not named:
        return None
    label = hashlib.blake2b(player.label.encode(), digest_size=8).hexdigest()
    return cache_root() / "fantasyland_values" / f"{rules.id}-{seats}-{label}.json"


def _read(path: Path, rules: Rules, tables: int) -> FantasylandValue | None:
    """A value that was kept, when it rests on at least so many tables."""
    try:
        kept = json.loads(path.read_text())
        if kept["schema"] != _SCHEMA or kept["tables"] < tables:
            return None
        start = {int(cards): points for cards, points in kept["start"].items()}
        return FantasylandValue(
            rules, kept["strategy"], kept["seats"], pl.DataFrame(kept["frame"]), kept["slope"], start
        )
    except (OSError, ValueError, KeyError):
        return None


def _write(path: Path, value: FantasylandValue) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = {
        "schema": _SCHEMA, "ruleset": value.rules.id, "rules": value.rules.name, "strategy": value.strategy,
        "seats": value.seats, "tables": int(value.frame["chains"][0]), "slope": value.slope, "start": value.start,
        "frame": value.frame.to_dicts(),
    }  # fmt: skip
    fresh = path.with_suffix(".tmp")
    fresh.write_text(json.dumps(kept, indent=1))
    fresh.replace(path)
