"""Judge each placement by the best it could become with sampled cards, seen in hindsight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ofclab.engine import Spots
from ofclab.kernels.hindsight import fill_by_samples
from ofclab.rules import Rules
from ofclab.rules.compiled import CompiledRules, compile_rules
from ofclab.strategies.base import BuiltIn, placement_table, values_array


@dataclass
class SampledFilling(BuiltIn):
    """Successive halving over sampled fillings of the open slots: what Hindsight and its relatives share.

    ``fantasyland``: points Fantasyland is worth, None = the value the engine hands over (by number of cards);
    ``foul_cost``: points a foul costs; ``samples``: samples of unseen cards a round.
    """

    fantasyland: float | None = None
    foul_cost: float = 6.0
    samples: int = 8
    _at_random = False

    def prepare(self, rules: Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Take the value of Fantasyland, or the strategy's own."""
        if self.fantasyland is not None:
            fantasyland_values = dict.fromkeys(range(13, 18), self.fantasyland)
        self._values = values_array(fantasyland_values)
        self._ceiling = ceiling_of(compile_rules(rules), self._values)

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        """The row of each dealt card, u8 (n, k)."""
        out = np.empty(spots.dealt.shape, np.uint8)
        choices, start = placement_table(spots.dealt.shape[1], spots.place, spots.placed)
        rules = spots.compiled
        fill_by_samples(
            spots.keys, spots.board, spots.dealt, spots.counts, spots.discards, spots.opponents,
            spots.opponents_discards, 52 + spots.rules.deck.jokers, choices, start, sample_size(spots),
            self.samples, self._at_random, rules.switches, rules.cross, rules.paid, self._ceiling, rules.entry,
            rules.stay, self._values, float(self.foul_cost), out,
        )  # fmt: skip
        return out


def ceiling_of(compiled: CompiledRules, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The most a row of each code or less can be worth, f8 (3, N); ``values`` f8 (18,) of Fantasyland."""
    most = compiled.paid.astype(np.float64)
    most[0] += values[compiled.entry[0]]
    most[1] += np.where(compiled.entry[1] > 0, values.max(), 0.0)
    return np.maximum.accumulate(most, axis=1)


def sample_size(spots: Spots) -> int:
    """Unseen cards of a sample for these spots: see `thinned`."""
    return thinned(13 - spots.placed - spots.place, int(spots.compiled.rounds[spots.street :, 0].sum()))


def thinned(open_slots: int, to_come: int) -> int:
    """Unseen cards of a sample: the open slots, and one more where four or fewer are open and discards are to come.

    Choosing among all future draws with hindsight is too good, so they are thinned: 12, 9, 6, 3 cards still to be dealt
    in Pineapple become 8, 6, 5, 3. In one-card play the sample is exactly the open slots.
    """
    return open_slots + (0 < open_slots <= 4 and to_come > open_slots)


@dataclass
class Hindsight(SampledFilling):
    """Plays the placement whose sampled best fillings are worth most: royalties, Fantasyland, less the cost of fouls.

    Each round draws ``samples`` (8) of the unseen cards for all placements alive and keeps the better half, of an odd
    number the larger one; the last street is exact. Measured heads-up in Pineapple with ``fantasyland`` 9.3 and
    ``foul_cost`` 6, 50,000 hands: 11.4 +-0.3 % fouls, 13.6 +-0.3 % entries, 4.00 +-0.04 royalties a hand; one-card play
    (7), 20,000 hands: 20.6 +-0.6 %, 1.7 +-0.2 %, 1.35 +-0.04. The rule's first program had 11.7 +-0.7 %, 12.5 +-0.7 %,
    3.85 +-0.10 in 8,000 hands and 10.7 +-0.7 %, 13.9 +-0.8 %, 4.01 +-0.10 in 7,300 others; in one-card play 20.8 +-0.9
    %, 1.5 +-0.3 %, 1.34 +-0.06.
    """


STRATEGY = Hindsight
