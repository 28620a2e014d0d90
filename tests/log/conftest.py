"""One small simulated log with many Fantasyland hands, copied for each test that changes it."""

import shutil
from pathlib import Path

import pytest

from ofclab.log import Log, open_log
from ofclab.rules import Rules, load_rules
from ofclab.runs import simulate

STRATEGIES = ("never_bust_greedy", "random_legal", "cutoff_rows")


@pytest.fixture(scope="session")
def easy_rules() -> Rules:
    """Pineapple in which any pair up front enters Fantasyland, so that a small log has many chains."""
    changes = {"fantasyland.entry_front": [{"min": "22", "cards": 14}, {"min": "88", "cards": 15}]}
    return load_rules("american-pineapple").replace(changes, name="easy-fantasyland")


@pytest.fixture(scope="session")
def played(easy_rules: Rules, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a log of 12 tables and 10 hands; not to be changed."""
    return simulate(
        easy_rules, STRATEGIES, tables=12, hands=10, seed=5, out=tmp_path_factory.mktemp("log") / "small"
    ).path


@pytest.fixture
def log(played: Path, tmp_path: Path) -> Log:
    """A copy of that log that a test may spoil."""
    return open_log(shutil.copytree(played, tmp_path / "log"))
