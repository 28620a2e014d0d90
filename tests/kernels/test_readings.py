"""Rows with jokers read one by one and then put in order, against the reading of whole boards."""

from itertools import combinations, permutations

import numpy as np
import pytest

from ofclab.kernels.endgame import last_street
from ofclab.kernels.judge import FOUL, judge, load_board, make_work, points_of
from ofclab.kernels.scoring import read_boards
from ofclab.kernels.street import put, read_finishes, state_of
from ofclab.rules import load_rules
from ofclab.rules.compiled import CompiledRules, compile_rules
from ofclab.solver.payoff import value_rows
from ofclab.strategies.base import placement_table
from ofclab.strategies.expert_streets import card_sets

JOKERS = load_rules("joker-progressive")
RULES = {
    "other row": JOKERS,
    "strongest outright": JOKERS.replace({"jokers.reading": "strongest"}),
    "any card": JOKERS.replace({"jokers.may_copy": "any"}),
    "five of a kind": JOKERS.replace({"jokers.may_copy": "any", "jokers.five_of_a_kind": True}),
    "no card": JOKERS.replace({"jokers.may_copy": "none"}),
    "2-7 middle": load_rules("deuce-pineapple").replace({"deck.jokers": 2, "deck.cards": 54}),
    "strict": JOKERS.replace({"foul.back_over_middle": "gt", "foul.middle_over_front": "gt"}),
}


def random_board(random: np.random.Generator, free: int) -> tuple[np.ndarray, np.ndarray]:
    """A board with so many open slots and nine unseen cards, of few ranks; jokers on it, among them, or both."""
    ranks = random.choice(13, 6, replace=False)
    deck = random.permutation([card for card in range(52) if card // 4 in ranks]).astype(np.uint8)
    board, filled = np.full(13, 255, np.uint8), random.permutation(13)[free:]
    board[filled] = deck[: len(filled)]
    unseen = deck[len(filled) :][:9].copy()
    on_board, drawn = ((1, 0), (2, 0), (1, 1), (0, 1), (0, 2))[int(random.integers(5))]
    board[filled[:on_board]] = range(52, 52 + on_board)
    unseen[:drawn] = range(54 - drawn, 54)
    return board, unseen


def read(board: np.ndarray, rules: CompiledRules) -> list[int]:
    codes = np.zeros((1, 3), np.uint16)
    read_boards(board[None], rules.switches, rules.cross, codes)
    return codes[0].tolist()


@pytest.mark.parametrize("name", RULES)
def test_every_finish_is_read_as_a_whole_board_is(name: str) -> None:
    compiled, random, work = compile_rules(RULES[name]), np.random.default_rng(1), make_work()
    pay = value_rows(compiled, {}).payoff
    for trial in range(150):
        free, spare = 1 + trial % 4, trial // 4 % 2
        board, unseen = random_board(random, free)
        choices, start = placement_table(free + spare, free, 13 - free)
        state, dealt = state_of(board), unseen[: free + spare]
        choices = choices[start[state] : start[state + 1]]
        slots = np.array([state // 36, state // 6 % 6, state % 6])
        load_board(board, work)
        read_finishes(
            board, dealt, choices, card_sets(choices), slots, pay, work, np.empty(32, np.uint32),
            np.empty((3, 32), np.uint16), 3,
        )  # fmt: skip
        for way, choice in enumerate(choices):
            after = board.copy()
            put(after, dealt, choice)
            assert work.codes[:, 3 + way].tolist() == read(after, compiled)


@pytest.mark.parametrize("name", RULES)
def test_a_last_street_is_the_sum_over_whole_boards(name: str) -> None:
    """Three cards drawn, two of them placed either way round."""
    compiled, random, work = compile_rules(RULES[name]), np.random.default_rng(2), make_work()
    pay = value_rows(compiled, {14: 9.6, 15: 13.5, 16: 17.5, 17: 21.5}).payoff
    legal = 0
    for _ in range(25):
        board, unseen = random_board(random, 2)
        first, second = np.flatnonzero(board == 255)
        worth = {}
        for pair in permutations(range(9), 2):
            after, codes = board.copy(), np.zeros((3, 1), np.uint16)
            after[[first, second]] = unseen[list(pair)]
            codes[:, 0] = read(after, compiled)
            judge(codes, 1, pay, work.worths)
            worth[pair] = points_of(work.worths[0])
            legal += work.worths[0] != pay.scalars[FOUL]
        want = sum(max(worth[pair] for pair in permutations(draw, 2)) for draw in combinations(range(9), 3))
        assert last_street(board, unseen, 9, True, False, np.uint64(0), pay, work) == want
    assert legal > 20
