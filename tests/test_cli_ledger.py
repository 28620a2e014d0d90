"""The commands around a log's ledger, audit and players, as a user runs them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ofclab as ofc
from ofclab.cli import app

SAMPLES = Path(__file__).parents[1] / "data" / "samples"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the log `club` of the score sheets and the log `twin` of the web app."""
    folder = tmp_path_factory.mktemp("logs")
    ofc.import_hands(SAMPLES / "score_sheet", out=folder / "club")
    ofc.import_hands(SAMPLES / "web_app_sqlite" / "twin.db", out=folder / "twin")
    return folder


def run(*words: object, code: int = 0) -> str:
    found = CliRunner().invoke(app, [str(word) for word in words])
    assert found.exit_code == code, found.output
    return found.output


def test_ledger(logs: Path) -> None:
    text = run("ledger", logs / "club", "--season", "quarter", "--pairs", "--sessions", "--settle")
    for words in ("Season 2026-Q1", "Season undated", "Who won what from whom", "Sessions", "Who pays whom", "SEK"):
        assert words in text
    assert "these are the fewest payments" in text
    told = json.loads(run("ledger", logs / "club", "--settle", "--pairs", "--json"))
    assert {row["currency"] for row in told["payments"]} == {"EUR", "SEK"}
    assert told["exact"] == {"EUR": True, "SEK": True}
    assert sum(row["points"] for row in told["pairs"]) == 0
    assert "no season" in run("ledger", logs / "club", "--season", "week", code=2)
    # The twin's room paid winners more than losers lost.
    assert "the nets in chips add up to" in run("ledger", logs / "twin", "--settle", code=2)


def test_audit_and_infer_rules(logs: Path, tmp_path: Path) -> None:
    text = run("audit", logs / "twin")
    assert "16 hands with recorded results; 4 of them differ from the score" in text
    assert "another joker reading" in text
    assert "a capped stack: seat 0 had 8 of the 22 he owed" in text
    told = json.loads(run("audit", logs / "twin", "--json"))
    assert len({row["hand_id"] for row in told["differences"]}) == 4
    out = tmp_path / "house.toml"
    text = run("infer-rules", logs / "twin", "--base", "joker-progressive", "--changes", "1", "--out", out)
    assert "explains 14 of 16 hands" in text
    assert ofc.load_rules(out) == ofc.load_rules("joker-progressive")
    assert "no finished hand whose source recorded" in run("infer-rules", logs / "club", code=2)


def test_players_and_forget(logs: Path) -> None:
    told = json.loads(run("players", logs / "club", "--names", "--json"))
    by_name = {row["name"]: row["player"] for row in told}
    assert {"score_sheet: Ines", "score_sheet: Amal"} <= set(by_name)
    one, other = by_name["score_sheet: Amal"], by_name["score_sheet: Ines"]
    assert "are two people" in run("players", logs / "club", "--merge", f"{one}={other}", code=2)
    assert "want ALIAS=PLAYER" in run("players", logs / "club", "--merge", one, code=2)
    assert " me " in run("players", logs / "club")
    assert "its files: app.json" in run("forget", logs / "club", "--file", "none.csv", code=2)
    gone = json.loads(run("forget", logs / "club", "--file", "club.csv", "--json"))
    assert (gone["hands"], gone["sessions"], gone["rejects"]) == (0, 3, 1)
    assert "3 of them are sessions" in run("import", SAMPLES / "score_sheet" / "club.csv", "--out", logs / "club")


def test_share(logs: Path) -> None:
    hand = ofc.open_log(logs / "twin").hands.filter(completeness="full").collect()["hand_id"][0]
    told = json.loads(run("share", logs / "twin", hand, "--seat", "0", "--street", "2", "--json"))
    assert ofc.read_shared(told["code"]).text == told["text"]
    assert "dealt: " in told["text"]
    assert "code: ofc1-" in run("share", logs / "twin", hand)
