"""Chips from hand to hand: stacks, caps, players who go broke, the end of a game."""

from typing import Any

import numpy as np
import pytest
from scripted import FOUL, HIGH, KINGS, LEAVES_14, LOW, QUEENS, board_of, play_script

import ofclab as ofc
from ofclab.engine import HandBatch
from ofclab.strategies import get

PINEAPPLE = ofc.load_rules("american-pineapple")
REGULAR = ofc.load_rules("american-regular")
STAKES = PINEAPPLE.replace({"stakes.table_stakes": True})
SPARTAN = ofc.load_rules("spartan-1-6")
PLAIN = [HIGH, LOW]  # 6 points to the first seat


def after(batches: list[HandBatch]) -> list[list[int]]:
    return [batch.stack_after[0].tolist() for batch in batches if batch.stack_after is not None]


def test_nobody_counts_chips_without_stacks(monkeypatch: pytest.MonkeyPatch) -> None:
    (batch,) = play_script(monkeypatch, PINEAPPLE, [PLAIN])[0]
    assert batch.stack_before is batch.stack_after is batch.settled is None


def test_points_are_paid_after_each_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = STAKES.replace({"stakes.unit": 5})
    batches = play_script(monkeypatch, rules, [PLAIN, PLAIN, [LOW, HIGH]], stacks=[100, 110])[0]
    assert [batch.points[0].tolist() for batch in batches] == [[6, -6], [6, -6], [-6, 6]]
    assert [batch.stack_before[0].tolist() for batch in batches] == [[100, 110], [130, 80], [160, 50]]
    assert [batch.settled[0].tolist() for batch in batches] == [[30, -30], [30, -30], [-30, 30]]
    assert after(batches) == [[130, 80], [160, 50], [130, 80]]


def test_without_table_stakes_a_stack_may_fall_below_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = play_script(monkeypatch, PINEAPPLE, [PLAIN] * 3, stacks=10)[0]
    assert after(batches) == [[16, 4], [22, -2], [28, -8]]


def test_a_loser_pays_what_he_has_and_a_game_of_two_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = play_script(monkeypatch, STAKES, [PLAIN] * 4, stacks=10)[0]
    assert after(batches) == [[16, 4], [20, 0]]


@pytest.mark.parametrize(("cap", "won"), [("own_start_stack", 4), ("none", 6), ("current_stack", 4)])
def test_a_short_winner_wins_as_much_as_the_cap_allows(monkeypatch: pytest.MonkeyPatch, cap: str, won: int) -> None:
    rules = STAKES.replace({"stakes.win_cap": cap})
    (batch,) = play_script(monkeypatch, rules, [PLAIN], stacks=[4, 50])[0]
    assert batch.points.tolist() == [[6, -6]]
    assert batch.settled.tolist() == [[won, -won]]


def test_the_cap_is_the_stack_before_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = play_script(monkeypatch, STAKES, [PLAIN] * 3, stacks=[2, 50])[0]
    assert after(batches) == [[4, 48], [8, 44], [14, 38]]


def test_a_broke_player_sits_out_and_the_others_play_on(monkeypatch: pytest.MonkeyPatch) -> None:
    three = [[HIGH, LOW, FOUL], [HIGH, LOW, LOW], [LOW, HIGH, HIGH], [HIGH, LOW, HIGH]]
    rules = STAKES.replace({"stakes.win_cap": "none"})
    batches, players = play_script(monkeypatch, rules, three, stacks=[50, 5, 50], tables=(0, 1))
    # Seat 2 deals first, so seat 0 settles with 1 before 1 with 2: HIGH wins 6 twice, LOW wins 6 from the foul.
    assert after(batches)[0] == [50 + 5 + 6, 0 + 6, 50 - 12]
    batches, players = play_script(
        monkeypatch, rules, [[HIGH, LOW, HIGH], *three[1:]], stacks=[50, 5, 50], tables=(0, 1)
    )
    assert after(batches)[0] == [55, 0, 50]
    assert [batch.playing[1].tolist() for batch in batches] == [[True] * 3] + [[True, False, True]] * 3
    for batch in batches[1:]:
        assert (batch.cards[:, 1] == 255).all()
        assert (batch.placement[:, 1] == 7).all()
        assert not batch.points[:, 1].any()
        assert not batch.fouled[:, 1].any()
        assert not batch.settled[:, 1].any()
    assert [batch.points[0].tolist() for batch in batches[1:]] == [[6, 0, -6], [-6, 0, 6], [0, 0, 0]]
    assert [len(player.asked) for player in players] == [20, 5, 20]
    assert [int(batch.button[0]) for batch in batches] == [2, 0, 2, 0]
    assert [batch.position[0].tolist() for batch in batches] == [[1, 2, 3], [2, 0, 1], [1, 0, 2], [2, 0, 1]]
    spots = players[0].asked[-1]
    assert spots.opponents_fantasyland[0].tolist() == [255, 0]
    assert len(spots.view(0).opponents) == 1


