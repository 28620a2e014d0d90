"""Strategies play as their authors measured them, and card-blind play as full enumeration says."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ofclab as ofc
from ofclab.engine import Spots, View
from ofclab.strategies import get

# A uniform placement of 13 cards, or any other that does not look at them: full enumeration of all boards.
BLIND_FOUL, BLIND_ROYALTIES, BLIND_ENTRY = 0.690733694, 0.0316325, 0.000283953
BLIND_FOUL_DEUCE, BLIND_ROYALTIES_DEUCE = 0.964640590, 0.0307989
BLIND_ENTRY_DEUCE = 0.000158887 + 0.000292265 - 0.000001321  # kings in front, the perfect low, less both
AMERICAN = ["american-pineapple", "american-regular", "turbo", "progressive-pineapple"]
AT_A_TIME = 25_000


class Figures:
    """Foul rate, Fantasyland entry rate and royalties a hand over first hands, each with its standard error.

    Seats of a table share a deck, so the table is the unit.
    """

    def __init__(self, preset: str, players: list[Any], tables: int, values: Mapping[int, float] | None = None) -> None:
        rules = ofc.load_rules(preset)
        parts: list[NDArray[np.float64]] = []
        for start in range(0, tables, AT_A_TIME):
            numbers = range(start, min(start + AT_A_TIME, tables))
            (batch,) = ofc.play(rules, players, numbers, 1, 20, fantasyland_values=values)
            measured = batch.fouled, batch.next_fantasyland > 0, batch.royalties.sum(axis=2)
            parts.append(np.stack([figure.mean(axis=1) for figure in measured]))
        by_table = np.concatenate(parts, axis=1)
        self.means = by_table.mean(axis=1)
        self.errors = by_table.std(axis=1, ddof=1) / np.sqrt(tables)


def assert_card_blind(figures: Figures, deuce: bool = False) -> None:
    """Within four standard errors of the exact figures."""
    exact = np.array([BLIND_FOUL, BLIND_ENTRY, BLIND_ROYALTIES])
    if deuce:
        exact = np.array([BLIND_FOUL_DEUCE, BLIND_ENTRY_DEUCE, BLIND_ROYALTIES_DEUCE])
    assert (abs(figures.means - exact) < 4 * figures.errors).all(), (figures.means, exact, figures.errors)


@pytest.mark.parametrize("preset", [*AMERICAN, "deuce-pineapple"])
def test_random_legal_play_has_the_exact_figures(preset: str) -> None:
    assert_card_blind(Figures(preset, [get("random_legal")] * 2, 50_000), preset == "deuce-pineapple")


@pytest.mark.slow
@pytest.mark.parametrize("preset", [*AMERICAN, "deuce-pineapple"])
def test_random_legal_play_has_the_exact_figures_in_two_million_hands(preset: str) -> None:
    assert_card_blind(Figures(preset, [get("random_legal")] * 2, 1_000_000), preset == "deuce-pineapple")


class InOrder:
    """A batch player who fills front, back, middle in the order of the deal and throws the first cards away."""

    label = "in_order"

    def prepare(self, rules: ofc.Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Nothing to prepare."""

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        choice = np.full(spots.dealt.shape, 3, np.uint8)
        for counts in np.unique(spots.counts, axis=0):
            rows = [row for row, size in ((0, 3), (2, 5), (1, 5)) for _ in range(size - int(counts[row]))]
            here = (spots.counts == counts).all(axis=1)
            choice[here, spots.dealt.shape[1] - spots.place :] = rows[: spots.place]
        return choice


class DealsAround:
    """A plain player who gives every row with room a card in turn, in the order of the deal."""

    def choose(self, view: View) -> ofc.Placement:
        free = dict(zip(ofc.Row, view.board.open_slots, strict=True))
        turns = [row for turn in range(5) for row in ofc.Row if free[row] > turn]
        thrown = view.dealt[view.rules.deal.rounds[view.street - 2].place :] if view.street > 1 else ()
        kept = view.dealt[: len(view.dealt) - len(thrown)]
        return ofc.Placement(tuple(zip(kept, turns, strict=False)), thrown)


@pytest.mark.parametrize("preset", ["american-pineapple", "deuce-pineapple"])
def test_any_card_blind_batch_player_has_the_same_figures(preset: str) -> None:
    assert_card_blind(Figures(preset, [InOrder(), InOrder()], 50_000), preset == "deuce-pineapple")


@pytest.mark.parametrize("preset", ["american-pineapple", "american-regular"])
def test_any_card_blind_plain_player_has_the_same_figures(preset: str) -> None:
    figures = Figures(preset, [DealsAround(), DealsAround()], 1_500)
    assert abs(figures.means[0] - BLIND_FOUL) < 4 * figures.errors[0]
    assert abs(figures.means[2] - BLIND_ROYALTIES) < 4 * figures.errors[2]


# Name, ruleset, value of Fantasyland; foul rate, entry rate, royalties a hand as measured with an independent program,
# and the standard errors of those measurements.
MEASURED = [
    ("cutoff_rows", "american-pineapple", 9.3, (0.3876, 0.0042, 0.3588), (0.0069, 0.0009, 0.0215)),
    ("cutoff_rows", "american-regular", 7.0, (0.4838, 0.0004, 0.2096), (0.0071, 0.0003, 0.0159)),
    ("never_bust_greedy", "american-pineapple", 9.3, (0.0088, 0.0184, 1.6784), (0.0013, 0.0019, 0.0466)),
    ("never_bust_greedy", "american-regular", 7.0, (0.1668, 0.0016, 0.4918), (0.0053, 0.0006, 0.0247)),
]
SLOWLY_MEASURED = [
    ("hindsight", "american-pineapple", 9.3, (0.1174, 0.1245, 3.846), (0.0036, 0.0037, 0.051)),
    ("hindsight", "american-regular", 7.0, (0.2083, 0.0151, 1.342), (0.0045, 0.0014, 0.030)),
    ("royalty_greedy", "american-pineapple", 9.3, (0.0567, 0.0617, 4.038), (0.0094, 0.0098, 0.182)),
    ("anti_foul", "american-pineapple", 9.3, (0.0175, 0.0300, 3.718), (0.0066, 0.0085, 0.202)),
    ("fantasy_chaser", "american-pineapple", 9.3, (0.1967, 0.2050, 3.988), (0.0162, 0.0165, 0.197)),
]

Measurement = tuple[float, float, float]


def assert_measured(name: str, preset: str, value: float, means: Measurement, errors: Measurement, tables: int) -> None:
    """Within four standard errors of the difference between both measurements."""
    figures = Figures(preset, [get(name)] * 2, tables, dict.fromkeys(range(13, 18), value))
    bound = 4 * np.hypot(figures.errors, errors)
    assert (abs(figures.means - np.array(means)) < bound).all(), (figures.means, means, bound)


@pytest.mark.parametrize(("name", "preset", "value", "means", "errors"), MEASURED)
def test_rules_of_thumb_play_as_measured(
    name: str, preset: str, value: float, means: Measurement, errors: Measurement
) -> None:
    assert_measured(name, preset, value, means, errors, 25_000)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "preset", "value", "means", "errors"), SLOWLY_MEASURED)
def test_hindsight_and_its_relatives_play_as_measured(
    name: str, preset: str, value: float, means: Measurement, errors: Measurement
) -> None:
    assert_measured(name, preset, value, means, errors, 2_000)
