"""Two pair in the back, aces split."""

from __future__ import annotations

from dataclasses import dataclass

from ofclab.kernels.habits import TWO_PAIR_BACK
from ofclab.strategies.habits import Habit


@dataclass
class TwoPairBackAceSplit(Habit):
    """Opens with two pair in the back, one ace in front and every other big card in the middle.

    A pair of aces without a second pair is split, one ace in front and one in the middle; a smaller pair begins the
    back. Source: "Some experienced Open Face Chinese players always split Aces up and go for Fantasy Land or top
    royalties. Others go for full house royalty by setting two pairs in the back" (a room's rules page). Measured
    heads-up in Pineapple, Fantasyland at 9.3: 9.1 % fouls, 6.2 % entries, 3.17 royalties a hand.
    """

    _habit = TWO_PAIR_BACK


STRATEGY = TwoPairBackAceSplit
