"""Play every ruleset anew on the same shuffles."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from ofclab.log import open_log
from ofclab.rules import Rules
from ofclab.runs import simulate


def played_anew(
    rulesets: Sequence[Rules],
    strategies: Sequence[Any],
    folder: Path,
    *,
    tables: int,
    hands: int,
    seed: int,
    fantasyland_values: float | Mapping[int, float] | None,
    workers: int,
    progress: Any,
) -> Iterator[pl.LazyFrame]:
    """The results of each ruleset, with the shuffle of each table in `pair`; tables of one number pair up."""
    for rules in rulesets:
        where = folder / rules.id
        simulate(
            rules, list(strategies), tables=tables, hands=hands, seed=seed, out=where, workers=workers,
            fantasyland_values=fantasyland_values, progress=progress,
        )  # fmt: skip
        log = open_log(where)
        shuffles = log.hands.group_by("table_id").agg(pl.col("seed_key").first().alias("pair"))
        yield log.results().join(shuffles, on="table_id", how="left")
