"""Who plays the parts of a run: this process, worker processes, or a dask cluster."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from ofclab.engine import play
from ofclab.kernels.jit import is_cold
from ofclab.runs.parts import Job, pack_strategies, play_part
from ofclab.runs.plan import RunError
from ofclab.runs.pool import Outcome, Pool
from ofclab.runs.progress import Meter

if TYPE_CHECKING:
    from ofclab.runs import cluster

Engine = Literal["local", "dask"]


@dataclass(frozen=True)
class Team:
    """Those who play: an engine, the processes to start, and the scheduler of a cluster that is there already."""

    engine: Engine
    workers: int
    scheduler: Any = None

    def __post_init__(self) -> None:
        if self.engine not in get_args(Engine):
            raise RunError(f"no engine {self.engine!r}; have {', '.join(get_args(Engine))}")
        if self.workers < 1:
            raise RunError(f"workers must be at least 1, got {self.workers}")
        if self.scheduler is not None and self.engine != "dask":
            raise RunError(f"a scheduler is for engine='dask', got engine={self.engine!r}")
        if self.scheduler is not None and self.workers > 1:
            raise RunError(f"the workers of a scheduler are its own: leave out workers={self.workers}")

    def sent(self, players: list[Any]) -> bytes | list[Any]:
        """Strategies as those who play need them; RunError where they cannot be sent or worker processes not start."""
        if self.engine == "local" and self.workers == 1:
            return players
        if self.scheduler is None and getattr(multiprocessing.current_process(), "_inheriting", False):
            raise RunError(
                "a script that plays in worker processes (workers > 1, or engine='dask') must call simulate under "
                "`if __name__ == '__main__':`"
            )
        if self.engine == "dask":
            return pack_strategies(players, _cluster().pack)
        _check_can_be_found(players)
        return pack_strategies(players)

    def outcomes(self, job: Job, numbers: Sequence[int], meter: Meter) -> Generator[Outcome]:
        """Play parts and yield each as it ends."""
        if self.engine == "local" and self.workers == 1:
            yield from _here(job, numbers, meter)
            return
        if is_cold() and self.scheduler is None:
            # Once here, or every worker compiles the same kernels.
            list(play(job.plan.rules, job.fresh_strategies(), range(1), 1, job.plan.seed))
        workers = min(self.workers, len(numbers))
        with ExitStack() as stack:
            team: Pool | cluster.Cluster
            if self.engine == "dask":
                team = _cluster().Cluster(job, stack.enter_context(_cluster().connected(self.scheduler, workers)))
            else:
                team = Pool(job, workers)
            left = set(numbers)
            for ended in stack.enter_context(closing(team.run(numbers))):
                if ended is not None:
                    left.discard(ended.number)
                meter.playing(sum(team.hands_played[number] for number in left))
                if ended is not None:
                    yield ended


def _here(job: Job, numbers: Iterable[int], meter: Meter) -> Generator[Outcome]:
    for number in numbers:
        try:
            outcome = Outcome(number, play_part(job, number, meter.playing))
        except Exception as error:
            outcome = Outcome(number, error=error)
        meter.under_way = 0
        yield outcome


def _cluster() -> Any:
    """The module that needs dask, RunError where that is not installed."""
    try:
        from ofclab.runs import cluster
    except ModuleNotFoundError as error:
        raise RunError(f"engine='dask' needs dask and distributed ({error}): pip install 'ofclab[scale]'") from None
    return cluster


def _check_can_be_found(players: Sequence[Any]) -> None:
    """Say what is wrong before worker processes die of it."""
    main = sys.modules.get("__main__")
    for player in players:
        kind = type(getattr(player, "player", player))
        if kind.__module__ == "__main__" and not hasattr(main, "__file__"):
            raise RunError(
                f"{kind.__name__} is defined in an interactive session, where worker processes cannot find it; put it "
                "in a module, or use workers=1"
            )
