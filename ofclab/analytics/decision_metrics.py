"""The reports on reviewed decisions by name, beside the metrics of results."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ofclab.analytics import decisions
from ofclab.analytics.dictionary import TERMS, Metric

_PER_100: Final = "points per 100 hands"
_REPORTS = (
    ("accuracy", "Accuracy", "% of tricky spots", ()),
    ("tricky_loss", "Error of tricky spots", "points per tricky spot", ()),
    ("loss_per_100", "Points lost", _PER_100, ()),
    ("loss_by_street", "Points lost by street", _PER_100, ("at",)),
    ("loss_by_row", "Points lost by row", _PER_100, ("row",)),
    ("loss_by_hand", "Points lost by hand class", _PER_100, ("broken",)),
    ("fantasyland_chase", "Fantasyland chased too much or too little", _PER_100, ("chase",)),
    ("leaks", "Leaks", _PER_100, ("theme", "leak")),
    ("luck_adjusted", "Points adjusted for luck", "points per hand", ()),
)

DECISION_METRICS: Final[Mapping[str, Metric]] = MappingProxyType(
    {
        name: Metric(name, getattr(decisions, name), title, unit, TERMS[name], keys)
        for name, title, unit, keys in _REPORTS
    }
)
"""Every report on decisions, in the order the lab lists them: they take the decisions of a review, not results."""
