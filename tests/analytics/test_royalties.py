import pytest

from ofclab.analytics import (
    royalties_per_hand,
    royalties_per_legal_hand,
    royalty_by_category,
    royalty_distribution,
)


@pytest.fixture
def three_hands(hands):
    return hands(
        {"front_class": "trips", "royalty_front": 10, "back_class": "flush", "royalty_back": 4},
        {"front_class": "pair", "back_class": "flush", "royalty_back": 4, "fl_cards": 14},
        {"front_class": "trips", "back_class": "flush", "fouled": True},
    )


def test_royalties_are_over_all_hands_or_over_legal_ones(three_hands):
    over_all = royalties_per_hand(three_hands).collect().row(0, named=True)
    legal = royalties_per_legal_hand(three_hands).collect().row(0, named=True)
    assert (over_all["hands"], over_all["royalties_per_hand"]) == (3, 6.0)
    assert (legal["hands"], legal["royalties_per_legal_hand"]) == (2, 9.0)


def test_categories_bring_points_and_a_foul_makes_none(three_hands):
    found = royalty_by_category(three_hands).collect()
    rows = {(row["row"], row["category"]): row for row in found.iter_rows(named=True)}
    assert list(rows) == [("front", "pair"), ("front", "trips"), ("middle", "pair"), ("back", "flush")]
    assert rows["front", "trips"]["royalty_by_category"] == pytest.approx(10 / 3)
    assert rows["front", "trips"]["share"] == pytest.approx(1 / 3)
    assert rows["back", "flush"]["share"] == pytest.approx(2 / 3)
    assert all(row["hands"] == 3 for row in rows.values())


def test_points_of_all_categories_are_the_royalties_per_hand(played):
    parts = royalty_by_category(played).collect()["royalty_by_category"].sum()
    assert parts == pytest.approx(royalties_per_hand(played).collect()["royalties_per_hand"].item())


def test_distribution_counts_every_hand_once(three_hands):
    found = royalty_distribution(three_hands).collect()
    assert found.select("points", "royalty_distribution").rows() == [(0, 1 / 3), (4, 1 / 3), (14, 1 / 3)]
