"""The row of the strongest strategy: whole hands of Expert beside whole hands of Hindsight."""

from __future__ import annotations

from ofclab.bench.engine import whole_engine
from ofclab.bench.measure import Effort, times
from ofclab.bench.row import Bench, Measured

_TABLES, _SLOW_TABLES = 512, 16
_THOUSAND = 1e3


def expert_engine(effort: Effort) -> Measured:
    """Thousands of hands a second of expert(fast) against itself, beside hindsight."""
    fast, slow = times([whole_engine("expert(fast)", _TABLES, 1), whole_engine("hindsight", _SLOW_TABLES, 1)], effort)
    return Measured(_TABLES / fast / _THOUSAND, _SLOW_TABLES / slow / _THOUSAND)


EXPERT = (Bench("expert(fast), whole engine", "k hands/s", "hindsight whole engine", 20, 60, expert_engine),)
