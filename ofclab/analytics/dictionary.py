"""The words for every number: what each metric is called, measured in and means."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import polars as pl

from ofclab.analytics import fantasyland, fouls, points, royalties

OF_HANDS: Final = "% of hands"
POINTS_A_HAND: Final = "points per hand"


@dataclass(frozen=True)
class Metric:
    """One metric: the function, and the words that go wherever its number is shown.

    ``keys``: the columns it adds to the group columns, a row for each of their values; none: a row per group.
    ``has_interval``: whether `low` and `high` stand beside it.
    """

    name: str
    function: Callable[..., pl.LazyFrame]
    title: str
    unit: str
    explanation: str
    keys: tuple[str, ...] = ()
    has_interval: bool = True


_METRICS = (
    Metric(
        "foul_rate",
        fouls.foul_rate,
        "Foul rate",
        OF_HANDS,
        "Fouled boards among hands played street by street; hands in Fantasyland are counted apart.",
    ),
    Metric(
        "fantasyland_foul_rate",
        fouls.fantasyland_foul_rate,
        "Foul rate in Fantasyland",
        "% of hands in Fantasyland",
        "Fouled boards among hands played in Fantasyland.",
    ),
    Metric(
        "foul_street",
        fouls.foul_street,
        "Street the foul became certain",
        OF_HANDS,
        "Hands whose foul became certain on this street: no completion with cards the player had not seen was legal "
        "after it. The streets add up to the foul rate.",
        ("street",),
    ),
    Metric(
        "foul_hazard",
        fouls.foul_hazard,
        "Foul hazard",
        "% of boards still alive",
        "Of the boards that could still be legal before this street, those whose foul became certain on it.",
        ("street",),
    ),
    Metric(
        "entry_rate",
        fantasyland.entry_rate,
        "Fantasyland entries",
        "% of hands not in Fantasyland",
        "Entries to Fantasyland among the hands that were not played in it.",
    ),
    Metric(
        "entry_by",
        fantasyland.entry_by,
        "What earned Fantasyland",
        "% of hands not in Fantasyland",
        "Entries by the hand that earned them and the cards they give; together they are the entry rate.",
        ("earned_by", "cards"),
    ),
    Metric(
        "stay_rate",
        fantasyland.stay_rate,
        "Fantasyland stays",
        "% of hands in Fantasyland",
        "Hands played in Fantasyland that kept the player in it.",
    ),
    Metric(
        "chain_length",
        fantasyland.chain_length,
        "Length of Fantasyland",
        "% of chains",
        "A player's Fantasyland hands in a row, by the cards of the first; one cut off by the table's end counts the "
        "hands it had.",
        ("cards", "length"),
    ),
    Metric(
        "mean_chain_length",
        fantasyland.mean_chain_length,
        "Mean length of Fantasyland",
        "hands per chain",
        "Mean number of a player's Fantasyland hands in a row; one cut off by the table's end counts the hands it had.",
    ),
    Metric(
        "fantasyland_share",
        fantasyland.fantasyland_share,
        "Hands in Fantasyland",
        OF_HANDS,
        "Hands played in Fantasyland among all hands.",
    ),
    Metric(
        "fantasyland_points",
        fantasyland.fantasyland_points,
        "Points in Fantasyland",
        POINTS_A_HAND,
        "Mean points of a hand played in Fantasyland, by the cards it was dealt; what a stay brings later is left out.",
        ("cards",),
    ),
    Metric(
        "royalties_per_hand",
        royalties.royalties_per_hand,
        "Royalties per hand",
        POINTS_A_HAND,
        "Mean royalty points over all hands; a foul counts as 0 and Fantasyland is included.",
    ),
    Metric(
        "royalties_per_legal_hand",
        royalties.royalties_per_legal_hand,
        "Royalties per hand not fouled",
        "points per hand not fouled",
        "Mean royalty points over the hands that did not foul, Fantasyland included.",
    ),
    Metric(
        "royalty_by_category",
        royalties.royalty_by_category,
        "Royalties by row and hand",
        POINTS_A_HAND,
        "Royalty points per hand that each category of each row brings in, over all hands; a foul makes nothing.",
        ("row", "category"),
    ),
    Metric(
        "royalty_distribution",
        royalties.royalty_distribution,
        "How large royalties are",
        OF_HANDS,
        "Hands by their royalty points, all rows together; a foul counts as 0.",
        ("points",),
    ),
    Metric(
        "points_per_hand",
        points.points_per_hand,
        "Points per hand",
        POINTS_A_HAND,
        "Mean points won or lost in a hand, with standard deviation and percentiles (the nearest hand).",
    ),
    Metric(
        "points_per_100",
        points.points_per_100,
        "Points per 100 hands",
        "points per 100 hands",
        "Mean points won or lost in a hundred hands.",
    ),
    Metric(
        "points_distribution",
        points.points_distribution,
        "What a hand wins or loses",
        OF_HANDS,
        "Hands by the points they won or lost.",
        ("points",),
    ),
    Metric(
        "row_wins",
        points.row_wins,
        "Rows won, tied and lost",
        "% of rows",
        "Rows won, tied and lost over all opponents; a foul loses all three to a board that does not foul.",
        ("outcome",),
    ),
    Metric(
        "scoops_made",
        points.scoops_made,
        "Scoops made",
        "% of matchups",
        "Matchups (a hand against one opponent) in which all three rows were won and neither board fouled.",
    ),
    Metric(
        "scoops_suffered",
        points.scoops_suffered,
        "Scoops suffered",
        "% of matchups",
        "Matchups (a hand against one opponent) in which all three rows were lost and neither board fouled.",
    ),
    Metric(
        "hands_needed",
        points.hands_needed,
        "Hands needed",
        "hands",
        "Hands two players must play each other until a difference of so many points a hand shows (95 % level, 80 % "
        "power), widened by the design effect of tables.",
        has_interval=False,
    ),
)

METRICS: Final[Mapping[str, Metric]] = MappingProxyType({metric.name: metric for metric in _METRICS})
"""Every metric by name, in the order the lab lists them."""

TERMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "hands": "Player-hands counted: one hand of two players counts twice.",
        "clusters": "Tables the hands come from; hands of one table hang together, because Fantasyland carries over.",
        "low": "Lower end of the interval (95 % unless another level is named).",
        "high": "Upper end of the interval (95 % unless another level is named).",
        "few_tables": "True when the hands come from fewer than 10 tables: the interval rests on too little.",
        "interval": "Ratio estimate, cluster-robust by table, t quantile of the number of tables less one; a rate "
        "never leaves 0 to 100 %.",
        "sd": "Standard deviation of the points of one hand: how widely a hand swings.",
        "p5": "The points of the nearest hand with 5 % of hands below it.",
        "p25": "The points of the nearest hand with 25 % of hands below it.",
        "p50": "The median: the points of the hand in the middle.",
        "p75": "The points of the nearest hand with 75 % of hands below it.",
        "p95": "The points of the nearest hand with 95 % of hands below it.",
        "entries": "Number of entries to Fantasyland.",
        "chains": "Number of Fantasyland chains: a player's Fantasyland hands in a row.",
        "matchups": "A hand against one opponent; a hand with two opponents is two matchups.",
        "rows": "Rows compared: three for each matchup.",
        "share": "Share of hands.",
        "difference": "Points a hand by which one player is better than the other.",
        "design_effect": "How many times more hands are needed because hands of one table are not independent.",
        "power": "Chance of finding a difference that is there.",
        "points_exchanged": "Points that change hands in a hand: what the winners win together.",
        "fantasyland_value": "Mean extra points of a Fantasyland hand of so many cards over a normal hand, "
        "continuation included, to its fixed point under the ruleset, the strategy and the number of seats.",
        "ev_loss": "EV of the best placement less EV of the one played, in points, with its standard error; inside two "
        "standard errors it is too close to call.",
        "accuracy": "Share of tricky spots (best less second best, and spread, above a stated size) played best or "
        "inside the noise.",
        "tricky_loss": "Mean points that a tricky spot lost against the best placement.",
        "loss_per_100": "Points that the decisions of a hundred reviewed hands lost against the best placements.",
        "loss_by_street": "Points lost on each street; together they are the points lost.",
        "loss_by_row": "Points lost by where the highest card went that the best placement puts elsewhere.",
        "loss_by_hand": "Points lost by the hand class that the placement broke and the best one keeps.",
        "fantasyland_chase": "Points lost by placements whose chance of Fantasyland is well above or below the best "
        "placement's.",
        "leaks": "What loses most: points lost, seen by street, row, hand class and Fantasyland, the dearest first.",
        "luck_adjusted": "What the decisions of both sides were worth: the mean of the points won, with less noise.",
        "spots": "Decisions counted.",
        "entry_more": "Chance of Fantasyland of the placements played less that of the best ones.",
        "foul_more": "Chance of a foul of the placements played less that of the best ones.",
        "actual": "Points won, with the Fantasyland earned and played at its value.",
        "actual_low": "Lower end of the interval of the points won.",
        "actual_high": "Upper end of the interval of the points won.",
        "card_luck": "Points won less what the decisions were worth: what the cards brought.",
        "tendencies": "What a player does per hand not in Fantasyland, drawn towards all players where hands are few.",
        "measured": "What the player's own hands show.",
        "pool": "All players together.",
        "weight": "How much the player's own hands count: 1 = alone, 0 = nothing but the pool.",
        "few_hands": "True for fewer than 100 hands: the number says little about the player.",
        "net": "What a player has won less what he has lost, in points or in money; the nets of a session cancel.",
        "pair_net": "What one player has won from another, over hands and sessions; the other's net is its opposite.",
        "money": "Money won or lost in a currency, in its smallest unit; never added up over currencies.",
        "sessions": "Sessions counted: an evening of a score sheet, or the hands of one table.",
        "leaderboard": "Players by points in a season, with points a hand over the sessions whose hands are counted.",
        "settle_up": "Who pays whom so that everybody is even, with the fewest payments.",
        "season": "A year, quarter or month in UTC, or days given by name.",
        "completeness": "How much of a hand its source knows, and so whether it feeds ledger, re-scoring and review.",
        "audit": "Recorded results beside the score, and the change of rules that would make a differing figure true.",
        "rescored": "Play held fixed and scored under other rules: only hands in which nobody came in with Fantasyland "
        "cards; each entry adds its value to the entrant and takes it from the opponents in equal parts.",
        "resimulated": "The same shuffles played anew under each ruleset, tables paired with tables.",
    }
)
"""The words for columns and numbers that are no metric of their own."""


def define(name: str) -> str:
    """Return the plain-words definition of a metric, column or term.

    >>> define("stay_rate")
    'Hands played in Fantasyland that kept the player in it.'
    """
    if name in METRICS:
        return METRICS[name].explanation
    if name in TERMS:
        return TERMS[name]
    raise KeyError(f"no definition of {name!r}; have {', '.join(sorted([*METRICS, *TERMS]))}")
