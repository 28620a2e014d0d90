"""simulate(): play a plan into a log, alone or with workers, and resume what was interrupted."""

from __future__ import annotations

import html
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ofclab.engine import play
from ofclab.kernels.jit import is_cold
from ofclab.log import Log, LogWriter, open_log
from ofclab.log.errors import CannotWrite
from ofclab.log.library import runs_folder
from ofclab.log.manifest import canonical_key, read_manifest
from ofclab.log.parts import sweep
from ofclab.log.store import Store
from ofclab.rules import Rules, load_rules
from ofclab.runs.parts import Job, pack_strategies, play_part
from ofclab.runs.plan import Plan, RunError, make_plan
from ofclab.runs.pool import Outcome, Pool
from ofclab.strategies import get

TELL_SECONDS = 0.2
"""The progress callback is called no more often than this."""
FAILURES_BEFORE_ANY_SUCCESS = 3
"""So many parts that fail before one succeeds end the run: the fault is not theirs."""


@dataclass(frozen=True)
class Progress:
    """How far a run is; handed to the ``progress`` callback. Parts that were there at the start count as done."""

    parts_done: int
    parts: int
    hands: int
    """Hands played since the start."""
    hands_to_play: int
    """Hands to play in all since the start, at most: a game may end early."""
    seconds: float

    @property
    def rate(self) -> float:
        """Hands a second."""
        return self.hands / self.seconds if self.seconds > 0 else 0.0

    @property
    def eta(self) -> float | None:
        """Seconds left, None before anything was played."""
        return (self.hands_to_play - self.hands) / self.rate if self.hands else None


@dataclass(frozen=True)
class Run:
    """A finished simulation: its plan and its log."""

    plan: Plan
    path: Path
    seconds: float
    """Time this call took."""

    @property
    def log(self) -> Log:
        """The log, opened."""
        return open_log(self.path)

    def __repr__(self) -> str:
        plan = self.plan
        return (
            f"<Run {self.path}: {' v '.join(plan.strategies)} under {plan.rules.name}, {plan.tables:,} tables of "
            f"{plan.hands:,} hands, seed {plan.seed}>"
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self).strip('<>'))}</p>{self.log._repr_html_()}"


