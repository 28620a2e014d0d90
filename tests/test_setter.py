"""The Fantasyland setter finds the best legal setting, whatever the rules."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from settings_brute import FALLING, POINT, PREFIX, STRICT, deal, same_as_all_settings, solve

import ofclab as ofc
from ofclab.cards import CardError
from ofclab.kernels.setter import set_hands_batch, setter_tables
from ofclab.kernels.tables import N_CODES
from ofclab.rules.compiled import compile_rules
from ofclab.solver.fantasyland import set_fantasyland

DATA = Path(__file__).parent / "data"
OPTIMA = json.loads((DATA / "fantasyland_optima.json").read_text(encoding="utf-8"))["cases"]
STATISTICS = json.loads((DATA / "fantasyland_statistics.json").read_text(encoding="utf-8"))["rows"]
PINEAPPLE, DEUCE = ofc.load_rules("american-pineapple"), ofc.load_rules("deuce-pineapple")
JOKERS = ofc.load_rules("joker-progressive")


FULL_HOUSE_STAYS = {"fantasyland.stay": {"front": "222", "middle": "full_house", "back": "quads", "low_wheel": False}}
QUEENS_STAY = {"fantasyland.stay": {"front": "QQ", "middle": None, "back": "quads", "low_wheel": False}}
WHEEL_STAYS = {"fantasyland.stay": {"front": "222", "middle": None, "back": "quads", "low_wheel": True}}
LOW_STRICT = {"foul.back_over_front": "gt"}
HIGH_RULES: dict[str, tuple[dict[str, Any], float]] = {
    "royalties alone": ({}, 0),
    "a stay worth 9.3": ({}, 9.3),
    "a stay above all": ({}, 1000),
    "a stay to avoid": ({}, -5.5),
    "full house stays": (FULL_HOUSE_STAYS, 9.3),
    "queens stay": (QUEENS_STAY, 9.3),
    "strict rows": (STRICT, 4),
    "prefix tie": (PREFIX, 4),
    "prefix tie, strict": (STRICT | PREFIX, 4),
    "falling royalties": (FALLING, 0),
    "falling royalties, strict, a stay": (FALLING | STRICT | PREFIX, 3),
}
LOW_RULES: dict[str, tuple[dict[str, Any], float]] = {
    "royalties alone": ({}, 0),
    "a stay worth 9.3": ({}, 9.3),
    "a stay above all": (WHEEL_STAYS, 1000),
    "strict, prefix tie": (LOW_STRICT | PREFIX, 9.3),
    "any low": ({"foul.low_middle_worst": None}, 2),
    "eight or better": ({"foul.low_middle_worst": "8"}, 9.3),
    "falling royalties": (
        {"royalties.middle_low": {"75432": 2, "8-low": 1, "9-low": 7}, "royalties.back": FALLING["royalties.back"]},
        3,
    ),
}


@pytest.mark.parametrize("case", OPTIMA, ids=lambda case: f"{len(case['cards'])}-{case['stay_bonus']}")
def test_known_optima(case: dict[str, Any]) -> None:
    setting = set_fantasyland(" ".join(case["cards"]), PINEAPPLE, stay_value=case["stay_bonus"])
    assert setting.value == case["best_value"]
    assert setting.value == setting.royalties + case["stay_bonus"] * setting.stays
    assert not setting.fouled
    other = "7c 5s 4h / Jc Js 9h 3d 2c / Kc Kd 8s 6h 2d"
    seat = ofc.score([setting.board, other], PINEAPPLE, fantasyland=[len(case["cards"]), 0]).seats[0]
    assert (seat.royalties.total, seat.fouled, seat.next_fantasyland > 0) == (setting.royalties, False, setting.stays)
    assert sorted(setting.board.cards + setting.discards) == sorted(ofc.parse_cards(" ".join(case["cards"])))


@pytest.mark.parametrize("name", HIGH_RULES)
@pytest.mark.parametrize("n", [13, 14])
def test_nothing_beats_it(name: str, n: int) -> None:
    changes, stay_value = HIGH_RULES[name]
    compiled = compile_rules(PINEAPPLE.replace(changes) if changes else PINEAPPLE)
    same_as_all_settings(deal(np.random.default_rng(n), 200, n), n, compiled, round(stay_value * POINT))


@pytest.mark.parametrize("name", LOW_RULES)
@pytest.mark.parametrize("n", [13, 14])
def test_nothing_beats_it_with_a_low_middle(name: str, n: int) -> None:
    changes, stay_value = LOW_RULES[name]
    compiled = compile_rules(DEUCE.replace(changes) if changes else DEUCE)
    same_as_all_settings(deal(np.random.default_rng(n), 200, n), n, compiled, round(stay_value * POINT))


@pytest.mark.parametrize("rules", [PINEAPPLE, DEUCE], ids=lambda rules: rules.name)
def test_nothing_beats_it_with_15_cards(rules: ofc.Rules) -> None:
    same_as_all_settings(deal(np.random.default_rng(15), 15, 15), 15, compile_rules(rules), 9 * POINT)


@pytest.mark.parametrize("rules", [PINEAPPLE, DEUCE], ids=lambda rules: rules.name)
@pytest.mark.parametrize("bonus", [0, 40, -40])
def test_any_worth_of_every_row(rules: ofc.Rules, bonus: int) -> None:
    rng = np.random.default_rng(5)
    compiled = compile_rules(rules)
    for most in (3, 100):
        tables = rng.integers(0, most, (3, N_CODES)), rng.random((3, N_CODES)) < 0.1
        for n in (13, 14):
            same_as_all_settings(deal(rng, 20, n), n, compiled, bonus, tables)


STAYS = {
    "222 or quads": {"front": "222", "middle": None, "back": "quads", "low_wheel": False},
    "222 or middle full house or quads": {"front": "222", "middle": "full_house", "back": "quads", "low_wheel": False},
    "QQ or quads": {"front": "QQ", "middle": None, "back": "quads", "low_wheel": False},
}


def same_as_published(row: dict[str, Any], hands: int) -> None:
    """Mean royalties, stay rate and forced fouls of sampled hands lie within four standard errors of the truth."""
    rules = (DEUCE if row["game"] == "2-7" else PINEAPPLE).replace({"fantasyland.stay": STAYS[row["stay"]]})
    n, bonus = row["cards"], round(row["stay_value"] * POINT)
    cards = deal(np.random.default_rng([n, hands]), hands, n)
    best, stays, legal = solve(cards, n, compile_rules(rules), bonus)
    royalties = (best - bonus * stays) / POINT
    error = np.hypot(royalties.std() / hands**0.5, row["mean_error"])
    assert abs(royalties.mean() - row["mean_royalty"]) < 4 * error
    for found, rate in ((stays, row["stay_rate"]), (~legal, row["foul_rate"])):
        error = (rate * (1 - rate) * (1 / hands + 1 / row["hands"])) ** 0.5
        assert abs(found.mean() - rate) <= 4 * error


@pytest.mark.parametrize(
    "row", STATISTICS, ids=lambda row: f"{row['game']}-{row['cards']}-{row['stay']}-{row['stay_value']}"
)
def test_means_are_those_published(row: dict[str, Any]) -> None:
    same_as_published(row, 2_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    "row", STATISTICS, ids=lambda row: f"{row['game']}-{row['cards']}-{row['stay']}-{row['stay_value']}"
)
def test_means_of_many_hands_are_those_published(row: dict[str, Any]) -> None:
    same_as_published(row, 50_000)


def test_a_hand_of_high_cards_must_foul_a_low_middle() -> None:
    setting = set_fantasyland("Ah Qd 3c Kh 4d Th 3d Qc Jh As Ac Ks Kc", DEUCE, stay_value=9)
    assert (setting.fouled, setting.royalties, setting.stays, setting.value) == (True, 0, False, 0)
    assert setting.board.is_complete
    assert ofc.is_foul(setting.board, DEUCE)
    assert setting.discards == ()


def test_a_stay_is_taken_when_it_is_worth_the_royalties_it_costs() -> None:
    hand = "2c 2d 2h 2s Kc Kd Ks Qh Qd 9c 8d 7h 6s 5c"
    alone, keen = set_fantasyland(hand, PINEAPPLE), set_fantasyland(hand, PINEAPPLE, stay_value=30.5)
    assert keen.stays
    assert keen.value == keen.royalties + 30.5
    assert keen.royalties <= alone.royalties
    assert set_fantasyland(hand, PINEAPPLE, stay_value=-1000).stays is False


def test_the_result_shows_itself() -> None:
    setting = set_fantasyland("Ah Qd 3c Kh 4d Th 3d Qc Jh 5s 4s 9s 8h 7d", PINEAPPLE)
    assert repr(setting) == (
        "FantasylandSetting('Qd Qc 9s / 7d 4s 4d 3d 3c / Ah Kh Jh Th 8h', discards='5s', "
        "royalties=11, stays=False, value=11)"
    )
    html = setting._repr_html_()
    assert "discards 5s" in html
    assert "royalties 11, does not stay, value 11" in html


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("Ah Kh", "13 to 17 cards, got 2: Ah Kh"),
        ("Ah Ah 3c Kh 4d Th 3d Qc Jh 5s 4s 9s 8h 7d", "Ah stands twice in the hand"),
        (
            "X1 Qd 3c Kh 4d Th 3d Qc Jh 5s 4s 9s 8h 7d",
            "X1 is not in the deck of american-pineapple: 52 cards and no jokers",
        ),
    ],
)
def test_impossible_hands_are_named(cards: str, message: str) -> None:
    with pytest.raises(CardError, match=message):
        set_fantasyland(cards, PINEAPPLE)


def test_a_second_joker_needs_a_deck_with_two() -> None:
    one = JOKERS.replace({"deck.jokers": 1, "deck.cards": 53})
    with pytest.raises(CardError, match=r"X2 is not in the deck of .*: 52 cards and the joker X1"):
        set_fantasyland("X2 Qd 3c Kh 4d Th 3d Qc Jh 5s 4s 9s 8h", one)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e10])
def test_a_stay_value_is_a_number_of_points(value: float) -> None:
    with pytest.raises(ValueError, match="want a stay value in points"):
        set_fantasyland("Ah Qd 3c Kh 4d Th 3d Qc Jh 5s 4s 9s 8h 7d", PINEAPPLE, stay_value=value)


def test_batches_of_another_shape_are_refused() -> None:
    compiled = compile_rules(PINEAPPLE)
    tables = setter_tables(compiled.royalty, compiled.stay, compiled.switches, compiled.cross)
    cards = deal(np.random.default_rng(0), 2, 14)
    bonus = np.zeros(2, np.int64)
    with pytest.raises(ValueError, match=r"want cards \(m, 17\)"):
        set_hands_batch(cards[:, :14], np.full(2, 14, np.uint8), tables, bonus)
    with pytest.raises(ValueError, match="13 to 17 cards, got 12 to 12"):
        set_hands_batch(cards, np.full(2, 12, np.uint8), tables, bonus)
    with pytest.raises(ValueError, match="want card ids"):
        set_hands_batch(cards, np.full(2, 15, np.uint8), tables, bonus)
    masks, values, legal = set_hands_batch(cards[:0], np.zeros(0, np.uint8), tables, bonus[:0])
    assert (masks.shape, values.shape, legal.shape) == ((0, 3), (0,), (0,))


def test_royalties_that_are_off_are_worth_nothing() -> None:
    # Quads in the back stay; with royalties on, three aces in front pay more, and staying is worth nothing by itself.
    hand = "As Ah Ad Ac 2c Ks Kh Kd Qs Qh 4d 4c 3s 5h"
    off = ofc.load_rules("american-pineapple").replace({"royalties.mode": "off"})
    best = ofc.set_fantasyland(hand, off, stay_value=3)
    assert best.stays
    assert best.value == 3
