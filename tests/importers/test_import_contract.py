"""What every importer promises, tried on its samples."""

from pathlib import Path

import pytest
from import_samples import ALL, ALL_IDS, IMPORTERS, SAMPLES, cut_in_two, facts, same_facts, samples

import ofclab as ofc
from ofclab.importers import UnknownFormat, formats, get, intake
from ofclab.log import parts, store
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
    assert report.new == sum(report.completeness.values())
    assert (report.log.n_hands, report.sessions) == (report.new - report.sessions, sessions_of(report.log))
    for number in report.log.parts:
        hands, seats = report.log.part(number)
        assert faults(hands, seats) == []
    assert report.log.results().collect().height == report.log.n_player_hands


def sessions_of(log: ofc.Log) -> int:
    return log.ledger.select("session_id").unique().collect().height


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


class Killed(BaseException):
    """What stands for a process that ends at once."""


@pytest.mark.parametrize("name", sorted(IMPORTERS))
def test_a_kill_in_the_middle_loses_and_doubles_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = samples(name)[0]
    monkeypatch.setattr(intake, "PART_HANDS", 2)
    whole = ofc.import_hands(path, out=tmp_path / "whole")
    put, left = parts.put, 0

    def put_until_killed(file: Path, content: bytes) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        put(file, content)

    monkeypatch.setattr(store, "put", put_until_killed)
    for writes in range(100):
        left = writes
        try:
            ofc.import_hands(path, out=tmp_path / "killed")
        except Killed:
            continue
        break
    assert writes >= 3
    assert same_facts(whole.log, ofc.open_log(tmp_path / "killed"))
    # From nothing, killed once at every place and then let go on.
    for place in range(1, writes, 3):
        left = place
        with pytest.raises(Killed):
            ofc.import_hands(path, out=tmp_path / f"at-{place}")
        left = 1_000
        again = ofc.import_hands(path, out=tmp_path / f"at-{place}")
        assert same_facts(whole.log, again.log)
        assert again.rejected == whole.rejected


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
    assert get("kkpoker").confirm is False
    assert get("kkpoker_state_json(confirm=true)").confirm is True
    with pytest.raises(UnknownFormat, match="have article_slash, auto, flat13"):
        get("")
    with pytest.raises(
        UnknownFormat, match=r"no switch 'sure=true' in 'kk\(sure=true\)'; kkpoker_state_json has confirm=true"
    ):
        get("kk(sure=true)")
    with pytest.raises(UnknownFormat, match="flat13 has none"):
        get("flat13(confirm=true)")


def test_the_report_says_what_the_file_cannot_show(tmp_path: Path) -> None:
    report = ofc.import_hands([*samples("typed_boards"), *samples("web_app_sqlite")], out=tmp_path / "log")
    assert set(report.known) == {"full", "own_discards", "final_boards", "score_only", "unfinished"}
    assert "no order of the deal" in repr(report)
    assert "JK does not say which joker it is" in report._repr_html_()
    assert facts(report.log)["hands"]["warnings"].is_not_null().sum() == report.warnings
