"""Rows of whole spots: time and error of `evaluate_spot` by street, beside trying everything and random roll-outs."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from itertools import combinations, islice
from math import comb, sqrt
from random import Random

import numpy as np
from numpy.typing import NDArray

from ofclab.bench.measure import Effort, process_clock, times
from ofclab.bench.plain_engine import Params, Rows, judge, placed
from ofclab.bench.row import Bench, Measured
from ofclab.bench.spots import SEED, compiled, pineapple
from ofclab.engine import DEFAULT_FANTASYLAND_VALUES
from ofclab.scoring import score_boards
from ofclab.solver.evaluate import evaluate_spot
from ofclab.solver.opponents import play_on
from ofclab.solver.playout import Continuation, Players, board_array, draws
from ofclab.spot import Spot
from ofclab.strategies import get

SPOTS = {
    1: "dealt: Ah Kc Qs 8h 7c opponent: -",
    2: "Qc / 2s 3c / 4d 8d dealt: Tc 5d Qh opponent: As / Kc Kh / 9c 9h",
    3: "Qc Ks / 2s 3c 3h / 4d 8d dealt: Tc 5d Qh discards: Th opponent: As 9s / Kc Kh 4c / 9c 9h",
    4: "7c Ks / 2s 3c 3h / 4d 8d Qd Jd dealt: Tc 5d 2h discards: Th 7s",
    5: "7c Ks / 2s 3c 3h 2h / 4d 8d Qd Jd 5d dealt: Td 9s 3d discards: Th 7s Tc",
}
_MILLI = 1e-3
_DRAWS = 20
"""Draws of a placement that plain Python tries; the time of the others is scaled from them."""
_FUTURES = 64


def exact(street: int, effort: Effort) -> Measured:
    """Milliseconds of a decision summed over every draw, beside plain Python that tries everything."""
    spot, rules = Spot.parse(SPOTS[street]), pineapple()
    whole = comb(len(spot.unseen(rules)), 3) if street == 4 else 1
    # The slow one works at one placement only, and on a few of its draws.
    fast, slow = times([partial(evaluate_spot, spot, rules), _plain(spot, street)], effort, process_clock)
    ways = len(spot.legal_placements(rules))
    scaled = slow * ways * (whole / _DRAWS if street == 4 else 1)
    note = f"the baseline from {_DRAWS} of {whole:,} draws of one placement" if street == 4 else ""
    return Measured(fast / _MILLI, scaled / _MILLI, note)


def _plain(spot: Spot, street: int) -> Callable[[], float]:
    """Plain Python at work on a few draws of one placement."""
    rules = pineapple()
    board = spot.board.place(spot.legal_placements(rules)[0])
    rows: Rows = tuple(tuple(map(str, row)) for row in board.rows)
    params = rules.flat()
    if street == 5:
        return lambda: _worth(rows, params)
    unseen = [str(card) for card in spot.unseen(rules)]
    Random(SEED).shuffle(unseen)

    def some() -> float:
        total = 0.0
        for dealt in islice(combinations(unseen, 3), _DRAWS):
            total += max(_worth(after, params) for after in placed(rows, dealt, 2))
        return total / _DRAWS

    return some


def _worth(rows: Rows, params: Params) -> float:
    seat = judge(rows, params, 0)
    if seat.fouled:
        return -float(params["foul.penalty"])
    return seat.royalties + DEFAULT_FANTASYLAND_VALUES.get(seat.next_fantasyland, 0.0)


def sampled(street: int, effort: Effort) -> Measured:
    """Standard error in points of the gap between the two best placements after a second of CPU time.

    Beside it RandomFill roll-outs, as many for every placement and each apart: they play other hands, safer ones.
    """
    spot, rules = Spot.parse(SPOTS[street]), pineapple()
    evaluate_spot(spot, rules, budget=0.01)
    begun = process_clock()
    found = evaluate_spot(spot, rules, budget=max(0.05, effort.seconds / 2))
    spent = process_clock() - begun
    error = float(found["loss_se"][1]) * sqrt(spent)
    note = (
        f"{(error / 0.5) ** 2:.2g} s to half a point; {found['samples'][0] / spent:,.0f} futures of the best a second"
    )
    return Measured(error, sqrt(2) * _rollouts(spot, street), note)


def _rollouts(spot: Spot, street: int) -> float:
    """Standard error of one placement's value in a second of RandomFill roll-outs of both boards to their ends."""
    rules, values, random = pineapple(), DEFAULT_FANTASYLAND_VALUES, np.random.default_rng(SEED)
    placements, deals = spot.legal_placements(rules), compiled().rounds[:, 0].tolist()
    mine, theirs = spot.board.place(placements[0]), spot.opponents[0]
    player = get("random_fill")
    player.prepare(rules, values)
    orders = draws(np.array(spot.unseen(rules), np.uint8), _FUTURES, 34, random)
    keys = random.integers(0, 2**64, _FUTURES, np.uint64)
    later, behind = deals[street:], deals[street - 1 :] if theirs.cards else deals
    own = Continuation.of_seat(rules, player, values, [theirs], [0], (), 1)
    other = Continuation.of_seat(rules, player, values, [mine], [0], (), 2)

    def play(n: int) -> NDArray[np.float64]:
        left, first = orders[:n], sum(later)
        ends = [
            play_on(policy, Players.start(np.tile(board_array(board), (n, 1))), at, ahead, cards, keys[:n])
            for policy, board, at, ahead, cards in (
                (own, mine, street + 1, later, left[:, :first]),
                (other, theirs, len(deals) - len(behind) + 1, behind, left[:, first:]),
            )
        ]
        scored = score_boards(np.stack(ends, axis=1), rules)
        worth = np.array([values.get(cards, 0.0) for cards in range(18)])
        points: NDArray[np.float64] = scored.points[:, 0] + worth[scored.next_fantasyland[:, 0]]
        return points

    play(2)
    begun = time.process_time()
    points = play(_FUTURES)
    a_future = (time.process_time() - begun) / _FUTURES
    return float(points.std(ddof=1)) * sqrt(a_future * len(placements))


SPOT_ROWS = (
    *(
        Bench(f"spot, street {street}, error in a second", "points", "RandomFill roll-outs", gate, aim,
              partial(sampled, street), less_is_better=True)
        for street, gate, aim in ((1, 1, 2), (2, 0.3, 1), (3, 0.5, 1.5))
    ),
    Bench("spot, street 4, exact", "ms", "plain Python, sampled and scaled", 1000, 5000, partial(exact, 4),
          less_is_better=True),
    Bench("spot, street 5, exact", "ms", "plain Python, scaled", 10, 2, partial(exact, 5), less_is_better=True,
          gate_unit="ms"),
)  # fmt: skip
