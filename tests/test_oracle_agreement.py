"""The package scores random boards exactly as the slow oracle does, under every preset and random house rules."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest

import ofclab as ofc
from ofclab.kernels.rowstate import rank_fives, rank_fronts, rank_lows
from ofclab.scoring import score_boards

PRESETS = json.loads((Path(__file__).parent / "data" / "examples.json").read_text(encoding="utf-8"))["presets"]
CARD_ID = {card: number for number, card in enumerate((*oracle.DECK, "X1", "X2"))}
ROWS = oracle.ROWS
BoardCards = dict[str, list[str]]
Hand = tuple[list[BoardCards], list[int]]  # boards by seat, cards each seat came in with


def arrange(cards: list[str], rng: random.Random, params: dict[str, Any], tries: int, climb: bool) -> BoardCards:
    """Put 13 cards into rows: the first legal shuffle of several, or (climb) swap cards to be paid more.

    In a 2-7 middle the first unpaired low cards are put, which a shuffle rarely does.
    """
    chosen: list[str] = []
    most = -2
    for _ in range(tries):
        trial = list(chosen) if climb and most >= 0 else rng.sample(cards, 13)
        if trial == chosen:
            i, j = rng.sample(range(13), 2)
            trial[i], trial[j] = trial[j], trial[i]
        elif oracle.is_low(params):
            lows = list({card[0]: card for card in trial if card[0] in "23456789TX"}.values())[:5]
            others = [card for card in trial if card not in lows]
            trial = others[:3] + lows + others[3:]
        seat = oracle.judge(in_rows(trial), params)
        worth = -1 if seat["fouled"] else sum(seat["royalties"].values()) + 10 * bool(seat["next_fantasyland"])
        if worth >= most:
            chosen, most = trial, worth
        if most >= 0 and not climb:
            break
    return in_rows(chosen)


def in_rows(cards: list[str]) -> BoardCards:
    return {"front": cards[:3], "middle": cards[3:8], "back": cards[8:]}


def a_deck(rng: random.Random, jokers: int, small: bool) -> list[str]:
    """The whole deck, or a part of it in which strong hands are common."""
    wild = ["X1", "X2"][:jokers]
    if not small:
        return [*oracle.DECK, *wild]
    start = rng.randint(0, 7)
    ranks, suits = rng.choice(
        (
            (rng.sample(oracle.RANKS, rng.randint(4, 5)), "cdhs"),  # trips to quads
            (oracle.RANKS, rng.sample("cdhs", 2)),  # flushes
            (oracle.RANKS[start : start + 6], "cdhs"),  # straights
        )
    )
    kept = [card for card in oracle.DECK if card[0] in ranks and card[1] in suits]
    others = [card for card in oracle.DECK if card not in kept]
    return rng.sample(kept, min(len(kept), rng.randint(13, 17))) + rng.sample(others, 2) + wild[: rng.choice((0, 1, 2))]


def random_hands(
    params: dict[str, Any], seats: int, count: int, rng: random.Random, effort: int = 60
) -> Iterator[Hand]:
    """Hands of which a third are random, a third mostly legal, a third mostly legal and strong (effort: tries)."""
    jokers = params["deck.jokers"]
    for number in range(count):
        kind = number % 3
        deck = a_deck(rng, jokers, small=False)
        rng.shuffle(deck)
        boards = []
        for seat in range(seats):
            cards = deck[13 * seat : 13 * seat + 13]
            if kind == 2:
                cards = rng.sample(a_deck(rng, jokers, small=True), 13)
            two_wild = sum(card[0] == "X" for card in cards) == 2  # the oracle takes its time over these
            boards.append(
                arrange(cards, rng, params, tries=(1, 12, effort // 5 if two_wild else effort)[kind], climb=kind == 2)
            )
        yield boards, [rng.choice((0, 0, 0, 0, 13, 14, 15, 16, 17)) for _ in range(seats)]


def natural_hands(size: int) -> list[list[str]]:
    """One hand of every class of three or five cards: 455 or 7,462."""
    hands = []
    for ranks in combinations_with_replacement(oracle.RANKS, size):
        counts = Counter(ranks)
        if max(counts.values()) > 4:
            continue
        cards = [rank + "cdhs"[i] for rank, count in counts.items() for i in range(count)]  # suited if all differ
        if len(counts) < size or size == 5:
            hands.append(cards)
        if len(counts) == size:
            hands.append([ranks[0] + "d", *cards[1:]])
    return hands


def codes_of(hands: list[list[str]], rank: Callable[..., Any]) -> list[int]:
    codes: list[int] = rank(np.array([[CARD_ID[card] for card in hand] for hand in hands])).tolist()
    return codes


@cache
def natural_codes(sign: int) -> frozenset[tuple[int, oracle.Hand]]:
    """Every natural class with its code in the package: the high scale of fronts and fives, or the 2-7 scale."""
    fives, fronts = natural_hands(5), natural_hands(3)
    if sign < 0:
        return frozenset(zip(codes_of(fives, rank_lows), map(oracle.low_rank, fives), strict=True))
    codes = codes_of(fives, rank_fives) + codes_of(fronts, rank_fronts)
    return frozenset(zip(codes, map(oracle.hand_rank, fives + fronts), strict=True))


def assert_same_order(found: dict[int, set[tuple[int, oracle.Hand]]]) -> None:
    """Row codes and the oracle's hands, every natural class among them, must be in one order (for 2-7 upside down)."""
    for sign, rows in found.items():
        pairs = rows | natural_codes(sign)
        ordered = sorted(pairs, key=lambda pair: pair[1], reverse=sign < 0)
        codes = [code for code, _ in ordered]
        assert codes == sorted(set(codes))
        assert len({hand for _, hand in pairs}) == len(pairs)


