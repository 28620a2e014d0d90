"""A table with a seat played by hand: the same hands as the engine's, decision by decision."""

import numpy as np
import pytest

import ofclab as ofc
from ofclab.engine import Table

RULES = ofc.load_rules("progressive-pineapple")
VALUES = ofc.DEFAULT_FANTASYLAND_VALUES


class _Seen:
    """A strategy that notes what it placed."""

    def __init__(self, inner: object) -> None:
        self.inner, self.label, self.choices = inner, "seen", []

    def prepare(self, rules: ofc.Rules, values: object) -> None:
        self.inner.prepare(rules, values)

    def place(self, spots: ofc.Spots) -> np.ndarray:
        codes = self.inner.place(spots)
        self.choices.append((spots.dealt[0].tolist(), codes[0].tolist()))
        return codes


def _placement(dealt: list[int], codes: list[int]) -> ofc.Placement:
    rows = list(ofc.Row)
    kept = tuple((ofc.Card(card), rows[code]) for card, code in zip(dealt, codes, strict=True) if code < 3)
    return ofc.Placement(kept, tuple(ofc.Card(card) for card, code in zip(dealt, codes, strict=True) if code == 3))


def _set(decision: object) -> ofc.Placement:
    best = ofc.set_fantasyland(decision.dealt, RULES, VALUES[decision.fantasyland])
    return ofc.Placement(tuple((c, row) for row in ofc.Row for c in best.board.row(row)), best.discards)


def test_answers_of_a_strategy_give_the_hands_the_engine_plays() -> None:
    seen = _Seen(ofc.strategies.get("never_bust_greedy"))
    seats = [seen, ofc.strategies.get("random_legal")]
    batches = list(ofc.play(RULES, seats, [0], 60, 11, fantasyland_values=VALUES))
    assert any(batch.fantasyland[0, 0] for batch in batches), "the seed must reach Fantasyland"
    table = Table(RULES, [None, ofc.strategies.get("random_legal")], 11)
    choices = iter(seen.choices)
    while len(table.hands) < len(batches):
        if table.decision is None:
            table.deal()
        elif table.decision.fantasyland:
            table.decide(_set(table.decision))
        else:
            dealt, codes = next(choices)
            assert [int(card) for card in table.decision.dealt] == dealt
            table.decide(_placement(dealt, codes))
    for hand, batch in zip(table.hands, batches, strict=True):
        assert hand.points == tuple(batch.points[0])
        assert hand.fantasyland == tuple(batch.fantasyland[0])
        assert hand.next_fantasyland == tuple(batch.next_fantasyland[0])
        assert hand.button == batch.button[0]
        assert hand.fouled == tuple(batch.fouled[0])


def test_a_decision_shows_what_its_player_sees_and_no_more() -> None:
    table = Table(RULES, [None, ofc.strategies.get("random_legal")], 3)
    view = table.decision.view
    assert view.street == 1
    # The first to act sees an empty board beside his own.
    assert view.opponents[0].board == ofc.Board()
    assert view.opponents[0].discards == ()
    table.decide(ofc.legal_placements(ofc.Board(), table.decision.dealt, RULES)[0])
    assert len(table.decision.view.opponents[0].board.cards) == 5


def test_a_hand_can_be_played_by_hand_alone() -> None:
    table = Table(RULES, [None, None], 3)
    seats = []
    while table.decision is not None:
        seats.append(table.decision.seat)
        table.decide(ofc.legal_placements(table.decision.board, table.decision.dealt, RULES)[0])
    assert seats == [0, 1] * 5
    assert sum(table.hands[-1].points) == 0


def test_what_cannot_be_placed_is_refused_and_asked_again() -> None:
    table = Table(RULES, [None, ofc.strategies.get("random_legal")], 3)
    decision = table.decision
    first = decision.dealt[0]
    front = ofc.Placement(tuple((card, ofc.Row.FRONT) for card in decision.dealt))
    for placement, message in (
        (front, "is not legal"),
        (ofc.Placement(((first, ofc.Row.BACK),)), "want each of"),
        (ofc.Placement(tuple((first, ofc.Row.BACK) for _ in decision.dealt)), "want each of"),
    ):
        with pytest.raises(ofc.IllegalPlacement, match=message):
            table.decide(placement)
    assert table.decision == decision
    with pytest.raises(ofc.SessionError, match="still being played"):
        table.deal()


def test_a_game_ends_as_its_rules_say() -> None:
    rules = RULES.replace({"game.hands": 1, "fantasyland.enabled": False})
    table = Table(rules, [None, ofc.strategies.get("random_legal")], 3)
    while table.decision is not None:
        table.decide(ofc.legal_placements(table.decision.board, table.decision.dealt, rules)[0])
    assert table.is_over
    with pytest.raises(ofc.SessionError, match="the game is over"):
        table.deal()
    with pytest.raises(ofc.SessionError, match="nothing to decide"):
        table.decide(ofc.Placement(()))


def test_a_table_wants_somebody_who_plays_by_hand() -> None:
    with pytest.raises(ofc.SessionError, match="no seat is played by hand"):
        Table(RULES, [ofc.strategies.get("random_legal")] * 2)


def test_stacks_go_from_hand_to_hand() -> None:
    table = Table(RULES, [None, ofc.strategies.get("random_legal")], 5, stacks=100)
    for _ in range(2):
        while table.decision is not None:
            table.decide(ofc.legal_placements(table.decision.board, table.decision.dealt, RULES)[0])
        assert sum(table.hands[-1].stacks) == 200
        table.deal()
