"""One decision judged: exact where it can be, unbiased where it is sampled, by name and seed alone."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ofclab.board import Placement
from ofclab.engine import DEFAULT_FANTASYLAND_VALUES
from ofclab.log import open_log
from ofclab.reviews import LEVELS, Level, ReviewError, Thresholds
from ofclab.reviews.judge import judge
from ofclab.reviews.spots import decisions_of
from ofclab.rules import load_rules
from ofclab.solver.evaluate import evaluate_spot
from ofclab.spot import Spot

RULES = load_rules("american-pineapple")
VALUES = dict(DEFAULT_FANTASYLAND_VALUES)
SMALL = Level(
    "small", look=16, wide=6, screen=4, finalists=3, choose=6, first=24, second=48, groups=4, summed=8, boards=8
)
EXACT = Spot(
    board="7c Ks / 2s 3c 3h / 4d 8d Qd Jd", dealt="Tc 5d 2h", discards="Th 7s", seats=2, position=2,
    opponents=("Qc Qs 2d / Ah As 9c 9s 4h / Kc Kh Kd 6s 6h",),
)  # fmt: skip
THIRD = Spot(
    board="Kc / Ts 3s 3c / Jc Jh 4s", dealt="8s Kd Ks", discards="2d", seats=2, position=1,
    opponents=("Ah / 9s 9d 2c / Qh 7h 5h",),
)  # fmt: skip


def placement(spot: Spot, text: str) -> Placement:
    return next(option for option in spot.legal_placements(RULES) if str(option) == text)


def test_exact_values_are_those_of_the_solver() -> None:
    answer = evaluate_spot(EXACT, RULES, VALUES, budget=10)
    assert answer.exact
    for row, played in list(zip(answer.frame.iter_rows(named=True), answer.placements, strict=True))[::5]:
        found = judge(EXACT, played, RULES, SMALL, VALUES, "hindsight")
        assert found.exact
        assert found.se == 0
        assert found.ev_played == pytest.approx(row["ev"])
        assert found.ev_loss == pytest.approx(row["loss"], abs=1e-9)
        assert found.foul_played == pytest.approx(row["foul"])
        assert found.fantasyland_best == pytest.approx(answer["fantasyland"][0])
        assert found.is_best == (row["loss"] == 0)


def test_sampled_values_agree_with_the_solver() -> None:
    played = placement(THIRD, "- / 8s / Ks, discard Kd")
    found = judge(THIRD, played, RULES, SMALL, VALUES, "hindsight(samples=4)")
    answer = evaluate_spot(THIRD, RULES, VALUES, samples=64, policy="hindsight(samples=4)").frame
    row = answer.row(answer["placement"].to_list().index(str(played)), named=True)
    assert abs(found.ev_loss - row["loss"]) < 4 * float(np.hypot(found.se, row["loss_se"]))


def test_a_planted_blunder_is_found() -> None:
    # A pair of kings that makes Fantasyland in front is thrown away for a kicker.
    played = placement(THIRD, "- / 8s / Ks, discard Kd")
    found = judge(THIRD, played, RULES, SMALL, VALUES, "hindsight(samples=4)")
    assert not found.is_best
    assert found.ev_loss > 1
    assert found.ev_loss > 2 * found.se
    assert found.fantasyland_best > found.fantasyland_played
    assert "Kd" in str(found.best).split(" / ")[0] or "Ks" in str(found.best).split(" / ")[0]


@pytest.mark.parametrize("spot", [EXACT, THIRD], ids=["exact", "sampled"])
def test_who_copies_the_best_placement_is_right(spot: Spot) -> None:
    options = spot.legal_placements(RULES)
    best = judge(spot, options[0], RULES, SMALL, VALUES, "hindsight(samples=2)").best
    found = judge(spot, best, RULES, SMALL, VALUES, "hindsight(samples=2)")
    assert found.is_best
    assert found.ev_loss <= 2 * found.se + 1e-9


def test_the_answer_depends_on_spot_and_seed_alone() -> None:
    played = THIRD.legal_placements(RULES)[3]
    first = judge(THIRD, played, RULES, SMALL, VALUES, "never_bust_greedy")
    judge(EXACT, EXACT.legal_placements(RULES)[0], RULES, SMALL, VALUES, "never_bust_greedy", 7)
    assert judge(THIRD, played, RULES, SMALL, VALUES, "never_bust_greedy") == first
    assert judge(THIRD, played, RULES, SMALL, VALUES, "never_bust_greedy", 1) != first


def test_who_plays_the_best_loses_nothing_and_noise_makes_no_loss() -> None:
    # The same spot with many seeds: what a placement loses is the mean of a difference, whatever was chosen as best.
    level = Level(
        "split", look=16, wide=4, screen=2, finalists=2, choose=6, first=6, second=6, groups=2, summed=4, boards=4
    )
    ranked = evaluate_spot(THIRD, RULES, VALUES, samples=256, policy="never_bust_greedy").placements
    good, next_best = ranked[0], ranked[3]
    found = [judge(THIRD, good, RULES, level, VALUES, "never_bust_greedy", seed) for seed in range(40)]
    assert all(it.ev_loss == 0 for it in found if it.is_best)
    assert np.mean([it.ev_loss for it in found]) <= 0
    worse = [judge(THIRD, next_best, RULES, level, VALUES, "never_bust_greedy", seed) for seed in range(40)]
    losses = np.array([it.ev_loss for it in worse])
    deep = judge(
        THIRD, next_best, RULES, replace(level, choose=400, first=800, second=800), VALUES, "never_bust_greedy"
    )
    assert losses.mean() < deep.ev_loss + 3 * losses.std() / np.sqrt(40) + 2 * deep.se


def test_a_forced_card_loses_nothing() -> None:
    rules = load_rules("american-regular")
    spot = Spot(
        board="Kc Qd 2s / Ts 3s 3c 9h 9d / Jc Jh 4s 4c", dealt="8s", seats=2, position=1,
        opponents=("Ah Kd 2c / 9s 8d 2h 2d / Qh 7h 5h 3h 8h",), rules=rules,
    )  # fmt: skip
    found = judge(spot, spot.legal_placements(rules)[0], rules, SMALL, VALUES, "never_bust_greedy")
    assert found.placements == 1
    assert (found.is_best, found.ev_loss) == (True, 0.0)
    assert np.isfinite(found.ev_played)


def test_a_placement_against_the_rules_is_named() -> None:
    wrong = Placement(((THIRD.dealt[0], next(iter(placement(THIRD, "- / 8s / Ks, discard Kd").rows))[1]),))
    with pytest.raises(ReviewError, match="is no legal placement of the spot"):
        judge(THIRD, wrong, RULES, SMALL, VALUES, "never_bust_greedy")


def test_levels_grow_and_thresholds_are_checked() -> None:
    sizes = [(level.look, level.first, level.second, level.summed, level.boards) for level in LEVELS.values()]
    assert sizes == sorted(sizes)
    assert all(level.second > level.first and level.groups % 2 == 0 for level in LEVELS.values())
    with pytest.raises(ReviewError, match="close <= mistake <= blunder"):
        Thresholds(mistake=2.0, blunder=1.0)
    assert "blunder: from 1" in str(Thresholds())


@pytest.mark.slow
def test_shallow_reviews_do_not_overrate_losses(played: Path) -> None:
    """Over many spots the mean loss of a shallow look is that of a deep one, or a little less."""
    log, policy = open_log(played), "never_bust_greedy"
    shallow = Level(
        "shallow", look=16, wide=5, screen=4, finalists=3, choose=6, first=16, second=16, groups=4, summed=8, boards=6
    )
    thorough = replace(shallow, look=64, wide=8, screen=48, choose=400, first=600, second=600, groups=20, summed=80)
    spots = [it for part in log.parts for it in decisions_of(*log.part(part), log.rulesets) if it.street in (3, 4)][:60]
    deep = [judge(it.spot, it.played, it.rules, thorough, VALUES, policy).ev_loss for it in spots]
    often = [
        np.mean([judge(it.spot, it.played, it.rules, shallow, VALUES, policy, seed).ev_loss for seed in range(8)])
        for it in spots
    ]
    over = np.array(often) - np.array(deep)
    error = over.std(ddof=1) / np.sqrt(len(over))
    print(over.mean(), error, np.mean(deep))
    assert -0.2 - 3 * error < over.mean() < 3 * error
