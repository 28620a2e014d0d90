"""The web app's log: jokers of unknown identity, damage of every kind, and what is kept of a hand."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from import_samples import SAMPLES

import ofclab as ofc
from ofclab.cards import format_cards
from ofclab.importers import Reject
from ofclab.importers.model import ImportedHand
from ofclab.importers.web_app_sqlite import IMPORTER

TWIN = SAMPLES / "web_app_sqlite" / "twin.db"


@pytest.fixture
def twin(tmp_path: Path) -> Path:
    path = tmp_path / "copy.db"
    shutil.copyfile(TWIN, path)
    return path


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as base:
        for statement in statements:
            base.execute(statement)
        base.commit()


def hands(path: Path) -> dict[str, ImportedHand]:
    return {str(hand.site_hand_id): hand for hand in IMPORTER.read(path, "UTC") if isinstance(hand, ImportedHand)}


def rejects(path: Path) -> list[Reject]:
    return [item for item in IMPORTER.read(path, "UTC") if isinstance(item, Reject)]


def normal_hand(path: Path) -> str:
    """A finished hand without Fantasyland and without JK."""
    return next(
        key for key, hand in hands(path).items()
        if hand.completeness == "full" and not any(seat.fl_cards for seat in hand.seats) and not hand.warnings
    )  # fmt: skip


def rows(path: Path, query: str, *values: object) -> Iterator[Any]:
    with closing(sqlite3.connect(path)) as base:
        yield from base.execute(query, values).fetchall()


def test_a_normal_hand(twin: Path) -> None:
    key = normal_hand(twin)
    hand = hands(twin)[key]
    (row,) = rows(
        twin, "SELECT btn, started_at, chips_before, result_detail, hand_number FROM hands WHERE hand_id = ?", key
    )
    detail = json.loads(row[3])
    assert hand.button == row[0]
    assert hand.hand_no == row[4]
    assert hand.played_at == datetime.fromisoformat(row[1]).replace(tzinfo=UTC)
    assert [seat.stack_before for seat in hand.seats] == json.loads(row[2])
    assert [seat.stack_after for seat in hand.seats] == detail["chips"]
    assert [seat.foul_recorded for seat in hand.seats] == detail["busted"]
    assert [seat.royalties_recorded for seat in hand.seats] == [part["total"] for part in detail["royalties"]]
    for player, seat in enumerate(hand.seats):
        dealt = [
            card
            for (cards,) in rows(
                twin, "SELECT dealt_cards FROM turns WHERE hand_id = ? AND player = ? ORDER BY turn", key, player
            )
            for card in json.loads(cards)
        ]
        assert format_cards(seat.cards).split() == dealt
        assert len(seat.row(3)) == 4
        assert set(format_cards(seat.row(2)).split()) == set(detail["boards"][player]["bottom"])
    assert [act.street for act in hand.acts] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


def test_fantasyland_is_three_five_five_and_the_rest_discards(twin: Path) -> None:
    seat = next(seat for hand in hands(twin).values() for seat in hand.seats if seat.fl_cards and seat.placed == 13)
    assert len(seat.cards) == seat.fl_cards
    assert [len(seat.row(code)) for code in range(4)] == [3, 5, 5, seat.fl_cards - 13]


def test_a_joker_is_named_only_where_nothing_is_guessed(twin: Path) -> None:
    with_jk = [key for (key,) in rows(twin, "SELECT hand_id FROM hands WHERE result_detail LIKE '%JK%'")]
    found = hands(twin)
    named = [found[key] for key in with_jk if key in found]
    assert len(named) == 2
    assert all(any("JK is X" in warning for warning in hand.warnings) for hand in named if hand.warnings)
    assert all({52, 53} & {card for seat in hand.seats for card in seat.cards} for hand in named)
    assert [reject.reason for reject in rejects(twin)] == [
        "JK does not say which joker it is, and the rest of the hand does not tell"
    ]


def test_two_jokers_of_unknown_identity_are_a_reject(twin: Path) -> None:
    key = normal_hand(twin)
    (cards,) = next(rows(twin, "SELECT dealt_cards FROM turns WHERE hand_id = ? AND turn = 0 AND player = 0", key))
    new = json.dumps(["JK", "JK", *json.loads(cards)[2:]])
    change(twin, f"UPDATE turns SET dealt_cards = '{new}' WHERE hand_id = '{key}' AND turn = 0 AND player = 0")
    assert key not in hands(twin)


def test_hands_without_result_are_unfinished(twin: Path) -> None:
    unfinished = [hand for hand in hands(twin).values() if hand.completeness == "unfinished"]
    assert len(unfinished) == 3
    assert all("the source has no result" in hand.warnings for hand in unfinished)
    assert all(seat.points_recorded is None and seat.stack_after is None for hand in unfinished for seat in hand.seats)
    key = normal_hand(twin)
    change(twin, f"UPDATE hands SET result_detail = NULL, chips_after = NULL WHERE hand_id = '{key}'")
    assert hands(twin)[key].completeness == "full"


def test_a_cap_is_a_warning(twin: Path) -> None:
    warnings = [warning for hand in hands(twin).values() for warning in hand.warnings]
    assert any(warning.startswith("chips [") for warning in warnings)
    assert any("were paid as" in warning for warning in warnings)


def test_other_timezones_and_times_that_are_none(twin: Path) -> None:
    key = normal_hand(twin)
    utc = hands(twin)[key].played_at
    (tokyo,) = (hand for hand in IMPORTER.read(twin, "Asia/Tokyo") if getattr(hand, "site_hand_id", None) == key)
    assert isinstance(tokyo, ImportedHand)
    assert utc is not None
    assert tokyo.played_at is not None
    assert (utc - tokyo.played_at).total_seconds() == 9 * 3600
    change(twin, f"UPDATE hands SET started_at = 'yesterday' WHERE hand_id = '{key}'")
    assert hands(twin)[key].played_at is None
    assert "started_at is no time: 'yesterday'" in hands(twin)[key].warnings


TURN = "hand_id = '{key}' AND turn = 1 AND player = 0"


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE turns SET dealt_cards = '[\"Qh\"' WHERE " + TURN, "dealt_cards, turn 1 of player 0 is not JSON"),
        ("UPDATE turns SET dealt_cards = '{{}}' WHERE " + TURN, "dealt_cards, turn 1 of player 0 is no list"),
        ("UPDATE turns SET dealt_cards = '[\"Qh\", \"Qd\"]' WHERE " + TURN, "turn 1 of player 0 deals 2 cards"),
        ("UPDATE turns SET dealt_cards = '[\"Qh\", \"Qd\", \"10s\"]' WHERE " + TURN, "no card '10s'"),
        ("UPDATE turns SET action_placements = '[[\"Qh\"]]' WHERE " + TURN, "want pairs of card and row"),
        ("UPDATE turns SET action_placements = replace(action_placements, '\"bottom\"', '\"back\"'), "
         "dealt_cards = dealt_cards WHERE hand_id = '{key}'", "no row 'back'"),
        ("UPDATE turns SET action_discard = 'Zz' WHERE " + TURN, "no card 'Zz'"),
        ("DELETE FROM turns WHERE " + TURN, "player 0 has the turns [0, 2, 3, 4]; one is missing"),
        ("DELETE FROM turns WHERE hand_id = '{key}'", "the hand has no turns"),
        ("UPDATE turns SET player = 2 WHERE " + TURN, "turn 1 of player 2"),
        ("UPDATE turns SET turn = 9 WHERE " + TURN, "turn 9 of player 0"),
        ("UPDATE hands SET result_detail = '{{}}' WHERE hand_id = '{key}'", "boards is None"),
        ("UPDATE hands SET result_detail = 'x' WHERE hand_id = '{key}'", "result_detail is not JSON"),
        ("UPDATE hands SET btn = 'left' WHERE hand_id = '{key}'", "btn is 'left'; want a number"),
        ("UPDATE hands SET chips_before = '[1]' WHERE hand_id = '{key}'", "chips_before is [1]"),
        ("UPDATE hands SET result_detail = replace(result_detail, 'raw_score', 'score') WHERE hand_id = '{key}'",
         "raw_score is None"),
        ("UPDATE hands SET result_detail = replace(result_detail, 'middle', 'centre') WHERE hand_id = '{key}'",
         "the result shows no middle of player 0"),
    ],
)  # fmt: skip
def test_a_damaged_hand_costs_itself_only(statement: str, reason: str, twin: Path) -> None:
    key = normal_hand(twin)
    before = hands(twin)
    change(twin, statement.format(key=key))
    found = [reject for reject in rejects(twin) if key in reject.raw]
    assert len(found) == 1
    assert reason in found[0].reason
    assert set(hands(twin)) == set(before) - {key}


def test_turns_and_result_must_show_the_same_boards(twin: Path) -> None:
    key = normal_hand(twin)
    (text,) = next(rows(twin, "SELECT result_detail FROM hands WHERE hand_id = ?", key))
    detail = json.loads(text)
    board = detail["boards"][1]
    board["top"][0], board["bottom"][0] = board["bottom"][0], board["top"][0]
    with closing(sqlite3.connect(twin)) as base:
        base.execute("UPDATE hands SET result_detail = ? WHERE hand_id = ?", (json.dumps(detail), key))
        base.commit()
    (found,) = (reject for reject in rejects(twin) if key in reject.raw)
    assert found.reason.startswith("the top of player 1 is ")
    assert "by the turns and" in found.reason


def test_turns_of_no_hand_and_hands_of_no_session(twin: Path) -> None:
    key = normal_hand(twin)
    change(twin, f"DELETE FROM hands WHERE hand_id = '{key}'", "DELETE FROM sessions")
    assert any("turns of a hand that is not in the table hands" in reject.reason for reject in rejects(twin))
    assert all(hand.seats[0].player is None for hand in hands(twin).values())
    assert all("the session is not in the file" in hand.warnings for hand in hands(twin).values())


@pytest.mark.parametrize(
    ("statement", "reason"),
    [("DROP TABLE turns", "no table turns"), ("ALTER TABLE hands DROP COLUMN btn", "the table hands has no btn")],
)
def test_another_database_is_not_taken_for_the_log(statement: str, reason: str, twin: Path, tmp_path: Path) -> None:
    change(twin, statement)
    assert IMPORTER.detect(twin, twin.read_bytes()[:100]) is None
    assert [reject.reason for reject in rejects(twin)] == [f"{reason}; this is not the log of the web app"]


def test_a_torn_file_gives_what_can_be_read(twin: Path, tmp_path: Path) -> None:
    content = twin.read_bytes()
    twin.write_bytes(content[: len(content) // 2])
    report = ofc.import_hands(twin, format="sqlite", out=tmp_path / "log")
    assert report.read == report.new + len(report.rejected)
    assert any("damaged" in reject.reason for reject in report.rejected)


def test_a_file_that_may_not_be_written_is_read(twin: Path, tmp_path: Path) -> None:
    folder = tmp_path / "frozen"
    folder.mkdir()
    shutil.move(twin, folder / "log.db")
    (folder / "log.db").chmod(0o444)
    folder.chmod(0o555)
    try:
        assert ofc.import_hands(folder / "log.db", out=tmp_path / "log").new == 19
        assert [path.name for path in folder.iterdir()] == ["log.db"]
    finally:
        folder.chmod(0o755)


def test_fantasyland_hands_belong_to_the_match_that_earned_them(tmp_path: Path) -> None:
    log = ofc.import_hands(TWIN, out=tmp_path / "log").log
    in_chain = log.seats.group_by("hand_id").agg(came_in=pl.col("fl_cards").max())
    frame = log.hands.join(in_chain, on="hand_id").sort("table_id", "hand_no").collect()
    matches: dict[tuple[int, int], int] = {}
    for row in frame.iter_rows(named=True):
        before = matches.get((row["table_id"], row["hand_no"] - 1))
        want = before if row["came_in"] and before is not None else row["hand_id"]
        assert row["match_id"] == want
        matches[row["table_id"], row["hand_no"]] = want
    assert (frame["match_id"] != frame["hand_id"]).any()
