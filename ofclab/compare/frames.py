"""Frames of a comparison: levels with intervals, and paired differences with verdicts."""

from collections.abc import Iterator, Sequence
from typing import Final

import polars as pl

from ofclab.analytics.intervals import interval
from ofclab.compare.measures import MEASURES, NOT_RESCORED, Estimate, Measure, Sample, spread

LEVEL: Final = 0.95
TOO_CLOSE: Final = "too close to call"

_WHAT = {"metric": pl.String, "title": pl.String, "unit": pl.String, "of": pl.String, "group": pl.String}
_ESTIMATE = {
    "hands": pl.Int64,
    "clusters": pl.Int64,
    "_value": pl.Float64,
    "_se": pl.Float64,
    "_bottom": pl.Float64,
    "is_rate": pl.Boolean,
}


def measured(samples: Sequence[Sample], mode: str) -> Iterator[tuple[Measure, str, str]]:
    """Every measure and group the samples have anything to say about, in order; points of everyone together are 0."""
    for measure in MEASURES:
        if mode == "rescored" and measure.name in NOT_RESCORED:
            continue
        for of in measure.groups:
            groups = sorted({group for sample in samples for kind, group in sample.sums if kind == of})
            if of == "strategy" and len(groups) < 2:
                continue
            for group in groups:
                if any(sample.estimate(measure, of, group) for sample in samples):
                    yield measure, of, group


def level_frame(samples: Sequence[Sample], mode: str) -> pl.DataFrame:
    """Every measure of every ruleset: mode, ruleset, metric, title, unit, of, group, value, low, high, hands, clusters,
    few_tables; `of` is all, strategy, seat or position and `group` says which."""
    rows = []
    for measure, of, group in measured(samples, mode):
        for sample in samples:
            found = sample.estimate(measure, of, group)
            if found is not None:
                rows.append((mode, sample.name, *_what(measure, of, group), *_row(found, measure.is_rate)))
    schema = {"mode": pl.String, "ruleset": pl.String, **_WHAT, **_ESTIMATE}
    return _bounded(pl.DataFrame(rows, schema, orient="row"), "value").select(
        "mode", "ruleset", *_WHAT, "value", "low", "high", "hands", "clusters", "few_tables"
    )


def difference_frame(
    pairs: Sequence[tuple[Sample, Sample]], mode: str, keys: Sequence[dict[str, object]] | None = None
) -> pl.DataFrame:
    """Every measure of the second sample of each pair against the first, paired table by table.

    Columns: mode, ruleset, baseline, the keys of the pair, metric, title, unit, of, group, before, after, difference,
    low, high, relative, relative_low, relative_high (null where a share makes no sense), verdict, hands, clusters,
    few_tables.
    """
    rows, names = [], list(keys[0]) if keys else []
    for number, (first, second) in enumerate(pairs):
        own = list(keys[number].values()) if keys else []
        for measure, of, group in measured([first, second], mode):
            before, after = (sample.estimate(measure, of, group) for sample in (first, second))
            if before is not None and after is not None:
                head = (mode, second.name, first.name, *own, *_what(measure, of, group), before.value, after.value)
                rows.append((*head, *_difference(before, after), *_relative(before, after, measure)))
    schema = {
        **{"mode": pl.String, "ruleset": pl.String, "baseline": pl.String},
        **dict.fromkeys(names),
        **_WHAT,
        **{"before": pl.Float64, "after": pl.Float64},
        **{name: dtype for name, dtype in _ESTIMATE.items() if name != "is_rate"},
        **{"_relative": pl.Float64, "_relative_se": pl.Float64},
    }
    frame = pl.DataFrame(rows, schema, orient="row")
    absolute = _bounded(frame.with_columns(is_rate=pl.lit(False)), "difference")
    share = _bounded(
        frame.select("hands", "clusters", "_bottom", _value="_relative", _se="_relative_se", is_rate=pl.lit(False)),
        "relative",
    ).select("relative", relative_low="low", relative_high="high")
    verdict = pl.when(pl.col("low") > 0).then(pl.lit("higher")).when(pl.col("high") < 0).then(pl.lit("lower"))
    return absolute.hstack(share).with_columns(verdict.otherwise(pl.lit(TOO_CLOSE)).alias("verdict")).select(
        "mode", "ruleset", "baseline", *names, *_WHAT, "before", "after", "difference", "low", "high",
        "relative", "relative_low", "relative_high", "verdict", "hands", "clusters", "few_tables",
    )  # fmt: skip


def _what(measure: Measure, of: str, group: str) -> tuple[str, ...]:
    return measure.name, measure.title, measure.unit, of, group


def _row(found: Estimate, is_rate: bool) -> tuple[int, int, float, float, float, bool]:
    trials = float(found.trials.sum())
    return round(trials), found.tables, found.value, found.error, trials, is_rate


def _difference(before: Estimate, after: Estimate) -> tuple[int, int, float, float, float]:
    trials = before.trials + after.trials
    tables = int((trials > 0).sum())
    error = spread(after.influence - before.influence, tables)
    return round(float(trials.sum())), tables, after.value - before.value, error, float(trials.sum())


def _relative(before: Estimate, after: Estimate, measure: Measure) -> tuple[float | None, float | None]:
    if measure.name == "points_per_hand" or before.value <= 0:
        return None, None
    ratio = after.value / before.value
    tables = int((before.trials + after.trials > 0).sum())
    return ratio - 1, spread((after.influence - ratio * before.influence) / before.value, tables)


def _bounded(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Put the interval beside every estimate, rows kept in order."""
    frame = frame.with_columns(pl.col("_se").fill_nan(None)).with_row_index("_place")
    parts = [
        interval(
            frame.lazy().filter(pl.col("is_rate") == is_rate), name, ["_place"], level=LEVEL, is_rate=is_rate
        ).select("_place", name, "low", "high", "few_tables")
        for is_rate in (False, True)
    ]
    bounds = pl.concat(parts).collect().sort("_place").select(pl.exclude("_place"))
    return frame.select(pl.exclude("_place", "is_rate")).hstack(bounds)
