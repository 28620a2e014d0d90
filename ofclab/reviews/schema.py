"""What is kept of a reviewed decision, and what a review adds to it."""

from __future__ import annotations

import polars as pl

from ofclab.log.schema import HANDS, SCORES, SEATS
from ofclab.reviews.levels import VERDICTS
from ofclab.reviews.mistakes import DESTINATIONS, HAND_CLASSES

EVALUATIONS = pl.Schema(
    {
        "hand_id": pl.UInt64(),
        "seat": pl.UInt8(),
        "street": pl.UInt8(),
        "fl_cards": pl.UInt8(),
        "facts": pl.UInt64(),
        "board": pl.String(),
        "dealt": pl.String(),
        "played": pl.String(),
        "best": pl.String(),
        "is_best": pl.Boolean(),
        "ev_played": pl.Float64(),
        "ev_loss": pl.Float64(),
        "se": pl.Float64(),
        "gap": pl.Float64(),
        "spread": pl.Float64(),
        "foul_played": pl.Float64(),
        "foul_best": pl.Float64(),
        "fantasyland_played": pl.Float64(),
        "fantasyland_best": pl.Float64(),
        "exact": pl.Boolean(),
        "n_placements": pl.UInt16(),
        "samples": pl.UInt32(),
        "row": pl.Enum(DESTINATIONS),
        "best_row": pl.Enum(DESTINATIONS),
        "broken": pl.Enum(HAND_CLASSES),
    }
)
"""A row per reviewed decision, as a log keeps it; nothing here depends on thresholds. ``facts``: what the hand was when
it was reviewed (`ofclab.reviews.spots.facts_of`)."""

DECISIONS = pl.Schema(
    {
        "table_id": HANDS["table_id"],
        "hand_no": HANDS["hand_no"],
        "hand_id": EVALUATIONS["hand_id"],
        "seat": EVALUATIONS["seat"],
        "street": EVALUATIONS["street"],
        "player": SEATS["player"],
        "strategy": SEATS["strategy"],
        "position": SEATS["position"],
        "n_seats": HANDS["n_seats"],
        "ruleset_id": HANDS["ruleset_id"],
        "fl_cards": EVALUATIONS["fl_cards"],
        "board": pl.String(),
        "dealt": pl.String(),
        "played": pl.String(),
        "best": pl.String(),
        "ev_played": pl.Float64(),
        "ev_best": pl.Float64(),
        "ev_loss": pl.Float64(),
        "se": pl.Float64(),
        "verdict": pl.Enum(VERDICTS),
        "foul_played": pl.Float64(),
        "foul_best": pl.Float64(),
        "fantasyland_played": pl.Float64(),
        "fantasyland_best": pl.Float64(),
        "exact": pl.Boolean(),
        "n_placements": pl.UInt16(),
        "samples": pl.UInt32(),
        "tricky": pl.Boolean(),
        "gap": pl.Float64(),
        "spread": pl.Float64(),
        "row": EVALUATIONS["row"],
        "best_row": EVALUATIONS["best_row"],
        "broken": EVALUATIONS["broken"],
        "points": SCORES["points"],
        "next_fl": SCORES["next_fl"],
        "worth": pl.Float64(),
    }
)
"""A row per decision of a review. ``worth``: points of the hand with Fantasyland at its value: points won, plus the
value of the Fantasyland earned, less the value of the one played (null where the hand cannot be scored)."""
