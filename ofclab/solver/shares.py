"""Share work among processes: jobs in, answers out, in the order of the jobs."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

Job = TypeVar("Job")
Answer = TypeVar("Answer")


def pack(players: Sequence[Any], workers: int) -> bytes | list[Any]:
    """Strategies as they go to so many workers; ValueError names one that cannot be sent."""
    if workers <= 1:
        return list(players)
    for player in players:
        try:
            pickle.dumps(player)
        except Exception as error:
            raise ValueError(
                f"the strategy {player.label} cannot be sent to worker processes ({error}); define its class at the "
                "top level of a module and keep open files and lambdas out of it, or use workers=1"
            ) from None
    return pickle.dumps(list(players))


def fresh(packed: bytes | list[Any], seats: Sequence[int]) -> list[Any]:
    """A copy of the right strategy for every seat, so that nothing one remembers reaches another seat or job."""
    if isinstance(packed, bytes):
        return [pickle.loads(packed)[player] for player in seats]
    return [copy.deepcopy(packed[player]) for player in seats]


class Workers:
    """So many processes that do jobs; one is this process itself. A context: the others end with it."""

    def __init__(self, workers: int = 1) -> None:
        if workers < 1:
            raise ValueError(f"workers must be at least 1, got {workers}")
        self._pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) if workers > 1 else None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=kind is not None)

    def share(self, work: Callable[[Job], Answer], jobs: Sequence[Job]) -> Iterator[Answer]:
        """Yield ``work(job)`` of every job, in their order."""
        if self._pool is None:
            yield from map(work, jobs)
            return
        try:
            yield from self._pool.map(work, jobs)
        except BrokenProcessPool as error:
            raise ValueError(
                "a worker process ended early; a script that plays with workers > 1 must do so under "
                "`if __name__ == '__main__':`"
            ) from error
