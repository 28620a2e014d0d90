"""Imported hands of the web app score as an independent scorer says, column by column."""

import csv
import sqlite3
from contextlib import closing
from pathlib import Path

import polars as pl
import pytest
from import_samples import ROOT, SAMPLES
from make_twin import make_twin

import ofclab as ofc
from ofclab.importers import ImportReport

TWIN = SAMPLES / "web_app_sqlite"
REAL = ROOT.parent / "shared" / "imports" / "web_app_sqlite"
RECORDED = {"foul": "foul_recorded", "roy": "royalties_recorded", "next_fl": "next_fl_recorded"}
EXPECTED = {"foul": "fouled", "roy": "royalties", "next_fl": "next_fl"}


def by_hand(report: ImportReport) -> dict[str, dict[int, dict[str, object]]]:
    """Results by the site's hand id and seat."""
    ids = report.log.hands.select("hand_id", "site_hand_id")
    royalties = pl.sum_horizontal("royalty_front", "royalty_middle", "royalty_back").alias("royalties")
    rows = report.log.results().with_columns(royalties).join(ids, on="hand_id").collect().iter_rows(named=True)
    found: dict[str, dict[int, dict[str, object]]] = {}
    for row in rows:
        found.setdefault(row["site_hand_id"], {})[row["seat"]] = row
    return found


def expected(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def differing(report: ImportReport, folder: Path) -> dict[str, list[str]]:
    """Hands in which a column of the table differs from the log, by column."""
    found = by_hand(report)
    wrong: dict[str, list[str]] = {}
    for row in expected(folder / "expected_rescore.csv"):
        seats = found.get(row["hand_id"])
        if seats is None:
            continue
        told: dict[str, object] = {"rec_score_p0": seats[0]["points_recorded"], "exp_score_p0": seats[0]["points"]}
        for i in (0, 1):
            told[f"fl_dealt_p{i}"] = seats[i]["fl_cards"]
            told |= {f"rec_{name}_p{i}": seats[i][column] for name, column in RECORDED.items()}
            told |= {f"exp_{name}_p{i}": seats[i][column] for name, column in EXPECTED.items()}
        told["score_agrees"] = seats[0]["points"] == seats[0]["points_recorded"]
        told["next_fl_agrees"] = all(seats[i]["next_fl"] == seats[i]["next_fl_recorded"] for i in (0, 1))
        for column, value in told.items():
            if row[column] != str(value):
                wrong.setdefault(column, []).append(f"{row['hand_id']}: {row[column]} expected, {value} found")
        assert set(row) - set(told) == {"hand_id", "started_at_utc"}
    return wrong


def test_the_twin_scores_as_expected(tmp_path: Path) -> None:
    report = ofc.import_hands(TWIN / "twin.db", out=tmp_path / "log")
    table = expected(TWIN / "expected_rescore.csv")
    assert differing(report, TWIN) == {}
    assert report.completeness == {"full": len(table) - 1, "unfinished": 3}
    assert [reject.reason for reject in report.rejected] == [
        "JK does not say which joker it is, and the rest of the hand does not tell"
    ]
    assert ofc.verify(report.log).ok


def test_the_twin_has_the_defects_of_the_real_log() -> None:
    rows = expected(TWIN / "expected_rescore.csv")
    with closing(sqlite3.connect(f"{(TWIN / 'twin.db').as_uri()}?mode=ro", uri=True)) as base:

        def count(condition: str, table: str = "hands") -> int:
            return int(base.execute(f"SELECT count(*) FROM {table} WHERE {condition}").fetchone()[0])

        assert count("result_detail IS NULL") == 3
        assert count("result_detail LIKE '%JK%'") == 3
        assert count("raw_score <> actual_score") > 0
        assert count("finished_at IS NULL AND hands_played = 0", "sessions") == count("1", "sessions")
        assert count("think_time_ms <> 0", "turns") == count("1", "fantasyland") == 0
    assert any(row["rec_foul_p0"] != row["exp_foul_p0"] or row["rec_foul_p1"] != row["exp_foul_p1"] for row in rows)
    assert any(row["score_agrees"] == "True" and row["next_fl_agrees"] == "False" for row in rows)


def test_the_twin_is_what_its_maker_makes(tmp_path: Path) -> None:
    make_twin(tmp_path)
    assert (tmp_path / "expected_rescore.csv").read_bytes() == (TWIN / "expected_rescore.csv").read_bytes()
    with (
        closing(sqlite3.connect(tmp_path / "twin.db")) as new,
        closing(sqlite3.connect(f"{(TWIN / 'twin.db').as_uri()}?mode=ro", uri=True)) as old,
    ):
        for table in ("sessions", "hands", "turns"):
            query = f"SELECT * FROM {table} ORDER BY rowid"
            assert new.execute(query).fetchall() == old.execute(query).fetchall()


@pytest.mark.skipif(not REAL.is_dir(), reason="the real log is not here")
def test_the_real_log_scores_as_expected(tmp_path: Path) -> None:
    report = ofc.import_hands(REAL / "ofc_log.db", out=tmp_path / "log")
    assert (report.read, report.new, report.duplicate, report.rejected) == (105, 105, 0, [])
    assert report.completeness == {"full": 102, "unfinished": 3}
    assert differing(report, REAL) == {}
    assert len(expected(REAL / "expected_rescore.csv")) == 102
    assert ofc.verify(report.log).ok
    # The unfinished hands keep what was dealt.
    cards = report.log.seats.join(
        report.log.hands.filter(pl.col("completeness") == "unfinished"), on="hand_id", how="semi"
    )
    assert cards.filter(pl.col("c00") < 255).collect().height == 4


@pytest.mark.skipif(not REAL.is_dir(), reason="the real log is not here")
def test_no_name_of_the_real_log_is_in_the_parts(tmp_path: Path) -> None:
    report = ofc.import_hands(REAL / "ofc_log.db", out=tmp_path / "log")
    assert report.log.seats.select(pl.col("player").str.contains(r"^p-[0-9a-f]{4,}$").all()).collect().item()
    assert all(b"player_0" not in file.read_bytes() for file in (tmp_path / "log").rglob("*.parquet"))
    assert "player_001" in (tmp_path / "players.json").read_text(encoding="utf-8")
