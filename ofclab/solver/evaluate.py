"""What each placement of a spot is worth, exactly where the streets to come can be summed, sampled before that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofclab.cards import UNSEEN
from ofclab.engine import DEFAULT_FANTASYLAND_VALUES, Strategy
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules
from ofclab.solver.opponents import Opponents, are_known
from ofclab.solver.payoff import value_rows
from ofclab.solver.playout import Continuation, board_array
from ofclab.solver.report import SpotEvaluation, report
from ofclab.solver.sampling import Futures, Sampled, halve
from ofclab.solver.streets import Round, ToCome, value
from ofclab.spot import Spot, SpotError
from ofclab.strategies import default_strategy, get, usual_fantasyland_values
from ofclab.strategies.base import BuiltIn

_FALLBACK = "hindsight(samples=16)"
"""The strategy that carries on sampled own streets where no Expert is trained."""
_QUICK = "hindsight(samples=4)"
"""The one that then completes opponents' boards, and screens the many placements of a first street."""
_MANY = 48
_EXACT_WITHIN = 2.0
"""Seconds an exact answer may take where the budget is given in samples."""
_TAIL_WITHIN = 2e-3
"""Seconds the exact end of one sampled future may take."""
_UNIT_WITHIN = 2e-3
"""Seconds one placement may take against one set of completed boards."""


def fantasyland_points(
    given: float | Mapping[int, float] | None, rules: Rules | None = None, seats: int = 2
) -> dict[int, float]:
    """Points by number of Fantasyland cards: one number for all, some of them, or what they are usually worth."""
    usual = dict(DEFAULT_FANTASYLAND_VALUES) if rules is None else usual_fantasyland_values(rules, seats)
    if given is None:
        return usual
    if isinstance(given, Mapping):
        unknown = [cards for cards in given if not 13 <= cards <= 17]
        if unknown:
            raise ValueError(f"a Fantasyland hand has 13 to 17 cards, got a value for {unknown[0]}")
        return {**usual, **{cards: float(points) for cards, points in given.items()}}
    return dict.fromkeys(range(13, 18), float(given))


def evaluate_spot(
    spot: Spot | str,
    rules: Rules | None = None,
    fantasyland_values: float | Mapping[int, float] | None = None,
    budget: float = 1.0,
    policy: Any = None,
    seed: int = 0,
    samples: int | None = None,
    exact: bool = True,
) -> SpotEvaluation:
    """Value every legal placement of a spot in points.

    Alone (``seats`` 1): royalties plus the value of Fantasyland, less the penalty of a foul. Against opponents: the
    points won from each, and the value of own Fantasyland. Every card the player has seen is dead.

    Exact: the last two own streets of Pineapple, the last cards of one-card play, the last street of any variant, alone
    or against complete boards, where ``budget`` seconds allow. Else sampled: future cards are dealt from the unseen
    ones, the same for all placements; streets before the exact end are carried on by ``policy`` (a strategy's name or
    object; None: Expert where one is trained, else hindsight), which also completes the opponents' boards; better
    placements get more samples until ``budget`` seconds are over, or until the last ones have seen ``samples`` futures:
    then the same ``seed`` gives the same answer on every machine.

    ``fantasyland_values``: points, one number or by number of cards (13..17); None: the fixed point under the rules, as
    `ofclab.usual_fantasyland_values` knows it. ``rules`` may come with the spot.
    ``exact`` False samples where an exact answer could be had.
    Raises SpotError, BoardError or CardError for a spot that cannot arise.

    >>> from ofclab.rules import load_rules
    >>> spot = Spot.parse("7c Ks / 2s 3c 3h / 4d 8d Qd Jd  dealt: Tc 5d 2h  discards: Th 7s")
    >>> evaluation = evaluate_spot(spot, load_rules("american-pineapple"), fantasyland_values=9)
    >>> evaluation["placement"][0], round(evaluation["ev"][0], 4)
    ('- / 2h / 5d, discard Tc', 8.025)
    """
    spot = Spot.parse(spot) if isinstance(spot, str) else spot
    rules = rules or spot.rules
    if rules is None:
        raise SpotError("no rules: give evaluate_spot rules, or the spot its own")
    if samples is not None and samples < 1:
        raise ValueError(f"want at least one sample, got {samples}")
    question = Question(spot, rules, fantasyland_points(fantasyland_values, rules, spot.seats), policy)
    if exact and question.exact_seconds() <= (budget if samples is None else _EXACT_WITHIN):
        return question.report(question.solve(), None, "Exact: every draw to come is summed.")
    stages = question.stages(seed)
    how = question.how(stages)
    return question.report(halve(stages, budget, samples), question.strategy.label, how)


