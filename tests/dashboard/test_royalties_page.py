"""Royalties & points: distributions, ruin, hands needed."""

import math
from pathlib import Path

import numpy as np
import pytest
from components.bankroll import bankroll_needed, risk_of_ruin
from opening import errors, html, marks, open_page


def test_the_verdict_says_swing_royalties_and_hands_needed(library: Path, monkeypatch) -> None:
    app = open_page("royalties", library, monkeypatch, log="small")
    assert not errors(app)
    said = html(app)
    assert "swings by" in said
    assert "One in twenty loses" in said
    assert "a difference of one point a hand shows after about" in said


def test_one_row_and_the_distribution_of_royalties_can_be_chosen(library: Path, monkeypatch) -> None:
    app = open_page("royalties", library, monkeypatch, log="small", royalties_row="front", royalties_view="Royalties")
    assert not errors(app)
    assert "Hands by their royalty points" in marks(app)


def test_a_log_with_one_hand_is_shown(library: Path, monkeypatch) -> None:
    app = open_page("royalties", library, monkeypatch, log="typed")
    assert not app.exception
    assert not errors(app)


def test_ruin_is_that_of_a_walk() -> None:
    rng = np.random.default_rng(1)
    edge, sd, bankroll, hands = 0.3, 8.0, 60.0, 400
    # Small steps, so that the walk is close to the continuous one of the formula.
    steps = rng.normal(edge / 8, sd / math.sqrt(8), (4000, hands * 8)).cumsum(axis=1)
    lost = (steps.min(axis=1) < -bankroll).mean()
    assert risk_of_ruin(edge, sd, bankroll, hands) == pytest.approx(lost, abs=0.03)


def test_ruin_has_the_right_ends() -> None:
    assert risk_of_ruin(1.0, 10.0, 0) == 1.0
    assert risk_of_ruin(-1.0, 10.0, 1000) == 1.0
    assert risk_of_ruin(0.0, 10.0, 1000) == 1.0
    assert risk_of_ruin(1.0, 10.0, 100) == pytest.approx(math.exp(-2))
    assert risk_of_ruin(1.0, 10.0, 100, 10**9) == pytest.approx(math.exp(-2), rel=1e-6)
    assert risk_of_ruin(1.0, 10.0, 100, 0) == 0.0
    assert risk_of_ruin(1.0, 0.0, 100) == 0.0
    assert risk_of_ruin(1.0, 10.0, bankroll_needed(1.0, 10.0, 0.05)) == pytest.approx(0.05)
    assert bankroll_needed(0.0, 10.0, 0.05) is None
