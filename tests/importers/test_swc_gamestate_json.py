"""States of the SwC web client: what grows on the table, and what states cannot say."""

import json
from pathlib import Path
from typing import Any

import pytest
from import_samples import same_facts, samples

import ofclab as ofc
from ofclab.cards import format_cards
from ofclab.importers import Reject
from ofclab.importers.model import ImportedHand
from ofclab.importers.swc_gamestate_json import IMPORTER

SHARED = Path(__file__).parents[2].parent / "shared" / "imports" / "swc_gamestate_json" / "states.jsonl"
ONE, TWO = "3;7;11;15;19;23;27;31;35;39;43;47;51", "0;4;8;12;16;20;24;28;32;36;40;44;48"


def state(one: str, two: str, over: bool = False, **changes: Any) -> dict[str, Any]:
    seats = [{"n": f"player{i}", "c": 1000, "p": 0, "d": board} for i, board in enumerate((one, two), 1)]
    return {"gi": 7, "gt": 74, "ti": "t", "ts": 0 if over else 2, "m": {"di": 1}, "d": {"p": 0}, "s": seats, **changes}


def board(ids: str, placed: int, held: str = "") -> str:
    """The first cards of a board, filled from the bottom up."""
    cards = ids.split(";")[:placed]
    back, middle = min(placed, 5), min(max(placed - 5, 0), 5)
    rows = [cards[back + middle :], cards[back : back + middle], cards[:back]]
    listed = [card for row in rows for card in row] + ([held] if held else [])
    return f"{';'.join(listed)}-{'-'.join(str(len(row)) for row in rows)}"


def read(states: list[dict[str, Any]], folder: Path) -> list[ImportedHand | Reject]:
    path = folder / "states.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in states), encoding="utf-8")
    return list(IMPORTER.read(path, "UTC"))


def one(states: list[dict[str, Any]], folder: Path) -> ImportedHand:
    (hand,) = read(states, folder)
    assert isinstance(hand, ImportedHand), hand
    return hand


@pytest.mark.skipif(not SHARED.is_file(), reason="the shared states are not here")
def test_the_shared_states(tmp_path: Path) -> None:
    report = ofc.import_hands(SHARED, out=tmp_path / "log")
    assert (report.new, report.rejected, report.completeness) == (1, [], {"final_boards": 1})
    rows = report.log.results().sort("seat").collect()
    assert rows["points"].to_list() == rows["points_recorded"].to_list() == [16, -16]
    assert rows["royalty_back"].to_list() == [10, 0]
    assert rows["agrees_with_recorded"].to_list() == [True, True]


def test_states_without_a_gap_tell_the_streets(tmp_path: Path) -> None:
    places = (5, 7, 9, 11, 13)
    states = [state(board(ONE, 0, "99;99;99;99;99"), board(TWO, 0))]
    for placed, after in zip((0, *places), places, strict=False):
        dealt = ";".join(TWO.split(";")[placed:after])
        mine = board(TWO, placed, f"{dealt};{placed + 30}" if placed else dealt)
        states += [state(board(ONE, placed), mine), state(board(ONE, placed), board(TWO, after)),
                   state(board(ONE, after), board(TWO, after))]  # fmt: skip
    states.append(state(board(ONE, 13), board(TWO, 13), over=True))
    hand = one(states, tmp_path)
    assert hand.completeness == "own_discards"
    assert hand.observer_seats == (1,)
    assert (hand.site_hand_id, hand.button, hand.rules and hand.rules.name) == ("7", 1, "american-pineapple")
    theirs, mine = hand.seats
    assert theirs.placement.count(3) == 4
    assert [card for card, code in zip(theirs.cards, theirs.placement, strict=True) if code == 3] == [255] * 4
    assert format_cards(mine.row(3)) == format_cards([35, 37, 39, 41])
    assert (mine.discards_known, theirs.discards_known) == (True, False)


