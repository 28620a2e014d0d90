"""The value of Fantasyland: the crossing formula, chains played out, and what is kept."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import ofclab as ofc
from ofclab.cli import app
from ofclab.engine import SessionError
from ofclab.solver import values as values_module
from ofclab.solver.chains import Chains, play_chains
from ofclab.solver.values import fantasyland_cards, fantasyland_value
from ofclab.strategies import get

PINEAPPLE = ofc.load_rules("american-pineapple")
VALUES = {13: 6.0, 14: 9.6, 15: 13.5, 16: 17.5, 17: 21.5}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for every test; the kernels keep theirs."""
    monkeypatch.setattr(values_module, "cache_root", lambda: tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("preset", "cards"),
    [
        ("american-regular", (13,)), ("american-pineapple", (14,)), ("pagat-pineapple", (14,)),
        ("progressive-pineapple", (14, 15, 16, 17)), ("ofo-variable", (13, 14, 15)), ("deuce-pineapple", (14, 15)),
        ("joker-progressive", (14, 15, 16, 17)), ("tournament-2013", ()),
    ],
)  # fmt: skip
def test_which_hands_there_are(preset: str, cards: tuple[int, ...]) -> None:
    assert fantasyland_cards(ofc.load_rules(preset)) == cards


def chains(rules: ofc.Rules, cards: int, n: int, name: str = "never_bust_greedy", seats: int = 2) -> Chains:
    return play_chains(rules, [get(name) for _ in range(seats)], range(n), cards, 100, 4, VALUES)


@pytest.mark.parametrize(("cards", "royalties", "stays"), [(14, 12.40, 0.106), (17, 24.37, 0.547)])
def test_the_first_hand_of_a_chain_is_an_exact_setting(cards: int, royalties: float, stays: float) -> None:
    """Means over many exact settings, royalties first; here a stay is worth some points, so royalties give way."""
    found = chains(PINEAPPLE, cards, 3000)
    assert found.royalties.mean() == pytest.approx(royalties, abs=4 * found.royalties.std() / np.sqrt(3000) + 0.1)
    assert found.stays.mean() == pytest.approx(stays, abs=4 * np.sqrt(stays * (1 - stays) / 3000))


def test_a_chain_ends_when_nobody_is_in_fantasyland() -> None:
    found = chains(PINEAPPLE.replace({"fantasyland.stay": "none"}), 14, 400, "cutoff_rows")
    alone = found.hands == 1
    assert alone.mean() > 0.98
    assert (found.points == found.first_points)[alone].all()
    assert not found.stays.any()
    longer = chains(PINEAPPLE, 14, 400)
    assert (longer.hands[longer.stays] > 1).all()


def test_a_chain_is_cut_off_at_the_longest() -> None:
    rules = PINEAPPLE.replace({"fantasyland.stay": {"front": "22"}})
    found = play_chains(rules, [get("random_legal")] * 2, range(50), 17, 3, 1, VALUES)
    assert found.hands.max() == 3


def test_a_chain_begins_with_cards_for_every_seat() -> None:
    with pytest.raises(SessionError, match=r"of shape \(2, 2\), got \(2, 3\)"):
        next(ofc.play(PINEAPPLE, [get("random_legal")] * 2, [0, 1], 1, 4, fantasyland=np.zeros((2, 3), np.uint8)))


def test_a_chain_is_the_same_in_any_piece() -> None:
    whole = chains(PINEAPPLE, 14, 40)
    part = play_chains(PINEAPPLE, [get("never_bust_greedy")] * 2, range(10, 30), 14, 100, 4, VALUES)
    assert (whole.points[10:30] == part.points).all()


