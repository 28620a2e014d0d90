"""Replay every worked example, the shared ones and our own, through the public API."""

import json
import random
from pathlib import Path
from typing import Any

import oracle
import pytest

import ofclab as ofc

DATA = Path(__file__).parent / "data"
EXAMPLES = json.loads((DATA / "examples.json").read_text(encoding="utf-8"))
CASES = EXAMPLES["cases"] + json.loads((DATA / "hand_worked.json").read_text(encoding="utf-8"))["cases"]
ROWS = ("front", "middle", "back")
Case = dict[str, Any]


def cases(*kinds: str) -> pytest.MarkDecorator:
    chosen = [case for case in CASES if case["kind"] in kinds]
    return pytest.mark.parametrize("case", chosen, ids=[f"{case['id']} {case['title']}" for case in chosen])


def board_of(rows: dict[str, Any]) -> ofc.Board:
    texts = (rows[row] if isinstance(rows[row], str) else " ".join(rows[row]) for row in ROWS)
    return ofc.Board.parse(" / ".join(text or "-" for text in texts))


def score_case(case: Case) -> tuple[ofc.Score, ofc.Rules]:
    rules = ofc.load_rules(case["preset"]).replace(case["overrides"])
    players = case["players"] * (2 if len(case["players"]) == 1 else 1)  # one board is scored against itself
    result = ofc.score(
        [board_of(player) for player in players],
        rules,
        fantasyland=[player["in_fantasyland_cards"] for player in players],
        announced=[player.get("announced") for player in players],
    )
    return result, rules


def rules_of(params: dict[str, Any]) -> ofc.Rules:
    """American Pineapple with the parameters of a settlement or flow case, single-valued ones left out."""
    return ofc.load_rules("american-pineapple").replace(
        {name: value for name, value in params.items() if name not in EXAMPLES["constants"]}
    )


@cases("board", "score")
def test_every_seat(case: Case) -> None:
    result, rules = score_case(case)
    for player, seat in zip(case["players"], result.seats, strict=False):
        expected = case["expected"]["players"][player["name"]]
        royalties = {row: getattr(seat.royalties, row) for row in (*ROWS, "total")}
        assert royalties == expected["royalties"]
        assert seat.fouled == ofc.is_foul(board_of(player), rules) == expected["fouled"]
        assert seat.next_fantasyland == expected["next_fantasyland_cards"]


@cases("score")
def test_every_pair_and_total(case: Case) -> None:
    result, _ = score_case(case)
    names = [player["name"] for player in case["players"]]
    found = [
        {
            "a": names[pair.a],
            "b": names[pair.b],
            "rows_for_a": {row: getattr(pair.rows, row) for row in ROWS},
            "base_points": pair.base,
            "royalty_points": pair.royalties,
            "total_for_a": pair.total,
        }
        for pair in result.pairs
    ]
    assert found == case["expected"]["pairwise"]
    assert dict(zip(names, result.points, strict=True)) == case["expected"]["totals"]


@cases("settle")
def test_every_settlement(case: Case) -> None:
    stacks = {seat: case["start_stacks"][seat] for seat in case["order_from_dealer_left"]}
    pairs = [(pair["a"], pair["b"], pair["points_for_a"]) for pair in case["pairwise_points"]]
    settled = ofc.settle(pairs, stacks, rules_of(case["params"]))
    skipped = ("skipped_because_complete", "skipped_because_eliminated")
    for step, expected in zip(settled.steps, case["expected"]["steps"], strict=True):
        for field in ("points_for_first", "owed_chips", "payer", "payee", "paid_chips"):
            assert getattr(step, field) == expected[field], field
        for field in ("pair", *skipped):
            assert list(getattr(step, field)) == expected.get(field, []), field
    assert settled.stacks == case["expected"]["final_stacks"]
    assert settled.rake == case["expected"].get("rake", 0)


@cases("settle")
def test_every_settlement_by_seat_number(case: Case) -> None:
    seats = case["order_from_dealer_left"]
    pairs = [(seats.index(p["a"]), seats.index(p["b"]), p["points_for_a"]) for p in case["pairwise_points"]]
    settled = ofc.settle(pairs, [case["start_stacks"][seat] for seat in seats], rules_of(case["params"]))
    assert list(settled.stacks) == [case["expected"]["final_stacks"][seat] for seat in seats]


