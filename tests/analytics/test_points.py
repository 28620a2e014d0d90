import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ofclab.analytics import (
    hands_needed,
    points_distribution,
    points_per_100,
    points_per_hand,
    row_wins,
    scoops_made,
    scoops_suffered,
)


def test_mean_spread_and_percentiles_of_five_hands(hands):
    frame = hands(*({"points": points, "table_id": points} for points in (1, 2, 3, 4, 10)))
    found = points_per_hand(frame).collect().row(0, named=True)
    assert found["points_per_hand"] == 4.0
    assert found["sd"] == pytest.approx(np.std([1, 2, 3, 4, 10], ddof=1))
    assert [found[f"p{percent}"] for percent in (5, 25, 50, 75, 95)] == [1, 2, 3, 4, 10]
    assert points_per_100(frame).collect()["points_per_100"].item() == 400.0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-40, 40), min_size=1, max_size=50))
def test_percentiles_are_the_nearest_hand(values):
    frame = pl.DataFrame({"points": values, "table_id": [1] * len(values)})
    found = points_per_hand(frame).collect().row(0, named=True)
    for percent in (5, 25, 50, 75, 95):
        assert found[f"p{percent}"] == pl.Series(values).quantile(percent / 100, "nearest")


def test_points_are_told_apart_by_position(hands):
    frame = hands({"position": 1, "points": -4}, {"position": 2, "points": 4}, {"position": 2, "points": None})
    found = points_per_hand(frame, by=["position"]).collect()
    assert found.select("position", "hands", "points_per_hand").rows() == [(1, 1, -4.0), (2, 1, 4.0)]


def test_distribution_lists_the_points_any_group_had(hands):
    frame = hands({"strategy": "a", "points": 6}, {"strategy": "b", "points": -6}, {"strategy": "b", "points": 6})
    found = points_distribution(frame, by="strategy").collect()
    assert found.select("strategy", "points", "points_distribution").rows() == [
        ("a", -6, 0.0),
        ("a", 6, 1.0),
        ("b", -6, 0.5),
        ("b", 6, 0.5),
    ]


def test_rows_are_counted_over_all_opponents(hands):
    frame = hands(
        {"rows_won": 3, "rows_tied": 1, "rows_lost": 2},
        {"rows_won": 0, "rows_tied": 0, "rows_lost": 3},
        {"rows_won": None, "rows_tied": None, "rows_lost": None},
    )
    found = row_wins(frame).collect()
    assert found.select("outcome", "hands", "rows", "row_wins").rows() == [
        ("won", 2, 9, 3 / 9),
        ("tied", 2, 9, 1 / 9),
        ("lost", 2, 9, 5 / 9),
    ]


def test_scoops_are_per_matchup(hands):
    three_players = {"rows_won": 6, "rows_tied": 0, "rows_lost": 0, "scoops_made": 2}
    frame = hands(three_players, {"rows_won": 0, "rows_lost": 3, "scoops_suffered": 1})
    made = scoops_made(frame).collect().row(0, named=True)
    assert (made["hands"], made["matchups"], made["scoops_made"]) == (2, 3, 2 / 3)
    assert scoops_suffered(frame).collect()["scoops_suffered"].item() == 1 / 3


def test_hands_needed_is_the_normal_approximation():
    # (1.95996 + 0.84162)^2 * (12 / 1.5)^2 = 502.3
    assert hands_needed((1.5, 12.0)).collect()["hands_needed"].item() == 503


def test_hands_needed_grows_with_the_design_effect(hands):
    alike = hands(*({"table_id": t, "points": (-1) ** t * 10} for t in range(40) for _ in range(5)))
    found = hands_needed(alike, difference=2.0).collect().row(0, named=True)
    assert found["design_effect"] == pytest.approx(5, rel=0.05)
    plain = hands_needed((2.0, found["sd"])).collect()["hands_needed"].item()
    assert found["hands_needed"] == pytest.approx(plain * found["design_effect"], rel=0.01)


@pytest.mark.parametrize(
    ("wrong", "said"), [({"difference": 0}, "other than 0"), ({"power": 1.0}, "power"), ({"level": 95}, "level")]
)
def test_hands_needed_says_what_is_wrong(hands, wrong, said):
    with pytest.raises(ValueError, match=said):
        hands_needed(hands({}), **wrong)
