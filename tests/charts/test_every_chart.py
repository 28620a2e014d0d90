"""What holds for the chart of every metric."""

import json
import re

import plotly.graph_objects as go
import pytest

from ofclab.analytics import METRICS
from ofclab.charts import CHARTS, dark
from ofclab.charts.theme import DARK, DIVERGING_DARK, LIGHT, SEQUENTIAL_DARK, SERIES, SERIES_DARK

EVERY = pytest.mark.parametrize("name", list(CHARTS))
HEX = re.compile(r"#[0-9A-Fa-f]{6}\b")


def drawn(figure, kinds=("markers", "lines+markers", "bar")):
    """Every number that a mark or bar of the figure stands at."""
    return [
        value
        for trace in figure.data
        if getattr(trace, "mode", None) in kinds or trace.type in kinds
        for axis in (trace.x, trace.y)
        for value in axis
    ]


def test_every_metric_has_a_chart():
    assert list(CHARTS) == list(METRICS)


@EVERY
def test_the_chart_shows_the_numbers_of_the_frame(name, frames):
    figure, frame = CHARTS[name](frames[name]), frames[name]
    assert json.loads(figure.to_json())["data"]
    assert set(frame[name]) <= set(drawn(figure))


@EVERY
def test_intervals_are_drawn(name, frames):
    if name == "hands_needed":
        assert "low" not in frames[name].columns
        return
    ends = [value for bounds in frames[name].select("low", "high").rows() for value in bounds]
    figure = CHARTS[name](frames[name])
    assert set(ends) <= set(drawn(figure, ["lines"]))
    assert {trace.line.width for trace in figure.data if trace.type == "scatter" and trace.mode == "lines"} == {3}


@EVERY
def test_the_unit_is_named_and_there_is_no_legend(name, frames):
    figure = CHARTS[name](frames[name])
    assert METRICS[name].unit.lower() in figure.to_json().lower()
    assert figure.layout.template.layout.showlegend is False
    assert not any(axis.title.text for axis in figure.select_yaxes())


@EVERY
def test_at_night_every_colour_is_one_of_the_night(name, frames):
    night = {colour.upper() for colour in (*DARK.values(), *SERIES_DARK, *DIVERGING_DARK, *SEQUENTIAL_DARK)}
    day = CHARTS[name](frames[name])
    figure = dark(day)
    assert isinstance(figure, go.Figure)
    assert {colour.upper() for colour in HEX.findall(figure.to_json())} <= night
    assert drawn(figure) == drawn(day)


@EVERY
def test_no_rows_say_so(name, frames):
    figure = CHARTS[name](frames[name].clear())
    assert figure.layout.annotations[0].text == "No hands to count"


def test_groups_are_named_on_the_axis(frames):
    figure = CHARTS["foul_rate"](frames["foul_rate"])
    expected = ["gamble(p=0.3)", "my_own"] if "strategy" in frames["foul_rate"].columns else ["All hands"]
    assert list(figure.layout.yaxis.ticktext) == expected


def test_light_tokens_are_all_swapped():
    figure = go.Figure(layout={"title": {"text": " ".join([*LIGHT.values(), *SERIES])}})
    assert not set(HEX.findall(dark(figure).layout.title.text)) & {*LIGHT.values(), *SERIES}
