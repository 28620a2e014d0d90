"""Every preset is played by every built-in strategy at every number of seats."""

import pytest
from scripted import board_of

import ofclab as ofc
from ofclab.strategies import get, names

TABLES = [
    pytest.param(rules, seats, id=f"{preset}-{seats}")
    for preset in ofc.presets()
    for rules in [ofc.load_rules(preset)]
    for seats in range(2, rules.players.max + 1)
]


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_every_preset_is_played_and_scored_as_the_boards_alone_are(rules: ofc.Rules, seats: int) -> None:
    every = names()
    for first in range(0, len(every), seats):
        players = [get(every[(first + seat) % len(every)]) for seat in range(seats)]
        for batch in ofc.play(rules, players, range(2), 2, 11, stacks=500):
            assert batch.playing.all()
            assert (batch.points.sum(axis=1) == 0).all()
            for place, size in enumerate((3, 5, 5)):
                assert ((batch.placement == place).sum(axis=2) == size).all()
            for row in range(len(batch.tables)):
                boards = [board_of(batch, row, seat) for seat in range(seats)]
                score = ofc.score(boards, rules, batch.fantasyland[row].tolist())
                assert batch.points[row].tolist() == list(score.points)
                assert batch.fouled[row].tolist() == [seat.fouled for seat in score.seats]
                assert batch.royalties[row].tolist() == [list(seat.royalties) for seat in score.seats]
                assert batch.next_fantasyland[row].tolist() == [seat.next_fantasyland for seat in score.seats]
                assert batch.codes[row].tolist() == [list(seat.codes) for seat in score.seats]
