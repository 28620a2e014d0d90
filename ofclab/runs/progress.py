"""How far a run is, and telling it not too often."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ofclab.runs.plan import Plan
from ofclab.runs.pool import Outcome

TELL_SECONDS = 0.2
"""The progress callback is called no more often than this."""


@dataclass(frozen=True)
class Progress:
    """How far a run is; handed to the ``progress`` callback. Parts that were there at the start count as done."""

    parts_done: int
    parts: int
    hands: int
    """Hands played since the start."""
    hands_to_play: int
    """Hands to play in all since the start, at most: a game may end early."""
    seconds: float

    @property
    def rate(self) -> float:
        """Hands a second."""
        return self.hands / self.seconds if self.seconds > 0 else 0.0

    @property
    def eta(self) -> float | None:
        """Seconds left, None before anything was played."""
        return (self.hands_to_play - self.hands) / self.rate if self.hands else None


class Meter:
    """Counts hands and tells the callback."""

    def __init__(self, plan: Plan, to_play: Sequence[int], progress: Callable[[Progress], None] | None) -> None:
        self.plan, self.progress = plan, progress
        self.begun, self.told = time.perf_counter(), 0.0
        self.parts_done = plan.parts - len(to_play)
        self.finished, self.under_way = 0, 0
        self.hands_to_play = sum(self._most_hands(number) for number in to_play)

    def _most_hands(self, number: int) -> int:
        return len(self.plan.tables_of(number)) * self.plan.hands

    def part_ended(self, outcome: Outcome) -> None:
        """Count a part; what a game that ended early did not play is not left to play."""
        self.parts_done += outcome.error is None
        self.finished += outcome.hands
        self.hands_to_play -= self._most_hands(outcome.number) - outcome.hands
        self.tell(always=True)

    def playing(self, hands: int) -> None:
        """Take note of the hands played of parts that have not ended."""
        self.under_way = hands
        self.tell()

    def tell(self, always: bool = False) -> None:
        """Call the callback."""
        now = time.perf_counter()
        if self.progress is None or (now - self.told < TELL_SECONDS and not always):
            return
        self.told = now
        hands = self.finished + self.under_way
        self.progress(Progress(self.parts_done, self.plan.parts, hands, self.hands_to_play, now - self.begun))
