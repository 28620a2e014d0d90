"""The tables of a hand log, schema version 1: column names, types and the words they may hold."""

from __future__ import annotations

from enum import StrEnum

import polars as pl

from ofclab.kernels.tables import CATEGORIES

SCHEMA_VERSION = "1.0"
"""Written into every manifest; readers refuse another major version."""
ROW_GROUP = 131_072
"""Rows of a Parquet row group: fixed, so that bytes do not depend on who writes."""


class Completeness(StrEnum):
    """How much of a hand the source knows."""

    FULL = "full"
    """Every card of everyone, in deal order."""
    OWN_DISCARDS = "own_discards"
    """All rows, and the discards of the observer only."""
    FINAL_BOARDS = "final_boards"
    """All rows, no deal order and no discards."""
    FINAL_CARDS_NO_ROWS = "final_cards_no_rows"
    """Thirteen cards a seat, rows unknown."""
    UNATTRIBUTED_ROWS = "unattributed_rows"
    """Rows whose owners are unknown."""
    SCORE_ONLY = "score_only"
    """Points without cards."""
    UNFINISHED = "unfinished"
    """The source stops before the showdown."""


SCORABLE = (Completeness.FULL, Completeness.OWN_DISCARDS, Completeness.FINAL_BOARDS)
"""Hands with every row of everyone: these can be scored."""

LOW_CLASSES = ("no_low", "T-low", "9-low", "8-low", "7-low", "75432")
ROW_CLASSES = LOW_CLASSES + CATEGORIES
"""What a row can be, weakest first within each ranking: 2-7 lows, then high hands."""
EARNED_BY = (
    "QQ", "KK", "AA", "trips", "other_pair", "low_wheel", "both", "stay_front", "stay_middle", "stay_back",
)  # fmt: skip
"""What earned the next hand's Fantasyland: seven entries, then the stays by the first row that qualifies."""

CARD_COLUMNS = tuple(f"c{i:02d}" for i in range(17))

CompletenessEnum = pl.Enum([word.value for word in Completeness])
RowClass = pl.Enum(ROW_CLASSES)
EarnedBy = pl.Enum(EARNED_BY)
Utc = pl.Datetime("us", "UTC")

HANDS = pl.Schema(
    {
        "hand_id": pl.UInt64(),
        "table_id": pl.UInt64(),
        "hand_no": pl.UInt32(),
        "match_id": pl.UInt64(),
        "button": pl.UInt8(),
        "n_seats": pl.UInt8(),
        "ruleset_id": pl.String(),
        "seed_key": pl.String(),
        "site": pl.String(),
        "site_hand_id": pl.String(),
        "source_file": pl.String(),
        "source_line": pl.UInt32(),
        "played_at": Utc,
        "point_value_minor": pl.Int64(),
        "currency": pl.String(),
        "completeness": CompletenessEnum,
        "observer_seats": pl.UInt8(),
        "warnings": pl.String(),
    }
)
"""A row per hand. ``observer_seats``: bit s set = seat s saw its own cards as the source tells them (null: the source
sees everything); ``warnings``: what an importer noticed, one a line."""

SEATS = pl.Schema(
    {
        "hand_id": pl.UInt64(),
        "seat": pl.UInt8(),
        "player": pl.String(),
        "strategy": pl.String(),
        "announced": pl.Boolean(),
        "position": pl.UInt8(),
        "fl_cards": pl.UInt8(),
        **dict.fromkeys(CARD_COLUMNS, pl.UInt8()),
        "placement": pl.UInt64(),
        "discards_known": pl.Boolean(),
        "stack_before": pl.Int64(),
        "stack_after": pl.Int64(),
        "points_recorded": pl.Int32(),
        "royalties_recorded": pl.Int32(),
        "foul_recorded": pl.Boolean(),
        "next_fl_recorded": pl.UInt8(),
    }
)
"""A row per hand and seat. ``c00``..``c16``: card ids in deal order, 255 = unseen or not dealt; ``placement``: 3 bits a
card in the same order: 0 front, 1 middle, 2 back, 3 discarded, 4 dealt but not placed, 5 row unknown, 7 no card."""

ACTS = pl.Schema(
    {
        "hand_id": pl.UInt64(),
        "act": pl.UInt16(),
        "seat": pl.UInt8(),
        "street": pl.UInt8(),
        "seconds": pl.Float32(),
        "auto": pl.Boolean(),
    }
)
"""A row per placement act, where the source knows more: its place in the hand's order, seconds, placed by the room."""

