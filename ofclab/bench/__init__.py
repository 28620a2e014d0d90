"""How fast it is, and beside what: every figure with its baseline, measured in the same process."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ofclab.bench.measure import Effort
from ofclab.bench.row import Bench, Row

__all__ = ["Effort", "Row", "benches", "run"]


def benches(full: bool = False) -> tuple[Bench, ...]:
    """Every row in the order of the table; ``full``: all 100 million seat rows instead of a fifth."""
    from ofclab.bench import decisions, engine, expert, imports, kernels, logs

    return (
        *kernels.RANKS, *engine.ENGINE, *logs.SCORED_LOG, *engine.GREEDY, *expert.EXPERT, *kernels.EXACT,
        *decisions.SPOT_ROWS, *imports.IMPORTS, *logs.BYTES, *engine.START_UP,
        logs.seat_rows(logs.ALL_ROWS if full else logs.ROWS),
    )  # fmt: skip


def run(
    rows: Sequence[str] | None = None,
    full: bool = False,
    effort: Effort | None = None,
    told: Callable[[Row, int, int], None] | None = None,
) -> list[Row]:
    """Measure rows and return them in the order of the table.

    ``rows``: parts of the names of those wanted, None for all. ``told``: called with each row when it is measured, its
    number from 1 and how many there are. Raises ValueError naming the rows there are for a name that none has.
    """
    every = benches(full)
    for name in rows or ():
        if not any(name.lower() in bench.name.lower() for bench in every):
            raise ValueError(f"no row {name!r}; have {'; '.join(bench.name for bench in every)}")
    wanted = [bench for bench in every if rows is None or any(name.lower() in bench.name.lower() for name in rows)]
    found = []
    for number, bench in enumerate(wanted, 1):
        found.append(bench.run(effort or Effort()))
        if told is not None:
            told(found[-1], number, len(wanted))
    return found
