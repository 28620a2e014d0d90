"""Chips that moved in each hand: as recorded under the hand's own rules, settled anew under others."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.log import arrays
from ofclab.rules import Rules
from ofclab.scoring import seat_pairs
from ofclab.settlement import settle


class Settling:
    """Fills ``chips`` i64 (seats,) where ``known``, hand group by hand group.

    A hand played under the same rules moved what its stacks say. Where points are paid at the end of the game, a
    simulated table's last hand moves everything. Under other rules the stacks before the hand are settled again; a game
    that would be paid at its end cannot be, and stays unknown.
    """

    def __init__(self, hands: pl.DataFrame, seats: pl.DataFrame) -> None:
        self.chips = np.zeros(seats.height, np.int64)
        self.known = np.zeros(seats.height, np.bool_)
        self._has_stacks = seats["stack_before"].null_count() < seats.height
        if not self._has_stacks:
            return
        self._before, self._has_before = _filled(seats["stack_before"])
        self._after, self._has_after = _filled(seats["stack_after"])
        self._position = seats["position"].fill_null(0).to_numpy()
        self._ruleset_ids = hands["ruleset_id"].to_numpy()
        self._tables = hands["table_id"].to_numpy()
        self._simulated = hands["seed_key"].is_not_null().to_numpy()
        self._seat = seats["seat"].to_numpy()
        self._n_seats = hands["n_seats"].to_numpy()
        self._starts = arrays.first_seats(self._n_seats)
        changes = np.flatnonzero(self._tables[1:] != self._tables[:-1]) + 1
        self._first_hand = np.zeros(hands.height, np.int64)
        self._first_hand[changes] = changes
        self._first_hand = np.maximum.accumulate(self._first_hand)

    def fill(self, rows: NDArray[np.int64], at: NDArray[np.int64], pairs: NDArray[np.int32], rules: Rules) -> None:
        """Settle hands ``rows`` with seats at ``at`` (hands, seats) and pair totals ``pairs`` (hands, pairs)."""
        if not self._has_stacks:
            return
        before = self._has_before[at].all(axis=1)
        as_played = before & self._has_after[at].all(axis=1) & (self._ruleset_ids[rows] == rules.id)
        if rules.stakes.settle_when == "end_of_game":
            self._at_the_end(rows[as_played & self._simulated[rows]])
            return
        told = at[as_played]
        self.chips[told], self.known[told] = self._after[told] - self._before[told], True
        # A room may have recorded a debt as a negative stack: nothing can be settled out of it.
        payable = before & (self._before[at] >= 0).all(axis=1)
        for hand in np.flatnonzero(payable & ~as_played):
            self._settle(at[hand], pairs[hand], rules)

    def _settle(self, at: NDArray[np.int64], points: NDArray[np.int32], rules: Rules) -> None:
        from_left = np.argsort(self._position[at], kind="stable")
        limited = rules.stakes.table_stakes
        stacks = {int(i): int(self._before[at[i]]) if limited else None for i in from_left}
        owed = [(a, b, int(p)) for (a, b), p in zip(seat_pairs(len(at)), points, strict=True)]
        after = settle(owed, stacks, rules).stacks
        for i, chips in after.items():
            self.chips[at[i]] = chips - (stacks[i] or 0)
        self.known[at] = True

    def _at_the_end(self, rows: NDArray[np.int64]) -> None:
        """Nothing moves before the last hand of a table; then each seat's chips since the first."""
        for row in rows:
            own = self._seats_of(row)
            self.known[own] = True
            if row + 1 == len(self._tables) or self._tables[row + 1] != self._tables[row]:
                first = self._seats_of(self._first_hand[row])
                begun = dict(zip(self._seat[first].tolist(), self._before[first].tolist(), strict=True))
                start = [begun[seat] for seat in self._seat[own].tolist()]
                self.chips[own] = self._after[own] - np.array(start, np.int64)

    def _seats_of(self, row: int | np.int64) -> slice:
        return slice(self._starts[row], self._starts[row] + self._n_seats[row])


def _filled(column: pl.Series) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Values with 0 for null, and which are known."""
    return column.fill_null(0).to_numpy(), column.is_not_null().to_numpy()
