"""States of KKPoker's joker tables: what is confirmed, what is laid down, and what the room's rules make of it."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from import_samples import SAMPLES

import ofclab as ofc
from ofclab.cards import format_cards
from ofclab.importers import Reject, get
from ofclab.importers.kkpoker_state_json import IMPORTER
from ofclab.importers.model import ImportedHand

SHARED = Path(__file__).parents[2].parent / "shared" / "imports" / "kkpoker_state_json"
FRAMES = SAMPLES / "kkpoker_state_json" / "frames"
CONFIRM = "kkpoker_state_json(confirm=true)"
there = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared states are not here")


def frame(**changes: Any) -> dict[str, Any]:
    board = {
        "top": ["Ac", "7c", "7d"],
        "middle": ["Qs", "Js", "8s", "5s", "2s"],
        "bottom": ["Kh", "Kc", "Qd", "5h", "2h"],
    }
    own = {"top": ["Ks", "Jh", "4h"], "middle": ["Qc", "8c", "5c"], "bottom": ["Ah", "Th", "9h", "7h", "JK1"]}
    state = {
        "mode": "joker_ultimate",
        "players": [{"chair": 0, "name": "villain0", "board": board}, {"chair": 1, "name": "hero", "board": own}],
        "hero_chair": 1, "dealer_chair": 1, "acting_chair": 1, "round_index": 4, "hero_incoming": ["Jd", "2d", "Ad"],
        "hero_discards": ["4d", "3d", "Ts"], "hero_can_confirm": True,
        "hero_pending": [{"card": "Ad", "row": "middle"}, {"card": "Jd", "row": "middle"}],
    }  # fmt: skip
    return {"schema_version": 1, "state": {**state, **changes}}


def read(frames: list[dict[str, Any]], folder: Path, format: str = "kkpoker_state_json") -> list[ImportedHand | Reject]:
    (folder / "frames.json").write_text("\n".join(json.dumps(one) for one in frames), encoding="utf-8")
    return list(get(format).read(folder / "frames.json", "UTC"))


@there
@pytest.mark.parametrize("name", ["frame000568", "fantasy_frame000053"])
def test_the_shared_states_score_as_expected(name: str, tmp_path: Path) -> None:
    want = json.loads((SHARED / "expected.json").read_text(encoding="utf-8"))[name]
    report = ofc.import_hands(SHARED / f"{name}.json", format=CONFIRM, out=tmp_path / "log")
    assert (report.rejected, report.completeness) == ([], {"final_boards": 1})
    rows = report.log.results().sort("seat").collect()
    villain, hero = rows.iter_rows(named=True)
    total = {
        seat["seat"]: sum(seat[f"royalty_{row}"] for row in ("front", "middle", "back")) for seat in (villain, hero)
    }
    royalties = (
        want["hero_royalties"] if isinstance(want["hero_royalties"], int) else sum(want["hero_royalties"].values())
    )
    assert (hero["points"], hero["fouled"], villain["fouled"]) == (
        want["hero_points"],
        want["hero_foul"],
        want["villain_foul"],
    )
    assert total == {0: want.get("villain_royalties", 0), 1: royalties}
    following = want["next_fantasyland"]
    assert hero["next_fl"] == following.get("ultimate", following.get("hero"))
    if "progressive" in following:
        rules = report.log.rules().replace({"fantasyland.stay_cards": 14})
        again = report.log.results(rules).filter(pl.col("seat") == 1).collect()
        assert again["next_fl"].to_list() == [following["progressive"]]


@there
def test_the_shared_states_of_one_folder_make_hands(tmp_path: Path) -> None:
    files = sorted(path for path in SHARED.glob("*frame*.json"))
    report = ofc.import_hands(files, format=CONFIRM, out=tmp_path / "log")
    assert report.completeness == {"final_boards": 1, "own_discards": 1}
    rows = report.log.results().filter(completeness="own_discards").sort("seat").collect()
    assert rows["points"].to_list() == [-10, 10]
    assert rows["discards_known"].to_list() == [False, True]


def test_what_is_laid_down_is_not_placed(tmp_path: Path) -> None:
    (open_hand,) = read([frame()], tmp_path)
    assert isinstance(open_hand, ImportedHand)
    assert open_hand.completeness == "unfinished"
    assert format_cards(open_hand.seats[1].row(4)) == "Jd 2d Ad"
    assert open_hand.warnings == ("laid down but not confirmed: Ad middle, Jd middle",)
    (confirmed,) = read([frame()], tmp_path, CONFIRM)
    assert isinstance(confirmed, ImportedHand)
    assert confirmed.completeness == "final_boards"
    assert format_cards(confirmed.seats[1].row(3)) == "4d 3d Ts 2d"
    assert confirmed.observer_seats == (1,)


def test_states_of_a_folder_are_one_hand(tmp_path: Path) -> None:
    assert len(list(FRAMES.glob("*.json"))) > 5
    report = ofc.import_hands(FRAMES, format=CONFIRM, out=tmp_path / "log")
    assert (report.read, report.new, report.completeness) == (1, 1, {"own_discards": 1})
    assert report.files[0].file == "frames"
    again = ofc.import_hands(sorted(FRAMES.glob("*.json")), format=CONFIRM, out=tmp_path / "log")
    assert (again.new, again.duplicate) == (0, 1)
    assert report.log.rules().name == "kkpoker-joker-ultimate"


def test_another_hand_begins_where_cards_are_gone(tmp_path: Path) -> None:
    empty = {"top": [], "middle": [], "bottom": []}
    players = [{"chair": 0, "name": "villain0", "board": empty}, {"chair": 1, "name": "hero", "board": empty}]
    start = frame(players=players, round_index=0, hero_incoming=["2c", "3c", "4c", "5c", "6c"], hero_discards=[],
                  hero_pending=[], hero_can_confirm=False)  # fmt: skip
    assert [hand.line for hand in read([frame(), start, frame()], tmp_path)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"mode": "omaha"}, "no mode 'omaha'; have joker_ultimate, joker_progressive"),
        ({"mode": ["joker_ultimate"]}, "no mode ['joker_ultimate']"),
        ({"hero_pending": [{"card": "Ad", "row": ["top"]}]}, "want a card and a row"),
        ({"hero_incoming": ["Jd", "2d", "1d"]}, "no card '1d' in hero_incoming"),
        ({"hero_incoming": ["Jd", "2d", "Ac"]}, "Ac stands twice in the state"),
        ({"hero_incoming": ["Jd", "2d", "X1"]}, "no card 'X1' in hero_incoming"),
        ({"hero_pending": [{"card": "Ac", "row": "middle"}]}, "hero_pending lays Ac, which is not among Jd 2d Ad"),
        (
            {"hero_pending": [{"card": "Ad", "row": "top"}]},
            "the front of the hero would hold 4 cards; it has room for 3",
        ),
        ({"hero_pending": [{"card": "Ad", "row": "left"}]}, "want a card and a row top, middle, bottom"),
        ({"hero_chair": 5}, "hero_chair is 5; have 0, 1"),
        ({"round_index": 9}, "round_index is 9; want 0 to 4"),
        (
            {"players": [{"chair": 0, "name": "a", "board": {"top": ["2c"] * 4}}]},
            "the top of chair 0 holds 3 cards, got 4",
        ),
        ({"hero_discards": None}, "hero_discards is None; want a list"),
    ],
)
def test_a_state_that_cannot_be_is_a_reject(changes: dict[str, Any], reason: str, tmp_path: Path) -> None:
    found = read([frame(**changes), frame()], tmp_path)
    assert isinstance(found[0], Reject)
    assert reason in found[0].reason.replace("'None'", "None")
    assert isinstance(found[1], ImportedHand)


def test_a_state_of_another_version_is_a_reject(tmp_path: Path) -> None:
    (found,) = read([{**frame(), "schema_version": 2}], tmp_path)
    assert isinstance(found, Reject)
    assert found.reason == "schema_version is 2; have 1"
    assert IMPORTER.confirm is False