SCORES = pl.Schema(
    {
        "hand_id": pl.UInt64(),
        "seat": pl.UInt8(),
        "fouled": pl.Boolean(),
        "front_class": RowClass,
        "middle_class": RowClass,
        "back_class": RowClass,
        "front_code": pl.UInt16(),
        "middle_code": pl.UInt16(),
        "back_code": pl.UInt16(),
        "royalty_front": pl.Int16(),
        "royalty_middle": pl.Int16(),
        "royalty_back": pl.Int16(),
        "points": pl.Int16(),
        "settled": pl.Int64(),
        "next_fl": pl.UInt8(),
        "earned_by": EarnedBy,
        "rows_won": pl.UInt8(),
        "rows_tied": pl.UInt8(),
        "rows_lost": pl.UInt8(),
        "scoops_made": pl.UInt8(),
        "scoops_suffered": pl.UInt8(),
        "agrees_with_recorded": pl.Boolean(),
    }
)
"""A row per hand and seat, computed: all null after ``seat`` where the hand cannot be scored. ``rows_*`` and
``scoops_*`` count over all opponents; a scoop is three rows won by a legal board from a legal board."""

FOUL_STREETS = pl.Schema({"hand_id": pl.UInt64(), "seat": pl.UInt8(), "foul_street": pl.UInt8()})
"""A row per hand and seat, computed when it is asked for: the street from which a foul was certain, null for a legal
board, a Fantasyland hand, and where the order of the deal is not known."""

PAIR_SCORES = pl.Schema(
    {
        "hand_id": pl.UInt64(),
        "seat": pl.UInt8(),
        "opponent": pl.UInt8(),
        "row_front": pl.Int8(),
        "row_middle": pl.Int8(),
        "row_back": pl.Int8(),
        "base": pl.Int16(),
        "royalties": pl.Int16(),
        "total": pl.Int16(),
    }
)
"""A row per hand, seat and opponent, computed, scorable hands only: what ``seat`` won from ``opponent`` in points."""

LEDGER = pl.Schema(
    {
        "session_id": pl.UInt64(),
        "player": pl.String(),
        "opponent": pl.String(),
        "site": pl.String(),
        "source_file": pl.String(),
        "source_line": pl.UInt32(),
        "played_at": Utc,
        "hands": pl.UInt32(),
        "points": pl.Int64(),
        "net_minor": pl.Int64(),
        "point_value_minor": pl.Int64(),
        "currency": pl.String(),
        "note": pl.String(),
    }
)
"""A row per session and player known only by their totals: points, and money won or lost in minor units. Where the
source says who won it from whom, a row per session, player and ``opponent`` (null: from everybody at the table)."""

TABLES = {
    "hands": HANDS,
    "seats": SEATS,
    "acts": ACTS,
    "scores": SCORES,
    "foul_streets": FOUL_STREETS,
    "pair_scores": PAIR_SCORES,
    "ledger": LEDGER,
}
REQUIRED = {
    "hands": ("hand_id", "table_id", "hand_no", "n_seats", "ruleset_id", "completeness"),
    "seats": ("hand_id", "seat", "fl_cards", *CARD_COLUMNS, "placement", "discards_known"),
    "acts": ("hand_id", "act", "seat"),
    "scores": ("hand_id", "seat"),
    "foul_streets": ("hand_id", "seat"),
    "pair_scores": ("hand_id", "seat", "opponent"),
    "ledger": ("session_id", "player"),
}
"""Columns that may not be null."""

HAND_COLUMNS = (
    "table_id", "hand_no", "match_id", "button", "n_seats", "site", "played_at", "completeness", "point_value_minor",
    "currency",
)  # fmt: skip
"""What a results frame takes from the hands table."""
RESULTS = pl.Schema(
    {
        **SEATS,
        **{name: HANDS[name] for name in HAND_COLUMNS},
        "ruleset": pl.String(),
        "ruleset_id": pl.String(),
        "fouled": SCORES["fouled"],
        "foul_street": FOUL_STREETS["foul_street"],
        **{name: dtype for name, dtype in SCORES.items() if name not in ("hand_id", "seat")},
    }
)
"""A row per hand and seat: facts, the hand they belong to, and the score under one ruleset."""
