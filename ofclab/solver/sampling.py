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
from ofclab.solver.streets import Round, ToCome, Values, in_threads, value

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

_COMPLETIONS = 50
"""Boards an opponent may end with, drawn afresh for each unit where the rest is exact."""
_FEW_COMPLETIONS = 20
"""The same where own streets are sampled too."""
_FINALISTS = 4
_SCREENED = 12
_BLOCK = 64
_MOST_BOARDS = 4096
_MOST_DEALS = 8
_LEAST_UNITS = 4
_LEAST_SCREENING = 2


@dataclass(frozen=True, eq=False)
class Futures:
    """Everything a sampled future of the spot needs; unit `u` depends on the seed and `u` alone.

    A unit is one deal of the cards to come, the same for every placement. Where an opponent's board is not complete, a
    unit has its own completions of it, and several deals. The player decides by the mean over the completions, never by
    one of them. Own streets are played by the policy up to the ``tail``: a placement decided exactly, with nothing or
    one street behind it, or at once where ``street`` is None.
    """

    boards: NDArray[np.uint8]
    discards: NDArray[np.uint8]
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
        return max(1, min(_MOST_DEALS, 32 // alive))

    def play(self, units: range, alive: Whole) -> tuple[Floats, Floats]:
        """Points f8 (alive, units) and chances f8 (alive, units, 1 + sizes) of a foul and of each Fantasyland."""
        if self.valuation is not None:
            return self._value(alive, self._deals(units), self.valuation, 1)
        points, chances = zip(*(self._play_unit(unit, alive) for unit in units), strict=True)
        return np.concatenate(points, axis=1), np.concatenate(chances, axis=1)

    def _play_unit(self, unit: int, alive: Whole) -> tuple[Floats, Floats]:
        random = np.random.default_rng([self.seed, 1, unit])
        deals = self.deals_a_unit(len(alive))
        orders = draws(self.unseen, _MOST_DEALS, self._cards(), random)[:deals]
        boards = self.opponents.sample(_COMPLETIONS if self.street is None else _FEW_COMPLETIONS, random)
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
        self, alive: Whole, orders: NDArray[np.uint8], valuation: Valuation, deals: int
    ) -> tuple[Floats, Floats]:
        """Value every alive placement on every order; `deals` orders in a row make a unit."""
        a, n, used = len(alive), len(orders), self._cards()
        placement, order = np.divmod(np.arange(a * n), n)
        keys = deal_keys(orders[:, :used], self.seed)
        points, chances = np.empty(a * n), np.empty((a * n, 1 + len(valuation.cards)))
        last = self.street[0] if self.street else 0

        def run(piece: Whole) -> None:
            dealt, boards = orders[order[piece]], self.boards[alive[placement[piece]]]
            if self.played:
                players = Players(boards, self.discards[alive[placement[piece]]])
                deals = [deal for deal, _, _ in self.played]
                boards = play_on(self.policy, players, self.first_street, deals, dealt, keys[order[piece]])
            found: Values = value(
                boards, dealt[:, used - last : used], dealt[:, used:], self.street, self.tail, valuation, workers=1
            )
            points[piece] = found.points
            chances[piece, 0], chances[piece, 1:] = found.foul, found.fantasyland

        in_threads(run, a * n, self.workers)
        shape = (a, n // deals, deals)
        return points.reshape(shape).mean(axis=2), chances.reshape(*shape, -1).mean(axis=2)


def deal_keys(dealt: NDArray[np.uint8], seed: int) -> NDArray[np.uint64]:
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
    samples: Whole


class _Stage:
    """What one policy's futures have shown of each placement; all still alive have seen the same units."""

    def __init__(self, futures: Futures, alive: Whole, least: int) -> None:
        self.futures, self.alive, self.least = futures, alive, least
        self.points: dict[int, list[Floats]] = {p: [] for p in alive.tolist()}
        self.chances: dict[int, list[Floats]] = {p: [] for p in alive.tolist()}
        self.weights: list[Floats] = []
        self.units = 0

    def run(self, until: int, seconds: float, samples: int | None) -> None:
        """Halve the placements down to `until`, in about so many seconds or with so many futures for the last ones."""
        rounds = 1 + max(0, ceil(log2(len(self.alive) / until)))
        end = time.monotonic() + seconds
        for number in range(rounds):
            now, begun = time.monotonic(), self.units
            stop = now + (end - now) / (rounds - number)
            deals = self.futures.deals_a_unit(len(self.alive))
            goal = None
            if samples is not None:
                to_see = (samples >> (rounds - 1 - number)) - sum(part.sum() for part in self.weights)
                goal = max(self.least, ceil(to_see / deals))
            while goal is None or self.units - begun < goal:
                size = max(1, min(_MOST_BOARDS // (len(self.alive) * deals), _BLOCK))
                if goal is not None:
                    size = min(size, goal - (self.units - begun))
                elif self.units == begun:
                    size = min(size, self.least)
                else:
                    left = (stop - time.monotonic()) * (self.units - begun) / (time.monotonic() - now)
                    if left < 1 and self.units - begun >= self.least:
                        break
                    size = max(1, min(size, int(left)))
                self._play(size, deals)
            if number < rounds - 1:
                keep = max(until, ceil(len(self.alive) / 2))
                self.alive = np.sort(self.alive[np.argsort(-self.means(), kind="stable")[:keep]])

    def _play(self, size: int, deals: int) -> None:
        found, odds = self.futures.play(range(self.units, self.units + size), self.alive)
        for i, placement in enumerate(self.alive.tolist()):
            self.points[placement].append(found[i])
            self.chances[placement].append(odds[i])
        self.weights.append(np.full(size, float(deals)))
        self.units += size

    def means(self) -> Floats:
        """Mean points of those alive."""
        weight = np.concatenate(self.weights)
        return np.array([np.average(self.values(p), weights=weight) for p in self.alive.tolist()])

    def values(self, placement: int) -> Floats:
        """Points of one placement by unit."""
        return np.concatenate(self.points[placement])


def halve(stages: Sequence[Futures], budget: float, samples: int | None) -> Sampled:
    """Sample futures for all placements, keep the better half, and again, until few are left.

    ``stages``: the futures to rank by, and perhaps quicker ones before them that screen many placements. ``budget``:
    seconds, begun once everything is compiled; ``samples``: futures of the placements that stay to the end (then the
    answer depends on the seed alone).
    """
    alive = np.arange(len(stages[0].boards))
    done: list[_Stage] = []
    for futures in stages:
        futures.play(range(1), alive[:1])
    begun = time.monotonic()
    for number, futures in enumerate(stages):
        last = number == len(stages) - 1
        left = budget - (time.monotonic() - begun)
        stage = _Stage(futures, alive, _LEAST_UNITS if last else _LEAST_SCREENING)
        stage.run(_FINALISTS if last else _SCREENED, left if last else left / 3, samples if last else _quarter(samples))
        alive = stage.alive
        done.append(stage)
    return _summary(done)


def _quarter(samples: int | None) -> int | None:
    return None if samples is None else samples // 4


def _summary(stages: list[_Stage]) -> Sampled:
    """Means, with everything measured against the best on the futures both have seen."""
    final = stages[-1]
    means = dict(zip(final.alive.tolist(), final.means().tolist(), strict=True))
    best = max(means, key=lambda p: means[p])
    seen = [stage.values(p) for stage in stages for p in stage.points]
    spread = max(values.max() for values in seen) - min(values.min() for values in seen)
    whole = standard_error(final.values(best), np.concatenate(final.weights), spread)
    count = len(stages[0].points)
    ev, se, loss, loss_se = (np.zeros(count) for _ in range(4))
    odds = np.zeros((count, next(iter(final.chances.values()))[0].shape[1]))
    samples = np.zeros(count, np.int64)
    for p in range(count):
        stage = next(stage for stage in reversed(stages) if p in stage.points)
        values = stage.values(p)
        n, weight = len(values), np.concatenate(stage.weights)[: len(values)]
        gap = stage.values(best)[:n] - values
        loss[p] = np.average(gap, weights=weight)
        loss_se[p] = standard_error(gap, weight, spread) if p != best else 0.0
        ev[p] = means[best] - loss[p]
        se[p] = standard_error(values, weight, spread) if p in means else np.hypot(whole, loss_se[p])
        odds[p] = np.average(np.concatenate(stage.chances[p]), axis=0, weights=weight)
        samples[p] = round(weight.sum())
    return Sampled(ev, se, loss, loss_se, odds, samples)


def standard_error(values: Floats, weight: Floats, spread: float) -> float:
    """Standard error of a weighted mean.

    Points are skewed: a rare foul or Fantasyland that no sample happened to hold must not pass for certainty. So the
    error allows for one value not yet seen, half of all values' `spread` away.
    """
    n = len(values)
    share = weight / weight.sum()
    away = share * (values - (share * values).sum())
    return float(np.sqrt((away**2).sum() * n / max(n - 1, 1) + (spread / 2 / n) ** 2))
