"""What every importer promises, tried on its samples."""

from pathlib import Path

import pytest
from import_samples import ALL, ALL_IDS, IMPORTERS, SAMPLES, cut_in_two, facts, same_facts, samples

import ofclab as ofc
from ofclab.importers import UnknownFormat, formats, get
from ofclab.log.checks import faults

every_sample = pytest.mark.parametrize(("name", "path"), ALL, ids=ALL_IDS)


@pytest.mark.parametrize("name", sorted(IMPORTERS))
def test_every_importer_has_a_sample_and_says_what_it_is(name: str) -> None:
    importer = IMPORTERS[name]
    assert samples(name)
    assert importer.name == name
    assert formats()[name] == importer.description
    assert importer.rules in ofc.presets()


@every_sample
def test_every_hand_is_accounted_for(name: str, path: Path, tmp_path: Path) -> None:
    report = ofc.import_hands(path, out=tmp_path / "log")
    assert report.files[0].format == name
    assert report.read == report.new + report.duplicate + len(report.rejected)
    assert report.new > 0
    assert report.duplicate == 0
    assert report.log.n_hands == report.new == sum(report.completeness.values())
    hands, seats = report.log.part(0)
    assert faults(hands, seats) == []
    assert report.log.results().collect().height == seats.height


@every_sample
def test_a_second_import_adds_nothing(name: str, path: Path, tmp_path: Path) -> None:
    first = ofc.import_hands(path, out=tmp_path / "log")
    before = {file: file.read_bytes() for file in (tmp_path / "log").rglob("*") if file.is_file()}
    second = ofc.import_hands(path, format=name, out=tmp_path / "log")
    assert (second.read, second.new, second.duplicate) == (first.read, 0, first.new)
    assert second.rejected == first.rejected
    assert {file: file.read_bytes() for file in (tmp_path / "log").rglob("*") if file.is_file()} == before


@every_sample
def test_a_file_cut_in_two_gives_the_same_log(name: str, path: Path, tmp_path: Path) -> None:
    parts = cut_in_two(IMPORTERS[name], path, tmp_path / "parts")
    whole = ofc.import_hands(path, out=tmp_path / "whole")
    halves = [ofc.import_hands(part, out=tmp_path / "halves") for part in parts]
    assert all(half.new for half in halves)
    assert sum(half.read for half in halves) == whole.read
    assert same_facts(whole.log, halves[1].log)
    assert ofc.import_hands(parts, out=tmp_path / "whole").new == 0


@every_sample
def test_the_same_hand_has_the_same_id_in_every_log(name: str, path: Path, tmp_path: Path) -> None:
    logs = [ofc.import_hands(path, out=tmp_path / place / "log").log for place in ("here", "there")]
    ids = [log.hands.select("hand_id", "table_id", "match_id").sort("hand_id").collect() for log in logs]
    assert ids[0].equals(ids[1])


def test_a_folder_is_read_file_by_file(tmp_path: Path) -> None:
    report = ofc.import_hands(SAMPLES / "web_app_sqlite", out=tmp_path / "log")
    assert [(file.file, file.format) for file in report.files] == [
        ("expected_rescore.csv", None),
        ("twin.db", "web_app_sqlite"),
    ]
    assert "no format knows this file" in report.files[0].reason
    assert report.read == report.new + report.duplicate + len(report.rejected)


def test_an_import_can_be_added_to(tmp_path: Path) -> None:
    first = ofc.import_hands(samples("flat13"), out=tmp_path / "log")
    both = ofc.import_hands(samples("typed_boards"), out=tmp_path / "log")
    assert both.log.n_hands == first.new + both.new
    assert {rules.name for rules in both.log.rulesets.values()} == {"american-regular", "american-pineapple"}
    assert [file["file"] for file in both.log.manifest["source"]["files"]] == [
        *(path.name for path in samples("flat13")),
        *(path.name for path in samples("typed_boards")),
    ]


def test_the_caller_chooses_the_rules(tmp_path: Path) -> None:
    rules = ofc.load_rules("turbo").replace({"scoring.sweep_bonus": 0})
    report = ofc.import_hands(samples("flat13"), rules=rules, out=tmp_path / "log")
    assert set(report.log.hands.collect()["ruleset_id"]) == {rules.id}
    assert report.log.rules() == rules


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b" \n\t\n", "the file is empty"),
        (b"\x00\xff\xfe\x01" * 50, "no format knows this file"),
        (b"dear diary\nnothing happened today\n", "no format knows this file"),
        (b"SQLite format 3\x00 and then nothing", "no format knows this file"),
    ],
)
def test_a_file_nobody_knows_is_a_reject(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(content)
    report = ofc.import_hands(path, out=tmp_path / "log")
    assert (report.read, report.new, report.duplicate) == (1, 0, 0)
    assert reason in report.rejected[0].reason
    assert reason in (tmp_path / "log" / "rejects.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(IMPORTERS))
def test_a_file_of_another_format_is_rejects(name: str, tmp_path: Path) -> None:
    for other, path in ALL:
        if other != name:
            report = ofc.import_hands(path, format=name, out=tmp_path / "log")
            assert report.new == 0
            assert report.read == len(report.rejected) > 0


def test_mistakes_of_the_caller_are_errors(tmp_path: Path) -> None:
    path = samples("flat13")[0]
    with pytest.raises(FileNotFoundError, match="no file or folder"):
        ofc.import_hands(tmp_path / "gone.txt", out=tmp_path / "log")
    with pytest.raises(UnknownFormat, match=r"no format 'flat14'.*did you mean 'flat13'"):
        ofc.import_hands(path, format="flat14", out=tmp_path / "log")
    with pytest.raises(ValueError, match="no timezone 'Mars'"):
        ofc.import_hands(path, timezone="Mars", out=tmp_path / "log")
    with pytest.raises(ofc.RulesError, match="no preset or rules file 'nope'"):
        ofc.import_hands(path, rules="nope", out=tmp_path / "log")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("hello")
    with pytest.raises(ofc.LogError, match="exists and is not a log"):
        ofc.import_hands(path, out=tmp_path / "other")
    assert not (tmp_path / "log").exists()


def test_formats_go_by_a_part_of_their_name() -> None:
    assert get("jsonl") is get("native_jsonl")
    assert get("sqlite") is get("web_app_sqlite")
    with pytest.raises(UnknownFormat, match="have auto, flat13"):
        get("")


def test_the_report_says_what_the_file_cannot_show(tmp_path: Path) -> None:
    report = ofc.import_hands([*samples("typed_boards"), *samples("web_app_sqlite")], out=tmp_path / "log")
    assert set(report.known) == {"full", "final_boards", "unfinished"}
    assert "no order of the deal" in repr(report)
    assert "JK does not say which joker it is" in report._repr_html_()
    assert facts(report.log)["hands"]["warnings"].is_not_null().sum() == report.warnings
