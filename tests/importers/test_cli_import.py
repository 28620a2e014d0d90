"""`ofclab import` and `ofclab export`."""

import json
from pathlib import Path

import pytest
from import_samples import samples
from typer.testing import CliRunner, Result

import ofclab as ofc
from ofclab.cli import app


def run(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args], env={"COLUMNS": "200"})


def test_import_tells_what_became_of_every_hand(tmp_path: Path) -> None:
    result = run("import", *samples("web_app_sqlite"), *samples("flat13"), "--out", tmp_path / "log")
    assert result.exit_code == 0
    assert "twin.db: web_app_sqlite (SQLite file with the tables sessions, hands, turns)" in result.stdout
    assert "25 hands read: 24 new, 0 duplicate, 1 rejected" in result.stdout
    assert "16 full: everything" in result.stdout
    assert "JK does not say which joker it is" in result.stdout
    again = run("import", *samples("web_app_sqlite"), *samples("flat13"), "--out", tmp_path / "log")
    assert again.exit_code == 0
    assert "25 hands read: 0 new, 24 duplicate, 1 rejected" in again.stdout


def test_import_as_json(tmp_path: Path) -> None:
    result = run("import", *samples("flat13"), "--rules", "turbo", "--out", tmp_path / "log", "--json")
    told = json.loads(result.stdout)
    assert (told["read"], told["new"], told["duplicate"], told["rejected"]) == (5, 5, 0, [])
    assert told["completeness"] == {"final_boards": 5}
    assert told["files"][0]["format"] == "flat13"
    assert ofc.open_log(told["log"]).rules() == ofc.load_rules("turbo")


def test_the_default_folder_is_named_after_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OFCLAB_HOME", str(tmp_path))
    assert run("import", samples("flat13")[1]).exit_code == 0
    assert ofc.open_log(tmp_path / "data" / "runs" / "import-match").n_hands == 3


def test_nothing_taken_is_exit_code_1(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear all\n")
    result = run("import", tmp_path / "letter.txt", "--out", tmp_path / "log")
    assert result.exit_code == 1
    assert "letter.txt: not imported (no format knows this file" in result.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("import", "gone.txt"), "no file or folder gone.txt"),
        (("import", "{file}", "--format", "nope"), "no format 'nope'; have article_slash, auto, flat13"),
        (("import", "{file}", "--timezone", "Mars"), "no timezone 'Mars'"),
        (("import", "{file}", "--rules", "nope"), "no preset or rules file 'nope'"),
        (("export", "{folder}/none", "x.jsonl"), "no log at"),
        (("export", "{folder}/none", "x.csv", "--format", "csv"), "cannot write the format 'csv'; have jsonl"),
    ],
)
def test_errors_are_one_line_on_stderr(args: tuple[str, ...], message: str, tmp_path: Path) -> None:
    filled = [arg.format(file=samples("flat13")[0], folder=tmp_path) for arg in args]
    extra = ("--out", tmp_path / "log") if args[0] == "import" else ()
    result = run(*filled, *extra)
    assert result.exit_code == 2
    assert result.stderr.startswith("ofclab: ")
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_export_writes_a_file_that_can_be_imported(tmp_path: Path) -> None:
    run("import", *samples("typed_boards"), "--out", tmp_path / "log")
    result = run("export", tmp_path / "log", tmp_path / "hands.jsonl")
    assert result.exit_code == 0
    assert result.stdout == f"13 hands written to {tmp_path / 'hands.jsonl'}\n"
    assert json.loads(run("export", tmp_path / "log", tmp_path / "hands.jsonl", "--json").stdout)["hands"] == 13
    assert "13 new" in run("import", tmp_path / "hands.jsonl", "--out", tmp_path / "again").stdout


def test_a_long_list_of_rejects_is_cut_short(tmp_path: Path) -> None:
    (tmp_path / "lists.txt").write_text("2c 3c\n\n" * 30)
    result = run("import", tmp_path / "lists.txt", "--format", "flat13", "--out", tmp_path / "log")
    assert result.stdout.count("want 13 cards, got 2") == 20
    assert f"and 10 more: see {tmp_path / 'log'}/rejects.jsonl" in result.stdout
    # Equal lines differ in their number, so the log lists all.
    assert len((tmp_path / "log" / "rejects.jsonl").read_text().splitlines()) == 30


@pytest.mark.parametrize("command", ["import", "export"])
def test_help_has_an_example(command: str) -> None:
    assert f"ofclab {command} " in run(command, "--help").stdout.split("Example:")[1]
