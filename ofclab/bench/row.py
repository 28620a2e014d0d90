"""A row of the benchmark: what is measured, against what, and the gate it has to pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ofclab.bench.measure import Effort

RATIO = "x"
"""Unit of a gate that is a ratio to the baseline; any other is a bound from above on the figure itself."""


@dataclass(frozen=True)
class Measured:
    """A figure and that of its baseline, both in the unit of the row; None where the baseline is not installed."""

    value: float
    baseline: float | None
    note: str = ""


@dataclass(frozen=True)
class Row:
    """A measured row.

    ``ratio``: how many times better than the baseline the figure is. ``gate`` and ``aim`` are least ratios where
    ``gate_unit`` is ``x``, else greatest values. ``holds`` is None where there is no baseline to tell.
    """

    name: str
    value: float
    unit: str
    baseline: float | None
    ratio: float | None
    gate: float
    aim: float
    holds: bool | None
    gate_unit: str = RATIO
    against: str = ""
    """What the baseline is."""
    note: str = ""


@dataclass(frozen=True)
class Bench:
    """A row before it is measured; ``less_is_better`` for times and bytes."""

    name: str
    unit: str
    against: str
    gate: float
    aim: float
    measure: Callable[[Effort], Measured]
    less_is_better: bool = False
    gate_unit: str = RATIO

    def run(self, effort: Effort) -> Row:
        """Measure it."""
        found = self.measure(effort)
        ratio = None if found.baseline is None else found.value / found.baseline
        if ratio is not None and self.less_is_better:
            ratio = 1 / ratio
        reached = found.value if self.gate_unit != RATIO else ratio
        holds = None if reached is None else reached >= self.gate if self.gate_unit == RATIO else reached <= self.gate
        return Row(
            self.name, found.value, self.unit, found.baseline, ratio, self.gate, self.aim, holds, self.gate_unit,
            self.against, found.note,
        )  # fmt: skip
