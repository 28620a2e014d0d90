"""The example strategy that readers copy plays every ruleset, and plays well enough to be worth copying."""

import importlib.util
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ofclab as ofc
from ofclab.strategies import get

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "examples" / "adaptive.py"


@pytest.fixture(scope="module")
def example() -> Any:
    spec = importlib.util.spec_from_file_location("adaptive", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("preset", ["american-regular", "turbo", "deuce-pineapple", "joker-progressive"])
def test_it_plays_every_kind_of_rules(example: Any, preset: str) -> None:
    rules = ofc.load_rules(preset)
    (batch,) = ofc.play(rules, [example.Adaptive(2, 2)] * rules.players.max, [3], 1, 1)
    for row, size in enumerate((3, 5, 5)):
        assert ((batch.placement == row).sum(axis=2) == size).all()


def test_it_beats_a_rule_of_thumb(example: Any) -> None:
    rules = ofc.load_rules("american-pineapple")
    (batch,) = ofc.play(rules, [example.Adaptive(8, 6), get("cutoff_rows")], range(40), 1, 2)
    assert batch.points[:, 0].mean() > 1
    assert batch.fouled[:, 0].mean() < 0.2


def test_it_hopes_for_more_against_fantasyland(example: Any) -> None:
    rules, seen = ofc.load_rules("american-pineapple"), []

    class Noted(example.Adaptive):  # type: ignore[misc]
        def orders(self, view: ofc.View) -> int:
            seen.append((any(other.fantasyland for other in view.opponents), super().orders(view)))
            return int(seen[-1][1])

    list(ofc.play(rules, [Noted(1, 1), get("never_bust_greedy")], range(40), 4, 3))
    assert {hope for inside, hope in seen if inside} == {2}
    assert {hope for inside, hope in seen if not inside} == {1}


def test_it_counts_what_it_wins_from_complete_boards(example: Any) -> None:
    rules = ofc.load_rules("american-pineapple")
    theirs = ofc.Board.parse("Qs Qh 7d / Qd Qc 6s 5h 4d / Ac Kc Jc 9c 2c")
    mine = ofc.Board.parse("8d 8c 3s / Ts 9d Tc 9s Kd / Ah Kh Jh 4h 2h")
    view = ofc.View(rules, {14: 9.6}, 5, 2, mine, (), (), (ofc.engine.Opponent(theirs),), random.Random(1))
    player = example.Adaptive()
    ends = player.fill(mine, np.zeros((1, 0), np.uint8))
    assert player.value(view, ends).tolist() == [13.0]
