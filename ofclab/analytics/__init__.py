"""Metrics of the results frame: frame in, frame out; nothing is read, collected or drawn here."""

from ofclab.analytics.dictionary import METRICS, TERMS, Metric, define
from ofclab.analytics.fantasyland import (
    chain_length,
    entry_by,
    entry_rate,
    fantasyland_points,
    fantasyland_share,
    mean_chain_length,
    stay_rate,
)
from ofclab.analytics.fouls import fantasyland_foul_rate, foul_hazard, foul_rate, foul_street
from ofclab.analytics.points import (
    hands_needed,
    points_distribution,
    points_per_100,
    points_per_hand,
    row_wins,
    scoops_made,
    scoops_suffered,
)
from ofclab.analytics.royalties import (
    royalties_per_hand,
    royalties_per_legal_hand,
    royalty_by_category,
    royalty_distribution,
)

__all__ = [
    "METRICS",
    "TERMS",
    "Metric",
    "chain_length",
    "define",
    "entry_by",
    "entry_rate",
    "fantasyland_foul_rate",
    "fantasyland_points",
    "fantasyland_share",
    "foul_hazard",
    "foul_rate",
    "foul_street",
    "hands_needed",
    "mean_chain_length",
    "points_distribution",
    "points_per_100",
    "points_per_hand",
    "row_wins",
    "royalties_per_hand",
    "royalties_per_legal_hand",
    "royalty_by_category",
    "royalty_distribution",
    "scoops_made",
    "scoops_suffered",
    "stay_rate",
]
