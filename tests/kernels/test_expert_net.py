"""Nets on all placements of a spot against numpy, and their screen."""

import numpy as np
import pytest

from ofclab.kernels.expert_features import INPUTS, chance_table
from ofclab.kernels.expert_net import (
    SCREENED_OUT,
    Nets,
    all_inputs,
    look_at,
    make_scratch,
    to_value,
    value_placements,
)
from ofclab.kernels.expert_play import put_dealt
from ofclab.strategies.base import placement_table
from ofclab.strategies.expert_streets import card_sets


def random_nets(seed: int, screen: float = 0.0) -> Nets:
    random = np.random.default_rng(seed)
    shapes = [(3, INPUTS, 8), (3, 8), (3, 8, 4), (3, 4), (3, 4), (3,), (3,), (3, INPUTS)]
    nets = Nets(*(random.normal(size=shape).astype(np.float32) for shape in shapes))
    return nets._replace(screen=nets.screen * np.float32(screen))


def in_numpy(nets: Nets, street: int, x: np.ndarray) -> np.ndarray:
    def leaky(values: np.ndarray) -> np.ndarray:
        return np.maximum(values, 0.05 * values)

    k = street - 1
    first = leaky(x @ nets.w1[k].astype(float) + nets.b1[k])
    return leaky(first @ nets.w2[k] + nets.b2[k]) @ nets.w3[k] + nets.b3[k]


@pytest.mark.parametrize(("street", "placed", "deal"), [(1, 0, 5), (2, 5, 3), (3, 7, 3)])
def test_values_are_those_of_the_boards_after(street: int, placed: int, deal: int) -> None:
    nets, random = random_nets(street), np.random.default_rng(street)
    scratch, choices_start = make_scratch(nets), placement_table(deal, 5 if street == 1 else 2, placed)
    choices, start = choices_start
    for _ in range(4):
        deck = random.permutation(52).astype(np.uint8)
        board = np.full(13, 255, np.uint8)
        board[[3, 4, 8, 9, 0, 5, 10][:placed]] = deck[:placed]
        dealt, unseen = deck[placed : placed + deal].copy(), deck[placed + deal + 5 :].copy()
        free = [int((board[a:b] == 255).sum()) for a, b in ((0, 3), (3, 8), (8, 13))]
        first, last = start[36 * free[0] + 6 * free[1] + free[2] :][:2]
        chances, values = chance_table()[len(unseen), 3 * (5 - street)], np.zeros(256, np.float32)
        look_at(unseen, len(unseen), scratch)
        value_placements(
            board, dealt, card_sets(choices), first, last, to_value(last - first), street, chances, nets, scratch,
            values,
        )  # fmt: skip
        boards = np.empty((last - first, INPUTS), np.float32)
        fouls = np.zeros(last - first, bool)
        own = make_scratch(nets)
        for i, choice in enumerate(choices[first:last]):
            after = np.empty(13, np.uint8)
            put_dealt(board, dealt, choice, after)
            fouls[i] = all_inputs(after, unseen, len(unseen), chances, own, boards[i])
        want = np.where(fouls, nets.foul[street - 1], in_numpy(nets, street, boards))
        got, kept = values[: last - first], values[: last - first] > SCREENED_OUT
        assert got[kept] == pytest.approx(want[kept], rel=1e-3, abs=1e-3)
        assert kept.all() or last - first > 24


def test_the_screen_keeps_what_is_best_by_a_linear_sum() -> None:
    nets = random_nets(5, screen=1.0)
    # The last layers pass the linear sum on, so that screen and net agree.
    for name in ("w1", "b1", "w2", "b2", "w3", "b3"):
        getattr(nets, name)[:] = 0
    nets.w1[0, :, 0], nets.b1[0, 0] = nets.screen[0], 1000.0
    nets.w2[0, 0, 0] = nets.w3[0, 0] = 1.0
    scratch, (choices, start) = make_scratch(nets), placement_table(5, 5, 0)
    deck = np.random.default_rng(2).permutation(52).astype(np.uint8)
    board, values = np.full(13, 255, np.uint8), np.zeros(256, np.float32)
    look_at(deck[5:], 47, scratch)
    first, last = start[143], start[144]
    value_placements(
        board, deck[:5], card_sets(choices), first, last, 24, 1, chance_table()[47, 12], nets, scratch, values
    )  # fmt: skip
    kept = values[: last - first] > SCREENED_OUT
    x, want = np.empty(INPUTS, np.float32), np.empty(last - first)
    for i, choice in enumerate(choices[first:last]):
        after = np.empty(13, np.uint8)
        put_dealt(board, deck[:5], choice, after)
        all_inputs(after, deck[5:], 47, chance_table()[47, 12], make_scratch(nets), x)
        want[i] = x.astype(float) @ nets.screen[0]
    assert 24 <= kept.sum() <= 26
    assert want[kept].min() >= want[~kept].max() - 1e-4
