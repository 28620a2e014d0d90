"""The boards opponents may end with: known ones as they are, others completed from the unseen cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ofclab.board import street_of
from ofclab.engine import Strategy
from ofclab.kernels.placement import OPEN
from ofclab.kernels.setter import set_hands_batch, setter_tables
from ofclab.kernels.setter_search import SetterTables
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules
from ofclab.scoring import read_codes
from ofclab.solver.payoff import OpponentBoards
from ofclab.solver.playout import Continuation, Players, board_array, draws
from ofclab.spot import Spot

_POINT = 10_000


def are_known(spot: Spot) -> bool:
    """Tell whether every opponent's board is complete and open, or there is none."""
    return all(other.is_complete for other in spot.opponents) and not any(spot.opponents_fantasyland)


class Opponents:
    """Draws what the opponents of a spot may end with.

    An open board is carried on by the policy, which sees the spot's open cards; a Fantasyland hand is set exactly for
    royalties and the worth of a stay. All cards come from those the player has not seen, each completion by itself.
    ``came_in``: the player's own Fantasyland cards, whose rows nobody sees.
    """

    def __init__(
        self, spot: Spot, rules: Rules, strategy: Strategy, values: Mapping[int, float], came_in: int = 0
    ) -> None:
        self.spot, self.rules, self.compiled, self.came_in = spot, rules, compile_rules(rules), came_in
        self.unseen = np.array(spot.unseen(rules), np.uint8)
        self.policies = [self._policy(i, strategy, values) for i in range(len(spot.opponents))]
        stay = rules.fantasyland.stay_cards
        self.stay_worth = {
            came_in: round(values.get(came_in if stay == "same" else int(stay), 0.0) * _POINT)
            for came_in in set(spot.opponents_fantasyland)
        }

    @cached_property
    def tables(self) -> SetterTables:
        """The tables of the Fantasyland setter."""
        worth = self.compiled.royalty.astype(np.int64) * _POINT
        return setter_tables(worth, self.compiled.stay, self.compiled.switches, self.compiled.cross)

    def _policy(self, i: int, strategy: Strategy, values: Mapping[int, float]) -> Continuation:
        """The i-th opponent's view: from its left the seats behind it, this player among them."""
        spot, n = self.spot, len(self.spot.opponents)
        order = [*range(i + 1, n), -1, *range(i)]
        others = [spot.board if seat < 0 else spot.opponents[seat] for seat in order]
        came_in = [self.came_in if seat < 0 else spot.opponents_fantasyland[seat] for seat in order]
        position = (spot.position + i) % spot.seats + 1
        return Continuation.of_seat(self.rules, strategy, values, others, came_in, spot.dead, position)

    def known(self) -> list[OpponentBoards]:
        """The opponents' boards where `are_known`."""
        return [self._judge(board_array(other)[None]) for other in self.spot.opponents]

    def sample(self, samples: int, random: np.random.Generator) -> list[OpponentBoards]:
        """So many boards for each opponent."""
        return [self._judge(self._complete(i, samples, random)) for i in range(len(self.spot.opponents))]

    def _judge(self, boards: NDArray[np.uint8]) -> OpponentBoards:
        return OpponentBoards.judge(read_codes(boards, self.compiled), self.compiled)

    def _complete(self, i: int, samples: int, random: np.random.Generator) -> NDArray[np.uint8]:
        board, came_in = self.spot.opponents[i], self.spot.opponents_fantasyland[i]
        if came_in:
            return self._set(draws(self.unseen, samples, came_in, random)[:, :came_in])
        boards = np.tile(board_array(board), (samples, 1))
        if board.is_complete:
            return boards
        street = street_of(board, self.rules)
        rounds = self.compiled.rounds[street - 1 :].tolist()
        dealt = draws(self.unseen, samples, sum(deal for deal, _, _ in rounds), random)
        keys = random.integers(0, 2**64, samples, np.uint64)
        return play_on(self.policies[i], Players.start(boards), street, [deal for deal, _, _ in rounds], dealt, keys)

    def _set(self, hands: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Boards of Fantasyland hands u8 (n, 13..17)."""
        n, came_in = hands.shape
        padded = np.full((n, 17), OPEN, np.uint8)
        padded[:, :came_in] = hands
        bonus = np.full(n, self.stay_worth[came_in], np.int64)
        masks, _, _ = set_hands_batch(padded, np.full(n, came_in, np.uint8), self.tables, bonus)
        boards = np.empty((n, 13), np.uint8)
        for row, start, size in ((0, 0, 3), (1, 3, 5), (2, 8, 5)):
            inside = (masks[:, row, None] >> np.arange(came_in, dtype=np.uint32)) & 1 == 1
            boards[:, start : start + size] = hands[inside].reshape(n, size)
        return boards


def play_on(
    policy: Continuation, players: Players, street: int, deals: Sequence[int], dealt: NDArray[np.uint8],
    keys: NDArray[np.uint64],
) -> NDArray[np.uint8]:  # fmt: skip
    """Play streets from `street` on, dealing from u8 (n, cards) in order; returns the boards."""
    used = 0
    for later, deal in enumerate(deals):
        players = policy.play(players, street + later, dealt[:, used : used + deal], keys)
        used += deal
    return players.boards