class Aims:
    """Chains whose worth falls as people aim higher: V(x) = 20 - x / 2 for 14 cards, twice that for 15."""

    def __init__(self) -> None:
        self.asked: list[dict[int, float]] = []

    def play(self, job: Any) -> Chains:
        self.asked.append(dict(job.values))
        n = len(job.tables)
        points = np.full(n, (job.cards - 13) * (20 - 0.5 * job.values[14])) + np.array([1.0, -1.0] * (n // 2))
        nothing = np.zeros(n, np.int64)
        return Chains(points, nothing + 1, nothing, nothing, np.zeros(n, np.bool_))


def test_the_fixed_point_is_found_by_the_crossing_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    aims = Aims()
    monkeypatch.setattr(values_module, "_chains", aims.play)
    found = fantasyland_value(PINEAPPLE, "never_bust_greedy", tables=1000, cache=False)
    assert found.slope == pytest.approx(-0.5)
    assert found.values == {14: pytest.approx(20 / 1.5)}
    assert found.start == {14: pytest.approx(20 / 1.5)}
    # The points spread by 1 around their mean, and the slope shrinks that by 1.5.
    assert found.frame["high"][0] - found[14] == pytest.approx(1.962 / np.sqrt(1000) / 1.5, rel=1e-3)


def test_the_value_stands_between_points_and_stays() -> None:
    """V = points of the hand + stays V - entries of the other V, when tickets do not meet."""
    found = fantasyland_value(PINEAPPLE, "never_bust_greedy", tables=3000, seed=2)
    row = found.frame.row(0, named=True)
    expected = row["points"] / (1 - row["stay_rate"] + 0.017)
    assert row["value"] == pytest.approx(expected, abs=row["high"] - row["low"])
    assert row["low"] < row["value"] < row["high"]
    assert row["chains"] == 3000


def test_more_cards_are_worth_more() -> None:
    found = fantasyland_value("progressive-pineapple", "never_bust_greedy", tables=300)
    assert list(found.values) == [14, 15, 16, 17]
    assert found.frame["value"].is_sorted()
    assert "17 cards" in repr(found)
    assert "never_bust_greedy" in found._repr_html_()


def test_three_players_pay_more_than_two() -> None:
    two = fantasyland_value(PINEAPPLE, "never_bust_greedy", seats=2, tables=400)
    three = fantasyland_value(PINEAPPLE, "never_bust_greedy", seats=3, tables=400)
    assert three[14] > 1.5 * two[14]


def test_a_named_strategy_is_kept_and_found_again(cache: Path) -> None:
    first = fantasyland_value(PINEAPPLE, "never_bust_greedy", tables=60)
    (kept,) = (cache / "fantasyland_values").iterdir()
    assert json.loads(kept.read_text())["ruleset"] == PINEAPPLE.id
    again = fantasyland_value(PINEAPPLE, "never_bust_greedy", tables=40, seed=99)
    assert again.frame.equals(first.frame)
    assert (again.slope, again.start, again.strategy) == (first.slope, first.start, first.strategy)
    more = fantasyland_value(PINEAPPLE, "never_bust_greedy", tables=80)
    assert more.frame["chains"][0] == 80
    kept.write_text("{")
    assert fantasyland_value(PINEAPPLE, "never_bust_greedy", tables=60).frame.equals(first.frame)


def test_each_ruleset_strategy_and_number_of_seats_is_kept_apart(cache: Path) -> None:
    for rules in (PINEAPPLE, PINEAPPLE.replace({"scoring.sweep_bonus": 0})):
        for name in ("never_bust_greedy", "random_legal"):
            for seats in (2, 3):
                fantasyland_value(rules, name, seats, tables=4)
    assert len(list((cache / "fantasyland_values").iterdir())) == 8


class Mine:
    """A player of one's own."""

    label = "mine"

    def choose(self, view: ofc.View) -> ofc.Placement:
        return view.legal_placements()[0]


def test_a_strategy_of_ones_own_is_not_kept(cache: Path) -> None:
    fantasyland_value(PINEAPPLE, Mine(), tables=4)
    fantasyland_value(PINEAPPLE, "never_bust_greedy", tables=4, cache=False)
    assert not (cache / "fantasyland_values").exists()


@pytest.mark.slow
def test_workers_change_nothing() -> None:
    one = fantasyland_value(PINEAPPLE, "never_bust_greedy", tables=1200, cache=False)
    two = fantasyland_value(PINEAPPLE, "never_bust_greedy", tables=1200, cache=False, workers=2)
    assert one.frame.equals(two.frame)


def test_what_has_no_value_is_refused() -> None:
    with pytest.raises(ValueError, match="no Fantasyland"):
        fantasyland_value("tournament-2013", "random_legal")
    with pytest.raises(ValueError, match="at least 4 tables"):
        fantasyland_value(PINEAPPLE, "random_legal", tables=1)
    with pytest.raises(SessionError, match="2 to 3 players"):
        fantasyland_value(PINEAPPLE, "random_legal", seats=4, tables=4)


def test_the_command_prints_values() -> None:
    arguments = ["value", "american-pineapple", "--strategy", "never_bust_greedy", "--tables", "40", "--fresh"]
    told = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert told[0]["values"][0]["cards"] == 14
    result = CliRunner().invoke(app, [*arguments, "--markdown"])
    assert result.stdout.splitlines()[2].startswith("| american-pineapple | 14 | ")


@pytest.mark.slow
def test_hindsight_is_worth_less_than_a_careful_player_gives_away() -> None:
    """Fantasyland is worth the less the better and the bolder the others play: 9.6 against the best open bot."""
    careful = fantasyland_value(PINEAPPLE, "never_bust_greedy", tables=4000, cache=False)
    good = fantasyland_value(PINEAPPLE, "hindsight", tables=2000, cache=False)
    assert 9.6 < good[14] < careful[14]
