"""Share parts among the workers of a dask cluster: one started here, or one on other machines."""

from __future__ import annotations

import logging
import pickle
import queue
import socket
import tempfile
import time
import uuid
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib.metadata import version
from typing import Any

import cloudpickle  # type: ignore[import-untyped]
from distributed import Client, KilledWorker, LocalCluster, get_worker

from ofclab.log import LogError
from ofclab.log.manifest import generator_version
from ofclab.log.score import scorer_version
from ofclab.runs.parts import Job, play_part
from ofclab.runs.plan import RunError
from ofclab.runs.pool import POLL_SECONDS, Outcome

RETRIES = 3
"""How often a part that failed is tried again, on any worker, before it is given up."""
PARTS_PER_THREAD = 2
"""Parts handed to the scheduler for each thread of the workers: one at work, one ready."""
TELL_SECONDS = 0.5
"""A worker tells how far its part is no more often than this."""
CONNECT_SECONDS = 15
WORKER_SECONDS = 60
"""How long to wait for a scheduler, and for a worker where there is none."""

pack = cloudpickle.dumps
"""How strategies are sent: those of a script or a notebook go along with their code."""


@contextmanager
def connected(scheduler: Any, workers: int) -> Iterator[Any]:
    """A client of the cluster: one of so many processes started here, one at an address, or the client given.

    What was started here ends here. RunError for an address where no scheduler answers or no worker joins.
    Clients and futures are Any throughout: distributed gives types to some of their methods only.
    """
    if scheduler is not None and not isinstance(scheduler, str | Client):
        raise RunError(f"want the address of a scheduler, such as tcp://host:8786, or a Client, got {scheduler!r}")
    with ExitStack() as stack:
        client: Any = scheduler
        if scheduler is None:
            scheduler = stack.enter_context(_started(workers))
        if not isinstance(scheduler, Client):
            try:
                made = Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
            except (OSError, ValueError) as error:
                raise RunError(f"no scheduler answers at {scheduler!r}: {error}") from error
            client = stack.enter_context(made)
        if client.asynchronous:
            raise RunError("the client given is asynchronous; simulate wants one made with asynchronous=False")
        try:
            client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError:
            address = client.scheduler_info()["address"]
            raise RunError(
                f"the scheduler at {address} has no worker; start some with `dask worker {address}`"
            ) from None
        yield client


@contextmanager
def _started(workers: int) -> Iterator[Any]:
    """A cluster of so many processes on this machine."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="ofclab-dask-", ignore_cleanup_errors=True))
        try:
            cluster = LocalCluster(  # type: ignore[no-untyped-call]
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",
                local_directory=folder,
                memory_limit=0,
                silence_logs=logging.CRITICAL,
                # A part that lost two workers is looked into alone, see Cluster.
                scheduler_kwargs={"allowed_failures": 1},
            )
        except RuntimeError as error:
            raise RunError(
                f"the workers of a cluster could not start ({error}); a script that plays with engine='dask' must call "
                "simulate under `if __name__ == '__main__':`"
            ) from error
        yield stack.enter_context(cluster)


@cache
def fingerprint() -> dict[str, str]:
    """Versions that the bytes of a part depend on; the workers' must be the same."""
    packages = {name: version(name) for name in ("numba", "numpy", "polars", "pyarrow")}
    return {"ofclab": generator_version(), "the scorer": scorer_version(), **packages}


def _difference(wanted: dict[str, str]) -> str | None:
    """What this worker has that the run was not planned with, in words."""
    for name, there in wanted.items():
        if fingerprint()[name] != there:
            return f"{socket.gethostname()} has {name} {fingerprint()[name]} where the run was planned with {there}"
    return None


def _problem(job: bytes, wanted: dict[str, str]) -> str | None:
    """Why this worker cannot play, None when it can; also removes what its machine left half-written."""
    different = _difference(wanted)
    if different is not None:
        return different
    loaded: Job = pickle.loads(job)
    try:
        loaded.writer().sweep()
    except LogError as error:
        return f"{error}; a run on several machines needs a folder that all of them see under one path, or s3://"
    return None


