"""Rows of the engine: whole hands a second, two workers beside one, starting up."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median

import numpy as np

from ofclab.bench import plain_engine
from ofclab.bench.measure import Effort, Work, times
from ofclab.bench.row import Bench, Measured
from ofclab.bench.spots import SEED, pineapple
from ofclab.engine import play
from ofclab.strategies import get

TABLES, HANDS = 8_192, 16
"""Tables that play in lockstep, and hands at each, in a call."""
_PLAIN_HANDS = 40
_MILLION = 1e6


def whole_engine(strategy: str, tables: int = TABLES, hands: int = HANDS) -> Work:
    """Play two-player Pineapple with Fantasyland carried from hand to hand."""

    def run() -> None:
        for _ in play(pineapple(), [get(strategy), get(strategy)], np.arange(tables, dtype=np.uint64), hands, SEED):
            pass

    return run


def random_engine(effort: Effort) -> Measured:
    """Millions of random hands a second, beside the engine in plain Python."""
    parameters, random = pineapple().flat(), Random(SEED)

    def plain() -> None:
        for _ in plain_engine.play(parameters, _PLAIN_HANDS, random):
            pass

    fast, slow = times([whole_engine("random_legal"), plain], effort)
    plain_rate = _PLAIN_HANDS / slow
    return Measured(TABLES * HANDS / fast / _MILLION, plain_rate / _MILLION, f"the baseline plays {plain_rate:.0f}/s")


def greedy_engine(effort: Effort) -> Measured:
    """Millions of NeverBustGreedy hands a second, beside random ones."""
    hands = 4
    fast, slow = times([whole_engine("never_bust_greedy", hands=hands), whole_engine("random_legal")], effort)
    return Measured(TABLES * hands / fast / _MILLION, TABLES * HANDS / slow / _MILLION)


def _play_in_worker(tables: int, hands: int) -> float:
    """CPU seconds a hand of a run in a worker process."""
    run = whole_engine("never_bust_greedy", tables, hands)
    begun = time.process_time()
    run()
    return (time.process_time() - begun) / (tables * hands)


def two_workers(effort: Effort) -> Measured:
    """Hands a CPU second of two worker processes at once, beside one of them alone."""
    hands = max(1, min(8, round(4 * effort.seconds)))
    alone, together = [], []
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        list(pool.map(_play_in_worker, (TABLES // 2,) * 2, (1,) * 2))
        for _ in range(effort.rounds):
            alone.append(pool.submit(_play_in_worker, TABLES // 2, hands).result())
            both = [pool.submit(_play_in_worker, TABLES // 2, hands) for _ in range(2)]
            together += [worker.result() for worker in both]
    rates = 1 / median(together) / _MILLION, 1 / median(alone) / _MILLION
    return Measured(rates[0], rates[1], f"{os.cpu_count()} cores")


_IMPORT = "import numba, ofclab.runs, ofclab.strategies"
_USE = """
from ofclab.engine.warmup import warm_up
from ofclab.rules import load_rules
from ofclab.runs import simulate
from ofclab.strategies import get
players = ["random_legal", "never_bust_greedy"]
warm_up(load_rules("american-pineapple"), [get(player) for player in players])
simulate("american-pineapple", players, tables=1, hands=2, seed=1, out=sys.argv[1])
"""


def _fresh_process(code: str, cache: str, log: str) -> float:
    """CPU seconds of a new interpreter that keeps machine code and bytecode in a folder of its own."""
    environment = {**os.environ, "OFCLAB_CACHE": cache, "PYTHONPYCACHEPREFIX": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = os.times()
    subprocess.run([sys.executable, "-c", f"import sys\n{code}", log], check=True, env=environment)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def _start_up(effort: Effort) -> tuple[float, float, float]:
    """CPU seconds to import, and beyond that of a first use that compiles and of a later one."""
    rounds = min(3, effort.rounds)
    with tempfile.TemporaryDirectory() as folder:
        logs = (str(Path(folder, f"log{number}")) for number in range(99))
        cache = str(Path(folder, "cache"))
        _fresh_process(_IMPORT, cache, next(logs))
        cold = _fresh_process(_IMPORT + _USE, cache, next(logs))
        alone = median(_fresh_process(_IMPORT, cache, next(logs)) for _ in range(rounds))
        warm = median(_fresh_process(_IMPORT + _USE, cache, next(logs)) for _ in range(rounds))
    return alone, cold - alone, warm - alone


class _StartUp:
    """Both rows of starting up from one series of processes."""

    def __init__(self) -> None:
        self.taken: tuple[float, float, float] | None = None

    def row(self, which: int) -> Callable[[Effort], Measured]:
        """The row of the first use (1) or a later one (2)."""

        def measure(effort: Effort) -> Measured:
            taken = self.taken if self.taken is not None else _start_up(effort)
            self.taken = taken if self.taken is None else None
            return Measured(taken[which], taken[0], "beyond the import: play, set, score and log first hands")

        return measure


_started = _StartUp()

ENGINE = (
    Bench("random 2-player Pineapple, whole engine", "M hands/s", "plain-Python engine", 1000, 3000, random_engine),
)
GREEDY = (Bench("NeverBustGreedy, whole engine", "M hands/s", "random whole engine", 0.08, 0.15, greedy_engine),)
START_UP = (
    Bench("use from cache", "CPU s", "import alone", 1, 0.5, _started.row(2), less_is_better=True, gate_unit="s"),
    Bench("first compilation", "CPU s", "import alone", 25, 12, _started.row(1), less_is_better=True, gate_unit="s"),
    Bench("2-worker CPU efficiency", "M hands/CPU s", "1 worker", 0.9, 0.98, two_workers),
)
