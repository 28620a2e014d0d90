"""A table at which some seats are played by hand, one decision at a time, and strategies play the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofclab.board import Board, BoardError, Placement, Row, legal_placements
from ofclab.cards import UNSEEN, Card, format_cards
from ofclab.engine.play import _Game, _Hand
from ofclab.engine.session import SessionError, Sessions
from ofclab.engine.spots import IllegalPlacement, Spots, View
from ofclab.kernels.placement import DISCARD, FIRST_SLOT
from ofclab.rules import Rules

_ROWS = tuple(Row)
_LONGEST = 1_000_000
_Answers = dict[tuple[int, int], Placement]
"""What was decided by hand so far, by seat and street; street 0 is a Fantasyland hand."""


@dataclass(frozen=True)
class Decision:
    """What a seat that is played by hand has to decide; ``fantasyland``: cards of a Fantasyland hand, 0 = a street.

    ``view`` is what the player sees, None for a Fantasyland hand: its 13 to 17 cards are ``dealt``, all else is hidden.
    """

    seat: int
    dealt: tuple[Card, ...]
    view: View | None

    @property
    def fantasyland(self) -> int:
        """Cards of the Fantasyland hand to set, 0 = a street."""
        return 0 if self.view is not None else len(self.dealt)

    @property
    def board(self) -> Board:
        """The rows so far."""
        return Board() if self.view is None else self.view.board


@dataclass(frozen=True)
class TableHand:
    """A finished hand: boards, discards and points by seat; ``playing`` tells who was dealt in."""

    hand_no: int
    button: int
    playing: tuple[bool, ...]
    fantasyland: tuple[int, ...]
    boards: tuple[Board, ...]
    discards: tuple[tuple[Card, ...], ...]
    points: tuple[int, ...]
    fouled: tuple[bool, ...]
    next_fantasyland: tuple[int, ...]
    stacks: tuple[int, ...] | None


class _Waiting(Exception):
    def __init__(self, decision: Decision) -> None:
        self.decision = decision


class _ByHand:
    """The strategy of a seat that is played by hand: what was decided, or a wait for it."""

    label = "by hand"

    def __init__(self, seat: int, answers: _Answers) -> None:
        self.seat, self.answers = seat, answers

    def prepare(self, rules: Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Nothing to prepare."""

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        """The row of each dealt card as it was decided."""
        answer = self.answers.get((self.seat, spots.street))
        if answer is None:
            view = spots.view(0)
            raise _Waiting(Decision(self.seat, view.dealt, view))
        rows = {int(card): _ROWS.index(row) for card, row in answer.rows}
        return np.array([[rows.get(int(card), DISCARD) for card in spots.dealt[0]]], np.uint8)


class _TableHand(_Hand):
    """One hand at one table, with Fantasyland hands of some seats set by hand."""

    def __init__(self, game: _Game, sessions: Sessions, hand: int, seats: Sequence[int], answers: _Answers) -> None:
        super().__init__(game, sessions, hand)
        self.by_hand, self.answers = seats, answers

    def set_fantasyland(self) -> None:
        super().set_fantasyland()
        for seat in self.by_hand:
            cards = int(self.fantasyland[0, seat])
            if cards:
                dealt = tuple(Card(card) for card in self.cards[0, seat, :cards].tolist())
                answer = self.answers.get((seat, 0))
                if answer is None:
                    raise _Waiting(Decision(seat, dealt, None))
                self._set(seat, dealt, answer)

    def _set(self, seat: int, dealt: tuple[Card, ...], answer: Placement) -> None:
        rows = {card: _ROWS.index(row) for card, row in answer.rows}
        filled = [0, 0, 0]
        for i, card in enumerate(dealt):
            row = rows.get(card, DISCARD)
            self.placement[0, seat, i] = row
            if row != DISCARD:
                self.boards[0, seat, FIRST_SLOT[row] + filled[row]] = card
                filled[row] += 1


