"""Two observers of one hand: what each saw is put together, what contradicts is rejected with both named."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from import_samples import facts

import ofclab as ofc
from ofclab.importers import ImportReport

ALICE = ["Qh", "Qd", "3c", "8s", "8d", "2c", "7h", "As", "Ks", "4c", "Ts", "9s", "6d", "5h", "5c", "6h", "7s"]
BOB = ["Kh", "Kd", "2d", "9h", "9d", "3d", "7d", "Ah", "Jc", "4d", "Th", "Jh", "6c", "5d", "5s", "8h", "7c"]
LETTERS = "mmmbbbbxmfxmfxbfx"
"""Where the cards of the five streets go: 3 + 5 + 5 placed, four discarded."""


def seat(number: int, cards: list[str], own: bool, **more: Any) -> dict[str, Any]:
    shown = [card if own or letter != "x" else "??" for card, letter in zip(cards, LETTERS, strict=True)]
    return {"seat": number, "player": f"player {number}", "cards": " ".join(shown), "placement": LETTERS,
            "discards_known": own, **more}  # fmt: skip


def hand(observer: int | None, **more: Any) -> dict[str, Any]:
    """The hand as one player saw it, or as it was."""
    knows = [observer in (None, number) for number in (0, 1)]
    seats = more.pop("seats", None) or [seat(0, ALICE, knows[0]), seat(1, BOB, knows[1])]
    return {
        "format": "ofclab-hand", "version": 1, "site": "room", "site_hand_id": "h-1", "hand_no": 1, "button": 1,
        "completeness": "full" if observer is None else "own_discards",
        **({} if observer is None else {"observer_seats": [observer]}), "seats": seats, **more,
    }  # fmt: skip


def take(name: str, told: Mapping[str, Any], tmp_path: Path, log: str = "log") -> ImportReport:
    path = tmp_path / name
    path.write_text(json.dumps(told) + "\n", encoding="utf-8")
    return ofc.import_hands(path, out=tmp_path / log)


def seen(report: ImportReport) -> dict[str, Any]:
    """The hand without what says where it comes from."""
    found = facts(report.log)
    return {"hands": found["hands"].drop("warnings"), "seats": found["seats"]}


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one[table].equals(other[table]) for table in one)


def test_hidden_cards_complete_each_other(tmp_path: Path) -> None:
    first = take("alice.jsonl", hand(0), tmp_path)
    assert first.log.hands.collect()["completeness"].to_list() == ["own_discards"]
    both = take("bob.jsonl", hand(1), tmp_path)
    assert (both.read, both.new, both.duplicate, both.merged, both.rejected) == (1, 0, 1, 1, [])
    row = both.log.hands.collect().row(0, named=True)
    assert row["completeness"] == "full"
    assert row["observer_seats"] == 3
    assert row["source_file"] == "alice.jsonl"
    assert row["warnings"] == "also in bob.jsonl:1"
    whole = take("whole.jsonl", hand(None), tmp_path, "whole")
    assert seen(both)["seats"].equals(seen(whole)["seats"])
    assert ofc.verify(both.log).ok
    assert "1 duplicates told more" in repr(both)


def test_the_order_of_the_observers_does_not_matter_and_again_adds_nothing(tmp_path: Path) -> None:
    take("alice.jsonl", hand(0), tmp_path, "one")
    one = take("bob.jsonl", hand(1), tmp_path, "one")
    take("bob.jsonl", hand(1), tmp_path, "two")
    two = take("alice.jsonl", hand(0), tmp_path, "two")
    together = ofc.import_hands([tmp_path / "alice.jsonl", tmp_path / "bob.jsonl"], out=tmp_path / "three")
    assert (together.new, together.duplicate, together.merged) == (1, 1, 1)
    assert same(seen(one), seen(two))
    assert same(seen(one), seen(together))
    before = {path: path.read_bytes() for path in (tmp_path / "one").rglob("*") if path.is_file()}
    again = ofc.import_hands([tmp_path / "alice.jsonl", tmp_path / "bob.jsonl"], out=tmp_path / "one")
    assert (again.new, again.duplicate, again.merged, again.rejected) == (0, 2, 0, [])
    assert {path: path.read_bytes() for path in (tmp_path / "one").rglob("*") if path.is_file()} == before


def test_scores_are_computed_anew_after_a_merge(tmp_path: Path) -> None:
    bare = hand(0)
    first = take("alice.jsonl", bare, tmp_path)
    assert first.log.results().collect()["points_recorded"].null_count() == 2
    points = first.log.results().sort("seat").collect()["points"].to_list()
    told = [seat(0, ALICE, False, points_recorded=points[0]), seat(1, BOB, True, points_recorded=points[1])]
    both = take("bob.jsonl", hand(1, seats=told), tmp_path)
    assert both.log.results().collect()["agrees_with_recorded"].to_list() == [True, True]


def swapped(cards: list[str], a: int, b: int) -> list[str]:
    changed = list(cards)
    changed[a], changed[b] = changed[b], changed[a]
    return changed


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({"button": 0}, "button is 0 instead of 1"),
        ({"seats": [seat(0, swapped(ALICE, 0, 3), False), seat(1, BOB, True)]}, "of seat 0 is in the"),
        (
            {"seats": [seat(0, ["Jd", *ALICE[1:]], False), seat(1, BOB, True)]},
            "the middle of seat 0 would hold 6 cards",
        ),
        ({"seats": [seat(0, ALICE, False, fl_cards=0), seat(1, [*BOB[:7], "Ts", *BOB[8:]], True)]}, None),
        ({"seats": [seat(0, ALICE, False), seat(2, BOB, True)], "button": 2}, "other seats"),
    ],
)
def test_a_contradiction_names_both_sources(told: dict[str, Any], reason: str | None, tmp_path: Path) -> None:
    first = take("alice.jsonl", hand(0), tmp_path)
    known = seen(first)
    report = take("bob.jsonl", hand(1, **told), tmp_path)
    assert (report.read, report.new, report.duplicate, len(report.rejected)) == (1, 0, 0, 1)
    assert report.files[0].rejected == 1
    assert same(seen(report), known)
    if reason is not None:
        assert report.rejected[0].reason.startswith("contradicts alice.jsonl:1, which tells of the same hand: ")
        assert reason in report.rejected[0].reason
        assert report.rejected[0].file == "bob.jsonl"


def test_recorded_points_that_differ_contradict(tmp_path: Path) -> None:
    with_points = [seat(0, ALICE, True, points_recorded=3), seat(1, BOB, False, points_recorded=-3)]
    take("alice.jsonl", hand(0, seats=with_points), tmp_path)
    others = [seat(0, ALICE, False, points_recorded=4), seat(1, BOB, True, points_recorded=-4)]
    report = take("bob.jsonl", hand(1, seats=others), tmp_path)
    assert "points_recorded of seat 0 is 4 instead of 3" in report.rejected[0].reason


def test_final_boards_take_nothing_from_a_hand_with_its_streets(tmp_path: Path) -> None:
    whole = take("whole.jsonl", hand(None), tmp_path)
    known = seen(whole)
    boards = []
    for number, cards in enumerate((ALICE, BOB)):
        kept = [(card, letter) for card, letter in zip(cards, LETTERS, strict=True) if letter != "x"]
        kept.sort(key=lambda one: "fmb".index(one[1]))
        boards.append({"seat": number, "cards": " ".join(card for card, _ in kept),
                       "placement": "".join(letter for _, letter in kept)})  # fmt: skip
    report = take("boards.jsonl", hand(None, completeness="final_boards", seats=boards), tmp_path)
    assert (report.duplicate, report.merged) == (1, 0)
    assert same(seen(report), known)
