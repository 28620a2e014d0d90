"""Compile the kernels of a run before it starts, or load them from the cache."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofclab.engine.play import HandBatch, play
from ofclab.engine.spots import Spots
from ofclab.kernels import placement, setter
from ofclab.rules import Rules
from ofclab.rules.compiled import CompiledRules, compile_rules


class _FirstFit:
    """Fills the back, the middle and the front in the order of the deal."""

    label = "first_fit"

    def prepare(self, rules: Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Nothing to prepare."""

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        """The row of each dealt card."""
        choice = np.full(spots.dealt.shape, placement.DISCARD, np.uint8)
        for i, counts in enumerate(spots.counts.tolist()):
            rows = [row for row in (2, 1, 0) for _ in range(int(placement.ROW_SIZE[row]) - counts[row])]
            choice[i, : spots.place] = rows[: spots.place]
        return choice


def warm_up(rules: Rules, strategies: Sequence[Any] = ()) -> None:
    """Call every kernel that a logged run under these rules with these strategies may call, once.

    One hand is played, by stand-ins where there are no strategies, and a Fantasyland hand set. What is compiled then
    lies in the cache, so that worker processes only load it.
    """
    compiled = compile_rules(rules)
    with _without_collection():
        for batch in play(rules, strategies or [_FirstFit(), _FirstFit()], range(1), 1, 0):
            _set_fantasyland(batch, compiled)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Let no garbage be collected: a compiler makes little of it and spends a tenth of its time looking."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _set_fantasyland(batch: HandBatch, compiled: CompiledRules) -> None:
    tables = setter.setter_tables(compiled.paid, compiled.stay, compiled.switches, compiled.cross)
    cards, count = 3 * np.arange(17, dtype=np.uint8)[None], np.full(1, 14, np.uint8)
    masks, _, _ = setter.set_hands_batch(cards, count, tables, np.ones(1, np.int64))
    boards, placed = np.full((1, 2, 13), placement.OPEN, np.uint8), batch.placement[:, :2].copy()
    seat = np.zeros(1, np.int64)
    placement.place_fantasyland(seat, seat, np.repeat(cards[:, None], 2, axis=1), count, masks, boards, placed)
