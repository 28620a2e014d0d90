"""Share parts among worker processes, and go on when one of them is killed."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.sharedctypes import RawArray
from typing import Any

from ofclab.runs.parts import Job, play_part
from ofclab.runs.plan import RunError

MOST_STRIKES = 3
"""How often a part may bring its worker down, playing alone, before it is given up."""
POLL_SECONDS = 0.2
_CONTEXT = multiprocessing.get_context("spawn")

_hands_played: Any = None
_started: Any = None


def _start_worker(hands_played: Any, started: Any) -> None:
    """Set a worker up: the parent decides on Ctrl-C, and no worker outlives it."""
    global _hands_played, _started
    _hands_played, _started = hands_played, started
    _started[0] = 1
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(job: bytes, number: int) -> int:
    """Play a part in a worker, telling the parent how far it is."""

    def played(hands: int) -> None:
        _hands_played[number] = hands

    # Unpickled here, so that a strategy that cannot be is an error of the part and not a dead worker.
    loaded: Job = pickle.loads(job)
    return play_part(loaded, number, played)


@dataclass
class Outcome:
    """How a part ended: hands played, or what went wrong."""

    number: int
    hands: int = 0
    error: BaseException | None = None


class Pool:
    """Plays parts in ``workers`` processes.

    When a worker is killed the whole pool breaks: it is started anew, and the parts that were being played are played
    again one by one, to find the one that kills its worker. Such a part is given up after three tries.
    """

    def __init__(self, job: Job, workers: int) -> None:
        self.workers = workers
        self.hands_played = RawArray("q", job.plan.parts)
        """Hands played so far of each part."""
        self._started = RawArray("b", 1)
        self._job = pickle.dumps(job)

    def run(self, numbers: Iterable[int]) -> Generator[Outcome | None]:
        """Yield every part's outcome as it ends, and None a few times a second while all are busy."""
        waiting, suspects, strikes = deque(numbers), deque[int](), Counter[int]()
        while waiting or suspects:
            pool = ProcessPoolExecutor(
                self.workers, _CONTEXT, initializer=_start_worker, initargs=(self.hands_played, self._started)
            )
            running: dict[Future[int], int] = {}
            try:
                # Suspects first and alone, so that a pool that breaks is their own doing.
                yield from self._rounds(pool, running, suspects, 1)
                yield from self._rounds(pool, running, waiting, self.workers)
                pool.shutdown()
            except BrokenProcessPool as error:
                pool.shutdown(cancel_futures=True)
                yield from self._blame(list(running.values()), suspects, strikes, error)
            except BaseException:
                _stop(pool)
                raise

    def _rounds(
        self, pool: ProcessPoolExecutor, running: dict[Future[int], int], queue: deque[int], at_once: int
    ) -> Iterator[Outcome | None]:
        """Play the parts of a queue, so many at a time."""
        while queue or running:
            while queue and len(running) < at_once:
                number = queue[0]
                running[pool.submit(_work, self._job, number)] = number
                queue.popleft()
            done, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                error = future.exception()
                if isinstance(error, BrokenProcessPool):
                    raise error
                number = running.pop(future)
                yield Outcome(number, 0 if error else future.result(), error)
            if not done:
                yield None

    def _blame(
        self, numbers: list[int], suspects: deque[int], strikes: Counter[int], error: BaseException
    ) -> Iterator[Outcome]:
        """After a break: all parts that were being played come under suspicion; one that was alone gets a strike."""
        if not self._started[0]:
            raise RunError(
                "the worker processes could not start; a script that plays with workers > 1 must call simulate under "
                "`if __name__ == '__main__':`"
            ) from error
        for number in numbers:
            self.hands_played[number] = 0
        if len(numbers) == 1:
            strikes[numbers[0]] += 1
            if strikes[numbers[0]] == MOST_STRIKES:
                yield Outcome(numbers[0], error=RunError(f"its worker was killed {MOST_STRIKES} times"))
                return
        suspects.extend(numbers)


def _stop(pool: ProcessPoolExecutor) -> None:
    """End the workers at once; what they were writing has no name yet."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        with contextlib.suppress(OSError):
            process.terminate()
    pool.shutdown(wait=True, cancel_futures=True)
