"""The ledger of a log: sheets and hands in one frame, nets that cancel, money that is never mixed."""

from pathlib import Path

import polars as pl
import pytest

import ofclab as ofc
from ofclab.log import entries
from ofclab.log.ledger import ENTRIES

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data" / "samples"


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> ofc.Log:
    return ofc.import_hands(SAMPLES / "score_sheet", out=tmp_path_factory.mktemp("sheets") / "log").log


def test_sheets_and_hands_stand_in_one_frame(sheets: ofc.Log) -> None:
    found = entries(sheets).collect()
    assert found.schema == ENTRIES
    assert set(found["source"]) == {"sheet", "hands"}
    # The one hand with boards, by its file's day; the keeper's two hands with nobody named against him.
    hands = found.filter(source="hands")
    assert sorted(hands["points"].to_list()) == [-13, -8, 13]
    assert hands.filter(player="me").select("hands", "opponent").rows() == [(2, None)]


def test_every_session_cancels_and_no_currency_is_mixed(sheets: ofc.Log) -> None:
    found = entries(sheets).collect().filter(pl.col("session") != "app.json 2026-03-16")
    sums = found.group_by("session", "currency").agg(pl.col("points", "net_minor").sum())
    assert set(found.group_by("session").agg(pl.col("points").sum())["points"]) == {0}
    assert set(sums["net_minor"]) == {0}
    assert found.filter(pl.col("net_minor").is_not_null())["currency"].null_count() == 0


@pytest.mark.parametrize("seats", [2, 3])
def test_hands_of_a_simulation_add_up_pair_by_pair(seats: int, tmp_path: Path) -> None:
    players = ["never_bust_greedy", "cutoff_rows", "random_legal"][:seats]
    run = ofc.simulate("american-pineapple", players, tables=3, hands=6, seed=1, out=tmp_path / "run")
    log = ofc.open_log(run.path)
    found = entries(log).collect()
    results = log.results().collect()
    assert found["session"].n_unique() == 3
    by_player = dict(found.group_by("player").agg(pl.col("points").sum()).iter_rows())
    assert by_player == dict(results.group_by("player").agg(pl.col("points").cast(pl.Int64).sum()).iter_rows())
    assert found["hands"].unique().to_list() == [6]
    both = found.join(found, left_on=["session", "player", "opponent"], right_on=["session", "opponent", "player"])
    assert both.height == found.height == 3 * seats * (seats - 1)
    assert (both["points"] + both["points_right"]).unique().to_list() == [0]


def test_stacks_are_money_and_three_players_chips_are_known_by_player(tmp_path: Path) -> None:
    players = ["never_bust_greedy", "cutoff_rows", "random_legal"]
    run = ofc.simulate("american-pineapple", players, tables=2, hands=5, seed=2, stacks=500, out=tmp_path / "run")
    log = ofc.open_log(run.path)
    found = entries(log).collect()
    moved = log.seats.group_by("player").agg((pl.col("stack_after") - pl.col("stack_before")).sum()).collect()
    chips = found.filter(pl.col("net_minor").is_not_null()).group_by("player").agg(pl.col("net_minor").sum())
    assert dict(chips.iter_rows()) == dict(moved.iter_rows())
    assert found.filter(pl.col("net_minor").is_not_null())["opponent"].null_count() == 6
    assert set(found["currency"].drop_nulls()) == {"chips"}
    assert ofc.analytics.settle_up(ofc.analytics.money_totals(found)).exact == {"chips": True}


def test_recorded_points_or_the_score(tmp_path: Path) -> None:
    log = ofc.import_hands(SAMPLES / "web_app_sqlite" / "twin.db", out=tmp_path / "log").log
    results = log.results().filter(pl.col("points").is_not_null()).collect()
    for points, column in (("recorded", "points_recorded"), ("scored", "points")):
        found = entries(log, points).collect()  # type: ignore[arg-type]
        by_player = dict(found.group_by("player").agg(pl.col("points").sum()).iter_rows())
        assert by_player == dict(results.group_by("player").agg(pl.col(column).cast(pl.Int64).sum()).iter_rows())
    with pytest.raises(ofc.LogError, match="no points 'paid'; have recorded, scored"):
        entries(log, "paid")  # type: ignore[arg-type]


def test_completeness_says_what_each_level_feeds(sheets: ofc.Log, tmp_path: Path) -> None:
    report = ofc.import_hands([SAMPLES / "web_app_sqlite" / "twin.db", SAMPLES / "score_sheet"], out=tmp_path / "log")
    found = ofc.log.completeness(report.log)
    rows = {row["completeness"]: row for row in found.iter_rows(named=True)}
    assert (rows["full"]["hands"], rows["full"]["recorded"], rows["full"]["review"]) == (16, 16, True)
    assert (rows["score_only"]["hands"], rows["score_only"]["ledger"], rows["score_only"]["rescoring"]) == (
        2,
        True,
        False,
    )
    assert rows["score_only"]["sessions"] == report.sessions
    assert not any(rows["unfinished"][use] for use in ("ledger", "rescoring", "replay", "review"))
    assert (rows["final_boards"]["rescoring"], rows["final_boards"]["review"]) == (True, False)
    assert found["hands"].sum() == report.log.n_hands
    assert report.known["full"] == rows["full"]["words"]
