"""Any strategy, with the end of the hand played exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ofclab.engine import Spots
from ofclab.kernels import finish, tails
from ofclab.kernels.judge import OUTCOMES, Payoff, make_work
from ofclab.rules import Rules
from ofclab.rules.compiled import CompiledRules
from ofclab.strategies import get
from ofclab.strategies.base import BuiltIn, placement_table, values_array
from ofclab.strategies.payoffs import build_payoff

_PINEAPPLE_STREET = (3, 2, 1)
_ONE_CARD = (1, 1, 0)


@dataclass
class ExactEndgame(BuiltIn):
    """Plays as another strategy does until the rest of the hand can be summed over every draw, and exactly from there.

    Exact are the last two streets of Pineapple, the last ``cards`` streets of one-card play and the last street of any
    other deal. A board is worth its royalties from every opponent and the Fantasyland it earns, a foul costs
    ``foul_cost`` an opponent (None: the penalty of the rules). On the last street, against boards that lie open and
    complete, it is worth the points it wins. ``base``: the name of the strategy for the streets before. Source: the
    exact tail of the strongest open bots. Measured heads-up in Pineapple, Fantasyland at 9.3, base Hindsight: 12.5 %
    fouls, 14.4 % entries, 4.15 royalties a hand.
    """

    base: str = "hindsight"
    cards: int = 3
    foul_cost: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._base = get(self.base)

    def prepare(self, rules: Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Prepare the base, and take the rules and the value of Fantasyland."""
        self._base.prepare(rules, fantasyland_values)
        self._values = values_array(fantasyland_values)
        self._penalty = float(rules.foul.penalty) if self.foul_cost is None else float(self.foul_cost)
        self._payoffs: dict[int, Payoff] = {}

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        """The row of each dealt card, u8 (n, k)."""
        if spots.street == spots.streets:
            return self._finish(spots)
        kind, depth = self._kind(spots)
        if kind < 0:
            return self._base.place(spots)
        return self._decide(spots, kind, depth)

    def _kind(self, spots: Spots) -> tuple[int, int]:
        """What is still to come, as the kernel names it, and in how many cards; -1 where it is not summed."""
        to_come = [tuple(street) for street in spots.compiled.rounds[spots.street :].tolist()]
        if to_come == [_PINEAPPLE_STREET]:
            return tails.THREE_CARDS, 1
        if len(to_come) < self.cards and all(street == _ONE_CARD for street in to_come):
            return tails.SINGLE_CARDS, len(to_come)
        return -1, 0

    def _finish(self, spots: Spots) -> NDArray[np.uint8]:
        out = np.empty(spots.dealt.shape, np.uint8)
        choices, start = placement_table(spots.dealt.shape[1], spots.place, spots.placed)
        rules = spots.compiled
        others = (spots.opponents_fantasyland != 255).sum(axis=1).astype(np.float64)
        finish.best_finish(
            spots.board, spots.counts, spots.dealt, choices, start, spots.opponents, spots.opponents_fantasyland,
            rules.switches, rules.cross, rules.paid, rules.entry, rules.stay, self._values, others,
            others * self._penalty, out,
        )  # fmt: skip
        return out

    def _decide(self, spots: Spots, kind: int, depth: int) -> NDArray[np.uint8]:
        """The placement whose sum over all draws to come is greatest."""
        choices, start = placement_table(spots.dealt.shape[1], spots.place, spots.placed)
        unseen = _unseen(spots)
        others = (spots.opponents_fantasyland != 255).sum(axis=1)
        picks = np.zeros(len(spots), np.int64)
        sizes = np.column_stack((unseen.sum(axis=1), others))
        for size, seated in np.unique(sizes, axis=0).tolist():
            where = np.flatnonzero((sizes == (size, seated)).all(axis=1))
            cards = np.nonzero(unseen[where])[1].astype(np.uint8).reshape(-1, size)
            found = np.zeros(len(where), np.int64)
            tails.decide_boards(
                spots.board[where], spots.dealt[where], cards, choices, start, kind, depth, 0, *_NO_CHOICE,
                self._payoff(spots.compiled, seated), make_work(), np.zeros(len(where), np.int64),
                np.zeros((len(where), OUTCOMES), np.int64), found,
            )  # fmt: skip
            picks[where] = found
        return choices[picks]

    def _payoff(self, compiled: CompiledRules, others: int) -> Payoff:
        if others not in self._payoffs:
            worth = dict(enumerate(self._values.tolist()))
            self._payoffs[others], _, _ = build_payoff(
                compiled, worth, compiled.paid.astype(np.float64) * others, -self._penalty * others
            )
        return self._payoffs[others]


_NO_CHOICE = (np.zeros((1, 0), np.uint8), np.zeros(145, np.int64))


def _unseen(spots: Spots) -> NDArray[np.bool_]:
    """Which cards of the deck each player has not seen, bool (n, deck)."""
    n = len(spots)
    seen = np.zeros((n, 256), np.bool_)
    for cards in (spots.board, spots.dealt, spots.discards, spots.opponents, spots.opponents_discards):
        seen[np.arange(n)[:, None], cards.reshape(n, -1)] = True
    return ~seen[:, : 52 + spots.rules.deck.jokers]


STRATEGY = ExactEndgame
