"""Five street-4 positions with every placement's exact value, found by two programs that share no code."""

import json
from math import comb
from pathlib import Path

import polars as pl
import pytest

import ofclab as ofc
from ofclab.solver.evaluate import evaluate_spot
from ofclab.spot import Spot

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "solver_truth.json").read_text(encoding="utf-8"))
POSITIONS = GOLDEN["golden_street_4"]
RULES = ofc.load_rules("american-pineapple")
ROW_LETTERS = {"front": "T", "middle": "M", "back": "B", "discard": "x"}


def spot_of(position: dict) -> Spot:
    rows = " / ".join(" ".join(position[row]) for row in ("top", "middle", "bottom"))
    return Spot.parse(f"{rows}\ndealt: {' '.join(position['hand'])}\ndiscards: {' '.join(position['discards'])}")


def moves(frame: pl.DataFrame) -> list[frozenset[str]]:
    """Each placement as the positions write it: {"Tc->x", "5d->B", "2h->M"}."""
    found = []
    for row in frame.iter_rows(named=True):
        cards = {letter: row[name].split() for name, letter in ROW_LETTERS.items()}
        found.append(frozenset(f"{card}->{letter}" for letter, held in cards.items() for card in held))
    return found


@pytest.mark.parametrize("worth", [0, 9])
@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: " ".join(position["hand"]))
def test_every_placement_has_its_exact_value(position: dict, worth: int) -> None:
    evaluation = evaluate_spot(spot_of(position), RULES, fantasyland_values=worth)
    draws = comb(position["unseen"], 3)
    assert draws == position["denominator"]
    assert evaluation.exact
    assert len(evaluation) == position["n_actions"]
    expected = {frozenset(one["action"]): one for one in position["actions"]}
    found = dict(zip(moves(evaluation.frame), evaluation.frame.iter_rows(named=True), strict=True))
    assert found.keys() == expected.keys()
    for move, row in found.items():
        assert round(row["ev"] * draws, 6) == expected[move][f"sum_flv{worth}"]
        assert round(row["foul"] * draws, 6) == expected[move]["forced_foul_draws"]
    best = max(one[f"sum_flv{worth}"] for one in position["actions"])
    assert expected[moves(evaluation.frame)[0]][f"sum_flv{worth}"] == best
