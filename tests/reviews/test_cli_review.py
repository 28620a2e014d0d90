"""`ofclab review` end to end."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ofclab.reviews.levels as levels
from ofclab.cli import app
from ofclab.log import Log
from ofclab.reviews import Level

FEW = Level("few", look=4, wide=2, screen=1, finalists=2, choose=6, first=4, second=4, groups=2, summed=4, boards=2)


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["review", *arguments])
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


@pytest.fixture(autouse=True)
def shallow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "LEVELS", {"few": FEW})


def test_review_prints_the_sentence_leaks_and_worst_decisions(log: Log) -> None:
    text = run(str(log.path), "--player", "cutoff_rows", "--level", "few", "--policy", "never_bust_greedy")
    assert text.strip().startswith("cutoff_rows lost ")
    assert "Leaks: points per 100 hands" in text
    assert "The decisions that lost most" in text
    assert "Judged by what each player saw" in text
    assert Path(log.path, "evaluations").is_dir()


def test_review_tells_json(log: Log) -> None:
    options = ["--level", "few", "--policy", "never_bust_greedy", "--worst", "2", "--fantasyland", "14=9", "--json"]
    told = json.loads(run(str(log.path), *options))
    assert told["engine"]["policy"] == "never_bust_greedy"
    assert told["engine"]["fantasyland_values"]["14"] == 9
    assert len(told["worst"]) == 2
    assert sum(told["verdicts"].values()) == told["decisions"] == 60
    assert {row["player"] for row in told["summary"]} == {"cutoff_rows", "never_bust_greedy", "hindsight"}


def test_review_says_what_is_wrong_in_one_line(log: Log) -> None:
    for arguments, message in (
        (["--level", "endless"], "no level 'endless'; have few"),
        (["--level", "few", "--player", "nobody"], "no player 'nobody'"),
        (["--level", "few", "--policy", "clairvoyant"], "no strategy 'clairvoyant'"),
    ):
        assert message in run(str(log.path), *arguments, code=2)
    assert "no log at" in run(str(log.path / "none"), code=2)
