"""What the search for the rules of a log hands back."""

from __future__ import annotations

import html
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.rules import Rules

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Candidate:
    """One ruleset: the preset it starts from, what it changes there, and the hands it explains, bool (n,)."""

    rules: Rules
    preset: str
    explained: Bools
    size: int = 0
    words: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """Hands explained."""
        return int(self.explained.sum())

    @property
    def name(self) -> str:
        """The preset and its changes in words."""
        return f"{self.preset}: {'; '.join(self.words)}" if self.words else self.preset


@dataclass(frozen=True, eq=False)
class InferredRules:
    """The rules that explain most of what was recorded with the fewest changes from a preset.

    ``hands``: hands with a record; ``explained``: of these, whose every recorded figure is the score under ``rules``;
    ``table``: the best candidates (rules, preset, changes, size, explained, share); ``ties``: single changes of
    ``rules`` that explain the very same hands, so that the log cannot tell them apart; ``segments``: stretches of the
    log played under different rules, one where they never change (first and last hand, time, files, rules, hands,
    explained), with their rules in ``segment_rules``.
    """

    rules: Rules
    preset: str
    changes: tuple[str, ...]
    hands: int
    explained: int
    table: pl.DataFrame
    ties: pl.DataFrame
    segments: pl.DataFrame
    segment_rules: tuple[Rules, ...] = field(default=(), repr=False)

    @property
    def drifts(self) -> bool:
        """Whether the rules change inside the log."""
        return self.segments.height > 1

    def __repr__(self) -> str:
        said = "; ".join(self.changes) or "as it stands"
        lines = [f"<InferredRules: {self.preset}, {said}: explains {self.explained} of {self.hands} hands>"]
        if self.drifts:
            lines.append("  the rules change inside the log:")
            for row in self.segments.iter_rows(named=True):
                lines.append(f"    {row['hands']} hands from {row['first_at'] or row['first_hand']}: {row['rules']}")
        if self.ties.height:
            lines.append(f"  cannot be told apart by this log: {self.ties.height} other settings, see .ties")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>{self.table._repr_html_()}"
