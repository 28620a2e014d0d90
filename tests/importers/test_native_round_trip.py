"""What is exported is imported again, fact for fact."""

import json
from pathlib import Path

import polars as pl
import pytest
from import_samples import ALL, ALL_IDS, same_facts, samples

import ofclab as ofc
from ofclab.importers.native_jsonl import IMPORTER

HOUSE = ofc.load_rules("american-pineapple").replace(
    {"scoring.sweep_bonus": 0, "royalties.front.66": 0, "fantasyland.stay.middle": "full_house", "foul.penalty": 4},
    name="our house",
)


def simulated_log(folder: Path, rules: ofc.Rules) -> ofc.Log:
    """A few hands of random players, Fantasyland included."""
    players = ["random_legal", "cutoff_rows"]
    return ofc.simulate(rules, players, tables=3, hands=6, seed=1, stacks=500, out=folder).log


@pytest.mark.parametrize(("name", "path"), ALL, ids=ALL_IDS)
def test_imported_hands_survive(name: str, path: Path, tmp_path: Path) -> None:
    first = ofc.import_hands(path, format=name, out=tmp_path / "first")
    assert ofc.export_hands(first.log, tmp_path / "hands.jsonl") == first.new
    second = ofc.import_hands(tmp_path / "hands.jsonl", out=tmp_path / "second")
    assert (second.new, second.rejected) == (first.new, [])
    assert same_facts(first.log, second.log, sources=True)
    assert second.log.rulesets == first.log.rulesets
    assert ofc.import_hands(tmp_path / "hands.jsonl", out=tmp_path / "first").new == 0


@pytest.mark.parametrize("rules", [HOUSE, ofc.load_rules("joker-progressive")], ids=["house", "jokers"])
def test_simulated_hands_survive(rules: ofc.Rules, tmp_path: Path) -> None:
    first = simulated_log(tmp_path / "first", rules)
    assert ofc.export_hands(tmp_path / "first", tmp_path / "hands.jsonl") == first.n_hands
    second = ofc.import_hands(tmp_path / "hands.jsonl", out=tmp_path / "second").log
    assert same_facts(first, second, sources=True)
    assert [rules.name for rules in second.rulesets.values()] == [rules.name]
    assert second.rules() == rules
    results = [log.results().sort("hand_id", "seat").collect() for log in (first, second)]
    assert results[0].drop("settled").equals(results[1].drop("settled"))


def test_an_import_does_not_go_into_a_simulated_log(tmp_path: Path) -> None:
    simulated_log(tmp_path / "log", HOUSE)
    with pytest.raises(ofc.LogError, match="simulated hands; import into another folder"):
        ofc.import_hands(samples("flat13"), out=tmp_path / "log")


def test_only_jsonl_is_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot write the format 'csv'; have jsonl"):
        ofc.export_hands(tmp_path / "log", tmp_path / "hands.csv", format="csv")
    with pytest.raises(ofc.LogError, match="no log at"):
        ofc.export_hands(tmp_path / "log", tmp_path / "hands.jsonl")


def line(**changes: object) -> str:
    seats = [{"seat": 0, "cards": "Qh Qd", "placement": "ff"}, {"seat": 1, "cards": "Ac ??", "placement": "bh"}]
    hand = {"format": "ofclab-hand", "version": 1, "completeness": "unfinished", "seats": seats}
    return json.dumps({name: value for name, value in {**hand, **changes}.items() if value is not ...})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (line(version=2), "want format 'ofclab-hand', version 1"),
        (line(format=...), "want format 'ofclab-hand'"),
        (line(completeness="whole"), "no completeness 'whole'; have full, own_discards"),
        (line(colour="red"), "the hand has no field 'colour'; have format"),
        (line(button="1"), "button of the hand is '1'; want int"),
        (line(button=True), "button of the hand is 'True'; want int"),
        (line(id="xyz"), "id is 'xyz'; want 16 hexadecimal digits"),
        (line(id="1" + "0" * 16), "hand_id is"),
        (line(played_at="noon"), "played_at is no time: 'noon'"),
        (line(rules={"preset": "/etc/passwd"}), "no preset '/etc/passwd'; have american-pineapple"),
        (line(rules={"preset": "turbo", "changes": {"scoring.sweep": 1}}), "its rules cannot be played"),
        (line(seats=[]), "the hand has no seats"),
        (line(seats=[{"seat": 0}] * 2), "a seat stands twice"),
        (line(seats=[{"seat": 0, "cards": "Qh", "placement": "z"}]), "no place 'z' for a card"),
        (line(seats=[{"seat": 0, "cards": "Qh Qd", "placement": "f"}]), "has 2 cards and the placement codes"),
        (line(seats=[{"seat": 0, "cards": "Qh Qh", "placement": "ff"}]), "Qh stands twice"),
        (line(seats=[{"seat": 0, "points_recorded": 2**31}]), "points_recorded is 2147483648"),
        (line(seats=[{"seat": 0, "player": "\ud800"}]), "is not text"),
        (line(acts=[{"seat": 4}]), "an act of seat 4"),
        (line(completeness="final_boards"), "seat 0 shows 2 of 13 cards in their rows"),
        (line(observer_seats=[9]), "observer_seats"),
        (line()[:-4], "not a JSON object"),
        ("[" * 100_000, "not a JSON object"),
        ("[]", "want an object for the hand"),
    ],
)
def test_a_wrong_line_is_a_reject(text: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "hands.jsonl").write_text(f"{line()}\n\n{text}\n{line(button=0)}\n", encoding="utf-8")
    report = ofc.import_hands(tmp_path / "hands.jsonl", format="jsonl", out=tmp_path / "log")
    assert (report.read, report.new, report.duplicate) == (3, 2, 0)
    assert report.rejected[0].line == 3
    assert reason in report.rejected[0].reason


def test_real_names_do_not_enter_the_log(tmp_path: Path) -> None:
    seats = [
        {"seat": 0, "player": "Mara Lind", "points_recorded": 4},
        {"seat": 1, "player": "gamble(p=0.3)", "strategy": "gamble(p=0.3)", "points_recorded": -4},
        {"seat": 2, "player": "p-12ab", "points_recorded": 0},
    ]
    (tmp_path / "hands.jsonl").write_text(line(seats=seats, completeness="score_only") + "\n", encoding="utf-8")
    log = ofc.import_hands(tmp_path / "hands.jsonl", out=tmp_path / "log").log
    players = log.seats.select("player").collect()["player"].to_list()
    assert players[1:] == ["gamble(p=0.3)", "p-12ab"]
    assert players[0].startswith("p-")
    assert log.seats.filter(pl.col("player") == "Mara Lind").collect().is_empty()


def test_the_writer_leaves_out_what_is_not_known(tmp_path: Path) -> None:
    report = ofc.import_hands(samples("flat13"), out=tmp_path / "log")
    IMPORTER.write(report.log, tmp_path / "hands.jsonl")
    hand = json.loads((tmp_path / "hands.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert not {"button", "played_at", "currency", "acts", "seed_key"} & set(hand)
    assert hand["seats"][0]["placement"] == "fffmmmmmbbbbb"
