"""What must hold for any cards, any boards, any stacks and any rules."""

import json
import random
from itertools import permutations
from pathlib import Path
from typing import Any

import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ofclab as ofc

PRESETS = json.loads((Path(__file__).parent / "data" / "examples.json").read_text(encoding="utf-8"))["presets"]

few = settings(max_examples=120, deadline=None)
cards = st.lists(st.integers(0, 53), unique=True, max_size=17).map(lambda ids: tuple(map(ofc.Card, ids)))


@st.composite
def boards(draw: st.DrawFn) -> ofc.Board:
    """A board with some or all of its cards."""
    sizes = [draw(st.integers(0, size)) for size in (3, 5, 5)]
    count = sum(sizes)
    ids = draw(st.lists(st.integers(0, 53), unique=True, min_size=count, max_size=count))
    return ofc.Board(ids[: sizes[0]], ids[sizes[0] : sizes[0] + sizes[1]], ids[sizes[0] + sizes[1] :])


@given(cards)
def test_cards_survive_printing_and_reading(hand: tuple[ofc.Card, ...]) -> None:
    text = ofc.format_cards(hand)
    assert ofc.parse_cards(text) == hand
    assert ofc.parse_cards(text.replace(" ", "")) == hand
    assert ofc.parse_cards(text.replace(" ", ", ").replace("T", "10")) == hand
    assert ofc.parse_cards(text.translate(str.maketrans("cdhs", "♣♦♥♠"))) == hand
    assert ofc.parse_cards(map(int, hand)) == hand


@given(boards(), st.randoms(use_true_random=False))
def test_boards_survive_printing_and_reading(board: ofc.Board, rng: random.Random) -> None:
    assert ofc.Board.parse(str(board)) == board
    shuffled = [rng.sample(row, len(row)) for row in (board.front, board.middle, board.back)]
    assert ofc.Board(*shuffled) == board
    assert str(ofc.Board(*shuffled)) == str(board)
    assert board.is_complete == (len(board.front + board.middle + board.back) == 13)


def as_text(rows: dict[str, list[str]]) -> str:
    return " / ".join(" ".join(rows[row]) for row in oracle.ROWS)


@st.composite
def hands(draw: st.DrawFn) -> tuple[list[str], ofc.Rules, list[int], list[bool | None]]:
    """Boards of one deck, more often legal than not, with Fantasyland states, under a preset with changed stakes."""
    preset = draw(st.sampled_from(sorted(PRESETS)))
    params = PRESETS[preset]
    seats = draw(st.integers(2, params["players.max"]))
    rng = draw(st.randoms(use_true_random=False))
    deck = [*oracle.DECK, "X1", "X2"][: params["deck.cards"]]
    rng.shuffle(deck)
    texts = []
    for seat in range(seats):
        mine = deck[13 * seat : 13 * seat + 13]
        for _ in range(4):
            rng.shuffle(mine)
            rows = {"front": mine[:3], "middle": mine[3:8], "back": mine[8:]}
            if not oracle.judge(rows, params)["fouled"]:
                break
        texts.append(as_text(rows))
    points = st.integers(0, 9)
    changes = {
        "scoring.per_row": draw(points),
        "scoring.sweep_bonus": draw(points),
        "scoring.majority_bonus": draw(points),
        "foul.penalty": draw(points),
        "foul.pays_opponent_royalties": draw(st.booleans()),
        "royalties.mode": draw(st.sampled_from(("both", "row_winner", "pair_winner", "off"))),
    }
    came_in = draw(st.lists(st.sampled_from((0, 13, 14, 15, 16, 17)), min_size=seats, max_size=seats))
    announced = draw(st.lists(st.sampled_from((None, True, False)), min_size=seats, max_size=seats))
    return texts, ofc.load_rules(preset).replace(changes), came_in, announced


@few
@given(hands())
def test_points_sum_to_zero_and_are_made_of_pairs(hand: Any) -> None:
    texts, rules, came_in, announced = hand
    result = ofc.score(texts, rules, came_in, announced)
    assert sum(result.points) == 0
    assert [(pair.a, pair.b) for pair in result.pairs] == [
        (a, b) for a in range(len(texts)) for b in range(a + 1, len(texts))
    ]
    totals = [0] * len(texts)
    for pair in result.pairs:
        assert pair.total == pair.base + pair.royalties
        totals[pair.a] += pair.total
        totals[pair.b] -= pair.total
    assert tuple(totals) == result.points
    for seat in result.seats:
        assert seat.royalties.total == seat.royalties.front + seat.royalties.middle + seat.royalties.back


@few
@given(hands())
def test_scoring_twice_gives_the_same(hand: Any) -> None:
    texts, rules, came_in, announced = hand
    parsed = [ofc.Board.parse(text) for text in texts]
    assert ofc.score(texts, rules, came_in, announced) == ofc.score(parsed, rules, came_in, announced)


@few
@given(hands())
def test_score_follows_the_seats(hand: Any) -> None:
    texts, rules, came_in, announced = hand
    straight = ofc.score(texts, rules, came_in, announced)
    totals = {(pair.a, pair.b): pair.total for pair in straight.pairs}
    for order in permutations(range(len(texts))):
        moved = ofc.score(*([given[i] for i in order] if given is not rules else rules
                            for given in (texts, rules, came_in, announced)))  # fmt: skip
        assert moved.points == tuple(straight.points[i] for i in order)
        assert moved.seats == tuple(straight.seats[i] for i in order)
        for pair in moved.pairs:
            a, b = order[pair.a], order[pair.b]
            assert pair.total == (totals[a, b] if a < b else -totals[b, a])


