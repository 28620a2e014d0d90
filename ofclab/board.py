"""Rows, boards and placements: parse, print, compare, and the legal ways to place a street."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, product

import numpy as np

from ofclab.cards import Card, CardError, Cards, format_cards, parse_cards, require_distinct
from ofclab.drawing import board_html
from ofclab.kernels import scoring as kernels
from ofclab.kernels import tables
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules


class BoardError(ValueError):
    """A board, row or placement that cannot be."""


class Row(StrEnum):
    """The three rows of a board, front first."""

    FRONT = "front"
    MIDDLE = "middle"
    BACK = "back"

    @property
    def size(self) -> int:
        """Slots of the row: 3, 5, 5."""
        return 3 if self is Row.FRONT else 5


@dataclass(frozen=True)
class Placement:
    """Where one street's cards go: a row for each kept card, the rest discarded."""

    rows: tuple[tuple[Card, Row], ...]
    discards: tuple[Card, ...] = ()

    def cards_in(self, row: Row) -> tuple[Card, ...]:
        """The cards that go to one row, in the order they were dealt."""
        return tuple(card for card, target in self.rows if target is row)

    @property
    def front(self) -> tuple[Card, ...]:
        """Cards placed in front."""
        return self.cards_in(Row.FRONT)

    @property
    def middle(self) -> tuple[Card, ...]:
        """Cards placed in the middle."""
        return self.cards_in(Row.MIDDLE)

    @property
    def back(self) -> tuple[Card, ...]:
        """Cards placed in the back."""
        return self.cards_in(Row.BACK)

    def __str__(self) -> str:
        rows = " / ".join(format_cards(self.cards_in(row)) or "-" for row in Row)
        return f"{rows}, discard {format_cards(self.discards)}" if self.discards else rows


def _row(cards: Cards) -> tuple[Card, ...]:
    """A row's cards, highest first: a row is a set, so its order carries nothing."""
    parsed = parse_cards(cards)
    return tuple(sorted(parsed, reverse=True))


@dataclass(frozen=True)
class Board:
    """One player's rows, complete or not. A row is a set of cards: it is kept and printed highest card first.

    >>> str(Board.parse("2c Qd Qh / - / As Ks"))
    'Qh Qd 2c / - / As Ks'
    """

    front: tuple[Card, ...] = ()
    middle: tuple[Card, ...] = ()
    back: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        for row in Row:
            cards = _row(getattr(self, row))
            if len(cards) > row.size:
                raise BoardError(f"the {row} holds {row.size} cards, got {len(cards)}: {format_cards(cards)}")
            object.__setattr__(self, row.value, cards)
        require_distinct(self.cards, f"the board {self}")

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read ``front / middle / back`` (or one row a line); ``-`` is an empty row, and open slots may be left out."""
        rows = text.strip().split("/") if "/" in text else text.strip().splitlines()
        if len(rows) != 3:
            raise BoardError(f"want three rows, front / middle / back, got {len(rows)} in {text!r}")
        return cls(*(parse_cards(row) for row in rows))

    def row(self, row: Row) -> tuple[Card, ...]:
        """The cards of one row, highest first."""
        cards: tuple[Card, ...] = getattr(self, row)
        return cards

    @property
    def rows(self) -> tuple[tuple[Card, ...], ...]:
        """Front, middle, back."""
        return self.front, self.middle, self.back

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards, front first."""
        return self.front + self.middle + self.back

    @property
    def open_slots(self) -> tuple[int, int, int]:
        """Slots still open in front, middle, back."""
        return 3 - len(self.front), 5 - len(self.middle), 5 - len(self.back)

    @property
    def is_complete(self) -> bool:
        """Tell whether all 13 cards are placed."""
        return len(self.cards) == 13

    def place(self, placement: Placement) -> Board:
        """The board after a placement; BoardError when a row overflows, CardError when a card stands twice."""
        return Board(*(self.row(row) + placement.cards_in(row) for row in Row))

    def __str__(self) -> str:
        return " / ".join(format_cards(row) or "-" for row in self.rows)

    def _repr_html_(self) -> str:
        return board_html(self.rows)


def as_board(board: Board | str) -> Board:
    """Take a board or its text."""
    return Board.parse(board) if isinstance(board, str) else board


