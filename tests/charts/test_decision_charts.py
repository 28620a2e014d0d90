"""What holds for the chart of every report on reviewed decisions, and for tendencies."""

import json

import numpy as np
import plotly.graph_objects as go
import polars as pl
import pytest

import ofclab.charts as charts
from ofclab.analytics import DECISION_METRICS, tendencies
from ofclab.charts import DECISION_CHARTS, dark

EVERY = pytest.mark.parametrize("name", list(DECISION_CHARTS))


@pytest.fixture(scope="module")
def decisions() -> pl.DataFrame:
    """Twelve tables of four hands of two players, five decisions each."""
    rng, n = np.random.default_rng(3), 12 * 4 * 2 * 5
    row = np.arange(n)
    wrong = rng.random(n) < 0.4
    rows = pl.Enum(["front", "middle", "back", "discard"])
    points = np.repeat(rng.integers(-20, 20, n // 10), 10) * np.where(row // 5 % 2, -1, 1)
    return pl.DataFrame(
        {
            "table_id": row // 40, "hand_id": row // 10, "seat": row // 5 % 2, "street": row % 5 + 1,
            "player": np.where(row // 5 % 2, "hindsight", "my_own"), "position": row // 5 % 2 + 1,
            "n_seats": np.full(n, 2), "ruleset_id": ["r"] * n, "fl_cards": np.zeros(n, int),
            "ev_loss": np.where(wrong, rng.exponential(1, n), 0.0),
            "verdict": np.where(wrong, "mistake", "best"), "tricky": rng.random(n) < 0.5,
            "row": pl.Series(np.where(wrong, "front", "")).replace("", None).cast(rows),
            "best_row": pl.Series(np.where(wrong, "back", "")).replace("", None).cast(rows),
            "broken": pl.Series(np.where(wrong, rng.choice(["pair", "nothing"], n), "")).replace("", None),
            "foul_played": rng.random(n), "foul_best": rng.random(n), "fantasyland_played": rng.random(n),
            "fantasyland_best": rng.random(n), "points": points, "worth": points.astype(float),
        }
    )  # fmt: skip


@pytest.fixture(scope="module", params=[(), ("player",)], ids=["all", "by player"])
def frames(request, decisions) -> dict[str, pl.DataFrame]:
    return {name: metric.function(decisions, by=request.param).collect() for name, metric in DECISION_METRICS.items()}


def marks(figure: go.Figure) -> list[object]:
    """Every number that a mark of the figure stands at."""
    shown = (trace for trace in figure.data if getattr(trace, "mode", None) in ("markers", "lines+markers"))
    return [value for trace in shown for axis in (trace.x, trace.y) for value in axis]


def test_every_report_has_a_chart() -> None:
    assert list(DECISION_CHARTS) == list(DECISION_METRICS)
    assert all(getattr(charts, chart.__name__) is chart for chart in DECISION_CHARTS.values())


@EVERY
def test_the_chart_shows_the_numbers_and_their_intervals(name, frames) -> None:
    frame = frames[name]
    figure = DECISION_CHARTS[name](frame)
    assert json.loads(figure.to_json())["data"]
    assert set(frame[name]) <= set(marks(figure))
    ends = {value for bounds in frame.select("low", "high").rows() for value in bounds}
    lines = {value for trace in figure.data if getattr(trace, "mode", None) == "lines" for value in trace.x}
    assert ends <= lines
    assert figure.layout.template.layout.showlegend is False
    assert marks(dark(figure)) == marks(figure)


@EVERY
def test_no_rows_say_so(name, frames) -> None:
    assert DECISION_CHARTS[name](frames[name].clear()).layout.annotations[0].text == "No hands to count"


def test_points_as_won_stand_beside_the_adjusted_ones(frames) -> None:
    figure = charts.luck_adjusted_marks(frames["luck_adjusted"])
    assert set(frames["luck_adjusted"]["actual"]) <= set(marks(figure))


def test_tendencies_of_few_hands_are_hollow() -> None:
    rng, n = np.random.default_rng(2), 300
    frame = tendencies(
        pl.DataFrame(
            {
                "player": np.where(np.arange(n) < 40, "new", "old"), "fl_cards": np.zeros(n, int),
                "points": np.zeros(n, int), "fouled": rng.random(n) < 0.2, "next_fl": np.zeros(n, int),
                "earned_by": pl.Series([None] * n, dtype=pl.String), "royalty_front": rng.integers(0, 5, n),
                "royalty_middle": np.zeros(n, int), "royalty_back": np.zeros(n, int),
            }
        )
    ).collect()  # fmt: skip
    figure = charts.tendency_panels(frame)
    assert set(frame["tendencies"]) <= set(marks(figure))
    assert list(figure.layout.yaxis.ticktext)[:2] == ["AA in front · new", "AA in front · old"]
    (trace,) = (trace for trace in figure.data if getattr(trace, "mode", None) == "markers")
    assert len(set(trace.marker.color)) == 2
    assert charts.tendency_panels(frame.clear()).layout.annotations[0].text == "No hands to count"