def test_a_broke_player_does_not_play_the_fantasyland_he_earned(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = [[KINGS, QUEENS, LOW], [LEAVES_14, HIGH, LOW], [LOW, HIGH, LOW]]
    batches = play_script(monkeypatch, STAKES, hands, stacks=[100, 3, 100])[0]
    # Seat 1 pays its three chips to seat 0, then wins six from seat 2: a net gain of three, all it may win.
    assert after(batches)[0] == [100 + 3 + 14, 6, 100 - 6 - 14]
    rules = STAKES.replace({"stakes.busted": "eliminated"})
    batches = play_script(monkeypatch, rules, hands, stacks=[100, 3, 100])[0]
    assert batches[0].next_fantasyland[0].tolist() == [14, 14, 0]
    assert after(batches)[0][1] == 0
    assert batches[1].fantasyland[0].tolist() == [14, 0, 0]
    assert batches[1].playing[0].tolist() == [True, False, True]


def test_a_rebuy_brings_a_broke_player_back(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = STAKES.replace({"stakes.buy_in": 6, "stakes.rebuy": "each_hand"})
    batches = play_script(monkeypatch, rules, [PLAIN] * 3)[0]
    assert after(batches) == [[12, 0], [18, 0], [24, 0]]
    assert [int(batch.stack_before[0, 1]) for batch in batches] == [6, 6, 6]
    once = rules.replace({"stakes.rebuy": "none"})
    assert after(play_script(monkeypatch, once, [PLAIN] * 3)[0]) == [[12, 0]]


def test_the_house_takes_its_rake(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = STAKES.replace({"stakes.rake_percent": 10, "stakes.unit": 10, "stakes.rake_cap": 5})
    batches = play_script(monkeypatch, rules, [PLAIN, PLAIN], stacks=200)[0]
    assert after(batches) == [[255, 140], [310, 80]]
    last = rules.replace({"stakes.rake": "final_hand_when_one_stack"})
    batches = play_script(monkeypatch, last, [PLAIN, PLAIN], stacks=100)[0]
    assert after(batches) == [[160, 40], [196, 0]]


def test_a_game_paid_at_its_end_shows_running_stacks(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = SPARTAN.replace({"game.hands": 3})
    batches = play_script(monkeypatch, rules, [PLAIN, [LOW, HIGH], PLAIN], stacks=20)[0]
    assert after(batches) == [[26, 14], [20, 20], [26, 14]]
    assert [batch.settled[0].tolist() for batch in batches] == [[0, 0], [0, 0], [6, -6]]


def test_only_the_end_of_the_game_limits_what_is_paid_then(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = SPARTAN.replace({"game.hands": 3, "game.end_when_one_stack": False})
    batches = play_script(monkeypatch, rules, [PLAIN] * 3, stacks=10)[0]
    assert after(batches) == [[16, 4], [22, -2], [20, 0]]
    assert batches[2].settled[0].tolist() == [10, -10]
    # The same hands paid one by one come out the same; with a change of fortune they do not.
    swings = [PLAIN, PLAIN, [LOW, HIGH]]
    assert after(play_script(monkeypatch, rules, swings, stacks=10)[0])[-1] == [16, 4]
    each = rules.replace({"stakes.settle_when": "each_hand"})
    assert after(play_script(monkeypatch, each, swings, stacks=10)[0]) == [[16, 4], [20, 0]]


@pytest.mark.parametrize(("settle_when", "rebuy"), [("end_of_game", "none"), ("each_hand", "each_hand")])
def test_a_game_ends_when_one_player_has_every_chip(
    monkeypatch: pytest.MonkeyPatch, settle_when: str, rebuy: str
) -> None:
    changes = {"stakes.settle_when": settle_when, "stakes.rebuy": rebuy, "stakes.buy_in": 10, "game.hands": 4}
    for ends, hands in ((True, 2), (False, 4)):
        rules = SPARTAN.replace({**changes, "game.end_when_one_stack": ends})
        batches = play_script(monkeypatch, rules, [PLAIN] * 4)[0]
        assert len(batches) == hands


@pytest.mark.parametrize(
    ("stacks", "told"),
    [([10], "want a stack for each of 2 seats, got 1"), ([10, 0], "every stack must be positive"), (-5, "positive")],
)
def test_stacks_that_cannot_be_are_refused(stacks: Any, told: str) -> None:
    with pytest.raises(ofc.SessionError, match=told):
        list(ofc.play(STAKES, [get("random_legal")] * 2, [0], 1, 1, stacks=stacks))


SESSIONS = {
    "table stakes": {},
    "no cap": {"stakes.win_cap": "none"},
    "current stacks": {"stakes.win_cap": "current_stack"},
    "gross": {"stakes.win_cap_basis": "gross"},
    "eliminated": {"stakes.busted": "eliminated", "stakes.unit": 3},
    "raked": {"stakes.rake_percent": 5, "stakes.rake_cap": 4, "stakes.unit": 4},
    "capped": {"stakes.match_cap": 9},
    "moving button": {"fantasyland.button": "moves"},
}


@pytest.mark.parametrize("name", SESSIONS)
@pytest.mark.parametrize(("rules", "seats"), [(PINEAPPLE, 2), (PINEAPPLE, 3), (REGULAR, 4)])
def test_every_hand_is_paid_as_settle_pays_it(rules: ofc.Rules, seats: int, name: str) -> None:
    rules = rules.replace({"stakes.table_stakes": True, **SESSIONS[name]})
    players = [get(player) for player in ("never_bust_greedy", "cutoff_rows", "random_legal", "cutoff_rows")[:seats]]
    start = [60, 25, 40, 30][:seats]
    left: dict[int, list[int]] = dict.fromkeys(range(8), start)
    out: dict[int, set[int]] = {table: set() for table in range(8)}
    for batch in ofc.play(rules, players, range(8), 12, 5, stacks=start):
        for row, table in enumerate(batch.tables.tolist()):
            assert batch.stack_before[row].tolist() == left[table]
            playing = np.flatnonzero(batch.playing[row]).tolist()
            assert set(range(seats)) - set(playing) == out[table]
            order = ofc.turn_order(playing, _dealer(playing, int(batch.button[row]), seats), rules)
            boards = [board_of(batch, row, seat) for seat in order]
            score = ofc.score(boards, rules, fantasyland=[int(batch.fantasyland[row, seat]) for seat in order])
            assert batch.points[row, list(order)].tolist() == list(score.points)
            assert batch.points[row].sum() == 0
            pairs = [(order[pair.a], order[pair.b], pair.total) for pair in score.pairs]
            won = {seat: left[table][seat] - start[seat] for seat in order}
            paid = ofc.settle(pairs, {seat: left[table][seat] for seat in order}, rules, won_before=won).stacks
            left[table] = [paid.get(seat, left[table][seat]) for seat in range(seats)]
            assert batch.stack_after[row].tolist() == left[table]
            assert batch.settled[row].tolist() == (batch.stack_after - batch.stack_before)[row].tolist()
            out[table] = {seat for seat in range(seats) if left[table][seat] == 0}
            if name == "capped":
                assert min(chips - start[seat] for seat, chips in enumerate(left[table])) >= -9
    assert any(out.values()) or name == "capped"


def _dealer(playing: list[int], button: int, seats: int) -> int:
    """The last to act: the button, or where its seat is empty the nearest player before it."""
    return next(seat for step in range(seats) if (seat := (button - step) % seats) in playing)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_game_is_paid_at_its_end_as_settle_pays_it(seats: int) -> None:
    rules = SPARTAN.replace({"game.hands": 4, "game.end_when_one_stack": False, "stakes.win_cap": "own_start_stack"})
    owed: dict[int, dict[tuple[int, int], int]] = {}
    paid = 0
    for batch in ofc.play(rules, [get("cutoff_rows"), get("random_legal"), get("never_bust_greedy")][:seats], range(12),
                          30, 2, stacks=30):  # fmt: skip
        for row, table in enumerate(batch.tables.tolist()):
            score = ofc.score(
                [board_of(batch, row, seat) for seat in range(seats)],
                rules,
                fantasyland=batch.fantasyland[row].tolist(),
            )
            debts = owed.setdefault(table, {})
            for pair in score.pairs:
                debts[pair.a, pair.b] = debts.get((pair.a, pair.b), 0) + pair.total
            running = [30 + sum((a == seat) * won - (b == seat) * won for (a, b), won in debts.items())
                       for seat in range(seats)]  # fmt: skip
            if batch.settled[row].any():
                order = ofc.turn_order(seats, int(batch.button[row]), rules)
                stacks = dict.fromkeys(order, 30)
                stacks = ofc.settle([(a, b, won) for (a, b), won in debts.items()], stacks, rules).stacks
                assert batch.stack_after[row].tolist() == [stacks[seat] for seat in range(seats)]
                paid += 1
            else:
                assert batch.stack_after[row].tolist() == running
    assert paid > 8
