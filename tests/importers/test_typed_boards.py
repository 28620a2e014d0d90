"""Boards typed by people: the ways they are written, and what makes a hand."""

from pathlib import Path

import pytest
from import_samples import ROOT

import ofclab as ofc
from ofclab.cards import format_cards
from ofclab.importers import Reject
from ofclab.importers.model import ImportedHand
from ofclab.importers.typed_boards import IMPORTER

SPOTS = ROOT.parent / "shared" / "imports" / "three_line_board" / "spots.txt"
A = "Qh Qd 2c / 8s 8d 5c 5h Kc / As Ks 9s 4s 2s"
B = "Ac Ad 6c / Jc Jh Ts Td 4h / 7h 7d 7s 3c 3h"
C = "9h 9d 4c / Tc Th 6h 6s 2h / Kh Kd Js Jd 2d"


def read(text: str, folder: Path) -> list[ImportedHand | Reject]:
    path = folder / "boards.txt"
    path.write_text(text, encoding="utf-8")
    return list(IMPORTER.read(path, "UTC"))


def one(text: str, folder: Path) -> ImportedHand:
    found = read(text, folder)
    assert len(found) == 1
    assert isinstance(found[0], ImportedHand), found[0]
    return found[0]


def rows(hand: ImportedHand, seat: int = 0) -> str:
    return " / ".join(format_cards(hand.seats[seat].row(row)) or "-" for row in range(3))


@pytest.mark.parametrize(
    "text",
    [
        A,
        A + " /",
        A.replace(" / ", "\n"),
        A.replace(" / ", "\n").replace(" ", "-"),
        A.replace(" / ", "\n").replace(" ", ""),
        A.replace(" / ", "\n").replace(" ", ", "),
        "Top[Qh Qd 2c] Mid[8s 8d 5c 5h Kc] Bot[As Ks 9s 4s 2s]",
        "Top:['Qh','Qd','2c'] Mid:['8s','8d','5c','5h','Kc'] Bot:['As','Ks','9s','4s','2s']",
        "F: Qh Qd 2c M: 8s 8d 5c 5h Kc B: As Ks 9s 4s 2s",
        "Front: Qh Qd 2c\nMiddle: 8s 8d 5c 5h Kc\nBack: As Ks 9s 4s 2s",
        "Back: As Ks 9s 4s 2s\nFront: Qh Qd 2c\nMiddle: 8s 8d 5c 5h Kc",
        "Top  Qh Qd 2c   One pair of queens\nMiddle  8s 8d 5c 5h Kc  Two pair\nBottom  As Ks 9s 4s 2s\tFlush, ace high",
        "Q♥ Q♦ 2♣\n8♠ 8♦ 5♣ 5♥ K♣\nA♠ K♠ 9♠ 4♠ 2♠",
        "QHeart Suit QDiamond Suit 2Club Suit\n8s 8d 5c 5h Kc\nASpade Suit Ks 9s 4s 2s",
        "Mara: " + A,
        "Mara (Button):\n" + A,
    ],
)
def test_a_board_may_be_written_in_many_ways(text: str, tmp_path: Path) -> None:
    hand = one(text, tmp_path)
    assert rows(hand) == A
    assert hand.completeness == "final_boards"


def test_open_slots_draws_and_discards(tmp_path: Path) -> None:
    hand = one("Draw: 10s 9d\nQd X _\n5h 5d\n-\ndiscards: 4c 6d 8h\nopponent is in Fantasyland\n", tmp_path)
    seat = hand.seats[0]
    assert rows(hand) == "Qd / 5h 5d / -"
    assert (format_cards(seat.row(3)), format_cards(seat.row(4))) == ("4c 6d 8h", "Ts 9d")
    assert seat.discards_known
    assert hand.completeness == "unfinished"
    assert hand.warnings[0] == "says: opponent is in Fantasyland"


