"""Reports on reviewed decisions: frames small enough to check by eye, and what holds for every report."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ofclab.analytics as analytics
from ofclab.analytics import DECISION_METRICS

EVERY = pytest.mark.parametrize("metric", DECISION_METRICS.values(), ids=list(DECISION_METRICS))
ROWS = pl.Enum(["front", "middle", "back", "discard"])
COLUMNS: dict[str, tuple[Any, Any]] = {
    "table_id": (pl.UInt64, 1),
    "hand_id": (pl.UInt64, 1),
    "seat": (pl.UInt8, 0),
    "street": (pl.UInt8, 1),
    "player": (pl.String, "ann"),
    "position": (pl.UInt8, 1),
    "n_seats": (pl.UInt8, 2),
    "ruleset_id": (pl.String, "r"),
    "fl_cards": (pl.UInt8, 0),
    "ev_loss": (pl.Float64, 0.0),
    "verdict": (pl.Enum(["best", "too close to call", "inaccuracy", "mistake", "blunder"]), "best"),
    "tricky": (pl.Boolean, False),
    "row": (ROWS, None),
    "best_row": (ROWS, None),
    "broken": (pl.Enum(["flush_draw", "pair", "nothing"]), None),
    "foul_played": (pl.Float64, 0.2),
    "foul_best": (pl.Float64, 0.2),
    "fantasyland_played": (pl.Float64, 0.1),
    "fantasyland_best": (pl.Float64, 0.1),
    "points": (pl.Int16, 0),
    "worth": (pl.Float64, 0.0),
}


def build(*rows: dict[str, Any]) -> pl.DataFrame:
    filled = [{name: row.get(name, default) for name, (_, default) in COLUMNS.items()} for row in rows]
    return pl.DataFrame(filled, {name: dtype for name, (dtype, _) in COLUMNS.items()})


@pytest.fixture(scope="module")
def many() -> pl.DataFrame:
    """Two players at twelve tables of five hands, five decisions each."""
    rng, rows = np.random.default_rng(6), []
    for hand in range(60):
        points = int(rng.integers(-20, 21))
        for seat, player in enumerate(("ann", "bob")):
            for street in range(1, 6):
                wrong = bool(rng.random() < 0.4)
                rows.append(
                    {
                        "table_id": 2**63 + hand // 5, "hand_id": 2**62 + hand, "seat": seat, "street": street,
                        "player": player, "position": 1 + (hand + seat) % 2,
                        "ev_loss": float(rng.exponential(1.0 + seat)) if wrong else 0.0,
                        "verdict": "mistake" if wrong else "best", "tricky": bool(rng.random() < 0.5),
                        "row": "front" if wrong else None, "best_row": "back" if wrong else None,
                        "broken": str(rng.choice(["flush_draw", "pair", "nothing"])) if wrong else None,
                        "fantasyland_played": float(rng.random()), "points": points if seat == 0 else -points,
                        "worth": float(points if seat == 0 else -points),
                    }
                )  # fmt: skip
    return build(*rows)


def mistake(**values: Any) -> dict[str, Any]:
    return {"verdict": "mistake", "row": "front", "best_row": "back", "broken": "pair", **values}


def test_accuracy_counts_tricky_spots_alone() -> None:
    frame = build(
        {"tricky": True},
        {"tricky": True, "street": 2, "verdict": "too close to call", "ev_loss": 0.5},
        mistake(tricky=True, street=3, ev_loss=1.5),
        mistake(street=4, ev_loss=9.0),
    )
    found = analytics.accuracy(frame).collect().row(0, named=True)
    assert (found["accuracy"], found["spots"], found["hands"]) == (pytest.approx(2 / 3), 3, 1)
    assert analytics.tricky_loss(frame).collect()["tricky_loss"].item() == pytest.approx(2 / 3)


def test_loss_is_counted_by_player_hand() -> None:
    frame = build(
        mistake(ev_loss=1.0), mistake(street=2, ev_loss=0.5), {"hand_id": 2, "ev_loss": -0.1},
        {"seat": 1, "player": "bob"},
    )  # fmt: skip
    found = analytics.loss_per_100(frame, by="player").collect()
    assert found["hands"].to_list() == [2, 1]
    assert found["loss_per_100"].to_list() == [pytest.approx(70.0), 0.0]


def test_streets_add_up_and_fantasyland_is_apart(many: pl.DataFrame) -> None:
    streets = analytics.loss_by_street(many, by=["player"]).collect()
    whole = analytics.loss_per_100(many, by=["player"]).collect()
    added = streets.group_by("player", maintain_order=True).agg(pl.col("loss_by_street").sum())
    assert_frame_equal(added.rename({"loss_by_street": "loss_per_100"}), whole.select("player", "loss_per_100"))
    inside = build(mistake(fl_cards=14, ev_loss=3.0), {"hand_id": 2})
    found = analytics.loss_by_street(inside).collect()
    assert dict(found.select("at", "loss_by_street").iter_rows()) == {"1": 0.0, "Fantasyland": pytest.approx(150.0)}


def test_rows_and_hands_say_what_was_done_instead() -> None:
    frame = build(
        mistake(ev_loss=1.0), mistake(hand_id=2, ev_loss=2.0, row="discard", broken="flush_draw"), {"hand_id": 3}
    )
    rows = analytics.loss_by_row(frame).collect()
    assert dict(rows.select("row", "loss_by_row").iter_rows()) == {
        "discard, not back": pytest.approx(200 / 3), "front, not back": pytest.approx(100 / 3)
    }  # fmt: skip
    assert rows["spots"].to_list() == [1, 1]
    hands = analytics.loss_by_hand(frame).collect()
    assert dict(hands.select("broken", "loss_by_hand").iter_rows()) == {
        "flush_draw": pytest.approx(200 / 3), "pair": pytest.approx(100 / 3)
    }  # fmt: skip


def test_fantasyland_is_chased_too_much_or_too_little() -> None:
    frame = build(
        mistake(ev_loss=1.0, fantasyland_played=0.5, fantasyland_best=0.2, foul_played=0.6),
        mistake(hand_id=2, ev_loss=2.0, fantasyland_played=0.1, fantasyland_best=0.4),
        mistake(hand_id=3, ev_loss=4.0, fantasyland_played=0.10, fantasyland_best=0.11),
        {"hand_id": 4},
    )
    found = analytics.fantasyland_chase(frame).collect()
    assert found.select("chase", "fantasyland_chase", "entry_more", "foul_more").rows() == [
        ("too little", pytest.approx(50.0), pytest.approx(-0.3), pytest.approx(0.0)),
        ("too much", pytest.approx(25.0), pytest.approx(0.3), pytest.approx(0.4)),
    ]


def test_leaks_stand_dearest_first(many: pl.DataFrame) -> None:
    found = analytics.leaks(many).collect()
    assert found["leaks"].is_sorted(descending=True)
    assert set(found["theme"]) == {"street", "row", "hand", "fantasyland"}
    by_player = analytics.leaks(many, by=["player"]).collect()
    assert by_player["player"].is_sorted()
    assert by_player.filter(pl.col("player") == "bob")["leaks"].is_sorted(descending=True)


def test_luck_is_what_the_decisions_do_not_explain() -> None:
    # Ann errs by 2 and wins 10, Bob errs by nothing: she was worth -2 against him, and 12 were luck.
    rows = []
    for hand in (1, 2):
        first = hand == 1
        rows += [
            mistake(hand_id=hand, table_id=hand, ev_loss=2.0, points=10 if first else -14,
                    worth=10.0 if first else -14.0, position=1),
            {"hand_id": hand, "table_id": hand, "seat": 1, "player": "bob", "position": 2,
             "points": -10 if first else 14, "worth": -10.0 if first else 14.0},
        ]  # fmt: skip
    found = analytics.luck_adjusted(build(*rows), by=["player"]).collect()
    assert found["luck_adjusted"].to_list() == [pytest.approx(-2.0), pytest.approx(2.0)]
    assert found["actual"].to_list() == [pytest.approx(-2.0), pytest.approx(2.0)]
    assert (found["high"] - found["low"]).max() == pytest.approx(0.0)
    assert (found["actual_high"] - found["actual_low"]).min() > 100


def test_fantasyland_earned_is_paid_by_the_opponents() -> None:
    frame = build(
        {"points": 4, "worth": 13.6}, {"seat": 1, "player": "bob", "position": 2, "points": -4, "worth": -4.0}
    )
    found = analytics.luck_adjusted(frame, by=["player"]).collect()
    assert found["actual"].to_list() == [pytest.approx(13.6), pytest.approx(-13.6)]


def test_hands_that_were_not_reviewed_whole_do_not_count(many: pl.DataFrame) -> None:
    alone = many.filter(pl.col("player") == "ann")
    assert analytics.luck_adjusted(alone, by=["player"]).collect().is_empty()


def test_adjusted_points_are_the_same_points_with_less_noise() -> None:
    rng, rows = np.random.default_rng(1), []
    n, edge = 4000, 1.5
    cards, ann, bob = rng.normal(0, 9, n), rng.exponential(1.0, n), rng.exponential(1.0 + edge, n)
    for hand in range(n):
        won = float(cards[hand] - ann[hand] + bob[hand])
        for seat, (player, lost) in enumerate((("ann", ann[hand]), ("bob", bob[hand]))):
            points = won if seat == 0 else -won
            rows.append(
                {
                    "table_id": hand // 10, "hand_id": hand, "seat": seat, "player": player, "ev_loss": float(lost),
                    "position": 1 + (hand + seat) % 2, "worth": points,
                }
            )  # fmt: skip
    # Points are whole in a log; here the worth carries them, and no Fantasyland is at stake.
    frame = build(*rows).with_columns(points=pl.col("worth"))
    found = analytics.luck_adjusted(frame, by=["player"]).collect()
    assert found["low"][0] < edge < found["high"][0]
    assert found["high"][0] - found["low"][0] < 0.4 * (found["actual_high"][0] - found["actual_low"][0])
    assert abs(found["luck_adjusted"].sum()) < 1e-9


@EVERY
@pytest.mark.parametrize("by", [(), ("player",), ("player", "position")])
def test_columns_are_groups_keys_counts_report_interval(metric, many, by) -> None:
    found = metric.function(many, by=by).collect()
    head = [*by, *metric.keys, "hands", "clusters", metric.name, "low", "high"]
    assert found.columns[: len(head)] == head
    assert found.columns[-1] == "few_tables"
    assert (
        found.select((pl.col("low") <= pl.col(metric.name)) & (pl.col(metric.name) <= pl.col("high"))).to_series().all()
    )
    for column in found.columns:
        if column not in (*by, *metric.keys):
            assert analytics.define(column)
    assert metric.explanation == analytics.define(metric.name)
    assert getattr(analytics, metric.name) is metric.function


@EVERY
def test_order_and_engine_do_not_matter_and_nothing_is_collected(metric, many) -> None:
    plan = metric.function(many, by=["player"])
    assert isinstance(plan, pl.LazyFrame)
    shuffled = metric.function(many.sample(fraction=1, shuffle=True, seed=3).lazy(), by="player")
    assert_frame_equal(plan.collect(), shuffled.collect())
    assert_frame_equal(plan.collect(), plan.collect(engine="streaming"))


@EVERY
def test_no_decisions_make_no_numbers(metric, many) -> None:
    assert metric.function(many.clear(), by=["player"]).collect().is_empty()
    found = metric.function(many.clear()).collect()
    assert found["hands"].sum() == 0
