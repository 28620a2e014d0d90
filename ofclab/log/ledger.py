"""One ledger of a log: sessions of score sheets, and hands added up by table, player against player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import polars as pl

from ofclab.log.errors import LogError
from ofclab.log.schema import Utc
from ofclab.rules import Rules

if TYPE_CHECKING:
    from ofclab.log.scan import Log

Points = Literal["recorded", "scored"]

ENTRIES = pl.Schema(
    {
        "session": pl.String(),
        "source": pl.String(),
        "site": pl.String(),
        "played_at": Utc,
        "player": pl.String(),
        "opponent": pl.String(),
        "hands": pl.Int64(),
        "together": pl.Int64(),
        "points": pl.Int64(),
        "net_minor": pl.Int64(),
        "currency": pl.String(),
        "note": pl.String(),
    }
)
"""A row per session, player and opponent. ``source``: sheet or hands; ``opponent`` null: won from everybody at the
table, where nobody knows from whom; ``hands``: hands of the player in the session, the same in each of his rows, null
where the sheet does not count them; ``together``: hands with this opponent; ``points`` and ``net_minor`` (money in
minor units of ``currency``; chips where a room plays for chips) add up over a session's rows."""

CHIPS = "chips"
"""The currency of stacks that name none."""


def entries(log: Log, points: Points = "recorded", rules: Rules | str | None = None) -> pl.LazyFrame:
    """The ledger of a log: its score sheets' sessions, and its hands added up by table. Columns: `ENTRIES`.

    ``points``: ``recorded`` takes what the source recorded where it recorded anything, because that is what was paid,
    else the score under ``rules`` (by default as played); ``scored`` takes scores only. Money is what the stacks say,
    else points times the point's value where that is known. Two players' hands are known pair by pair; with more the
    pairs are known where the points are those of the score. Hands without names and unfinished hands are not in it. A
    hand that no table holds together belongs to its file's day. Hands of one player against himself count for nothing.
    Raises LogError for other ``points``.
    """
    if points not in ("recorded", "scored"):
        raise LogError(f"no points {points!r}; have recorded, scored")
    return pl.concat([_of_sheets(log), _of_hands(log, points, rules)])


def _of_sheets(log: Log) -> pl.LazyFrame:
    rows = log.ledger
    key = ["session_id", "player"]
    return rows.select(
        session=pl.col("session_id").cast(pl.String),
        source=pl.lit("sheet"),
        site="site",
        played_at="played_at",
        player="player",
        opponent="opponent",
        hands=pl.col("hands").cast(pl.Int64).max().over(key),
        together=pl.when(pl.col("opponent").is_not_null()).then(pl.col("hands").cast(pl.Int64)),
        points="points",
        net_minor="net_minor",
        currency=pl.when(pl.col("net_minor").is_not_null()).then(pl.col("currency").fill_null(CHIPS)),
        note="note",
    )


def _of_hands(log: Log, points: Points, rules: Rules | str | None) -> pl.LazyFrame:
    chosen = pl.coalesce("points_recorded", "points") if points == "recorded" else pl.col("points")
    day = pl.concat_str(
        pl.col("source_file").fill_null(""), pl.col("played_at").dt.date().cast(pl.String).fill_null(""), separator=" "
    )
    alone = (pl.col("table_id") == pl.col("hand_id")) & pl.col("seed_key").is_null()
    seats = (
        log.results(rules)
        .filter(pl.col("completeness") != "unfinished")
        .select(
            "hand_id", "seat", "player", "n_seats", "site", "played_at", "table_id", "currency", "point_value_minor",
            "stack_before", "stack_after", scored=pl.col("points").cast(pl.Int64), won=chosen.cast(pl.Int64),
        )
        .join(log.hands.select("hand_id", "source_file", "seed_key"), on="hand_id", how="left")
        .with_columns(
            session=pl.when(alone).then(day).otherwise(pl.col("table_id").cast(pl.String)),
            named=pl.col("player").is_not_null().any().over("hand_id"),
            # Whose points are those of the score: then the pairs are, too.
            exact=(pl.col("won") == pl.col("scored")).fill_null(False).all().over("hand_id"),
            paid=(pl.col("stack_after") - pl.col("stack_before")),
        )
        .filter("named", pl.col("won").is_not_null())
        .with_columns(player=pl.col("player").fill_null(UNKNOWN))
        .with_columns(hands=pl.col("hand_id").n_unique().over("session", "player").cast(pl.Int64))
    )  # fmt: skip
    money = pl.coalesce("paid", pl.col("won") * pl.col("point_value_minor"))
    others = seats.select("hand_id", "n_seats", opponent="player", other="seat")
    both = (
        seats.filter(pl.col("n_seats") == 2)
        .join(others, on="hand_id")
        .filter(pl.col("seat") != pl.col("other"))
        .select(*_KEYS, "opponent", "hand_id", "hands", won=pl.col("won"), money=money)
    )
    pairs = log.pair_scores(rules).select("hand_id", "seat", other="opponent", total=pl.col("total").cast(pl.Int64))
    several = seats.filter((pl.col("n_seats") > 2) & pl.col("exact"))
    # Chips that moved between three are known by player, not by pair.
    worth = pl.when(pl.col("paid").is_null()).then(pl.col("total") * pl.col("point_value_minor"))
    by_pair = (
        several.join(pairs, on=["hand_id", "seat"])
        .join(others.drop("n_seats"), on=["hand_id", "other"])
        .select(*_KEYS, "opponent", "hand_id", "hands", won=pl.col("total"), money=worth)
    )
    nobody = pl.lit(None, pl.String).alias("opponent")
    chips = several.filter(pl.col("paid").is_not_null()).select(
        *_KEYS, nobody, "hand_id", "hands", won=pl.lit(None, pl.Int64), money=pl.col("paid")
    )
    rest = seats.filter((pl.col("n_seats") == 1) | (pl.col("n_seats") > 2) & ~pl.col("exact")).select(
        *_KEYS, nobody, "hand_id", "hands", won=pl.col("won"), money=money
    )
    return (
        pl.concat([both, by_pair, chips, rest])
        .filter(pl.col("opponent").is_null() | (pl.col("opponent") != pl.col("player")))
        .with_columns(currency=pl.when(pl.col("money").is_not_null()).then(pl.col("currency").fill_null(CHIPS)))
        .group_by("session", "site", "currency", "player", "opponent")
        .agg(
            played_at=pl.col("played_at").min(),
            hands=pl.col("hands").max(),
            together=pl.col("hand_id").n_unique().cast(pl.Int64),
            points=pl.when(pl.col("won").is_not_null().any()).then(pl.col("won").sum()),
            net_minor=pl.when(pl.col("money").is_not_null().any()).then(pl.col("money").sum()),
        )
        .select(
            "session", pl.lit("hands").alias("source"), "site", "played_at", "player", "opponent", "hands",
            pl.when(pl.col("opponent").is_not_null()).then("together").alias("together"), "points", "net_minor",
            "currency", pl.lit(None, pl.String).alias("note"),
        )
        .sort("session", "player", "opponent")
    )  # fmt: skip


UNKNOWN = "unknown"
"""How the ledger calls a player whose name the source does not tell, at a table with names."""
_KEYS = ("session", "site", "played_at", "player", "currency")
