"""What a finished board is worth to Expert by the codes of its rows: royalties, Fantasyland, points they win."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels import scoring as k
from ofclab.kernels.expert_tail import Prior
from ofclab.kernels.judge import FOUL, GRAIN, LOW, N_SCALARS, PLAIN, WHEEL, WORST, Payoff
from ofclab.kernels.tables import N_CODES
from ofclab.rules.compiled import CompiledRules
from ofclab.strategies.payoffs import legal_limits, whole_units

_SWEEP_SHARE = 0.25
"""Part of the sweep bonus that each row is credited with, by which the bonus becomes a sum over rows."""
STEPS = 1024
NORMAL, IN_FANTASYLAND = 0, 1


@dataclass(frozen=True, eq=False)
class Field:
    """The boards opponents end with, of a normal hand and one in Fantasyland.

    ``rows`` u16 (2, 3, 1024): codes of the valid boards' rows at even steps from least to greatest; ``fouls`` (2,):
    how often the opponent fouls.
    """

    rows: NDArray[np.uint16]
    fouls: NDArray[np.float64]

    @classmethod
    def of_boards(cls, codes: list[NDArray[np.uint16]], fouled: list[NDArray[np.bool_]]) -> Field:
        """Sum up finished boards: row codes (n, 3) and fouls (n,) of normal hands, then of those in Fantasyland."""
        rows, fouls = np.zeros((2, 3, STEPS), np.uint16), np.zeros(2)
        for kind, (all_codes, bad) in enumerate(zip(codes, fouled, strict=True)):
            valid = np.sort(all_codes[~bad], axis=0)
            if len(valid) == 0:
                # Nobody came to Fantasyland, or everybody fouled: as in a normal hand.
                rows[kind], fouls[kind] = rows[NORMAL], fouls[NORMAL]
                continue
            at = ((np.arange(STEPS) + 0.5) * len(valid) / STEPS).astype(np.int64)
            rows[kind], fouls[kind] = valid[at].T, bad.mean()
        return cls(rows, fouls)

    def lead(self, kind: int) -> NDArray[np.float64]:
        """Chance of beating a valid opponent in a row less that of losing it, by row and code, f8 (3, N)."""
        codes = np.arange(N_CODES)
        return np.stack(
            [
                (np.searchsorted(row, codes, "left") + np.searchsorted(row, codes, "right") - STEPS) / STEPS
                for row in self.rows[kind]
            ]
        )


@dataclass(frozen=True, eq=False)
class Worth:
    """Points of row codes f8 (3, N) on a legal board, Fantasyland aside, and what a foul costs."""

    rows: NDArray[np.float64]
    foul: float


def worth_against(compiled: CompiledRules, field: Field, kind: int) -> Worth:
    """What rows are worth against one opponent of a kind."""
    penalty, fouls = float(compiled.switches[k.PENALTY]), float(field.fouls[kind])
    rows = _each(compiled) * (1 - fouls) * field.lead(kind) + penalty / 3 * fouls
    return Worth(rows + _own(compiled, field, kind), -penalty * (1 - fouls))


def _each(compiled: CompiledRules) -> float:
    """Points a row wins, its part of the bonuses for several rows included."""
    s = compiled.switches
    return float(s[k.PER_ROW] + _SWEEP_SHARE * s[k.SWEEP_BONUS] + s[k.MAJORITY_BONUS] / 3)


def _own(compiled: CompiledRules, field: Field, kind: int) -> NDArray[np.float64]:
    """Royalties of rows as far as they are collected from one opponent, f8 (3, N)."""
    mode, fouls = compiled.switches[k.ROYALTY_MODE], float(field.fouls[kind])
    paid = compiled.paid.astype(np.float64)
    if mode == k.MODE_ROW_WINNER:
        return paid * ((1 - fouls) * (1 + field.lead(kind)) / 2 + fouls)
    if mode == k.MODE_PAIR_WINNER:
        return paid * ((1 - fouls) / 2 + fouls)
    return paid


def row_payoff(compiled: CompiledRules, values: NDArray[np.float64], against: list[Worth]) -> tuple[Payoff, int]:
    """The payoff of a board against opponents, with ``values`` f8 (18,) of Fantasyland; and its units in a point.

    The low that earns Fantasyland counts with its row, beside no other entry.
    """
    s, entry = compiled.switches, compiled.entry
    rows = np.sum([each.rows for each in against], axis=0)
    foul = sum(each.foul for each in against)
    unit = whole_units(np.abs(rows).max(axis=1).sum() + np.abs(values).max() + abs(foul))
    worth = np.rint(rows * unit) * GRAIN
    worth[0] += np.rint(values[entry[0]] * unit) * GRAIN
    worth[1] += np.rint(values[entry[1]] * unit) * GRAIN
    limits, worst = legal_limits(compiled)
    scalars = np.zeros(N_SCALARS, np.int64)
    scalars[FOUL], scalars[PLAIN], scalars[WHEEL] = round(foul * unit) * GRAIN, 1, -1
    scalars[LOW], scalars[WORST] = compiled.low_middle, worst
    return Payoff(
        np.concatenate((worth.astype(np.int32), limits)), scalars, np.zeros(N_CODES, np.int32),
        np.zeros((0, 6, N_CODES), np.uint64), np.zeros((3, N_CODES), np.int32), np.zeros((0, 8), np.uint64), s,
        compiled.cross,
    ), unit  # fmt: skip


def prior_of(compiled: CompiledRules, values: NDArray[np.float64], field: Field, opponents: int) -> Prior:
    """What the tail kernel knows of so many opponents before it looks at their rows."""
    worths = [worth_against(compiled, field, kind) for kind in (NORMAL, IN_FANTASYLAND)]
    most = opponents * max(np.abs(each.rows).max(axis=1).sum() + abs(each.foul) for each in worths)
    lead = np.stack([(1 - field.fouls[kind]) * field.lead(kind) for kind in (NORMAL, IN_FANTASYLAND)])
    each = np.array(
        [_each(compiled), compiled.switches[k.PENALTY], whole_units(most + np.abs(values).max())], np.float64
    )
    own = np.arange(opponents + 1)[:, None, None] * _own(compiled, field, NORMAL)
    own[:, :2] += values[compiled.entry]
    return Prior(lead.astype(np.float32), field.fouls, own.astype(np.float32), each)