def boards_array(boards: Iterable[Board]) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Complete boards as card ids, shape (n, 13): front 3, middle 5, back 5. BoardError names the incomplete one."""
    rows = []
    for board in boards:
        if not board.is_complete:
            raise BoardError(f"want 13 cards, got {len(board.cards)}: {board}")
        rows.append(board.cards)
    return np.array(rows, np.uint8).reshape(-1, 13)


def compare_hands(a: Cards, b: Cards, ranking: str = "high", cross_length: str = "missing_lowest") -> int:
    """Compare two rows of three or five natural cards: 1 when a is better, -1 when b is, 0 when equal.

    ``ranking``: ``high``, or ``2-7`` where the better hand is the better low (five cards a side). ``cross_length``: how
    three cards meet five: ``missing_lowest`` (a missing card ranks below any card) or ``prefix_tie`` (equal when the
    three cards equal the leading cards of the five). Source: RULES 2.7.
    """
    if ranking not in ("high", "2-7"):
        raise BoardError(f"no ranking {ranking!r}; have high, 2-7")
    if cross_length not in ("missing_lowest", "prefix_tie"):
        raise BoardError(f"no cross_length {cross_length!r}; have missing_lowest, prefix_tie")
    rows = [parse_cards(a), parse_cards(b)]
    for row in rows:
        if len(row) not in ((5,) if ranking == "2-7" else (3, 5)):
            raise BoardError(f"cannot compare {len(row)} cards by {ranking}: {format_cards(row)}")
        if any(card.is_joker for card in row):
            raise CardError(f"a joker has no strength by itself: {format_cards(row)}; score the whole board")
        require_distinct(row, "the hand")
    strengths = []
    for row in rows:
        ranks, suited = [card.rank for card in row], len({card.suit for card in row}) == 1
        if ranking == "2-7":
            strengths.append(tables.low_strength(ranks, suited))
        else:
            strengths.append(tables.high_strength(ranks, suited and len(row) == 5))
    if cross_length == "prefix_tie" and len(rows[0]) != len(rows[1]) and strengths[0][0] == strengths[1][0]:
        short = min(rows, key=len)
        kept = 1 + len({card.rank for card in short})
        strengths = [strength[:kept] for strength in strengths]
    return (strengths[0] > strengths[1]) - (strengths[0] < strengths[1])


def is_foul(board: Board | str, rules: Rules) -> bool:
    """Tell whether the rows of a complete board are out of order.

    >>> from ofclab.rules import load_rules
    >>> is_foul("As Ad Ac / 7c 5s 4h 3d 2c / Kc Kd Ks 2h 2d", load_rules("american-pineapple"))
    True
    """
    compiled = compile_rules(rules)
    codes = np.zeros((1, 3), np.uint16)
    kernels.read_boards(boards_array([as_board(board)]), compiled.switches, compiled.cross, codes)
    front, middle, back = codes[0]
    return bool(kernels.is_foul(front, middle, back, compiled.switches, compiled.cross))


def street_of(board: Board, rules: Rules) -> int:
    """Which street a board is about to play: 1 for an empty board; BoardError when no street leaves so many cards."""
    placed = 0
    for street, (_, place, _) in enumerate(compile_rules(rules).rounds.tolist(), 1):
        if placed == len(board.cards):
            return street
        placed += place
    raise BoardError(f"no street starts with {len(board.cards)} cards placed under {rules.name}: {board}")


def legal_placements(board: Board | str, dealt: Cards, rules: Rules) -> list[Placement]:
    """Every legal placement of a street's cards; cards keep the order in which they were dealt.

    Raises BoardError when the street deals another number of cards, CardError when a card stands twice.
    """
    board, cards = as_board(board), parse_cards(dealt)
    require_distinct(board.cards + cards, "the board and the deal")
    deal, place, _ = compile_rules(rules).rounds[street_of(board, rules) - 1]
    if len(cards) != deal:
        raise BoardError(f"this street deals {deal} cards under {rules.name}, got {len(cards)}: {format_cards(cards)}")
    slots = dict(zip(Row, board.open_slots, strict=True))
    found = []
    for kept in combinations(range(len(cards)), int(place)):
        discards = tuple(card for i, card in enumerate(cards) if i not in kept)
        for rows in product(Row, repeat=int(place)):
            if all(rows.count(row) <= free for row, free in slots.items()):
                found.append(Placement(tuple((cards[i], row) for i, row in zip(kept, rows, strict=True)), discards))
    return found
