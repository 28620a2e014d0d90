import numpy as np
import polars as pl
import pytest
from scipy.stats import t as student

from ofclab.analytics import METRICS, foul_rate, points_per_hand, royalties_per_hand, stay_rate
from ofclab.runs import simulate


def by_the_book(top, bottom, level=0.95):
    """Ratio estimate and interval of sums by table, written out in plain numpy."""
    top, bottom = (np.asarray(values, float)[np.asarray(bottom) > 0] for values in (top, bottom))
    tables, ratio = len(bottom), top.sum() / bottom.sum()
    error = np.sqrt(tables / (tables - 1) * ((top - ratio * bottom) ** 2).sum()) / bottom.sum()
    half = student.ppf(0.5 + level / 2, tables - 1) * error
    return ratio, ratio - half, ratio + half


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_interval_is_the_cluster_robust_one(played, level):
    normal = played.filter(pl.col("fl_cards") == 0).group_by("table_id").agg(pl.col("fouled").sum(), n=pl.len())
    found = foul_rate(played, level=level).collect().row(0, named=True)
    expected = by_the_book(normal["fouled"], normal["n"], level)
    assert (found["foul_rate"], found["low"], found["high"]) == pytest.approx(expected)
    assert found["clusters"] == 12


def test_a_mean_may_be_negative_and_so_may_its_interval(hands):
    frame = hands(*({"table_id": t, "points": -t} for t in (1, 2, 3)))
    found = points_per_hand(frame).collect().row(0, named=True)
    assert (found["points_per_hand"], found["low"], found["high"]) == pytest.approx(by_the_book([-1, -2, -3], [1] * 3))


def test_tables_that_count_nothing_are_no_clusters(hands):
    frame = hands({"table_id": 1, "fl_cards": 14}, {"table_id": 2, "fl_cards": 14, "next_fl": 14}, {"table_id": 3})
    assert stay_rate(frame).collect()["clusters"].item() == 2


def test_few_tables_are_named(hands):
    assert foul_rate(hands(*({"table_id": t} for t in range(9)))).collect()["few_tables"].item() is True
    assert foul_rate(hands(*({"table_id": t} for t in range(10)))).collect()["few_tables"].item() is False


def test_one_table_says_nothing_about_the_spread(hands):
    frame = hands({"fouled": True}, {})
    rate, mean = foul_rate(frame).collect().row(0, named=True), royalties_per_hand(frame).collect().row(0, named=True)
    assert (rate["low"], rate["high"]) == (0, 1)
    assert (mean["low"], mean["high"]) == (None, None)


@pytest.mark.parametrize("fouls", [0, 1, 199, 200])
def test_a_rate_at_the_edge_has_wilsons_interval(hands, fouls):
    frame = hands(*({"table_id": t, "fouled": t < fouls} for t in range(200)))
    found = foul_rate(frame).collect().row(0, named=True)
    z, n, p = student.ppf(0.975, 199), 199 if 0 < fouls < 200 else 200, fouls / 200
    centre, half = p + z**2 / (2 * n), z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    expected = [(centre - half) / (1 + z**2 / n), (centre + half) / (1 + z**2 / n)]
    assert [found["low"], found["high"]] == pytest.approx(expected, abs=1e-12)
    assert 0 <= found["low"] <= p <= found["high"] <= 1


def test_a_level_outside_0_to_1_is_refused(played):
    with pytest.raises(ValueError, match="level between 0 and 1"):
        foul_rate(played, level=95)


def clustered(seeds, tables, hands_each, rate, rng):
    """Foul indicators whose rate differs from table to table, as numpy columns by seed and table."""
    own = rng.beta(20 * rate, 20 * (1 - rate), (seeds, tables))
    inside = rng.random((seeds, tables, hands_each)) < 0.15
    fouled = rng.random((seeds, tables, hands_each)) < own[:, :, None]
    seed, table, _ = np.indices(fouled.shape, np.uint32)
    return pl.DataFrame(
        {
            "seed": seed.ravel(),
            "table_id": (seed * tables + table).ravel(),
            "fl_cards": np.where(inside, 14, 0).astype(np.uint8).ravel(),
            "fouled": fouled.ravel(),
        }
    )


def test_intervals_hold_the_true_rate_as_often_as_they_say():
    frame = clustered(400, 50, 100, 0.3, np.random.default_rng(12))
    found = foul_rate(frame, by=["seed"]).collect()
    assert 0.93 <= found.select((pl.col("low") <= 0.3) & (pl.col("high") >= 0.3)).to_series().mean() <= 0.97
    # Taking hands as independent would be far too sure.
    naive = 1.96 * (0.3 * 0.7 / 4250) ** 0.5
    assert (abs(found["foul_rate"] - 0.3) <= naive).mean() < 0.7


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.02, 0.1, 0.5, 0.9])
def test_intervals_hold_whatever_the_rate(rate):
    frame = clustered(400, 50, 100, rate, np.random.default_rng(7))
    found = foul_rate(frame, by=["seed"]).collect()
    held = found.select((pl.col("low") <= rate) & (pl.col("high") >= rate)).to_series().mean()
    # A rare event that clusters by table has a skewed estimate, and its interval is a little short.
    assert (0.87 if rate < 0.05 else 0.93) <= held <= 0.97


@pytest.mark.slow
def test_intervals_hold_on_hands_that_were_played(tmp_path):
    run = simulate("american-pineapple", ["cutoff_rows", "never_bust_greedy"], tables=20_000, hands=100, out=tmp_path)
    table = pl.col("seed_key").str.split(":").list.last().cast(pl.Int64)
    batches = run.log.hands.group_by("table_id").agg((table.first() // 50).alias("batch"))
    results = run.log.results().join(batches, on="table_id", how="left")
    for name in ("foul_rate", "entry_rate", "royalties_per_hand", "points_per_hand"):
        metric = METRICS[name].function
        truth = metric(results, by=["strategy"]).collect().select("strategy", pl.col(name).alias("truth"))
        found = metric(results, by=["strategy", "batch"]).collect().join(truth, on="strategy")
        held = found.group_by("strategy").agg(
            ((pl.col("low") <= pl.col("truth")) & (pl.col("truth") <= pl.col("high"))).mean()
        )
        assert held["low"].is_between(0.93, 0.97).all(), (name, held)
