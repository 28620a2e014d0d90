"""The rows of an audit: one for each recorded figure that differs from the score."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from ofclab.log.reasons import Reason
from ofclab.log.recorded import Recorded
from ofclab.log.schema import Utc

AUDIT = pl.Schema(
    {
        "hand_id": pl.UInt64(),
        "site_hand_id": pl.String(),
        "source_file": pl.String(),
        "source_line": pl.UInt32(),
        "played_at": Utc,
        "seat": pl.UInt8(),
        "player": pl.String(),
        "measure": pl.String(),
        "recorded": pl.Int64(),
        "recomputed": pl.Int64(),
        "difference": pl.Int64(),
        "reason": pl.String(),
        "explanation": pl.String(),
        "settings": pl.String(),
        "explains": pl.Int64(),
        "alternatives": pl.String(),
    }
)
"""A row per hand, seat and measure that differ. ``measure``: points, royalties, foul (1, 0), next_fantasyland (cards),
chips; ``difference``: recorded less recomputed; ``reason``: what kind of change would make the recorded figure true,
``explanation`` the change in words, ``settings`` as parameters; ``explains``: hands of the log that change explains;
``alternatives``: other changes that would."""


def row(
    group: Recorded, hand: int, seat: int, measure: str, told: int, now: int, found: Sequence[Reason]
) -> dict[str, object]:
    """The row of one figure, with its reasons, the likeliest first."""
    about = group.hands.row(hand, named=True)
    who = group.seats.row(hand * group.n_seats + seat, named=True)
    best, *others = found
    return {
        **{name: about[name] for name in ("hand_id", "site_hand_id", "source_file", "source_line", "played_at")},
        "seat": who["seat"],
        "player": who["player"],
        "measure": measure,
        "recorded": told,
        "recomputed": now,
        "difference": told - now,
        "reason": best.kind,
        "explanation": best.words,
        "settings": best.settings or None,
        "explains": best.explains,
        "alternatives": "; or ".join(f"{one.kind}: {one.words}" for one in others[:3]) or None,
    }
