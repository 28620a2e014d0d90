"""Judge one decision: every placement looked at, the promising ones and the one played valued on the same futures.

The best placement of noisy values looks better than it is. So it is chosen on some futures, and its lead over the one
played is measured on others: the mean of a difference between two placements fixed beforehand, which noise does not
raise (sample splitting: Cox 1975, "A note on data-splitting for the evaluation of significance levels"). Where the best
is not recognised the loss comes out a little too small, never too great, and the placement chosen loses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofclab.board import Placement
from ofclab.reviews.futures import Futures, first_look
from ofclab.reviews.levels import Level, ReviewError, Thresholds
from ofclab.rules import Rules
from ofclab.solver.evaluate import Question
from ofclab.spot import Spot

Floats = NDArray[np.float64]
_EXACT_WITHIN = 0.5
"""Seconds an exact answer may take."""


@dataclass(frozen=True)
class Judgement:
    """What a decision was worth, in points.

    ``ev_loss``: by how much the best placement is worth more than the one played, with standard error ``se`` (exact:
    0); where the one played is the best found it is 0, and ``se`` the error of its lead over the next. ``gap``: best
    less second best; ``spread``: best less the middling placement. Chances of a foul and of Fantasyland are those of
    the placement played and of the best. ``samples``: futures each was seen in.
    """

    best: Placement
    is_best: bool
    ev_played: float
    ev_loss: float
    se: float
    gap: float
    spread: float
    foul_played: float
    foul_best: float
    fantasyland_played: float
    fantasyland_best: float
    exact: bool
    placements: int
    samples: int


def judge(
    spot: Spot, played: Placement, rules: Rules, level: Level, values: Mapping[int, float], policy: Any, seed: int = 0,
) -> Judgement:  # fmt: skip
    """Judge a placement by what its player saw.

    The random futures come from the spot itself and ``seed``, so the answer does not depend on what else is reviewed.
    Raises ReviewError for a placement that the rules do not allow.
    """
    question = Question(spot, rules, values, policy)
    mine = _index(question.placements, played, spot)
    n = len(question.placements)
    if question.exact_seconds() <= _EXACT_WITHIN:
        return _exact(question, mine)
    key = int.from_bytes(blake2b(f"{seed}\n{rules.id}\n{spot}".encode(), digest_size=8).digest())
    futures = Futures(question, level, key)
    if n == 1:
        return _forced(question, *futures.play("value", range(level.screen), np.arange(1)), futures.deals)
    if futures.is_summed:
        return _summed(question, futures, mine)
    worths = first_look(question, level.look, key)
    alive = _with(_top(worths, level.wide), mine)
    if len(alive) > level.finalists + 1:
        seen, _ = futures.play("screen", range(level.screen), alive)
        alive = _with(alive[_top(seen.mean(axis=1), level.finalists)], mine)
    seen, _ = futures.play("choose", range(level.choose), alive)
    first, second = alive[np.argsort(-seen.mean(axis=1), kind="stable")[:2]].tolist()
    alive = np.unique([first, second, mine])
    points, chances = futures.play("value", range(level.first), alive)
    places = np.searchsorted(alive, [first, second, mine])
    gap = float((points[places[0]] - points[places[1]]).mean())
    if first != mine and level.second > level.first and _is_open(points[places[0]] - points[places[2]]):
        alive = np.array([first, mine])
        more, odds = futures.play("value", range(level.first, level.second), alive)
        points = np.concatenate((points[places[[0, 2]]], more), axis=1)
        chances = np.concatenate((chances[places[[0, 2]]], odds), axis=1)
        places = np.array([0, 0, 1])
    return _judged(question, (first, mine), points, chances, places, gap, float(worths.max() - np.median(worths)), 1)


def _summed(question: Question, futures: Futures, mine: int) -> Judgement:
    """A decision whose own draws are summed: the best is chosen on one half of the opponents' boards."""
    every, odds = futures.play("value", range(futures.level.summed), np.arange(len(question.placements)))
    half = every.shape[1] // 2
    chosen_on = every[:, :half].mean(axis=1)
    first, second = np.argsort(-chosen_on, kind="stable")[:2].tolist()
    points, chances = every[:, half:], odds[:, half:]
    gap = float((points[first] - points[second]).mean())
    spread = float(chosen_on.max() - np.median(chosen_on))
    places = np.array([first, second, mine])
    return _judged(question, (first, mine), points, chances, places, gap, spread, futures.deals)


