"""The audit: every recorded figure that differs from the score is there, with the change that would make it true."""

import sys
from pathlib import Path

import polars as pl
import pytest

import ofclab as ofc
from ofclab.log.reasons import CAPPED, TYPING
from ofclab.log.recorded import points_of, recorded
from ofclab.log.variants import JOKER, SCOOP, STAY, TABLE, single_changes

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from recorded_logs import import_told, told_hands  # noqa: E402

TWIN = ROOT / "data" / "samples" / "web_app_sqlite"
REAL = ROOT.parent / "shared" / "imports" / "web_app_sqlite"
PINEAPPLE = ofc.load_rules("american-pineapple")


def reasons(frame: pl.DataFrame, log: ofc.Log) -> dict[str, set[str]]:
    """Reasons by hand of the site, chips apart."""
    found: dict[str, set[str]] = {}
    for row in frame.filter(pl.col("measure") != "chips").iter_rows(named=True):
        found.setdefault(row["site_hand_id"], set()).add(row["reason"])
    return found


def expected(folder: Path) -> pl.DataFrame:
    return pl.read_csv(folder / "expected_rescore.csv")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    """Forty hands with what a room under American pineapple recorded."""
    folder = tmp_path_factory.mktemp("told")
    return told_hands(PINEAPPLE, folder / "run", tables=2, hands=20, seed=11)


def test_the_twin_names_each_hand_and_why(tmp_path: Path) -> None:
    log = ofc.import_hands(TWIN / "twin.db", out=tmp_path / "log").log
    table = expected(TWIN)
    wrong = table.filter(~(pl.col("score_agrees") & pl.col("next_fl_agrees")))
    found = ofc.audit(log)
    assert set(reasons(found, log)) == set(wrong["hand_id"])
    # The twin's app read jokers into fouls and let nobody stay, in its first session only.
    by_score = dict(wrong.select("hand_id", "score_agrees").iter_rows())
    assert reasons(found, log) == {hand: {STAY if agrees else JOKER} for hand, agrees in by_score.items()}
    chips = found.filter(measure="chips")
    assert set(chips["reason"]) == {CAPPED}
    assert chips.height == 2
    assert found["difference"].to_list() == (found["recorded"] - found["recomputed"]).to_list()


@pytest.mark.skipif(not REAL.is_dir(), reason="the real log is not here")
def test_the_real_log_names_each_hand_and_why(tmp_path: Path) -> None:
    log = ofc.import_hands(REAL / "ofc_log.db", out=tmp_path / "log").log
    table = expected(REAL)
    wrong = table.filter(~(pl.col("score_agrees") & pl.col("next_fl_agrees")))
    found = ofc.audit(log)
    by_hand = reasons(found, log)
    assert set(by_hand) == set(wrong["hand_id"])
    # Known of this log: jokers read into fouls or as hands they may not be, and a stay rule that changed inside it.
    assert {reason for told in by_hand.values() for reason in told} == {JOKER, STAY}
    for row in wrong.filter(~pl.col("score_agrees")).iter_rows(named=True):
        assert by_hand[row["hand_id"]] == {JOKER}
    explained = found.filter(reason=STAY)["explanation"].unique().to_list()
    assert any("14 cards instead of as many" in words for words in explained)
    assert any("full house or better in the middle stays" in words for words in explained)


def test_what_agrees_is_not_there(told: list[dict], tmp_path: Path) -> None:
    log = import_told(told, tmp_path)
    assert ofc.audit(log).is_empty()
    other = ofc.audit(log, PINEAPPLE.replace({"scoring.sweep_bonus": 0}))
    assert set(other["measure"]) == {"points"}
    assert set(other["reason"]) == {SCOOP}
    assert set(other["settings"]) == {"scoring.sweep_bonus=3"}
    assert other["explains"].min() == other["hand_id"].n_unique()


