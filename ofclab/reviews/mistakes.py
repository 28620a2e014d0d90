"""What a placement did otherwise than the best one: which card went where, and which hand was broken for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ofclab.board import Board, Placement
from ofclab.cards import Card

HAND_CLASSES = (
    "quads", "full_house", "flush", "straight", "trips", "two_pair", "flush_draw", "straight_draw", "pair", "nothing",
)  # fmt: skip
"""What can be broken, the most telling first; a draw is three or four cards of a row that are nothing else."""
DESTINATIONS = ("front", "middle", "back", "discard")


class Difference(NamedTuple):
    """Where the highest card that was placed otherwise went, where it goes in the best placement, what was broken.

    ``broken``: the most telling class of a row that the best placement has on the board and the one played has not;
    ``nothing`` where it breaks none.
    """

    row: str
    best_row: str
    broken: str


def difference(board: Board, played: Placement, best: Placement) -> Difference | None:
    """How two placements on a board differ; None where they come to the same."""
    mine, theirs = _destinations(played), _destinations(best)
    moved = [card for card in mine if mine[card] != theirs.get(card)]
    if not moved:
        return None
    # Ids rise with the rank, jokers above all.
    highest = max(moved)
    after, better = _classes(board.place(played)), _classes(board.place(best))
    broken = next((name for name in HAND_CLASSES if better[name] > after[name]), HAND_CLASSES[-1])
    return Difference(mine[highest], theirs.get(highest, "discard"), broken)


def _destinations(placement: Placement) -> dict[Card, str]:
    rows = {card: row.value for card, row in placement.rows}
    return rows | dict.fromkeys(placement.discards, "discard")


def _classes(board: Board) -> Counter[str]:
    return Counter(row_class(row) for row in board.rows)


def row_class(row: Sequence[Card]) -> str:
    """What a row is, complete or not; jokers are left out.

    >>> from ofclab.cards import parse_cards
    >>> row_class(parse_cards("Ah 9h 4h")), row_class(parse_cards("Ks Kd")), row_class(parse_cards("9c 8d 6h"))
    ('flush_draw', 'pair', 'straight_draw')
    """
    cards = [card for card in row if not card.is_joker]
    counts = sorted(Counter(card.rank for card in cards).values(), reverse=True)
    most, second = (*counts, 0, 0)[:2]
    if most == 4:
        return "quads"
    if most == 3:
        return "full_house" if second == 2 else "trips"
    if most == 2:
        return "two_pair" if second == 2 else "pair"
    if len(cards) >= 3:
        if len({card.suit for card in cards}) == 1:
            return "flush" if len(cards) == 5 else "flush_draw"
        if _spans_five(sorted(int(card.rank) for card in cards)):
            return "straight" if len(cards) == 5 else "straight_draw"
    return "nothing"


def _spans_five(ranks: list[int]) -> bool:
    """Tell whether ranks in order fit into one straight; an ace also stands below the two."""
    low = sorted(rank if rank < 12 else -1 for rank in ranks)
    return ranks[-1] - ranks[0] <= 4 or low[-1] - low[0] <= 4
