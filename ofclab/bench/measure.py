"""Time one thing beside another: CPU time, medians, both in turns in the same process."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

Work = Callable[[], object]
Clock = Callable[[], float]

thread_clock: Clock = time.thread_time
"""CPU time of this thread: what one core does, whoever else is at work."""
process_clock: Clock = time.process_time
"""CPU time of all threads of this process, for code that starts some."""


@dataclass(frozen=True)
class Effort:
    """How long to measure: rounds whose median counts, and seconds for all of them."""

    rounds: int = 9
    seconds: float = 2.0


def times(works: Sequence[Work], effort: Effort, clock: Clock = thread_clock) -> list[float]:
    """Median CPU seconds of a call of each of several works.

    They take turns, so that whatever slows the machine down slows all of them. A call is repeated within a round as
    often as its share of the time allows, once at least; the first call, which may compile, does not count.
    """
    repeats = []
    for work in works:
        work()
        begun = clock()
        work()
        share = effort.seconds / effort.rounds / len(works)
        repeats.append(max(1, int(share / max(clock() - begun, 1e-9))))
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(effort.rounds):
        for work, often, seconds in zip(works, repeats, taken, strict=True):
            begun = clock()
            for _ in range(often):
                work()
            seconds.append((clock() - begun) / often)
    return [max(median(seconds), 1e-9) for seconds in taken]
