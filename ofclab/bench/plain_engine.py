"""An engine in plain Python, as one would first write it: random two-player Pineapple, Fantasyland carried.

It shares nothing with the package but the parameters of the rules; high rows, two players, no jokers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random
from typing import Any

Params = Mapping[str, Any]
Rows = tuple[tuple[str, ...], ...]
Hand = tuple[int, tuple[int, ...]]
"""Category and ranks in the order they count."""

RANKS = "23456789TJQKA"
DECK = tuple(rank + suit for rank in RANKS for suit in "cdhs")
SIZES = (3, 5, 5)
NAMES = ("front", "middle", "back")
CATEGORIES = (
    "high_card", "pair", "two_pair", "trips", "straight", "flush", "full_house", "quads", "straight_flush",
    "royal_flush",
)  # fmt: skip
_SHAPES = {(1,): 0, (2, 1): 1, (2, 2): 2, (3,): 3, (3, 1): 3, (3, 2): 6, (4, 1): 7}


def hand_rank(cards: Sequence[str]) -> Hand:
    """Rank three or five cards."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda group: (-group[1], -group[0]))
    counts, order = [count for _, count in groups], tuple(rank for rank, _ in groups)
    category = _SHAPES[tuple(counts[:2]) if counts[0] > 1 else (1,)]
    if category or len(cards) == 3:
        return category, order
    top = 3 if ranks == [12, 3, 2, 1, 0] else ranks[0] if ranks[0] - ranks[4] == 4 else None
    if len({card[1] for card in cards}) == 1:
        return (5, order) if top is None else (9 if top == 12 else 8, (top,))
    return (category, order) if top is None else (4, (top,))


def placed(rows: Rows, dealt: Sequence[str], place: int) -> list[Rows]:
    """Boards after every way to place so many of the dealt cards."""
    boards = []
    for kept in combinations(dealt, place):
        for target in product(range(3), repeat=place):
            after = tuple(
                row + tuple(card for card, to in zip(kept, target, strict=True) if to == r)
                for r, row in enumerate(rows)
            )
            if all(len(row) <= size for row, size in zip(after, SIZES, strict=True)):
                boards.append(after)
    return boards


def is_foul(hands: Sequence[Hand]) -> bool:
    """Tell whether the rows are out of order; a missing rank is below any other."""
    front, middle, back = hands
    return front > middle or middle > back


def royalty(row: int, hand: Hand, p: Params) -> int:
    """Points a row pays."""
    category, ranks = hand
    if row == 0:
        return int(p["royalties.front"].get(RANKS[ranks[0]] * {1: 2, 3: 3}.get(category, 0), 0))
    return int(p[f"royalties.{NAMES[row]}"].get(CATEGORIES[category], 0))


def _reaches(hand: Hand, least: str) -> bool:
    return hand >= (1 if len(least) == 2 else 3, (RANKS.index(least[0]),))


def stays(hands: Sequence[Hand], p: Params) -> bool:
    """Tell whether a legal board keeps its player in Fantasyland."""
    stay = p["fantasyland.stay"]
    if stay["front"] is not None and _reaches(hands[0], stay["front"]):
        return True
    return any(
        stay[name] is not None and hand[0] >= CATEGORIES.index(stay[name])
        for name, hand in zip(NAMES[1:], hands[1:], strict=True)
    )


@dataclass(frozen=True)
class Seat:
    """What a board is worth by itself."""

    hands: tuple[Hand, ...]
    fouled: bool
    royalties: int
    next_fantasyland: int


def judge(rows: Rows, p: Params, came_in: int) -> Seat:
    """Rank, check and pay one board."""
    hands = tuple(hand_rank(row) for row in rows)
    if is_foul(hands):
        return Seat(hands, True, 0, 0)
    following = 0
    if came_in:
        if stays(hands, p):
            following = came_in if p["fantasyland.stay_cards"] == "same" else int(p["fantasyland.stay_cards"])
    elif hands[0][0] in (1, 3):
        following = max(
            (int(step["cards"]) for step in p["fantasyland.entry_front"] if _reaches(hands[0], step["min"])), default=0
        )
    return Seat(hands, False, sum(royalty(row, hand, p) for row, hand in enumerate(hands)), following)


def points(a: Seat, b: Seat, p: Params) -> int:
    """What the first of two players wins from the second."""
    if a.fouled or b.fouled:
        if a.fouled and b.fouled:
            return 0
        penalty = int(p["foul.penalty"])
        return -penalty - b.royalties if a.fouled else penalty + a.royalties
    won = [(mine > theirs) - (mine < theirs) for mine, theirs in zip(a.hands, b.hands, strict=True)]
    total = p["scoring.per_row"] * sum(won) + a.royalties - b.royalties
    for sign in (1, -1):
        if won.count(sign) == 3:
            total += sign * p["scoring.sweep_bonus"]
    return int(total)


def set_fantasyland(cards: Sequence[str], p: Params, stay_value: float) -> Rows:
    """The best legal setting: rows of greatest worth first, until no better sum can follow."""
    ranked = []
    for row, size in enumerate(SIZES):
        entries = []
        for chosen in combinations(cards, size):
            hand = hand_rank(chosen)
            stay = stays([hand if r == row else (0, ()) for r in range(3)], p)
            entries.append((royalty(row, hand, p) + stay_value * stay, hand, stay, frozenset(chosen)))
        ranked.append(sorted(entries, key=lambda entry: entry[:2], reverse=True))
    fronts, middles, backs = ranked
    best, found = -1.0, None
    for back_worth, back, back_stays, in_back in backs:
        if back_worth + middles[0][0] + fronts[0][0] <= best:
            break
        for middle_worth, middle, middle_stays, in_middle in middles:
            if back_worth + middle_worth + fronts[0][0] <= best:
                break
            if middle > back or in_middle & in_back:
                continue
            for front_worth, front, front_stays, in_front in fronts:
                if back_worth + middle_worth + front_worth <= best:
                    break
                if front <= middle and not in_front & (in_middle | in_back):
                    # A stay counts once, however many rows earn it.
                    twice = max(0, back_stays + middle_stays + front_stays - 1)
                    worth = back_worth + middle_worth + front_worth - stay_value * twice
                    if worth > best:
                        best, found = worth, (in_front, in_middle, in_back)
    if found is None:
        return tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:13])
    return tuple(tuple(card for card in cards if card in row) for row in found)


def play(p: Params, hands: int, random: Random, stay_value: float = 9.6) -> Iterator[tuple[tuple[Seat, Seat], int]]:
    """Play hands at one table; yields both seats and the points of the first."""
    streets = [(5, 5)] + [(street["deal"], street["place"]) for street in p["deal.rounds"]]
    came_in, button = [0, 0], 1
    for _ in range(hands):
        deck = random.sample(DECK, 34)
        boards: list[Rows] = [((), (), ()), ((), (), ())]
        for seat in (0, 1):
            if came_in[seat]:
                boards[seat] = set_fantasyland(deck[17 * seat : 17 * seat + came_in[seat]], p, stay_value)
        first = 0
        for deal, place in streets:
            for seat in (1 - button, button):
                if not came_in[seat]:
                    dealt = deck[17 * seat + first : 17 * seat + first + deal]
                    boards[seat] = random.choice(placed(boards[seat], dealt, place))
            first += deal
        a, b = judge(boards[0], p, came_in[0]), judge(boards[1], p, came_in[1])
        yield (a, b), points(a, b, p)
        came_in = [a.next_fantasyland, b.next_fantasyland]
        if not any(came_in) or p["fantasyland.button"] != "frozen":
            button = 1 - button
