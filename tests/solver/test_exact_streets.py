"""The exact kernels against full enumeration in plain Python, variant by variant."""

import random
from fractions import Fraction

import naive
import numpy as np
import pytest

import ofclab as ofc
from ofclab.rules.compiled import compile_rules
from ofclab.solver.payoff import OpponentBoards, Valuation, value_rows
from ofclab.solver.playout import board_array
from ofclab.solver.streets import ToCome, value

VALUES = {13: 6.5, 14: 9.6, 15: 13.5, 16: 17.5, 17: 21.5}
STRICT = {"foul.back_over_middle": "gt", "foul.middle_over_front": "gt", "foul.cross_length_compare": "prefix_tie"}

VARIANTS = {
    "american-pineapple": {},
    "progressive-pineapple": STRICT,
    "pagat-progressive": {"foul.penalty": 0},
    "deuce-pineapple": {},
    "deuce-pineapple, strict": {"foul.back_over_front": "gt", "foul.cross_length_compare": "prefix_tie"},
    "american-regular": {},
    "turbo": {},
    "joker-progressive": {},
}


def variant(name: str) -> ofc.Rules:
    """The rules of a variant of the table above."""
    return ofc.load_rules(name.partition(",")[0]).replace(VARIANTS[name])


def exact(
    rules: ofc.Rules, board: ofc.Board, unseen: tuple[ofc.Card, ...], streets: int, valuation: Valuation | None = None
) -> tuple[Fraction, list[int]]:
    """Sum of points over all draws, and draws by outcome: foul, then each number of Fantasyland cards."""
    compiled = compile_rules(rules)
    valuation = valuation or value_rows(compiled, VALUES)
    rounds = tuple((int(d), int(p), int(x)) for d, p, x in compiled.rounds[len(compiled.rounds) - streets :])
    to_come = ToCome(rounds)
    cards = np.array([unseen], np.uint8)
    found = value(board_array(board)[None], np.zeros((1, 0), np.uint8), cards, None, to_come, valuation, workers=1)
    draws = to_come.draws(len(unseen))
    assert found.points[0] == pytest.approx(found.units[0] / (valuation.unit * draws))
    counts = np.rint(np.concatenate((found.foul, found.fantasyland[0])) * draws).astype(int).tolist()
    return Fraction(int(found.units[0]), valuation.unit), counts


CASES = [
    # variant, streets to come, open slots, unseen cards, spots
    ("american-pineapple", 1, 2, 9, 30),
    ("progressive-pineapple", 1, 2, 9, 30),
    ("pagat-progressive", 1, 2, 9, 30),
    ("deuce-pineapple", 1, 2, 9, 30),
    ("deuce-pineapple, strict", 1, 2, 9, 30),
    ("american-regular", 1, 1, 20, 30),
    ("american-regular", 2, 2, 9, 30),
    ("american-regular", 3, 3, 6, 12),
    ("turbo", 1, 4, 7, 30),
    ("american-pineapple", 2, 4, 6, 6),
    ("progressive-pineapple", 2, 4, 6, 6),
    ("deuce-pineapple", 2, 4, 6, 6),
]


@pytest.mark.parametrize(("name", "streets", "open_slots", "unseen", "spots"), CASES)
def test_the_last_streets_equal_full_enumeration(
    name: str, streets: int, open_slots: int, unseen: int, spots: int
) -> None:
    rules, rng = variant(name), random.Random(f"{name} {streets}")
    reference = naive.Naive(rules, VALUES)
    cards = value_rows(compile_rules(rules), VALUES).cards
    for _ in range(spots):
        board, rest = naive.late_spot(rules, rng, open_slots, unseen)
        total, counts = exact(rules, board, rest, streets)
        rounds = reference.rounds[len(reference.rounds) - streets :]
        expected, outcomes = reference.best(board.rows, rest, rounds)
        assert total == expected, (board, rest)
        if streets == 1:
            assert counts == [outcomes[-1], *(outcomes[n] for n in cards)], (board, rest)


@pytest.mark.parametrize(
    "changes", [{}, {"jokers.may_copy": "any", "jokers.five_of_a_kind": True}, {"jokers.reading": "strongest"}]
)
def test_jokers_on_the_board_and_among_the_cards(changes: dict[str, object]) -> None:
    rules, rng = ofc.load_rules("joker-progressive").replace(changes), random.Random(f"jokers {changes}")
    reference = naive.Naive(rules, VALUES)
    tried = 0
    while tried < 6:
        board, rest = naive.late_spot(rules, rng, 2, 4)
        if not any(card.is_joker for card in board.cards + rest) or sum(c.is_joker for c in board.cards) > 1:
            continue
        tried += 1
        total, _ = exact(rules, board, rest, 1)
        assert total == reference.best(board.rows, rest, [(3, 2)])[0], (board, rest)


MODES = [
    {},
    {"royalties.mode": "row_winner"},
    {"royalties.mode": "pair_winner"},
    {"royalties.mode": "off"},
    {"scoring.sweep_bonus": 0, "scoring.majority_bonus": 1, "foul.penalty": 4},
    {"foul.pays_opponent_royalties": False, "scoring.per_row": 2},
    {"royalties.mode": "pair_winner", "scoring.majority_bonus": 2},
]


