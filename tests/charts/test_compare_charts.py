import polars as pl
import pytest

from ofclab.analytics import entry_rate, foul_rate, points_per_hand
from ofclab.charts import (
    change_waterfall,
    crossed_marks,
    dark,
    difference_marks,
    payoff_matrix,
    points_spread,
    relative_marks,
)
from ofclab.charts.theme import LIGHT, strategy_look


@pytest.fixture
def differences() -> pl.DataFrame:
    """Three strategies under other rules: one gains, one cannot be told, one loses."""
    return pl.DataFrame(
        {
            "ruleset": ["progressive"] * 3,
            "title": ["Points"] * 3,
            "unit": ["points per hand"] * 3,
            "of": ["strategy"] * 3,
            "group": ["fantasy_chaser", "hindsight", "anti_foul"],
            "before": [1.0, 2.0, 3.0],
            "after": [1.6, 2.1, 2.6],
            "difference": [0.6, 0.1, -0.4],
            "low": [0.3, -0.1, -0.6],
            "high": [0.9, 0.3, -0.2],
            "relative": [0.6, 0.05, -0.13],
            "relative_low": [0.3, -0.05, -0.2],
            "relative_high": [0.9, 0.15, -0.06],
            "verdict": ["higher", "too close to call", "lower"],
            "hands": [1000] * 3,
            "number": [1, 2, 3],
            "change": ["Scoop pays 0", "Foul costs 4", "Trips pay 2"],
            "after_low": [1.3, 1.9, 2.4],
            "after_high": [1.9, 2.3, 2.8],
        }
    )


def marks(figure):
    return next(trace for trace in figure.data if trace.mode == "markers")


def test_a_difference_that_cannot_be_told_from_zero_is_hollow(differences):
    figure = difference_marks(differences)
    found = marks(figure)
    assert list(found.x) == [0.6, 0.1, -0.4]
    assert list(found.marker.color) == [
        strategy_look("fantasy_chaser").mark,
        LIGHT["page"],
        strategy_look("anti_foul").mark,
    ]
    assert found.marker.line.color[1] == strategy_look("hindsight").mark
    assert figure.layout.xaxis.title.text == "Change, points per hand"
    assert figure.layout.shapes[0].x0 == 0


def test_several_rulesets_are_told_apart_by_name(differences):
    both = differences.with_columns(ruleset=pl.Series(["a", "b", "b"]))
    assert "anti_foul · b" in difference_marks(both).layout.yaxis.ticktext


def test_relative_changes_carry_their_levels(differences):
    rates = differences.with_columns(unit=pl.lit("% of hands"), before=pl.lit(0.125), after=pl.lit(0.129))
    figure = relative_marks(rates)
    assert list(marks(figure).x) == [0.6, 0.05, -0.13]
    assert "12.5% → 12.9%" in figure.layout.yaxis.ticktext[0]
    assert relative_marks(rates.with_columns(relative=None)).layout.annotations[0].text == "No changes to show"


def test_the_waterfall_runs_from_level_to_level(differences):
    figure = change_waterfall(differences)
    bars = [trace for trace in figure.data if trace.mode == "lines" and trace.line.width == 16]
    assert [tuple(bar.x) for bar in bars] == [(1.0, 1.6), (2.0, 2.1), (3.0, 2.6)]
    assert figure.layout.yaxis.ticktext[0] == "1. Scoop pays 0"


def test_two_rates_cross_their_intervals(results):
    fouls, entries = (metric(results, by=["strategy"]).collect() for metric in (foul_rate, entry_rate))
    figure = crossed_marks(fouls, entries, "foul_rate", "entry_rate", "Foul rate, % of hands", "Entries, % of hands")
    assert list(marks(figure).x) == fouls["foul_rate"].to_list()
    assert list(marks(figure).y) == entries["entry_rate"].to_list()
    assert [note.text for note in figure.layout.annotations] == [*fouls["strategy"], "Entries, % of hands"]


def test_the_payoff_matrix_is_its_own_mirror():
    figure = payoff_matrix(pl.DataFrame({"a": ["x", "x"], "b": ["y", "z"], "points": [1.0, -2.0]}))
    assert [list(row) for row in figure.data[0].z] == [[None, 1.0, -2.0], [-1.0, None, None], [2.0, None, None]]
    assert list(figure.layout.yaxis.ticktext) == ["1. x", "2. y", "3. z"]


def test_the_spread_shows_percentiles_and_the_median(results):
    frame = points_per_hand(results, by=["strategy"]).collect()
    figure = points_spread(frame)
    widths = {trace.line.width: tuple(trace.x) for trace in figure.data if trace.mode == "lines"}
    assert widths[3] == (frame["p5"][1], frame["p95"][1])
    assert widths[14] == (frame["p25"][1], frame["p75"][1])
    assert [trace.x[0] for trace in figure.data if trace.mode == "markers"] == frame["p50"].to_list()


@pytest.mark.parametrize("chart", [difference_marks, relative_marks, change_waterfall])
def test_compare_charts_have_a_night(chart, differences):
    assert LIGHT["text"] not in dark(chart(differences)).to_json()
    assert chart(differences.clear()).layout.annotations
