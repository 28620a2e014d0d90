"""Hindsight that chases Fantasyland."""

from __future__ import annotations

from dataclasses import dataclass

from ofclab.strategies.hindsight import SampledFilling


@dataclass
class FantasyChaser(SampledFilling):
    """Hindsight with ``fantasyland`` worth 25 and ``foul_cost`` 6.

    Measured heads-up in Pineapple, 4,000 hands: 19.9 +-1.2 % fouls, 21.7 +-1.3 % entries, 3.87 +-0.15 royalties a hand.
    """

    fantasyland: float | None = 25.0


STRATEGY = FantasyChaser
