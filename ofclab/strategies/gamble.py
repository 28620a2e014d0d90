"""Gamble for Fantasyland whenever the chance is good enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ofclab.engine import Spots
from ofclab.kernels.rollouts import entry_chances
from ofclab.rules import Rules
from ofclab.strategies.base import BuiltIn
from ofclab.strategies.hindsight import SampledFilling, sample_size

_EVERYTHING = 100.0
"""Fantasyland as the gambler sees it: worth more than any royalties."""


@dataclass
class Gamble(BuiltIn):
    """Goes for Fantasyland when its chance is at least ``p``, else plays for royalties as RoyaltyGreedy does.

    The gamble is the placement that reaches Fantasyland most often; its chance to end legal with it is the share of
    ``rollouts`` thinned samples of unseen cards in which that can be done. ``samples``: samples a round of Hindsight's
    search, for the gamble and for the safe play; ``foul_cost``: points a foul costs. Source: "Most Fantasyland gambles
    only need 25 percent to be worth it" (D. Haynie, Pineapple strategy column). Measured heads-up in Pineapple: 13.3 %
    fouls, 11.3 % entries, 3.71 royalties a hand; with ``p`` 0, always gambling, about 27 %, 20 % and 3.1.
    """

    p: float = 0.25
    rollouts: int = 32
    samples: int = 4
    foul_cost: float = 6.0

    def prepare(self, rules: Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Learn the rules; the value of Fantasyland plays no part."""
        super().prepare(rules, fantasyland_values)
        self._gamble = SampledFilling(fantasyland=_EVERYTHING, foul_cost=self.foul_cost, samples=self.samples)
        self._safe = SampledFilling(fantasyland=0.0, foul_cost=self.foul_cost, samples=self.samples)
        for player in (self._gamble, self._safe):
            player.prepare(rules, fantasyland_values)

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        """The row of each dealt card, u8 (n, k)."""
        gamble, safe = self._gamble.place(spots), self._safe.place(spots)
        rules, chances = spots.compiled, np.empty(len(spots))
        entry_chances(
            spots.keys, spots.board, spots.counts, spots.dealt, gamble, spots.discards, spots.opponents,
            spots.opponents_discards, 52 + spots.rules.deck.jokers, sample_size(spots), self.rollouts, rules.switches,
            rules.cross, rules.entry, rules.stay, chances,
        )  # fmt: skip
        return np.where((chances >= self.p)[:, None], gamble, safe)


STRATEGY = Gamble
