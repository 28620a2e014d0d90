"""A strategy's mistakes are named, not played."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ofclab as ofc
from ofclab.engine import Spots, View
from ofclab.strategies import get

PINEAPPLE = ofc.load_rules("american-pineapple")


class Wrong:
    """Plays at random, but spoils one street of one table from the second hand on."""

    label = "wrong(by=1)"

    def __init__(self, street: int, spoil: Callable[[NDArray[np.uint8]], None]) -> None:
        self.inner, self.street, self.spoil, self.first_streets = get("random_legal"), street, spoil, 0

    def prepare(self, rules: ofc.Rules, fantasyland_values: Any) -> None:
        self.inner.prepare(rules, fantasyland_values)

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        choice = self.inner.place(spots)
        self.first_streets += spots.street == 1
        if spots.street == self.street and self.first_streets == 2:
            self.spoil(choice[2])
        return choice


def front_of_five(row: NDArray[np.uint8]) -> None:
    row[:] = 0


def nothing_thrown_away(row: NDArray[np.uint8]) -> None:
    row[row == 3] = 2


def two_thrown_away(row: NDArray[np.uint8]) -> None:
    row[:2] = 3


def no_such_row(row: NDArray[np.uint8]) -> None:
    row[0] = 4


@pytest.mark.parametrize(
    ("street", "spoil"),
    [(1, front_of_five), (4, nothing_thrown_away), (3, two_thrown_away), (1, no_such_row), (5, no_such_row)],
)
def test_an_illegal_placement_is_named_with_table_hand_seat_and_street(
    street: int, spoil: Callable[[NDArray[np.uint8]], None]
) -> None:
    players = [get("random_legal"), Wrong(street, spoil), get("random_legal")]
    with pytest.raises(ofc.IllegalPlacement) as caught:
        list(ofc.play(PINEAPPLE, players, [10, 11, 12, 13], 3, 1))
    told = str(caught.value)
    assert told.startswith("wrong(by=1) placed ")
    assert f"table 12, hand 1, seat 1, street {street}" in told
    cards = list(ofc.play(PINEAPPLE, [get("random_legal")] * 3, [12], 3, 1))[1].cards[0, 1]
    first = (0, 5, 8, 11, 14)[street - 1]
    assert ofc.format_cards(cards[first : first + (5 if street == 1 else 3)].tolist()) in told


def test_an_array_of_another_shape_is_refused() -> None:
    class Short(Wrong):
        def place(self, spots: Spots) -> NDArray[np.uint8]:
            return np.zeros((len(spots), 2), np.uint8)

    with pytest.raises(
        ofc.IllegalPlacement, match=r"wrong\(by=1\) returned placements of shape \(4, 2\), want \(4, 5\)"
    ):
        list(ofc.play(PINEAPPLE, [Short(1, front_of_five)] * 2, range(4), 1, 1))


class Chooser:
    """A player of the plain kind."""

    def __init__(self, choose: Callable[[View], Any]) -> None:
        self.choose = choose


def crowded(view: View) -> ofc.Placement:
    return ofc.Placement(tuple((card, ofc.Row.FRONT) for card in view.dealt))


def another_card(view: View) -> ofc.Placement:
    strange = next(card for card in map(ofc.Card, range(52)) if card not in view.seen)
    return ofc.Placement(tuple((card, ofc.Row.BACK) for card in (*view.dealt[1:], strange)))


@pytest.mark.parametrize(
    ("choose", "told"),
    [
        (crowded, "Chooser placed .*table 3, hand 0, seat 0, street 1"),
        (another_card, "Chooser placed .* when dealt"),
        (lambda view: None, "Chooser returned None, not a Placement"),
        (lambda view: "As / - / -", "Chooser returned 'As / - / -', not a Placement"),
    ],
)
def test_a_player_that_chooses_wrongly_is_named(choose: Callable[[View], Any], told: str) -> None:
    with pytest.raises(ofc.IllegalPlacement, match=told):
        list(ofc.play(PINEAPPLE, [Chooser(choose)] * 2, [3], 1, 1))


def test_what_is_no_player_is_refused() -> None:
    with pytest.raises(TypeError, match="neither place"):
        list(ofc.play(PINEAPPLE, [object(), object()], [0], 1, 1))


@pytest.mark.parametrize("seats", [1, 4])
def test_a_table_has_as_many_seats_as_the_rules_allow(seats: int) -> None:
    with pytest.raises(ofc.SessionError, match=f"american-pineapple seats 2 to 3 players, got {seats}"):
        list(ofc.play(PINEAPPLE, [get("random_legal")] * seats, [0], 1, 1))
