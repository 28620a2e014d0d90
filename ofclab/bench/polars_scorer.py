"""Points of two-seat hands from their row codes, as expressions of polars."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.rules import Rules

_ROWS = ("front", "middle", "back")


def scorer(codes: NDArray[np.uint16], rules: Rules, royalty: NDArray[np.int32]) -> Callable[[], pl.Series]:
    """A call that scores ``codes`` u16 (2, 3, n) under rules of the American kind, royalties i32 (3, N) looked up."""
    frame = pl.DataFrame({f"{seat}_{row}": codes[s, r] for s, seat in enumerate("ab") for r, row in enumerate(_ROWS)})
    points = frame.lazy().select(_points(rules, royalty).alias("points"))
    return lambda: points.collect()["points"]


def _points(rules: Rules, royalty: NDArray[np.int32]) -> pl.Expr:
    a, b = ({row: pl.col(f"{seat}_{row}") for row in _ROWS} for seat in "ab")
    foul_a, foul_b = ((seat["middle"] > seat["back"]) | (seat["front"] > seat["middle"]) for seat in (a, b))
    worth_a, worth_b = (_sum(_look_up(seat[row], royalty[r]) for r, row in enumerate(_ROWS)) for seat in (a, b))
    won, lost = [a[row] > b[row] for row in _ROWS], [a[row] < b[row] for row in _ROWS]
    rows = _sum(x.cast(pl.Int16) for x in won) - _sum(x.cast(pl.Int16) for x in lost)
    swept = (won[0] & won[1] & won[2]).cast(pl.Int16) - (lost[0] & lost[1] & lost[2]).cast(pl.Int16)
    scoring, penalty = rules.scoring, rules.foul.penalty
    legal = rows * scoring.per_row + swept * scoring.sweep_bonus + worth_a - worth_b
    return (
        pl.when(foul_a & foul_b).then(pl.lit(0, pl.Int16))
        .when(foul_a).then(-penalty - worth_b)
        .when(foul_b).then(penalty + worth_a)
        .otherwise(legal)
        .cast(pl.Int16)
    )  # fmt: skip


def _look_up(code: pl.Expr, worth: NDArray[np.int32]) -> pl.Expr:
    return pl.lit(pl.Series(worth.astype(np.int16))).gather(code.cast(pl.UInt32))


def _sum(terms: object) -> pl.Expr:
    first, *rest = list(terms)  # type: ignore[call-overload]
    for term in rest:
        first = first + term
    return first  # type: ignore[no-any-return]