def assert_agrees(hands: list[Hand], rules: ofc.Rules, params: dict[str, Any]) -> None:
    """Compare a batch of hands with the same number of seats, everything in one go."""
    cards = np.array([[[CARD_ID[card] for row in ROWS for card in board[row]] for board in hand[0]] for hand in hands])
    batch = score_boards(cards.astype(np.uint8), rules, np.array([came_in for _, came_in in hands], np.uint8))
    orders: dict[int, set[tuple[int, oracle.Hand]]] = {1: set(), -1: set()}
    for i, (boards, came_in) in enumerate(hands):
        truth = oracle.score(boards, params, came_in)
        for j, seat in enumerate(truth["seats"]):
            told = boards[j], came_in[j], seat
            assert bool(batch.fouled[i, j]) == seat["fouled"], told
            assert batch.royalties[i, j].tolist() == [seat["royalties"][row] for row in ROWS], told
            assert batch.next_fantasyland[i, j] == seat["next_fantasyland"], told
            for row, code in zip(ROWS, batch.codes[i, j].tolist(), strict=True):
                orders[-1 if row == "middle" and oracle.is_low(params) else 1].add((code, seat["hands"][row]))
        pairs = [[*pair["rows"], pair["base"], pair["royalties"], pair["total"]] for pair in truth["pairs"].values()]
        assert batch.pairs[i].tolist() == pairs, boards
        assert batch.points[i].tolist() == truth["points"], boards
    assert_same_order(orders)


def assert_score_agrees(hand: Hand, rules: ofc.Rules, params: dict[str, Any], announced: list[bool | None]) -> None:
    """The same for one hand through the public function, with announcements."""
    boards, came_in = hand
    truth = oracle.score(boards, params, came_in, announced)
    texts = [" / ".join(" ".join(board[row]) for row in ROWS) for board in boards]
    result = ofc.score(texts, rules, fantasyland=came_in, announced=announced)
    assert list(result.points) == truth["points"]
    assert [seat.next_fantasyland for seat in result.seats] == [seat["next_fantasyland"] for seat in truth["seats"]]
    for text, board, seat in zip(texts, boards, truth["seats"], strict=True):
        assert ofc.is_foul(ofc.Board.parse(text), rules) == seat["fouled"], board


