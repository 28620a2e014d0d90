"""Judge each placement by random completions, as the first open OFC programs did."""

from __future__ import annotations

from dataclasses import dataclass

from ofclab.strategies.hindsight import SampledFilling


@dataclass
class RandomFill(SampledFilling):
    """The rounds of Hindsight with one random filling a sample in place of the best one (the idea of Kachushi, pyOFC).

    ``fantasyland`` and ``foul_cost`` as in Hindsight. Random fillings foul so often that it plays for safety alone:
    0.2 % fouls, no entries, 1.4 royalties a hand in heads-up Pineapple.
    """

    _at_random = True


STRATEGY = RandomFill
