"""What finished boards are worth by their row codes, as the exact kernels read it: rows, fouls, Fantasyland."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels import scoring as k
from ofclab.kernels import tables as t
from ofclab.kernels.judge import (
    FOUL,
    GRAIN,
    LOW,
    MAJORITY,
    N_SCALARS,
    PLAIN,
    SHARE,
    SWEEP,
    WHEEL,
    WIDTH,
    WORST,
    Payoff,
)
from ofclab.rules.compiled import CompiledRules

_POINT = 10_000
"""Whole units in a point, unless worths are so great that they would not fit."""
NO_LIMIT = 1 << 20
"""A limit above every row code."""


class Together(NamedTuple):
    """What rows win together: points of a sweep and of a majority in one sample, and of a royalty point where only the
    winner of a pair collects (0: everybody does); the samples as in `Payoff`; the most all this adds to a board."""

    sweep: float
    majority: float
    share: float
    masks: NDArray[np.uint64]
    planes: NDArray[np.uint64]
    most: float


def build_payoff(
    compiled: CompiledRules, values: Mapping[int, float], rows: NDArray[np.float64], foul: float,
    together: Together | None = None,
) -> tuple[Payoff, int, tuple[int, ...]]:  # fmt: skip
    """Rows worth so many points f8 (3, N), a foul ``foul``, own Fantasyland ``values`` by number of cards, as a payoff.

    Returns with it the whole units in a point and the Fantasyland cards by outcome 2, 3, ...
    """
    cards, entry, wheel, beside = entries(compiled)
    bonus = np.array([0.0, 0.0, *(values.get(count, 0.0) for count in cards)])
    none = np.zeros((0, 6, t.N_CODES), np.uint64), np.zeros((0, 8), np.uint64)
    sweep, majority, share, masks, planes, more = together or Together(0.0, 0.0, 0.0, *none, 0.0)
    most = np.abs(rows).max(axis=1).sum() + np.abs(bonus).max() + abs(foul) + more
    unit = whole_units(most)
    worth = np.rint(rows * unit) * GRAIN
    extra = np.rint(bonus * unit) * GRAIN + np.arange(len(bonus))
    worth[0] += extra[entry]
    limits, worst = legal_limits(compiled)
    scalars = np.zeros(N_SCALARS, np.int64)
    for position, points in ((FOUL, foul), (SWEEP, sweep), (MAJORITY, majority), (SHARE, share)):
        scalars[position] = round(points * unit) * GRAIN
    scalars[LOW], scalars[WORST], scalars[WHEEL] = compiled.low_middle, worst, wheel
    scalars[PLAIN] = wheel < 0 and not scalars[[SWEEP, MAJORITY, SHARE]].any()
    payoff = Payoff(
        np.concatenate((worth.astype(np.int32), limits)), scalars, (extra[beside] - extra[entry]).astype(np.int32),
        masks, compiled.paid.astype(np.int32), planes, compiled.switches, compiled.cross,
    )  # fmt: skip
    return payoff, unit, cards


def whole_units(most: float) -> int:
    """Whole units in a point such that the sums over a street fit; ``most``: the most a board can be worth."""
    unit = _POINT
    while unit > 1 and most * unit * GRAIN * WIDTH > 2**31:
        unit //= 10
    return unit


@lru_cache(maxsize=64)
def entries(compiled: CompiledRules) -> tuple[tuple[int, ...], NDArray[np.uint8], int, NDArray[np.uint8]]:
    """Fantasyland cards in ascending order, outcomes of fronts, the low that earns, outcomes beside it."""
    s, entry = compiled.switches, compiled.entry
    by_low = int(entry[1].max())
    beside = np.maximum(entry[0], by_low)
    if by_low and s[k.ENTRY_BOTH_CARDS]:
        beside = np.where(entry[0] > 0, np.uint8(s[k.ENTRY_BOTH_CARDS]), beside)
    fronts = np.unique(entry[0]).tolist() + (np.unique(beside).tolist() if by_low else [])
    cards = tuple(sorted(set(fronts) - {0}))
    outcome = np.ones(18, np.uint8)
    outcome[list(cards)] = np.arange(2, 2 + len(cards))
    wheel = int(np.argmax(entry[1])) if by_low else -1
    return cards, outcome[entry[0]], wheel, outcome[beside]


@lru_cache(maxsize=64)
def legal_limits(compiled: CompiledRules) -> tuple[NDArray[np.int32], int]:
    """Greatest legal front by the row it stands before, greatest legal middle by back, (2, N); least legal middle."""
    s = compiled.switches
    front = compiled.cross.astype(np.int32) - np.int32(s[k.FRONT_STRICT if compiled.low_middle else k.MIDDLE_STRICT])
    middle = np.arange(t.N_CODES, dtype=np.int32) - np.int32(s[k.BACK_STRICT])
    if compiled.low_middle:
        return np.stack((front, np.full(t.N_CODES, NO_LIMIT, np.int32))), int(s[k.LOW_WORST])
    return np.stack((front, middle)), 0
