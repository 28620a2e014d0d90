"""Play mirrored matches: every deal with the seats exchanged, so that luck of the cards cancels out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.engine import play
from ofclab.rules import Rules, load_rules
from ofclab.rules.compiled import compile_rules
from ofclab.scoring import score_codes, seat_pairs
from ofclab.solver.chains import one_deal
from ofclab.solver.shares import Workers, fresh, pack
from ofclab.strategies import get
from ofclab.tournaments.result import Tournament

LONGEST_MATCH = 1000
"""Hands of a deal with all the Fantasyland hands it causes, at most."""
DEALS_AT_ONCE = 250

Points = NDArray[np.int64]

_COUNTED = ("hands", "normal_hands", "fantasyland_hands", "fouls", "entries", "stays", "royalties", "normal_royalties")


class TournamentError(ValueError):
    """A tournament that cannot be played as asked."""


def tournament(
    strategies: Sequence[Any],
    rules: Rules | str | Path,
    deals: int = 2000,
    seed: int = 1,
    seats: int = 2,
    workers: int = 1,
    fantasyland_values: float | Mapping[int, float] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Tournament:
    """Play every line-up of ``seats`` of the strategies on the same mirrored deals.

    ``strategies``: names or objects, at least as many as seats; the same one may be named twice, and against itself
    every deal comes to exactly zero. Two seats are exchanged; three or four are turned round the table in both
    directions, so that every player sits everywhere and acts before and after every other. A deal goes on while anyone
    is in Fantasyland; stakes play no part. Randomness is keyed by seat, so the same strategy with the same cards in the
    same seat plays the same. ``fantasyland_values``: points a Fantasyland hand is worth, one number or by number of
    cards; it decides what the strategies aim at. ``progress``: told pieces of work done and in all.

    Raises TournamentError for too few strategies or seats the rules do not allow, UnknownStrategy for a name.

    >>> match = tournament(["never_bust_greedy", "never_bust_greedy"], "american-pineapple", deals=20)
    >>> match.pairs["points"].to_list()
    [0.0]
    """
    ruleset = load_rules(rules)
    if isinstance(strategies, str) or len(strategies) < max(2, seats):
        got = repr(strategies) if isinstance(strategies, str) else str(len(strategies))
        raise TournamentError(f"want at least {max(2, seats)} strategies for {seats} seats, got {got}")
    if deals < 1:
        raise TournamentError(f"want at least one deal, got {deals}")
    if not 2 <= seats <= ruleset.players.max:
        raise TournamentError(f"{ruleset.name} seats 2 to {ruleset.players.max} players, got {seats}")
    players = [get(strategy) for strategy in strategies]
    names = _distinct([player.label for player in players])
    values = fantasyland_values
    if values is not None and not isinstance(values, Mapping):
        values = dict.fromkeys(range(13, 18), float(values))
    packed, single = pack(players, workers), one_deal(ruleset)
    jobs = [
        _Job(single, packed, lineup, range(first, min(first + DEALS_AT_ONCE, deals)), seed, values)
        for lineup in combinations(range(len(players)), seats)
        for first in range(0, deals, DEALS_AT_ONCE)
    ]
    matches, totals = [], []
    with Workers(workers) as pool:
        for number, (job, (points, counts)) in enumerate(zip(jobs, pool.share(_play, jobs), strict=True), 1):
            lineup = tuple(names[i] for i in job.lineup)
            matches += _match_frames(lineup, job.deals, points, counts[:, 0, 0])
            totals += _total_frames(lineup, job.deals, points, counts)
            if progress is not None:
                progress(number, len(jobs))
    order = ["lineup", "deal"]
    return Tournament(
        ruleset, tuple(names), seats, deals, seed, len(seatings(seats)), pl.concat(matches).sort(*order, "a", "b"),
        pl.concat(totals).sort(*order, "strategy"),
    )  # fmt: skip


def seatings(seats: int) -> list[tuple[int, ...]]:
    """Who sits where: all turns of the line-up round the table, in both directions."""
    line = tuple(range(seats))
    turns = [way[turn:] + way[:turn] for way in (line, line[::-1]) for turn in range(seats)]
    return list(dict.fromkeys(turns))


@dataclass(frozen=True)
class _Job:
    """One line-up on some of the deals."""

    rules: Rules
    strategies: bytes | list[Any]
    lineup: tuple[int, ...]
    deals: range
    seed: int
    values: Mapping[int, float] | None


def _play(job: _Job) -> tuple[Points, Points]:
    """Points by deal and pair of the line-up (deals, pairs), counts by deal and member (deals, members, counted)."""
    members = len(job.lineup)
    which = {pair: number for number, pair in enumerate(seat_pairs(members))}
    points = np.zeros((len(job.deals), len(which)), np.int64)
    counts = np.zeros((len(job.deals), members, len(_COUNTED)), np.int64)
    compiled = compile_rules(job.rules)
    for seating in seatings(members):
        players = fresh(job.strategies, [job.lineup[member] for member in seating])
        for batch in play(
            job.rules, players, job.deals, LONGEST_MATCH, job.seed, fantasyland_values=job.values
        ):  # fmt: skip
            where = batch.tables.astype(np.int64) - job.deals.start
            won = score_codes(batch.codes, compiled, batch.fantasyland).pairs[:, :, 5]
            for (seat, other), column in zip(seat_pairs(members), won.T, strict=True):
                a, b = seating[seat], seating[other]
                points[where, which[min(a, b), max(a, b)]] += column if a < b else -column
            for seat, member in enumerate(seating):
                counts[where, member] += np.column_stack(
                    list(_counts(batch.fantasyland[:, seat] > 0, batch.fouled[:, seat],
                                 batch.next_fantasyland[:, seat] > 0, batch.royalties[:, seat].sum(axis=1)))
                )  # fmt: skip
    return points, counts


def _counts(
    inside: NDArray[np.bool_], fouled: NDArray[np.bool_], goes_on: NDArray[np.bool_], royalties: NDArray[np.int32]
) -> Iterator[NDArray[Any]]:
    """What one seat adds to each count, in the order of _COUNTED."""
    yield np.ones(len(inside), np.int64)
    yield ~inside
    yield inside
    yield ~inside & fouled
    yield ~inside & goes_on
    yield inside & goes_on
    yield royalties
    yield royalties * ~inside


def _match_frames(lineup: tuple[str, ...], deals: range, points: Points, hands: Points) -> list[pl.DataFrame]:
    """Rows of `Tournament.matches`, a frame a pair."""
    columns = {"deal": np.array(deals, np.int64), "hands": hands}
    frames = []
    for number, (a, b) in enumerate(seat_pairs(len(lineup))):
        frame = pl.DataFrame({**columns, "points": points[:, number]})
        frames.append(
            frame.select(
                "deal", pl.lit(" v ".join(lineup)).alias("lineup"), pl.lit(lineup[a]).alias("a"),
                pl.lit(lineup[b]).alias("b"), "points", "hands",
            )
        )  # fmt: skip
    return frames


def _total_frames(lineup: tuple[str, ...], deals: range, points: Points, counts: Points) -> list[pl.DataFrame]:
    """Rows of `Tournament.totals`, a frame a strategy."""
    frames = []
    for member, name in enumerate(lineup):
        won = np.zeros(len(deals), np.int64)
        for number, (a, b) in enumerate(seat_pairs(len(lineup))):
            won += points[:, number] * ((member == a) - (member == b))
        counted = {what: counts[:, member, place] for place, what in enumerate(_COUNTED)}
        frame = pl.DataFrame({"deal": np.array(deals, np.int64), "points": won, **counted})
        names = pl.lit(" v ".join(lineup)).alias("lineup"), pl.lit(name).alias("strategy")
        frames.append(frame.select("deal", *names, "points", *_COUNTED))
    return frames


def _distinct(labels: Sequence[str]) -> list[str]:
    """Labels, numbered where the same one plays twice."""
    names: list[str] = []
    for label in labels:
        number = 1 + sum(name == label or name.startswith(f"{label} #") for name in names)
        names.append(label if number == 1 else f"{label} #{number}")
    return names
