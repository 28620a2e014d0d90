"""How much the hands of a log know, and what they can be used for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from ofclab.log.schema import Completeness, CompletenessEnum

if TYPE_CHECKING:
    from ofclab.log.scan import Log


class Uses(NamedTuple):
    """What hands of one completeness feed, and in words."""

    ledger: bool
    rescoring: bool
    replay: bool
    review: bool
    words: str


WHAT_IT_FEEDS = {
    Completeness.FULL: Uses(True, True, True, True, "everything: can be scored, replayed and reviewed"),
    Completeness.OWN_DISCARDS: Uses(
        True, True, True, True,
        "all boards, discards of the observer only: can be scored, the observer's play reviewed",
    ),
    Completeness.FINAL_BOARDS: Uses(
        True, True, False, False, "final boards, no order of the deal: can be scored, not replayed or reviewed"
    ),
    Completeness.FINAL_CARDS_NO_ROWS: Uses(False, False, False, False, "cards without rows: cannot be scored"),
    Completeness.UNATTRIBUTED_ROWS: Uses(False, False, False, False, "rows without owners: cannot be scored"),
    Completeness.SCORE_ONLY: Uses(True, False, False, False, "points without cards: points only, for the ledger"),
    Completeness.UNFINISHED: Uses(
        False, False, False, False, "not played to the end in the source: cannot be scored"
    ),
}  # fmt: skip
"""By completeness. Hands that cannot be scored feed the ledger all the same where the source recorded their points."""


def completeness(log: Log) -> pl.DataFrame:
    """A row per completeness found in a log: hands, recorded points among them, and what they feed.

    Columns: ``completeness``; ``hands`` and ``sessions`` (sessions of score sheets are ``score_only``); ``recorded``
    hands whose source recorded points for a seat; ``ledger``, ``rescoring``, ``replay``, ``review`` whether such hands
    feed them (the ledger takes recorded points of any hand); ``words`` the same as a sentence.
    """
    recorded = log.seats.group_by("hand_id").agg(pl.col("points_recorded").is_not_null().any())
    hands = (
        log.hands.select("hand_id", "completeness")
        .join(recorded, on="hand_id", how="left")
        .group_by("completeness")
        .agg(hands=pl.len().cast(pl.Int64), recorded=pl.col("points_recorded").sum().cast(pl.Int64))
        .collect()
    )
    sessions = int(log.ledger.select(pl.col("session_id").n_unique()).collect().item())
    counted = {row["completeness"]: row for row in hands.iter_rows(named=True)}
    rows = []
    for word, uses in WHAT_IT_FEEDS.items():
        found = counted.get(word.value, {"hands": 0, "recorded": 0})
        held = sessions if word is Completeness.SCORE_ONLY else 0
        if found["hands"] or held:
            feeds = uses._replace(ledger=uses.ledger or found["recorded"] > 0)._asdict()
            rows.append({"completeness": word.value, "hands": found["hands"], "sessions": held,
                         "recorded": found["recorded"], **feeds})  # fmt: skip
    schema: dict[str, pl.DataType | type[pl.DataType]] = {
        "completeness": CompletenessEnum, "hands": pl.Int64, "sessions": pl.Int64, "recorded": pl.Int64,
        **dict.fromkeys(("ledger", "rescoring", "replay", "review"), pl.Boolean), "words": pl.String,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema)
