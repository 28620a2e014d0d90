"""What a finished board is worth to the player who decides: rules and opponents as the tables the kernels read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels import scoring as k
from ofclab.kernels import tables as t
from ofclab.kernels.judge import GRAIN, Payoff
from ofclab.rules.compiled import CompiledRules
from ofclab.scoring import score_codes
from ofclab.strategies.payoffs import Together, build_payoff

DIGITS = 16
"""Binary digits of a board's royalties."""


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

    def part(self, which: slice) -> OpponentBoards:
        """Some of the boards."""
        return OpponentBoards(self.codes[which], self.fouled[which], self.royalties[which])


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
    own, rows = compiled.paid.astype(np.float64), np.zeros((3, n))
    foul = 0.0
    masks = np.zeros((len(opponents), 6, n), np.uint64)
    planes = np.zeros((len(opponents), DIGITS), np.uint64)
    if not opponents:
        rows += own
        foul = -float(s[k.PENALTY])
    samples = {len(other.codes) for other in opponents} or {1}
    if len(samples) > 1 or max(samples) > 64:
        raise ValueError(f"want the same number of boards for every opponent, at most 64; got {sorted(samples)}")
    share = 1 / samples.pop()
    for i, other in enumerate(opponents):
        masks[i] = won_and_lost(other, n)
        if s[k.ROYALTY_MODE] == k.MODE_PAIR_WINNER:
            planes[i] = royalty_digits(other)
        foul += add_opponent(rows, own, masks[i, :3], masks[i, 3:], other, s)
    rows, foul = (rows * share, foul * share) if opponents else (rows, foul)
    payoff, unit, cards = build_payoff(
        compiled, values, rows, foul, _together(s, own, share, masks, planes) if opponents else None
    )
    return Valuation(payoff, unit, cards)


def _together(
    switches: NDArray[np.int64], own: NDArray[np.float64], share: float, masks: NDArray[np.uint64],
    planes: NDArray[np.uint64],
) -> Together:  # fmt: skip
    """What rows win together from sampled boards, each worth `share` of the whole."""
    sweep, majority = float(switches[k.SWEEP_BONUS]), float(switches[k.MAJORITY_BONUS])
    by_pair = int(switches[k.ROYALTY_MODE]) == k.MODE_PAIR_WINNER
    most = (sweep + majority + by_pair * 2 * float(own.max(axis=1).sum())) * len(masks)
    return Together(sweep * share, majority * share, by_pair * share, masks, planes, most)


def add_opponent(
    rows: NDArray[np.float64], own: NDArray[np.float64], wins: NDArray[np.uint64], losses: NDArray[np.uint64],
    other: OpponentBoards, switches: NDArray[np.int64],
) -> float:  # fmt: skip
    """Add to `rows` (3, N) what each row wins from an opponent's boards by itself; returns what a foul wins.

    Points are summed over the boards, at most 64; `own` f8 (3, N): own royalties as the rules pay them; `wins` and
    `losses` u64 (3, N) as of `won_and_lost`.
    """
    samples, mode = len(other.codes), int(switches[k.ROYALTY_MODE])
    valid = ~other.fouled
    won, lost = np.bitwise_count(wins).astype(np.float64), np.bitwise_count(losses).astype(np.float64)
    fouls = float(other.fouled.sum())
    theirs = (other.royalties * valid[:, None]).astype(np.float64)
    rows += switches[k.PER_ROW] * (won - lost)
    rows[2] += switches[k.PENALTY] * fouls
    rows += own * (fouls if switches[k.FOUL_PAYS_ROYALTIES] else 0.0)
    if mode == k.MODE_BOTH:
        rows += own * (samples - fouls)
        rows[2] -= theirs.sum()
    elif mode == k.MODE_ROW_WINNER:
        rows += own * won
        for row in range(3):
            for i in np.flatnonzero(theirs[:, row]):
                rows[row] -= theirs[i, row] * ((losses[row] >> np.uint64(i)) & np.uint64(1))
    pays = float(theirs.sum()) if switches[k.FOUL_PAYS_ROYALTIES] and mode != k.MODE_OFF else 0.0
    return -(float(switches[k.PENALTY]) * (samples - fouls) + pays)


def won_and_lost(other: OpponentBoards, n: int) -> NDArray[np.uint64]:
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


def royalty_digits(other: OpponentBoards) -> NDArray[np.uint64]:
    """Binary digits of the opponent's royalty points by sample, u64 (DIGITS,); a foul has none."""
    totals = np.where(other.fouled, 0, other.royalties.sum(axis=1))
    return np.array(
        [sum(1 << i for i, total in enumerate(totals.tolist()) if (total >> digit) & 1) for digit in range(DIGITS)],
        np.uint64,
    )
