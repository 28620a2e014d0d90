"""The tracker's text view and database: rounds that fill streets tell the order of the deal."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from import_samples import samples

import ofclab as ofc
from ofclab.cards import format_cards
from ofclab.importers import Reject
from ofclab.importers.model import ImportedHand
from ofclab.importers.ofc_text_view import IMPORTER

SHARED = Path(__file__).parents[2].parent / "shared" / "imports" / "fpdb3_ofc_text" / "hand.txt"
TEXT, DATABASE = (next(path for path in samples("ofc_text_view") if path.suffix == end) for end in (".txt", ".db"))
HAND = """OFC Hand #5 - ofcp
Table: a
Timestamp: 2026-07-01T22:15:00+02:00

Players:
Seat 0: Ann: the first stack=100.50 points=0 collected=0
  Top: Ks
  Middle: Qc 8c 5c
  Bottom: Ah 10h 9h
  Active: 4d 3d 6s
Seat 2: Bo stack=80 points=0 collected=12.25
  Top: -
  Middle: Qs Js
  Bottom: Kh Kc Qd

Rounds:
  1. Ann: the first: top=Ks; middle=Qc 8c; bottom=Ah 10h
  2. Bo: middle=Qs Js; bottom=Kh Kc Qd
  3. Bo: no placement
  4. Ann: the first: middle=5c; bottom=9h discard=2d

Warnings:
  - Ann: the first sat down late
