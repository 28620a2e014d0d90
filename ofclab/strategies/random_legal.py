"""Uniform random legal placements."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ofclab.engine import Sees, Spots
from ofclab.kernels import choose
from ofclab.strategies.base import BuiltIn, placement_table


@dataclass
class RandomLegal(BuiltIn):
    """Every legal placement with the same chance: the yardstick whose foul rate and royalties are known exactly.

    Any policy that ignores the cards, in any high variant, fouls 0.690733694 of its hands and earns .0316325 points of
    American royalties a hand; in 2-7 it fouls 0.964640590 (full enumeration).
    """

    sees = Sees.DEAL

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        """The row of each dealt card, u8 (n, k)."""
        out = np.empty(spots.dealt.shape, np.uint8)
        choices, start = placement_table(spots.dealt.shape[1], spots.place, spots.placed)
        choose.random_legal(spots.keys, spots.counts, choices, start, out)
        return out


STRATEGY = RandomLegal
