"""A small simulated log to review, and a level so shallow that reviewing it takes seconds."""

import shutil
from pathlib import Path

import pytest

from ofclab.log import Log, open_log
from ofclab.reviews import Level, Review, review
from ofclab.runs import simulate

TINY = Level(
    "tiny", look=16, wide=4, screen=2, finalists=2, choose=6, first=12, second=12, groups=2, summed=4, boards=6
)
POLICY = "hindsight(samples=2)"
PLAYERS = ("cutoff_rows", "never_bust_greedy", "hindsight")


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a log of 10 tables and 2 hands, three players; not to be changed."""
    out = tmp_path_factory.mktemp("review") / "log"
    return Path(simulate("american-pineapple", PLAYERS, tables=10, hands=2, seed=8, out=out).path)


@pytest.fixture(scope="session")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a log of 4 hands, three players; not to be changed."""
    out = tmp_path_factory.mktemp("few") / "log"
    return Path(simulate("american-pineapple", PLAYERS, tables=4, hands=1, seed=8, out=out).path)


@pytest.fixture
def log(few: Path, tmp_path: Path) -> Log:
    """A copy of the log of 4 hands that a test may write to."""
    return open_log(shutil.copytree(few, tmp_path / "log"))


@pytest.fixture(scope="session")
def reviewed(played: Path) -> Review:
    """The whole log reviewed."""
    return review(played, level=TINY, policy=POLICY)
