"""Chances of outs and rows: published tables, a magazine's spot, and counts by plain enumeration."""

import json
import random
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import naive
import oracle
import polars as pl
import pytest

import ofclab as ofc
from ofclab.solver.chances import best_draw_chance, draw_chance, goal_chance, row_chances
from ofclab.spot import Spot, SpotError

TRUTH = json.loads((Path(__file__).parents[1] / "data" / "solver_truth.json").read_text(encoding="utf-8"))[
    "exact_draws"
]
RULES = ofc.load_rules("american-pineapple")
MAGAZINE = Spot("Ac 2h Ad / 9d 5h 5c 3d 9c / Ks Qs 8s", discards="4c 6d 8h")


def line(frame: pl.DataFrame, row: str, category: str) -> dict:
    return frame.row(by_predicate=(pl.col("row") == row) & (pl.col("category") == category), named=True)


def test_the_magazine_spot() -> None:
    # Card Player, Haxton issue 36-15: "using combinations", 2276 of 8436 draws save the back.
    frame = row_chances(MAGAZINE, rules=RULES)
    for row, category in (("back", "over the middle"), ("board", "legal"), ("back", "two_pair")):
        found = line(frame, row, category)
        assert (found["ways"], found["draws"]) == (2276, 8436)
        assert found["at_least"] == 2276 / 8436


@pytest.mark.parametrize(("unseen", "start"), [(47, "first_to_act_47_unseen"), (42, "second_to_act_42_unseen")])
@pytest.mark.parametrize(("cards", "table"), [(8, "regular_8_draws"), (12, "pineapple_12_cards")])
def test_draw_tables(unseen: int, start: str, cards: int, table: str) -> None:
    truth = TRUTH[start][table]
    for dead in range(6):
        assert draw_chance(10 - dead, unseen, cards, 2) == pytest.approx(truth["3flush_needs2_by_dead"][str(dead)])
        assert draw_chance(9 - dead, unseen, cards) == pytest.approx(truth["4flush_needs1_by_dead"][str(dead)])
    for outs, name in (
        (4, "two_pair_to_full_house_4outs"),
        (3, "trips_plus_kicker_to_fullhouse_3outs"),
        (8, "open_ended_4straight_8outs"),
        (9, "any_of_QKA_one_each_front_9outs_2slots(>=1)"),
    ):
        assert draw_chance(outs, unseen, cards) == pytest.approx(truth[name])


@pytest.mark.parametrize(("table", "cards"), [("pineapple_one_draw_of_3", 3), ("pineapple_two_draws_of_3", 6)])
def test_tables_of_one_and_two_draws(table: str, cards: int) -> None:
    for unseen, row in TRUTH[table].items():
        for outs, chance in row.items():
            assert draw_chance(int(outs), int(unseen), cards) == pytest.approx(chance)


def test_full_houses_by_seat() -> None:
    for seat, truth in TRUTH["tsung_full_house_exact"].items():
        assert best_draw_chance((3, 3), 47, 5 * int(seat), 8) == pytest.approx(float(Fraction(truth["fraction"])))


def test_impossible_draws_are_refused() -> None:
    for wrong in ((5, 4, 1), (1, 4, 5), (-1, 4, 1)):
        with pytest.raises(ValueError, match="cannot"):
            draw_chance(*wrong)


def test_dead_cards_change_the_chances() -> None:
    board = "Qs 2c / 9d 5h 5c 9c 3d / Ks Kd 8s 7s"
    alone = row_chances(Spot(board, discards="4c 6d 6c"), rules=RULES)
    crowded = row_chances(
        Spot(board, discards="4c 6d 6c", opponents=("Qh Qd / 2d / 3c 4d",), seats=2, dead="Ah Ad"), rules=RULES
    )
    assert line(alone, "front", "QQ")["at_least"] == pytest.approx(draw_chance(3, 38, 3))
    assert line(crowded, "front", "QQ")["at_least"] == pytest.approx(draw_chance(1, 31, 3))


