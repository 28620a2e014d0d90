"""A quick look at the placements of one spot: what each could become with sampled cards, seen in hindsight.

The fillings are those of `ofclab.kernels.hindsight`; here every placement sees every sample and keeps its mean.
"""

from __future__ import annotations

import numpy as np

from ofclab.kernels.candidates import DIGIT_BITS
from ofclab.kernels.hindsight import (
    _MOST_FILLINGS,
    _SUBSETS,
    OPTION,
    best_filling,
    carry_out,
    list_rows,
)
from ofclab.kernels.jit import kernel
from ofclab.kernels.rowstate import sum_subsets


@kernel
def look(own, counts, dealt, choices, samples, switches, cross, royalty, ceiling, entry, stay, values, foul_cost,
         worths):  # fmt: skip
    """Mean value `worths` f8 (K,) of the best legal filling of each placement `choices` u8 (K, k) over the samples.

    `own` u8 (13,), `counts` u8 (3,), `dealt` u8 (k,): the spot; `samples` u8 (S, m): unseen cards, at least as many as
    slots stay open; the other arguments as in `fill_by_samples`.
    """
    n, sampled, handed = choices.shape[0], samples.shape[1], 1 << dealt.shape[0]
    options, board = np.empty(n, OPTION), np.empty(13, np.uint8)
    owner = np.full((3, handed), -1, np.int64)
    for p in range(n):
        carry_out(own, counts, dealt, choices[p], board, options[p])
        worths[p] = 0.0
        for row in range(3):
            owner[row, options[p].dealt[row]] = p
    words, jokers, masks = np.empty(_SUBSETS, np.uint32), np.empty(_SUBSETS, np.int64), np.empty(_SUBSETS, np.uint64)
    lists, length = np.empty((3, handed, _MOST_FILLINGS), np.int64), np.empty((3, handed), np.int64)
    entries, spare = np.empty(handed * _MOST_FILLINGS, np.uint64), np.empty(handed * _MOST_FILLINGS, np.uint64)
    tally = np.empty(2 << DIGIT_BITS, np.int64)
    for s in range(samples.shape[0]):
        sum_subsets(samples[s], sampled, words, jokers, masks)
        for row in range(3):
            list_rows(
                row, options, owner[row], sampled, words, jokers, masks, switches, entries, spare, tally, lists, length
            )
        for p in range(n):
            front, middle, back = options[p].dealt[0], options[p].dealt[1], options[p].dealt[2]
            worths[p] += best_filling(
                lists[0, front], length[0, front], lists[1, middle], length[1, middle], lists[2, back],
                length[2, back], options[p], words, jokers, masks, switches, cross, royalty, ceiling, entry, stay,
                values, foul_cost,
            )  # fmt: skip
    for p in range(n):
        worths[p] /= samples.shape[0]
