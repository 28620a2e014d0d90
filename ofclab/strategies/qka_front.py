"""A queen, king or ace in front from the start."""

from __future__ import annotations

from dataclasses import dataclass

from ofclab.kernels.habits import ACES_OR_ONE_UP
from ofclab.strategies.habits import Habit


@dataclass
class QKAFront(Habit):
    """Opens with one queen, king or ace in front, two only as aces; other big cards and pairs go to the middle.

    Big are the ranks whose pair in front earns Fantasyland under the rules. Source: the advice to gamble for
    Fantasyland more often, "most Fantasyland gambles only need 25 percent" (D. Haynie, Pineapple strategy column), and
    the common teaching of one high card up top.
    """

    _habit = ACES_OR_ONE_UP


STRATEGY = QKAFront
