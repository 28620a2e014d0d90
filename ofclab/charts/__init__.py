"""Charts of the metrics: a frame in, a plotly figure out; nothing is computed here."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import plotly.graph_objects as go

from ofclab.charts.compare import change_waterfall, crossed_marks, difference_marks, payoff_matrix, relative_marks
from ofclab.charts.decisions import (
    accuracy_bars,
    fantasyland_chase_bars,
    leak_marks,
    loss_by_hand_bars,
    loss_by_row_bars,
    loss_by_street_bars,
    loss_marks,
    luck_adjusted_marks,
    tendency_panels,
    tricky_loss_marks,
)
from ofclab.charts.fantasyland import (
    chain_length_bars,
    entry_bars,
    entry_by_bars,
    fantasyland_points_marks,
    fantasyland_share_bars,
    mean_chain_bars,
    stay_bars,
)
from ofclab.charts.fouls import fantasyland_foul_bars, foul_bars, foul_hazard_lines, foul_street_lines
from ofclab.charts.ledger import leaderboard_bars, pair_nets_matrix, running_points_lines
from ofclab.charts.points import (
    hands_needed_bars,
    points_distribution_bars,
    points_marks,
    points_per_100_marks,
    points_spread,
    row_wins_bars,
    scoops_made_bars,
    scoops_suffered_bars,
)
from ofclab.charts.royalties import legal_royalty_bars, royalty_bars, royalty_category_bars, royalty_distribution_bars
from ofclab.charts.theme import dark

CHARTS: Final[Mapping[str, Callable[..., go.Figure]]] = MappingProxyType(
    {
        "foul_rate": foul_bars,
        "fantasyland_foul_rate": fantasyland_foul_bars,
        "foul_street": foul_street_lines,
        "foul_hazard": foul_hazard_lines,
        "entry_rate": entry_bars,
        "entry_by": entry_by_bars,
        "stay_rate": stay_bars,
        "chain_length": chain_length_bars,
        "mean_chain_length": mean_chain_bars,
        "fantasyland_share": fantasyland_share_bars,
        "fantasyland_points": fantasyland_points_marks,
        "royalties_per_hand": royalty_bars,
        "royalties_per_legal_hand": legal_royalty_bars,
        "royalty_by_category": royalty_category_bars,
        "royalty_distribution": royalty_distribution_bars,
        "points_per_hand": points_marks,
        "points_per_100": points_per_100_marks,
        "points_distribution": points_distribution_bars,
        "row_wins": row_wins_bars,
        "scoops_made": scoops_made_bars,
        "scoops_suffered": scoops_suffered_bars,
        "hands_needed": hands_needed_bars,
    }
)
"""The chart of each metric, by the metric's name."""

DECISION_CHARTS: Final[Mapping[str, Callable[..., go.Figure]]] = MappingProxyType(
    {
        "accuracy": accuracy_bars,
        "tricky_loss": tricky_loss_marks,
        "loss_per_100": loss_marks,
        "loss_by_street": loss_by_street_bars,
        "loss_by_row": loss_by_row_bars,
        "loss_by_hand": loss_by_hand_bars,
        "fantasyland_chase": fantasyland_chase_bars,
        "leaks": leak_marks,
        "luck_adjusted": luck_adjusted_marks,
    }
)
"""The chart of each report on reviewed decisions, by the report's name."""

__all__ = [
    "CHARTS",
    "DECISION_CHARTS",
    "accuracy_bars",
    "chain_length_bars",
    "change_waterfall",
    "crossed_marks",
    "dark",
    "difference_marks",
    "entry_bars",
    "entry_by_bars",
    "fantasyland_chase_bars",
    "fantasyland_foul_bars",
    "fantasyland_points_marks",
    "fantasyland_share_bars",
    "foul_bars",
    "foul_hazard_lines",
    "foul_street_lines",
    "hands_needed_bars",
    "leaderboard_bars",
    "leak_marks",
    "legal_royalty_bars",
    "loss_by_hand_bars",
    "loss_by_row_bars",
    "loss_by_street_bars",
    "loss_marks",
    "luck_adjusted_marks",
    "mean_chain_bars",
    "pair_nets_matrix",
    "payoff_matrix",
    "points_distribution_bars",
    "points_marks",
    "points_per_100_marks",
    "points_spread",
    "relative_marks",
    "row_wins_bars",
    "royalty_bars",
    "royalty_category_bars",
    "royalty_distribution_bars",
    "running_points_lines",
    "scoops_made_bars",
    "scoops_suffered_bars",
    "stay_bars",
    "tendency_panels",
    "tricky_loss_marks",
]
