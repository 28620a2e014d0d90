"""Compare rulesets: what changes, for whom, and how sure that is."""

import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, get_args

import polars as pl

from ofclab.compare import rescored
from ofclab.compare.errors import CompareError
from ofclab.compare.frames import difference_frame, level_frame
from ofclab.compare.measures import Sample, added, as_samples, table_sums
from ofclab.compare.result import Mode, RulesComparison
from ofclab.log import Log, open_log
from ofclab.rules import Rules, load_rules
from ofclab.strategies import default_strategy, get

STRATEGIES: Final = ("never_bust_greedy", "never_bust_greedy")
"""Who plays when nobody is named and expert has no nets for some rules: quick, and of one strength."""
EXPERTS: Final = ("expert(fast)", "expert(fast)")
"""Who plays when nobody is named: of one strength, so that what moves is the rules' doing."""


@dataclass(frozen=True)
class Plan:
    """How rulesets are put side by side: everything but the rulesets."""

    log: Log | None
    mode: Mode
    strategies: tuple[Any, ...] = ()
    tables: int = 400
    hands: int = 200
    seed: int = 0
    fantasyland_values: float | Mapping[int, float] | None = None
    workers: int = 1
    out: Path | None = None
    progress: Any = field(default=None, repr=False)

    def samples(self, rulesets: Sequence[Rules]) -> tuple[list[Sample], tuple[str, ...]]:
        """Measure every ruleset once, tables paired; also what the numbers rest on."""
        names = unique_names(rulesets)
        if self.mode == "rescored":
            assert self.log is not None
            values, source = rescored.as_values(self.fantasyland_values)
            rescored.require_same_deal(self.log, rulesets)
            sums = [
                added(table_sums(part, "table_id") for part in rescored.fixed_play(self.log, rules, values))
                for rules in rulesets
            ]
            return as_samples(rulesets, names, sums), rescored.notes(rulesets, values, source)
        players = self.strategies or default_players(rulesets)
        told = " v ".join(get(player).label for player in players)
        return as_samples(rulesets, names, self._play(rulesets, players)), (
            f"Re-simulated: {self.tables} tables of {self.hands} hands of {told}, the same shuffles (seed {self.seed}) "
            "under every ruleset, tables paired with tables.",
        )

    def _play(self, rulesets: Sequence[Rules], players: Sequence[Any]) -> list[pl.DataFrame]:
        from ofclab.compare.resimulated import played_anew

        with tempfile.TemporaryDirectory() if self.out is None else nullcontext(self.out) as folder:
            frames = played_anew(
                rulesets, players, Path(folder), tables=self.tables, hands=self.hands, seed=self.seed,
                fantasyland_values=self.fantasyland_values, workers=self.workers, progress=self.progress,
            )  # fmt: skip
            return [table_sums(frame, "pair") for frame in frames]


def default_players(rulesets: Sequence[Rules]) -> tuple[str, str]:
    """Two of the strongest player that is quick under all of the rulesets."""
    return EXPERTS if all(default_strategy(rules) == EXPERTS[0] for rules in rulesets) else STRATEGIES


def compare_rules(
    rulesets: Sequence[Rules | str],
    log: Log | str | os.PathLike[str] | None = None,
    mode: Mode = "resimulated",
    strategies: Sequence[Any] | None = None,
    tables: int = 400,
    hands: int = 200,
    seed: int = 0,
    fantasyland_values: float | Mapping[int, float] | None = None,
    workers: int = 1,
    out: str | os.PathLike[str] | None = None,
    progress: Any = None,
) -> RulesComparison:
    """Compare rulesets with the first of them, in one of two ways that are never mixed.

    ``resimulated``: every ruleset is played anew by `strategies` (one a seat) on the same shuffles, `hands` hands at
    each of `tables` tables; tables are paired with tables. ``out``: folder that keeps the runs, one a ruleset.
    ``rescored``: the hands of `log` are scored under every ruleset, play held fixed; only hands in which nobody came in
    with Fantasyland cards count, and each entry is worth `fantasyland_values` points (a number, or points by cards; the
    engine's defaults when not given), taken from the opponents in equal parts.
    Raises CompareError for a mode that lacks what it needs and for rules a log cannot be re-scored under.
    """
    loaded = [load_rules(rules) for rules in rulesets]
    if len(loaded) < 2:
        raise CompareError(f"want two rulesets or more to compare, got {len(loaded)}")
    plan = as_plan(log, mode, strategies, tables, hands, seed, fantasyland_values, workers, out, progress)
    samples, notes = plan.samples(loaded)
    pairs = [(samples[0], sample) for sample in samples[1:]]
    levels, differences = level_frame(samples, mode), difference_frame(pairs, mode)
    return RulesComparison(mode, tuple(loaded), tuple(sample.name for sample in samples), levels, differences, notes)


def as_plan(
    log: Log | str | os.PathLike[str] | None, mode: Mode, strategies: Sequence[Any] | None, tables: int, hands: int,
    seed: int, fantasyland_values: float | Mapping[int, float] | None, workers: int,
    out: str | os.PathLike[str] | None, progress: Any,
) -> Plan:  # fmt: skip
    """Check that a mode has what it needs and nothing it cannot use."""
    if mode not in get_args(Mode):
        raise CompareError(f"no mode {mode!r}; have {', '.join(get_args(Mode))}")
    if mode == "rescored" and log is None:
        raise CompareError("mode='rescored' scores hands that were played: give it a log")
    if mode == "rescored" and strategies is not None:
        raise CompareError("mode='rescored' holds play fixed: it takes no strategies; mode='resimulated' plays anew")
    if mode == "resimulated" and log is not None:
        raise CompareError(
            "mode='resimulated' plays anew: it takes strategies, not a log; mode='rescored' scores a log"
        )
    opened = log if log is None or isinstance(log, Log) else open_log(log)
    return Plan(
        opened, mode, tuple(strategies or ()), tables, hands, seed, fantasyland_values, workers,
        None if out is None else Path(out), progress,
    )  # fmt: skip


def unique_names(rulesets: Sequence[Rules]) -> list[str]:
    """A name for every ruleset: its own, with its id where the name is taken and a number where that is taken too."""
    names: list[str] = []
    for rules in rulesets:
        name = rules.name or rules.id
        choices = (name, f"{name} {rules.id[:6]}", *(f"{name} ({number})" for number in range(3, len(rulesets) + 3)))
        names.append(next(choice for choice in choices if choice not in names))
    return names
