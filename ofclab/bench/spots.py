"""What the rows are measured on: the same deals, boards and payoff every time."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ofclab.engine import DEFAULT_FANTASYLAND_VALUES
from ofclab.kernels.placement import deal
from ofclab.rules import Rules, load_rules
from ofclab.rules.compiled import CompiledRules, compile_rules
from ofclab.scoring import read_codes, score_codes
from ofclab.solver.payoff import Valuation, value_rows

Cards = NDArray[np.uint8]
SEED = 20_261_129


@cache
def pineapple() -> Rules:
    """The rules of every row: American Pineapple."""
    return load_rules("american-pineapple")


def compiled() -> CompiledRules:
    """The same as arrays."""
    return compile_rules(pineapple())


def deals(n: int, seats: int = 2) -> Cards:
    """Cards of n hands, u8 (n, seats, 17)."""
    return deal(SEED, np.arange(n, dtype=np.uint64), 0, seats)


@cache
def boards(n: int) -> Cards:
    """Two random boards a hand, u8 (n, 2, 13); two thirds of them foul, as in random play."""
    return np.ascontiguousarray(deals(n)[:, :, :13])


@cache
def late_boards(n: int, open_slots: int, unseen: int) -> tuple[Cards, Cards]:
    """Boards u8 (n, 13) that can still be legal, with so many open slots, and as many unseen cards u8 (n, unseen).

    A legal board from a random deal loses some of its cards, which are then among the unseen ones.
    """
    random = np.random.default_rng(SEED)
    kept, left = np.empty((n, 13), np.uint8), np.empty((n, unseen), np.uint8)
    found, table = 0, 0
    while found < n:
        cards = deal(SEED, np.arange(table, table + 16 * n, dtype=np.uint64), 1, 3).reshape(-1, 51)
        table += 16 * n
        codes = read_codes(cards[:, None, :13], compiled())
        legal = ~score_codes(codes, compiled(), np.zeros((len(cards), 1), np.uint8)).fouled[:, 0]
        for hand in cards[legal][: n - found]:
            gone = random.choice(13, open_slots, replace=False)
            kept[found] = hand[:13]
            kept[found, gone] = 255
            left[found] = np.sort(np.concatenate((hand[gone], hand[13 : 13 + unseen - open_slots])))
            found += 1
    return kept, left


@cache
def valuation() -> Valuation:
    """Royalties and the value of Fantasyland, a foul at its penalty."""
    return value_rows(compiled(), DEFAULT_FANTASYLAND_VALUES)
