"""Late spots solved by trying everything in plain Python: every draw, every placement, scored by the slow oracle."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product

import oracle

import ofclab as ofc

Rows = tuple[tuple[ofc.Card, ...], ...]
SIZES = (3, 5, 5)


class Naive:
    """Values of boards under rules, alone or against opponents who may end with any of several boards each."""

    def __init__(
        self, rules: ofc.Rules, values: Mapping[int, float], opponents: Sequence[Sequence[ofc.Board]] = ()
    ) -> None:
        self.flat = rules.flat()
        self.values = {cards: Fraction(str(points)) for cards, points in values.items()}
        self.opponents = [[self._judge(board.rows) for board in boards] for boards in opponents]
        self.rounds = [(r["deal"], r["place"]) for r in self.flat["deal.rounds"]]
        self.finished: dict[Rows, tuple[Fraction, int]] = {}

    def _judge(self, rows: Rows) -> dict:
        return oracle.judge(
            {row: list(map(str, cards)) for row, cards in zip(oracle.ROWS, rows, strict=True)}, self.flat
        )

    def finish(self, rows: Rows) -> tuple[Fraction, int]:
        """Points of a complete board, and the Fantasyland cards it earns (-1 = foul)."""
        rows = tuple(tuple(sorted(row)) for row in rows)
        if rows not in self.finished:
            mine = self._judge(rows)
            points = Fraction(0)
            for boards in self.opponents:
                totals = [oracle.pair_points(mine, other, self.flat)["total"] for other in boards]
                points += Fraction(sum(totals), len(totals))
            if not self.opponents:
                paid = self.flat["royalties.mode"] != "off"
                points += -self.flat["foul.penalty"] if mine["fouled"] else sum(mine["royalties"].values()) * paid
            earned = -1 if mine["fouled"] else mine["next_fantasyland"]
            self.finished[rows] = points + (self.values[earned] if earned > 0 else 0), earned
        return self.finished[rows]

    def best(
        self, rows: Rows, unseen: Sequence[ofc.Card], rounds: Sequence[tuple[int, int]]
    ) -> tuple[Fraction, Counter]:
        """Sum over all draws of the best points, and how often each Fantasyland (-1 = foul) comes of them."""
        if not rounds:
            points, earned = self.finish(rows)
            return points, Counter([earned])
        total, outcomes = Fraction(0), Counter()
        for dealt in combinations(unseen, rounds[0][0]):
            rest = [card for card in unseen if card not in dealt]
            found = max(
                (self.best(after, rest, rounds[1:]) for after in placed(rows, dealt, rounds[0][1])),
                key=lambda one: (one[0], max(one[1]) if len(rounds) == 1 else 0),
            )
            total += found[0]
            outcomes += found[1]
        return total, outcomes


def placed(rows: Rows, dealt: Sequence[ofc.Card], place: int) -> list[Rows]:
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


def legal_board(rules: ofc.Rules, rng: random.Random, without: Sequence[int] = ()) -> ofc.Board:
    """A random board that does not foul, from the rules' deck."""
    deck = [card for card in map(ofc.Card, range(52 + rules.deck.jokers)) if card not in without]
    while True:
        cards = rng.sample(deck, 13)
        board = ofc.Board(cards[:3], cards[3:8], cards[8:])
        if not ofc.is_foul(board, rules):
            return board


def late_spot(
    rules: ofc.Rules, rng: random.Random, open_slots: int, unseen: int
) -> tuple[ofc.Board, tuple[ofc.Card, ...]]:
    """A board with open slots that can still be legal, and so many unseen cards."""
    full = legal_board(rules, rng)
    gone = rng.sample(full.cards, open_slots)
    board = ofc.Board(*(tuple(card for card in row if card not in gone) for row in full.rows))
    others = [card for card in map(ofc.Card, range(52 + rules.deck.jokers)) if card not in full.cards]
    cards = list(gone)[:unseen] + rng.sample(others, max(0, unseen - open_slots))
    return board, tuple(sorted(cards))