def check_preset(preset: str, hands_per_table: int) -> None:
    params, rules = PRESETS[preset], ofc.load_rules(preset)
    for seats in range(2, params["players.max"] + 1):
        rng = random.Random(f"{preset} {seats}")
        hands = list(random_hands(params, seats, hands_per_table, rng))
        assert_agrees(hands, rules, params)
        for hand in hands[:3]:
            assert_score_agrees(hand, rules, params, [rng.choice((None, True, False)) for _ in range(seats)])


def some_of(table: dict[str, int], rng: random.Random) -> dict[str, int]:
    return {name: rng.randint(0, 30) for name in table if rng.random() < 0.6}


def house_rules(rng: random.Random) -> tuple[ofc.Rules, dict[str, Any]]:
    """A preset with many parameters replaced by random ones that make sense together."""
    preset = rng.choice(("american-pineapple", "pagat-pineapple", "joker-progressive", "deuce-pineapple"))
    low = preset == "deuce-pineapple"
    if jokers := rng.choice((0, 2)) if low else PRESETS[preset]["deck.jokers"]:
        jokers = rng.randint(1, 2)
    order = ("ge", "gt")
    pairs, trips = ([rank * size for rank in oracle.RANKS] for size in (2, 3))
    categories = dict.fromkeys(oracle.CATEGORIES, 0)
    count = (13, 14, 15, 16, 17)
    changes: dict[str, Any] = {
        "deck.cards": 52 + jokers,
        "deck.jokers": jokers,
        "jokers.may_copy": rng.choice(("none", "other_row", "any")),
        "jokers.reading": rng.choice(("strongest_legal", "strongest_legal", "strongest")),
        "jokers.five_of_a_kind": rng.random() < 0.5,
        "scoring.per_row": rng.randint(0, 3),
        "scoring.sweep_bonus": rng.randint(0, 5),
        "scoring.majority_bonus": rng.randint(0, 3),
        "foul.penalty": rng.randint(0, 10),
        "foul.pays_opponent_royalties": rng.random() < 0.7,
        "foul.cross_length_compare": rng.choice(("missing_lowest", "prefix_tie")),
        "royalties.mode": rng.choice(("both", "row_winner", "pair_winner", "off")),
        "royalties.front": some_of(dict.fromkeys(pairs + trips, 0), rng),
        "royalties.back": some_of(categories, rng),
        "fantasyland.enabled": rng.random() < 0.9,
        "fantasyland.entry_front": [
            {"min": rng.choice(pairs * 2 + trips), "cards": rng.choice(count)} for _ in range(rng.randint(0, 4))
        ],
        "fantasyland.stay": {
            "front": rng.choice((None, rng.choice(pairs + trips))),
            "middle": None if low else rng.choice((None, rng.choice(oracle.CATEGORIES[1:]))),
            "back": rng.choice((None, rng.choice(oracle.CATEGORIES[1:]))),
            "low_wheel": low and rng.random() < 0.5,
        },
        "fantasyland.stay_cards": rng.choice((*count, "same")),
        "fantasyland.stay_must_announce": rng.random() < 0.5,
    }
    if low:
        wheel = rng.choice((0, *count))
        changes |= {
            "foul.back_over_front": rng.choice(order),
            "foul.low_middle_worst": rng.choice((None, *"789TJQKA")),
            "royalties.middle_low": some_of({"75432": 0, "7-low": 0, "8-low": 0, "T-low": 0, "A-low": 0}, rng),
            "fantasyland.entry_low_wheel_cards": wheel,
            "fantasyland.entry_both_cards": rng.choice((0, *count))
            if wheel and changes["fantasyland.entry_front"]
            else 0,
        }
    else:
        changes |= {
            "foul.back_over_middle": rng.choice(order),
            "foul.middle_over_front": rng.choice(order),
            "royalties.middle": some_of(categories, rng),
        }
    return ofc.load_rules(preset).replace(changes), {**PRESETS[preset], **changes}


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_presets_agree_with_the_oracle(preset: str) -> None:
    check_preset(preset, hands_per_table=15)