"""


def read(text: str, folder: Path) -> list[ImportedHand | Reject]:
    (folder / "hands.txt").write_text(text, encoding="utf-8")
    return list(IMPORTER.read(folder / "hands.txt", "UTC"))


@pytest.mark.skipif(not SHARED.is_file(), reason="the shared hand is not here")
def test_the_shared_hand(tmp_path: Path) -> None:
    report = ofc.import_hands(SHARED, out=tmp_path / "log")
    assert (report.rejected, report.completeness) == ([], {"own_discards": 1})
    rows = report.log.results().sort("seat").collect()
    assert rows["points"].to_list() == rows["points_recorded"].to_list() == [10, -10]
    assert rows["fouled"].to_list() == [False, True]
    assert rows["royalty_back"].to_list() == [4, 0]
    assert rows["discards_known"].to_list() == [True, False]


def test_a_hand_is_told_as_far_as_it_was_seen(tmp_path: Path) -> None:
    (hand,) = read(HAND, tmp_path)
    assert isinstance(hand, ImportedHand), hand
    ann, bo = hand.seats
    assert (hand.completeness, hand.observer_seats, hand.seat_numbers) == ("unfinished", (0,), (0, 2))
    assert str(hand.played_at) == "2026-07-01 20:15:00+00:00"
    assert (ann.player, ann.stack_before, bo.stack_before) == ("Ann: the first", 10050, 8000)
    assert (format_cards(ann.row(3)), format_cards(ann.row(4))) == ("2d", "4d 3d 6s")
    assert bo.points_recorded is None, "the hand is not over"
    assert hand.warnings == ("seat 0 sat down late", "seat 2 collected 12.25")
    assert [(act.seat, act.street) for act in hand.acts] == [(0, 1), (2, 1), (0, 2)]


def test_a_missing_state_costs_the_order_not_the_boards(tmp_path: Path) -> None:
    report = ofc.import_hands(TEXT, out=tmp_path / "log")
    assert report.completeness == {"own_discards": 3, "final_boards": 1}
    rows = report.log.results().collect()
    assert rows["agrees_with_recorded"].to_list() == [True] * 8
    assert rows.filter(completeness="final_boards")["foul_street"].null_count() == 2
    assert rows["fl_cards"].max() == 14


@pytest.mark.parametrize(
    ("old", "new", "reason", "line"),
    [
        ("ofcp\n", "omaha\n", "no variant 'omaha'; have ofc, ofcp, ofcp_27", 1),
        ("Qc 8c 5c", "Qc 8c 5x", "no card '5x'", 8),
        ("Qs Js\n  Bottom", "Qs Qs\n  Bottom", "do not build the board it shows", 1),
        ("  Top: Ks\n", "  Top: Ks 2c 3c 4c\n", "the front of seat 0 holds 3 cards, got 4", 1),
        ("discard=2d", "discard=Ks", "Ks is placed twice", 20),
        ("2. Bo", "2. Cy", "cannot read the round", 18),
        ("stack=80", "stack=8o", "stack is '8o'; want a number with two decimals", 11),
        ("points=0 collected=0", "points=0.5 collected=0", "points are whole numbers, got 0.5", 6),
        ("2026-07-01T22", "2026-17-01T22", "no time '2026-17-01T22:15:00+02:00'", 3),
        ("Rounds:", "Runden:", "cannot read 'Runden:' among the players", 16),
        ("  2. Bo: middle=Qs Js;", "  2. Bo: middle=Qs; middle=Js;", "middle stands twice in a round", 18),
    ],
)
def test_what_cannot_be_read_says_where_and_why(old: str, new: str, reason: str, line: int, tmp_path: Path) -> None:
    assert HAND.count(old) >= 1
    found = read(HAND.replace(old, new, 1) + "\n" + TEXT.read_text(encoding="utf-8"), tmp_path)
    assert isinstance(found[0], Reject)
    assert reason in found[0].reason
    assert found[0].line == line
    assert sum(isinstance(one, ImportedHand) for one in found[1:]) == 4


def test_the_database_holds_the_same_kind_of_hands(tmp_path: Path) -> None:
    report = ofc.import_hands(DATABASE, timezone="Europe/Berlin", out=tmp_path / "log")
    assert (report.rejected, report.completeness) == ([], {"own_discards": 2, "final_boards": 1})
    hands = report.log.hands.sort("site_hand_id").collect()
    assert hands["site"].to_list() == ["tracker"] * 3
    assert str(hands["played_at"][0]) == "2026-07-11 17:30:00+00:00"
    assert "the tracker says missing_states" in hands["warnings"][2]
    assert report.log.results().collect()["agrees_with_recorded"].to_list() == [True] * 6


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE HttpOFCHands SET variant = 'omaha' WHERE id = 1", "no variant 'omaha'"),
        (
            "UPDATE HttpOFCPlayers SET topCards = '2c 2c 3c' WHERE ofcHandId = 1 AND seatNo = 0",
            "do not build the board",
        ),
        ("UPDATE HttpOFCRounds SET placedJson = '[1]' WHERE ofcHandId = 1", "want cards for top, middle, bottom"),
        ("DELETE FROM HttpOFCPlayers WHERE ofcHandId = 1", "the hand has no players"),
        ("DELETE FROM HttpOFCHands WHERE id = 1", "players of a hand that is not in the table HttpOFCHands"),
        ("UPDATE HttpOFCHands SET siteHandNo = NULL WHERE id = 1", "siteHandNo is empty"),
    ],
)
def test_a_damaged_row_costs_its_hand(statement: str, reason: str, tmp_path: Path) -> None:
    shutil.copyfile(DATABASE, tmp_path / "tracker.db")
    with closing(sqlite3.connect(tmp_path / "tracker.db")) as base:
        base.execute(statement)
        base.commit()
    found = list(IMPORTER.read(tmp_path / "tracker.db", "UTC"))
    assert [reason in one.reason for one in found if isinstance(one, Reject)] == [True]
    assert sum(isinstance(one, ImportedHand) for one in found) == 2


def test_a_database_without_the_tables_is_a_reject(tmp_path: Path) -> None:
    shutil.copyfile(DATABASE, tmp_path / "tracker.db")
    with closing(sqlite3.connect(tmp_path / "tracker.db")) as base:
        base.execute("DROP TABLE HttpOFCRounds")
        base.commit()
    (found,) = IMPORTER.read(tmp_path / "tracker.db", "UTC")
    assert isinstance(found, Reject)
    assert found.reason == "no table HttpOFCRounds; this is not the tracker's database"
