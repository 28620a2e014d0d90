"""What the strategies with a habit share: the habit narrows the placements down, sampled fillings choose among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ofclab.engine import Spots
from ofclab.kernels import habits, tables
from ofclab.kernels.hindsight import fill_by_samples
from ofclab.kernels.placement import DISCARD
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules
from ofclab.strategies.base import placement_table
from ofclab.strategies.hindsight import SampledFilling, sample_size

_BIG_WITHOUT_FANTASYLAND = (10, 11, 12)


@dataclass
class Habit(SampledFilling):
    """Keeps to a habit, and within it plays as Hindsight does; so a match shows what the habit itself costs.

    ``samples`` is half of Hindsight's, for speed.
    """

    samples: int = 4
    _habit: ClassVar[int]
    _opening_only: ClassVar[bool] = True

    def prepare(self, rules: Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Take the value of Fantasyland, and which ranks earn it as a pair in front."""
        super().prepare(rules, fantasyland_values)
        entry = compile_rules(rules).entry[0]
        pairs = [tables.HIGH_CODES[tables.high_strength((r, r, 0 if r else 1))] for r in range(13)]
        self._big = entry[pairs] > 0
        if not self._big.any():
            self._big[list(_BIG_WITHOUT_FANTASYLAND)] = True

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        """The row of each dealt card, u8 (n, k)."""
        if (self._opening_only and spots.street > 1) or spots.street == spots.streets:
            return super().place(spots)
        choices, start = placement_table(spots.dealt.shape[1], spots.place, spots.placed)
        allowed = np.zeros((len(spots), int(np.diff(start).max())), np.bool_)
        habits.keep_to_habit(
            self._habit, self._parameter(), spots.street == 1, spots.board, spots.dealt, spots.counts, spots.discards,
            spots.opponents, spots.opponents_discards, choices, start, self._big, spots.compiled.low_middle, allowed,
        )  # fmt: skip
        # Spots with the same open slots and the same placements left are filled together.
        states = 36 * (3 - spots.counts[:, 0].astype(np.int64)) + 6 * (5 - spots.counts[:, 1]) + 5 - spots.counts[:, 2]
        kinds, group = np.unique(np.column_stack((states, np.packbits(allowed, axis=1))), axis=0, return_inverse=True)
        out = np.full(spots.dealt.shape, DISCARD, np.uint8)
        for number, kind in enumerate(kinds):
            where = np.flatnonzero(group.ravel() == number)
            state, first = int(kind[0]), int(start[kind[0]])
            left = choices[first : first + allowed.shape[1]][allowed[where[0]][: len(choices) - first]]
            only = np.zeros(145, np.int64)
            only[state + 1 :] = len(left)
            out[where] = self._fill(spots, where, left, only)
        return out

    def _fill(
        self, spots: Spots, where: NDArray[np.int64], choices: NDArray[np.uint8], start: NDArray[np.int64]
    ) -> NDArray[np.uint8]:
        """Choose among these placements at some of the spots."""
        out, rules = np.empty((len(where), spots.dealt.shape[1]), np.uint8), spots.compiled
        fill_by_samples(
            spots.keys[where], spots.board[where], spots.dealt[where], spots.counts[where], spots.discards[where],
            spots.opponents[where], spots.opponents_discards[where], 52 + spots.rules.deck.jokers, choices, start,
            sample_size(spots), self.samples, self._at_random, rules.switches, rules.cross, rules.paid,
            self._ceiling, rules.entry, rules.stay, self._values, float(self.foul_cost), out,
        )  # fmt: skip
        return out

    def _parameter(self) -> float:
        return 0.0
