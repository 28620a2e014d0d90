"""Lists of 13 cards: the ways they are written, and what makes a hand."""

from pathlib import Path

import pytest

import ofclab as ofc
from ofclab.importers import Reject
from ofclab.importers.flat13 import IMPORTER
from ofclab.importers.model import ImportedHand

ONE = "2h 3h 5h 10d 10h 4h 7c 8s Jd Js 6c 7d 9c"
TWO = "As Ad 2c Kh Kd 9h 9s 3d Qs Qd Qc 4s 4d"


def read(text: str, folder: Path) -> list[ImportedHand | Reject]:
    path = folder / "lists.txt"
    path.write_text(text, encoding="utf-8")
    return list(IMPORTER.read(path, "UTC"))


@pytest.mark.parametrize(
    "text",
    [
        f"{ONE}\n{TWO}\n",
        f"%w({ONE})\n%w({TWO})",
        f"%w({ONE}), %w({TWO})",
        f"[[{ONE}], [{TWO}]]",
        f"[{', '.join(ONE.split())}]\n{TWO.replace(' ', ',')}",
        f"[{', '.join(repr(card) for card in ONE.split())}]\n{TWO}",
        f"Nils: {ONE}\nIda: {TWO}\n",
    ],
)
def test_lists_may_be_written_in_many_ways(text: str, tmp_path: Path) -> None:
    (hand,) = read(text, tmp_path)
    assert isinstance(hand, ImportedHand), hand
    boards = [[list(seat.row(row)) for row in range(3)] for seat in hand.seats]
    want = [ofc.parse_cards(cards) for cards in (ONE, TWO)]
    assert boards == [[list(cards[:3]), list(cards[3:8]), list(cards[8:])] for cards in want]


@pytest.mark.parametrize("totals", ["totals: 15 -15", "total = [15, -15]", "=> [15, -15]"])
def test_totals_are_kept_as_recorded(totals: str, tmp_path: Path) -> None:
    (hand,) = read(f"{ONE}\n{TWO}\n{totals}\n", tmp_path)
    assert isinstance(hand, ImportedHand)
    assert [seat.points_recorded for seat in hand.seats] == [15, -15]
    (odd,) = read(f"{ONE}\n{TWO}\n{totals.replace('-15', '-14')}\n", tmp_path)
    assert isinstance(odd, ImportedHand)
    assert odd.warnings == ("recorded points add up to 1",)


def test_the_score_is_attached_to_a_ruleset(tmp_path: Path) -> None:
    (tmp_path / "lists.txt").write_text(f"{ONE}\n{TWO}\n", encoding="utf-8")
    log = ofc.import_hands(tmp_path / "lists.txt", out=tmp_path / "log").log
    boards = ["5h 3h 2h / Th Td 8s 7c 4h / Jd Js 9c 7d 6c", "As Ad 2c / Kh Kd 9h 9s 3d / Qs Qd Qc 4s 4d"]
    want = ofc.score(boards, log.rules())
    assert log.rules().name == "american-regular"
    assert tuple(log.results().sort("seat").collect()["points"]) == want.points


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (f"{ONE} Kc\n{TWO}", 1, "want 13 cards, got 14"),
        (f"{ONE}\n{TWO[:-3]}", 2, "want 13 cards, got 12"),
        (f"{ONE[:-2]}X\n{TWO}", 1, "want 13 cards, got 12 and 1 open slots"),
        (f"{ONE}\n{TWO.replace('Qs', 'Qz')}", 2, "no card 'Qz'"),
        (f"{ONE}\ntotals: 1 -1", 1, "2 totals for 1 players"),
        (f"[{ONE}] and [{TWO}]", 1, "cannot read 'and' beside the lists"),
        ("\n".join([ONE] * 5), 1, "5 players in one hand; a blank line parts hands"),
    ],
)
def test_what_cannot_be_read_says_where_and_why(text: str, line: int, reason: str, tmp_path: Path) -> None:
    found = read(f"{text}\n\n{TWO}\n", tmp_path)
    assert isinstance(found[0], Reject)
    assert isinstance(found[1], ImportedHand)
    assert found[0].line == line
    assert reason in found[0].reason


def test_a_card_of_both_players_is_a_reject(tmp_path: Path) -> None:
    (tmp_path / "lists.txt").write_text(f"{ONE}\n{TWO.replace('As', '2h')}\n", encoding="utf-8")
    report = ofc.import_hands(tmp_path / "lists.txt", out=tmp_path / "log")
    assert report.rejected == [Reject("lists.txt", 1, "2h stands twice in the hand", report.rejected[0].raw)]
