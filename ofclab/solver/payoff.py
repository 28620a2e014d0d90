"""What a finished board is worth to the player who decides: rules and opponents as the tables the kernels read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

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
from ofclab.scoring import score_codes

_POINT = 10_000
"""Whole units in a point, unless worths are so great that they would not fit."""
NO_LIMIT = 1 << 20
"""A limit above every row code."""


@dataclass(frozen=True, eq=False)
class OpponentBoards:
    """Finished boards an opponent may end with, equally likely: codes u16 (n, 3), fouled (n,), royalties i32 (n, 3)."""

    codes: NDArray[np.uint16]
    fouled: NDArray[np.bool_]
    royalties: NDArray[np.int32]

    @classmethod
    def judge(cls, codes: NDArray[np.uint16], compiled: CompiledRules) -> OpponentBoards:
        """Judge row codes (n, 3)."""
        scored = score_codes(codes[:, None], compiled, np.zeros((len(codes), 1), np.uint8))
        return cls(codes, scored.fouled[:, 0], scored.royalties[:, 0])


@dataclass(frozen=True, eq=False)
class Valuation:
    """A payoff and how to read its worths: ``unit`` whole units a point, Fantasyland cards by outcome 2, 3, ..."""

    payoff: Payoff
    unit: int
    cards: tuple[int, ...]

    def points(self, worths: NDArray[np.int64], draws: int) -> NDArray[np.float64]:
        """Mean points of sums over so many draws."""
        return self.units(worths) / float(self.unit * draws)

    def units(self, worths: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sums in whole units."""
        return worths // GRAIN

    def chances(self, counts: NDArray[np.int64], draws: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Chance of a foul (...,) and of each number of Fantasyland cards (..., len(cards))."""
        return counts[..., 0] / draws, counts[..., 2 : 2 + len(self.cards)] / draws


def value_rows(
    compiled: CompiledRules, values: Mapping[int, float], opponents: Sequence[OpponentBoards] = ()
) -> Valuation:
    """The payoff of a seat: own Fantasyland, and alone its royalties or against opponents its points from each.

    ``values``: points by number of Fantasyland cards. ``opponents``: what each may end with, up to 64 boards each; one
    board where it is known. Without opponents a foul costs the penalty.
    """
    s, n = compiled.switches, t.N_CODES
    paid = int(s[k.ROYALTY_MODE]) != k.MODE_OFF
    own = compiled.royalty.astype(np.float64) * paid
    rows = np.zeros((3, n))
    foul = 0.0
    masks = np.zeros((len(opponents), 6, n), np.uint64)
    planes = np.zeros((len(opponents), 8), np.uint64)
    if not opponents:
        rows += own
        foul = -float(s[k.PENALTY])
    for i, other in enumerate(opponents):
        masks[i] = _masks(other, n)
        if s[k.ROYALTY_MODE] == k.MODE_PAIR_WINNER:
            planes[i] = _planes(other)
        foul += _add_opponent(rows, own, masks[i, :3], masks[i, 3:], other, s)
    samples = {len(other.codes) for other in opponents} or {1}
    if len(samples) > 1 or max(samples) > 64:
        raise ValueError(f"want the same number of boards for every opponent, at most 64; got {sorted(samples)}")
    share = 1 / samples.pop()
    cards, entry, wheel, wheel_entry = _entries(compiled)
    bonus = np.array([0.0, 0.0, *(values.get(count, 0.0) for count in cards)])
    together = float(s[k.SWEEP_BONUS] + s[k.MAJORITY_BONUS]) * len(opponents)
    most = np.abs(rows).max(axis=1).sum() + np.abs(bonus).max() + abs(foul) + together
    if s[k.ROYALTY_MODE] == k.MODE_PAIR_WINNER:
        most += 2 * own.max(axis=1).sum() * len(opponents)
    unit = _POINT
    while unit > 1 and most * unit * GRAIN * WIDTH > 2**31:
        unit //= 10
    worth = np.rint(rows * unit) * GRAIN
    extra = np.rint(bonus * unit) * GRAIN + np.arange(len(bonus))
    worth[0] += extra[entry]
    pair_winner = s[k.ROYALTY_MODE] == k.MODE_PAIR_WINNER and len(opponents) > 0
    sweep, majority = (
        round(float(s[at]) * unit * share) * GRAIN if opponents else 0 for at in (k.SWEEP_BONUS, k.MAJORITY_BONUS)
    )
    limits, worst = legal_limits(compiled)
    share_worth = round(unit * share) * GRAIN if pair_winner else 0
    scalars = np.zeros(N_SCALARS, np.int64)
    for position, number in (
        (FOUL, round(foul * unit) * GRAIN), (LOW, compiled.low_middle), (WORST, worst), (WHEEL, wheel),
        (PLAIN, wheel < 0 and not sweep and not majority and not pair_winner), (SWEEP, sweep), (MAJORITY, majority),
        (SHARE, share_worth),
    ):  # fmt: skip
        scalars[position] = number
    payoff = Payoff(
        np.concatenate((worth.astype(np.int32), limits)), scalars, (extra[wheel_entry] - extra[entry]).astype(np.int32),
        masks, own.astype(np.int32), planes, compiled.switches, compiled.cross,
    )  # fmt: skip
    return Valuation(payoff, unit, cards)


def _add_opponent(
    rows: NDArray[np.float64], own: NDArray[np.float64], wins: NDArray[np.uint64], losses: NDArray[np.uint64],
    other: OpponentBoards, switches: NDArray[np.int64],
) -> float:  # fmt: skip
    """Add to `rows` (3, N) what each row wins from an opponent by itself, in the mean; returns what a foul costs."""
    samples, mode = len(other.codes), int(switches[k.ROYALTY_MODE])
    valid = ~other.fouled
    won, lost = np.bitwise_count(wins) / samples, np.bitwise_count(losses) / samples
    fouls = float(other.fouled.mean())
    against_foul = fouls if switches[k.FOUL_PAYS_ROYALTIES] else 0.0
    theirs = (other.royalties * valid[:, None]) / samples
    rows += switches[k.PER_ROW] * (won - lost)
    rows[2] += switches[k.PENALTY] * fouls
    rows += own * against_foul
    if mode == k.MODE_BOTH:
        rows += own * (1.0 - fouls)
        rows[2] -= theirs.sum()
    elif mode == k.MODE_ROW_WINNER:
        rows += own * won
        for row in range(3):
            for i in np.flatnonzero(theirs[:, row]):
                rows[row] -= theirs[i, row] * ((losses[row] >> np.uint64(i)) & np.uint64(1))
    pays = theirs.sum() if switches[k.FOUL_PAYS_ROYALTIES] and mode != k.MODE_OFF else 0.0
    return -float(switches[k.PENALTY] * (1.0 - fouls) + pays)


def _masks(other: OpponentBoards, n: int) -> NDArray[np.uint64]:
    """Samples in which each row code wins, then loses, u64 (6, N), bit i = sample i; none where the opponent fouls."""
    masks = np.zeros((6, n), np.uint64)
    bits = np.where(other.fouled, np.uint64(0), np.uint64(1) << np.arange(len(other.codes), dtype=np.uint64))
    for row in range(3):
        theirs = other.codes[:, row]
        up_to = np.concatenate(([np.uint64(0)], np.bitwise_or.accumulate(bits[np.argsort(theirs, kind="stable")])))
        number = np.cumsum(np.bincount(theirs, minlength=n))
        masks[row, 1:] = up_to[number[:-1]]
        masks[3 + row] = up_to[-1] & ~up_to[number]
    return masks


def _planes(other: OpponentBoards) -> NDArray[np.uint64]:
    """Binary digits of the opponent's royalty points by sample, u64 (8,); a foul has none."""
    totals = np.where(other.fouled, 0, other.royalties.sum(axis=1))
    return np.array(
        [sum(1 << i for i, total in enumerate(totals.tolist()) if (total >> digit) & 1) for digit in range(8)],
        np.uint64,
    )


@lru_cache(maxsize=64)
def _entries(compiled: CompiledRules) -> tuple[tuple[int, ...], NDArray[np.uint8], int, NDArray[np.uint8]]:
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
