"""Parameters that work in the deal or over a game: one demonstration each, two values and what follows from them."""

from typing import Any

import numpy as np
import pytest
from scripted import FOUL, HIGH, LEAVES_14, LOW, QUEENS, play_script

import ofclab as ofc
from ofclab.engine import HandBatch
from ofclab.strategies import get

PINEAPPLE = ofc.load_rules("american-pineapple")
REGULAR = ofc.load_rules("american-regular")
STAKES = PINEAPPLE.replace({"stakes.table_stakes": True})
PLAIN = [HIGH, LOW]  # 6 points to the first seat


def stacks_after(batches: list[HandBatch]) -> list[list[int] | None]:
    return [None if batch.stack_after is None else batch.stack_after[0].tolist() for batch in batches]


@pytest.mark.parametrize(("jokers", "seen"), [(0, set()), (1, {52}), (2, {52, 53})])
def test_deck_jokers(jokers: int, seen: set[int]) -> None:
    rules = PINEAPPLE.replace({"deck.jokers": jokers, "deck.cards": 52 + jokers})
    (batch,) = ofc.play(rules, [get("random_legal")] * 2, range(50), 1, 1)
    assert set(np.unique(batch.cards[batch.cards < 255]).tolist()) == set(range(52)) | seen


@pytest.mark.parametrize(("most", "seats"), [(2, 2), (3, 3), (4, 4)])
def test_players_max(most: int, seats: int) -> None:
    rules = REGULAR.replace({"players.max": most})
    assert next(ofc.play(rules, [get("random_legal")] * seats, [0], 1, 1)).points.shape == (1, seats)
    with pytest.raises(ofc.SessionError, match=f"seats 2 to {most} players"):
        next(ofc.play(rules, [get("random_legal")] * (seats + 1), [0], 1, 1))


@pytest.mark.parametrize(("rounds", "dealt"), [("turbo", [5, 4, 4]), ("american-pineapple", [5, 3, 3, 3, 3])])
def test_deal_rounds(monkeypatch: pytest.MonkeyPatch, rounds: str, dealt: list[int]) -> None:
    players = play_script(monkeypatch, ofc.load_rules(rounds), [[LOW, HIGH]])[1]
    assert [spots.dealt.shape[1] for spots in players[0].asked] == dealt


@pytest.mark.parametrize(("face_down", "seen"), [(0, [0, 5, 7, 9, 11]), (3, [0, 5, 7, 9, 10])])
def test_deal_last_face_down(monkeypatch: pytest.MonkeyPatch, face_down: int, seen: list[int]) -> None:
    players = play_script(monkeypatch, PINEAPPLE.replace({"deal.last_face_down": face_down}), [[LOW, HIGH]])[1]
    assert [int((spots.opponents != 255).sum()) for spots in players[0].asked] == seen


@pytest.mark.parametrize(("discards", "seen"), [("hidden", [0, 0, 0, 0, 0]), ("revealed", [0, 0, 1, 2, 3])])
def test_visibility_discards(monkeypatch: pytest.MonkeyPatch, discards: str, seen: list[int]) -> None:
    players = play_script(monkeypatch, PINEAPPLE.replace({"visibility.discards": discards}), [[LOW, HIGH]])[1]
    assert [int((spots.opponents_discards != 255).sum()) for spots in players[0].asked] == seen


@pytest.mark.parametrize(("length", "hands"), [(None, 4), (3, 3), ("players", 2)])
def test_game_hands(monkeypatch: pytest.MonkeyPatch, length: Any, hands: int) -> None:
    assert len(play_script(monkeypatch, PINEAPPLE.replace({"game.hands": length}), [PLAIN] * 4)[0]) == hands


@pytest.mark.parametrize(("ends", "hands"), [(True, 2), (False, 4)])
def test_game_end_when_one_stack(monkeypatch: pytest.MonkeyPatch, ends: bool, hands: int) -> None:
    rules = STAKES.replace({"stakes.buy_in": 10, "stakes.rebuy": "each_hand", "game.end_when_one_stack": ends})
    assert len(play_script(monkeypatch, rules, [PLAIN] * 4)[0]) == hands


@pytest.mark.parametrize(("adds_hand", "hands"), [(True, 3), (False, 2)])
def test_fantasyland_adds_hand(monkeypatch: pytest.MonkeyPatch, adds_hand: bool, hands: int) -> None:
    rules = PINEAPPLE.replace({"game.hands": "players", "fantasyland.adds_hand": adds_hand})
    script = [[QUEENS, LOW], [LEAVES_14, LOW], PLAIN, PLAIN]
    assert len(play_script(monkeypatch, rules, script)[0]) == hands


@pytest.mark.parametrize(("limited", "stacks"), [(True, [[16, 4], [20, 0]]), (False, [[16, 4], [22, -2], [28, -8]])])
def test_stakes_table_stakes(monkeypatch: pytest.MonkeyPatch, limited: bool, stacks: list[list[int]]) -> None:
    rules = PINEAPPLE.replace({"stakes.table_stakes": limited})
    assert stacks_after(play_script(monkeypatch, rules, [PLAIN] * 3, stacks=10)[0]) == stacks


@pytest.mark.parametrize(("buy_in", "stacks"), [(None, None), (5, [10, 0]), (40, [46, 34])])
def test_stakes_buy_in(monkeypatch: pytest.MonkeyPatch, buy_in: int | None, stacks: list[int] | None) -> None:
    rules = STAKES.replace({"stakes.buy_in": buy_in})
    assert stacks_after(play_script(monkeypatch, rules, [PLAIN])[0]) == [stacks]


@pytest.mark.parametrize(("rebuy", "stacks"), [("none", [[12, 0]]), ("each_hand", [[12, 0], [18, 0], [24, 0]])])
def test_stakes_rebuy(monkeypatch: pytest.MonkeyPatch, rebuy: str, stacks: list[list[int]]) -> None:
    rules = STAKES.replace({"stakes.buy_in": 6, "stakes.rebuy": rebuy})
    assert stacks_after(play_script(monkeypatch, rules, [PLAIN] * 3)[0]) == stacks


@pytest.mark.parametrize(
    ("settle_when", "stacks"),
    [("each_hand", [[16, 4], [20, 0]]), ("end_of_game", [[16, 4], [22, -2], [16, 4]])],
)
def test_stakes_settle_when(monkeypatch: pytest.MonkeyPatch, settle_when: str, stacks: list[list[int]]) -> None:
    rules = STAKES.replace({"game.hands": 3, "stakes.settle_when": settle_when})
    assert stacks_after(play_script(monkeypatch, rules, [PLAIN, PLAIN, [LOW, HIGH]], stacks=10)[0]) == stacks


@pytest.mark.parametrize(
    ("cap", "stacks"),
    [
        ("none", [[10, 15, 18], [10, 27, 6]]),
        ("own_start_stack", [[13, 6, 24], [19, 12, 12]]),
        ("current_stack", [[13, 12, 18], [13, 24, 6]]),
    ],
)
def test_stakes_win_cap(monkeypatch: pytest.MonkeyPatch, cap: str, stacks: list[list[int]]) -> None:
    # HIGH beats LOW and both beat the foul, by 6 each; seat 2 deals first, then seat 0.
    rules = STAKES.replace({"stakes.win_cap": cap})
    batches = play_script(monkeypatch, rules, [[LOW, HIGH, FOUL]] * 2, stacks=[10, 3, 30])[0]
    assert stacks_after(batches) == stacks
