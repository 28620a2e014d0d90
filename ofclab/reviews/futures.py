"""Sampled futures of a spot, the same for all of its placements, and a quick look that needs no roll-outs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ofclab.board import Placement, Row
from ofclab.cards import UNSEEN, Card
from ofclab.engine import Strategy
from ofclab.kernels.first_look import look
from ofclab.reviews.levels import Level
from ofclab.rules.compiled import compile_rules
from ofclab.solver.evaluate import Question
from ofclab.solver.opponents import Opponents, play_on
from ofclab.solver.payoff import Valuation, value_rows
from ofclab.solver.playout import Players, board_array, draws
from ofclab.solver.sampling import deal_keys
from ofclab.solver.streets import value
from ofclab.strategies.base import values_array
from ofclab.strategies.hindsight import Hindsight, ceiling_of, thinned

Floats = NDArray[np.float64]
_ROWS = tuple(Row)
_OPPONENTS_SAMPLES = 4
_PARTS = {"look": 0, "screen": 1, "choose": 2, "value": 3, "boards": 4}
"""Which random stream is for what, so that none shifts another."""


class Futures:
    """Futures of a spot: number `i` depends on the spot, its key and `i` alone.

    Own streets up to the exact end are played by the policy. Where opponents are still to place, they end with one of
    a few groups of boards, drawn apart from own cards; future `i` is valued against group `i` mod groups. Where the
    rest of the hand can be summed for each group (``is_summed``), future `i` is group `i`, and there are no others.
    """

    def __init__(self, question: Question, level: Level, key: int) -> None:
        self.question, self.level, self.key = question, level, key
        self.played, self.street, self.tail = question.split()
        self.opponents = Opponents(question.spot, question.rules, _quicker(question), question.values)
        self.is_summed = not question.known and not self.played and self.street is None
        self.deals = level.boards if self.is_summed else 1
        self.policy = question.continuation(question.strategy)
        self.used = sum(deal for deal, _, _ in self.played) + (self.street[0] if self.street else 0)

    def _random(self, part: str, number: int) -> np.random.Generator:
        return np.random.default_rng([self.key, _PARTS[part], number])

    @cached_property
    def valuations(self) -> list[Valuation]:
        """What finished boards are worth, by group of opponents' boards; one where these are known."""
        question = self.question
        if question.known:
            return [question.valuation]
        compiled = compile_rules(question.rules)
        count = self.level.summed if self.is_summed else self.level.groups
        groups = (self.opponents.sample(self.level.boards, self._random("boards", i)) for i in range(count))
        return [value_rows(compiled, question.values, boards) for boards in groups]

    def play(self, part: str, numbers: range, alive: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Points f8 (alive, futures) and chances f8 (alive, futures, 1 + sizes) of a foul and of each Fantasyland."""
        if self.is_summed:
            found = [self._value(alive, self.question.unseen[None], valuation) for valuation in self.valuations]
            return np.concatenate([points for points, _ in found], 1), np.concatenate([odds for _, odds in found], 1)
        orders = np.concatenate(
            [draws(self.question.unseen, 1, self.used, self._random(part, number)) for number in numbers]
        )
        boards = self._carry_on(alive, orders)
        groups = len(self.valuations)
        points = np.empty((len(alive), len(numbers)))
        chances = np.empty((len(alive), len(numbers), 1 + len(self.valuations[0].cards)))
        for group, valuation in enumerate(self.valuations):
            where = np.flatnonzero(np.arange(numbers.start, numbers.stop) % groups == group)
            if len(where):
                points[:, where], chances[:, where] = self._value(alive, orders[where], valuation, boards[:, where])
        return points, chances

    def _carry_on(self, alive: NDArray[np.int64], orders: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Boards u8 (alive, futures, 13) once the policy has placed its streets."""
        a, n = len(alive), len(orders)
        boards = np.repeat(self.question.boards[alive], n, axis=0)
        if self.played:
            players = Players(boards, np.repeat(self.question.discards[alive], n, axis=0))
            dealt = np.tile(orders, (a, 1))
            keys = np.tile(deal_keys(orders[:, : self.used], self.key), a)
            deals = [deal for deal, _, _ in self.played]
            boards = play_on(self.policy, players, self.question.street + 1, deals, dealt, keys)
        return boards.reshape(a, n, 13)

    def _value(
        self, alive: NDArray[np.int64], orders: NDArray[np.uint8], valuation: Valuation,
        boards: NDArray[np.uint8] | None = None,
    ) -> tuple[Floats, Floats]:  # fmt: skip
        """Value boards by the street decided exactly and what is summed behind it."""
        a, n, last = len(alive), len(orders), self.street[0] if self.street else 0
        at = self.question.boards[alive] if boards is None else boards.reshape(a * n, 13)
        dealt = np.tile(orders, (a, 1))
        found = value(
            at, dealt[:, self.used - last : self.used], dealt[:, self.used :], self.street, self.tail, valuation,
            workers=1,
        )  # fmt: skip
        odds = np.concatenate((found.foul[:, None], found.fantasyland), axis=1)
        return found.points.reshape(a, n), odds.reshape(a, n, -1)


def _quicker(question: Question) -> Strategy:
    """Who completes the opponents' boards: the policy, with fewer samples where it is Hindsight."""
    policy = question.strategy
    if not isinstance(policy, Hindsight) or policy.samples <= _OPPONENTS_SAMPLES:
        return policy
    quicker = replace(policy, samples=_OPPONENTS_SAMPLES)
    quicker.prepare(question.rules, question.values)
    return quicker


def first_look(question: Question, samples: int, key: int) -> Floats:
    """Mean value f8 (placements,) of the best filling of each placement with thinned samples of the cards to come.

    Royalties, the value of Fantasyland and the cost of a foul, as the strategy Hindsight sees them; it ranks placements
    and is no estimate of what they are worth against opponents.
    """
    spot, rules = question.spot, compile_rules(question.rules)
    placed = [0, *accumulate(int(place) for _, place, _ in rules.rounds)]
    open_slots = 13 - placed[question.street]
    to_come = int(rules.rounds[question.street :, 0].sum())
    sampled = thinned(open_slots, to_come)
    random = np.random.default_rng([key, _PARTS["look"], 0])
    cards = draws(question.unseen, samples, sampled, random)[:, :sampled]
    own = board_array(spot.board)
    counts = np.array([(own[a:b] != UNSEEN).sum() for a, b in ((0, 3), (3, 8), (8, 13))], np.uint8)
    choices = np.array([_choice(placement, spot.dealt) for placement in question.placements], np.uint8)
    values = values_array(question.values)
    worths = np.empty(len(choices))
    look(
        own, counts, np.array(spot.dealt, np.uint8), choices, np.ascontiguousarray(cards), rules.switches, rules.cross,
        rules.paid, ceiling_of(rules, values), rules.entry, rules.stay, values,
        float(question.rules.foul.penalty), worths,
    )  # fmt: skip
    return worths


def _choice(placement: Placement, dealt: Sequence[Card]) -> list[int]:
    """The row of each dealt card, 3 = discarded."""
    rows = dict(placement.rows)
    return [_ROWS.index(rows[card]) if card in rows else 3 for card in dealt]
