"""Cards: ids, parsing and printing."""

from __future__ import annotations

import re
from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = 52
UNSEEN = 255
"""Card id of a card nobody recorded."""

_SUIT_GLYPHS = str.maketrans({"♣": "c", "♦": "d", "♥": "h", "♠": "s", "♧": "c", "♢": "d", "♡": "h", "♤": "s"})
_TOKEN = re.compile(r"(10|[2-9TtJjQqKkAa])([cdhsCDHS])|[xX]([12])")
_SEPARATORS = re.compile(r"[\s,;\ufe0e\ufe0f-]+")


class CardError(ValueError):
    """Text or a number that is not a card."""


class Card(int):
    """One card: an int 4 * rank + suit (ranks 2..A = 0..12, suits c d h s = 0..3); 52 and 53 are the jokers X1, X2.

    >>> Card.parse("10h"), int(Card.parse("Th")), Card(52)
    (Card('Th'), 34, Card('X1'))
    """

    def __new__(cls, value: int) -> Card:
        if not 0 <= int(value) < DECK + 2:
            raise CardError(f"no card has the id {value!r}; ids are 0..51, jokers 52 and 53")
        return super().__new__(cls, value)

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read one card such as ``Qh``, ``10h``, ``T♥`` or the joker ``X1``."""
        cards = parse_cards(text)
        if len(cards) != 1:
            raise CardError(f"want one card, got {text!r}")
        return cards[0]

    @property
    def is_joker(self) -> bool:
        """Tell whether this is X1 or X2."""
        return self >= DECK

    @property
    def rank(self) -> int:
        """0 (deuce) to 12 (ace); a joker has no rank: CardError."""
        if self.is_joker:
            raise CardError(f"a joker has no rank: {self}")
        return int(self) >> 2

    @property
    def suit(self) -> int:
        """0..3 = c d h s; a joker has no suit: CardError."""
        if self.is_joker:
            raise CardError(f"a joker has no suit: {self}")
        return int(self) & 3

    def __str__(self) -> str:
        return f"X{int(self) - DECK + 1}" if self.is_joker else RANKS[int(self) >> 2] + SUITS[int(self) & 3]

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"


Cards = str | Iterable[int]
"""What every public function takes where it takes cards: text, or any iterable of cards or card ids."""


def parse_cards(cards: Cards) -> tuple[Card, ...]:
    """Read cards from text (``"Qh Qd 2c"``, ``"QhQd"``, ``10h``, ``T♥``) or from an iterable of ids.

    Raises CardError naming the token that is not a card. Cards are not checked for repeats.

    >>> parse_cards("10h T♥, X1")
    (Card('Th'), Card('Th'), Card('X1'))
    """
    if not isinstance(cards, str):
        return tuple(card if isinstance(card, Card) else Card(card) for card in cards)
    found: list[Card] = []
    for token in _SEPARATORS.split(cards.translate(_SUIT_GLYPHS)):
        position = 0
        while position < len(token):
            match = _TOKEN.match(token, position)
            if match is None:
                raise CardError(
                    f"no card {token[position:]!r} in {cards!r}; write a rank 2-9 T J Q K A and a suit c d h s"
                )
            rank, suit, joker = match.groups()
            if joker:
                found.append(Card(DECK - 1 + int(joker)))
            else:
                found.append(Card(4 * RANKS.index("T" if rank == "10" else rank.upper()) + SUITS.index(suit.lower())))
            position = match.end()
    return tuple(found)


def format_cards(cards: Iterable[int]) -> str:
    """Print cards as ``Qh Qd 2c``; an unseen card (255) prints as ``??``."""
    return " ".join("??" if card == UNSEEN else str(Card(card)) for card in cards)


def require_distinct(cards: Iterable[Card], where: str) -> None:
    """Raise CardError when a card stands twice."""
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise CardError(f"{card} stands twice in {where}")
        seen.add(card)
