"""Comparing rules: hands held fixed and re-scored, or shuffles played anew."""

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from ofclab.analytics import entry_rate, foul_rate, points_per_hand, royalties_per_hand
from ofclab.charts import change_waterfall, difference_marks, relative_marks
from ofclab.compare import CompareError, compare_rules, one_change_at_a_time, rule_steps
from ofclab.compare.frames import level_frame
from ofclab.compare.measures import as_samples, table_sums
from ofclab.log import open_log
from ofclab.rules import load_rules, presets
from ofclab.runs import simulate

PINEAPPLE = load_rules("american-pineapple")
NO_SWEEP = PINEAPPLE.replace({"scoring.sweep_bonus": 0}, name="no-sweep")
PLAYERS = ["never_bust_greedy", "cutoff_rows"]
SMALL = {"strategies": PLAYERS, "tables": 12, "hands": 25, "seed": 5}


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    folder = tmp_path_factory.mktemp("log")
    simulate(PINEAPPLE, PLAYERS, tables=12, hands=60, seed=2, out=folder)
    return open_log(folder)


@pytest.fixture(scope="module")
def rescored(log):
    return compare_rules([PINEAPPLE, NO_SWEEP], log=log, mode="rescored", fantasyland_values=0)


@pytest.fixture(scope="module")
def resimulated():
    return compare_rules([PINEAPPLE, NO_SWEEP, "progressive-pineapple"], **SMALL)


def normal_hands(log, rules):
    """The hands in which nobody came in with Fantasyland cards, the slow and plain way."""
    results = log.results(rules).collect()
    inside = results.filter(pl.col("fl_cards") > 0)["hand_id"].unique()
    return results.filter(~pl.col("hand_id").is_in(inside.implode()))


def value(frame, metric, of="all", group="all", column="value", ruleset=None):
    rows = frame.filter((pl.col("metric") == metric) & (pl.col("of") == of) & (pl.col("group") == group))
    rows = rows if ruleset is None else rows.filter(pl.col("ruleset") == ruleset)
    return rows[column].item()


def test_rescored_hands_are_those_nobody_began_in_fantasyland(log, rescored):
    hands = normal_hands(log, NO_SWEEP)
    assert 0 < len(hands) < log.n_player_hands
    assert value(rescored.levels, "royalties_per_hand", column="hands", ruleset="no-sweep") == len(hands)
    for metric, function in (
        ("foul_rate", foul_rate),
        ("entry_rate", entry_rate),
        ("royalties_per_hand", royalties_per_hand),
    ):
        expected = function(hands).collect().select(metric, "low", "high").row(0)
        found = rescored.levels.filter((pl.col("metric") == metric) & (pl.col("of") == "all")).filter(
            ruleset="no-sweep"
        )
        assert found.select("value", "low", "high").row(0) == pytest.approx(expected)


def test_rescored_points_are_scored_anew_and_play_is_not(log, rescored):
    before, after = (normal_hands(log, rules)["points"].to_numpy() for rules in (PINEAPPLE, NO_SWEEP))
    row = rescored.differences.filter(pl.col("metric") == "points_exchanged").row(0, named=True)
    assert row["difference"] == pytest.approx(abs(after).mean() - abs(before).mean())
    assert row["verdict"] == "lower"
    sd = rescored.differences.filter((pl.col("metric") == "points_sd") & (pl.col("of") == "all")).row(0, named=True)
    assert (sd["before"], sd["after"]) == pytest.approx((before.std(ddof=1), after.std(ddof=1)))
    unmoved = rescored.differences.filter(pl.col("metric").is_in(["foul_rate", "entry_rate", "royalties_per_hand"]))
    assert unmoved["difference"].abs().max() == 0
    assert set(unmoved["verdict"]) == {"too close to call"}


def test_an_entry_is_worth_its_value_to_the_entrant_and_costs_the_opponents(log):
    free, dear = (
        compare_rules([PINEAPPLE, NO_SWEEP], log=log, mode="rescored", fantasyland_values={14: worth}).levels
        for worth in (0, 10)
    )
    hands = normal_hands(log, PINEAPPLE)
    entries = {who: hands.filter(strategy=who)["next_fl"].cast(pl.Boolean).sum() for who in PLAYERS}
    for who, other in (PLAYERS, PLAYERS[::-1]):
        gained = [value(frame, "points_per_hand", "strategy", who, ruleset=PINEAPPLE.name) for frame in (free, dear)]
        expected = 10 * (entries[who] - entries[other]) / (len(hands) / 2)
        assert gained[1] - gained[0] == pytest.approx(expected)


def test_rescored_without_fantasyland_loses_its_value(log):
    off = PINEAPPLE.replace({"fantasyland.enabled": False})
    found = compare_rules([PINEAPPLE, off], log=log, mode="rescored")
    assert value(found.differences, "entry_rate", column="after") == 0
    assert value(found.differences, "points_sd", column="verdict") == "lower"
    assert any("default values" in note and "14 cards 9.6" in note for note in found.notes)


