"""A queen, king or ace in front from the start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ofclab.kernels.habits import ACES_OR_ONE_UP
from ofclab.rules import Rules
from ofclab.strategies.habits import Habit


@dataclass
class QKAFront(Habit):
    """Opens with one queen, king or ace in front, two only as aces; other big cards and pairs go to the middle.

    Big are the ranks whose pair in front earns Fantasyland under the rules. Source: the advice to gamble for
    Fantasyland more often, "most Fantasyland gambles only need 25 percent" (D. Haynie, Pineapple strategy column), and
    the common teaching of one high card up top. ``bonus``: points by which Fantasyland is worth more to this player.
    Measured heads-up in Pineapple, Fantasyland at 9.3: 21.2 % fouls, 11.8 % entries, 2.60 royalties a hand.
    """

    bonus: float = 3.0
    _habit = ACES_OR_ONE_UP

    @property
    def label(self) -> str:
        """The name with its parameters; Q, K and A are one word."""
        return super().label.replace("q_k_a", "qka", 1)

    def prepare(self, rules: Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Take the value of Fantasyland and add the bonus."""
        values = fantasyland_values if self.fantasyland is None else dict.fromkeys(range(13, 18), self.fantasyland)
        super().prepare(rules, {cards: value + self.bonus for cards, value in values.items()})


STRATEGY = QKAFront