def test_exactly_and_at_least_are_told_apart() -> None:
    frame = row_chances("Qs 2c / 9d 5h 5c 9c 3d / Ks Kd 8s 7s", "Qh Qd 2d 2h Kc 7c 3c 4c", RULES)
    for row in ("front", "middle", "back"):
        part = frame.filter((pl.col("row") == row) & pl.col("exactly").is_not_null())
        assert part["exactly"].sum() == pytest.approx(1)
        assert part["at_least"].is_sorted(descending=True)
    assert line(frame, "front", "pair")["exactly"] == line(frame, "front", "pair")["at_least"]
    assert line(frame, "back", "two_pair")["exactly"] < line(frame, "back", "two_pair")["at_least"]


CATEGORY_ROWS = [
    ("front", "pair"),
    ("middle", "full_house"),
    ("back", "flush"),
    ("back", "straight"),
    ("back", "trips"),
]


@pytest.mark.parametrize("rules", ["american-pineapple", "american-regular", "deuce-pineapple"])
def test_row_chances_equal_plain_counting(rules: str) -> None:
    ruleset, rng = ofc.load_rules(rules), random.Random(f"rows {rules}")
    deal = ruleset.deal.rounds[-1].deal
    for _ in range(6):
        board, unseen = naive.late_spot(ruleset, rng, ruleset.deal.rounds[-1].place, 9)
        frame = row_chances(board, unseen, ruleset)
        for row, category in CATEGORY_ROWS:
            if rules == "deuce-pineapple" and row == "middle":
                continue
            index, hits, legal = oracle.ROWS.index(row), 0, 0
            for dealt in combinations(unseen, deal):
                boards = naive.placed(board.rows, dealt, ruleset.deal.rounds[-1].place)
                made = [oracle.hand_rank(list(map(str, after[index])))[0] for after in boards]
                hits += max(made) >= oracle.CATEGORY[category]
                legal += any(not ofc.is_foul(ofc.Board(*after), ruleset) for after in boards)
            assert line(frame, row, category)["ways"] == hits
            assert line(frame, "board", "legal")["ways"] == legal


def test_two_goals_at_once() -> None:
    board, unseen = (
        ofc.Board.parse("Qs 2c / 9d 5h 5c 9c 3d / Ks Ts 8s 7s"),
        ofc.parse_cards("Qh Qd 2d 2s 4s Kc 7c 3c 4c"),
    )
    goals = {"front": "pair", "back": "flush"}
    both = sum(
        any(
            oracle.hand_rank(list(map(str, front)))[0] >= 1 and oracle.hand_rank(list(map(str, back)))[0] >= 5
            for front, _, back in naive.placed(board.rows, dealt, 2)
        )
        for dealt in combinations(unseen, 3)
    )
    assert both > 0
    assert goal_chance(board, goals, unseen, RULES, legal=False) == both / 84
    assert goal_chance(board, {"front": "QQ"}, unseen, RULES) < goal_chance(
        board, {"front": "QQ"}, unseen, RULES, False
    )


def test_dealt_cards_are_placed_for_the_goal() -> None:
    spot = Spot("Qs / 9d 5h 5c 9c / Ks Ts 8s 7s", "Qh 2d 3h", "4c 6d")
    assert line(row_chances(spot, rules=RULES), "front", "QQ")["at_least"] == 1
    assert line(row_chances(spot, rules=RULES), "front", "trips")["at_least"] == pytest.approx(draw_chance(2, 38, 3))


def test_two_draws_are_counted_exactly() -> None:
    unseen = ofc.parse_cards("Qh Qd 2d 2s 4s Kc 7c")
    frame = row_chances("Qs / 9d 5h 5c 9c / Ks Ts 8s 7s", unseen, RULES)
    assert line(frame, "front", "QQ")["draws"] == 35 * 4
    assert line(frame, "front", "QQ")["at_least"] == pytest.approx(draw_chance(2, 7, 6))


def test_chances_refuse_what_they_cannot_count() -> None:
    with pytest.raises(SpotError, match="too many to count"):
        row_chances("Qs / 9d 5h / Ks 9s", rules=RULES)
    with pytest.raises(SpotError, match="no rules"):
        row_chances(MAGAZINE)
    with pytest.raises(ValueError, match="no front 'flush'"):
        goal_chance(MAGAZINE, {"front": "flush"}, rules=RULES)
    with pytest.raises(ValueError, match="no row 'top'"):
        goal_chance(MAGAZINE, {"top": "QQ"}, rules=RULES)
