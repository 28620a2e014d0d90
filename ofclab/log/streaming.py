"""Collect what was made of a log in memory that does not grow with the log."""

from __future__ import annotations

import polars as pl


def collect(frame: pl.LazyFrame) -> pl.DataFrame:
    """Collect a frame made of a log: a few row groups in memory at a time, and what the result itself needs.

    This is polars' streaming engine, told not to share what several branches of a query read: sharing holds back in
    memory what the slower branch has not taken yet, in the end the whole log. Each branch reads the log for itself.
    """
    return frame.collect(engine="streaming", optimizations=pl.QueryOptFlags(comm_subplan_elim=False))