def changed(told: list[dict], number: int, **figures: int) -> list[dict]:
    """The hands with some figures of seat 0 of one hand changed."""
    hands = [dict(hand, seats=[dict(seat) for seat in hand["seats"]]) for hand in told]
    for name, more in figures.items():
        seat = hands[number]["seats"][0]
        seat[name] += more
        if name == "points_recorded":
            hands[number]["seats"][1][name] -= more
    return hands


@pytest.fixture(scope="module")
def plain(told: list[dict]) -> int:
    """A hand of at least ten points in which nobody fouled."""
    return next(
        number for number, hand in enumerate(told)
        if abs(hand["seats"][0]["points_recorded"]) >= 10 and not any(seat["foul_recorded"] for seat in hand["seats"])
    )  # fmt: skip


def test_slips_of_the_pen(told: list[dict], plain: int, tmp_path: Path) -> None:
    right = told[plain]["seats"][0]["points_recorded"]
    swapped = changed(told, plain, points_recorded=-2 * right)
    found = ofc.audit(import_told(swapped, tmp_path / "swapped"))
    assert set(found["reason"]) == {TYPING}
    assert found["explanation"][0] == "signs the other way round"
    alone = changed(told, plain, points_recorded=7)
    alone[plain]["seats"][1]["points_recorded"] += 7
    found = ofc.audit(import_told(alone, tmp_path / "alone"))
    assert found["hand_id"].n_unique() == 1
    assert found["explanation"][0] == f"the recorded points add up to +7; with seat 0 at {right:+d} they would cancel"


def test_another_royalty_table(told: list[dict], tmp_path: Path) -> None:
    house = PINEAPPLE.replace({"royalties.back.flush": 7})
    folder = tmp_path / "house"
    log = import_told(told_hands(house, folder, tables=2, hands=30, seed=12), tmp_path / "import")
    found = ofc.audit(log)
    assert set(found["reason"]) == {TABLE}
    assert set(found["settings"]) == {"royalties.back.flush=7"}


def test_a_log_without_a_record_has_nothing_to_audit(tmp_path: Path) -> None:
    run = ofc.simulate(PINEAPPLE, ["random_legal", "random_legal"], tables=1, hands=2, out=tmp_path / "run")
    found = ofc.audit(ofc.open_log(run.path))
    assert found.is_empty()
    assert found.schema == ofc.log.AUDIT


def test_two_changes_together(tmp_path: Path) -> None:
    house = PINEAPPLE.replace({"foul.penalty": 5, "royalties.back.full_house": 9})
    log = import_told(told_hands(house, tmp_path / "run", tables=2, hands=40, seed=15), tmp_path / "import")
    found = ofc.audit(log)
    assert "no reason found" not in found["reason"].to_list()
    # Most hands show one of the two changes, some a fouler who pays a full house.
    together = found.filter(pl.col("settings").str.contains(", "))
    assert 0 < together.height < found.height
    assert all("foul.penalty=5" in words or "royalties.back.full_house=9" in words for words in found["settings"])


def test_recorded_points_follow_from_rows_royalties_and_fouls(told: list[dict], tmp_path: Path) -> None:
    (group,) = recorded(import_told(told, tmp_path))
    for rules in (PINEAPPLE, *(one.rules for one in single_changes(PINEAPPLE)[::9])):
        outcome = group.under(rules)
        fouled = outcome.values[:, :, 2].astype(bool)
        if rules.royalties.mode != "row_winner":
            points = points_of(outcome.rows, outcome.values[:, :, 1], fouled, rules, 2)
            assert (points == outcome.values[:, :, 0]).all(), rules.name


def test_every_change_is_one_that_houses_make() -> None:
    for preset in ("american-pineapple", "joker-progressive", "deuce-pineapple"):
        changes = single_changes(ofc.load_rules(preset))
        assert len({one.rules.id for one in changes}) == len(changes) > 50
        assert all(one.words and one.size >= 1 for one in changes)
