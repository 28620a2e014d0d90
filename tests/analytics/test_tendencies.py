"""Tendencies: what few hands say is drawn towards the pool, what many say stands."""

import numpy as np
import polars as pl
import pytest

from ofclab.analytics import define, tendencies


def hands_of(player: str, n: int, foul: float, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    fouled = rng.random(n) < foul
    entered = ~fouled & (rng.random(n) < 0.2)
    return pl.DataFrame(
        {
            "player": [player] * n, "fl_cards": pl.Series([0] * n, dtype=pl.UInt8),
            "points": pl.Series([0] * n, dtype=pl.Int16), "fouled": fouled, "next_fl": np.where(entered, 14, 0),
            "earned_by": pl.Series(np.where(entered, "AA", "")).replace("", None),
            "royalty_front": np.where(fouled, 0, rng.integers(0, 10, n)), "royalty_middle": np.zeros(n, int),
            "royalty_back": np.where(fouled, 0, 2),
        }
    )  # fmt: skip


@pytest.fixture(scope="module")
def pool() -> pl.DataFrame:
    rates = np.random.default_rng(5).normal(0.25, 0.05, 20)
    frames = [hands_of(f"p{i:02d}", 400, rate, i) for i, rate in enumerate(rates)]
    return pl.concat([*frames, hands_of("rare", 10, 1.0, 99)])


def one(frame: pl.DataFrame, player: str, tendency: str) -> dict:
    return frame.filter((pl.col("player") == player) & (pl.col("tendency") == tendency)).row(0, named=True)


def test_few_hands_are_drawn_to_the_pool(pool: pl.DataFrame) -> None:
    found = tendencies(pool).collect()
    rare, often = one(found, "rare", "fouls"), one(found, "p03", "fouls")
    assert rare["measured"] == 1.0
    assert rare["few_hands"]
    assert not often["few_hands"]
    assert rare["weight"] < 0.4 < 0.6 < often["weight"]
    assert rare["pool"] < rare["tendencies"] < 0.6
    assert rare["high"] - rare["low"] > often["high"] - often["low"]
    assert min(often["measured"], often["pool"]) <= often["tendencies"] <= max(often["measured"], often["pool"])


def test_shrinkage_is_nearer_the_truth_than_what_was_measured() -> None:
    rates = np.random.default_rng(7).normal(0.25, 0.04, 60).clip(0.02)
    pool = pl.concat([hands_of(f"p{i:02d}", 40, rate, 100 + i) for i, rate in enumerate(rates)])
    found = tendencies(pool).collect().filter(pl.col("tendency") == "fouls").sort("player")
    drawn, measured = (np.mean((found[name].to_numpy() - rates) ** 2) for name in ("tendencies", "measured"))
    assert drawn < 0.6 * measured
    inside = ((found["low"].to_numpy() <= rates) & (rates <= found["high"].to_numpy())).mean()
    assert inside > 0.8


def test_what_everybody_does_the_same_stands(pool: pl.DataFrame) -> None:
    found = tendencies(pool).collect()
    assert set(found.filter(pl.col("tendency") == "royalties in the middle")["tendencies"]) == {0.0}
    assert found["tendencies"].is_finite().all()
    alone = tendencies(pool.filter(pl.col("player") == "p01")).collect()
    assert (alone["tendencies"] - alone["measured"]).abs().max() < 1e-12


def test_hands_in_fantasyland_and_unscored_ones_do_not_count(pool: pl.DataFrame) -> None:
    inside = pool.head(50).with_columns(fl_cards=pl.lit(14, pl.UInt8), fouled=True)
    unscored = pool.head(50).with_columns(points=pl.lit(None, pl.Int16), fouled=True)
    assert tendencies(pl.concat([pool, inside, unscored])).collect().equals(tendencies(pool).collect())


def test_words_and_errors(pool: pl.DataFrame) -> None:
    for column in tendencies(pool).collect().columns[2:]:
        assert define(column)
    assert tendencies(pool.clear()).collect().is_empty()
    with pytest.raises(ValueError, match="want a level between 0 and 1"):
        tendencies(pool, level=95)


def test_two_players_are_not_taken_to_be_alike_for_certain() -> None:
    pool = pl.concat([hands_of("ann", 40, 0.25, 1), hands_of("bob", 40, 0.25, 2)])
    found = tendencies(pool).collect()
    for row in found.filter(pl.col("tendency") == "fouls").iter_rows(named=True):
        assert row["high"] - row["low"] > 0.15
    never = tendencies(pool.with_columns(fouled=False)).collect().filter(pl.col("tendency") == "fouls")
    assert never["tendencies"].to_list() == [0.0, 0.0]
    assert never["low"].to_list() == [0.0, 0.0]
    assert never["high"].min() > 0.01
