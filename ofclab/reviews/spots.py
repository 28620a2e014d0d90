"""The decisions of a log: what each player saw when he had to place, and what he did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.board import Board, Placement, Row
from ofclab.cards import UNSEEN, Card
from ofclab.kernels.placement import BACK, DISCARD, FRONT
from ofclab.log import arrays
from ofclab.log.schema import Completeness
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules
from ofclab.spot import Spot

_ROWS = tuple(Row)
_IN_ORDER = (Completeness.FULL.value, Completeness.OWN_DISCARDS.value)
"""Hands whose deal order is known."""


@dataclass(frozen=True)
class Decision:
    """One decision of a log.

    ``spot`` holds what its player saw and nothing else; in Fantasyland it is None: ``dealt`` are the cards that came at
    once. ``played``: where they went.
    """

    hand_id: int
    seat: int
    street: int
    position: int
    rules: Rules
    opponents: int
    fantasyland: int
    dealt: tuple[Card, ...]
    played: Placement
    spot: Spot | None


def decisions_of(
    hands: pl.DataFrame, seats: pl.DataFrame, rulesets: Mapping[str, Rules], players: pl.Series | None = None
) -> Iterator[Decision]:
    """Every decision of these hands whose cards are known, hand by hand, seat by seat, street by street.

    ``seats``: the rows of these hands, in their order. ``players``: bool by row of ``seats``, whose decisions are
    wanted; None = everybody's. Known are the deal order, own cards and discards, and the rows that lay open: nothing is
    guessed, so a hand of final boards has none.
    """
    cards, codes = arrays.card_array(seats), arrays.placement_array(seats)
    n_seats = hands["n_seats"].to_numpy()
    starts = arrays.first_seats(n_seats)
    ordered = hands["completeness"].cast(pl.String).is_in(_IN_ORDER).to_numpy()
    seat, came_in = seats["seat"].to_numpy(), seats["fl_cards"].to_numpy()
    position = seats["position"].fill_null(0).to_numpy()
    wanted = np.ones(len(seats), np.bool_) if players is None else players.to_numpy()
    ids, ruleset_ids = hands["hand_id"].to_list(), hands["ruleset_id"].to_list()
    for hand in np.flatnonzero(ordered).tolist():
        rows = range(int(starts[hand]), int(starts[hand]) + int(n_seats[hand]))
        if not wanted[rows.start : rows.stop].any():
            continue
        view = _Hand(
            ids[hand], rulesets[ruleset_ids[hand]], cards[rows.start : rows.stop], codes[rows.start : rows.stop],
            seat[rows.start : rows.stop].tolist(), came_in[rows.start : rows.stop].tolist(),
            position[rows.start : rows.stop].tolist(),
        )  # fmt: skip
        for row in rows:
            if wanted[row]:
                yield from view.decisions(row - rows.start)


def facts_of(hands: pl.DataFrame, seats: pl.DataFrame) -> pl.DataFrame:
    """A number for what each hand's decisions rest on (hand_id, facts u64), which changes when an edit changes them."""
    cards, codes = arrays.card_array(seats), arrays.placement_array(seats)
    others = seats.select(pl.col("seat", "position", "fl_cards").fill_null(255)).to_numpy()
    told = np.concatenate((cards, codes, others), axis=1).astype(np.uint64)
    mixed = ((told + np.uint64(1)) * _weights(told.shape[1])).sum(axis=1)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * _weights(1)[0]
    known = hands.select(pl.concat_str("ruleset_id", pl.col("completeness").cast(pl.String)).alias("known"))["known"]
    kinds = {kind: int.from_bytes(blake2b(kind.encode(), digest_size=8).digest()) for kind in known.unique()}
    sums = np.add.reduceat(mixed, arrays.first_seats(hands["n_seats"].to_numpy())) if len(hands) else mixed
    facts = sums ^ np.array([kinds[kind] for kind in known], np.uint64)
    return pl.DataFrame({"hand_id": hands["hand_id"], "facts": facts}, schema_overrides={"facts": pl.UInt64})


