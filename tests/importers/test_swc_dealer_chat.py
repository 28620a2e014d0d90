"""The dealer's chat: points by hand, and the checks its own totals allow."""

from pathlib import Path

import pytest
from import_samples import same_facts, samples

import ofclab as ofc
from ofclab.importers import Reject
from ofclab.importers.model import ImportedHand
from ofclab.importers.swc_dealer_chat import IMPORTER

SHARED = Path(__file__).parents[2].parent / "shared" / "imports" / "swc_dealer_chat" / "session.txt"
GAME = """New game started (1 hands)
New hand started (1 of 1)
Hand #1 finished - player1: -6, player2: +6
player2 is in fantasy land. The button will not be moved
New hand started (2 of 2)
Hand #2 finished - player1: +15, player2: -15
TOTAL - player1: +9, player2: -9
player1 wins 82.56
Game complete, 2 hands played
"""


def read(text: str, folder: Path) -> tuple[list[ImportedHand], list[Reject]]:
    (folder / "chat.txt").write_text(text, encoding="utf-8")
    items = list(IMPORTER.read(folder / "chat.txt", "UTC"))
    return [i for i in items if isinstance(i, ImportedHand)], [i for i in items if isinstance(i, Reject)]


@pytest.mark.skipif(not SHARED.is_file(), reason="the shared chat is not here")
def test_the_shared_chat(tmp_path: Path) -> None:
    report = ofc.import_hands(SHARED, out=tmp_path / "log")
    assert (report.new, report.rejected, report.completeness) == (3, [], {"score_only": 3})
    rows = report.log.results().sort("hand_no", "seat").collect()
    assert rows["points_recorded"].to_list() == [-6, 6, 0, 0, 15, -15]
    assert rows["fl_cards"].to_list() == [0, 0, 0, 13, 0, 0]


def test_a_game_says_who_is_in_fantasyland_and_who_is_paid(tmp_path: Path) -> None:
    hands, rejects = read(GAME, tmp_path)
    assert rejects == []
    assert [[seat.fl_cards for seat in hand.seats] for hand in hands] == [[0, 0], [0, 13]]
    assert hands[1].warnings[1] == "seat 0 is paid 82.56 when the game ends"
    assert not any("player" in warning for hand in hands for warning in hand.warnings), "names stay out of the log"


def test_a_name_may_hold_a_colon(tmp_path: Path) -> None:
    hands, _ = read("Hand #1 finished - a: b: -6, c:d: +6\n", tmp_path)
    assert [seat.player for seat in hands[0].seats] == ["a: b", "c:d"]


@pytest.mark.parametrize(
    ("old", "new", "reason", "hands"),
    [
        ("player1: -6", "player1: -5", "the points add up to 1, want 0", 1),
        (
            "TOTAL - player1: +9, player2: -9",
            "TOTAL - player1: +8, player2: -8",
            "not the sum of the hands above it",
            2,
        ),
        ("Game complete, 2", "Game complete, 3", "says 3 hands were played; 2 were read", 2),
        ("Hand #2", "Hand #1", "hand 1 of this game is finished already", 1),
        ("Hand #2 finished", "Hand #2 fin", "no line of the dealer's", 1),
        ("player1 wins", "player3 wins", "player3 is paid and played no hand above", 2),
        ("player2: -15", "player1: -15", "player1 stands twice", 1),
        ("-15\nTOTAL", "-1x\nTOTAL", "want a name, a colon and points", 1),
    ],
)
def test_what_does_not_add_up_is_a_reject(old: str, new: str, reason: str, hands: int, tmp_path: Path) -> None:
    found, rejects = read(GAME.replace(old, new, 1), tmp_path)
    assert len(found) == hands
    assert any(reason in reject.reason for reject in rejects), rejects


def test_a_hand_that_is_not_finished_is_a_reject(tmp_path: Path) -> None:
    _, rejects = read("".join(GAME.splitlines(keepends=True)[:5]), tmp_path)
    assert [(reject.line, reject.reason) for reject in rejects] == [(5, "hand 2 was started and is not finished")]


def test_evenings_of_equal_points_stay_apart(tmp_path: Path) -> None:
    for name, text in (("one.txt", GAME), ("two.txt", GAME.replace("15", "25").replace("9", "19"))):
        (tmp_path / name).write_text(text, encoding="utf-8")
    report = ofc.import_hands([tmp_path / "one.txt", tmp_path / "two.txt"], out=tmp_path / "log")
    assert (report.new, report.duplicate) == (4, 0)
    assert ofc.import_hands(tmp_path / "two.txt", out=tmp_path / "log").new == 0


def test_a_game_cut_in_the_middle_still_has_each_hand_once(tmp_path: Path) -> None:
    whole = ofc.import_hands(samples("swc_dealer_chat"), out=tmp_path / "whole")
    lines = samples("swc_dealer_chat")[0].read_text(encoding="utf-8").splitlines(keepends=True)
    for name, part in (("a.txt", lines[:9]), ("b.txt", lines[9:])):
        (tmp_path / name).write_text("".join(part), encoding="utf-8")
    cut = ofc.import_hands([tmp_path / "a.txt", tmp_path / "b.txt"], out=tmp_path / "cut")
    assert cut.new == whole.new
    assert not same_facts(whole.log, cut.log), "a piece of a game does not know the game"
