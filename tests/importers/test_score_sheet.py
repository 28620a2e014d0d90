"""Score sheets: every shape of table, what they cannot say, and that nobody's name gets into the log."""

import json
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
from import_samples import ROOT, SAMPLES

import ofclab as ofc
from ofclab.importers import ImportReport
from ofclab.importers.sessions import decimals

SHARED = ROOT.parent / "shared" / "imports" / "score_sheet"


def take(text: str, tmp_path: Path, name: str = "sheet.csv") -> ImportReport:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return ofc.import_hands(path, out=tmp_path / "log")


def names(report: ImportReport) -> dict[str, str]:
    """Real names by pseudonym, from the side file beside the log."""
    stored = json.loads((Path(report.log.path).parent / "players.json").read_text(encoding="utf-8"))["players"]
    return {pseudonym: full.partition(": ")[2] for pseudonym, full in stored.items()} | {"me": "me"}


def results(report: ImportReport, *columns: str) -> list[tuple[object, ...]]:
    """The ledger with real names: player, opponent and the columns named, in the order of the file."""
    known = names(report)
    rows = report.log.ledger.sort("source_line", "player").collect().iter_rows(named=True)
    return sorted(
        (row["source_line"], known[row["player"]], known.get(row["opponent"]), *(row[name] for name in columns))
        for row in rows
    )


def test_a_session_a_line_is_kept_from_both_sides(tmp_path: Path) -> None:
    report = ofc.import_hands(SAMPLES / "score_sheet" / "sessions.csv", out=tmp_path / "log")
    assert (report.read, report.new, report.sessions, report.completeness) == (5, 5, 5, {"score_only": 5})
    found = results(report, "points", "net_minor", "currency")
    assert (3, "Torsten", "me", 31, 15_500, "SEK") in found
    assert (3, "me", "Torsten", -31, -15_500, "SEK") in found
    assert (4, "me", "Ines", 0, None, "EUR") in found
    assert report.log.ledger.collect()["played_at"][0] == datetime(2026, 2, 7, tzinfo=UTC)
    assert "5 of them sessions" in repr(report)


def test_a_column_a_player_and_a_sheet_that_does_not_cancel(tmp_path: Path) -> None:
    report = ofc.import_hands(SAMPLES / "score_sheet" / "club.csv", out=tmp_path / "log")
    assert report.new == 3
    assert [(one.line, one.reason) for one in report.rejected] == [
        (4, "the nets do not cancel: they add up to +1 points (Ines +11, Torsten -6, Amal -4)")
    ]
    found = results(report, "points", "net_minor")
    assert [row for row in found if row[0] == 3] == [(3, "Amal", None, 4, 200), (3, "Ines", None, -4, -200)]


def test_who_pays_whom_is_kept_pair_by_pair(tmp_path: Path) -> None:
    report = ofc.import_hands(SAMPLES / "score_sheet" / "home_game.txt", out=tmp_path / "log")
    found = results(report, "points", "hands")
    assert (2, "Amal", "Ines", 4, 1) in found
    assert (2, "Ines", "Amal", -4, 1) in found
    assert (4, "Torsten", "Amal", 3, 1) in found
    nets = ofc.analytics.pair_nets(ofc.log.entries(report.log)).collect()
    assert nets["points"].sum() == 0


def test_json_of_four_programs(tmp_path: Path) -> None:
    report = ofc.import_hands(SAMPLES / "score_sheet" / "app.json", out=tmp_path / "log")
    assert report.completeness == {"score_only": 6, "final_boards": 1}
    assert [(one.line, one.reason) for one in report.rejected] == [
        (13, "the nets do not cancel: they add up to +1 points (Ines +10, Amal -9)")
    ]
    hands = report.log.hands.sort("hand_no").collect()
    assert hands.filter(completeness="score_only")["n_seats"].to_list() == [1, 1]
    assert report.log.results().filter(completeness="final_boards").collect()["points"].to_list() == [13, -13]
    assert sorted(report.log.seats.filter(player="me").collect()["points_recorded"].to_list()) == [-14, 6]


def test_a_player_a_line(tmp_path: Path) -> None:
    text = "session;date;player;points;hands\n1;2026-01-01;Ann;5;30\n1;2026-01-01;Bob;-5;30\n2;2026-01-01;Ann;2;8\n"
    report = take(text, tmp_path)
    assert results(report, "points", "hands") == [(2, "Ann", None, 5, 30), (2, "Bob", None, -5, 30)]
    assert [one.reason for one in report.rejected] == ["only Ann has a result; the others' are missing"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("28.03.2026,Ann,1,,", "does not say which day; write 2026-03-28"),
        ("2026-02-30,Ann,1,,", "does not say which day"),
        ("2026-03-28,Ann,1.5,,", "points are whole numbers, got 1.5"),
        ("2026-03-28,Ann,one,,", "points 'one' is no number"),
        ("2026-03-28,Ann,nan,,", "is no number somebody can win"),
        ("2026-03-28,Ann,1,5.00,", "money 5.00 without a currency"),
        ("2026-03-28,Ann,1,5.001,EUR", "more decimals than EUR has (2)"),
        ("2026-03-28,Ann,1,5.5,JPY", "more decimals than JPY has (0)"),
        ("2026-03-28,Ann,1,5.00,$", "currency '$' is no code of three letters"),
        ("2026-03-28,,1,,", "no opponent"),
        ("2026-03-28,me,1,,", "'me' cannot play 'me'"),
        ("2026-03-28,Ann,,,", "neither points nor money"),
        ("2026-03-28,Ann,1", "3 cells where the header has 5"),
        ("2026-03-28,Ann,99999999999,,", "nobody wins that much"),
    ],
)
def test_what_says_nothing_certain_is_a_reject(line: str, reason: str, tmp_path: Path) -> None:
    report = take(f"date,opponent,points,money,currency\n{line}\n2026-03-29,Ann,3,,\n", tmp_path)
    assert report.new == 1
    assert [one.line for one in report.rejected] == [2]
    assert reason in report.rejected[0].reason


