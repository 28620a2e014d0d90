from ofclab.analytics import fantasyland_foul_rate, foul_hazard, foul_rate, foul_street


def test_foul_rate_is_per_group(hands):
    frame = hands(
        {"strategy": "anti_foul"},
        {"strategy": "anti_foul", "table_id": 2},
        {"strategy": "gamble", "fouled": True},
        {"strategy": "gamble", "table_id": 2},
    )
    found = foul_rate(frame, by=["strategy"]).collect()
    assert found["strategy"].to_list() == ["anti_foul", "gamble"]
    assert found["foul_rate"].to_list() == [0.0, 0.5]
    assert found["hands"].to_list() == [2, 2]


def test_foul_rate_leaves_fantasyland_apart(hands):
    frame = hands({}, {"fl_cards": 14, "fouled": True}, {"fl_cards": 14}, {"fouled": True})
    assert foul_rate(frame).collect().row(0, named=True)["foul_rate"] == 0.5
    inside = fantasyland_foul_rate(frame).collect().row(0, named=True)
    assert (inside["hands"], inside["fantasyland_foul_rate"]) == (2, 0.5)


def test_hands_that_cannot_be_scored_do_not_count(hands):
    found = foul_rate(hands({"fouled": True}, {"fouled": None})).collect().row(0, named=True)
    assert (found["hands"], found["foul_rate"]) == (1, 1.0)


def test_foul_street_shares_add_up_to_the_foul_rate(hands):
    frame = hands({"fouled": True, "foul_street": 3}, {"fouled": True, "foul_street": 5}, {}, {})
    found = foul_street(frame).collect()
    assert found["street"].to_list() == [1, 2, 3, 4, 5]
    assert found["foul_street"].to_list() == [0, 0, 0.25, 0, 0.25]
    assert found["foul_street"].sum() == foul_rate(frame).collect()["foul_rate"].item()


def test_foul_hazard_counts_only_boards_still_alive(hands):
    frame = hands({"fouled": True, "foul_street": 2}, {"fouled": True, "foul_street": 3}, {}, {})
    found = foul_hazard(frame).collect()
    assert found["hands"].to_list() == [4, 4, 3]
    assert found["foul_hazard"].to_list() == [0, 1 / 4, 1 / 3]


def test_streets_need_the_deal_order(hands):
    frame = hands({"fouled": True, "foul_street": 2}, {"completeness": "final_boards", "fouled": True}, {})
    assert foul_street(frame).collect()["hands"].to_list() == [2, 2]
    assert foul_street(frame.head(1).drop("completeness")).collect()["foul_street"].to_list() == [0, 1]


def test_a_street_nobody_fouled_on_has_an_upper_bound(hands):
    frame = hands(*({"table_id": t, "fouled": t == 1, "foul_street": 2 if t == 1 else None} for t in range(40)))
    first = foul_street(frame).collect().row(0, named=True)
    assert first["foul_street"] == 0 == first["low"]
    assert 0.05 < first["high"] < 0.15
