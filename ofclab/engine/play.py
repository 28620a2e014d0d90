"""Play many tables in lockstep: deal, ask the strategies, set Fantasyland hands, score, move on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofclab.cards import format_cards
from ofclab.engine.session import SessionError, Sessions
from ofclab.engine.spots import (
    DEFAULT_FANTASYLAND_VALUES,
    IllegalPlacement,
    Sees,
    Spots,
    Strategy,
    as_strategy,
    unseen,
)
from ofclab.kernels import placement as kernels
from ofclab.kernels import setter
from ofclab.kernels.setter_search import SetterTables
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules
from ofclab.scoring import BoardScores, read_codes, score_codes, seat_pairs

Cards = NDArray[np.uint8]
_POINT = 10_000
"""Fixed-point unit of the setter's worth tables."""


@dataclass(frozen=True, eq=False)
class HandBatch:
    """One hand number played at T tables with S seats, as arrays; the log is written from these.

    ``tables`` u64 (T,); ``match_hand`` u32 (T,): the hand that began this chain; ``button`` u8 (T,); ``playing`` bool
    (T, S); ``position`` u8 (T, S): 1 = left of the button, 0 = sits out; ``fantasyland`` u8 (T, S): cards the seat came
    in with; ``cards`` u8 (T, S, 17) in deal order, 255 = not dealt; ``placement`` u8 (T, S, 17): 0 front, 1 middle,
    2 back, 3 discarded, 7 no card; ``announced`` i8 (T, S): 1 a stay was announced, 0 it was not, -1 not asked;
    ``codes`` u16 (T, S, 3), ``fouled`` bool (T, S), ``royalties`` i32 (T, S, 3), ``next_fantasyland`` u8 (T, S),
    ``points`` i32 (T, S); ``stack_before``, ``stack_after``, ``settled`` i64 (T, S) in chips, None without stacks.
    """

    hand_no: int
    tables: NDArray[np.uint64]
    match_hand: NDArray[np.uint32]
    button: NDArray[np.uint8]
    playing: NDArray[np.bool_]
    position: NDArray[np.uint8]
    fantasyland: NDArray[np.uint8]
    cards: NDArray[np.uint8]
    placement: NDArray[np.uint8]
    announced: NDArray[np.int8]
    codes: NDArray[np.uint16]
    fouled: NDArray[np.bool_]
    royalties: NDArray[np.int32]
    next_fantasyland: NDArray[np.uint8]
    points: NDArray[np.int32]
    stack_before: NDArray[np.int64] | None
    stack_after: NDArray[np.int64] | None
    settled: NDArray[np.int64] | None


