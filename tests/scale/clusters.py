"""A dask cluster started by hand: a scheduler, and workers in a folder of their own, as on another host."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]


def environment() -> dict[str, str]:
    """Variables with which another process finds the players of the tests."""
    paths = [str(TESTS), str(TESTS / "scale"), str(TESTS.parent), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


@contextmanager
def _running(folder: Path, program: str, *arguments: str) -> Iterator[None]:
    folder.mkdir()
    command = [sys.executable, "-m", f"distributed.cli.dask_{program}", "--no-dashboard", *arguments]
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(command, cwd=folder, env=environment(), stdout=output, stderr=subprocess.STDOUT)
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def by_hand(folder: Path) -> Iterator[str]:
    """Start a scheduler and two workers of one thread each; yields the scheduler's address."""
    file = folder / "scheduler.json"
    with ExitStack() as stack:
        stack.enter_context(
            _running(
                folder / "scheduler", "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)
            )
        )
        deadline = time.monotonic() + 60
        while not file.exists():
            assert time.monotonic() < deadline, (folder / "scheduler/output").read_text()
            time.sleep(0.05)
        address = str(json.loads(file.read_text())["address"])
        place = folder / "workers"
        threads = ("--nworkers", "2", "--nthreads", "1", "--local-directory", str(place))
        stack.enter_context(_running(place, "worker", address, *threads))
        yield address


def give_up_at_once(dask_scheduler: Any) -> None:
    """Have a scheduler give a part up when one worker died of it; run there."""
    dask_scheduler.allowed_failures = 0