def test_signs_currencies_and_doubtful_money(tmp_path: Path) -> None:
    report = take(
        "date,opponent,points,money,currency\n2026-03-28,Ann,−7,+3.50,€\n2026-03-29,Ann,+1,2,chips\n", tmp_path
    )
    assert report.warnings == 1
    found = report.log.ledger.filter(player="me").sort("source_line").collect()
    assert found["points"].to_list() == [-7, 1]
    assert found["net_minor"].to_list() == [350, 2]
    assert found["currency"].to_list() == ["EUR", "chips"]
    assert found["note"][0] == "points and money have opposite signs"
    assert [decimals(code) for code in ("EUR", "JPY", "KWD", "chips")] == [2, 0, 3, 0]


def test_equal_sessions_are_not_lost_and_importing_twice_adds_nothing(tmp_path: Path) -> None:
    text = "date,opponent,points\n2026-03-28,Ann,3\n2026-03-28,Ann,3\n"
    assert take(text, tmp_path).new == 2
    again = take(text, tmp_path)
    assert (again.new, again.duplicate) == (0, 2)
    assert again.log.ledger.collect().height == 4


def test_no_name_is_in_the_log(tmp_path: Path) -> None:
    report = ofc.import_hands([SAMPLES / "score_sheet"], out=tmp_path / "logs" / "log")
    stored = b"".join(path.read_bytes() for path in (tmp_path / "logs" / "log").rglob("*.parquet"))
    tables = [report.log.ledger.collect(), report.log.hands.collect(), report.log.seats.collect()]
    text = "".join(frame.select(pl.col(pl.String)).write_json() for frame in tables)
    for name in ("Ines", "Torsten", "Amal"):
        assert name.encode() not in stored
        assert name.lower() not in text.lower()
    assert set(names(report).values()) == {"Ines", "Torsten", "Amal", "me"}
    assert "with p-" in " ".join(report.log.ledger.collect()["note"].drop_nulls().to_list())


def test_torn_and_foreign_json(tmp_path: Path) -> None:
    torn = take('[{"opponent": "Ann", "points": 3},\n{"opponent": "Bob", "poin', tmp_path, "torn.json")
    assert (torn.new, [one.line for one in torn.rejected]) == (1, [2])
    path = tmp_path / "other.json"
    path.write_text('{"format": "ofclab-hand", "opponent": 1, "points": 2}')
    assert ofc.importers.detect(path)[0] is None or ofc.importers.detect(path)[0].name != "score_sheet"  # type: ignore[union-attr]
    bad = tmp_path / "bytes.json"
    bad.write_bytes(b'[{"opponent": "\xff\xfe", "points": 3}]')
    report = ofc.import_hands(bad, format="score_sheet", out=tmp_path / "log2")
    assert (report.new, len(report.rejected)) == (0, 1)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 2}, "the version is 2"),
        ({"id": "xyz"}, "want 16 hexadecimal digits"),
        ({"hands": "many"}, "hands of the session is 'many'; want int"),
        ({"luck": 1}, "the session has no field 'luck'"),
        ({"played_at": "soon"}, "played_at is 'soon'"),
        ({"results": [{"points": 3}]}, "a result without a player"),
        ({"results": [{"player": "p-1a2b", "points": 3}]}, "the nets do not cancel"),
        ({"note": "\ud800"}, "is not text"),
    ],
)
def test_exported_sessions_that_were_changed_are_rejects(
    change: dict[str, object], reason: str, tmp_path: Path
) -> None:
    log = ofc.import_hands(SAMPLES / "score_sheet" / "sessions.csv", out=tmp_path / "log").log
    path = tmp_path / "out.jsonl"
    assert ofc.export_hands(log, path) == 5
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[2] = json.dumps({**json.loads(lines[2]), **change})
    path.write_text("\n".join(lines), encoding="utf-8")
    report = ofc.import_hands(path, out=tmp_path / "again")
    assert (report.new, len(report.rejected)) == (4, 1)
    assert report.rejected[0].line == 3
    assert reason in report.rejected[0].reason


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared sheet is not here")
def test_the_shared_sheet(tmp_path: Path) -> None:
    report = ofc.import_hands(SHARED / "sessions.csv", out=tmp_path / "log")
    assert (report.read, report.new, report.sessions) == (3, 3, 3)
    totals = ofc.analytics.money_totals(ofc.log.entries(report.log)).collect()
    assert totals.filter(player="me").select("currency", "net_minor").rows() == [("SEK", -4000)]
