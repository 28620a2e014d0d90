"""Rounds of articles: boards as they grow, the writer's draws, and cards that are none."""

from pathlib import Path

import pytest
from import_samples import samples

import ofclab as ofc
from ofclab.cards import format_cards
from ofclab.importers import Reject
from ofclab.importers.article_slash import IMPORTER
from ofclab.importers.model import ImportedHand

SHARED = Path(__file__).parents[2].parent / "shared" / "imports" / "article_slash_notation" / "round.txt"
ROUND = """Round 12 (button)
1. Ac/9d9s/7h8h, Kd/5c5s/10h7d
2. Ac/9d9s(2c4c)/7h8h/[x], Kd/5c5s/10h7d/8cJc3d
"""


def read(text: str, folder: Path) -> list[ImportedHand | Reject]:
    (folder / "rounds.txt").write_text(text, encoding="utf-8")
    return list(IMPORTER.read(folder / "rounds.txt", "UTC"))


def one(text: str, folder: Path) -> ImportedHand:
    (hand,) = read(text, folder)
    assert isinstance(hand, ImportedHand), hand
    return hand


@pytest.mark.skipif(not SHARED.is_file(), reason="the shared round is not here")
def test_the_shared_round(tmp_path: Path) -> None:
    report = ofc.import_hands(SHARED, out=tmp_path / "log")
    assert (report.rejected, report.completeness) == ([], {"unfinished": 1})
    assert report.log.hands.select("hand_no", "button").collect().row(0) == (644, 1)


def test_a_round_is_a_spot_of_the_writer(tmp_path: Path) -> None:
    hand = one(ROUND, tmp_path)
    other, writer = hand.seats
    assert (hand.button, hand.observer_seats, hand.completeness) == (1, (1,), "unfinished")
    assert format_cards(writer.row(4)) == "8c Jc 3d"
    assert [other.cards[i] for i, code in enumerate(other.placement) if code == 3] == [255]
    assert (other.discards_known, writer.discards_known) == (False, True)


def test_suits_may_be_glyphs_words_and_markup(tmp_path: Path) -> None:
    text = ROUND.replace("Ac/", "A♣/").replace("Kd/", "{k-Diamonds}/").replace("10h", "10♥").replace("Jc", "{j-Clubs}")
    plain = one(ROUND, tmp_path)
    assert [seat.cards for seat in one(text, tmp_path).seats] == [seat.cards for seat in plain.seats]


def test_the_sample_is_told_to_the_end(tmp_path: Path) -> None:
    report = ofc.import_hands(samples("article_slash"), out=tmp_path / "log")
    assert report.completeness == {"own_discards": 1, "unfinished": 2}
    assert "says: a small pot" in report.log.hands.collect()["warnings"].drop_nulls().to_list()
    shown = report.log.results().filter(completeness="own_discards").sort("seat").collect()
    assert shown["discards_known"].to_list() == [False, True]
    assert shown["points"].sum() == 0


def test_fantasyland_by_the_note(tmp_path: Path) -> None:
    cards = "2c3c4c5c6c7c8c9c10cJcQcKcAcAd"
    hand = one(f"Round 3 (button, in Fantasyland)\n1. Ah/9d9s/7h8h, ///{cards}\n", tmp_path)
    assert [seat.fl_cards for seat in hand.seats] == [0, 14]
    unsaid = one("Round 3 (in Fantasyland)\n1. Ah/9d9s/7h8h, Kd/5c5s/10h7d\n", tmp_path)
    assert unsaid.warnings == ("is in Fantasyland by the note; the boards do not tell who",)


@pytest.mark.parametrize(
    ("old", "new", "reason", "line"),
    [
        ("Kd/5c5s/10h7d/8c", "KxQx/5c5s/10h7d/8c", "'Kx' has no suit", 3),
        ("Ac/9d9s/", "772KK/9d9s/", "'772KK' has no suit", 2),
        ("8cJc3d", "8cJc3z", "no card '8cJc3z'", 3),
        ("8cJc3d", "8cJcKd", "Kd stands twice", 3),
        ("(2c4c)", "(2c4c5d6d)", "the middle holds 5 cards", 3),
        ("(2c4c)", "(2c)", "1 cards in brackets; a street places two", 3),
        ("(2c4c)", "(9d4c)", "9d stands twice", 3),
        ("2. Ac", "1. Ac", "street 1 follows street 1", 3),
        (", Kd/5c5s/10h7d\n", "\n", "1 and 2 boards a line", 1),
        ("1. Ac/9d9s/7h8h", "1. Ac/9d9s/7h8h/2d3d4d", "2 players have cards to play", 1),
        ("2. Ac/9d9s", "2. Ac/9d9h", "9s lay in the middle and is gone in a later state", 1),
        ("1. Ac", "one: Ac", "want a street such as", 2),
    ],
)
def test_what_cannot_be_read_says_where_and_why(old: str, new: str, reason: str, line: int, tmp_path: Path) -> None:
    assert old in ROUND
    found = read(ROUND.replace(old, new, 1) + "\n" + ROUND.replace("12", "13"), tmp_path)
    assert isinstance(found[0], Reject)
    assert reason in found[0].reason
    assert found[0].line == line
    assert isinstance(found[1], ImportedHand)


def test_text_before_the_first_round_is_a_reject(tmp_path: Path) -> None:
    found = read("1. Ac/9d9s/7h8h, Kd/5c5s/10h7d\n" + ROUND, tmp_path)
    assert [type(one) for one in found] == [Reject, ImportedHand]
