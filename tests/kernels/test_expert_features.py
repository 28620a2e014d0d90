"""The nets' numbers against a plain-Python reading of what each of them is."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest

from ofclab.board import compare_hands
from ofclab.cards import RANKS, Card
from ofclab.kernels.expert_features import FIRST_CROSS, INPUTS, chance_table
from ofclab.kernels.expert_net import Nets, all_inputs, make_scratch
from ofclab.kernels.rowstate import rank_fives
from ofclab.kernels.scoring import LOW_WORST
from ofclab.kernels.tables import CATEGORY
from ofclab.rules import load_rules
from ofclab.rules.compiled import compile_rules

PRESENT = 0.45


def hyp(unseen: int, dealt: int, outs: int, needed: int) -> float:
    """Chance of so many of the outs or more among the cards still to be dealt."""
    outs = min(outs, 16)
    if needed == 0:
        return 1.0
    misses = sum(comb(outs, hits) * comb(unseen - outs, dealt - hits) for hits in range(needed))
    return 1 - misses / comb(unseen, dealt)


class Row:
    """One row with what the unseen cards make of it."""

    def __init__(self, cards: list[int], size: int, unseen: list[int], dealt: int) -> None:
        self.cards, self.free = cards, size - len(cards)
        self.natural = [card for card in cards if card < 52]
        self.jokers, self.wild = len(cards) - len(self.natural), sum(card >= 52 for card in unseen)
        self.live = Counter(card // 4 for card in unseen if card < 52)
        self.suits = Counter(card % 4 for card in unseen if card < 52)
        self.counts = Counter(card // 4 for card in self.natural)
        self.order = sorted(self.counts, key=lambda rank: (self.counts[rank], rank), reverse=True)
        self.n, self.dealt = len(unseen), dealt
        if self.jokers and not self.natural:
            self.order = [12]
        self.main = self.order[0] if self.order else -1
        shape = [*sorted(self.counts.values(), reverse=True), 0, 0]
        shape[0] += self.jokers
        self.kind = {5: 7, 4: 7, 3: 6 if shape[1] == 2 else 3, 2: 2 if shape[1] == 2 else 1}.get(shape[0], 0)
        if size == 5 and self.free == 0:
            self.kind = self.category()

    def category(self) -> int:
        """Category of a complete row of five, the best any cards make of its jokers; at most a straight flush."""
        if max(self.counts.values(), default=0) + self.jokers == 5:
            return 8
        others = [card for card in range(52) if card not in self.natural]
        rows = [[*self.natural, *read] for read in combinations(others, self.jokers)]
        return min(8, int(CATEGORY[rank_fives(np.array(rows)).max()]))

    def hyp(self, outs: int, needed: int) -> float:
        return hyp(self.n, self.dealt, outs, needed)

    def ranked(self, place: int) -> int:
        return self.order[place] if place < len(self.order) else -1

    @property
    def flush(self) -> float:
        suits = {card % 4 for card in self.natural}
        return max(self.hyp(self.suits[suit] + self.wild, self.free) if suits <= {suit} else 0.0 for suit in range(4))

    def fill(self, window: set[int], wild: int) -> float:
        """Chance of the missing cards of a straight or a wheel, jokers of the row in the place of the rarest."""
        missing = sorted(self.hyp(self.live[rank] + wild, 1) for rank in window - set(self.counts))
        return float(np.prod(missing[self.jokers :]))

    @property
    def straights(self) -> list[float]:
        if max(self.counts.values(), default=1) > 1:
            return [0.0]
        windows = [{12, 0, 1, 2, 3}, *({*range(low, low + 5)} for low in range(9))]
        return [self.fill(window, self.wild) for window in windows if set(self.counts) <= window] or [0.0]

    @property
    def strong(self) -> bool:
        return self.kind >= 3 or self.flush > PRESENT or max(self.straights) > PRESENT

    def five(self) -> list[float]:
        singles = sum(self.live[rank] for rank, count in self.counts.items() if count == 1)
        second, any_card, wild = self.ranked(1), bool(self.cards), self.wild
        numbers = [float(self.free == free) for free in range(6)] + [float(self.kind == kind) for kind in range(9)]
        numbers += [(self.ranked(place) + 1) / 13 for place in range(3)]
        one_suit = any_card and len({card % 4 for card in self.natural}) <= 1
        numbers += [one_suit, self.flush, one_suit and len(self.cards) >= 3, max(self.straights), sum(self.straights)]
        numbers += [
            self.hyp(self.live[self.main] + wild, 1) if self.free and any_card else 0,
            self.hyp(self.live[self.main] + wild, 2) if self.free > 1 and any_card else 0,
            self.hyp(self.live[second] + wild, 1) if self.free and second >= 0 else 0,
            self.hyp(singles + wild, 1) if self.free and any_card else 0,
            self.hyp(singles + wild, 2) if self.free > 1 and any_card else 0,
        ]
        numbers += [(self.main + 1) / 13 * (self.kind == kind) for kind in (1, 2, 0)]
        to_full = self.hyp(self.live[self.main] + self.live[second] + wild, 1) if self.kind == 2 and self.free else 0
        return [*numbers, to_full, *(self.counts[rank] for rank in range(13)), self.jokers]

    @property
    def big(self) -> bool:
        return self.kind == 3 or (self.kind == 1 and self.main >= 10)

    @property
    def matching(self) -> int:
        if self.kind or not self.free:
            return 0
        return sum(self.live[rank] for rank in (10, 11, 12) if self.counts[rank] + self.jokers)

    def front(self) -> list[float]:
        numbers = [float(self.free == free) for free in range(4)] + [float(self.kind == kind) for kind in (0, 1, 3)]
        pair = self.kind > 0
        numbers += [(self.main + 1) / 13 * pair, *((self.ranked(place) + 1) / 13 * (not pair) for place in (0, 1))]
        numbers += [{0: 0, 1: max(0, self.main - 3), 3: 10 + self.main}[self.kind] / 10, self.big]
        numbers.append(self.hyp(self.matching + self.wild, 1) if self.matching else 0)
        held = {rank: self.counts[rank] + self.jokers for rank in (10, 11, 12)}
        from_two = [1 - self.hyp(self.live[rank] + self.wild, 2) for rank in held if not held[rank]]
        numbers.append(1 - float(np.prod(from_two)) if self.kind == 0 and self.free > 1 else 0)
        to_trips = 0.0
        if self.kind == 1 and self.free:
            to_trips = self.hyp(self.live[self.main] + self.wild, 1) if self.natural else 1.0
        elif self.kind == 0 and len(self.cards) == 1:
            to_trips = self.hyp(self.live[self.main] + self.wild, 2)
        any_pair = 0.0
        if self.kind == 0 and self.free and self.cards:
            any_pair = 1.0 if self.jokers else self.hyp(sum(self.live[rank] for rank in self.counts) + self.wild, 1)
        numbers += [to_trips, any_pair]
        for rank, count in held.items():
            outs = self.live[rank] + self.wild
            numbers.append(1 if count > 1 else self.hyp(outs, 2 - count) if self.free >= 2 - count else 0)
        return [*numbers, *(self.counts[rank] for rank in range(13)), self.jokers]


class LowRow(Row):
    """A middle that is a 2-7 low."""

    @property
    def paired(self) -> bool:
        return max(self.counts.values(), default=1) > 1

    def low(self, top: int) -> float:
        """Chance of enough different ranks up to the top one, each rank taken by itself."""
        if self.paired or max(self.counts, default=0) > top:
            return 0.0
        missing = [rank for rank in range(top + 1) if not self.counts[rank]]
        hit = {rank: self.hyp(self.live[rank], 1) for rank in missing}
        return sum(
            float(np.prod([hit[rank] if rank in chosen else 1 - hit[rank] for rank in missing]))
            for size in range(self.free, len(missing) + 1)
            for chosen in combinations(missing, size)
        )

    @property
    def strong(self) -> int:
        return 0 if self.low(8) == 0 else 1 if self.low(8) < PRESENT else 2 if self.low(8) < 0.85 else 3

    def five(self) -> list[float]:
        descending = sorted(self.counts, reverse=True)
        one_suit = len({card % 4 for card in self.natural}) < 2
        numbers = [float(self.free == free) for free in range(6)]
        numbers += [self.paired, bool(descending) and descending[0] > 8]
        numbers += [(descending[place] + 1) / 13 if place < len(descending) else 0 for place in range(3)]
        numbers += [sum(rank <= 5 for rank in descending)]
        numbers += [one_suit and len(self.cards) >= 2, one_suit and len(self.cards) >= 3]
        numbers += [len(self.cards) >= 3 and not self.paired and descending[0] - descending[-1] <= 4]
        numbers += [self.low(top) for top in (5, 6, 7, 8)]
        wheel = {0, 1, 2, 3, 5}
        inside = not self.paired and set(self.counts) <= wheel
        to_wheel = self.fill(wheel, 0)
        return [*numbers, to_wheel * inside, *[0.0] * 12, *(self.counts[rank] for rank in range(13)), self.jokers]

    def is_worse_than(self, low: str) -> bool:
        """Tell whether a complete row is no low as good as this one."""
        if self.paired:
            return True
        worst = [RANKS.index(rank) for rank in low]
        for read in combinations(set(range(13)) - set(self.counts), self.jokers):
            ranks = sorted([*self.counts, *read], reverse=True)
            # A joker may take another suit.
            flush = self.jokers == 0 and len({card % 4 for card in self.cards}) == 1
            if ranks[0] - ranks[4] != 4 and not flush and ranks <= worst:
                return False
        return True


def across_low(front: Row, middle: LowRow, back: Row) -> list[float]:
    """Numbers across rows where the middle is a low: the back stands to the front as elsewhere to the middle."""
    plain = across(front, back, back)
    dead = middle.paired or (middle.free == 0 and middle.is_worse_than("T9876"))
    in_back = plain[8:24].index(1.0) % 4
    buckets = [float(place == 4 * middle.strong + in_back) for place in range(16)]
    ahead = plain[0]
    numbers = [ahead, 0, min(ahead, 0), 0, np.sign(ahead), 0, dead, plain[6]]
    return [*numbers, *plain[8:24], *buckets, 0, 0, plain[40]]


def across(front: Row, middle: Row, back: Row) -> list[float]:
    """Numbers across rows."""

    def ahead(strong: Row, weak: Row) -> float:
        return (100 * (strong.kind - weak.kind) + 7 * (strong.main - weak.main)) / 100

    def beats(first: Row, second: Row) -> bool:
        if first.free or second.free or first.jokers:
            return False
        others = [card for card in range(52) if card not in second.natural]
        own = [Card(card) for card in first.cards]
        return all(
            compare_hands(own, [Card(card) for card in (*second.natural, *read)]) > 0
            for read in combinations(others, second.jokers)
        )

    def group(row: Row, before: Row) -> int:
        if row.strong:
            return 3
        above = before.kind == 0 or (before.kind == 1 and before.main < row.main)
        return 2 if row.kind == 2 else int(row.kind == 1 and above)

    def gap(strong: Row, weak: Row) -> float:
        return (strong.main - weak.main) / 13 if strong.kind == weak.kind == 1 else 0.0

    one, two = ahead(middle, front), ahead(back, middle)
    state = 3 if front.big else 2 if front.kind == 1 else int(front.matching > 0)
    in_middle, in_back = group(middle, front), group(back, middle)
    numbers = [one, two, min(one, 0), min(two, 0), np.sign(one), np.sign(two)]
    numbers += [beats(front, middle), beats(middle, back)]
    numbers += [float(place == 4 * state + in_middle) for place in range(16)]
    numbers += [float(place == 4 * in_middle + in_back) for place in range(16)]
    return [*numbers, gap(middle, front), gap(back, middle), gap(back, front)]


def oracle(slots: list[int], unseen: list[int], dealt: int, low: bool = False) -> list[float]:
    """All 183 numbers."""
    rows = [[card for card in slots[a:b] if card != 255] for a, b in ((0, 3), (3, 8), (8, 13))]
    front, middle, back = (Row(cards, size, unseen, dealt) for cards, size in zip(rows, (3, 5, 5), strict=True))
    live = Counter(card // 4 for card in unseen)
    shared = [(len(unseen) - 32) / 10, *(live[rank] for rank in range(13)), live[13]]
    if low:
        middle = LowRow(rows[1], 5, unseen, dealt)
        together = across_low(front, middle, back)
    else:
        together = across(front, middle, back)
    numbers = [*shared, *front.front(), *middle.five(), *back.five(), *together]
    return [float(number) for number in numbers]


def no_nets() -> Nets:
    shapes = [(3, INPUTS, 4), (3, 4), (3, 4, 4), (3, 4), (3, 4), (3,), (3,), (3, INPUTS)]
    return Nets(*(np.zeros(shape, np.float32) for shape in shapes))


def random_board(
    random: np.random.Generator, street: int, few_ranks: bool, deck_size: int = 52
) -> tuple[np.ndarray, np.ndarray]:
    """A board after a street and what is unseen; of few ranks or suits, so that pairs and flushes are common."""
    deck = random.permutation(deck_size)
    if few_ranks:
        deck = np.array(sorted(deck, key=lambda card: (card // 4 % 3 != 0 and card % 4 != 1, random.random())))
    slots = np.full(13, 255, np.uint8)
    at = random.permutation(13)[: 3 + 2 * street]
    if deck_size > 52 and random.random() < 0.7:
        # One joker or both to the board.
        to_board = range(52, 52 + int(random.integers(1, deck_size - 51)))
        deck = np.array(sorted(deck, key=lambda card: card not in to_board))
    slots[at] = deck[: len(at)]
    return slots, deck[len(at) + int(random.integers(0, 14)) :].astype(np.uint8)


@pytest.mark.parametrize("deck_size", [52, 53, 54])
@pytest.mark.parametrize("street", [1, 2, 3, 4])
def test_numbers_are_what_they_say(street: int, deck_size: int) -> None:
    random, scratch, x = np.random.default_rng(street), make_scratch(no_nets()), np.zeros(INPUTS, np.float32)
    dealt = 3 * (5 - street)
    for trial in range(60):
        slots, unseen = random_board(random, street, trial % 2 == 0, deck_size)
        fouls = all_inputs(slots, unseen, len(unseen), chance_table()[len(unseen), dealt], scratch, x)
        want = oracle(slots.tolist(), unseen.tolist(), dealt)
        assert x.tolist() == pytest.approx(want, abs=2e-5)
        assert fouls == bool(want[FIRST_CROSS + 6] or want[FIRST_CROSS + 7])


@pytest.mark.parametrize("deck_size", [52, 54])
@pytest.mark.parametrize("street", [1, 2, 3, 4])
def test_numbers_of_a_low_middle_are_what_they_say(street: int, deck_size: int) -> None:
    random, dealt = np.random.default_rng(street), 3 * (5 - street)
    worst = int(compile_rules(load_rules("deuce-pineapple")).switches[LOW_WORST])
    scratch, x = make_scratch(no_nets(), worst), np.zeros(INPUTS, np.float32)
    for trial in range(60):
        slots, unseen = random_board(random, street, trial % 2 == 0, deck_size)
        if trial % 3 == 0:
            # Small cards to the middle, so that lows are common.
            cards = sorted(slots[slots != 255].tolist())
            slots[slots != 255] = [*cards[5:8], *cards[:5], *cards[8:]] if len(cards) > 8 else cards
        fouls = all_inputs(slots, unseen, len(unseen), chance_table()[len(unseen), dealt], scratch, x)
        want = oracle(slots.tolist(), unseen.tolist(), dealt, low=True)
        assert x.tolist() == pytest.approx(want, abs=2e-5)
        assert fouls == bool(want[FIRST_CROSS + 6] or want[FIRST_CROSS + 7])


def test_a_chance_is_that_of_the_hypergeometric_distribution() -> None:
    table = chance_table()
    assert table[32, 6, 3, 1] == pytest.approx(1 - comb(29, 6) / comb(32, 6))
    assert table[27, 3, 2, 2] == pytest.approx(25 / comb(27, 3))
    assert (table[40, 12, :, 0] == 1).all()
    assert not table[40, 3, :, 4].any()
