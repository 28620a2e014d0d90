"""Spots of a log hold what a player saw, and nothing else."""

from collections.abc import Mapping

import numpy as np
import polars as pl
import pytest

from ofclab.cards import UNSEEN
from ofclab.engine import Spots, play
from ofclab.log import Log
from ofclab.reviews.spots import decisions_of
from ofclab.rules import Rules, load_rules
from ofclab.runs import simulate
from ofclab.spot import Spot
from ofclab.strategies import get

REVEALED = {"visibility.discards": "revealed"}
EASY = {"fantasyland.entry_front": [{"min": "22", "cards": 14}]}


class Watching:
    """Plays as another strategy and notes what it was shown."""

    def __init__(self, name: str, seen: list[str]) -> None:
        self.label, self.inner, self.seen = name, get(name), seen

    def prepare(self, rules: Rules, values: Mapping[int, float]) -> None:
        self.inner.prepare(rules, values)

    def place(self, spots: Spots) -> np.ndarray:
        self.seen += [str(Spot.of_view(spots.view(i))) for i in range(len(spots))]
        return self.inner.place(spots)


@pytest.mark.parametrize(
    ("preset", "changes", "seats"),
    [
        ("american-pineapple", EASY, 2),
        ("american-pineapple", EASY | REVEALED, 3),
        ("american-regular", {"deal.last_face_down": 3}, 3),
        ("deuce-pineapple", {}, 2),
        ("turbo", {}, 2),
        ("joker-progressive", {}, 2),
    ],
)
def test_spots_are_those_the_engine_showed(preset, changes, seats, tmp_path) -> None:
    rules, seen = load_rules(preset).replace(changes, name="changed"), []
    names = ["never_bust_greedy", "cutoff_rows", "random_legal"][:seats]
    for _ in play(rules, [Watching(name, seen) for name in names], range(6), 4, 3):
        pass
    log = simulate(rules, names, tables=6, hands=4, seed=3, out=tmp_path / "log").log
    found = [decision for part in log.parts for decision in decisions_of(*log.part(part), log.rulesets)]
    assert sorted(str(decision.spot) for decision in found if decision.spot is not None) == sorted(seen)
    if changes == EASY:
        assert (
            sum(decision.spot is None for decision in found)
            == log.seats.filter(pl.col("fl_cards") > 0).collect().height
        )


def test_hidden_cards_change_nothing(log: Log) -> None:
    hands, seats = log.part(0)
    rules = log.rulesets
    hand_id = hands["hand_id"][0]
    hands, seats = hands.filter(pl.col("hand_id") == hand_id), seats.filter(pl.col("hand_id") == hand_id)
    spots = [str(d.spot) for d in decisions_of(hands, seats, rules, seats["seat"] == 0)]
    # All discards of the others, and everything they were dealt after the last decision of this seat.
    columns = [name for name in seats.columns if name[0] == "c" and name[1:].isdigit()]
    codes = seats["placement"].to_numpy()
    changed = seats
    for place, name in enumerate(columns):
        thrown = pl.Series((codes >> np.uint64(3 * place)) & np.uint64(7)) == 3
        others = (seats["seat"] != 0) & thrown
        changed = changed.with_columns(pl.when(others).then(pl.lit(UNSEEN, pl.UInt8)).otherwise(name).alias(name))
    assert not changed.equals(seats)
    assert [str(d.spot) for d in decisions_of(hands, changed, rules, seats["seat"] == 0)] == spots
    # And their decisions are not reviewed, because what they were dealt is not known any more.
    known = list(decisions_of(hands, changed, rules, seats["seat"] != 0))
    assert {decision.street for decision in known} == {1}


def test_later_cards_of_others_change_nothing(log: Log) -> None:
    hands, seats = log.part(0)
    hands, seats = hands.head(1), seats.head(3)
    first = seats.filter(pl.col("position") == 1)["seat"][0]
    spot = next(iter(decisions_of(hands, seats, log.rulesets, seats["seat"] == first))).spot
    assert spot is not None
    assert all(not other.cards for other in spot.opponents)
    shuffled = seats.with_columns(
        pl.when(pl.col("seat") == first).then(name).otherwise(pl.lit(place, pl.UInt8)).alias(name)
        for place, name in enumerate(f"c{place:02d}" for place in range(17))
    )
    assert next(iter(decisions_of(hands, shuffled, log.rulesets, seats["seat"] == first))).spot == spot


def test_final_boards_have_no_decisions(log: Log) -> None:
    hands, seats = log.part(0)
    boards = hands.with_columns(completeness=pl.lit("final_boards", hands.schema["completeness"]))
    assert list(decisions_of(boards, seats, log.rulesets)) == []


def test_without_an_order_of_play_nobody_has_acted(log: Log) -> None:
    hands, seats = log.part(0)
    nameless = seats.head(3).with_columns(position=pl.lit(None, pl.UInt8))
    for decision in decisions_of(hands.head(1), nameless, log.rulesets):
        assert decision.spot is not None
        before = {1: 0, 2: 5, 3: 7, 4: 9, 5: 11}[decision.street]
        assert all(len(other.cards) == before for other in decision.spot.opponents)


def test_spots_are_those_the_log_shows(log: Log) -> None:
    decisions = [it for part in log.parts for it in decisions_of(*log.part(part), log.rulesets)]
    for decision in decisions[::4]:
        shown = log.spot(decision.hand_id, decision.seat, decision.street)
        assert str(shown) == str(decision.spot)
