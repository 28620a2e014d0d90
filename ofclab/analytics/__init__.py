"""Metrics of the results frame: frame in, frame out; nothing is read, collected or drawn here."""

from ofclab.analytics.decision_metrics import DECISION_METRICS
from ofclab.analytics.decisions import (
    accuracy,
    fantasyland_chase,
    leaks,
    loss_by_hand,
    loss_by_row,
    loss_by_street,
    loss_per_100,
    luck_adjusted,
    tricky_loss,
)
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
from ofclab.analytics.ledger import money_totals, pair_nets, running_points, session_totals
from ofclab.analytics.players import in_seasons, leaderboard
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
from ofclab.analytics.settle import Payment, SettlementPlan, settle_up
from ofclab.analytics.tendencies import tendencies

__all__ = [
    "DECISION_METRICS",
    "METRICS",
    "TERMS",
    "Metric",
    "Payment",
    "SettlementPlan",
    "accuracy",
    "chain_length",
    "define",
    "entry_by",
    "entry_rate",
    "fantasyland_chase",
    "fantasyland_foul_rate",
    "fantasyland_points",
    "fantasyland_share",
    "foul_hazard",
    "foul_rate",
    "foul_street",
    "hands_needed",
    "in_seasons",
    "leaderboard",
    "leaks",
    "loss_by_hand",
    "loss_by_row",
    "loss_by_street",
    "loss_per_100",
    "luck_adjusted",
    "mean_chain_length",
    "money_totals",
    "pair_nets",
    "points_distribution",
    "points_per_100",
    "points_per_hand",
    "row_wins",
    "royalties_per_hand",
    "royalties_per_legal_hand",
    "royalty_by_category",
    "royalty_distribution",
    "running_points",
    "scoops_made",
    "scoops_suffered",
    "session_totals",
    "settle_up",
    "stay_rate",
    "tendencies",
    "tricky_loss",
]
