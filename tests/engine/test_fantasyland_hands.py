"""Fantasyland from hand to hand: who earns it, what comes of it, who deals meanwhile."""

import pytest
from scripted import HIGH, KINGS, LEAVES_14, LOW, QUEENS, STAYS_14, TRIPS, board_of, play_script

import ofclab as ofc

PINEAPPLE = ofc.load_rules("american-pineapple")
PROGRESSIVE = ofc.load_rules("progressive-pineapple")
ACES = "Ah Ad 2c / Kc Kd Ks 4s 5c / Qc Qd Qs Jd Js"
COLD = "7h Ad Qs 2c 6c 8s Qd Qc Qh 5h 9h 7c 4c 2h"  # 19 points, or 14 with quads in the back, which stay


@pytest.mark.parametrize(("board", "cards"), [(QUEENS, 14), (KINGS, 15), (ACES, 16), (TRIPS, 17)])
def test_a_front_is_dealt_its_number_of_cards(monkeypatch: pytest.MonkeyPatch, board: str, cards: int) -> None:
    hand = "2c 3c 4c 5c 7c 8d 9d Td Jd Kh Ah 2h 4h 6h 8h 9s Ts"
    first, second = play_script(monkeypatch, PROGRESSIVE, [[board, LOW], [hand, HIGH]])[0]
    assert first.next_fantasyland.tolist() == [[cards, 0]]
    assert second.fantasyland.tolist() == [[cards, 0]]
    assert (second.cards[0, 0] != 255).sum() == cards
    assert (second.placement[0, 0] == 3).sum() == cards - 13


def test_the_hand_is_set_as_well_as_it_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = play_script(monkeypatch, PINEAPPLE, [[QUEENS, LOW], [STAYS_14, LOW]])[0][1]
    best = ofc.set_fantasyland(STAYS_14, PINEAPPLE, stay_value=9.6)
    assert board_of(batch, 0, 0) == best.board
    assert batch.royalties[0, 0].sum() == best.royalties == 35
    assert batch.next_fantasyland[0, 0] == 14


@pytest.mark.parametrize(("value", "points", "following"), [(4.9, 19, 0), (5.1, 14, 14)])
def test_a_stay_is_taken_when_it_is_worth_its_price(
    monkeypatch: pytest.MonkeyPatch, value: float, points: int, following: int
) -> None:
    hands = [[QUEENS, LOW], [COLD, LOW]]
    batch = play_script(monkeypatch, PINEAPPLE, hands, fantasyland_values={14: value})[0][1]
    assert batch.royalties[0, 0].sum() == points
    assert batch.next_fantasyland[0, 0] == following


def test_players_who_are_all_in_fantasyland_are_asked_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    batches, players = play_script(monkeypatch, PINEAPPLE, [[QUEENS, KINGS], [STAYS_14, LEAVES_14]])
    assert batches[1].fantasyland.tolist() == [[14, 14]]
    assert [len(player.asked) for player in players] == [5, 5]
    expected = ofc.score([board_of(batches[1], 0, seat) for seat in (0, 1)], PINEAPPLE, fantasyland=[14, 14])
    assert batches[1].points.tolist() == [list(expected.points)]
    assert batches[1].next_fantasyland.tolist() == [[14, 0]]


CHAIN = [[QUEENS, LOW, KINGS], [STAYS_14, LOW, LEAVES_14], [LEAVES_14, KINGS, LOW], [LOW, STAYS_14, HIGH],
         [HIGH, LEAVES_14, LOW], [LOW, HIGH, LOW], [QUEENS, LOW, LOW], [LEAVES_14, HIGH, LOW]]  # fmt: skip


def test_a_chain_runs_until_nobody_is_in_fantasyland(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = play_script(monkeypatch, PINEAPPLE, CHAIN)[0]
    assert [batch.fantasyland[0].tolist() for batch in batches] == [
        [0, 0, 0], [14, 0, 14], [14, 0, 0], [0, 14, 0], [0, 14, 0], [0, 0, 0], [0, 0, 0], [14, 0, 0],
    ]  # fmt: skip
    assert [int(batch.match_hand[0]) for batch in batches] == [0, 0, 0, 0, 0, 5, 6, 6]


@pytest.mark.parametrize(
    ("button", "seats"), [("frozen", [2, 2, 2, 2, 2, 0, 1, 1]), ("moves", [2, 0, 1, 2, 0, 1, 2, 0])]
)
def test_the_button_waits_for_fantasyland_or_moves(
    monkeypatch: pytest.MonkeyPatch, button: str, seats: list[int]
) -> None:
    rules = PINEAPPLE.replace({"fantasyland.button": button})
    batches = play_script(monkeypatch, rules, CHAIN)[0]
    assert [int(batch.button[0]) for batch in batches] == seats
    for batch in batches:
        order = ofc.turn_order(3, int(batch.button[0]), rules)
        assert batch.position[0].tolist() == [order.index(seat) + 1 for seat in range(3)]


@pytest.mark.parametrize(("stay", "third"), [(14, 14), ("same", 16)])
def test_a_stay_is_dealt_the_rule_s_number_or_the_same(
    monkeypatch: pytest.MonkeyPatch, stay: int | str, third: int
) -> None:
    rules = PROGRESSIVE.replace({"fantasyland.stay_cards": stay})
    hands = [[ACES, LOW], [f"{STAYS_14} 9d 6h", LOW], [f"{STAYS_14} 9d 6h", LOW]]
    batches = play_script(monkeypatch, rules, hands)[0]
    assert [int(batch.fantasyland[0, 0]) for batch in batches] == [0, 16, third]


def test_kings_in_front_in_fantasyland_do_not_enter_again(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = "Qh Qd 2c 3c 5c 8c Jc Kd Ks 7d 7s 9h Th 4s"
    batch = play_script(monkeypatch, PINEAPPLE, [[QUEENS, LOW], [hand, LOW]])[0][1]
    assert str(board_of(batch, 0, 0)).startswith("Ks Kd")
    assert batch.next_fantasyland[0, 0] == 0


def test_a_stay_is_announced_where_the_rules_ask_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = [[QUEENS, KINGS], [STAYS_14, LEAVES_14], [LEAVES_14, LOW]]
    rules = PINEAPPLE.replace({"fantasyland.stay_must_announce": True})
    batches = play_script(monkeypatch, rules, hands)[0]
    assert [batch.announced[0].tolist() for batch in batches] == [[-1, -1], [1, 0], [0, -1]]
    assert batches[2].fantasyland[0, 0] == 14
    silent = play_script(monkeypatch, PINEAPPLE, hands)[0]
    assert [batch.announced[0].tolist() for batch in silent] == [[-1, -1]] * 3


def test_no_fantasyland_where_the_rules_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = PINEAPPLE.replace({"fantasyland.enabled": False})
    batches = play_script(monkeypatch, rules, [[QUEENS, LOW], [HIGH, LOW]])[0]
    assert [batch.next_fantasyland.tolist() for batch in batches] == [[[0, 0]], [[0, 0]]]
    assert batches[0].points.tolist() == [[13, -13]]
