"""The charts of the ledger show the numbers of their frames, by day and by night."""

import polars as pl
import pytest

from ofclab.charts import dark, leaderboard_bars, pair_nets_matrix, running_points_lines

BOARD = pl.DataFrame(
    {"season": ["all"] * 3, "rank": [1, 2, 3], "player": ["ann", "bob", "cem"], "sessions": [4, 3, 2],
     "points": [16, -4, None], "hands": [45, None, 3]}
)  # fmt: skip
PAIRS = pl.DataFrame({"player": ["ann", "bob"], "opponent": ["bob", "ann"], "points": [5, -5]})
RUNNING = pl.DataFrame(
    {"player": ["ann", "ann", "bob"], "played_at": [None] * 3, "session": ["1", "2", "1"], "points": [3, 4, -3],
     "total": [3, 7, -3]},
    schema_overrides={"played_at": pl.Datetime("us", "UTC")},
)  # fmt: skip
EVERY = pytest.mark.parametrize(
    ("chart", "frame"), [(leaderboard_bars, BOARD), (pair_nets_matrix, PAIRS), (running_points_lines, RUNNING)]
)


@EVERY
def test_numbers_are_those_of_the_frame(chart, frame):
    figure = chart(frame)
    text = figure.to_json()
    assert '"ann"' in text or "ann" in text
    values = [value for trace in figure.data for value in _numbers(trace)]
    column = "total" if "total" in frame.columns else "points"
    assert set(frame[column].drop_nulls()) <= set(values)


def _numbers(trace):
    if trace.type == "heatmap":
        return [value for row in trace.z for value in row if value is not None]
    return list(trace.x if trace.type == "bar" else trace.y)


@EVERY
def test_nothing_to_show_says_so_and_nights_have_their_colours(chart, frame):
    assert chart(frame.clear()).layout.annotations[0].text == "No sessions to show"
    assert dark(chart(frame)).to_json() != chart(frame).to_json()