@pytest.mark.parametrize("changes", MODES, ids=lambda changes: ", ".join(changes) or "default")
@pytest.mark.parametrize("name", ["american-pineapple", "deuce-pineapple"])
def test_points_against_known_and_sampled_boards(name: str, changes: dict[str, object]) -> None:
    rules, rng = ofc.load_rules(name).replace(changes), random.Random(f"{name} {changes}")
    compiled = compile_rules(rules)
    for seats, samples in ((1, 1), (2, 1), (1, 5), (2, 4)):
        board, rest = naive.late_spot(rules, rng, 2, 6)
        others = [[naive.legal_board(rules, rng) for _ in range(samples)] for _ in range(seats)]
        if samples > 1:  # a foul among them
            others[0][0] = ofc.Board("As Ad Ac", "2c 3d 4h 5s 8c", "9c 8d 6h 3s 2d")
        boards = []
        for group in others:
            cards = np.array([one.front + one.middle + one.back for one in group], np.uint8)
            boards.append(OpponentBoards.judge(ofc.scoring.read_codes(cards, compiled), compiled))
        total, _ = exact(rules, board, rest, 1, value_rows(compiled, VALUES, boards))
        expected = naive.Naive(rules, VALUES, others).best(board.rows, rest, [(3, 2)])[0]
        assert total == expected, (board, others)


AGAINST = [
    # variant, open slots, unseen cards
    ("american-pineapple", 2, 7),
    ("progressive-pineapple", 2, 7),
    ("pagat-progressive", 2, 7),
    ("deuce-pineapple", 2, 7),
    ("deuce-pineapple, strict", 2, 7),
    ("american-regular", 1, 12),
    ("turbo", 4, 6),
    ("joker-progressive", 2, 4),
]


@pytest.mark.parametrize(("name", "open_slots", "unseen"), AGAINST)
def test_thirty_late_spots_against_opponents(name: str, open_slots: int, unseen: int) -> None:
    """One and two opponents, their boards known or one of several; plain Python tries every draw and placement."""
    rules, rng = variant(name), random.Random(f"against {name}")
    compiled = compile_rules(rules)
    for number in range(30):
        board, rest = naive.late_spot(rules, rng, open_slots, unseen)
        seats, samples = 1 + number % 2, (1, 4)[number % 3 == 0]
        others = [[naive.legal_board(rules, rng, (*board.cards, *rest)) for _ in range(samples)] for _ in range(seats)]
        boards = []
        for group in others:
            cards = np.array([one.front + one.middle + one.back for one in group], np.uint8)
            boards.append(OpponentBoards.judge(ofc.scoring.read_codes(cards, compiled), compiled))
        total, _ = exact(rules, board, rest, 1, value_rows(compiled, VALUES, boards))
        rounds = naive.Naive(rules, VALUES, others).rounds[-1:]
        expected, _ = naive.Naive(rules, VALUES, others).best(board.rows, rest, rounds)
        assert total == expected, (board, rest, others)


@pytest.mark.parametrize("name", ["american-pineapple", "deuce-pineapple", "american-regular"])
def test_chances_of_fantasyland_are_the_slope_of_the_value(name: str) -> None:
    """The best value is convex in the worth of Fantasyland, so its chance bounds what a ten-thousandth more brings."""
    easy_entry = {"fantasyland.entry_front": [{"min": "55", "cards": 13}]}
    rules, rng = variant(name).replace(easy_entry), random.Random(f"slope {name}")
    compiled, step, seen = compile_rules(rules), 0.0001, 0
    for _ in range(20):
        board, rest = naive.late_spot(rules, rng, *((4, 9) if name != "american-regular" else (3, 9)))
        streets = 2 if name != "american-regular" else 3
        low, high = (value_rows(compiled, dict.fromkeys((13, 14, 15), 9.6 + more)) for more in (0, step))
        (before, counts), (after, counts_after) = (exact(rules, board, rest, streets, it) for it in (low, high))
        slope = (after - before) / Fraction(1, 10_000)
        assert sum(counts[1:]) <= slope <= sum(counts_after[1:]), (board, rest)
        seen += slope > 0
    assert seen > 1


def test_great_values_still_fit() -> None:
    rules = ofc.load_rules("american-pineapple")
    board, rest = ofc.Board.parse("Qh 3c / 8s 8d 7c 7d / As Ks 9s 4s 2s"), ofc.parse_cards("Qd 2c 3d 4d 5h 6h 7h")
    valuation = value_rows(compile_rules(rules), {14: 100_000})
    total, counts = exact(rules, board, rest, 1, valuation)
    assert counts[1] == 15
    assert total == naive.Naive(rules, {14: 100_000}).best(board.rows, rest, [(3, 2)])[0]


def test_great_royalties_of_a_pairs_winner() -> None:
    changes = {"royalties.mode": "pair_winner", "royalties.back": {"full_house": 300, "quads": 4000}}
    rules, rng = ofc.load_rules("american-pineapple").replace(changes), random.Random(300)
    compiled = compile_rules(rules)
    other = ofc.Board.parse("Qh Qd 9c / 8s 8d 7c 7d 2c / Tc Td Th 5c 5d")
    cards = np.array([other.front + other.middle + other.back], np.uint8)
    boards = [OpponentBoards.judge(ofc.scoring.read_codes(cards, compiled), compiled)]
    for _ in range(3):
        board, rest = naive.late_spot(rules, rng, 2, 6)
        total, _ = exact(rules, board, rest, 1, value_rows(compiled, VALUES, boards))
        assert total == naive.Naive(rules, VALUES, [[other]]).best(board.rows, rest, [(3, 2)])[0]
