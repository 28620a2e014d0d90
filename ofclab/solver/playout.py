"""Carry boards on street by street with a named strategy: the continuation of a spot nobody has seen yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ofclab.board import Board
from ofclab.engine import IllegalPlacement, Spots, Strategy
from ofclab.kernels.placement import OPEN, apply_placements
from ofclab.rules import Rules
from ofclab.rules.compiled import CompiledRules, compile_rules

Boards = NDArray[np.uint8]
_MIX = 0x9E3779B97F4A7C15


@dataclass(frozen=True, eq=False)
class Players:
    """The same seat in many futures: boards u8 (n, 13), discards u8 (n, 8), 255 = open or none."""

    boards: Boards
    discards: Boards

    @classmethod
    def start(cls, boards: Boards, discards: Sequence[int] = ()) -> Players:
        """Boards that share what was discarded before."""
        thrown = np.full((len(boards), 8), OPEN, np.uint8)
        thrown[:, : len(discards)] = list(discards)
        return cls(boards.copy(), thrown)


@dataclass(frozen=True, eq=False)
class Continuation:
    """A strategy as the continuation policy of one seat, with what that seat sees of the others.

    ``seen`` u8 (others, 13): their open rows; ``came_in`` u8 (others,): their Fantasyland cards, 255 = nobody sits
    there; ``shown`` u8 (others, 8): other cards that are known to be gone.
    """

    rules: Rules
    strategy: Strategy
    values: Mapping[int, float]
    seen: Boards
    came_in: NDArray[np.uint8]
    shown: Boards
    position: int

    @classmethod
    def of_seat(
        cls, rules: Rules, strategy: Strategy, values: Mapping[int, float], others: Sequence[Board],
        came_in: Sequence[int], dead: Sequence[int], position: int,
    ) -> Continuation:  # fmt: skip
        """A seat across from these boards; ``dead`` cards are gone for everybody."""
        seats = max(len(others), -(-len(dead) // 8))
        seen, shown = np.full((seats, 13), OPEN, np.uint8), np.full((seats, 8), OPEN, np.uint8)
        fantasyland = np.full(seats, OPEN, np.uint8)
        for i, (other, cards) in enumerate(zip(others, came_in, strict=True)):
            seen[i], fantasyland[i] = board_array(other), cards
        shown.reshape(-1)[: len(dead)] = list(dead)
        return cls(rules, strategy, values, seen, fantasyland, shown, position)

    @property
    def compiled(self) -> CompiledRules:
        """The rules as arrays."""
        return compile_rules(self.rules)

    def play(self, players: Players, street: int, dealt: Boards, keys: NDArray[np.uint64]) -> Players:
        """Place one street's cards u8 (n, k) for every player; ``keys`` u64 (n,) are the decisions' random streams."""
        n, place = len(dealt), int(self.compiled.rounds[street - 1, 1])
        boards, discards = players.boards.copy(), players.discards.copy()
        filled = boards != OPEN
        counts = np.stack([filled[:, a:b].sum(axis=1) for a, b in ((0, 3), (3, 8), (8, 13))], axis=1).astype(np.uint8)
        spots = Spots(
            self.rules, self.compiled, self.values, street, place, keys ^ np.uint64(street * _MIX % 2**64), boards,
            counts, np.ascontiguousarray(dealt), discards, np.tile(self.seen, (n, 1, 1)), np.tile(self.came_in, (n, 1)),
            np.tile(self.shown, (n, 1, 1)), np.full(n, self.position, np.uint8),
        )  # fmt: skip
        choice = np.asarray(self.strategy.place(spots), np.uint8)
        after = boards[:, None].copy()
        wrong = 0 if choice.shape != dealt.shape else apply_placements(
            np.arange(n), 0, spots.dealt, choice, 0, place, after, counts[:, None].copy(), np.zeros((n, 1), np.uint16),
            np.full((n, 1, 17), 7, np.uint8),
        )  # fmt: skip
        if choice.shape != dealt.shape or wrong >= 0:
            raise IllegalPlacement(f"{self.strategy.label} placed cards against the rules on street {street}")
        rows, columns = np.nonzero(choice == 3)
        before = (discards != OPEN).sum(axis=1)
        nth = np.arange(len(rows)) - np.searchsorted(rows, rows, side="left")
        discards[rows, before[rows] + nth] = dealt[rows, columns]
        return Players(after[:, 0], discards)


def board_array(board: Board) -> NDArray[np.uint8]:
    """A board as slots u8 (13,): front 0-2, middle 3-7, back 8-12, 255 = open."""
    slots = np.full(13, OPEN, np.uint8)
    for start, row in zip((0, 3, 8), board.rows, strict=True):
        slots[start : start + len(row)] = row
    return slots


def draws(unseen: NDArray[np.uint8], samples: int, cards: int, random: np.random.Generator) -> NDArray[np.uint8]:
    """Orders of the unseen cards u8 (samples, unseen): the first `cards` are a random deal, the rest stay sorted."""
    order = np.argsort(random.random((samples, len(unseen))), axis=1)
    order[:, cards:] = np.sort(order[:, cards:], axis=1)
    return unseen[order]
