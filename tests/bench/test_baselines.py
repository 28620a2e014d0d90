"""The baselines compute the same as what they stand beside."""

import random
from itertools import combinations, islice

import numpy as np
import pytest

import ofclab as ofc
from ofclab.bench import baselines, plain_engine
from ofclab.bench.kernels import Fantasyland
from ofclab.bench.polars_scorer import scorer
from ofclab.bench.spots import boards, compiled, late_boards, pineapple, valuation
from ofclab.bench.streaming import foul_rate_and_points
from ofclab.engine import DEFAULT_FANTASYLAND_VALUES
from ofclab.kernels import tails
from ofclab.kernels.judge import FOUL, OUTCOMES, make_work
from ofclab.scoring import read_codes, score_boards
from ofclab.strategies.base import placement_table

ROWS, WORST = valuation().payoff.rows, np.int64(valuation().payoff.scalars[FOUL])


def exact(boards: np.ndarray, dealt: np.ndarray, unseen: np.ndarray, kind: int, depth: int) -> list[int]:
    """Worths of boards by the solver's kernel."""
    n = len(boards)
    worths, counts, picks = np.zeros(n, np.int64), np.zeros((n, OUTCOMES), np.int64), np.zeros(n, np.int64)
    choices = placement_table(3, 2, 9) if dealt.shape[1] else (np.zeros((1, 0), np.uint8), np.zeros(145, np.int64))
    none = np.zeros((1, 0), np.uint8), np.zeros(145, np.int64)
    tails.decide_boards(
        boards, dealt, unseen, *choices, kind, depth, 3, *none, valuation().payoff, make_work(), worths, counts, picks
    )
    return worths.tolist()


def test_every_setting_is_worth_no_more_than_the_setter_finds() -> None:
    hands = Fantasyland(4, 14)
    _, values, legal = hands.set()
    assert legal.all()
    assert [hands.try_all(hand) for hand in range(4)] == values.tolist()


def test_every_finish_of_the_last_street() -> None:
    kept, unseen = late_boards(6, 2, 27)
    naive = [
        baselines.every_finish(board.copy(), cards, ROWS, WORST) for board, cards in zip(kept, unseen, strict=True)
    ]
    assert naive == exact(kept, np.zeros((6, 0), np.uint8), unseen, tails.THREE_CARDS, 1)


def test_every_decision_of_street_4() -> None:
    kept, cards = late_boards(4, 4, 20)
    dealt, unseen = np.ascontiguousarray(cards[:, ::7]), np.ascontiguousarray(np.delete(cards, (0, 7, 14), axis=1))
    naive = [
        baselines.every_decision(board.copy(), drawn, left, ROWS, WORST)
        for board, drawn, left in zip(kept, dealt, unseen, strict=True)
    ]
    assert naive == exact(kept, dealt, unseen, tails.THREE_CARDS, 1)


def test_all_draws_of_two_streets() -> None:
    kept, unseen = late_boards(2, 4, 8)
    draws = np.array(list(combinations(range(8), 3)))
    naive = [
        baselines.some_draws(board.copy(), cards, draws, ROWS, WORST) for board, cards in zip(kept, unseen, strict=True)
    ]
    assert naive == exact(kept, np.zeros((2, 0), np.uint8), unseen, tails.TWICE_THREE_CARDS, 2)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"scoring.sweep_bonus": 6, "scoring.per_row": 2, "foul.penalty": 4, "royalties.back": {"flush": 9}},
    ],
)
def test_polars_expressions_score_alike(changes: dict[str, object]) -> None:
    rules = pineapple().replace(changes)
    royalty = ofc.rules.compiled.compile_rules(rules).royalty
    scores = score_boards(boards(3_000), rules)
    by_row = np.ascontiguousarray(scores.codes.transpose(1, 2, 0))
    assert scorer(by_row, rules, royalty)().to_list() == scores.points[:, 0].tolist()


def as_rows(cards: np.ndarray) -> plain_engine.Rows:
    names = [str(ofc.Card(card)) for card in cards.tolist()]
    return tuple(names[:3]), tuple(names[3:8]), tuple(names[8:])


@pytest.mark.parametrize("came_in", [0, 14])
def test_the_plain_engine_scores_alike(came_in: int) -> None:
    cards = boards(900).copy()
    cards[::2] = np.sort(cards[::2], axis=2)  # sorted hands foul less
    scores = score_boards(cards, pineapple(), np.full((900, 2), came_in, np.uint8))
    parameters = pineapple().flat()
    for hand, (first, second) in enumerate(cards):
        a, b = (plain_engine.judge(as_rows(seat), parameters, came_in) for seat in (first, second))
        assert [a.fouled, b.fouled] == scores.fouled[hand].tolist()
        assert [a.royalties, b.royalties] == scores.royalties[hand].sum(axis=1).tolist()
        assert [a.next_fantasyland, b.next_fantasyland] == scores.next_fantasyland[hand].tolist()
        assert plain_engine.points(a, b, parameters) == scores.points[hand, 0]


def test_the_plain_engine_sets_fantasyland_exactly() -> None:
    hands, parameters, stay = Fantasyland(6, 14), pineapple().flat(), DEFAULT_FANTASYLAND_VALUES[14]
    _, values, _ = hands.set()
    for cards, value in zip(hands.cards, values.tolist(), strict=True):
        rows = plain_engine.set_fantasyland([str(ofc.Card(card)) for card in cards[:14].tolist()], parameters, stay)
        seat = plain_engine.judge(rows, parameters, 14)
        assert not seat.fouled
        assert seat.royalties + stay * (seat.next_fantasyland > 0) == pytest.approx(value / 10_000)


def test_the_plain_engine_plays_at_random() -> None:
    """Boards at random foul 0.6907 of the time (full enumeration); Fantasyland goes on to the next hand."""
    hands = list(islice(plain_engine.play(pineapple().flat(), 400, random.Random(1)), 400))
    fouls = sum(seat.fouled for seats, _ in hands for seat in seats)
    assert fouls / 800 == pytest.approx(0.6907, abs=4 * (0.6907 * 0.3093 / 800) ** 0.5)
    assert sum(points for _, points in hands) == -sum(
        plain_engine.points(b, a, pineapple().flat()) for (a, b), _ in hands
    )


def test_late_boards_can_be_legal_and_share_no_card() -> None:
    kept, unseen = late_boards(50, 4, 32)
    assert ((kept == 255).sum(axis=1) == 4).all()
    for board, left in zip(kept, unseen, strict=True):
        assert len({*board[board != 255].tolist(), *left.tolist()}) == 9 + 32
    assert read_codes(kept[:, None], compiled()).shape == (50, 1, 3)


def test_streamed_statistics(tmp_path) -> None:
    import polars as pl

    for part in range(3):
        frame = pl.DataFrame({"fouled": [True, False], "points": pl.Series([part, -part], dtype=pl.Int16)})
        frame.write_parquet(tmp_path / f"{part}.parquet")
    found = foul_rate_and_points([str(path) for path in sorted(tmp_path.iterdir())])
    assert found.row(0) == (6, 0.5, 0.0, pytest.approx(2**0.5))
