"""Low cards in front, middling cards in the middle, high cards in the back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ofclab.engine import Sees, Spots
from ofclab.kernels import choose
from ofclab.strategies.base import BuiltIn, placement_table


@dataclass
class CutoffRows(BuiltIn):
    """Each card wants the front (pips up to `front_max`), the middle (up to `middle_max`) or the back.

    A card in another row costs the rows it is away, half as much again when it lands in front of its own; a discard
    costs ten times its pips. The placement of least cost is played. A beginner's rule of thumb.
    """

    front_max: int = 4
    middle_max: int = 9

    sees = Sees.DEAL

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        """The row of each dealt card, u8 (n, k)."""
        out = np.empty(spots.dealt.shape, np.uint8)
        choices, start = placement_table(spots.dealt.shape[1], spots.place, spots.placed)
        choose.cutoff_rows(spots.dealt, spots.counts, choices, start, self.front_max, self.middle_max, out)
        return out


STRATEGY = CutoffRows
