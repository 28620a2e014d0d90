"""Statistics over more rows than fit in memory; polars alone, so that its memory can be told."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import polars as pl


def foul_rate_and_points(files: list[str]) -> pl.DataFrame:
    """Hands, foul rate, mean and standard deviation of points of seat rows in Parquet files, streamed."""
    points = pl.col("points")
    found = pl.len().alias("hands"), pl.col("fouled").mean().alias("foul_rate"), points.mean(), points.std().alias("sd")
    return pl.scan_parquet(files).select(found).collect(engine="streaming")


def peak_megabytes() -> float:
    """Most memory this process has held so far."""
    status = Path("/proc/self/status")
    if status.exists():
        # The figure of getrusage would include what the parent held when it started this process.
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
