import pytest

from ofclab.analytics import (
    chain_length,
    entry_by,
    entry_rate,
    fantasyland_points,
    fantasyland_share,
    mean_chain_length,
    stay_rate,
)


@pytest.fixture
def one_table(hands):
    """Enter with queens, stay once, leave; enter with aces, and the table ends there."""
    told = [
        {"next_fl": 14, "earned_by": "QQ"},
        {"fl_cards": 14, "next_fl": 14, "earned_by": "stay_back", "points": 20},
        {"fl_cards": 14, "points": 10},
        {},
        {"next_fl": 16, "earned_by": "AA"},
        {"fl_cards": 16, "next_fl": 14, "earned_by": "stay_front", "points": 3},
    ]
    return hands(*({"hand_no": n, **hand} for n, hand in enumerate(told)))


def test_entries_are_per_hand_outside_and_stays_per_hand_inside(one_table):
    assert entry_rate(one_table).collect().select("hands", "entry_rate").row(0) == (3, 2 / 3)
    assert stay_rate(one_table).collect().select("hands", "stay_rate").row(0) == (3, 2 / 3)
    assert fantasyland_share(one_table).collect().select("hands", "fantasyland_share").row(0) == (6, 0.5)


def test_entries_by_what_earned_them_add_up_to_the_entry_rate(one_table):
    found = entry_by(one_table).collect()
    assert found.select("earned_by", "cards", "entries").rows() == [("QQ", 14, 1), ("AA", 16, 1)]
    assert found["entry_by"].sum() == pytest.approx(2 / 3)
    assert found["hands"].to_list() == [3, 3]


def test_a_chain_cut_off_by_the_tables_end_counts_the_hands_it_had(one_table):
    found = chain_length(one_table).collect()
    assert found.select("cards", "length", "chain_length", "chains").rows() == [
        (14, 1, 0.0, 1),
        (14, 2, 1.0, 1),
        (16, 1, 1.0, 1),
        (16, 2, 0.0, 1),
    ]
    assert mean_chain_length(one_table).collect().select("hands", "chains", "mean_chain_length").row(0) == (3, 2, 1.5)


def test_chains_of_two_seats_do_not_run_into_each_other(hands):
    frame = hands(
        {"hand_no": 1, "seat": 0, "fl_cards": 14, "next_fl": 14},
        {"hand_no": 1, "seat": 1, "fl_cards": 15},
        {"hand_no": 2, "seat": 0, "fl_cards": 14},
        {"hand_no": 1, "seat": 0, "fl_cards": 14, "table_id": 2},
    )
    assert mean_chain_length(frame, by=["seat"]).collect().select("seat", "chains", "hands").rows() == [
        (0, 2, 3),
        (1, 1, 1),
    ]


def test_points_in_fantasyland_are_by_cards(one_table):
    found = fantasyland_points(one_table).collect()
    assert found.select("cards", "hands", "fantasyland_points").rows() == [(14, 2, 15.0), (16, 1, 3.0)]


def test_a_group_nobody_entered_from_says_how_often_it_might(hands):
    frame = hands(*({"table_id": t} for t in range(20)))
    found = entry_rate(frame).collect().row(0, named=True)
    assert (found["hands"], found["entry_rate"], found["low"]) == (20, 0, 0)
    assert 0.1 < found["high"] < 0.2


def test_a_group_without_hands_in_fantasyland_has_no_stay_rate(hands):
    found = stay_rate(hands({"strategy": "anti_foul"}), by=["strategy"]).collect().row(0, named=True)
    assert (found["hands"], found["stay_rate"], found["low"], found["high"]) == (0, None, None, None)
