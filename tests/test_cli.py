"""The commands end to end: what they print, their exit codes, and that no traceback reaches a user."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ofclab.cli import app

A = "8d 8c 3s / Ts 9d Tc 9s Kd / Ah Kh Jh 4h 2h"
B = "Qs Qh 7d / Qd Qc 6s 5h 4d / Ac Kc Jc 9c 2c"
FAST = ["--strategy", "never_bust_greedy", "--strategy", "random_legal", "--tables", "12", "--hands", "10"]


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


def told(*arguments: str) -> object:
    return json.loads(run(*arguments, "--json"))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "first"
    run("simulate", "--rules", "american-pineapple", *FAST, "--seed", "3", "--out", str(folder))
    return folder


def test_score_says_who_pays_whom() -> None:
    # B fouls (Q-Q-7 over Q-Q-6-5-4): it pays 6 and A's royalties, 3 for the eights and 4 for the flush.
    scored = told("score", A, B)
    assert scored["points"] == [13, -13]
    assert scored["seats"][0]["royalties"] == {"front": 3, "middle": 0, "back": 4, "total": 7}
    assert scored["seats"][1]["fouled"]
    assert "+13" in run("score", A, B)


def test_score_settles_table_stakes() -> None:
    settled = told("score", A, B, "--stacks", "20,5")["settlement"]
    assert settled["stacks"] == [25, 0]


def test_score_names_a_card_that_stands_twice() -> None:
    assert "8d stands twice" in run("score", A, B.replace("9c", "8d"), code=2)


def test_fantasyland_sets_exactly() -> None:
    # Three aces in front (22), the wheel (4), kings full (6): better than quad aces behind kings full (10 + 12).
    best = told("fantasyland", "As Ah Ad Ac 2c Ks Kh Kd Qs Qh 4d 4c 3s 5h")
    assert best["stays"]
    assert not best["fouled"]
    assert best["royalties"] == 32
    assert best["board"] == "As Ah Ad / Ac 5h 4d 3s 2c / Ks Kh Kd Qs Qh"


def test_fantasyland_wants_13_to_17_cards() -> None:
    assert "13" in run("fantasyland", "As Ah Ad", code=2)


def test_report_gives_counts_and_intervals(log: Path) -> None:
    frames = told("report", str(log), "--metric", "foul_rate", "--by", "strategy")
    rows = {row["strategy"]: row for row in frames["foul_rate"]}
    assert set(rows) == {"never_bust_greedy", "random_legal"}
    assert rows["random_legal"]["low"] <= rows["random_legal"]["foul_rate"] <= rows["random_legal"]["high"]
    assert rows["never_bust_greedy"]["foul_rate"] < rows["random_legal"]["foul_rate"]
    assert "Foul rate" in run("report", str(log))


def test_report_names_the_choices(log: Path) -> None:
    assert "did you mean 'foul_rate'" in run("report", str(log), "--metric", "foul_rat", code=2)
    assert "no column 'dealer'" in run("report", str(log), "--by", "dealer", code=2)


def test_compare_resimulates_and_rescores(log: Path) -> None:
    played = told("compare", "american-pineapple", "russian-pineapple", *FAST)
    assert played["mode"] == "resimulated"
    rescored = told("compare", "american-pineapple", "spartan-2-4", "--log", str(log), "--fantasyland", "14=9.6,15=13")
    assert rescored["mode"] == "rescored"
    assert rescored["verdict"]


def test_compare_with_itself_differs_in_nothing(log: Path) -> None:
    assert "Nothing differs" in run("compare", "american-pineapple", "american-pineapple", "--log", str(log))


def test_quickstart_plays_compares_and_says_how_to_look(tmp_path: Path) -> None:
    printed = run("quickstart", "--tables", "4", "--hands", "5", "--out", str(tmp_path / "quick"))
    assert "ofclab dashboard" in printed
    assert "progressive-pineapple" in printed


@pytest.mark.parametrize(
    "arguments",
    [
        ("report", "no/such/log"),
        ("simulate", "--rules", "american-pinapple", "--strategy", "random_legal", "--strategy", "random_legal"),
        ("simulate", "--rules", "american-pineapple", "--strategy", "hindsite", "--strategy", "random_legal"),
        ("compare", "american-pineapple", "turbo", "--fantasyland", "much"),
        ("score", "Qs Qh / Kd"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_two(arguments: tuple[str, ...]) -> None:
    run(*arguments, code=2)
