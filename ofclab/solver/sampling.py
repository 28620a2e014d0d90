"""Sampled futures of a spot with common random numbers, and successive halving over its placements."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, log2

import numpy as np
from numpy.typing import NDArray

from ofclab.solver.opponents import Opponents, play_on
from ofclab.solver.payoff import Valuation, value_rows
from ofclab.solver.playout import Continuation, Players, draws
from ofclab.solver.streets import Round, ToCome, Values, value

Floats = NDArray[np.float64]

_COMPLETIONS = 50
"""Boards an opponent may end with, drawn afresh for each unit where the rest is exact."""
_FEW_COMPLETIONS = 20
"""The same where own streets are sampled too."""
_FINALISTS = 4
_BLOCK = 64
_MOST_BOARDS = 4096
_LEAST_UNITS = 4


@dataclass(frozen=True, eq=False)
class Futures:
    """Everything a sampled future of the spot needs; unit `u` depends on the seed and `u` alone.

    A unit is one deal of the cards to come, the same for every placement. Where an opponent's board is not complete, a
    unit has its own completions of it, and several deals. The player decides by the mean over the completions, never by
    one of them. Own streets are played by the policy up to the ``tail``: a placement decided exactly, with nothing or
    one street behind it, or at once where ``street`` is None.
    """

    boards: NDArray[np.uint8]
    discards: Sequence[Sequence[int]]
    unseen: NDArray[np.uint8]
    first_street: int
    played: tuple[Round, ...]
    street: Round | None
    tail: ToCome
    policy: Continuation
    valuation: Valuation | None
    opponents: Opponents
    seed: int
    workers: int | None = None
    _blocks: dict[int, NDArray[np.uint8]] = field(default_factory=dict)

    def deals_a_unit(self, alive: int) -> int:
        """Deals of a unit: one, or more where its completions are shared and few placements are left."""
        if self.valuation is not None or self.street is None:
            return 1
        return max(1, min(16, 64 // alive))

    def play(self, units: range, alive: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Points f8 (alive, units) and chances f8 (alive, units, 1 + sizes) of a foul and of each Fantasyland."""
        if self.valuation is not None:
            return self._value(alive, self._deals(units), self.valuation, 1)
        points, chances = zip(*(self._play_unit(unit, alive) for unit in units), strict=True)
        return np.concatenate(points, axis=1), np.concatenate(chances, axis=1)

    def _play_unit(self, unit: int, alive: NDArray[np.int64]) -> tuple[Floats, Floats]:
        random = np.random.default_rng([self.seed, 1, unit])
        deals = self.deals_a_unit(len(alive))
        orders = draws(self.unseen, 16, self._cards(), random)[:deals]
        samples = _COMPLETIONS if self.street is None else _FEW_COMPLETIONS
        boards = self.opponents.sample(samples, random)
        valuation = value_rows(self.opponents.compiled, self.policy.values, boards)
        return self._value(alive, orders, valuation, deals)

    def _cards(self) -> int:
        return sum(deal for deal, _, _ in self.played) + (self.street[0] if self.street else 0)

    def _deals(self, units: range) -> NDArray[np.uint8]:
        """Orders of the unseen cards, u8 (units, unseen), drawn in blocks."""
        for block in range(units.start // _BLOCK, -(-units.stop // _BLOCK)):
            if block not in self._blocks:
                random = np.random.default_rng([self.seed, 0, block])
                self._blocks[block] = draws(self.unseen, _BLOCK, self._cards(), random)
        return np.stack([self._blocks[unit // _BLOCK][unit % _BLOCK] for unit in units])

    def _value(
        self, alive: NDArray[np.int64], orders: NDArray[np.uint8], valuation: Valuation, deals: int
    ) -> tuple[Floats, Floats]:
        """Value every alive placement on every order; `deals` orders in a row make a unit."""
        a, n, used = len(alive), len(orders), self._cards()
        boards = np.repeat(self.boards[alive], n, axis=0)
        dealt = np.tile(orders, (a, 1))
        if self.played:
            players = Players(boards, np.repeat(self._thrown(alive), n, axis=0))
            keys = np.tile(_keys(orders[:, :used], self.seed), a)
            boards = play_on(self.policy, players, self.first_street, [deal for deal, _, _ in self.played], dealt, keys)
        last = self.street[0] if self.street else 0
        found: Values = value(
            boards, dealt[:, used - last : used], dealt[:, used:], self.street, self.tail, valuation, self.workers
        )
        chances = np.concatenate((found.foul[:, None], found.fantasyland), axis=1)
        shape = (a, n // deals, deals)
        return found.points.reshape(shape).mean(axis=2), chances.reshape(*shape, -1).mean(axis=2)

    def _thrown(self, alive: NDArray[np.int64]) -> NDArray[np.uint8]:
        thrown = np.full((len(alive), 8), 255, np.uint8)
        for i, placement in enumerate(alive.tolist()):
            cards = self.discards[placement]
            thrown[i, : len(cards)] = list(cards)
        return thrown


def _keys(dealt: NDArray[np.uint8], seed: int) -> NDArray[np.uint64]:
    """A random stream for each deal, from the cards themselves."""
    keys = np.full(len(dealt), seed % 2**64, np.uint64)
    for column in dealt.T:
        keys = keys * np.uint64(6364136223846793005) + column + np.uint64(1442695040888963407)
    return keys


@dataclass(frozen=True, eq=False)
class Sampled:
    """Estimates by placement: points with standard error, loss against the best with its own, chances, futures seen."""

    ev: Floats
    se: Floats
    loss: Floats
    loss_se: Floats
    chances: Floats
    samples: NDArray[np.int64]


def halve(futures: Futures, budget: float, samples: int | None) -> Sampled:
    """Sample futures for all placements, keep the better half, and again, until few are left.

    ``budget``: seconds, begun once everything is compiled; ``samples``: futures of the placements that stay to the end
    (then the answer depends on the seed alone).
    """
    count = len(futures.boards)
    alive = np.arange(count)
    rounds = 1 + max(0, ceil(log2(count / _FINALISTS)))
    futures.play(range(1), alive[:1])
    end = time.monotonic() + budget
    points: list[list[Floats]] = [[] for _ in range(count)]
    chances: list[list[Floats]] = [[] for _ in range(count)]
    weights: list[Floats] = []
    seen: list[int] = [0] * count
    unit = 0
    for number in range(rounds):
        now = time.monotonic()
        stop = now + (end - now) / (rounds - number)
        deals = futures.deals_a_unit(len(alive))
        goal = None if samples is None else max(_LEAST_UNITS, (samples >> (rounds - 1 - number)) // deals)
        begun, first = unit, time.monotonic()
        while True:
            size = max(1, min(_MOST_BOARDS // (len(alive) * deals), _BLOCK))
            if goal is not None:
                size = min(size, goal - (unit - begun))
            elif unit - begun:
                rate = (time.monotonic() - first) / (unit - begun)
                size = max(1, min(size, int((stop - time.monotonic()) / rate)))
            else:
                size = min(size, _LEAST_UNITS)
            found, odds = futures.play(range(unit, unit + size), alive)
            for i, placement in enumerate(alive.tolist()):
                points[placement].append(found[i])
                chances[placement].append(odds[i])
                seen[placement] += size * deals
            weights.append(np.full(size, float(deals)))
            unit += size
            done = unit - begun
            if done >= goal if goal is not None else done >= _LEAST_UNITS and time.monotonic() >= stop:
                break
        if number < rounds - 1:
            weight = np.concatenate(weights)
            means = np.array([np.average(np.concatenate(points[p]), weights=weight) for p in alive.tolist()])
            keep = max(_FINALISTS, ceil(len(alive) / 2))
            alive = np.sort(alive[np.argsort(-means, kind="stable")[:keep]])
    return _summary(points, chances, np.concatenate(weights), alive, np.array(seen))


def _summary(
    points: list[list[Floats]], chances: list[list[Floats]], weight: Floats, finalists: NDArray[np.int64],
    samples: NDArray[np.int64],
) -> Sampled:  # fmt: skip
    """Means, with everything measured against the best on the futures both have seen."""
    count = len(points)
    values = [np.concatenate(parts) for parts in points]
    means = {p: float(np.average(values[p], weights=weight)) for p in finalists.tolist()}
    best = max(means, key=lambda p: means[p])
    ev, se, loss, loss_se = (np.zeros(count) for _ in range(4))
    odds = np.zeros((count, chances[0][0].shape[1]))
    for p in range(count):
        n = len(values[p])
        gap = values[best][:n] - values[p]
        loss[p] = np.average(gap, weights=weight[:n])
        loss_se[p] = _standard_error(gap, weight[:n])
        ev[p] = means[best] - loss[p]
        own = _standard_error(values[p], weight[:n])
        whole = _standard_error(values[best], weight)
        se[p] = own if p in means else float(np.hypot(whole, loss_se[p]))
        odds[p] = np.average(np.concatenate(chances[p]), axis=0, weights=weight[:n])
    return Sampled(ev, se, loss, loss_se, odds, samples)


def _standard_error(values: Floats, weight: Floats) -> float:
    """Standard error of a weighted mean; infinite for one value."""
    n = len(values)
    if n < 2:
        return float("inf")
    share = weight / weight.sum()
    away = share * (values - (share * values).sum())
    return float(np.sqrt((away**2).sum() * n / (n - 1)))
