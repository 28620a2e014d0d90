"""What the rules of thumb share: a habit for the opening, then a count of made hands and flush draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ofclab.engine import Spots
from ofclab.kernels import finish, habits, tables
from ofclab.kernels.scoring import LOW_WORST, MODE_OFF, ROYALTY_MODE
from ofclab.rules import Rules
from ofclab.rules.compiled import CompiledRules, compile_rules
from ofclab.strategies.base import BuiltIn, placement_table, values_array

_CATEGORY_POINTS = np.array([0.0, 1, 2, 4, 8, 8, 12, 20, 30, 30, 30])
"""Class values of NeverBustGreedy, high card to five of a kind."""
_USUALLY_BIG = (10, 11, 12)


@dataclass
class Habit(BuiltIn):
    """A habit for the cards dealt first, then the greatest count of what the rows hold.

    ``fantasyland``: points Fantasyland is worth, None = the value handed over; ``foul_cost``: points a foul costs, and
    what is at stake while a row is stronger than the one behind it; ``entry_share``: the part of Fantasyland's worth
    that counts for a pair in front before the board is complete. The last street takes the royalties and Fantasyland of
    the finished board.
    """

    fantasyland: float | None = None
    foul_cost: float = 6.0
    entry_share: float = 0.5
    _habit: ClassVar[int] = habits.ACES_OR_ONE_UP

    def prepare(self, rules: Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Take the rules and the value of Fantasyland."""
        if self.fantasyland is not None:
            fantasyland_values = dict.fromkeys(range(13, 18), self.fantasyland)
        self._values = values_array(fantasyland_values)
        compiled = compile_rules(rules)
        front, big = _fronts(compiled, self._values * self.entry_share)
        self._scale = habits.Scale(
            _CATEGORY_POINTS, front, compiled.royalty, big, int(compiled.low_middle), _low_rank(compiled),
            float(self.foul_cost),
        )  # fmt: skip

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        """The row of each dealt card, u8 (n, k)."""
        out = np.empty(spots.dealt.shape, np.uint8)
        choices, start = placement_table(spots.dealt.shape[1], spots.place, spots.placed)
        rules = spots.compiled
        if spots.street == spots.streets:
            finish.best_finish(
                spots.board, spots.counts, spots.dealt, choices, start, False, spots.opponents,
                spots.opponents_fantasyland, rules.switches, rules.cross, rules.royalty, rules.entry, rules.stay,
                self._values, float(rules.switches[ROYALTY_MODE] != MODE_OFF), float(self.foul_cost), out,
            )  # fmt: skip
            return out
        habits.play_habit(
            self._habit, float(self._parameter()), spots.street == 1, spots.keys, spots.board, spots.dealt,
            spots.counts, spots.discards, spots.opponents, spots.opponents_discards, 52 + spots.rules.deck.jokers,
            int(rules.rounds[spots.street :, 0].sum()), choices, start, self._scale, out,
        )  # fmt: skip
        return out

    def _parameter(self) -> float:
        return 0.0


def _fronts(compiled: CompiledRules, shares: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Worth of a pair and of trips of each rank in front, f8 (2, 13); the ranks whose pair earns Fantasyland."""
    worth, big = np.zeros((2, 13)), np.zeros(13, np.bool_)
    paid = compiled.switches[ROYALTY_MODE] != MODE_OFF
    for rank in range(13):
        for row, ranks in enumerate(((rank, rank, 0 if rank else 1), (rank, rank, rank))):
            code = tables.HIGH_CODES[tables.high_strength(ranks)]
            worth[row, rank] = compiled.royalty[0, code] * paid + shares[compiled.entry[0, code]]
        big[rank] = compiled.entry[0, tables.HIGH_CODES[tables.high_strength((rank, rank, 0 if rank else 1))]] > 0
    worth += _CATEGORY_POINTS[[[tables.PAIR], [tables.TRIPS]]]
    if not big.any():
        big[list(_USUALLY_BIG)] = True
    return worth, big


def _low_rank(compiled: CompiledRules) -> int:
    """Highest rank of a low that qualifies."""
    worst = compiled.switches[LOW_WORST]
    return max(-s[1] - 1 for s, code in tables.LOW_CODES.items() if s[0] == -tables.HIGH_CARD and code >= worst)
