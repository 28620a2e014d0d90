"""Metric frames to draw: computed from a made-up results frame."""

import numpy as np
import polars as pl
import pytest

from ofclab.analytics import METRICS


@pytest.fixture(scope="session")
def results() -> pl.DataFrame:
    """Ten tables of thirty hands of one seat each for two strategies."""
    rng, n = np.random.default_rng(9), 600
    inside, fouled = rng.random(n) < 0.2, rng.random(n) < 0.25
    goes_on = ~fouled & (rng.random(n) < 0.3)
    return pl.DataFrame(
        {
            "table_id": np.arange(n) // 60,
            "hand_no": np.arange(n) % 60 // 2,
            "seat": np.arange(n) % 2,
            "strategy": np.where(np.arange(n) % 2, "gamble(p=0.3)", "my_own"),
            "fl_cards": np.where(inside, 14, 0),
            "fouled": fouled,
            "foul_street": pl.Series(np.where(fouled & ~inside, rng.integers(2, 6, n), 0)).replace(0, None),
            "front_class": rng.choice(["high_card", "pair"], n),
            "middle_class": rng.choice(["pair", "full_house"], n),
            "back_class": rng.choice(["straight", "flush"], n),
            "royalty_front": np.where(fouled, 0, rng.integers(0, 4, n)),
            "royalty_middle": np.where(fouled, 0, 4),
            "royalty_back": np.where(fouled, 0, 2),
            "points": rng.integers(-20, 21, n),
            "next_fl": np.where(goes_on, rng.integers(14, 16, n), 0),
            "earned_by": pl.Series(np.where(goes_on, rng.choice(["QQ", "low_wheel"], n), "")).replace("", None),
            "rows_won": np.full(n, 1),
            "rows_tied": np.full(n, 1),
            "rows_lost": np.full(n, 1),
            "scoops_made": np.zeros(n, int),
            "scoops_suffered": (rng.random(n) < 0.1).astype(int),
        }
    )


@pytest.fixture(scope="session", params=[(), ("strategy",)], ids=["all", "by strategy"])
def frames(request, results) -> dict[str, pl.DataFrame]:
    """The frame of every metric, over all hands and by strategy."""
    return {name: metric.function(results, by=request.param).collect() for name, metric in METRICS.items()}
