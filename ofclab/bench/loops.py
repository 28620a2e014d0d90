"""Fast kernels called in a loop, where a call from Python would cost as much as the work."""

from __future__ import annotations

import numpy as np

from ofclab.kernels.endgame import sum_last_street
from ofclab.kernels.jit import kernel


@kernel
def last_streets(boards, cards, payoff, work):
    """Sum of `sum_last_street` over boards u8 (n, 13) without jokers, each with its own unseen cards u8 (n, m)."""
    total = np.int64(0)
    for i in range(boards.shape[0]):
        total += sum_last_street(boards[i], cards[i], cards.shape[1], False, payoff, work)
    return total
