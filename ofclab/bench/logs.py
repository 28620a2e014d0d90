"""Rows of the log: hands written and scored a second, bytes a hand, statistics over more rows than fit."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import polars as pl

from ofclab.bench.engine import TABLES, whole_engine
from ofclab.bench.measure import Effort, Work, process_clock, times
from ofclab.bench.row import Bench, Measured
from ofclab.bench.spots import SEED, pineapple
from ofclab.bench.streaming import foul_rate_and_points
from ofclab.log import LogWriter
from ofclab.runs.parts import Job, play_part
from ofclab.runs.plan import PART_ROWS, make_plan
from ofclab.strategies import get

_HANDS = 8
_LOGICAL_BYTES = 78
"""Two seats of 17 cards and as many placements, and ten bytes for the hand."""
_MILLION = 1e6
ROWS, ALL_ROWS = 20_000_000, 100_000_000
"""Seat rows of the streamed statistics, scaled down and in full."""


def _large_run(folder: Path, strategy: str = "random_legal") -> Job:
    """A run of many parts into a log that has been begun."""
    players = [get(strategy), get(strategy)]
    plan = make_plan(pineapple(), players, 4096 * TABLES, _HANDS, SEED, None, None)
    LogWriter(folder, plan.manifest_source(), [pineapple()])
    return Job(folder, plan, players)


def scored_log(effort: Effort) -> Measured:
    """Millions of random hands a second into a scored log, a part at a time, beside the engine alone."""
    with tempfile.TemporaryDirectory() as folder:
        job, numbers = _large_run(Path(folder, "log")), iter(range(1 << 62))
        hands = play_part(job, next(numbers))
        works = [
            lambda: play_part(job, next(numbers)),
            whole_engine("random_legal", hands // _HANDS, _HANDS),
        ]
        logged, alone = times(works, effort, process_clock)
    return Measured(hands / logged / _MILLION, hands / alone / _MILLION)


def log_bytes(effort: Effort) -> Measured:
    """Bytes a hand in the facts of a log; its scores can be computed again and are told apart."""
    with tempfile.TemporaryDirectory() as folder:
        hands = play_part(_large_run(Path(folder, "log")), 0)
        sizes = {
            table: sum(path.stat().st_size for path in Path(folder, "log", table).rglob("*.parquet")) / hands
            for table in ("hands", "seats", "scores")
        }
    return Measured(sizes["hands"] + sizes["seats"], _LOGICAL_BYTES, f"scores {sizes['scores']:.1f} B more")


@contextmanager
def _seat_rows(rows: int) -> Iterator[list[str]]:
    """Files of made-up seat rows: strategy, whether it fouled, points."""
    random = np.random.default_rng(SEED)
    n = min(rows, PART_ROWS)
    strategy = pl.Series(["hindsight", "never_bust_greedy", "random_legal", "royalty_greedy"]).gather(
        random.integers(0, 4, n).astype(np.uint32)
    )
    fouled, points = random.random(n) < 0.3, random.normal(0, 10, n).round().astype(np.int16)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for part in range(-(-rows // n)):
            frame = pl.DataFrame(
                {"strategy": strategy, "fouled": np.roll(fouled, part), "points": np.roll(points, part)}
            )
            files.append(str(Path(folder, f"part-{part:06d}.parquet")))
            frame.write_parquet(files[-1])
        yield files


def _with_pandas(files: list[str]) -> tuple[float, float, float]:
    import pandas as pd

    frame = pd.concat([pd.read_parquet(file, columns=["fouled", "points"]) for file in files])
    return float(frame["fouled"].mean()), float(frame["points"].mean()), float(frame["points"].std())


_PEAK = """
import sys
from ofclab.bench.streaming import foul_rate_and_points, peak_megabytes
before = peak_megabytes()
foul_rate_and_points(sys.argv[1:])
print(before, peak_megabytes())
"""


def _memory(files: list[str]) -> str:
    """Most memory of a process that does nothing but the streamed statistics."""
    told = subprocess.run([sys.executable, "-c", _PEAK, *files], check=True, capture_output=True, text=True)
    before, peak = map(float, told.stdout.split())
    return f"peak {peak:.0f} MB, {before:.0f} before the first row"


def seat_rows(rows: int) -> Bench:
    """The row of the streamed statistics over so many seat rows."""

    def measure(effort: Effort) -> Measured:
        with _seat_rows(max(10, round(rows * min(1.0, effort.seconds)))) as files:
            some = files[: max(1, len(files) // 10)]
            part, whole = (pl.scan_parquet(given).select(pl.len()).collect().item() for given in (some, files))
            works: list[Work] = [lambda: foul_rate_and_points(files)]
            note = f"{whole:,} rows, {_memory(files)}"
            try:
                _with_pandas(some)
                works.append(lambda: _with_pandas(some))
            except ImportError:
                note += "; pandas is not installed: pip install 'ofclab[pandas]'"
            fast, *slow = times(works, effort, process_clock)
        return Measured(whole / fast / _MILLION, part / slow[0] / _MILLION if slow else None, note)

    return Bench("100 M seat rows, rate, mean, sd, streamed", "M rows/s", "pandas on a tenth", 5, 10, measure)


SCORED_LOG = (
    Bench("random engine into a scored Parquet log", "M hands/s", "random whole engine", 0.33, 0.5, scored_log),
)
BYTES = (
    Bench("log bytes a two-seat hand", "B", "logical bytes", 41, 30, log_bytes, less_is_better=True, gate_unit="B"),
)
