"""One hand of a log, street by street: what each player was dealt, where it went, and what the others saw."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Any

import polars as pl

from ofclab.board import Board, Placement, Row
from ofclab.cards import UNSEEN, Card
from ofclab.kernels.placement import BACK, DISCARD
from ofclab.log.errors import LogError
from ofclab.log.scan import Log
from ofclab.log.schema import CARD_COLUMNS, Completeness
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules

_ROWS = tuple(Row)
_ORDERED = (Completeness.FULL.value, Completeness.OWN_DISCARDS.value)


@dataclass(frozen=True)
class LoggedSeat:
    """One player's part of a hand: ``cards`` in deal order (255 = unseen), ``codes`` where each went (0 front,
    1 middle, 2 back, 3 discarded, 4 dealt but not placed, 5 row unknown), as the log holds them."""

    seat: int
    name: str
    position: int | None
    fl_cards: int
    cards: tuple[int, ...]
    codes: tuple[int, ...]
    points_recorded: int | None

    @property
    def board(self) -> Board:
        """The rows at the end, as far as they are known."""
        return self.board_after(len(self.cards))

    @property
    def discards(self) -> tuple[Card, ...]:
        """Known discards, in the order they were thrown."""
        return self._thrown(0, len(self.cards))

    def board_after(self, cards: int) -> Board:
        """The rows once so many cards of the deal lie."""
        dealt = list(zip(self.cards[:cards], self.codes[:cards], strict=True))
        return Board(*(tuple(Card(c) for c, code in dealt if code == row and c != UNSEEN) for row in range(3)))

    def _thrown(self, first: int, last: int) -> tuple[Card, ...]:
        dealt = zip(self.cards[first:last], self.codes[first:last], strict=True)
        return tuple(Card(card) for card, code in dealt if code == DISCARD and card != UNSEEN)


@dataclass(frozen=True)
class LoggedDecision:
    """One decision as its player saw it, and what he did. ``opponents`` from his left; their boards are empty where
    they lay face down (``opponents_fantasyland`` > 0)."""

    seat: int
    street: int
    board: Board
    dealt: tuple[Card, ...]
    discards: tuple[Card, ...]
    placement: Placement
    opponents: tuple[Board, ...]
    opponents_fantasyland: tuple[int, ...]
    opponents_seats: tuple[int, ...]
    shown: tuple[Card, ...]
    """Discards of opponents that the rules reveal."""


@dataclass(frozen=True)
class LoggedHand:
    """A hand of a log; ``streets``: how many can be replayed, 0 where the order of the deal is not known."""

    hand_id: int
    table_id: int
    hand_no: int
    button: int | None
    played_at: datetime | None
    site: str | None
    completeness: str
    rules: Rules
    seats: tuple[LoggedSeat, ...]

    @property
    def streets(self) -> int:
        """Streets that can be replayed."""
        return len(compile_rules(self.rules).rounds) if self.completeness in _ORDERED else 0

    def seat(self, number: int) -> LoggedSeat:
        """A player by seat; LogError where nobody sat there."""
        for seat in self.seats:
            if seat.seat == number:
                return seat
        raise LogError(f"nobody sat in seat {number} of hand {self.hand_id}; have {[s.seat for s in self.seats]}")

    def from_left(self, number: int) -> tuple[LoggedSeat, ...]:
        """The others, from a player's left."""
        own = [seat.seat for seat in self.seats].index(self.seat(number).seat)
        return self.seats[own + 1 :] + self.seats[:own]

    def _dealt(self, street: int) -> tuple[int, int]:
        """Cards dealt before a street and up to its end."""
        deals = [0, *accumulate(int(deal) for deal in compile_rules(self.rules).rounds[:, 0])]
        return deals[street - 1], deals[street]

    def board_at(self, number: int, street: int) -> Board:
        """The rows of a player after a street (0: before the first), as if everything lay face up."""
        player = self.seat(number)
        if player.fl_cards:
            return player.board if street else Board()
        return player.board_after(self._dealt(street)[1]) if street else Board()

    def decision(self, number: int, street: int) -> LoggedDecision | None:
        """What a player decided on a street, 1..; None where he had nothing to decide or its cards are not known."""
        player = self.seat(number)
        if not 1 <= street <= self.streets or (player.fl_cards and street > 1):
            return None
        first, last = (0, len(player.cards)) if player.fl_cards else self._dealt(street)
        cards, codes = player.cards[first:last], player.codes[first:last]
        if UNSEEN in cards or any(code > DISCARD for code in codes):
            return None
        rows = tuple((Card(c), _ROWS[code]) for c, code in zip(cards, codes, strict=True) if code <= BACK)
        others = self.from_left(number)
        shown: tuple[Card, ...] = ()
        boards = []
        for other in others:
            seen = self._dealt(street)[1 if self._acts_before(other, player) else 0]
            boards.append(Board() if other.fl_cards else self._visible(other, seen))
            if self.rules.visibility.discards == "revealed" and not other.fl_cards:
                shown += other._thrown(0, seen)
        return LoggedDecision(
            number, street, player.board_after(first), tuple(map(Card, cards)), player._thrown(0, first),
            Placement(rows, player._thrown(first, last)), tuple(boards), tuple(other.fl_cards for other in others),
            tuple(other.seat for other in others), shown,
        )  # fmt: skip

    def _visible(self, other: LoggedSeat, seen: int) -> Board:
        """Open rows of a player; where the last cards lie face down, what lay before them."""
        face_down = self.rules.deal.last_face_down
        while face_down and len(other.board_after(seen).cards) > 13 - face_down:
            seen -= 1
        return other.board_after(seen)

    def _acts_before(self, other: LoggedSeat, player: LoggedSeat) -> bool:
        if player.fl_cards and self.rules.fantasyland.set_timing == "before_play":
            return False
        return (other.position or 0) < (player.position or 0)


def read_hand(log: Log, hand_id: int) -> LoggedHand:
    """Read one hand of a log by its id; LogError where the log has no such hand."""
    hands = log.hands.filter(pl.col("hand_id") == pl.lit(hand_id, pl.UInt64)).collect()
    if hands.is_empty():
        raise LogError(f"{log.path} has no hand {hand_id}")
    seats = log.seats.filter(pl.col("hand_id") == pl.lit(hand_id, pl.UInt64)).sort("seat").collect()
    hand: dict[str, Any] = hands.row(0, named=True)
    return LoggedHand(
        hand_id, hand["table_id"], hand["hand_no"], hand["button"], hand["played_at"], hand["site"],
        hand["completeness"], log.rules(hand["ruleset_id"]), tuple(_seat(row) for row in seats.to_dicts()),
    )  # fmt: skip


def _seat(row: dict[str, Any]) -> LoggedSeat:
    codes = [row["placement"] >> 3 * i & 7 for i in range(len(CARD_COLUMNS))]
    dealt = [i for i, code in enumerate(codes) if code != 7]
    return LoggedSeat(
        row["seat"], row["strategy"] or row["player"] or f"Seat {row['seat']}", row["position"], row["fl_cards"],
        tuple(row[CARD_COLUMNS[i]] for i in dealt), tuple(codes[i] for i in dealt), row["points_recorded"],
    )  # fmt: skip
