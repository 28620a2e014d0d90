"""Set a Fantasyland hand exactly: the legal board with the most royalties and the worth of a stay."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

import numpy as np

from ofclab.board import Board
from ofclab.cards import DECK, Card, CardError, Cards, format_cards, parse_cards, require_distinct
from ofclab.kernels.setter import set_hands_batch, setter_tables
from ofclab.kernels.setter_search import SetterTables
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules
from ofclab.scoring import read_codes, score_codes

_POINT = 1_000_000
"""The setter works in whole millionths of a point."""
_MOST_STAY_VALUE = 1_000_000_000


@dataclass(frozen=True, repr=False)
class FantasylandSetting:
    """The best setting of a Fantasyland hand.

    ``value`` is the royalties plus the value of a stay where the board stays, 0 for a foul. A 2-7 middle, or jokers
    that always read as strong as they can, may leave no legal setting: then ``fouled`` is true and the board holds the
    first 13 cards.
    """

    board: Board
    discards: tuple[Card, ...]
    royalties: int
    stays: bool
    fouled: bool
    value: float

    def __repr__(self) -> str:
        discards = f", discards={format_cards(self.discards)!r}" if self.discards else ""
        foul = ", fouled=True" if self.fouled else ""
        return (
            f"FantasylandSetting({str(self.board)!r}{discards}, royalties={self.royalties}, "
            f"stays={self.stays}{foul}, value={self.value:g})"
        )

    def _repr_html_(self) -> str:
        verdict = "every setting fouls" if self.fouled else "stays" if self.stays else "does not stay"
        discards = f"<div>discards {format_cards(self.discards)}</div>" if self.discards else ""
        return (
            f"<div>{self.board._repr_html_()}{discards}"
            f"<div>royalties {self.royalties}, {verdict}, value {self.value:g}</div></div>"
        )


@lru_cache(maxsize=64)
def _tables(rules: Rules) -> SetterTables:
    compiled = compile_rules(rules)
    return setter_tables(compiled.paid.astype(np.int64) * _POINT, compiled.stay, compiled.switches, compiled.cross)


def _hand(cards: Cards, rules: Rules) -> tuple[Card, ...]:
    hand = parse_cards(cards)
    if not 13 <= len(hand) <= 17:
        raise CardError(f"a Fantasyland hand has 13 to 17 cards, got {len(hand)}: {format_cards(hand)}")
    require_distinct(hand, "the hand")
    for card in hand:
        if card >= DECK + rules.deck.jokers:
            jokers = {0: "no jokers", 1: "the joker X1", 2: "the jokers X1 and X2"}[rules.deck.jokers]
            raise CardError(f"{card} is not in the deck of {rules.name or 'these rules'}: 52 cards and {jokers}")
    return hand


def set_fantasyland(cards: Cards, rules: Rules, stay_value: float = 0) -> FantasylandSetting:
    """Find the legal setting of 13 to 17 cards with the greatest value: royalties, plus ``stay_value`` where it stays.

    Exact under any rules: house royalties (worth nothing where they are off), strict rows, 2-7 middle, jokers as the
    rules read them. ``stay_value`` is in points, good to a millionth; a stay counts as announced. Of settings of equal
    value one that stays is taken.
    Raises CardError for another number of cards, a repeated card or one that the rules' deck has not, and ValueError
    for a ``stay_value`` that is no number within a thousand million points.

    >>> from ofclab.rules import load_rules
    >>> set_fantasyland("Ah Qd 3c Kh 4d Th 3d Qc Jh 5s 4s 9s 8h 7d", load_rules("american-pineapple")).royalties
    11
    """
    hand = _hand(cards, rules)
    if not isfinite(stay_value) or abs(stay_value) > _MOST_STAY_VALUE:
        raise ValueError(f"want a stay value in points, at most {_MOST_STAY_VALUE:,} either way, got {stay_value}")
    dealt = np.zeros((1, 17), np.uint8)
    dealt[0, : len(hand)] = hand
    bonus = np.array([round(stay_value * _POINT)], np.int64)
    masks, _, _ = set_hands_batch(dealt, np.array([len(hand)], np.uint8), _tables(rules), bonus)
    rows = [tuple(card for i, card in enumerate(hand) if int(mask) >> i & 1) for mask in masks[0]]
    placed = masks[0].sum()
    board = Board(*rows)
    compiled = compile_rules(rules)
    codes = read_codes(np.array([board.cards], np.uint8), compiled)
    scored = score_codes(codes[:, None], compiled, np.array([[len(hand)]], np.uint8))
    royalties, stays = int(scored.royalties.sum()), bool(scored.next_fantasyland[0, 0])
    return FantasylandSetting(
        board,
        tuple(card for i, card in enumerate(hand) if not int(placed) >> i & 1),
        royalties,
        stays,
        bool(scored.fouled[0, 0]),
        float((royalties if rules.royalties.mode != "off" else 0) + (stay_value if stays else 0)),
    )