@few
@given(hands())
def test_a_foul_earns_nothing(hand: Any) -> None:
    texts, rules, came_in, announced = hand
    result = ofc.score(texts, rules, came_in, announced)
    for seat, points, text in zip(result.seats, result.points, texts, strict=True):
        assert seat.fouled == ofc.is_foul(ofc.Board.parse(text), rules)
        if seat.fouled:
            assert points <= 0
            assert seat.royalties.total == 0
            assert seat.next_fantasyland == 0
    for pair in result.pairs:
        fouls = result.seats[pair.a].fouled, result.seats[pair.b].fouled
        if fouls == (True, True):
            assert (tuple(pair.rows), pair.base, pair.royalties) == ((0, 0, 0), 0, 0)
        elif any(fouls):
            sign = -1 if fouls[0] else 1
            assert (tuple(pair.rows), pair.base) == ((sign,) * 3, sign * rules.foul.penalty)


@st.composite
def settlements(draw: st.DrawFn) -> tuple[dict[tuple[str, str], int], dict[str, int | None], dict[str, Any]]:
    """Random pair totals, stacks and stakes; None is an unlimited stack."""
    seats = "ABCD"[: draw(st.integers(2, 4))]
    whole = draw(st.booleans())
    stack = st.integers(0, 80) if whole else st.none() | st.integers(0, 80)
    stacks = {seat: draw(stack) for seat in seats}
    points = {(a, b): draw(st.integers(-60, 60)) for i, a in enumerate(seats) for b in seats[i + 1 :]}
    percent = draw(st.sampled_from((0, 2, 2.5, 5, 33, 100)))
    changes = {
        "stakes.unit": draw(st.sampled_from((1, 2, 5))),
        "stakes.win_cap": draw(st.sampled_from(("own_start_stack", "none", "current_stack"))),
        "stakes.win_cap_basis": draw(st.sampled_from(("net", "gross"))),
        "stakes.busted": draw(st.sampled_from(("continues", "eliminated"))),
        "stakes.match_cap": draw(st.none() | st.integers(1, 60)),
        "stakes.rake_percent": percent,
        "stakes.rake_cap": draw(st.none() | st.integers(1, 10)) if percent else None,
        "stakes.rake": draw(st.sampled_from((None, "final_hand_when_one_stack"))) if whole else None,
    }
    return points, stacks, changes


@settings(max_examples=600, deadline=None)
@given(settlements())
def test_settlements_conserve_chips_and_agree_with_the_oracle(settlement: Any) -> None:
    points, stacks, changes = settlement
    rules = ofc.load_rules("american-pineapple").replace(changes)
    settled = ofc.settle([(a, b, won) for (a, b), won in points.items()], stacks, rules)
    truth = oracle.settle(points, stacks, {**PRESETS["american-pineapple"], **changes})

    assert sum(settled.stacks.values()) + settled.rake == sum(chips or 0 for chips in stacks.values())
    for seat, chips in settled.stacks.items():
        net = chips - (stacks[seat] or 0)
        if stacks[seat] is not None:
            assert chips >= 0
            if changes["stakes.win_cap"] == "own_start_stack":
                assert net <= stacks[seat]
        if changes["stakes.match_cap"] is not None:
            assert net >= -changes["stakes.match_cap"]
        without_rake = chips - truth["stacks"][seat]
        assert -truth["rake_shares"].get(seat, 0) - 1 <= without_rake <= -truth["rake_shares"].get(seat, 0)
    assert settled.rake == truth["rake"]
    for step, expected in zip(settled.steps, truth["steps"], strict=True):
        assert list(step.pair) == expected["pair"]
        assert step.points_for_first == expected["points_for_first"]
        assert (step.payer, step.payee) == (expected["payer"], expected["payee"])
        assert (step.owed_chips, step.paid_chips) == (expected["owed_chips"], expected["paid_chips"])
        assert list(step.skipped_because_complete) == expected["complete"]
        assert list(step.skipped_because_eliminated) == expected["eliminated"]


@few
@given(hands(), st.lists(st.integers(0, 100), min_size=4, max_size=4))
def test_scores_settle_as_they_are(hand: Any, stacks: list[int]) -> None:
    """Pair scores go straight into the settlement; ample stacks without a cap pay exactly the points."""
    texts, rules, came_in, announced = hand
    result = ofc.score(texts, rules, came_in, announced)
    rules = rules.replace({"stakes.win_cap": "none"})
    ample = [1000 + chips for chips in stacks[: len(texts)]]
    after = ofc.settle(result.pairs, ample, rules).stacks
    assert tuple(end - start for start, end in zip(ample, after, strict=True)) == tuple(
        points * rules.stakes.unit for points in result.points
    )


def test_pairs_named_the_other_way_round_settle_alike() -> None:
    rules = ofc.load_rules("american-pineapple")
    stacks = {"A": 20, "B": 20}
    assert ofc.settle([("B", "A", -9)], stacks, rules) == ofc.settle([("A", "B", 9)], stacks, rules)


@pytest.mark.parametrize("wrong", ["Qh Qd / 8s / Zs", "Qh Qh 2c / - / -", "Qh Qd 2c 3c / - / -", "Qh Qd 2c"])
def test_wrong_boards_are_refused(wrong: str) -> None:
    with pytest.raises((ofc.BoardError, ofc.CardError)):
        ofc.Board.parse(wrong)


def test_incomplete_boards_cannot_be_scored() -> None:
    complete = "8d 8c 3s / Ts 9d Tc 9s Kd / Ah Kh Jh 4h 2h"
    with pytest.raises(ofc.BoardError):
        ofc.score([complete, "8d 8c 3s / Ts 9d Tc 9s / Ah Kh Jh 4h 2h"], ofc.load_rules("american-pineapple"))
