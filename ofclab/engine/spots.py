"""Decisions: a batch of spots for built-in strategies, a view of one spot for a player's own."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ofclab.board import Board, Placement, Row, legal_placements
from ofclab.cards import UNSEEN, Card
from ofclab.rules import Rules
from ofclab.rules.compiled import CompiledRules

DEFAULT_FANTASYLAND_VALUES: Mapping[int, float] = {13: 6.0, 14: 9.6, 15: 13.5, 16: 17.5, 17: 21.5}
"""Points a Fantasyland hand of so many cards is worth when nothing else is given.

14 cards: the published 9.60 of heads-up Pineapple; the others follow the mean royalties of set hands (8.96, 12.40,
16.28, 20.30, 24.37 points for 13 to 17 cards), so they are orders of size, not results for a ruleset.
"""

_ROWS = tuple(Row)


class IllegalPlacement(ValueError):
    """A strategy placed cards against the rules."""


class Sees(Enum):
    """How far a strategy looks, its ``sees``; what it does not look at is 255 in its spots, and saves the time."""

    DEAL = "deal"
    """The dealt cards and how many cards lie in each own row."""
    ROWS = "rows"
    """The cards in its own rows as well."""
    TABLE = "table"
    """Everything a player may see: what is assumed of a strategy that does not say."""


_ONE_UNSEEN = bytes([UNSEEN])


def unseen(*shape: int) -> NDArray[np.uint8]:
    """An array of nothing but unseen cards; it takes no memory and cannot be written to."""
    return np.ndarray(shape, np.uint8, _ONE_UNSEEN, strides=(0,) * len(shape))


@dataclass(frozen=True, eq=False)
class Spots:
    """A batch of n decisions on one street by one seat, as arrays; card 255 = open slot or not seen.

    ``keys`` u64 (n,): the random stream of each decision; ``board`` u8 (n, 13): own front 3, middle 5, back 5;
    ``counts`` u8 (n, 3): cards in each own row; ``dealt`` u8 (n, k); ``discards`` u8 (n, 8): own; ``opponents`` u8
    (n, seats - 1, 13): their open rows, from the actor's left; ``opponents_fantasyland`` u8 (n, seats - 1): cards they
    came in with (0 = normal, 255 = nobody sits there); ``opponents_discards`` u8 (n, seats - 1, 8): only where the
    rules reveal them; ``position`` u8 (n,): 1 = first to act.
    """

    rules: Rules
    compiled: CompiledRules
    fantasyland_values: Mapping[int, float]
    street: int
    place: int
    keys: NDArray[np.uint64]
    board: NDArray[np.uint8]
    counts: NDArray[np.uint8]
    dealt: NDArray[np.uint8]
    discards: NDArray[np.uint8]
    opponents: NDArray[np.uint8]
    opponents_fantasyland: NDArray[np.uint8]
    opponents_discards: NDArray[np.uint8]
    position: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def placed(self) -> int:
        """Cards already placed on each own board."""
        return int(self.compiled.rounds[: self.street - 1, 1].sum())

    @property
    def streets(self) -> int:
        """Streets of a hand."""
        return len(self.compiled.rounds)

    def view(self, i: int) -> View:
        """The i-th spot for a strategy that looks at one decision at a time."""
        return View(
            rules=self.rules,
            fantasyland_values=self.fantasyland_values,
            street=self.street,
            position=int(self.position[i]),
            board=_board(self.board[i]),
            dealt=_cards(self.dealt[i]),
            discards=_cards(self.discards[i]),
            opponents=tuple(
                Opponent(_board(rows), int(came_in), _cards(thrown))
                for rows, came_in, thrown in zip(
                    self.opponents[i], self.opponents_fantasyland[i], self.opponents_discards[i], strict=True
                )
                if came_in != UNSEEN
            ),
            random=random.Random(int(self.keys[i])),
        )


def _cards(ids: NDArray[np.uint8]) -> tuple[Card, ...]:
    return tuple(Card(card) for card in ids.tolist() if card != UNSEEN)


def _board(slots: NDArray[np.uint8]) -> Board:
    return Board(_cards(slots[:3]), _cards(slots[3:8]), _cards(slots[8:]))


@dataclass(frozen=True)
class Opponent:
    """What is seen of another player: open rows, Fantasyland cards (0 = normal, else hidden rows), shown discards."""

    board: Board
    fantasyland: int = 0
    discards: tuple[Card, ...] = ()


@dataclass(frozen=True)
class View:
    """One decision as its player sees it; nothing hidden is in it.

    ``opponents`` sit from the player's left; ``position`` 1 acts first; ``random`` is the decision's own stream.
    """

    rules: Rules
    fantasyland_values: Mapping[int, float]
    street: int
    position: int
    board: Board
    dealt: tuple[Card, ...]
    discards: tuple[Card, ...]
    opponents: tuple[Opponent, ...]
    random: random.Random

    def legal_placements(self) -> list[Placement]:
        """Every legal placement of the dealt cards."""
        return legal_placements(self.board, self.dealt, self.rules)

    @property
    def seen(self) -> frozenset[Card]:
        """All cards this player knows: own, dealt, discarded and the opponents' open ones."""
        theirs = [card for other in self.opponents for card in other.board.cards + other.discards]
        return frozenset((*self.board.cards, *self.dealt, *self.discards, *theirs))


@runtime_checkable
class Strategy(Protocol):
    """What the engine asks of a strategy that decides whole batches."""

    @property
    def label(self) -> str:
        """Name with parameters, as the log keeps it."""
        ...

    def prepare(self, rules: Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Learn the rules and what Fantasyland is worth before play."""
        ...

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        """The row of each dealt card, u8 (n, k): 0 front, 1 middle, 2 back, 3 discarded."""
        ...


class ViewStrategy:
    """Adapter: a plain object with ``choose(view) -> Placement`` as a strategy, one decision at a time."""

    def __init__(self, player: Any) -> None:
        self.player = player

    @property
    def label(self) -> str:
        """The player's own label, or its class name."""
        return str(getattr(self.player, "label", type(self.player).__name__))

    def prepare(self, rules: Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Hand the rules on where the player asks for them."""
        if hasattr(self.player, "prepare"):
            self.player.prepare(rules, fantasyland_values)

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        """Ask the player spot by spot."""
        choice = np.empty(spots.dealt.shape, np.uint8)
        for i in range(len(spots)):
            view = spots.view(i)
            placement = self.player.choose(view)
            if not isinstance(placement, Placement):
                raise IllegalPlacement(f"{self.label} returned {placement!r}, not a Placement")
            row_of = {card: _ROWS.index(row) for card, row in placement.rows} | dict.fromkeys(placement.discards, 3)
            if sorted(row_of) != sorted(view.dealt):
                raise IllegalPlacement(f"{self.label} placed {placement} when dealt {' '.join(map(str, view.dealt))}")
            choice[i] = [row_of[card] for card in view.dealt]
        return choice


def as_strategy(player: Any) -> Strategy:
    """Take a batch strategy as it is, or wrap a plain object with ``choose``; TypeError for anything else."""
    if isinstance(player, Strategy):
        return player
    if hasattr(player, "choose"):
        return ViewStrategy(player)
    raise TypeError(f"{player!r} is no strategy: it has neither place(spots) nor choose(view)")
