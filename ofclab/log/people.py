"""Who plays in a log: every pseudonym, which of them are one person, and which is the reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import polars as pl

from ofclab.log.edit import Edit
from ofclab.log.errors import LogError
from ofclab.log.manifest import MANIFEST, manifest_bytes, read_manifest

if TYPE_CHECKING:
    from ofclab.log.scan import Log

ME = "me"
"""How score sheets' keeper is called until `set_me` says who he is."""

PLAYERS = pl.Schema(
    {
        "player": pl.String(),
        "me": pl.Boolean(),
        "aliases": pl.String(),
        "hands": pl.Int64(),
        "sessions": pl.Int64(),
        "first": pl.Datetime("us", "UTC"),
        "last": pl.Datetime("us", "UTC"),
    }
)
"""A row per player: hands in the log, sessions known by their totals, when first and last seen, merged pseudonyms."""


def aliases_of(log: Log) -> Mapping[str, str]:
    """Pseudonyms that stand for another player of the log."""
    found: Mapping[str, str] = log.manifest.get("aliases", {})
    return found


def players(log: Log) -> pl.DataFrame:
    """Everybody who plays in a log, most hands first. Columns: `PLAYERS`."""
    hands = log.hands.select("hand_id", "played_at")
    seats = log.seats.filter(pl.col("player").is_not_null()).join(hands, on="hand_id")
    known = pl.concat(
        [
            seats.select("player", "played_at", hands=pl.lit(1), session=pl.lit(None, pl.UInt64)),
            log.ledger.select("player", "played_at", hands=pl.lit(0), session=pl.col("session_id")),
        ],
        how="vertical_relaxed",
    )
    counted = known.group_by("player").agg(
        hands=pl.col("hands").sum(),
        sessions=pl.col("session").drop_nulls().n_unique(),
        first=pl.col("played_at").min(),
        last=pl.col("played_at").max(),
    )
    merged: dict[str, list[str]] = {}
    for alias, player in aliases_of(log).items():
        merged.setdefault(player, []).append(alias)
    names = {player: ", ".join(sorted(others)) for player, others in merged.items()}
    me = log.me or ME
    return (
        counted.with_columns(
            me=pl.col("player") == me,
            aliases=pl.col("player").replace_strict(names, default=None, return_dtype=pl.String),
        )
        .select(pl.col(name).cast(dtype) for name, dtype in PLAYERS.items())
        .sort("hands", "sessions", "player", descending=[True, True, False])
        .collect()
    )


def merge_players(log: Log, player: str, into: str) -> None:
    """Take two pseudonyms of a log for one person: ``player`` is called ``into`` from now on.

    Nothing is rewritten: the manifest says it, and every frame follows; see `part_players` for the way back. Raises
    LogError for a pseudonym the log does not know, and for two who sat in one hand or session.
    """
    _want(log, player)
    _want(log, into)
    if player == into:
        raise LogError(f"{player!r} is {into!r} already")
    _refuse_together(log, player, into)
    known = {alias: into if target == player else target for alias, target in aliases_of(log).items()}
    changes: dict[str, object] = {"aliases": {**known, player: into}}
    if log.me == player:
        changes["me"] = into
    _write(log, changes)


def part_players(log: Log, alias: str) -> None:
    """Take back a merge: ``alias`` is a player of its own again. Raises LogError when it is merged with nobody."""
    known = dict(aliases_of(log))
    if alias not in known:
        raise LogError(f"{alias!r} is merged with nobody; merged: {', '.join(sorted(known)) or 'nobody'}")
    del known[alias]
    _write(log, {"aliases": known})


def set_me(log: Log, player: str | None) -> None:
    """Say which player of a log its reader is; None takes it back.

    Sessions of score sheets, whose keeper is called ``me``, are this player's from then on. Raises LogError for a
    pseudonym the log does not know, and when ``me`` has played against him.
    """
    if player is None:
        _write(log, {"me": None})
        return
    _want(log, player)
    known = dict(aliases_of(log))
    names = set(log.players["player"].to_list())
    if player != ME and ME in names:
        _refuse_together(log, ME, player)
        known = {alias: player if target == ME else target for alias, target in known.items()} | {ME: player}
    _write(log, {"me": player, "aliases": known})


def _want(log: Log, player: str) -> None:
    known = log.players["player"].to_list()
    if player not in known:
        if (target := aliases_of(log).get(player)) is not None:
            raise LogError(f"{player!r} is merged into {target!r}")
        raise LogError(f"no player {player!r} in {log.path}; have {', '.join(known[:12])}")


def _refuse_together(log: Log, one: str, other: str) -> None:
    for frame, key in ((log.seats, "hand_id"), (log.ledger, "session_id")):
        both = frame.filter(pl.col("player").is_in([one, other])).group_by(key).agg(pl.col("player").n_unique())
        shared = both.filter(pl.col("player") == 2).head(1).collect()
        if shared.height:
            what = key.removesuffix("_id")
            raise LogError(f"{one!r} and {other!r} both play in {what} {shared[key][0]}: they are two people")


def _write(log: Log, changes: Mapping[str, object]) -> None:
    manifest = {**(read_manifest(log.store) or log.manifest), **changes}
    edit = Edit(log.store)
    edit.put(MANIFEST, manifest_bytes(manifest))
    edit.commit()
    log.manifest = manifest