@cases("compare")
def test_every_comparison(case: Case) -> None:
    ranking = "2-7" if case["ranking"] == "low27" else "high"
    cross = case.get("foul.cross_length_compare", "missing_lowest")
    expected = case["expected"]["a_vs_b"]
    assert ofc.compare_hands(case["a"], case["b"], ranking=ranking, cross_length=cross) == expected
    assert ofc.compare_hands(case["b"], case["a"], ranking=ranking, cross_length=cross) == -expected


@cases("flow")
def test_every_turn_order_and_button(case: Case) -> None:
    rules, seats, dealer = rules_of(case["params"]), case["seats"], case["dealer"]
    expected, setting = case["expected"], case["in_fantasyland_now"]
    assert list(ofc.turn_order(seats, dealer, rules, fantasyland=setting)) == expected["first_street_order"]
    for street in (2, 5):
        order = ofc.turn_order(seats, dealer, rules, fantasyland=setting, street=street)
        assert list(order) == expected["later_streets_order"]
    assert ofc.next_button(seats, dealer, rules, earned=case["earned_next_fantasyland"]) == expected["next_dealer"]


@cases("auto_place")
def test_every_timeout(case: Case) -> None:
    before = board_of(case["before"])
    placement = ofc.auto_place(before, " ".join(case["dealt"]), ofc.load_rules(case["preset"]))
    assert before.place(placement) == board_of(case["expected"]["after"])
    assert [str(card) for card in placement.discards] == case["expected"]["discarded"]


@cases("deck")
def test_every_deck(case: Case) -> None:
    """The rules must refuse a table the deck cannot serve: as many seats as may be, each with its most cards."""
    dealt, jokers = case["cards_dealt_per_player"], case["deck"] - 52
    base = ofc.load_rules("american-regular" if 13 in dealt else "american-pineapple")
    normal = 13 if 13 in dealt else 17
    largest = next((cards for cards in dealt if cards != normal), normal)
    discards = "none" if normal == largest == 13 else "hidden"
    changes = {
        "players.max": len(dealt),
        "deck.cards": case["deck"],
        "deck.jokers": jokers,
        "visibility.discards": discards,
        "fantasyland.entry_front": [{"min": "QQ", "cards": largest}],
        "fantasyland.stay_cards": "same",
    }
    assert sum(dealt) == case["expected"]["total"]
    if case["expected"]["fits"]:
        assert base.replace(changes).players.max == len(dealt)
    else:
        with pytest.raises(ofc.RulesError):
            base.replace(changes)


def board_around(row: str, cards: list[str], params: dict[str, Any]) -> dict[str, list[str]]:
    """Find two other rows that make a board with this row legal."""
    rng = random.Random(f"{row} {cards}")
    rest = [card for card in oracle.DECK if card not in cards]
    low = oracle.is_low(params)
    runs = [[rank + suit for rank in oracle.RANKS[i : i + 5]] for suit in "cdhs" for i in range(9)]
    strong = [run for run in runs if set(run) <= set(rest)]  # straight flushes go behind anything
    few = [card for card in rest if card[0] in "23456789T"]
    for _ in range(5000):
        board = {row: cards}
        if row != "back":
            board["back"] = rng.choice(strong)
        if row != "middle":
            board["middle"] = rng.sample(few if low else rest, 5) if low or row == "back" else rng.choice(strong)
        if row != "front":
            board["front"] = rng.sample(rest, 3)
        used = [card for name in ROWS for card in board[name]]
        if len(set(used)) == 13 and not oracle.judge(board, params)["fouled"]:
            return board
    raise AssertionError(f"no legal board holds {cards} in the {row}")


@pytest.mark.parametrize("entry", EXAMPLES["row_royalties"], ids="{0[preset]} {0[row]} {0[hand]}".format)
def test_every_row_royalty(entry: Case) -> None:
    preset, row = entry["preset"], entry["row"]
    board = board_of(board_around(row, entry["cards"].split(), EXAMPLES["presets"][preset]))
    seat = ofc.score([board, board], ofc.load_rules(preset)).seats[0]
    assert not seat.fouled
    assert getattr(seat.royalties, row) == entry["expected_royalty"]


@pytest.mark.parametrize("preset", sorted(EXAMPLES["presets"]))
def test_every_preset_value(preset: str) -> None:
    assert json.loads(json.dumps(ofc.load_rules(preset).flat(), default=dict)) == EXAMPLES["presets"][preset]


def test_every_kind_of_case_is_replayed() -> None:
    kinds = {"board", "score", "settle", "compare", "flow", "auto_place", "deck"}
    assert {case["kind"] for case in CASES} == kinds
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert sorted(EXAMPLES["presets"]) == sorted(ofc.presets())
