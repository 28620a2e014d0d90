"""The rows are those that were asked for, complete, and every one of them can be measured."""

import json
import math

import pytest
from typer.testing import CliRunner

from ofclab.bench import Effort, Row, benches, run
from ofclab.bench.measure import times
from ofclab.bench.row import Bench, Measured
from ofclab.cli import app

TINY = Effort(rounds=1, seconds=0.0)
ROWS = {
    "5-card ranks, batch": ("M/s", "60x", "150x"),
    "front ranks, batch": ("M/s", "1.2x", "1.8x"),
    "random 2-player Pineapple, whole engine": ("M hands/s", "1000x", "3000x"),
    "random engine into a scored Parquet log": ("M hands/s", "0.33x", "0.5x"),
    "NeverBustGreedy, whole engine": ("M hands/s", "0.08x", "0.15x"),
    "expert(fast), whole engine": ("k hands/s", "20x", "60x"),
    "setter, 14 cards": ("us", "80x", "200x"),
    "setter, 17 cards": ("us", "0.5x", "1x"),
    "last street exact, 27 unseen": ("us", "20x", "40x"),
    "street-4 decision exact": ("us", "20x", "60x"),
    "two streets exact, 32 unseen": ("ms", "100x", "300x"),
    "re-score from codes": ("M hands/s", "4x", "8x"),
    "re-score from cards": ("M hands/s", "1x", "2x"),
    "spot, street 1, error in a second": ("points", "1x", "2x"),
    "spot, street 2, error in a second": ("points", "0.3x", "1x"),
    "spot, street 3, error in a second": ("points", "0.5x", "1.5x"),
    "spot, street 4, exact": ("ms", "1000x", "5000x"),
    "spot, street 5, exact": ("ms", "10ms", "2ms"),
    "hands of the exchange format into a log": ("k hands/s", "0.02x", "0.06x"),
    "log bytes a two-seat hand": ("B", "41B", "30B"),
    "use from cache": ("CPU s", "1s", "0.5s"),
    "first compilation": ("CPU s", "25s", "12s"),
    "2-worker CPU efficiency": ("M hands/CPU s", "0.9x", "0.98x"),
    "100 M seat rows, rate, mean, sd, streamed": ("M rows/s", "5x", "10x"),
}
STARTING_UP = ("use from cache", "first compilation")


def test_the_table_is_complete() -> None:
    found = {
        bench.name: (bench.unit, f"{bench.gate:g}{bench.gate_unit}", f"{bench.aim:g}{bench.gate_unit}")
        for bench in benches()
    }
    assert found == ROWS
    assert list(found) == list(ROWS)
    assert all(bench.against for bench in benches())


def is_measured(row: Row) -> bool:
    """Everything of a row is there; no figure is judged."""
    assert math.isfinite(row.value)
    assert row.value > 0
    if row.baseline is None:
        assert row.ratio is None
        assert row.holds is None
        assert "is not installed" in row.note
        return True
    assert row.ratio is not None
    assert math.isfinite(row.ratio)
    assert row.ratio > 0
    return row.holds in (True, False)


@pytest.mark.parametrize("name", [name for name in ROWS if name not in STARTING_UP])
def test_a_row_is_measured(name: str) -> None:
    (row,) = run([name], effort=TINY)
    assert row.name == name
    assert is_measured(row)


@pytest.mark.slow
def test_starting_up_is_measured() -> None:
    warm, cold = run(STARTING_UP, effort=TINY)
    assert is_measured(warm)
    assert is_measured(cold)
    assert cold.value > warm.value


def bench(less: bool, gate: float, unit: str = "x") -> Bench:
    return Bench("a", "u", "b", gate, gate, lambda effort: Measured(2.0, 6.0), less_is_better=less, gate_unit=unit)


def test_a_ratio_says_how_many_times_better() -> None:
    assert bench(True, 3).run(TINY).ratio == 3
    assert bench(True, 3).run(TINY).holds
    assert not bench(True, 3.1).run(TINY).holds
    assert bench(False, 0.3).run(TINY).ratio == pytest.approx(1 / 3)
    assert bench(False, 0.3).run(TINY).holds
    assert not bench(False, 0.4).run(TINY).holds


def test_a_bound_is_on_the_figure() -> None:
    row = bench(True, 2, "B").run(TINY)
    assert row.ratio == 3
    assert row.holds
    assert not bench(True, 1.9, "B").run(TINY).holds


def test_without_a_baseline_nothing_is_told() -> None:
    alone = Bench("a", "u", "b", 1, 1, lambda effort: Measured(2.0, None)).run(TINY)
    assert (alone.baseline, alone.ratio, alone.holds) == (None, None, None)


def test_works_take_turns() -> None:
    calls: list[str] = []
    clock = iter(range(1000))
    taken = times([lambda: calls.append("a"), lambda: calls.append("b")], Effort(3, 0.0), lambda: float(next(clock)))
    assert "".join(calls) == "aabb" + "ab" * 3
    assert taken == [1, 1]


def test_only_some_rows_by_part_of_their_names() -> None:
    with pytest.raises(ValueError, match=r"no row 'setterr'; have 5-card ranks, batch; front ranks"):
        run(["setterr"])


def test_the_command_prints_rows_as_json() -> None:
    result = CliRunner().invoke(app, ["bench", "--only", "log bytes", "--json"])
    assert result.exit_code == 0, result.output
    (row,) = json.loads(result.stdout)
    assert list(row)[:8] == ["name", "value", "unit", "baseline", "ratio", "gate", "aim", "holds"]
    assert row["baseline"] == 78


def test_the_command_prints_a_table() -> None:
    result = CliRunner().invoke(app, ["bench", "--only", "log bytes"])
    assert result.exit_code == 0, result.output
    assert "log bytes a two-seat hand" in result.stdout
    assert "41 B" in result.stdout


def test_an_unknown_row_is_one_line() -> None:
    result = CliRunner().invoke(app, ["bench", "--only", "teleport"])
    assert result.exit_code == 2
    assert "no row 'teleport'" in result.output