def _weights(count: int) -> NDArray[np.uint64]:
    """Odd numbers without a pattern."""
    drawn = [blake2b(str(i).encode(), digest_size=8).digest() for i in range(count)]
    return np.array([int.from_bytes(number) | 1 for number in drawn], np.uint64)


@dataclass(frozen=True, eq=False)
class _Hand:
    """The seats of one hand as arrays."""

    hand_id: int
    rules: Rules
    cards: arrays.Cards
    codes: arrays.Cards
    seats: list[int]
    came_in: list[int]
    positions: list[int]

    def decisions(self, row: int) -> Iterator[Decision]:
        """Decisions of one seat, up to the first whose cards are not all known."""
        if self.came_in[row]:
            count = self.came_in[row]
            if self._known(row, range(count)):
                yield self._decision(row, 1, range(count), None)
            return
        first = 0
        for street, (deal, _, _) in enumerate(compile_rules(self.rules).rounds.tolist(), 1):
            dealt = range(first, first + deal)
            if not self._known(row, range(first + deal)):
                return
            spot = self._spot(row, first, dealt)
            if spot is not None:
                yield self._decision(row, street, dealt, spot)
            first += deal

    def _known(self, row: int, places: range) -> bool:
        where = slice(places.start, places.stop)
        return bool((self.cards[row, where] != UNSEEN).all() and (self.codes[row, where] <= DISCARD).all())

    def _decision(self, row: int, street: int, dealt: range, spot: Spot | None) -> Decision:
        cards = [Card(card) for card in self.cards[row, dealt.start : dealt.stop].tolist()]
        codes = self.codes[row, dealt.start : dealt.stop].tolist()
        placed = tuple((card, _ROWS[code]) for card, code in zip(cards, codes, strict=True) if code <= BACK)
        thrown = tuple(card for card, code in zip(cards, codes, strict=True) if code == DISCARD)
        return Decision(
            self.hand_id, self.seats[row], street, self.positions[row], self.rules, len(self.seats) - 1,
            self.came_in[row], tuple(cards), Placement(placed, thrown), spot,
        )  # fmt: skip

    def _spot(self, row: int, first: int, dealt: range) -> Spot | None:
        """What a seat sees with these cards in hand; None where an open row is not known."""
        n = len(self.seats)
        ordered = all(self.positions)
        left = sorted(
            (other for other in range(n) if other != row),
            key=lambda other: (self.positions[other] - self.positions[row]) % n if ordered else other,
        )
        boards, dead = [], []
        for other in left:
            # Where the order of play is not known, nobody is taken to have acted before.
            acted = ordered and self.positions[other] < self.positions[row]
            places = range(dealt.stop if acted else first)
            if self.came_in[other]:
                boards.append(Board())
                continue
            open_rows = self._board(other, places, self.rules.deal.last_face_down)
            if open_rows is None:
                return None
            boards.append(open_rows)
            if self.rules.visibility.discards == "revealed":
                thrown = self.cards[other, : places.stop][self.codes[other, : places.stop] == DISCARD]
                dead += [Card(card) for card in thrown.tolist() if card != UNSEEN]
        own = self._board(row, range(first), 0)
        mine = self.cards[row, :first][self.codes[row, :first] == DISCARD].tolist()
        return Spot(
            own or Board(), self.cards[row, dealt.start : dealt.stop].tolist(), mine, self.rules, n,
            self.positions[row] if ordered else 1, tuple(boards), tuple(self.came_in[other] for other in left), dead,
        )  # fmt: skip

    def _board(self, row: int, places: range, face_down: int) -> Board | None:
        """The rows of a seat once the cards at these places lie, the last ``face_down`` of the 13 left out."""
        rows: tuple[list[Card], list[Card], list[Card]] = ([], [], [])
        laid = 0
        for place in places:
            code, card = int(self.codes[row, place]), int(self.cards[row, place])
            if code == DISCARD:
                continue
            if code > BACK or code < FRONT or card == UNSEEN:
                return None
            laid += 1
            if laid <= 13 - face_down:
                rows[code].append(Card(card))
        return Board(*map(tuple, rows))
