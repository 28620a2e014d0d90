"""simulate(): play a plan into a log, alone or with workers, and resume what was interrupted."""

from __future__ import annotations

import html
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ofclab.log import Log, LogWriter, open_log
from ofclab.log.errors import CannotWrite
from ofclab.log.library import runs_folder
from ofclab.log.manifest import canonical_key, read_manifest
from ofclab.log.store import Store
from ofclab.rules import Rules, load_rules
from ofclab.runs.parts import Job
from ofclab.runs.plan import Plan, RunError, make_plan
from ofclab.runs.pool import Outcome
from ofclab.runs.progress import Meter, Progress
from ofclab.runs.team import Engine, Team
from ofclab.strategies import get

FAILURES_BEFORE_ANY_SUCCESS = 3
"""So many parts that fail before one succeeds end the run: the fault is not theirs."""


@dataclass(frozen=True)
class Run:
    """A finished simulation: its plan and its log."""

    plan: Plan
    path: Path | str
    """Folder or URL of the log."""
    seconds: float
    """Time this call took."""
    storage_options: Mapping[str, str] | None = field(default=None, repr=False)

    @property
    def log(self) -> Log:
        """The log, opened."""
        return open_log(self.path, self.storage_options)

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
    engine: Engine = "local",
    scheduler: Any = None,
    storage_options: Mapping[str, str] | None = None,
) -> Run:
    """Play ``hands`` hands at each of ``tables`` tables and write them to a log.

    ``rules``: a preset, a TOML file or Rules. ``strategies``: one a seat: a name (``"cutoff_rows(front_max=5)"``), or
    an object with ``place(spots)`` or ``choose(view)``. ``out``: a folder, or a URL such as ``s3://bucket/run`` with
    ``storage_options`` as polars takes them; by default ``data/runs/<rules>-<seed>-<hash>`` below $OFCLAB_HOME or the
    working folder. ``stacks``: chips each seat sits down with. ``fantasyland_values``: points a Fantasyland hand is
    worth, one number or by number of cards. ``progress``: called with a `Progress` several times a second.
    ``engine``: ``local`` plays here, in ``workers`` processes; ``dask`` on the workers of a dask cluster, for more than
    one machine: the one of ``scheduler`` (an address such as ``tcp://host:8786``, or a distributed.Client), or, without
    a scheduler, one of ``workers`` processes that lasts as long as the run.

    The log is written in parts, the same bytes whatever the workers and the engine. A run that was interrupted goes on
    where it stopped when it is called again with the same plan; a finished one is returned as it is. Raises RunError
    for a plan that cannot be, a folder that holds another one, workers that cannot play, or parts that failed (the
    others are kept); LogError for a disk or store that is full or cannot be written.

    >>> simulate("american-pineapple", ["never_bust_greedy", "random_legal"], tables=100, hands=50)  # doctest: +SKIP
    """
    begun = time.perf_counter()
    ruleset = load_rules(rules)
    if isinstance(strategies, str):
        raise RunError(f"want one strategy a seat, such as [{strategies!r}, 'random_legal'], got {strategies!r}")
    team = Team(engine, workers, scheduler)
    players = [get(strategy) for strategy in strategies]
    plan = make_plan(ruleset, players, tables, hands, seed, stacks, fantasyland_values)
    store = Store(default_folder(plan) if out is None else out, storage_options)
    plan = _as_begun(plan, store)
    # Workers of a cluster stand in folders of their own, so they are told the whole path.
    path = store.path if isinstance(store.path, str) else store.path.absolute()
    job = Job(path, plan, team.sent(players), storage_options)
    writer = LogWriter(store.root, plan.manifest_source(), [ruleset], storage_options=storage_options)
    writer.sweep()
    there = set(writer.numbers())
    to_play = [number for number in range(plan.parts) if number not in there]
    if to_play:
        _play(job, to_play, team, Meter(plan, to_play, progress), writer)
    return Run(plan, store.path, time.perf_counter() - begun, storage_options)


def default_folder(plan: Plan) -> Path:
    """Where a run goes when no folder is named."""
    return runs_folder() / f"{plan.rules.name or 'rules'}-{plan.seed}-{canonical_key(plan.source()):016x}"


def _as_begun(plan: Plan, store: Store) -> Plan:
    """The plan, cut into parts as the log that is to be resumed; RunError when that log has another plan."""
    manifest = read_manifest(store)
    if manifest is None:
        return plan
    different = plan.difference(manifest)
    if different is not None:
        raise RunError(f"{store.root} holds another run: {different}. Choose another folder, or remove that one")
    return replace(plan, tables_per_part=int(manifest["source"]["tables_per_part"]))


def _play(job: Job, numbers: Sequence[int], team: Team, meter: Meter, writer: LogWriter) -> None:
    """Play parts and raise what went wrong once the others are done, a full disk at once."""
    failures: list[Outcome] = []
    played: set[int] = set()
    try:
        # Closed at once when anything stops the loop, so that no worker plays on behind an error.
        with closing(team.outcomes(job, numbers, meter)) as outcomes:
            for outcome in outcomes:
                meter.part_ended(outcome)
                if outcome.error is None:
                    played.add(outcome.number)
                    continue
                if isinstance(outcome.error, CannotWrite):
                    raise outcome.error
                failures.append(outcome)
                if not played and len(failures) == FAILURES_BEFORE_ANY_SUCCESS:
                    break
    except (KeyboardInterrupt, CannotWrite, RunError) as error:
        error.add_note(_resume(job, meter))
        raise
    finally:
        writer.sweep()
    elsewhere = sorted(played - set(writer.numbers()))
    meter.parts_done -= len(elsewhere)
    failures += [Outcome(number, error=RunError("a worker wrote it to another disk")) for number in elsewhere]
    if failures:
        parts = "; ".join(
            f"part {outcome.number} (tables {job.plan.tables_of(outcome.number)[0]} to "
            f"{job.plan.tables_of(outcome.number)[-1]}): {outcome.error or type(outcome.error).__name__}"
            for outcome in failures[:FAILURES_BEFORE_ANY_SUCCESS]
        )
        more = len(failures) - FAILURES_BEFORE_ANY_SUCCESS
        shown = f"{parts}; and {more} more" if more > 0 else parts
        raise RunError(f"{len(failures)} parts failed: {shown}. {_resume(job, meter)}") from failures[0].error


def _resume(job: Job, meter: Meter) -> str:
    return (
        f"{meter.parts_done} of {job.plan.parts} parts are finished in {job.path}; the same call plays the others and "
        "leaves these alone"
    )
