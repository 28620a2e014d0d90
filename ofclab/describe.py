"""What each row of a board makes, in words, and the royalty it pays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ofclab.board import Board, Row, as_board, boards_array
from ofclab.cards import Card
from ofclab.drawing import rank_name
from ofclab.kernels import tables as t
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules, low_name
from ofclab.scoring import read_codes

_DRAWS = {3: "three", 4: "four"}


@dataclass(frozen=True)
class RowReading:
    """One row of a board: what it makes ("pair of queens", "four to a flush"), and the royalty once it is full.

    ``royalty``: points as if the board does not foul; None while the row is open, or while a joker in it cannot be
    read because the board is not complete.
    """

    row: Row
    made: str
    royalty: int | None


def describe_board(board: Board | str, rules: Rules) -> tuple[RowReading, RowReading, RowReading]:
    """What front, middle and back make, complete or not, and what they pay under the rules.

    >>> from ofclab.rules import load_rules
    >>> front, middle, back = describe_board("Qh Qd 2c / 8s 8d / As Ks 9s 4s", load_rules("american-pineapple"))
    >>> front.made, front.royalty, middle.made, back.made
    ('pair of queens', 7, 'pair of eights', 'four to a flush')
    """
    board = as_board(board)
    codes = read_codes(boards_array([board]), compile_rules(rules))[0].tolist() if board.is_complete else None
    front, middle, back = (
        _read(row, board.row(row), None if codes is None else codes[i], rules) for i, row in enumerate(Row)
    )
    return front, middle, back


def _read(row: Row, cards: Sequence[Card], code: int | None, rules: Rules) -> RowReading:
    compiled = compile_rules(rules)
    low = row is Row.MIDDLE and compiled.low_middle
    natural = [card for card in cards if not card.is_joker]
    if len(cards) < row.size or (code is None and len(natural) < len(cards)):
        return RowReading(row, _open_row(row, natural, len(cards) - len(natural), low), None)
    if code is None:
        ranks, suited = [card.rank for card in cards], len({card.suit for card in cards}) == 1
        code = t.LOW_CODES[t.low_strength(ranks, suited)] if low else t.HIGH_CODES[
            t.high_strength(ranks, suited and row.size == 5)
        ]  # fmt: skip
    made = _low(_by_code(True)[code]) if low else _high(_by_code(False)[code])
    return RowReading(row, made, int(compiled.paid[list(Row).index(row), code]))


@cache
def _by_code(low: bool) -> dict[int, t.Strength]:
    return {code: strength for strength, code in (t.LOW_CODES if low else t.HIGH_CODES).items()}


def _high(strength: t.Strength) -> str:
    """A made hand of the high scale in words."""
    category, first, second = strength[0], rank_name(strength[1] - 1), strength[2] - 1
    many = rank_name(strength[1] - 1, many=True)
    match category:
        case t.PAIR:
            return f"pair of {many}"
        case t.TWO_PAIR:
            return f"two pair, {many} and {rank_name(second, many=True)}"
        case t.TRIPS:
            return f"three {many}"
        case t.STRAIGHT:
            return f"straight to the {first}"
        case t.FLUSH:
            return f"flush, {first} high"
        case t.FULL_HOUSE:
            return f"full house, {many} over {rank_name(second, many=True)}"
        case t.QUADS:
            return f"four {many}"
        case t.STRAIGHT_FLUSH:
            return f"straight flush to the {first}"
        case t.ROYAL_FLUSH:
            return "royal flush"
        case t.FIVE_OF_A_KIND:
            return f"five {many}"
    return f"{first} high"


def _low(strength: t.Strength) -> str:
    """A 2-7 low in words; the strengths of lows are negative."""
    name = low_name(strength)
    if not name:
        return f"no low: {_high(tuple(-number for number in strength))}"
    return "7-5-4-3-2, the wheel" if name == "75432" else f"{rank_name(-strength[1] - 1)}-low"


def _open_row(row: Row, cards: Sequence[Card], jokers: int, low: bool) -> str:
    """What an open row holds so far: pairs and better, or a draw to a flush or straight."""
    with_joker = " with a joker" if jokers == 1 else " with two jokers" if jokers else ""
    if not cards:
        return with_joker.removeprefix(" with ")
    counts = Counter(card.rank for card in cards)
    strength = t.partial_strength([card.rank for card in cards])
    if strength[0] > t.HIGH_CARD:
        return _high(strength) + with_joker
    if row is Row.FRONT or low:
        return f"{rank_name(max(counts))} high{with_joker}"
    suits = Counter(card.suit for card in cards)
    many = len(cards) + jokers
    if len(suits) == 1 and many in _DRAWS:
        return f"{_DRAWS[many]} to a flush"
    if many in _DRAWS and _within_straight(counts):
        return f"{_DRAWS[many]} to a straight"
    return f"{rank_name(max(counts))} high{with_joker}"


def _within_straight(ranks: Sequence[int] | Counter[int]) -> bool:
    """Tell whether ranks fit in one straight, an ace counting low too."""
    wheel = [-1 if rank == 12 else rank for rank in ranks]
    return max(ranks) - min(ranks) <= 4 or max(wheel) - min(wheel) <= 4
