"""`ofclab rules` and how the program reports errors."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ofclab.cli import app
from ofclab.rules import load_rules, parameters, presets


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["rules", *args], env={"COLUMNS": "200"})


def test_list_has_every_preset() -> None:
    text = run("list")
    rows = json.loads(run("list", "--json").stdout)
    assert text.exit_code == 0
    assert all(name in text.stdout for name in presets())
    assert [row["name"] for row in rows] == list(presets())
    assert rows[0]["id"] == load_rules(presets()[0]).id


def test_show_in_words_json_and_toml(tmp_path: Path) -> None:
    assert "Kings or better up front" in run("show", "deuce-pineapple").stdout
    shown = json.loads(run("show", "deuce-pineapple", "--json").stdout)
    assert shown["parameters"] == load_rules("deuce-pineapple").flat()
    path = tmp_path / "copy.toml"
    path.write_text(run("show", "deuce-pineapple", "--toml").stdout, encoding="utf-8")
    assert load_rules(path) == load_rules("deuce-pineapple")


def test_show_takes_one_format() -> None:
    assert run("show", "turbo", "--json", "--toml").exit_code == 2


def test_check_passes_playable_rules(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('extends = "turbo"\nscoring.sweep_bonus = 0\n')
    result = run("check", str(path))
    assert result.exit_code == 0
    assert "can be played" in result.stdout
    assert json.loads(run("check", str(path), "--json").stdout)["valid"] is True


def test_check_fails_with_every_problem(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text('extends = "turbo"\nscoring.sweep_bonus = "x"\nfoul.penalti = 3\n')
    result = run("check", str(path))
    assert result.exit_code == 1
    assert "scoring.sweep_bonus" in result.stdout
    assert "did you mean 'penalty'?" in result.stdout
    report = json.loads(run("check", str(path), "--json").stdout)
    assert report["valid"] is False
    assert {problem["key"] for problem in report["problems"]} == {"scoring.sweep_bonus", "foul.penalti"}


def test_diff_in_words_and_json() -> None:
    text = run("diff", "american-pineapple", "progressive-16")
    assert text.exit_code == 0
    assert "Kings up front earn 15 Fantasyland cards instead of 14" in text.stdout
    changes = json.loads(run("diff", "american-pineapple", "progressive-16", "--json").stdout)
    assert changes[0]["parameter"] == "fantasyland.entry_front"
    assert json.loads(run("diff", "turbo", "turbo", "--json").stdout) == []
    assert "the same rules" in run("diff", "turbo", "turbo").stdout


def test_keys_lists_the_parameters() -> None:
    assert len(json.loads(run("keys", "--json").stdout)) == len(parameters())
    assert "extra points" in run("keys", "scoring").stdout
    assert run("keys", "scorring").exit_code == 2


@pytest.mark.parametrize(
    "args", [("show", "nope"), ("check", "gone.toml"), ("diff", "turbo", "nope"), ("show", "gone.toml", "--json")]
)
def test_errors_are_one_line_on_stderr(args: tuple[str, ...]) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stderr.startswith("ofclab: ")
    assert "Traceback" not in result.output
    assert result.stdout == ""


@pytest.mark.parametrize("command", ["list", "show", "check", "diff", "keys"])
def test_help_has_an_example(command: str) -> None:
    assert f"ofclab rules {command}" in run(command, "--help").stdout