@pytest.mark.parametrize("seed", range(40))
def test_house_rules_agree_with_the_oracle(seed: int) -> None:
    rng = random.Random(f"house {seed}")
    rules, params = house_rules(rng)
    hands = list(random_hands(params, 2 + seed % 2, 9, rng))
    assert_agrees(hands, rules, params)
    for hand in hands:
        assert_score_agrees(hand, rules, params, [rng.choice((None, True, False)) for _ in hand[0]])


@pytest.mark.parametrize("may_copy", ["none", "other_row", "any"])
@pytest.mark.parametrize("five_of_a_kind", [False, True])
@pytest.mark.parametrize("row", ROWS)
def test_two_jokers_in_one_row_agree_with_the_oracle(may_copy: str, five_of_a_kind: bool, row: str) -> None:
    """Few ranks and few suits, so that flushes, straight flushes and quads of two jokers come up and can clash."""
    changes = {"jokers.may_copy": may_copy, "jokers.five_of_a_kind": five_of_a_kind}
    params, rules = PRESETS["joker-progressive"] | changes, ofc.load_rules("joker-progressive").replace(changes)
    rng = random.Random(f"{may_copy} {five_of_a_kind} {row}")
    hands: list[Hand] = []
    for number in range(16):
        kept = rng.sample("cdhs", 2) if number % 2 else rng.sample(oracle.RANKS, 4)
        cards = rng.sample([card for card in oracle.DECK if set(card) & set(kept)], 11)
        board = {
            name: [cards.pop() for _ in range(size)] for name, size in zip(ROWS, (3, 5, 5), strict=True) if name != row
        }
        board = {name: board.get(name, [*cards, "X1", "X2"]) for name in ROWS}
        hands.append(([board, board], [0, 17]))
    assert_agrees(hands, rules, params)


def test_every_class_has_one_code() -> None:
    assert len(natural_codes(1)) == 7_462 + 455
    assert len(natural_codes(-1)) == 7_462
    assert_same_order({1: set(), -1: set()})


def test_the_random_boards_are_varied_enough_to_tell() -> None:
    """Guard the generator: legal boards, fouls, strong rows, entries, stays and jokers must all be common."""
    seen = dict.fromkeys(("legal", "foul", "royalty", "entry", "stay", "joker", "two jokers in a row"), 0)
    for preset in ("joker-progressive", "deuce-pineapple"):
        for boards, came_in in random_hands(PRESETS[preset], 3, 100, random.Random(preset)):
            for board, cards in zip(boards, came_in, strict=True):
                seat = oracle.judge(board, PRESETS[preset], cards)
                wild = [sum(card[0] == "X" for card in board[row]) for row in ROWS]
                seen["foul" if seat["fouled"] else "legal"] += 1
                seen["royalty"] += any(seat["royalties"].values())
                seen["stay" if cards else "entry"] += seat["next_fantasyland"] > 0
                seen["joker"] += any(wild)
                seen["two jokers in a row"] += 2 in wild
    assert min(seen.values()) >= 6, seen


@pytest.mark.slow
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_hundred_thousand_boards_agree_with_the_oracle(preset: str) -> None:
    params, rules = PRESETS[preset], ofc.load_rules(preset)
    rng = random.Random(f"slow {preset}")
    left = 100_000
    while left > 0:
        seats = rng.randint(2, params["players.max"])
        assert_agrees(list(random_hands(params, seats, 1_000, rng, effort=15)), rules, params)
        left -= 1_000 * seats


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1_000))
def test_a_thousand_house_rules_agree_with_the_oracle(seed: int) -> None:
    rng = random.Random(f"slow house {seed}")
    rules, params = house_rules(rng)
    assert_agrees(list(random_hands(params, rng.randint(2, 3), 30, rng, effort=15)), rules, params)
