"""Placements of the rule-of-thumb strategies for whole batches of spots.

`choices` u8 (N, k) lists the legal placements by open slots, `start` i64 (145,) where each state's list begins; see
`ofclab.strategies.base.placement_table`.
"""

from __future__ import annotations

import numpy as np

from ofclab.kernels import rng
from ofclab.kernels.jit import kernel
from ofclab.kernels.placement import DISCARD


@kernel
def state_of(counts):
    """Index of a board's open slots in the table of placements."""
    return (3 - np.int64(counts[0])) * 36 + (5 - np.int64(counts[1])) * 6 + (5 - np.int64(counts[2]))


@kernel
def random_legal(keys, counts, choices, start, out):
    """A uniform legal placement for each spot."""
    for i in range(keys.shape[0]):
        state = state_of(counts[i])
        pick = start[state] + rng.below(keys[i], 0, start[state + 1] - start[state])
        for j in range(out.shape[1]):
            out[i, j] = choices[pick, j]


@kernel
def cutoff_rows(dealt, counts, choices, start, front_max, middle_max, out):
    """The placement of least cost: cards want the front up to some pips, the middle up to more, else the back."""
    for i in range(dealt.shape[0]):
        state = state_of(counts[i])
        best, least = start[state], np.inf
        for pick in range(start[state], start[state + 1]):
            cost = 0.0
            for j in range(dealt.shape[1]):
                pips = 2 + (dealt[i, j] >> 2)
                row = np.int64(choices[pick, j])
                if row == DISCARD:
                    cost += 10.0 * pips
                    continue
                wanted = 0 if pips <= front_max else 1 if pips <= middle_max else 2
                cost += (row - wanted) if row >= wanted else 1.5 * (wanted - row)
            if cost < least:
                best, least = pick, cost
        for j in range(out.shape[1]):
            out[i, j] = choices[best, j]
