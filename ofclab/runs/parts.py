"""Play one part of a run and write it: the unit of work of any worker, here or on another machine."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ofclab.engine import play
from ofclab.log import LogWriter
from ofclab.log.batches import part_frames, part_scores
from ofclab.runs.plan import Plan, RunError


@dataclass(frozen=True)
class Job:
    """A plan, its strategies (pickled where they go to workers), and where the log is."""

    path: Path | str
    plan: Plan
    strategies: bytes | list[Any]
    storage_options: Mapping[str, str] | None = field(default=None, repr=False)

    def writer(self) -> LogWriter:
        """The log, which must have been begun with this plan; LogError where it is not in sight."""
        return LogWriter(self.path, key=self.plan.log_key, storage_options=self.storage_options, create=False)

    def fresh_strategies(self) -> list[Any]:
        """Copies that remember nothing of other parts, so that a part is the same wherever it is played."""
        if isinstance(self.strategies, bytes):
            loaded: list[Any] = pickle.loads(self.strategies)
            return loaded
        return copy.deepcopy(self.strategies)


def pack_strategies(strategies: list[Any], dumps: Callable[[Any], bytes] = pickle.dumps) -> bytes:
    """Strategies as bytes that a worker can load. RunError names the one that cannot be sent."""
    for strategy in strategies:
        try:
            dumps(strategy)
        except Exception as error:
            raise RunError(
                f"the strategy {strategy.label} cannot be sent to worker processes ({error}); define its class at the "
                "top level of a module and keep open files and lambdas out of it, or use engine='local', workers=1"
            ) from None
    return dumps(strategies)


def play_part(job: Job, number: int, played: Callable[[int], None] | None = None) -> int:
    """Play part ``number``, write its facts and scores, and return its hands.

    A part that exists is left alone, so it does not matter how often or where this is called. ``played``: told the
    hands played so far, after each hand number.
    """
    plan, writer = job.plan, job.writer()
    if writer.has(number):
        return 0
    tables = np.array(plan.tables_of(number), np.uint64)
    batches, hands = [], 0
    for batch in play(
        plan.rules,
        job.fresh_strategies(),
        tables,
        plan.hands,
        plan.seed,
        stacks=plan.stacks,
        fantasyland_values=plan.values,
    ):
        batches.append(batch)
        hands += len(batch.tables)
        if played is not None:
            played(hands)
    writer.write(number, *part_frames(batches, plan.run_key), score=plan.rules, engine=part_scores(batches))
    return hands
