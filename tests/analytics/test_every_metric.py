"""What holds for every metric of the registry."""

import subprocess
import sys

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ofclab.analytics as analytics
from ofclab.analytics import METRICS

EVERY = pytest.mark.parametrize("metric", METRICS.values(), ids=list(METRICS))
ESTIMATES = [metric for metric in METRICS.values() if metric.has_interval]
EVERY_ESTIMATE = pytest.mark.parametrize("metric", ESTIMATES, ids=[metric.name for metric in ESTIMATES])
WEIGHTS = {
    "chain_length": "chains",
    "mean_chain_length": "chains",
    "row_wins": "rows",
    "scoops_made": "matchups",
    "scoops_suffered": "matchups",
}


@EVERY
def test_frame_in_lazy_frame_out_and_nothing_collected(metric, played, monkeypatch):
    def collect(*_, **__):
        raise AssertionError("a metric collected")

    with monkeypatch.context() as patch:
        for name in ("collect", "collect_async", "fetch", "sink_parquet"):
            patch.setattr(pl.LazyFrame, name, collect, raising=False)
        plans = [metric.function(frame, by=["strategy"]) for frame in (played.lazy(), played)]
    assert all(isinstance(plan, pl.LazyFrame) for plan in plans)
    assert_frame_equal(*(plan.collect() for plan in plans))


@EVERY
@pytest.mark.parametrize("by", [(), ("strategy",), ("strategy", "position"), ("table_id",)])
def test_columns_are_groups_keys_counts_metric_interval(metric, played, by):
    found = metric.function(played, by=by).collect()
    bounds = ["low", "high"] if metric.has_interval else []
    head = [*by, *metric.keys, "hands", "clusters", metric.name, *bounds]
    assert found.columns[: len(head)] == head
    assert found.columns[-1] == "few_tables"
    assert found["hands"].null_count() == 0
    assert_frame_equal(found, found.sort([*by, *metric.keys], nulls_last=True) if by or metric.keys else found)


@EVERY
def test_without_groups_there_is_one_row(metric, played):
    found = metric.function(played).collect()
    assert len(found) == 1 if not metric.keys else len(found) == found.select(metric.keys).n_unique()


@EVERY_ESTIMATE
def test_groups_add_up_to_the_whole(metric, played):
    whole, parts = metric.function(played).collect(), metric.function(played, by=["strategy"]).collect()
    weight = pl.col(WEIGHTS.get(metric.name, "hands"))
    value = (pl.col(metric.name) * weight).sum() / weight.sum()
    keys = list(metric.keys)
    summed = parts.group_by(keys or pl.lit(0)).agg(pl.col("hands").sum(), value)
    summed = summed.sort(keys) if keys else summed
    assert_frame_equal(whole.select(*keys, "hands", metric.name), summed.select(*keys, "hands", metric.name))


@EVERY_ESTIMATE
def test_intervals_hold_the_estimate(metric, played):
    found = metric.function(played, by=["strategy"]).collect()
    assert (
        found.select((pl.col("low") <= pl.col(metric.name)) & (pl.col(metric.name) <= pl.col("high"))).to_series().all()
    )
    if metric.unit.startswith("%"):
        assert found["low"].min() >= 0
        assert found["high"].max() <= 1


@EVERY
def test_row_order_and_engine_do_not_matter(metric, played):
    plan = metric.function(played, by=["strategy"])
    shuffled = metric.function(played.sample(fraction=1, shuffle=True, seed=3), by=["strategy"])
    assert_frame_equal(plan.collect(), shuffled.collect())
    assert_frame_equal(plan.collect(), plan.collect(engine="streaming"))


@EVERY
def test_no_hands_make_no_numbers(metric, played):
    found = metric.function(played.clear()).collect()
    assert found["hands"].sum() == 0
    assert found[metric.name].null_count() == len(found)
    assert metric.function(played.clear(), by=["strategy"]).collect().is_empty()


@EVERY
def test_one_name_may_be_given_as_text(metric, played):
    assert_frame_equal(
        metric.function(played, by="strategy").collect(), metric.function(played, by=["strategy"]).collect()
    )


@EVERY
def test_the_dictionary_has_words_for_it(metric, played):
    assert getattr(analytics, metric.name) is metric.function
    assert metric.title
    assert metric.unit
    assert metric.explanation.endswith(".")
    for column in metric.function(played).collect().columns:
        if column not in (*metric.keys, "share_low", "share_high"):
            assert analytics.define(column)


def test_an_unknown_word_lists_the_known_ones():
    with pytest.raises(KeyError, match=r"no definition of 'luck'; have .*foul_rate"):
        analytics.define("luck")


def test_importing_the_metrics_imports_neither_numba_nor_scipy():
    code = "import sys, ofclab.analytics; print({'numba', 'scipy', 'plotly'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"