def test_fantasyland_is_thirteen_cards_at_once(tmp_path: Path) -> None:
    hidden = ";".join(["99"] * 15)
    states = [
        state(board(ONE, 0, hidden), board(TWO, 5)), state(board(ONE, 13), board(TWO, 7)),
        state(board(ONE, 13), board(TWO, 13), over=True),
    ]  # fmt: skip
    told = one(states, tmp_path)
    assert [seat.fl_cards for seat in told.seats] == [15, 0]
    unsaid = one([dict(one_state, gt=75) for one_state in [state(board(ONE, 13), board(TWO, 7)), states[-1]]], tmp_path)
    assert unsaid.seats[0].fl_cards == 13
    assert unsaid.warnings == ("seat 0 came in with Fantasyland cards, how many is not told: 13 were seen",)
    # Both boards whole at once may be states that are missing as well.
    assert [seat.fl_cards for seat in one([state(board(ONE, 5), board(TWO, 5)), states[-1]], tmp_path).seats] == [0, 0]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"gt": 12}, "gt 12 is no open-face game; have 70 OFC, 73 Turbo OFC"),
        ({"gi": "7"}, "gi of the state is '7'; want a whole number"),
        ({"s": None}, "s of the state is 'None'; want a list"),
        ({"s": [{"n": "player1", "d": "3;7-1-0-0-0"}]}, "want card ids and how many lie in each row"),
        ({"s": [{"n": "player1", "d": "3;3-1-1-0"}]}, "2s stands twice"),
        ({"s": [{"n": "player1", "d": "3;7-1-2-0"}]}, "has 2 cards and 3 in its rows"),
        ({"s": [{"n": "player1", "d": "3;7;11;15-4-0-0"}]}, "has 4 cards in row 0, which holds 3"),
        (
            {"s": [{"n": "player1", "d": "-".join([";".join(["99"] * 18), "0", "0", "0"])}]},
            "nobody is dealt more than 17",
        ),
    ],
)
def test_a_state_that_cannot_be_is_a_reject(changes: dict[str, Any], reason: str, tmp_path: Path) -> None:
    found = read([state("-0-0-0", "-0-0-0", **changes), state(board(ONE, 13), board(TWO, 13), over=True)], tmp_path)
    assert isinstance(found[0], Reject)
    assert reason in found[0].reason
    assert isinstance(found[1], ImportedHand)


@pytest.mark.parametrize(
    ("states", "reason"),
    [
        ([state(board(ONE, 5), board(TWO, 5)), state(board(TWO, 5), board(ONE, 5))], "and is gone in a later state"),
        ([state(board(ONE, 5), board(TWO, 5)), state(board(ONE, 7), board(TWO, 7), m={"di": 0})], "the button changes"),
        ([state(board(ONE, 5), board(TWO, 5)), state(board(ONE, 7), "")], "another player sits on seat 1"),
    ],
)
def test_states_that_contradict_each_other_are_a_reject(states: list[Any], reason: str, tmp_path: Path) -> None:
    (found,) = read(states, tmp_path)
    assert isinstance(found, Reject)
    assert reason in found.reason


def test_rows_of_the_native_stream_have_no_owners(tmp_path: Path) -> None:
    rows = [
        "H.42;19;16;14;13.M.H",
        "A.0;1;2.x.y",
        "B.3;4;5.x.y",
        "C.6;7;8;9;10.x.y",
        "D.20;21;22;23;24.x.y",
        "E.30;31;32;33;34.x.y",
    ]
    (tmp_path / "rows.txt").write_text("\n".join(rows) + "\n\nA.0;1.x.y\n", encoding="utf-8")
    report = ofc.import_hands(tmp_path / "rows.txt", out=tmp_path / "log")
    assert report.files[0].format == "swc_gamestate_json"
    assert report.completeness == {"unattributed_rows": 1}
    assert "a row of 2 cards; want 3 or 5" in report.rejected[0].reason
    assert report.log.results().collect()["points"].to_list() == [None, None]


@pytest.mark.parametrize("cut", [6, 11, 45])
def test_a_capture_cut_within_a_hand_is_whole_again_when_its_pieces_come_together(cut: int, tmp_path: Path) -> None:
    (sample,) = samples("swc_gamestate_json")
    lines = sample.read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "a.jsonl").write_text("".join(lines[:cut]), encoding="utf-8")
    (tmp_path / "b.jsonl").write_text("".join(lines[cut:]), encoding="utf-8")
    whole = ofc.import_hands(sample, out=tmp_path / "whole")
    pieces = ofc.import_hands([tmp_path / "a.jsonl", tmp_path / "b.jsonl"], out=tmp_path / "pieces")
    assert pieces.read == whole.read
    assert same_facts(whole.log, pieces.log)


def test_two_captures_of_one_hand_follow_each_other(tmp_path: Path) -> None:
    end = state(board(ONE, 13), board(TWO, 13), over=True)
    twice = [state(board(ONE, 5), board(TWO, 0)), end, end, state(board(ONE, 5), board(TWO, 0)), end]
    assert [hand.line for hand in read(twice, tmp_path)] == [1, 4]
    assert ofc.import_hands(tmp_path / "states.jsonl", out=tmp_path / "log").new == 1