def test_rescoring_says_what_it_cannot_see(log):
    stays = PINEAPPLE.replace({"fantasyland.stay_cards": 15})
    found = compare_rules([PINEAPPLE, stays], log=log, mode="rescored", fantasyland_values=9)
    assert "fantasyland.stay_cards shows only through the value of Fantasyland given" in found.notes[-1]
    assert "given values" in found.notes[1]
    assert not {"stay_rate", "fantasyland_share"} & set(found.levels["metric"])


def test_another_ranking_reads_the_cards_again(log):
    low = PINEAPPLE.replace(rule_steps(PINEAPPLE, load_rules("deuce-pineapple"))[0].parameters)
    found = compare_rules([PINEAPPLE, low], log=log, mode="rescored")
    fouls = normal_hands(log, low)["fouled"].mean()
    assert value(found.differences, "foul_rate", column="after") == pytest.approx(fouls)
    assert fouls > 0.5


@pytest.mark.parametrize(
    ("name", "parameter"), [("american-regular", "deal.rounds"), ("joker-progressive", "deck.cards")]
)
def test_another_deal_cannot_be_rescored(log, name, parameter):
    with pytest.raises(CompareError, match=f"cannot re-score under {name}: {parameter} .* use mode='resimulated'"):
        compare_rules([PINEAPPLE, name], log=log, mode="rescored")


def test_more_players_than_the_rules_seat_cannot_be_rescored(tmp_path):
    simulate(PINEAPPLE, ["random_legal"] * 3, tables=1, hands=2, seed=1, out=tmp_path)
    heads_up = PINEAPPLE.replace({"players.max": 2}, name="heads-up")
    with pytest.raises(CompareError, match=r"heads-up: players\.max is 2 there and hands of 3"):
        compare_rules([PINEAPPLE, heads_up], log=tmp_path, mode="rescored")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"mode": "rescored"}, "give it a log"),
        ({"mode": "rescored", "log": "here", "strategies": PLAYERS}, "takes no strategies"),
        ({"mode": "resimulated", "log": "here"}, "takes strategies, not a log"),
        ({"mode": "both"}, "no mode 'both'; have resimulated, rescored"),
    ],
)
def test_a_mode_says_what_it_lacks(arguments, said):
    with pytest.raises(CompareError, match=said):
        compare_rules([PINEAPPLE, NO_SWEEP], **arguments)


def test_one_ruleset_is_nothing_to_compare():
    with pytest.raises(CompareError, match="two rulesets or more"):
        compare_rules([PINEAPPLE])


def test_every_frame_says_its_mode(rescored, resimulated):
    for found in (rescored, resimulated):
        assert set(found.levels["mode"]) == set(found.differences["mode"]) == {found.mode}


def test_differences_are_after_less_before_with_a_verdict(resimulated):
    rows = resimulated.differences
    assert set(rows["ruleset"]) == {"no-sweep", "progressive-pineapple"}
    assert set(rows["baseline"]) == {PINEAPPLE.name}
    assert_frame_equal(rows.select(difference=pl.col("after") - pl.col("before")), rows.select("difference"))
    for verdict, held in (("higher", pl.col("low") > 0), ("lower", pl.col("high") < 0)):
        assert rows.filter(pl.col("verdict") == verdict).select(held).to_series().all()
    unsure = rows.filter(pl.col("verdict") == "too close to call")
    assert unsure.select((pl.col("low") <= 0) & (pl.col("high") >= 0)).to_series().all()
    assert set(rows["clusters"].unique()) <= set(range(1, 13))
    relative = rows.drop_nulls("relative")
    assert relative["relative"].to_list() == pytest.approx((relative["after"] / relative["before"] - 1).to_list())


def test_levels_are_the_metrics_of_the_runs(resimulated, tmp_path):
    kept = compare_rules([PINEAPPLE, NO_SWEEP], out=tmp_path, **SMALL)
    logs = {rules.name: open_log(tmp_path / rules.id).results() for rules in (PINEAPPLE, NO_SWEEP)}
    for name, results in logs.items():
        expected = points_per_hand(results, by=["strategy"]).collect()
        found = kept.levels.filter(metric="points_per_hand", of="strategy", ruleset=name).sort("group")
        for column, metric in (("value", "points_per_hand"), ("low", "low"), ("high", "high"), ("hands", "hands")):
            assert found[column].to_list() == pytest.approx(expected[metric].to_list())
    again = resimulated.levels.filter(pl.col("ruleset") != "progressive-pineapple")
    assert_frame_equal(kept.levels, again, check_row_order=False)


def test_paired_tables_tell_more_than_two_samples_would(resimulated):
    rows = resimulated.differences.filter(ruleset="no-sweep", metric="points_exchanged", of="all").row(0, named=True)
    levels = resimulated.levels.filter(metric="points_exchanged")
    unpaired = np.hypot(
        *(
            value(levels, "points_exchanged", column="high", ruleset=name)
            - value(levels, "points_exchanged", ruleset=name)
            for name in (PINEAPPLE.name, "no-sweep")
        )
    )
    assert (rows["high"] - rows["low"]) / 2 < 0.5 * unpaired


