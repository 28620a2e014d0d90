"""Play one deal to the end of the Fantasyland hands that follow it, or a chain that begins in Fantasyland."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofclab.engine import play
from ofclab.rules import Rules


def one_deal(rules: Rules) -> Rules:
    """The same rules for a game of one hand and the Fantasyland hands it causes, without chips."""
    return rules.replace(
        {
            "game.hands": 1,
            "game.end_when_one_stack": False,
            "fantasyland.adds_hand": True,
            "stakes.buy_in": None,
            "stakes.rebuy": "none",
        }
    )


@dataclass(frozen=True, eq=False)
class Chains:
    """Chains that begin with one seat in Fantasyland, as arrays over them.

    ``points`` i64: what that seat won until nobody was in Fantasyland; ``hands`` i64: hands that took; of the first
    hand alone ``first_points`` i64, ``royalties`` i64 and ``stays`` bool.
    """

    points: NDArray[np.int64]
    hands: NDArray[np.int64]
    first_points: NDArray[np.int64]
    royalties: NDArray[np.int64]
    stays: NDArray[np.bool_]


def play_chains(
    rules: Rules, players: Sequence[Any], tables: range, cards: int, longest: int, seed: int,
    fantasyland_values: Mapping[int, float],
) -> Chains:  # fmt: skip
    """Begin at each table with one seat holding so many Fantasyland cards, the others none, and play the chain out.

    The seat is table number mod seats, so that every position has its share. A chain of ``longest`` hands is cut off.
    """
    seats, n = len(players), len(tables)
    holder = np.array(tables) % seats
    came_in = np.zeros((n, seats), np.uint8)
    came_in[np.arange(n), holder] = cards
    points, hands, first, royalties = (np.zeros(n, np.int64) for _ in range(4))
    chains = Chains(points, hands, first, royalties, np.zeros(n, np.bool_))
    played = play(
        one_deal(rules), players, tables, longest, seed, fantasyland_values=fantasyland_values, fantasyland=came_in
    )
    for batch in played:
        where = batch.tables.astype(np.int64) - tables.start
        rows, seat = np.arange(len(where)), holder[where]
        chains.points[where] += batch.points[rows, seat]
        chains.hands[where] += 1
        if batch.hand_no == 0:
            chains.first_points[:] = batch.points[rows, seat]
            chains.royalties[:] = batch.royalties[rows, seat].sum(axis=1)
            chains.stays[:] = batch.next_fantasyland[rows, seat] > 0
    return chains
