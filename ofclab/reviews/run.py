"""Review a log: judge every decision whose cards are known, part by part, and keep what was found."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from ofclab.board import Board
from ofclab.cards import format_cards
from ofclab.log import Log, arrays, collect, open_log
from ofclab.log.people import ME
from ofclab.log.schema import Completeness
from ofclab.reviews.fantasyland import judge_fantasyland
from ofclab.reviews.judge import Judgement, judge
from ofclab.reviews.levels import Level, ReviewError, Thresholds, default_policy, find_level
from ofclab.reviews.mistakes import difference
from ofclab.reviews.result import Review, framed
from ofclab.reviews.schema import EVALUATIONS
from ofclab.reviews.spots import Decision, decisions_of, facts_of
from ofclab.reviews.store import Engine, is_named, put_part, read_part
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules
from ofclab.solver.evaluate import fantasyland_points
from ofclab.solver.shares import Workers, pack
from ofclab.strategies import get

HANDS_AT_ONCE = 4
"""Hands of a piece of work, more where a part is large."""
MOST_PIECES = 2000
KEEP_SECONDS = 10.0
"""What was found is written no more often than this, and at the end."""


@dataclass(frozen=True)
class ReviewProgress:
    """How far a review is, in decisions; those kept from an earlier one count as done."""

    done: int
    decisions: int
    reviewed: int
    """Decisions judged since the start."""
    seconds: float

    @property
    def eta(self) -> float | None:
        """Seconds left, None before anything was judged."""
        return (self.decisions - self.done) * self.seconds / self.reviewed if self.reviewed else None


def review(
    log: Log | str | os.PathLike[str],
    player: str | Sequence[str] | None = None,
    level: str | Level = "quick",
    policy: Any = None,
    fantasyland_values: float | Mapping[int, float] | None = None,
    seed: int = 0,
    thresholds: Thresholds | None = None,
    workers: int = 1,
    progress: Callable[[ReviewProgress], None] | None = None,
) -> Review:
    """Judge every decision of a log whose cards are known: what was played, the best placement, what it lost.

    Each is judged by what its player saw: own cards and discards, and the rows that lay open (`Log.spot`). Two passes:
    a quick one over all placements, then more futures where these leave the verdict open. Exact: a last street against
    complete boards, and how a Fantasyland hand was set.

    ``player``: one or several, None = everybody, "me" = the log's reader. ``level``: quick, standard or deep
    (`LEVELS`): numbers of futures, so every machine finds the same, in any order and after any interruption.
    ``policy``: the strategy that carries on own later streets and the opponents' boards; None: the default one.
    ``fantasyland_values``: points, one number or by number of cards; None = those the log was simulated with, or the
    usual ones of its (first) rules with as many seats as most hands have. ``thresholds``: what is called a mistake.
    ``progress``: called with a `ReviewProgress`.

    What was found is kept in the log under ``evaluations/`` and taken from there; an interrupted review goes on where
    it stopped. A remote or read-only log, or a policy of the user's own, keeps nothing.
    Raises ReviewError for a player or level that is not there, LogError for a log that cannot be read.
    """
    opened = log if isinstance(log, Log) else open_log(log)
    chosen = find_level(level)
    given = opened.manifest["source"].get("fantasyland_values") if fantasyland_values is None else fantasyland_values
    if isinstance(given, Mapping):
        given = {int(cards): float(points) for cards, points in given.items()}
    first = next(iter(opened.rulesets.values()), None)
    values = fantasyland_points(given, first, _usual_seats(opened))
    strategy = get(default_policy(first) if policy is None else policy)
    pack([strategy], workers)
    engine = Engine(strategy.label, chosen, tuple(sorted(values.items())), seed)
    names = [player] if isinstance(player, str) else None if player is None else list(player)
    players = names and [opened.me or name if name == ME else name for name in names]
    _check_players(opened, players)
    keeps = opened.store.is_writable and is_named(strategy)
    job = _Settings(engine, strategy.label if is_named(strategy) else strategy)
    meter = _Meter(_count(opened, players), progress)
    frames = []
    with Workers(workers) as pool:
        for number in opened.parts:
            frames.append(_Part(opened, number, players, job, keeps).review(pool, meter))
    found = pl.concat(frames) if frames else EVALUATIONS.to_frame()
    limits = thresholds or Thresholds()
    return Review(opened, players, engine, limits, framed(opened, found, engine, limits), meter.player_hands)


def _usual_seats(log: Log) -> int:
    """Seats of most hands of a log, the fewer of equals; 2 where it has none."""
    seats = collect(log.hands.select(pl.col("n_seats").mode().min())).item()
    return int(seats or 2)


@dataclass(frozen=True)
class _Settings:
    """What every worker needs to judge."""

    engine: Engine
    policy: Any


@dataclass(frozen=True)
class _Piece:
    """Some hands to judge."""

    hands: pl.DataFrame
    seats: pl.DataFrame
    wanted: pl.Series
    rulesets: Mapping[str, Rules]
    settings: _Settings


def _judge_piece(piece: _Piece) -> pl.DataFrame:
    engine, rows = piece.settings.engine, []
    values = dict(engine.fantasyland_values)
    for decision in decisions_of(piece.hands, piece.seats, piece.rulesets, piece.wanted):
        try:
            found = _judged(decision, engine, values, piece.settings.policy)
        except ValueError as error:
            raise ReviewError(
                f"hand {decision.hand_id}, seat {decision.seat}, street {decision.street}: {error}"
            ) from error
        rows.append(_row(decision, found))
    return pl.DataFrame(rows, {name: dtype for name, dtype in EVALUATIONS.items() if name != "facts"})


def _judged(decision: Decision, engine: Engine, values: Mapping[int, float], policy: Any) -> Judgement:
    if decision.spot is None:
        return judge_fantasyland(decision, values)
    return judge(decision.spot, decision.played, decision.rules, engine.level, values, policy, engine.seed)


def _row(decision: Decision, found: Judgement) -> dict[str, Any]:
    board = decision.spot.board if decision.spot is not None else Board()
    best = decision.played if found.is_best else found.best
    otherwise = difference(board, decision.played, best)
    return {
        "hand_id": decision.hand_id, "seat": decision.seat, "street": decision.street,
        "fl_cards": decision.fantasyland, "board": str(board), "dealt": format_cards(decision.dealt),
        "played": str(decision.played), "best": str(best), "is_best": found.is_best, "ev_played": found.ev_played,
        "ev_loss": found.ev_loss, "se": found.se, "gap": found.gap, "spread": found.spread,
        "foul_played": found.foul_played, "foul_best": found.foul_best,
        "fantasyland_played": found.fantasyland_played, "fantasyland_best": found.fantasyland_best,
        "exact": found.exact, "n_placements": found.placements, "samples": found.samples,
        "row": otherwise and otherwise.row, "best_row": otherwise and otherwise.best_row,
        "broken": otherwise and otherwise.broken,
    }  # fmt: skip


@dataclass
class _Part:
    """One part of the log while it is reviewed."""

    log: Log
    number: int
    players: list[str] | None
    settings: _Settings
    keeps: bool

    def review(self, pool: Workers, meter: _Meter) -> pl.DataFrame:
        """Decisions of the players wanted, those kept before among them."""
        hands, seats = self.log.part(self.number)
        wanted = _wanted(seats, self.players)
        engine = self.settings.engine
        facts = facts_of(hands, seats)
        known = read_part(self.log, self.number, engine) if self.keeps else EVALUATIONS.to_frame()
        # A hand that was corrected since, or put together with what another observer saw, is reviewed again.
        known = known.join(facts, on=["hand_id", "facts"], how="semi", maintain_order="left")
        reviewed = known.select("hand_id", "seat").unique().with_columns(_done=True)
        done = seats.join(reviewed, on=["hand_id", "seat"], how="left", maintain_order="left")["_done"].fill_null(False)
        asked = seats.filter(wanted).select("hand_id", "seat")
        kept = known.join(asked, on=["hand_id", "seat"], how="semi", maintain_order="left")
        meter.skip(len(kept))
        pieces = list(_pieces(hands, seats, wanted & ~done, self.log.rulesets, self.settings))
        found, kept_at, told = [known], time.monotonic(), 1
        try:
            for rows in pool.share(_judge_piece, pieces):
                found.append(rows.join(facts, on="hand_id", how="left").select(EVALUATIONS.names()))
                meter.judged(len(rows))
                if time.monotonic() - kept_at > KEEP_SECONDS:
                    self._keep(found, seats)
                    kept_at, told = time.monotonic(), len(found)
        finally:
            if len(found) > told:
                self._keep(found, seats)
        every = _in_order(pl.concat(found), seats)
        return every.join(asked, on=["hand_id", "seat"], how="semi", maintain_order="left")

    def _keep(self, found: list[pl.DataFrame], seats: pl.DataFrame) -> None:
        if self.keeps:
            put_part(self.log, self.number, self.settings.engine, _in_order(pl.concat(found), seats))


def _in_order(frame: pl.DataFrame, seats: pl.DataFrame) -> pl.DataFrame:
    """Decisions in the order of the log, so that equal ones make equal files."""
    places = seats.select("hand_id", "seat").with_row_index("_place")
    return frame.join(places, on=["hand_id", "seat"], how="left").sort("_place", "street").drop("_place")


def _pieces(
    hands: pl.DataFrame, seats: pl.DataFrame, wanted: pl.Series, rulesets: Mapping[str, Rules], settings: _Settings
) -> Iterator[_Piece]:
    """Hands with something to judge, a few at a time."""
    n_seats = hands["n_seats"].to_numpy()
    hand = arrays.hand_of_seat(n_seats)
    rows = np.unique(hand[wanted.to_numpy()])
    size = max(HANDS_AT_ONCE, -(-len(rows) // MOST_PIECES))
    for first in range(0, len(rows), size):
        some = rows[first : first + size]
        theirs = np.flatnonzero(np.isin(hand, some))
        yield _Piece(hands[some], seats[theirs], wanted[theirs], rulesets, settings)


def _wanted(seats: pl.DataFrame, players: list[str] | None) -> pl.Series:
    if players is None:
        return pl.Series(np.ones(len(seats), np.bool_))
    return seats["player"].is_in(players).fill_null(False)


def _check_players(log: Log, players: list[str] | None) -> None:
    if players is None:
        return
    known = log.seats.select(pl.col("player").unique().drop_nulls().sort()).collect()["player"].to_list()
    for name in players:
        if name not in known:
            shown = ", ".join(known[:20]) + (f" and {len(known) - 20} more" if len(known) > 20 else "")
            raise ReviewError(f"{log.path} has no player {name!r}; have {shown or 'none'}")


def _count(log: Log, players: list[str] | None) -> tuple[int, int]:
    """Player-hands wanted, and about how many decisions they hold."""
    streets = {key: len(compile_rules(rules).rounds) for key, rules in log.rulesets.items()}
    order = [Completeness.FULL.value, Completeness.OWN_DISCARDS.value]
    hands = log.hands.select("hand_id", "ruleset_id", _known=pl.col("completeness").cast(pl.String).is_in(order))
    seats = log.seats if players is None else log.seats.filter(pl.col("player").is_in(players))
    each = pl.col("ruleset_id").replace_strict(streets, return_dtype=pl.Int64)
    decisions = pl.when(~pl.col("_known")).then(0).when(pl.col("fl_cards") > 0).then(1).otherwise(each)
    counted = seats.join(hands, on="hand_id").select(pl.len().alias("n"), decisions.sum().alias("d")).collect()
    return int(counted["n"][0]), int(counted["d"][0] or 0)


@dataclass
class _Meter:
    """Counts decisions and tells the callback."""

    count: tuple[int, int]
    progress: Callable[[ReviewProgress], None] | None
    begun: float = field(default_factory=time.monotonic)
    done: int = 0
    reviewed: int = 0

    @property
    def player_hands(self) -> int:
        return self.count[0]

    def skip(self, decisions: int) -> None:
        self.done += decisions
        self._tell()

    def judged(self, decisions: int) -> None:
        self.done += decisions
        self.reviewed += decisions
        self._tell()

    def _tell(self) -> None:
        if self.progress is not None:
            most = max(self.count[1], self.done)
            self.progress(ReviewProgress(self.done, most, self.reviewed, time.monotonic() - self.begun))
