"""The deals that Expert's nets play, as its kernels are handed them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels import scoring as k
from ofclab.kernels.expert_play import Streets
from ofclab.kernels.placement import DISCARD
from ofclab.kernels.tails import FINISHED, SINGLE_CARDS, THREE_CARDS
from ofclab.rules import Rules
from ofclab.rules.compiled import CompiledRules, compile_rules
from ofclab.strategies.base import placement_table

_MOST_DEALT, _MOST_CHOICES, _MOST_TO_COME = 5, 256, 12
_SUMMED = {(3, 2, 1): THREE_CARDS, (1, 1, 0): SINGLE_CARDS}
"""Last streets over whose draws the one before is summed."""

Round = tuple[int, int, int]


@lru_cache(maxsize=64)
def streets_of(rules: Rules) -> Streets | None:
    """The streets of a deal that nets can play: three or more, of at most five cards each; None for any other."""
    rounds: tuple[Round, ...] = tuple(tuple(row) for row in compile_rules(rules).rounds.tolist())
    deals = [deal for deal, _, _ in rounds]
    if len(rounds) < 3 or max(deals) > _MOST_DEALT or sum(deals[1:]) > _MOST_TO_COME:
        return None
    streets = _streets(rounds, 52 + rules.deck.jokers)
    return streets if int(np.diff(streets.start, axis=1).max()) <= _MOST_CHOICES else None


def _streets(rounds: tuple[Round, ...], deck_size: int) -> Streets:
    deal, place = (np.array(column, np.int64) for column in list(zip(*rounds, strict=True))[:2])
    placed = place.cumsum()
    parts: list[NDArray[np.uint8]] = []
    start = np.zeros((len(rounds), 145), np.int64)
    for street, (dealt, kept, _) in enumerate(rounds):
        choices, begins = placement_table(dealt, kept, int(placed[street]) - kept)
        padded = np.full((len(choices), _MOST_DEALT), DISCARD, np.uint8)
        padded[:, :dealt] = choices
        start[street] = begins + sum(len(part) for part in parts)
        parts.append(padded)
    choices = np.concatenate(parts)
    kind = _SUMMED.get(rounds[-1], FINISHED)
    exact = len(rounds) - (kind != FINISHED)
    return Streets(
        deal, placed, deal.sum() - deal.cumsum(), choices, card_sets(choices), start,
        np.array([exact, kind], np.int64), deck_size,
    )  # fmt: skip


def card_sets(choices: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Which cards each placement puts to front, middle and back, as bits, u8 (N, 3)."""
    bits = 1 << np.arange(choices.shape[1])
    return np.stack([((choices == row) * bits).sum(axis=1) for row in range(3)], axis=1).astype(np.uint8)


def net_streets(streets: Streets) -> int:
    """How many streets are played by nets: all before the first that is decided exactly."""
    return int(streets.exact[0]) - 1


def worst_low(compiled: CompiledRules) -> int:
    """Least code of a legal middle that is a 2-7 low, -1 where the middle is high."""
    return int(compiled.switches[k.LOW_WORST]) if compiled.low_middle else -1


Completion = tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int64]]
"""Placements, their sets of cards and where those of a board begin."""


def completions(streets: Streets) -> tuple[Completion, ...]:
    """Placements that complete a board with 0 to 4 open slots: from so many cards, with discards from one more."""
    return _completions(int(streets.placed[-1] < streets.deal.sum()))


@lru_cache(maxsize=2)
def _completions(spare: int) -> tuple[Completion, ...]:
    tables = (placement_table(max(1, free + spare), free, 13 - free) for free in range(5))
    return tuple((choices, card_sets(choices), start) for choices, start in tables)
