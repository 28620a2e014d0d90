"""Warming up calls the kernels and changes nothing."""

import json

from typer.testing import CliRunner

import ofclab as ofc
from ofclab.cli import app
from ofclab.engine.warmup import warm_up
from ofclab.strategies import get


def test_every_group_is_warmed_up() -> None:
    result = CliRunner().invoke(app, ["warmup", "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert list(told["cpu_seconds"]) == ["ranks", "engine", "jokers", "re-scoring", "log", "strategies", "solver"]
    assert told["cache"]


def test_a_run_is_warmed_up_under_any_deal() -> None:
    for name in ("american-pineapple", "american-regular", "deuce-pineapple", "joker-progressive"):
        warm_up(ofc.load_rules(name))
        warm_up(ofc.load_rules(name), [get("random_legal"), get("never_bust_greedy")])