class _Hand:
    """One hand of all tables while it is played."""

    def __init__(self, game: _Game, sessions: Sessions, hand: int) -> None:
        self.game, self.hand = game, hand
        self.tables, self.fantasyland, self.playing = sessions.tables, sessions.fantasyland, sessions.playing
        self.order, self.position = sessions.order()
        n, seats = self.playing.shape
        dealt = kernels.deal(game.seed, self.tables, hand, seats, game.rules.deck.jokers)
        self.cards = np.empty((n, seats, 17), np.uint8)
        kernels.show_cards(dealt, self.playing, self.fantasyland, game.cards_seen, self.cards)
        self.placement = np.full((n, seats, 17), kernels.NO_CARD, np.uint8)
        self.boards = np.full((n, seats, 13), 255, np.uint8)
        self.counts = np.zeros((n, seats, 3), np.uint8)
        self.hidden = np.zeros((n, seats), np.uint16)
        self.keys = np.empty((seats, n), np.uint64)

    def play(self) -> None:
        self.set_fantasyland()
        first, seats = 0, self.order.shape[1]
        for street, (deal, place, _) in enumerate(self.game.compiled.rounds.tolist(), 1):
            for seat in range(seats):
                kernels.decision_keys(self.game.seed64, self.tables, self.hand, seat, street, self.keys[seat])
            for turn in range(seats):
                for seat in range(seats):
                    self.decide(seat, street, turn, first, deal, place)
            first += deal

    def decide(self, seat: int, street: int, turn: int, first: int, deal: int, place: int) -> None:
        """Ask one seat's strategy for its placements where it acts at this turn, and carry them out."""
        n = len(self.tables)
        tables, keys = np.empty(n, np.int64), np.empty(n, np.uint64)
        dealt, counts = np.empty((n, deal), np.uint8), np.empty((n, 3), np.uint8)
        acting = kernels.find_decisions(
            self.order, turn, self.fantasyland, seat, self.keys[seat], self.cards, first, self.counts,
            tables, keys, dealt, counts,
        )  # fmt: skip
        if acting == 0:
            return
        where, strategy = tables[:acting], self.game.strategies[seat]
        own, discards, opponents, fantasyland, thrown = self.seen(where, seat, first + deal)
        spots = Spots(
            self.game.rules, self.game.compiled, self.game.values, street, place, keys[:acting], own, counts[:acting],
            dealt[:acting], discards, opponents, fantasyland, thrown, np.full(acting, turn + 1, np.uint8),
        )  # fmt: skip
        choice = np.asarray(strategy.place(spots), np.uint8)
        if choice.shape != spots.dealt.shape:
            raise IllegalPlacement(
                f"{strategy.label} returned placements of shape {choice.shape}, want {spots.dealt.shape}"
            )
        wrong = kernels.apply_placements(
            where, seat, spots.dealt, choice, first, place, self.boards, self.counts, self.hidden, self.placement
        )
        if wrong >= 0:
            raise IllegalPlacement(
                f"{strategy.label} placed {format_cards(spots.dealt[wrong])} as rows {choice[wrong].tolist()} (0 "
                f"front, 1 middle, 2 back, 3 discarded) where {place} must be placed and the rows hold "
                f"{spots.counts[wrong].tolist()} cards: table {self.tables[where[wrong]]}, hand {self.hand}, "
                f"seat {seat}, street {street}"
            )

    def seen(self, where: NDArray[np.int64], seat: int, known: int) -> tuple[Cards, Cards, Cards, Cards, Cards]:
        """Own rows and discards, the others' rows, Fantasyland and discards, as far as the seat's strategy looks.

        ``known``: cards of the deal up to the present street.
        """
        n, others, sees = len(where), self.order.shape[1] - 1, self.game.sees[seat]
        if sees is not Sees.TABLE:
            own = self.boards[where, seat] if sees is Sees.ROWS else unseen(n, 13)
            return own, unseen(n, 8), unseen(n, others, 13), unseen(n, others), unseen(n, others, 8)
        own, opponents = np.empty((n, 13), np.uint8), np.empty((n, others, 13), np.uint8)
        fantasyland = np.empty((n, others), np.uint8)
        discards, thrown = np.full((n, 8), 255, np.uint8), np.full((n, others, 8), 255, np.uint8)
        rules = self.game.rules
        kernels.look(
            where, seat, self.fantasyland, self.playing, self.boards, self.hidden, rules.deal.last_face_down == 3,
            self.cards, self.placement, known, rules.visibility.discards == "revealed",
            own, opponents, fantasyland, discards, thrown,
        )  # fmt: skip
        return own, discards, opponents, fantasyland, thrown

    def set_fantasyland(self) -> None:
        """Lay out every Fantasyland hand exactly: royalties plus what a stay is worth."""
        where, seats = np.nonzero(self.fantasyland)
        if not where.size:
            return
        came_in = self.fantasyland[where, seats]
        stay_cards = came_in if self.game.stay_cards == 0 else np.full_like(came_in, self.game.stay_cards)
        bonus = self.game.stay_bonus[stay_cards]
        masks, _, _ = setter.set_hands_batch(self.cards[where, seats], came_in, self.game.setter_tables, bonus)
        kernels.place_fantasyland(where, seats, self.cards, came_in, masks, self.boards, self.placement)

    def score(self) -> BoardScores:
        """Score every table among the seats that play; the others have zeros."""
        compiled = self.game.compiled
        if self.playing.all():
            return score_codes(read_codes(self.boards, compiled), compiled, self.fantasyland)
        n, seats = self.playing.shape
        all_pairs = seat_pairs(seats)
        total = BoardScores(
            np.zeros((n, seats, 3), np.uint16), np.zeros((n, seats), np.bool_), np.zeros((n, seats, 3), np.int32),
            np.zeros((n, seats), np.uint8), np.zeros((n, seats), np.int32), np.zeros((n, len(all_pairs), 6), np.int32),
        )  # fmt: skip
        for pattern in np.unique(self.playing, axis=0):
            rows = np.flatnonzero((self.playing == pattern).all(axis=1))
            members = np.flatnonzero(pattern)
            part: Any = np.ix_(rows, members)
            scored = score_codes(read_codes(self.boards[part], compiled), compiled, self.fantasyland[part])
            total.codes[part], total.fouled[part], total.royalties[part] = scored.codes, scored.fouled, scored.royalties
            total.next_fantasyland[part], total.points[part] = scored.next_fantasyland, scored.points
            pairs = [all_pairs.index((members[a], members[b])) for a, b in seat_pairs(len(members))]
            total.pairs[np.ix_(rows, np.array(pairs))] = scored.pairs
        return total