class Table:
    """Play hands at one table by hand against strategies, with Fantasyland, button and stacks carried over.

    ``players``: a strategy (see `as_strategy`) for each seat, None for one that is played by hand. The same ``seed``
    gives the same cards as `play` at table 0. ``decision`` is what has to be decided now, None when the hand is over
    (``hands[-1]`` is it) or the game is (``is_over``). Raises SessionError for seats the rules do not allow or nobody
    played by hand.

    >>> from ofclab.rules import load_rules
    >>> from ofclab.strategies import get
    >>> table = Table(load_rules("american-pineapple"), [None, get("random_legal")], seed=7)
    >>> len(table.decision.dealt)
    5
    """

    def __init__(
        self,
        rules: Rules,
        players: Sequence[Any | None],
        seed: int = 0,
        *,
        stacks: int | Sequence[int] | None = None,
        fantasyland_values: Mapping[int, float] | None = None,
    ) -> None:
        self.by_hand = tuple(seat for seat, player in enumerate(players) if player is None)
        if not self.by_hand:
            raise SessionError("no seat is played by hand: give None for at least one player")
        self._answers: _Answers = {}
        seated = [_ByHand(seat, self._answers) if player is None else player for seat, player in enumerate(players)]
        self._game = _Game(rules, seated, seed, fantasyland_values)
        self._sessions = Sessions(rules, np.zeros(1, np.uint64), len(seated), _LONGEST, stacks)
        self.rules = rules
        self.hands: list[TableHand] = []
        self.decision: Decision | None = None
        self.deal()

    @property
    def is_over(self) -> bool:
        """Tell whether the game has come to its end."""
        return self.decision is None and not len(self._sessions.tables)

    @property
    def hand_no(self) -> int:
        """The number of the hand that is played, or was played last, from 0."""
        return len(self.hands) - (self.decision is None)

    @property
    def button(self) -> int:
        """The seat that deals the hand."""
        return int(self._sessions.button[0]) if self.decision is not None else self.hands[-1].button

    @property
    def fantasyland(self) -> tuple[int, ...]:
        """Cards each seat came in with."""
        if self.decision is None:
            return self.hands[-1].fantasyland
        return tuple(int(cards) for cards in self._sessions.fantasyland[0])

    def deal(self) -> None:
        """Deal the next hand once the last one is over; SessionError while it is not, or after the game."""
        if self.decision is not None or self.is_over:
            raise SessionError("the game is over" if self.is_over else "the hand is still being played")
        self._go_on()

    def decide(self, placement: Placement) -> None:
        """Carry out the decision that is waited for; IllegalPlacement for one that cannot be."""
        if self.decision is None:
            raise SessionError("there is nothing to decide: deal the next hand")
        self._check(self.decision, placement)
        street = self.decision.view.street if self.decision.view is not None else 0
        self._answers[self.decision.seat, street] = placement
        self._go_on()

    def _check(self, decision: Decision, placement: Placement) -> None:
        placed = [card for card, _ in placement.rows]
        given = sorted((*placed, *placement.discards))
        if given != sorted(decision.dealt):
            raise IllegalPlacement(
                f"want each of {format_cards(decision.dealt)} once, got {format_cards(given) or 'no card'}"
            )
        if decision.view is None:
            try:
                board = Board().place(placement)
            except BoardError as error:
                raise IllegalPlacement(str(error)) from None
            if not board.is_complete:
                raise IllegalPlacement(f"a Fantasyland hand fills all 13 slots, got {len(placed)} cards")
            return
        wanted = dict(placement.rows)
        legal = legal_placements(decision.view.board, decision.dealt, self.rules)
        if not any(dict(one.rows) == wanted for one in legal):
            raise IllegalPlacement(f"{placement} is not legal on {decision.view.board}")

    def _go_on(self) -> None:
        """Play the hand up to the next decision by hand, from its start: the same answers give the same hand."""
        number = len(self.hands)
        hand = _TableHand(self._game, self._sessions, number, self.by_hand, self._answers)
        try:
            hand.play()
        except _Waiting as waiting:
            self.decision = waiting.decision
            return
        scored = hand.score()
        sessions = self._sessions
        button, playing, came_in = sessions.button, sessions.playing, sessions.fantasyland
        pairs = scored.pairs[:, :, 5].astype(np.int64)
        _, after, on = sessions.finish_hand(number, hand.order, pairs, scored.next_fantasyland)
        seats = range(playing.shape[1])
        self.hands.append(
            TableHand(
                number,
                int(button[0]),
                tuple(map(bool, playing[0])),
                tuple(map(int, came_in[0])),
                tuple(_board(hand.boards[0, seat]) for seat in seats),
                tuple(_discards(hand.cards[0, seat], hand.placement[0, seat]) for seat in seats),
                tuple(map(int, scored.points[0])),
                tuple(map(bool, scored.fouled[0])),
                tuple(map(int, scored.next_fantasyland[0])),
                None if after is None else tuple(map(int, after[0])),
            )
        )
        sessions.keep(on)
        self._answers.clear()
        self.decision = None


def _board(slots: NDArray[np.uint8]) -> Board:
    rows = (slots[:3], slots[3:8], slots[8:])
    return Board(*(tuple(Card(card) for card in row.tolist() if card != UNSEEN) for row in rows))


def _discards(cards: NDArray[np.uint8], codes: NDArray[np.uint8]) -> tuple[Card, ...]:
    pairs = zip(cards.tolist(), codes.tolist(), strict=True)
    return tuple(Card(card) for card, code in pairs if code == DISCARD and card != UNSEEN)