def test_a_draw_above_a_board_is_for_that_board(tmp_path: Path) -> None:
    hand = one(f"---\n{A}\n\ndiscards: 3d\n\nDraw: 10d\nJc - -/ 4c 4d / 5s\n", tmp_path)
    assert [format_cards(seat.row(4)) for seat in hand.seats] == ["", "Td"]
    assert [format_cards(seat.row(3)) for seat in hand.seats] == ["3d", ""]


def test_a_long_file_without_marks_is_read_in_one_go(tmp_path: Path) -> None:
    found = read(f"{A}\n\n" * 2000, tmp_path)
    assert [item.reason for item in found if isinstance(item, Reject)] == [
        "2000 boards in one hand; part hands by a line of dashes"
    ]


def test_names_button_and_fantasyland(tmp_path: Path) -> None:
    hand = one(f"Our Hand:\n{A}\nOpponent's Hand (Dealer) (in Fantasyland, 15 cards):\n{B}\n", tmp_path)
    assert [seat.player for seat in hand.seats] == ["Our", "Opponent"]
    assert [seat.fl_cards for seat in hand.seats] == [0, 15]
    assert hand.button == 1
    known = one(f"Mara (Fantasyland):\n{A}\ndiscards: 3d\n", tmp_path)
    assert known.seats[0].fl_cards == 14


@pytest.mark.parametrize(
    ("text", "boards"),
    [
        (f"{A}\n\n{B}\n", [2]),
        (f"{A}\n\n{B}\n\n{C}\n", [3]),
        (f"{A}\n\n{B}\n---\n{C}\n", [2, 1]),
        (f"{A}\n\n{B}\n\n\n{C}\n", [2, 1]),
        (f"Hand 1\n{A}\n\n{B}\nHand 2\n{C}\n", [2, 1]),
        (f"Mara:\n{A}\n\nJonas:\n{B}\n\nMara:\n{C}\n", [2, 1]),
        (f"{A}\n\nQc X X\nJs 4d\n3d\n", [1, 1]),
        (f"Hand 1\n{A}\n\nQc X X\nJs 4d\n3d\n", [2]),
        (f"{A}\n{B}\n", [2]),
        (f"\n\n\n{A}\n\n{B}\n\n\n\n", [2]),
        (f"# a comment\n{A}\n# another\n\n{B}\n", [2]),
    ],
)
def test_what_makes_a_hand(text: str, boards: list[int], tmp_path: Path) -> None:
    hands = [hand for hand in read(text, tmp_path) if isinstance(hand, ImportedHand)]
    assert [len(hand.seats) for hand in hands] == boards


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("A-2\n3-3-6-6-8\nK-K-Q-Q", 1, "'A' has no suit"),
        ("Qh Qd 2c\n8s 8z 5c 5h Kc\nAs Ks 9s 4s 2s", 2, "no card '8z'"),
        ("Qh Qd 2c JK\n8s\nAs", 1, "'JK' does not say which joker"),
        ("As Ks 9s 4s 2s\n8s 8d 5c 5h Kc\nQh Qd 2c", 1, "the front holds 3 cards, got 5"),
        ("Qh Qd 2c\n8s 8d 5c 5h Kc X\nAs", 2, "the middle holds 5 cards, got 5 and 1 open slots"),
        ("Qh Qd 2c\n8s 8d 5c 5h Kc", 1, "a board has no back"),
        ("Top[Qh] Bot[As]", 1, "a board has no middle"),
        ("Top[Qh] Top[Qd] Mid[2c] Bot[As]", 1, "a board has no middle and no back"),
        ("Top[Qh] Mid[2c]\nAs Ks", 2, "some rows have labels and some have none"),
        ("Qh / 2c", 1, "want front / middle / back, got 2 rows"),
        ("Mara:\nQh / 2c / As\nJonas:", 1, "Jonas has no front"),
        ("Mara (Fantasyland):\n" + A, 1, "with how many cards? Write (Fantasyland 14)"),
        (f"Mara (Button):\n{A}\nJonas (Button):\n{B}", 1, "2 players have the button"),
        ("discards: 4c\ndiscards: 5c\nQh / 2c / As", 2, "discards stands twice"),
        (f"{A}\n{B}\n{C}\n{A}\n{B}", 1, "5 boards in one hand; part hands by a line of dashes"),
        ("Top " + " " * 3000 + "Qh", 1, "the line has 3006 characters"),
        ("I played this last night\nQh / 2c / As", 1, "no card 'I'"),
    ],
)
def test_what_cannot_be_read_says_where_and_why(text: str, line: int, reason: str, tmp_path: Path) -> None:
    found = read(f"{text}\n---\n{C}\n", tmp_path)
    assert isinstance(found[0], Reject)
    assert isinstance(found[1], ImportedHand)
    assert found[0].line == line
    assert reason in found[0].reason
    assert found[0].raw == text