def _judged(
    question: Question, chosen: tuple[int, int], points: Floats, chances: Floats, places: NDArray[np.int64],
    gap: float, spread: float, deals: int,
) -> Judgement:  # fmt: skip
    """Put together what the futures showed of the best, the second and the played placement at these ``places``."""
    best, second, me = places.tolist()
    lost = points[best] - points[me]
    # Placements that come to the same in every future, such as suits that no longer matter, are one.
    is_best = best == me or not lost.any()
    return Judgement(
        question.placements[chosen[0]], is_best, float(points[me].mean()), float(lost.mean()),
        _error(points[best] - points[second] if is_best else lost), gap, spread,
        *_odds(chances[me].mean(axis=0), chances[best].mean(axis=0)), False, len(question.placements),
        points.shape[1] * deals,
    )  # fmt: skip


def _error(values: Floats) -> float:
    """Standard error of a mean, allowing for one value not yet seen, half of the values' range away.

    Points are skewed: a foul or a Fantasyland that few futures held must not pass for certainty.
    """
    n = len(values)
    return float(np.sqrt(values.var(ddof=1) / n + (np.ptp(values) / 2 / n) ** 2)) if n > 1 else float("inf")


def _is_open(lost: Floats) -> bool:
    """Tell whether more futures could change the verdict: the interval of the loss reaches over a threshold."""
    limits = Thresholds()
    around = limits.errors * _error(lost)
    low, high = float(lost.mean()) - around, float(lost.mean()) + around
    return any(low < edge < high for edge in (limits.close, limits.mistake, limits.blunder))


def _top(worths: Floats, count: int) -> NDArray[np.int64]:
    return np.sort(np.argsort(-worths, kind="stable")[:count])


def _with(alive: NDArray[np.int64], mine: int) -> NDArray[np.int64]:
    return np.union1d(alive, [mine])


def _odds(played: Floats, best: Floats) -> tuple[float, float, float, float]:
    return float(played[0]), float(best[0]), float(played[1:].sum()), float(best[1:].sum())


def _index(placements: list[Placement], played: Placement, spot: Spot) -> int:
    """Which of the legal placements was played."""
    after, thrown = spot.board.place(played), set(played.discards)
    for i, placement in enumerate(placements):
        if set(placement.discards) == thrown and spot.board.place(placement) == after:
            return i
    raise ReviewError(f"{played} is no legal placement of the spot\n{spot}")


def _forced(question: Question, points: Floats, chances: Floats, deals: int) -> Judgement:
    """A decision without a choice: only its value is estimated."""
    odds = chances[0].mean(axis=0)
    return Judgement(
        question.placements[0], True, float(points.mean()), 0.0, 0.0, 0.0, 0.0, *_odds(odds, odds), False, 1,
        points.shape[1] * deals,
    )  # fmt: skip


def _exact(question: Question, mine: int) -> Judgement:
    """A decision whose draws can all be summed."""
    found = question.solve()
    order = np.argsort(found.loss, kind="stable")
    # Placements may be worth exactly the same: then the one played is the best.
    best = mine if found.loss[mine] == 0 else int(order[0])
    spread = float(np.median(found.loss))
    second = order[min(1, len(order) - 1)]
    return Judgement(
        question.placements[best], best == mine, float(found.ev[mine]), float(found.loss[mine]), 0.0,
        float(found.loss[second]), spread, *_odds(found.chances[mine], found.chances[best]), True,
        len(question.placements), 0,
    )  # fmt: skip
