"""The streets still to come, solved exactly: which are affordable, over how many draws, and what boards are worth."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from math import comb, perm

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels import tails
from ofclab.kernels.judge import OUTCOMES, PLAIN, WIDTH, make_work
from ofclab.kernels.tails import ANY_STREET, FINISHED, SINGLE_CARDS, THREE_CARDS, TWICE_THREE_CARDS
from ofclab.solver.payoff import Valuation
from ofclab.strategies.base import placement_table

_MOST_SINGLE_CARDS = 4
_LEAF, _CHOICE, _JOKER_READING = 4.5e-7, 2e-8, 4e-7
"""Seconds for the last card of one-card play, for one way to place a street, for reading a board with jokers."""

Round = tuple[int, int, int]
"""Cards dealt, placed and discarded on a street."""


@dataclass(frozen=True)
class ToCome:
    """Streets still to come that can be summed over exactly; ``rounds`` in the order of play."""

    rounds: tuple[Round, ...]

    @cached_property
    def kind(self) -> int:
        """The kernel's name for them, -1 where there is none."""
        if not self.rounds:
            return FINISHED
        if self.rounds in (((3, 2, 1),), ((3, 2, 1), (3, 2, 1))):
            return THREE_CARDS if len(self.rounds) == 1 else TWICE_THREE_CARDS
        if all(street == (1, 1, 0) for street in self.rounds):
            return SINGLE_CARDS if len(self.rounds) <= _MOST_SINGLE_CARDS else -1
        return ANY_STREET if len(self.rounds) == 1 and self.rounds[0][0] <= 5 else -1

    def draws(self, unseen: int) -> int:
        """Over how many equally likely draws the sums run."""
        if self.kind == SINGLE_CARDS:
            return perm(unseen, len(self.rounds))
        total = 1
        for deal, _, _ in self.rounds:
            total *= comb(unseen, deal)
            unseen -= deal
        return total

    def seconds(self, unseen: int, valuation: Valuation, jokers: int) -> float:
        """Rough time for one board, the same on every machine; ``jokers``: 0 none, 1 unseen, 2 on the board."""
        if self.kind == -1 or (self.kind in (THREE_CARDS, TWICE_THREE_CARDS) and unseen > WIDTH):
            return float("inf")
        if self.kind == FINISHED:
            return _JOKER_READING if jokers else 1e-7
        plain = bool(valuation.payoff.scalars[PLAIN])
        pairs = unseen * (unseen - 1)
        one_street = 2.5e-9 * pairs + (0.0 if plain else 7e-9 * pairs)
        if jokers:
            one_street += _JOKER_READING * (pairs if jokers == 2 else 4 * unseen)
        if self.kind == THREE_CARDS:
            return one_street
        if self.kind == TWICE_THREE_CARDS:
            return one_street * pairs * 4.5
        if self.kind == SINGLE_CARDS:
            leaf = unseen * _JOKER_READING if jokers else _LEAF + (0.0 if plain else 1e-8 * unseen)
            return leaf * (2.5 * unseen) ** (len(self.rounds) - 1)
        deal, place, _ = self.rounds[0]
        ways = comb(deal, place) * 12
        return comb(unseen, deal) * ways * (_JOKER_READING if jokers else _CHOICE)


@dataclass(frozen=True, eq=False)
class Values:
    """Points f8 (n,), chance of a foul f8 (n,) and of each number of Fantasyland cards f8 (n, sizes)."""

    points: NDArray[np.float64]
    foul: NDArray[np.float64]
    fantasyland: NDArray[np.float64]
    units: NDArray[np.int64]
    """Sums over all draws in whole units of the valuation."""


def value(
    boards: NDArray[np.uint8],
    dealt: NDArray[np.uint8],
    unseen: NDArray[np.uint8],
    street: Round | None,
    to_come: ToCome,
    valuation: Valuation,
    workers: int | None = None,
) -> Values:
    """Value boards u8 (n, 13) by the best placement of ``dealt`` u8 (n, k), then the streets to come played best.

    ``unseen`` u8 (n, m): cards still to be drawn from; ``street``: the round that deals ``dealt``, None (and k = 0) to
    value the boards as they stand.
    """
    n = len(boards)
    worths, counts, picks = np.zeros(n, np.int64), np.zeros((n, OUTCOMES), np.int64), np.zeros(n, np.int64)
    first = _choices(street, to_come.rounds) if street else _NO_CHOICE
    deal = to_come.rounds[0][0] if to_come.rounds else 0
    following = _choices(to_come.rounds[0], ()) if to_come.kind == ANY_STREET else _NO_CHOICE

    def run(piece: NDArray[np.int64]) -> None:
        at = slice(int(piece[0]), int(piece[-1]) + 1)
        tails.decide_boards(
            np.ascontiguousarray(boards[at]), np.ascontiguousarray(dealt[at]), np.ascontiguousarray(unseen[at]),
            *first, to_come.kind, len(to_come.rounds), deal, *following, valuation.payoff, make_work(),
            worths[at], counts[at], picks[at],
        )  # fmt: skip

    in_threads(run, n, workers)
    draws = to_come.draws(unseen.shape[1])
    foul, fantasyland = valuation.chances(counts, draws)
    return Values(valuation.points(worths, draws), foul, fantasyland, valuation.units(worths))


_NO_CHOICE = (np.zeros((1, 0), np.uint8), np.zeros(145, np.int64))


def _choices(street: Round, following: Sequence[Round]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    deal, place, _ = street
    return placement_table(deal, place, 13 - place - sum(later for _, later, _ in following))


def in_threads(run: Callable[[NDArray[np.int64]], None], size: int, workers: int | None = None) -> None:
    """Run a function on pieces of range(size) side by side; the kernels let go of the interpreter."""
    threads = workers or os.cpu_count() or 1
    if threads == 1 or size < 2 * threads:
        run(np.arange(size))
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, np.array_split(np.arange(size), min(size, 4 * threads))))