def test_too_many_players_or_jokers_for_the_rules(tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text(A.replace("Qd", "X1"), encoding="utf-8")
    report = ofc.import_hands(tmp_path / "boards.txt", out=tmp_path / "log")
    assert "american-pineapple plays without X1; choose other rules" in report.rejected[0].reason
    assert ofc.import_hands(tmp_path / "boards.txt", rules="joker-progressive", out=tmp_path / "log").new == 1


@pytest.mark.skipif(not SPOTS.is_file(), reason="the published spots are not here")
def test_the_published_spots(tmp_path: Path) -> None:
    report = ofc.import_hands(SPOTS, out=tmp_path / "log")
    assert report.files[0].format == "typed_boards"
    assert (report.read, report.new) == (4, 3)
    assert report.completeness == {"unfinished": 2, "final_boards": 1}
    assert "has no suit" in report.rejected[0].reason


STREETS = """Ann (Button):
1. Qh Qd / 8s 8d / As
2. 2c / - / Ks  discard 3d
3. - / 5c / 9s  discard 7c
4. - / 5h / 4s, discard: 9h
5. - / Kc / 2s  discard Jd
"""
OTHERS = """Bo:
1. Ac / Jc Jh / 7h 7d
2. Ad / Ts / -
3. - / Td / 7s  discard ??
4. 6c / - / 3c
5. - / 4h / 3h
"""


def test_a_hand_typed_street_by_street_has_its_order(tmp_path: Path) -> None:
    hand = one(f"{STREETS}\n{OTHERS}", tmp_path)
    ann, bo = hand.seats
    assert (hand.completeness, hand.observer_seats, hand.button) == ("own_discards", (0,), 0)
    assert format_cards(ann.cards) == "Qh Qd 8s 8d As 2c Ks 3d 5c 9s 7c 5h 4s 9h Kc 2s Jd"
    assert format_cards(bo.row(3)) == "?? ?? ?? ??"
    assert rows(hand) == "Qh Qd 2c / 8s 8d 5c 5h Kc / As Ks 9s 4s 2s"
    told = one(f"{STREETS}\n{OTHERS.replace('discard ??', 'discard 2h')}", tmp_path)
    assert format_cards(told.seats[1].row(3)) == "?? 2h ?? ??"
    full = [f"{line}  discard {card}" for line, card in zip(OTHERS.replace("  discard ??", "").splitlines()[2:],
                                                            ("2h", "2d", "4c", "4d"), strict=True)]  # fmt: skip
    known = one("\n".join([STREETS, *OTHERS.splitlines()[:2], *full]), tmp_path)
    assert (known.completeness, known.observer_seats) == ("full", None)


def test_streets_of_other_games(tmp_path: Path) -> None:
    single = [
        "Qd / - / -",
        "2c / - / -",
        "- / 5c / -",
        "- / 5h / -",
        "- / Kc / -",
        "- / - / 9s",
        "- / - / 4s",
        "- / - / 2s",
    ]
    regular = "Ann:\n1. Qh / 8s 8d / As Ks\n" + "".join(f"{i}. {row}\n" for i, row in enumerate(single, 2))
    hand = one(regular, tmp_path)
    assert (hand.completeness, len(hand.seats[0].cards)) == ("full", 13)
    land = one("Ann (Fantasyland 15):\n1. Ah Ad As / Th Td Ts 7c 7d / Jh Jd Js Jc 2d  discard 6s\n", tmp_path)
    assert format_cards(land.seats[0].row(3)) == "6s ??"
    assert (land.seats[0].fl_cards, land.seats[0].discards_known) == (15, False)


def test_results_noted_at_the_table_are_kept(tmp_path: Path) -> None:
    text = f"Ann:\n{A}\npoints: +6\nroyalties: 7\nnext: 14\nnot foul\n\nBo:\n{B}\npoints = -6\nfouled\n"
    ann, bo = one(text, tmp_path).seats
    assert (ann.points_recorded, ann.royalties_recorded, ann.next_fl_recorded, ann.foul_recorded) == (6, 7, 14, False)
    assert (bo.points_recorded, bo.royalties_recorded, bo.foul_recorded) == (-6, None, True)
    named = one(f"Ann:\n{A}\n\nBo:\n{B}\npoints: Ann +6, Bo -5\n", tmp_path)
    assert [seat.points_recorded for seat in named.seats] == [6, -5]
    assert named.warnings == ("recorded points add up to 1",)
    bare = one("points: Ann +6, Bo the second -6\n", tmp_path)
    assert (bare.completeness, [seat.player for seat in bare.seats]) == ("score_only", ["Ann", "Bo the second"])


def test_what_is_said_of_the_session_holds_from_there_on(tmp_path: Path) -> None:
    head = "Date: 2026-03-28 21:30\nTable: kitchen\nRules: turbo\nPoint: 0.50 EUR\n\n"
    text = f"{head}Hand 1\n{A}\n\nHand 2, 2026-03-29\n{B}\n\nPoint: 2 SEK\nHand 3\n{C}\n"
    (tmp_path / "boards.txt").write_text(text, encoding="utf-8")
    hands = [hand for hand in IMPORTER.read(tmp_path / "boards.txt", "Europe/Berlin") if isinstance(hand, ImportedHand)]
    assert [str(hand.played_at) for hand in hands] == [
        "2026-03-28 20:30:00+00:00", "2026-03-28 23:00:00+00:00", "2026-03-28 20:30:00+00:00",
    ]  # fmt: skip
    assert [(hand.point_value_minor, hand.currency) for hand in hands] == [(50, "EUR"), (50, "EUR"), (200, "SEK")]
    assert {hand.table for hand in hands} == {"kitchen"}
    assert [hand.hand_no for hand in hands] == [1, 2, 3]
    assert all(hand.rules == ofc.load_rules("turbo") for hand in hands)


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        (f"Date: 28/3/2026\n\n{A}\n", ["no date '28/3/2026'; write 2026-03-28"]),
        (f"Rules: nope\n\n{A}\n", ["no rules 'nope'; have", "its rules are not known: no rules 'nope'"]),
        (f"Point: 5\n\n{A}\n", ["no value of a point in '5'"]),
        (f"Hand 1, 2026-02-30\n{A}\n", ["no date '2026-02-30'"]),
        ("Ann:\n2. Qh / 8s / As\n", ["street 2 follows street 0 of Ann"]),
        (f"Ann:\n{A}\npoints: 1\npoints: 2\n", ["points stands twice for Ann"]),
        (f"Ann:\n{A}\npoints: Cy 1\n", ["points of 'Cy', who is no player"]),
        ("points: Ann 1\n", ["points of one player"]),
        ("points: +6\n", ["stands above the boards"]),
        (STREETS + "discards: 6d\n", ["write each discard on its street"]),
        (STREETS.replace("2c / - / Ks", "2c 3c / - / Ks"), ["the front holds 3 cards, got 4"]),
    ],
)
def test_what_is_typed_wrong_is_told(text: str, reasons: list[str], tmp_path: Path) -> None:
    told = [item.reason for item in read(f"{text}", tmp_path) if isinstance(item, Reject)]
    assert len(told) == len(reasons), told
    assert all(reason in said for reason, said in zip(reasons, told, strict=True)), told