def _work(job: bytes, wanted: dict[str, str], number: int, topic: str) -> int:
    """Play a part in a worker, telling the client how far it is."""
    different = _difference(wanted)
    if different is not None:
        raise RunError(different)
    worker, told = get_worker(), [time.monotonic()]

    def played(hands: int) -> None:
        now = time.monotonic()
        if now - told[0] >= TELL_SECONDS:
            told[0] = now
            worker.log_event(topic, (number, hands))

    # Unpickled here, so that a strategy that cannot be is an error of the part.
    loaded: Job = pickle.loads(job)
    return play_part(loaded, number, played)


class Cluster:
    """Plays parts on the workers of a client's cluster, a few at a time.

    A part whose worker dies is played again elsewhere by the scheduler. One that lost several workers may only have
    stood beside the part that killed them: it is played again when all others are done, with nothing beside it.
    """

    def __init__(self, job: Job, client: Any) -> None:
        self.hands_played = [0] * job.plan.parts
        """Hands played so far of each part."""
        self._client = client
        self._job = pickle.dumps(job)
        self._name = f"ofclab-{uuid.uuid4().hex[:12]}"
        self._last_seen = time.monotonic()
        self._check()

    def _check(self) -> None:
        found: dict[str, Any] = self._client.run(_problem, self._job, fingerprint(), on_error="return")
        problems = {address: problem for address, problem in found.items() if problem is not None}
        for address, problem in problems.items():
            more = f" ({len(problems)} of {len(found)} workers cannot play)" if len(problems) > 1 else ""
            raise RunError(f"the worker {address} cannot play: {problem}{more}")

    def run(self, numbers: Sequence[int]) -> Generator[Outcome | None]:
        """Yield every part's outcome as it ends, and None a few times a second while all are busy."""
        self._client.subscribe_topic(self._name, self._told)
        try:
            suspects: list[int] = []
            yield from self._round(deque(numbers), suspects)
            for number in suspects:
                yield from self._round(deque([number]), None)
        finally:
            self._client.unsubscribe_topic(self._name)

    def _told(self, event: tuple[float, tuple[int, int]]) -> None:
        number, hands = event[1]
        self.hands_played[number] = hands

    def _round(self, waiting: deque[int], suspects: list[int] | None) -> Generator[Outcome | None]:
        """Play parts; ``suspects`` takes those whose workers were killed, where they were not alone."""
        running: dict[Any, int] = {}
        ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        try:
            while waiting or running:
                room = self._room()
                while waiting and len(running) < room:
                    number = waiting.popleft()
                    future = self._submit(number)
                    running[future] = number
                    future.add_done_callback(ended.put)
                try:
                    future = ended.get(timeout=POLL_SECONDS)
                except queue.Empty:
                    yield None
                    continue
                number = running.pop(future)
                error = _error(future)
                if suspects is not None and isinstance(error, KilledWorker):
                    self.hands_played[number] = 0
                    suspects.append(number)
                elif isinstance(error, KilledWorker):
                    killed = RunError(f"its worker was killed {error.allowed_failures + 1} times")
                    yield Outcome(number, error=killed)
                else:
                    yield Outcome(number, 0 if error else future.result(), error)
        except OSError as error:
            raise RunError(f"the scheduler is gone: {error}") from error
        finally:
            if running:
                self._client.cancel(list(running), force=True)

    def _room(self) -> int:
        """Parts to hand out at a time; RunError when the last worker has been gone for a while."""
        threads: int = sum(self._client.nthreads().values())
        now = time.monotonic()
        if threads:
            self._last_seen = now
        elif now - self._last_seen > WORKER_SECONDS:
            raise RunError(f"the cluster has had no worker for {WORKER_SECONDS} seconds")
        return PARTS_PER_THREAD * max(1, threads)

    def _submit(self, number: int) -> Any:
        return self._client.submit(
            _work, self._job, fingerprint(), number, self._name,
            key=f"{self._name}-part-{number}-{uuid.uuid4().hex[:8]}", pure=False, retries=RETRIES,
        )  # fmt: skip


def _error(future: Any) -> BaseException | None:
    """What went wrong with a part that ended, None when nothing did."""
    if future.cancelled():
        return RunError("the scheduler dropped it")
    error: BaseException | None = future.exception()
    return error
