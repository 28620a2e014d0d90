"""Hindsight for royalties alone."""

from __future__ import annotations

from dataclasses import dataclass

from ofclab.strategies.hindsight import SampledFilling


@dataclass
class RoyaltyGreedy(SampledFilling):
    """Hindsight with ``fantasyland`` worth nothing and ``foul_cost`` 6.

    Measured heads-up in Pineapple, 4,000 hands: 4.7 +-0.7 % fouls, 5.3 +-0.7 % entries, 4.05 +-0.14 royalties a hand.
    """

    fantasyland: float | None = 0.0


STRATEGY = RoyaltyGreedy
