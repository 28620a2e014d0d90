"""How deep a review looks, and from what loss on a placement is called a mistake."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ofclab.rules import Rules
from ofclab.strategies import default_strategy


class ReviewError(ValueError):
    """A review that cannot be made; the message says what is wrong and what there is to choose from."""


@dataclass(frozen=True)
class Level:
    """Sampled futures of a decision that is not exact: numbers, not seconds, so that every machine finds the same.

    ``look``: samples of the quick look at all placements; ``wide``: placements that pass it; ``screen``: roll-outs of
    each of these, which leave ``finalists``; ``choose``: roll-outs of these and of the placement played, which tell
    the best; ``first``: others, which tell what the one played loses; ``second``: as many in all where these leave the
    verdict open; ``boards``: what an opponent may end with, in each of
    ``groups`` groups, or ``summed`` groups where the rest of the hand is summed for each of them.
    """

    name: str
    look: int
    wide: int
    screen: int
    finalists: int
    choose: int
    first: int
    second: int
    groups: int
    summed: int
    boards: int

    def __post_init__(self) -> None:
        if min(self.look, self.screen, self.choose) < 1 or self.finalists < 2 or self.wide < self.finalists:
            raise ReviewError(f"want look, screen and choose of at least 1, and 2 <= finalists <= wide; got {self}")
        if not 2 <= self.first <= self.second or self.groups < 1 or self.summed < 4 or not 1 <= self.boards <= 64:
            raise ReviewError(
                f"want 2 <= first <= second, at least 1 group and 4 summed ones, 1 to 64 boards; got {self}"
            )


LEVELS: Final[Mapping[str, Level]] = MappingProxyType(
    {
        "quick": Level("quick", 24, 8, 8, finalists=2, choose=24, first=24, second=64, groups=4, summed=12, boards=12),
        "standard": Level("standard", 64, 12, 24, finalists=3, choose=96, first=96, second=384, groups=8, summed=24,
                          boards=24),
        "deep": Level("deep", 128, 16, 64, finalists=4, choose=384, first=384, second=3072, groups=16, summed=64,
                      boards=48),
    }
)  # fmt: skip
"""The levels by name, the quickest first."""


@dataclass(frozen=True)
class Thresholds:
    """From which loss on a placement is what, in points.

    The placement that is valued best is ``best``. Any other is ``too close to call`` when it loses no more than
    ``errors`` standard errors, or less than ``close`` points, for the values themselves are no better than that; else
    an ``inaccuracy``, from ``mistake`` points on a ``mistake``, from ``blunder`` on a ``blunder``. A spot is tricky
    when the best placement is worth ``gap`` more than the second best and ``spread`` more than the middling one.
    """

    errors: float = 2.0
    close: float = 0.05
    mistake: float = 0.5
    blunder: float = 1.0
    gap: float = 0.25
    spread: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.close <= self.mistake <= self.blunder or min(self.errors, self.gap, self.spread) < 0:
            raise ReviewError(f"want thresholds of 0 <= close <= mistake <= blunder, none below 0; got {self}")

    def __str__(self) -> str:
        return (
            f"too close to call: within {self.errors:g} standard errors or under {self.close:g} points; inaccuracy: "
            f"under {self.mistake:g} points; mistake: from {self.mistake:g}; blunder: from {self.blunder:g}. Tricky: "
            f"best {self.gap:g} points above the second and {self.spread:g} above the middling placement"
        )


VERDICTS: Final = ("best", "too close to call", "inaccuracy", "mistake", "blunder")
"""From the best placement to the worst."""


def find_level(level: str | Level) -> Level:
    """A level by its name, or as it is."""
    if isinstance(level, Level):
        return level
    if level not in LEVELS:
        raise ReviewError(f"no level {level!r}; have {', '.join(LEVELS)}")
    return LEVELS[level]


def default_policy(rules: Rules | None) -> str:
    """The strategy that carries on sampled streets when none is named; rules None: there is nothing to play."""
    return "hindsight" if rules is None else default_strategy(rules)
