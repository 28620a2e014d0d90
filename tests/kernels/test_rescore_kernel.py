"""Re-scored points are those of the scorer, under every preset and under tables no preset has."""

import numpy as np
import pytest
from numpy.typing import NDArray

import ofclab as ofc
from ofclab.kernels import tables as t
from ofclab.kernels.placement import deal
from ofclab.kernels.rescore import MOST_STEPS, RescoreTables, rescore_boards, rescore_codes, rescore_tables
from ofclab.rules.compiled import compile_rules
from ofclab.scoring import read_codes, score_codes

HANDS = 3_000
TABLES = np.arange(HANDS, dtype=np.uint64)
PINEAPPLE = ofc.load_rules("american-pineapple")
DEUCE = ofc.load_rules("deuce-pineapple")
CHANGES = {
    "row winner": {"royalties.mode": "row_winner"},
    "pair winner": {"royalties.mode": "pair_winner"},
    "off": {"royalties.mode": "off"},
    "majority": {"scoring.majority_bonus": 2, "scoring.sweep_bonus": 4, "scoring.per_row": 3},
    "fouler keeps royalties": {"foul.pays_opponent_royalties": False, "foul.penalty": 9},
    "strict": {"foul.back_over_middle": "gt", "foul.middle_over_front": "gt"},
    "prefix tie": {"foul.cross_length_compare": "prefix_tie"},
    "falling": {"royalties.back": {"straight": 9, "flush": 3, "full_house": 7}, "royalties.front": {"66": 4, "AA": 1}},
    "more than int16": {"foul.penalty": 40_000},
}


def boards_of(rules: ofc.Rules, seats: int) -> NDArray[np.uint8]:
    """Random boards, every third hand of sorted cards so that fewer foul."""
    cards = deal(5, TABLES, 0, seats, rules.deck.jokers)[:, :, :13].copy()
    cards[::3] = np.sort(cards[::3], axis=2)
    return cards


def tables_of(rules: ofc.Rules) -> RescoreTables:
    compiled = compile_rules(rules)
    return rescore_tables(compiled.royalty, compiled.switches, compiled.cross)


def same_as_the_scorer(rules: ofc.Rules, seats: int) -> None:
    compiled, boards = compile_rules(rules), boards_of(rules, seats)
    codes = read_codes(boards, compiled)
    scores = score_codes(codes, compiled, np.zeros((HANDS, seats), np.uint8))
    assert 0 < scores.fouled.mean() < 1
    tables = tables_of(rules)
    by_row = np.ascontiguousarray(codes.transpose(1, 2, 0))
    assert np.array_equal(rescore_codes(by_row, tables).T, scores.points)
    assert np.array_equal(rescore_boards(boards, tables).T, scores.points)


@pytest.mark.parametrize("name", ofc.presets())
def test_presets(name: str) -> None:
    same_as_the_scorer(ofc.load_rules(name), 2)


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("seats", [2, 3])
def test_house_rules(changes: dict[str, object], seats: int) -> None:
    same_as_the_scorer(PINEAPPLE.replace(changes), seats)


def test_four_seats() -> None:
    same_as_the_scorer(ofc.load_rules("american-regular"), 4)


def test_lows_without_a_limit() -> None:
    same_as_the_scorer(DEUCE.replace({"foul.low_middle_worst": None}), 2)


def test_worth_by_every_code_is_looked_up() -> None:
    """A table with a step at almost every code, rising and falling."""
    compiled = compile_rules(PINEAPPLE)
    royalty = np.random.default_rng(1).integers(-5, 50, compiled.royalty.shape).astype(np.int32)
    royalty.setflags(write=False)
    tables = rescore_tables(royalty, compiled.switches, compiled.cross)
    assert not tables.in_steps
    codes = read_codes(boards_of(PINEAPPLE, 2), compiled)
    points = rescore_codes(np.ascontiguousarray(codes.transpose(1, 2, 0)), tables)
    twin = points_by_hand(codes, royalty)
    assert np.array_equal(points[0], twin)


def test_steps_rise_and_fall() -> None:
    """As many steps as fit, every second one down."""
    compiled = compile_rules(PINEAPPLE)
    royalty = np.zeros_like(compiled.royalty)
    for row in range(3):
        for step in range(MOST_STEPS // 2):
            royalty[row, 100 + 200 * step : 150 + 200 * step] = step
    royalty.setflags(write=False)
    tables = rescore_tables(royalty, compiled.switches, compiled.cross)
    assert tables.in_steps
    codes = read_codes(boards_of(PINEAPPLE, 2), compiled)
    points = rescore_codes(np.ascontiguousarray(codes.transpose(1, 2, 0)), tables)
    assert np.array_equal(points[0], points_by_hand(codes, royalty))


def points_by_hand(codes: NDArray[np.uint16], royalty: NDArray[np.int32]) -> NDArray[np.int64]:
    """Points of the first of two seats under American scoring with other royalties."""
    front, middle, back = (codes[:, :, row].astype(np.int64) for row in range(3))
    fouled = (middle > back) | (front > middle)
    worth = sum(royalty[row, codes[:, :, row]].astype(np.int64) for row in range(3))
    rows = sum(np.sign(row[:, 0] - row[:, 1]) for row in (front, middle, back))
    both = rows + 3 * np.sign(rows) * (np.abs(rows) == 3) + worth[:, 0] - worth[:, 1]
    points = np.where(fouled[:, 0], -6 - worth[:, 1], np.where(fouled[:, 1], 6 + worth[:, 0], both))
    return np.where(fouled.all(axis=1), 0, points)


def test_a_block_and_a_half_and_none() -> None:
    tables, compiled = tables_of(PINEAPPLE), compile_rules(PINEAPPLE)
    boards = boards_of(PINEAPPLE, 2)
    for n in (0, 1, 1023, 1024, 1025):
        codes = read_codes(boards[:n], compiled)
        assert rescore_codes(np.ascontiguousarray(codes.transpose(1, 2, 0)), tables).shape == (2, n)
        assert np.array_equal(rescore_boards(boards[:n], tables), rescore_boards(boards, tables)[:, :n])


def test_other_shapes_are_refused() -> None:
    tables = tables_of(PINEAPPLE)
    with pytest.raises(ValueError, match=r"want codes uint16 of shape \(seats, 3, n\), got uint16 \(2, 2\)"):
        rescore_codes(np.zeros((2, 2), np.uint16), tables)
    with pytest.raises(ValueError, match=r"want cards uint8 of shape \(n, seats, 13\)"):
        rescore_boards(np.zeros((2, 13), np.uint8), tables)


def test_the_scale_fits_int16() -> None:
    assert t.N_CODES < 2**15