def simulate(
    rules: Rules | str | Path,
    strategies: Sequence[Any],
    tables: int = 1000,
    hands: int = 200,
    seed: int = 0,
    out: str | os.PathLike[str] | None = None,
    workers: int = 1,
    stacks: int | Sequence[int] | None = None,
    fantasyland_values: float | Mapping[int, float] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Play ``hands`` hands at each of ``tables`` tables and write them to a log.

    ``rules``: a preset, a TOML file or Rules. ``strategies``: one a seat: a name (``"cutoff_rows(front_max=5)"``), or
    an object with ``place(spots)`` or ``choose(view)``. ``out``: a folder; by default
    ``data/runs/<rules>-<seed>-<hash>`` below $OFCLAB_HOME or the working folder. ``stacks``: chips each seat sits down
    with. ``fantasyland_values``: points a Fantasyland hand is worth, one number or by number of cards. ``progress``:
    called with a `Progress` several times a second.

    The log is written in parts, the same bytes whatever the workers. A run that was interrupted goes on where it
    stopped when it is called again with the same plan; a finished one is returned as it is. Raises RunError for a plan
    that cannot be, a folder that holds another one, or parts that failed (the others are kept); LogError for a full
    disk.

    >>> simulate("american-pineapple", ["never_bust_greedy", "random_legal"], tables=100, hands=50)  # doctest: +SKIP
    """
    begun = time.perf_counter()
    ruleset = load_rules(rules)
    if isinstance(strategies, str):
        raise RunError(f"want one strategy a seat, such as [{strategies!r}, 'random_legal'], got {strategies!r}")
    if workers < 1:
        raise RunError(f"workers must be at least 1, got {workers}")
    players = [get(strategy) for strategy in strategies]
    plan = make_plan(ruleset, players, tables, hands, seed, stacks, fantasyland_values)
    path = default_folder(plan) if out is None else Path(out).expanduser()
    plan = _as_begun(plan, path)
    job = Job(path, plan, pack_strategies(players) if workers > 1 else players)
    if workers > 1:
        _check_can_spawn(players)
    writer = LogWriter(path, plan.manifest_source(), [ruleset])
    writer.sweep()
    to_play = [number for number in range(plan.parts) if not writer.has(number)]
    if to_play:
        _play(job, to_play, workers, _Meter(plan, to_play, progress))
    return Run(plan, path, time.perf_counter() - begun)


def default_folder(plan: Plan) -> Path:
    """Where a run goes when no folder is named."""
    return runs_folder() / f"{plan.rules.name or 'rules'}-{plan.seed}-{canonical_key(plan.source()):016x}"


def _as_begun(plan: Plan, path: Path) -> Plan:
    """The plan, cut into parts as the log that is to be resumed; RunError when that log has another plan."""
    manifest = read_manifest(Store(path))
    if manifest is None:
        return plan
    different = plan.difference(manifest)
    if different is not None:
        raise RunError(f"{path} holds another run: {different}. Choose another folder, or remove that one")
    return replace(plan, tables_per_part=int(manifest["source"]["tables_per_part"]))


def _check_can_spawn(players: Sequence[Any]) -> None:
    """Say what is wrong before worker processes die of it."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise RunError("a script that plays with workers > 1 must call simulate under `if __name__ == '__main__':`")
    main = sys.modules.get("__main__")
    for player in players:
        kind = type(getattr(player, "player", player))
        if kind.__module__ == "__main__" and not hasattr(main, "__file__"):
            raise RunError(
                f"{kind.__name__} is defined in an interactive session, where worker processes cannot find it; put it "
                "in a module, or use workers=1"
            )


class _Meter:
    """Counts hands and tells the callback, not too often."""

    def __init__(self, plan: Plan, to_play: Sequence[int], progress: Callable[[Progress], None] | None) -> None:
        self.plan, self.progress = plan, progress
        self.begun, self.told = time.perf_counter(), 0.0
        self.parts_done = plan.parts - len(to_play)
        self.finished, self.under_way = 0, 0
        self.hands_to_play = sum(self._most_hands(number) for number in to_play)

    def _most_hands(self, number: int) -> int:
        return len(self.plan.tables_of(number)) * self.plan.hands

    def part_ended(self, outcome: Outcome) -> None:
        """Count a part; what a game that ended early did not play is not left to play."""
        self.parts_done += outcome.error is None
        self.finished += outcome.hands
        self.hands_to_play -= self._most_hands(outcome.number) - outcome.hands
        self.tell(always=True)

    def playing(self, hands: int) -> None:
        """Take note of the hands played of parts that have not ended."""
        self.under_way = hands
        self.tell()

    def tell(self, always: bool = False) -> None:
        """Call the callback."""
        now = time.perf_counter()
        if self.progress is None or (now - self.told < TELL_SECONDS and not always):
            return
        self.told = now
        hands = self.finished + self.under_way
        self.progress(Progress(self.parts_done, self.plan.parts, hands, self.hands_to_play, now - self.begun))


def _outcomes(job: Job, numbers: Sequence[int], workers: int, meter: _Meter) -> Generator[Outcome]:
    """Play parts here or in workers, and yield each as it ends."""
    if workers == 1:
        for number in numbers:
            try:
                outcome = Outcome(number, play_part(job, number, meter.playing))
            except Exception as error:
                outcome = Outcome(number, error=error)
            meter.under_way = 0
            yield outcome
        return
    if is_cold():
        # Once here, or every worker compiles the same kernels.
        list(play(job.plan.rules, job.fresh_strategies(), range(1), 1, job.plan.seed))
    pool, left = Pool(job, min(workers, len(numbers))), set(numbers)
    with closing(pool.run(numbers)) as outcomes:
        for ended in outcomes:
            if ended is not None:
                left.discard(ended.number)
            meter.playing(sum(pool.hands_played[number] for number in left))
            if ended is not None:
                yield ended


def _play(job: Job, numbers: Sequence[int], workers: int, meter: _Meter) -> None:
    """Play parts and raise what went wrong once the others are done, a full disk at once."""
    failures: list[Outcome] = []
    succeeded = 0
    try:
        # Closed at once when anything stops the loop, so that no worker plays on behind an error.
        with closing(_outcomes(job, numbers, workers, meter)) as outcomes:
            for outcome in outcomes:
                meter.part_ended(outcome)
                if outcome.error is None:
                    succeeded += 1
                    continue
                if isinstance(outcome.error, CannotWrite):
                    raise outcome.error
                failures.append(outcome)
                if not succeeded and len(failures) == FAILURES_BEFORE_ANY_SUCCESS:
                    break
    except (KeyboardInterrupt, CannotWrite) as error:
        sweep(job.path)
        error.add_note(_resume(job, meter))
        raise
    if failures:
        parts = "; ".join(
            f"part {outcome.number} (tables {job.plan.tables_of(outcome.number)[0]} to "
            f"{job.plan.tables_of(outcome.number)[-1]}): {outcome.error or type(outcome.error).__name__}"
            for outcome in failures[:FAILURES_BEFORE_ANY_SUCCESS]
        )
        more = len(failures) - FAILURES_BEFORE_ANY_SUCCESS
        shown = f"{parts}; and {more} more" if more > 0 else parts
        raise RunError(f"{len(failures)} parts failed: {shown}. {_resume(job, meter)}") from failures[0].error


def _resume(job: Job, meter: _Meter) -> str:
    return (
        f"{meter.parts_done} of {job.plan.parts} parts are finished in {job.path}; the same call plays the others and "
        "leaves these alone"
    )
