"""Cards as small pictures: one SVG face for the dashboard, notebooks and tables, and boards drawn without a script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ofclab.cards import UNSEEN, Card

INKS = ("#126B31", "#1457B5", "#C0132C", "#1B1F24")
"""Ink of clubs, diamonds, hearts, spades: four colours, each readable on a white face."""
JOKER_INK = "#6B3FA0"

_SUITS = (
    "M16 1a7.2 7.2 0 0 1 6 11.2a7.2 7.2 0 1 1-4.4 10.4q.3 5 4.4 8.4h-12q4.1-3.4 4.4-8.4a7.2 7.2 0 1 1-4.4-10.4a7.2 "
    "7.2 0 0 1 6-11.2z",
    "M16 1q5 8.2 11.5 15q-6.5 6.8-11.5 15q-5-8.2-11.5-15q6.5-6.8 11.5-15z",
    "M16 29.5c-10.5-8-15-13.2-15-19.3a7.7 7.7 0 0 1 15-2.4a7.7 7.7 0 0 1 15 2.4c0 6.1-4.5 11.3-15 19.3z",
    "M16 1c7.5 8 14.5 12.5 14.5 19.2a6.7 6.7 0 0 1-12.4 3.2q.5 4.6 4 7.6h-12.2q3.5-3 4-7.6a6.7 6.7 0 0 "
    "1-12.4-3.2c0-6.7 7-11.2 14.5-19.2z",
)
"""Outlines of the suits, each 32 units wide and high."""
_STAR = "M16 1l4.4 9.9l10.6 1.2l-7.9 7.2l2.2 10.6l-9.3-5.4l-9.3 5.4l2.2-10.6l-7.9-7.2l10.6-1.2z"
_RANK_NAMES = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
_SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def rank_name(rank: int, many: bool = False) -> str:
    """The name of a rank 0..12.

    >>> rank_name(10), rank_name(4, many=True)
    ('queen', 'sixes')
    """
    name = _RANK_NAMES[rank]
    return name if not many else f"{name}es" if name.endswith("x") else f"{name}s"


def card_name(card: int) -> str:
    """The name a screen reader says.

    >>> card_name(Card.parse("Qh")), card_name(52)
    ('queen of hearts', 'joker 1')
    """
    if card == UNSEEN:
        return "hidden card"
    card = Card(card)
    return f"joker {card - 51}" if card.is_joker else f"{rank_name(card.rank)} of {_SUIT_NAMES[card.suit]}"


def card_svg(card: int) -> str:
    """The face of a card as SVG, 54 x 75 units, rank at the top left, suit at the bottom right; no background."""
    card = Card(card)
    ink, shape = (JOKER_INK, _STAR) if card.is_joker else (INKS[card.suit], _SUITS[card.suit])
    rank = str(card - 51) if card.is_joker else _RANKS[card.rank]
    spacing = ' letter-spacing="-3"' if len(rank) > 1 else ""
    return (
        f'<svg viewBox="0 0 54 75" aria-hidden="true" focusable="false"><g fill="{ink}">'
        f'<text x="{4 if len(rank) > 1 else 6}" y="34" font-size="35" font-weight="700"{spacing} '
        f'font-family="Source Sans, Source Sans Pro, Helvetica, Arial, sans-serif">{rank}</text>'
        f'<path transform="translate(25 45) scale(.74)" d="{shape}"/></g></svg>'
    )


def card_html(card: int, width: int = 30, faded: bool = False) -> str:
    """A card for a page without scripts; 255 shows its back."""
    shade = "opacity:.45;" if faded else ""
    paper = "#8A929B" if card == UNSEEN else "#fff"
    face = "" if card == UNSEEN else card_svg(card)
    return (
        f'<span role="img" aria-label="{card_name(card)}" title="{card_name(card)}" style="display:inline-block;'
        f"width:{width}px;height:{round(width * 75 / 54)}px;margin:1px;border-radius:{round(width * 0.13)}px;"
        f'border:1px solid #C9C5BB;background:{paper};line-height:0;vertical-align:middle;{shade}">{face}</span>'
    )


def _slot(width: int) -> str:
    return (
        f'<span role="img" aria-label="open slot" style="display:inline-block;width:{width}px;'
        f"height:{round(width * 75 / 54)}px;margin:1px;border-radius:{round(width * 0.13)}px;"
        'border:1px dashed #A9A59B;vertical-align:middle"></span>'
    )


def board_html(rows: Sequence[Iterable[int]], notes: Sequence[str] = (), width: int = 34) -> str:
    """Front, middle and back as drawn cards, open slots dashed, a note beside each row where given."""
    lines = []
    for i, (name, size, cards) in enumerate(zip(("front", "middle", "back"), (3, 5, 5), rows, strict=True)):
        shown = list(cards)
        drawn = "".join(card_html(card, width) for card in shown) + _slot(width) * (size - len(shown))
        note = f'<td style="text-align:left;border:0;padding:2px 8px">{escape(notes[i])}</td>' if notes else ""
        lines.append(
            f'<tr style="background:none"><td title="{name}" style="text-align:center;border:0;padding:1px">{drawn}'
            f"</td>{note}</tr>"
        )
    return f'<table style="border:0;display:inline-table"><tbody>{"".join(lines)}</tbody></table>'