class Question:
    """A spot made ready: its placements as boards, what is unseen, who carries on, what finished boards are worth."""

    def __init__(self, spot: Spot, rules: Rules, values: Mapping[int, float], policy: Any) -> None:
        self.spot, self.rules, self.values = spot, rules, values
        self.street = spot.check(rules)
        named = policy or default_strategy(rules)
        falls_back = policy is None and not named.startswith("expert")
        self.strategy = self._prepared(_FALLBACK if falls_back else named)
        self.quick = self._prepared(_QUICK) if falls_back else self.strategy
        self.placements = spot.legal_placements(rules)
        self.boards = np.stack([board_array(spot.board.place(placement)) for placement in self.placements])
        self.unseen = np.array(spot.unseen(rules), np.uint8)
        self.opponents = Opponents(spot, rules, self.quick, values)
        compiled = compile_rules(rules)
        self.known = are_known(spot)
        boards = self.opponents.known() if self.known else ()
        self.valuation = value_rows(compiled, values, boards)
        self.ends = ToCome(tuple((int(d), int(p), int(x)) for d, p, x in compiled.rounds[self.street :]))
        on_board = ((self.boards >= 52) & (self.boards < UNSEEN)).any()
        self.jokers = 2 if on_board else int((self.unseen >= 52).any())

    def _prepared(self, policy: Any) -> Strategy:
        strategy = get(policy)
        strategy.prepare(self.rules, self.values)
        return strategy

    def _seconds(self, to_come: ToCome, unseen: int) -> float:
        return to_come.seconds(unseen, self.valuation, self.jokers)

    def exact_seconds(self) -> float:
        """About how long the exact answer takes; infinite where there is none."""
        return self._seconds(self.ends, len(self.unseen)) * len(self.boards) if self.known else float("inf")

    def solve(self) -> Sampled:
        """The exact answer."""
        n, unseen = len(self.boards), len(self.unseen)
        none = np.zeros((n, 0), np.uint8)
        found = value(self.boards, none, np.tile(self.unseen, (n, 1)), None, self.ends, self.valuation)
        loss = (found.units.max() - found.units) / float(self.valuation.unit * self.ends.draws(unseen))
        chances = np.concatenate((found.foul[:, None], found.fantasyland), axis=1)
        return Sampled(found.points, np.zeros(n), loss, np.zeros(n), chances, np.zeros(n, np.int64))

    def split(self) -> tuple[tuple[Round, ...], Round | None, ToCome]:
        """Own streets left to the policy, the street decided exactly, and what is summed exactly behind it."""
        rounds = self.ends.rounds
        if not self.known and self._seconds(self.ends, len(self.unseen)) <= _UNIT_WITHIN:
            return (), None, self.ends
        for first in range(len(rounds)):
            behind = ToCome(rounds[first + 1 :])
            left = len(self.unseen) - sum(deal for deal, _, _ in rounds[: first + 1])
            deal, place, _ = rounds[first]
            if self._seconds(behind, left) * comb(deal, place) * 3**place <= _TAIL_WITHIN:
                return rounds[:first], rounds[first], behind
        return rounds[:-1], rounds[-1] if rounds else None, ToCome(())

    @cached_property
    def discards(self) -> NDArray[np.uint8]:
        """Own discards after each placement, u8 (placements, 8), 255 where there is none."""
        return np.stack([_thrown((*self.spot.discards, *placement.discards)) for placement in self.placements])

    def continuation(self, player: Strategy) -> Continuation:
        """Own streets to come as a strategy plays them, by what the spot shows."""
        spot = self.spot
        return Continuation.of_seat(
            self.rules, player, self.values, spot.opponents, spot.opponents_fantasyland, spot.dead, spot.position
        )

    def stages(self, seed: int) -> list[Futures]:
        """The futures to sample: those of the policy, and quick ones before them to screen many placements."""
        played, decide, tail = self.split()
        screened = self.quick is not self.strategy and bool(played) and len(self.boards) > _MANY
        return [
            Futures(
                self.boards, self.discards, self.unseen, self.street + 1, played, decide, tail,
                self.continuation(player), self.valuation if self.known else None, self.opponents, seed,
                None if isinstance(player, BuiltIn) else 1,
            )
            for player in ([self.quick, self.strategy] if screened else [self.strategy])
        ]  # fmt: skip

    def how(self, stages: Sequence[Futures]) -> str:
        """What the sampled answer does, in words."""
        last, quick, parts = stages[-1], self.quick.label, []
        if not self.known:
            parts.append(
                f"opponents' boards are completed by {quick}, Fantasyland hands set exactly, apart from own draws"
            )
        if last.played:
            first = f" (by {quick} at first, to screen the placements)" if len(stages) > 1 else ""
            parts.append(f"the next {len(last.played)} own streets are played by {self.strategy.label}{first}")
        if last.street is not None:
            behind = f" with {len(last.tail.rounds)} exact behind it" if last.tail.rounds else ""
            parts.append(f"{'then one' if last.played else 'the next'} street is decided exactly{behind}")
        elif last.tail.rounds:
            parts.append(f"the {len(last.tail.rounds)} own streets to come are exact")
        return f"Sampled: {'; '.join(parts)}."

    def report(self, answer: Sampled, policy: str | None, how: str) -> SpotEvaluation:
        """The answer with everything around it."""
        worth = {cards: self.values[cards] for cards in self.valuation.cards}
        return report(self.spot, self.rules, self.placements, answer, worth, policy, how)


def _thrown(cards: Sequence[int]) -> NDArray[np.uint8]:
    thrown = np.full(8, UNSEEN, np.uint8)
    thrown[: len(cards)] = list(cards)
    return thrown
