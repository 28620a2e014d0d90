"""What sessions brought: totals by player, who won what from whom, how it went over time.

All take the entries of a ledger (`ofclab.log.entries`: a row per session, player and opponent) and give a LazyFrame.
Money is never added up over currencies, and never exchanged.
"""

from collections.abc import Sequence

import polars as pl

Entries = pl.LazyFrame | pl.DataFrame
"""The entries of a ledger, lazy or not."""


def _total(name: str) -> pl.Expr:
    """A sum that is null where nothing is known."""
    return pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).sum()).alias(name)


def session_totals(entries: Entries) -> pl.LazyFrame:
    """What each player won in each session.

    Columns: session, source, site, played_at, player, hands, points, net_minor, currency. A row per
    session and player, by date; two where a session was paid in two currencies, the points in the first.
    The nets of a session cancel, unless its source kept one player's results only.
    """
    keys = ["session", "source", "site", "player"]
    by_money = (
        entries.lazy()
        .group_by([*keys, "currency"])
        .agg(pl.col("played_at").min(), pl.col("hands").max(), _total("points"), _total("net_minor"))
    )
    paid = by_money.filter(pl.col("currency").is_not_null())
    bare = by_money.filter(pl.col("currency").is_null())
    # Points without money join the money of the same session and player, where there is some.
    first = pl.int_range(pl.len()).over([*keys]) == 0
    joined = (
        paid.sort("currency").with_columns(_first=first).join(bare, on=keys, how="full", suffix="_bare", coalesce=True)
    )
    extra = pl.when(pl.col("_first").fill_null(True)).then("points_bare")
    return joined.select(
        "session", "source", "site", pl.min_horizontal("played_at", "played_at_bare").alias("played_at"), "player",
        pl.max_horizontal("hands", "hands_bare").alias("hands"),
        _either("points", extra),
        "net_minor", "currency",
    ).sort("played_at", "session", "player", "currency", nulls_last=True)  # fmt: skip


def _either(name: str, other: pl.Expr) -> pl.Expr:
    known = pl.col(name).is_not_null() | other.is_not_null()
    return pl.when(known).then(pl.col(name).fill_null(0) + other.fill_null(0)).alias(name)


def pair_nets(entries: Entries, by: Sequence[str] | str = ()) -> pl.LazyFrame:
    """Who won what from whom: player, opponent, currency, sessions, together (hands), points, net_minor.

    Both directions of a pair have a row, and cancel exactly. Only what is known pair by pair: of tables of three whose
    sheet keeps totals nobody knows who paid whom. ``by``: columns of the entries to keep apart, such as ``site``.
    """
    groups = [by] if isinstance(by, str) else list(by)
    return (
        entries.lazy()
        .filter(pl.col("opponent").is_not_null())
        .group_by([*groups, "player", "opponent", "currency"])
        .agg(
            pl.col("session").n_unique().cast(pl.Int64).alias("sessions"),
            _total("together"),
            _total("points"),
            _total("net_minor"),
        )
        .sort([*groups, "player", "opponent", "currency"], nulls_last=True)
    )


def money_totals(entries: Entries) -> pl.LazyFrame:
    """What each player has won in each currency: player, currency, sessions, net_minor. Feeds `settle_up`."""
    return (
        entries.lazy()
        .filter(pl.col("net_minor").is_not_null())
        .group_by("player", "currency")
        .agg(pl.col("session").n_unique().cast(pl.Int64).alias("sessions"), pl.col("net_minor").sum())
        .sort("currency", "player")
    )


def running_points(entries: Entries) -> pl.LazyFrame:
    """How each player's points added up, session after session: player, played_at, session, points, total.

    Sessions without a date come first, in the order of their names.
    """
    by_session = entries.lazy().group_by("player", "session").agg(pl.col("played_at").min(), _total("points"))
    ordered = by_session.drop_nulls("points").sort("player", "played_at", "session")
    return ordered.select(
        "player", "played_at", "session", "points", pl.col("points").cum_sum().over("player").alias("total")
    )
