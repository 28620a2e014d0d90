"""What trained weights are worth: matches, figures of their own play, the value of Fantasyland under them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ofclab.engine import play
from ofclab.rules import Rules
from ofclab.solver.values import fantasyland_cards, fantasyland_value
from ofclab.strategies.expert import Expert
from ofclab.strategies.expert_weights import Weights
from ofclab.tournaments import tournament

OPPONENTS = ("hindsight", "never_bust_greedy")


def self_play(weights: Weights, rules: Rules, seats: int, hands: int, seed: int) -> dict[str, float]:
    """Figures of normal hands of the fast level against itself: fouls, entries, royalties, and how many hands."""
    player = Expert.of_weights(weights)
    (batch,) = play(rules, [player] * seats, range(hands), 1, seed)
    return {
        "hands": hands,
        "fouls": round(float(batch.fouled.mean()), 4),
        "entries": round(float((batch.next_fantasyland > 0).mean()), 4),
        "royalties": round(float(batch.royalties.sum(axis=2).mean()), 3),
    }


def matches(
    weights: Weights, rules: Rules, opponents: Sequence[Any], deals: int, seed: int, seats: int = 2, workers: int = 1
) -> list[dict[str, Any]]:
    """Points a mirrored deal of the fast level against each opponent, with its interval."""
    found = []
    for opponent in opponents:
        line_up = [Expert.of_weights(weights), *[opponent] * (seats - 1)]
        played = tournament(line_up, rules, deals, seed, seats, workers)
        row = played.pairs.row(0, named=True)
        found.append(
            {"opponent": row["b"], "deals": deals, "seed": seed}
            | {name: round(float(row[name]), 3) for name in ("points", "low", "high")}
        )
    return found


def proven(
    weights: Weights, rules: Rules, seats: int = 2, deals: int = 300, hands: int = 5000, chains: int = 1000,
    seed: int = 11, workers: int = 1, opponents: Sequence[Any] = OPPONENTS,
) -> Weights:  # fmt: skip
    """The same weights with what they are worth noted in them: self_play, matches, fantasyland."""
    about: dict[str, Any] = {**weights.about, "self_play": self_play(weights, rules, seats, hands, seed)}
    about["matches"] = matches(weights, rules, opponents, deals, seed, seats, workers)
    if fantasyland_cards(rules):
        worth = fantasyland_value(rules, Expert.of_weights(weights), seats, chains, seed=seed, cache=False)
        about["fantasyland"] = {str(row["cards"]): _rounded(row) for row in worth.frame.iter_rows(named=True)}
    return replace(weights, about=about)


def _rounded(row: Mapping[str, Any]) -> dict[str, float]:
    return {name: round(float(row[name]), 3) for name in ("value", "low", "high", "stay_rate", "royalties")}
