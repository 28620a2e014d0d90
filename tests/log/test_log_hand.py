"""One hand of a log, street by street: it agrees with the decisions frame, and hides what nobody saw."""

from pathlib import Path

import pytest

import ofclab as ofc


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> ofc.Log:
    players = ["never_bust_greedy", "random_legal", "random_legal"]
    out = Path(tmp_path_factory.mktemp("hand"), "log")
    return ofc.simulate("progressive-pineapple", players, tables=4, hands=30, seed=5, out=out).log


def _spoken(boards: tuple[ofc.Board, ...], fantasyland: tuple[int, ...], seats: tuple[int, ...]) -> str:
    each = zip(seats, boards, fantasyland, strict=True)
    return " | ".join(f"{seat}: {'hidden' if cards else board}" for seat, board, cards in each)


def test_every_decision_agrees_with_the_decisions_frame(log: ofc.Log) -> None:
    rows = log.decisions().collect().to_dicts()
    hands = {row["hand_id"]: None for row in rows}
    read = {number: ofc.log.read_hand(log, number) for number in list(hands)[:40]}
    checked = came_in = 0
    for row in rows:
        if row["hand_id"] not in read:
            continue
        found = read[row["hand_id"]].decision(row["seat"], row["street"])
        assert str(found.board) == row["board"]
        assert ofc.format_cards(found.dealt) == row["dealt"]
        assert str(ofc.Board().place(found.placement)) == row["placed"]
        assert (ofc.format_cards(found.placement.discards) or "-") == row["discarded"]
        assert _spoken(found.opponents, found.opponents_fantasyland, found.opponents_seats) == row["visible"]
        checked += 1
        came_in += row["fl_cards"] > 0
    assert checked > 400
    assert came_in


def test_a_hand_knows_its_end(log: ofc.Log) -> None:
    number = log.hands.select("hand_id").collect()["hand_id"][7]
    hand = ofc.log.read_hand(log, number)
    assert hand.streets == 5
    assert all(seat.board.is_complete for seat in hand.seats)
    assert hand.board_at(0, 0) == ofc.Board()
    assert hand.board_at(0, 5) == hand.seat(0).board
    assert hand.decision(0, 6) is None
    assert [seat.seat for seat in hand.from_left(1)] == [2, 0]


def test_an_unknown_hand_or_seat_is_named(log: ofc.Log) -> None:
    with pytest.raises(ofc.LogError, match="has no hand 1"):
        ofc.log.read_hand(log, 1)
    hand = ofc.log.read_hand(log, log.hands.select("hand_id").head(1).collect().item())
    with pytest.raises(ofc.LogError, match="nobody sat in seat 7"):
        hand.seat(7)