def test_the_same_rules_differ_in_nothing():
    found = compare_rules([PINEAPPLE, PINEAPPLE.replace({}, name="copy")], **SMALL)
    assert found.verdict == "Nothing differs: copy and american-pineapple are the same rules."
    assert found.differences["difference"].abs().max() == 0
    twice = compare_rules([PINEAPPLE, PINEAPPLE], **SMALL)
    assert twice.names == ("american-pineapple", f"american-pineapple {PINEAPPLE.id[:6]}")


def test_the_verdict_has_a_number_its_interval_and_the_tables(resimulated):
    assert resimulated.verdict.startswith("Under no-sweep instead of american-pineapple, ")
    assert "lower by 0." in resimulated.verdict
    assert "(95 % interval −" in resimulated.verdict
    assert "on 12 paired tables" in resimulated.verdict
    assert resimulated.verdict in repr(resimulated)
    assert "too close to call" in resimulated._repr_html_()


def test_comparisons_can_be_drawn(resimulated):
    players = resimulated.differences.filter(metric="points_per_hand", of="strategy")
    assert difference_marks(players).data
    assert relative_marks(resimulated.differences.filter(of="all", ruleset="no-sweep")).data


def test_single_changes_add_up_to_the_whole_step():
    target = NO_SWEEP.replace({"foul.penalty": 3, "royalties.mode": "row_winner"}, name="target")
    found = one_change_at_a_time(PINEAPPLE, target, **SMALL)
    assert [list(step.parameters) for step in found.changes] == [
        ["foul.penalty"],
        ["scoring.sweep_bonus"],
        ["royalties.mode"],
    ]
    steps = found.waterfall("points_sd")
    total = value(found.total, "points_sd", column="difference")
    assert steps["difference"].sum() == pytest.approx(total)
    assert steps["before"].to_list()[1:] == steps["after"].to_list()[:-1]
    assert steps["change"][1] == "A scoop pays 0 instead of 3 extra points"
    alone = found.alone.filter(metric="points_sd", of="all")
    assert alone["difference"][0] == steps["difference"][0]
    assert len(alone) == 3
    assert set(found.alone["mode"]) == set(found.steps["mode"]) == {"resimulated"}
    assert change_waterfall(steps).data
    assert "A foul costs 3 instead of 6 points" in found._repr_html_()


def test_single_changes_can_be_rescored(log):
    target = NO_SWEEP.replace({"foul.penalty": 3}, name="target")
    found = one_change_at_a_time(PINEAPPLE, target, log=log, mode="rescored")
    assert set(found.steps["mode"]) == {"rescored"}
    assert len(found.changes) == 2


def test_equal_rules_have_no_changes_to_take_apart():
    with pytest.raises(CompareError, match="nothing to take apart"):
        one_change_at_a_time(PINEAPPLE, PINEAPPLE)


@pytest.mark.parametrize("name", presets())
def test_changes_lead_from_one_preset_to_another_by_playable_steps(name):
    target, reached = load_rules(name), PINEAPPLE
    for step in rule_steps(PINEAPPLE, target):
        PINEAPPLE.replace(step.parameters)
        reached = reached.replace(step.parameters)
        assert step.text
    informational = {"visibility.draws", "game.join_midgame", "game.leave_during_hand", "timeout.clock"}
    assert {k: v for k, v in reached.flat().items() if k not in informational} == {
        k: v for k, v in target.flat().items() if k not in informational
    }


def test_changes_that_need_each_other_go_together():
    steps = rule_steps(PINEAPPLE, load_rules("joker-progressive"))
    assert [set(step.parameters) for step in steps] == [
        {"deck.cards", "deck.jokers"},
        {"fantasyland.entry_front"},
        {"fantasyland.stay_cards"},
    ]


def test_the_error_of_a_standard_deviation_is_the_jackknifes():
    rng = np.random.default_rng(3)
    points = rng.normal(0, rng.gamma(8, 1, (60, 1)), (60, 50)).round()
    frame = pl.LazyFrame(
        {
            "table_id": np.repeat(np.arange(60), 50),
            "points": points.ravel(),
            "strategy": "a",
            "player": "a",
            "seat": 0,
            "position": 1,
            "n_seats": 2,
            "fl_cards": 0,
            "fouled": False,
            "next_fl": 0,
            "royalty_front": 0,
            "royalty_middle": 0,
            "royalty_back": 0,
        }
    )
    [sample] = as_samples([PINEAPPLE], ["only"], [table_sums(frame, "table_id")])
    level = level_frame([sample], "resimulated").filter(metric="points_sd").row(0, named=True)
    left_out = [np.delete(points, table, axis=0).std(ddof=1) for table in range(60)]
    jackknife = np.sqrt(59 / 60 * np.square(left_out - np.mean(left_out)).sum())
    assert level["value"] == pytest.approx(points.std(ddof=1))
    assert (level["high"] - level["value"]) / 2.001 == pytest.approx(jackknife, rel=0.05)
