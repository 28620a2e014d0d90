"""Never break the order of the rows so far; take the made hands that are there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ofclab.engine import Sees, Spots
from ofclab.kernels import greedy, tables
from ofclab.strategies.base import BuiltIn, placement_table

_CLASS_POINTS = np.zeros(len(tables.CATEGORIES))
for _category, _points in (
    (tables.PAIR, 1), (tables.TWO_PAIR, 2), (tables.TRIPS, 4), (tables.STRAIGHT, 8), (tables.FLUSH, 8),
    (tables.FULL_HOUSE, 12), (tables.QUADS, 20), (tables.STRAIGHT_FLUSH, 30), (tables.ROYAL_FLUSH, 30),
    (tables.FIVE_OF_A_KIND, 30),
):  # fmt: skip
    _CLASS_POINTS[_category] = _points


@dataclass
class NeverBustGreedy(BuiltIn):
    """Greatest sum of class values among placements that keep front <= middle <= back at every step.

    A row so far counts by its pairs, trips and quads (straights and flushes with five cards); open slots add
    ``slot_points`` x (open slots) ** 0.3 a row; ties are broken at random. The last street takes royalties plus the
    value of Fantasyland, less ``foul_cost`` for a foul. A 2-7 middle must be able to qualify and adds no class value.
    """

    slot_points: float = 0.1
    foul_cost: float = 6.0

    sees = Sees.ROWS

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        """The row of each dealt card, u8 (n, k)."""
        out = np.empty(spots.dealt.shape, np.uint8)
        choices, start = placement_table(spots.dealt.shape[1], spots.place, spots.placed)
        rules = spots.compiled
        greedy.never_bust_greedy(
            spots.keys, spots.board, spots.dealt, spots.counts, choices, start, spots.street == spots.streets,
            rules.switches, rules.cross, rules.paid, rules.entry, rules.stay, self._values,
            _CLASS_POINTS, self.slot_points * np.arange(6) ** 0.3, float(self.foul_cost), out,
        )  # fmt: skip
        return out


STRATEGY = NeverBustGreedy
