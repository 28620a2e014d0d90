"""Every preset, number of seats and built-in strategy makes a log that replays and re-scores to what was written."""

from pathlib import Path

import pytest

import ofclab as ofc
from ofclab.strategies import names

TABLES = [
    pytest.param(preset, seats, id=f"{preset}-{seats}")
    for preset in ofc.presets()
    for seats in range(2, ofc.load_rules(preset).players.max + 1)
]


def check(preset: str, players: list[str], tables: int, hands: int, out: Path) -> None:
    report = ofc.verify(ofc.simulate(preset, players, tables=tables, hands=hands, seed=4, out=out).log)
    assert report.ok, str(report)
    assert report.hands > 0


@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_a_mixed_table_verifies(preset: str, seats: int, tmp_path: Path) -> None:
    fast = ["never_bust_greedy", "random_legal", "cutoff_rows", "random_fill"]
    check(preset, fast[:seats], tables=20, hands=6, out=tmp_path / "log")


@pytest.mark.slow
@pytest.mark.parametrize("strategy", names())
@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_every_strategy_verifies(preset: str, seats: int, strategy: str, tmp_path: Path) -> None:
    check(preset, [strategy] * seats, tables=2, hands=6, out=tmp_path / "log")
