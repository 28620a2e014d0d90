"""How many hands a game has."""

import pytest
from scripted import HIGH, KINGS, LEAVES_14, LOW, QUEENS, STAYS_14, play_script

import ofclab as ofc
from ofclab.strategies import get

PINEAPPLE = ofc.load_rules("american-pineapple")
REGULAR = ofc.load_rules("american-regular")
PLAIN, ENTERS, LEAVES, STAYS = [HIGH, LOW], [QUEENS, LOW], [LEAVES_14, LOW], [STAYS_14, LOW]


@pytest.mark.parametrize(("length", "seats", "hands"), [(None, 2, 9), (4, 2, 4), (20, 2, 9), ("players", 2, 2),
                                                        ("players", 4, 4)])  # fmt: skip
def test_a_game_ends_after_its_hands_or_the_run_s(length: int | str | None, seats: int, hands: int) -> None:
    rules = REGULAR.replace({"game.hands": length})
    batches = list(ofc.play(rules, [get("random_legal")] * seats, range(3), 9, 1))
    assert [batch.hand_no for batch in batches] == list(range(hands))
    assert all(batch.tables.tolist() == [0, 1, 2] for batch in batches)


@pytest.mark.parametrize(
    ("script", "added", "not_added"),
    [
        ([PLAIN] * 5, 2, 2),
        ([ENTERS, LEAVES, PLAIN, PLAIN], 3, 2),
        ([PLAIN, ENTERS, LEAVES, PLAIN], 3, 2),
        ([ENTERS, STAYS, LEAVES, ENTERS, STAYS, LEAVES, PLAIN], 6, 2),
        ([ENTERS, [LEAVES_14, KINGS], [HIGH, LEAVES_14], PLAIN, PLAIN], 4, 2),
    ],
)
def test_fantasyland_hands_come_on_top_where_the_rules_add_them(
    monkeypatch: pytest.MonkeyPatch, script: list[list[str]], added: int, not_added: int
) -> None:
    for adds_hand, hands in ((True, added), (False, not_added)):
        rules = PINEAPPLE.replace({"game.hands": "players", "fantasyland.adds_hand": adds_hand})
        assert len(play_script(monkeypatch, rules, script)[0]) == hands


def test_the_run_s_hands_end_a_game_even_in_fantasyland(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = PINEAPPLE.replace({"game.hands": 2, "fantasyland.adds_hand": True})
    assert len(play_script(monkeypatch, rules, [ENTERS, STAYS, STAYS, STAYS], most=3)[0]) == 3


def test_tables_end_one_by_one() -> None:
    rules = PINEAPPLE.replace({"game.hands": 3, "fantasyland.adds_hand": True})
    batches = list(ofc.play(rules, [get("never_bust_greedy")] * 2, range(200), 50, 3))
    last = {table: batch for batch in batches for table in batch.tables.tolist()}
    assert set(last) == set(range(200))
    assert len({batch.hand_no for batch in last.values()}) > 2
    for table in (5, 50, 150):
        alone = list(ofc.play(rules, [get("never_bust_greedy")] * 2, [table], 50, 3))
        assert alone[-1].hand_no == last[table].hand_no
        normal = sum(not batch.fantasyland.any() for batch in alone)
        assert normal == 3
        assert not alone[-1].next_fantasyland.any()