@lru_cache(maxsize=64)
def _setter_tables(rules: Rules) -> SetterTables:
    """What the setter looks up under a ruleset; kept, because every part of a run starts with it."""
    compiled = compile_rules(rules)
    worth = compiled.paid.astype(np.int64) * _POINT
    return setter.setter_tables(worth, compiled.stay, compiled.switches, compiled.cross)


class _Game:
    """What stays the same through a run: rules, strategies, seed, what Fantasyland is worth."""

    def __init__(
        self, rules: Rules, strategies: Sequence[Any], seed: int, fantasyland_values: Mapping[int, float] | None
    ) -> None:
        if not 2 <= len(strategies) <= rules.players.max:
            raise SessionError(f"{rules.name} seats 2 to {rules.players.max} players, got {len(strategies)} strategies")
        if not 0 <= seed < 1 << 64:
            raise SessionError(f"want a seed from 0 to 2**64 - 1, got {seed}")
        self.rules, self.compiled = rules, compile_rules(rules)
        self.seed, self.seed64 = seed, np.uint64(seed)
        self.values = {**DEFAULT_FANTASYLAND_VALUES, **(fantasyland_values or {})}
        self.strategies: list[Strategy] = [as_strategy(player) for player in strategies]
        for strategy in self.strategies:
            strategy.prepare(rules, self.values)
        self.sees: list[Sees] = [getattr(strategy, "sees", Sees.TABLE) for strategy in self.strategies]
        self.cards_seen = int(self.compiled.rounds[:, 0].sum())
        stay = rules.fantasyland.stay_cards
        self.stay_cards = 0 if stay == "same" else int(stay)
        self.setter_tables = _setter_tables(rules)
        self.stay_bonus = np.zeros(18, np.int64)
        for cards, value in self.values.items():
            self.stay_bonus[cards] = round(value * _POINT)


def play(
    rules: Rules,
    strategies: Sequence[Any],
    tables: Sequence[int] | NDArray[np.uint64],
    hands: int,
    seed: int,
    *,
    stacks: int | Sequence[int] | None = None,
    fantasyland_values: Mapping[int, float] | None = None,
    fantasyland: NDArray[np.uint8] | None = None,
) -> Iterator[HandBatch]:
    """Play `hands` hands at each table, all tables in lockstep, and yield every hand number as one batch.

    ``strategies``: one a seat (see `as_strategy`). ``tables``: table numbers; they and the seed fix every card.
    ``stacks``: chips to sit down with, one number or one a seat; without them (and without ``stakes.buy_in``) nobody
    counts chips. ``fantasyland_values``: points a Fantasyland hand of 13..17 cards is worth; it decides which stays are
    worth their price and is handed to the strategies. ``fantasyland`` u8 (T, S): cards each seat begins with, 0 = none;
    the hand that sent it there counts as played. A table leaves the batches when its game is over.
    Raises SessionError for seats or stacks the rules do not allow, IllegalPlacement for a strategy's mistake.
    """
    game = _Game(rules, strategies, seed, fantasyland_values)
    sessions = Sessions(rules, np.asarray(tables, np.uint64), len(game.strategies), hands, stacks)
    if fantasyland is not None:
        sessions.go_on_from(fantasyland)
    for number in range(hands):
        if not len(sessions.tables):
            return
        hand = _Hand(game, sessions, number)
        hand.play()
        scored = hand.score()
        before, button, match_hand = sessions.stacks, sessions.button, sessions.match_hand
        tables, came_in, playing = sessions.tables, sessions.fantasyland, sessions.playing
        pairs = scored.pairs[:, :, 5].astype(np.int64)
        settled, after, on = sessions.finish_hand(number, hand.order, pairs, scored.next_fantasyland)
        asked = (came_in > 0) & rules.fantasyland.stay_must_announce
        announced = np.where(asked, scored.next_fantasyland > 0, -1).astype(np.int8)
        yield HandBatch(
            number, tables, match_hand, button, playing, hand.position, came_in, hand.cards, hand.placement,
            announced, scored.codes, scored.fouled, scored.royalties, scored.next_fantasyland, scored.points,
            before, after, settled,
        )  # fmt: skip
        sessions.keep(on)
