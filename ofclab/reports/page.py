"""A log as one HTML file that needs nothing else: what happened, charts, definitions, the rules, in words."""

from __future__ import annotations

import html
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

import ofclab
from ofclab.analytics import METRICS, TERMS, Metric
from ofclab.compare import RulesComparison, compare_rules
from ofclab.compare.result import difference_table, number
from ofclab.log import Log, collect
from ofclab.registry import unknown
from ofclab.reports.words import in_words
from ofclab.rules import Rules, describe_rules, diff_rules, load_rules

SHOWN = (
    "points_per_hand", "foul_rate", "foul_hazard", "entry_rate", "entry_by", "stay_rate", "chain_length",
    "fantasyland_share", "royalties_per_hand", "royalty_by_category", "row_wins", "scoops_made",
    "points_distribution",
)  # fmt: skip
_MOST_ROWS = 40

_STYLE = """
:root{color-scheme:light}
body{max-width:1080px;margin:0 auto;padding:24px 16px 64px;background:#FBFAF7;color:#1B1F24;
font:16px/1.5 system-ui,sans-serif}
h1{font-size:2rem;margin:.4em 0 0}h2{font-size:1.4rem;margin:1.8em 0 .2em}p{margin:.4em 0}
.lead{font-size:1.1rem}.note{color:#5C6370;font-size:.9rem}
.wide{overflow-x:auto}table{border-collapse:collapse;margin:.6em 0;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:3px 12px 3px 0;border-bottom:1px solid #DAD6CC;font-size:.9rem}
pre{background:#F1EFE9;padding:12px;border-radius:8px;overflow-x:auto}summary{cursor:pointer}
dt{font-weight:600}dd{margin:0 0 .5em}
"""


class ReportError(ValueError):
    """A report that cannot be made: what is missing, and how to get it."""


def write_report(
    log: Log,
    path: str | Path,
    rules: Rules | str | None = None,
    by: Sequence[str] = ("strategy",),
    metrics: Sequence[str] | None = None,
    against: Rules | str | None = None,
) -> Path:
    """Write a log's report as one HTML file of about 5 MB that opens without a network, and return its path.

    ``rules`` scores the log under other rules than its own; ``by`` are columns of the results frame to group by;
    ``metrics`` are names of `ofclab.analytics.METRICS`; ``against`` adds a comparison with the same hands re-scored
    under those rules. The file appears whole or not at all. Raises ReportError, ValueError for an unknown metric or
    column, and what reading the log raises.
    """
    try:
        from plotly.offline import get_plotlyjs
    except ModuleNotFoundError:
        raise ReportError("charts need plotly: pip install 'ofclab[dashboard]'") from None
    wanted = list(metrics or SHOWN)
    for name in wanted:
        if name not in METRICS:
            raise ValueError(unknown("metric", name, list(METRICS)))
    own = (
        [load_rules(rules)] if isinstance(rules, str) else [rules] if rules is not None else list(log.rulesets.values())
    )
    results, names = log.results(rules), dict.fromkeys(("points_per_hand", *wanted))
    frames = {name: collect(METRICS[name].function(results, by=by)) for name in names}
    parts = [f"<script>{get_plotlyjs()}</script>", *_top(frames["points_per_hand"], own, rules is not None, by)]
    if against is not None:
        if len(own) != 1:
            raise ReportError(f"the log holds {len(own)} rulesets; say with rules which one to compare")
        other = load_rules(against) if isinstance(against, str) else against
        parts += _comparison(compare_rules([own[0], other], log=log, mode="rescored"), own[0], other)
    for name in wanted:
        parts += _section(METRICS[name], frames[name])
    parts += _definitions(own)
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.draft")
    draft.write_text(_page(str(log.path), parts), encoding="utf-8")
    os.replace(draft, target)
    return target


def _page(title: str, parts: Sequence[str]) -> str:
    name = html.escape(Path(title).name)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{name}: ofclab report</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><style>{_STYLE}</style></head><body>'
        f"<h1>{name}</h1>{''.join(parts)}"
        f'<p class="note">Made by ofclab {ofclab.__version__}. Intervals are 95 %, clustered by table.</p>'
        "</body></html>"
    )


def _top(points: pl.DataFrame, own: Sequence[Rules], is_scored: bool, by: Sequence[str]) -> Iterator[str]:
    """What was played, and who is ahead, in a sentence each."""
    names = ", ".join(html.escape(each.name) for each in own)
    scored = "scored" if is_scored else "played"
    yield f'<p class="lead">{points["hands"].sum():,} player-hands, {scored} under {names}.</p>'
    for row in points.sort("points_per_hand", descending=True).iter_rows(named=True):
        who = " · ".join(html.escape(str(row[column])) for column in by) or "All hands"
        found = number(row["points_per_hand"], "points")
        if row["low"] is None:
            yield f"<p><b>{who}</b>: {found} points a hand; one table has no interval.</p>"
        else:
            close = " (too close to call)" if row["low"] <= 0 <= row["high"] else ""
            yield (
                f"<p><b>{who}</b>: {found} points a hand, {number(row['low'], 'points')} to "
                f"{number(row['high'], 'points')}{close}, {row['hands']:,} hands.</p>"
            )


def _comparison(found: RulesComparison, own: Rules, other: Rules) -> Iterator[str]:
    yield f"<h2>{html.escape(other.name)} instead of {html.escape(own.name)}</h2>"
    yield f'<p class="lead">{html.escape(found.verdict)}</p>'
    yield "<p>Re-scored: the same hands and the same play, paid by the other rules. What changes:</p><ul>"
    yield from (f"<li>{html.escape(str(change))}</li>" for change in diff_rules(own, other))
    yield f'</ul><div class="wide">{difference_table(found.differences)}</div>'
    yield from (f'<p class="note">{html.escape(note)}</p>' for note in found.notes)


def _section(metric: Metric, frame: pl.DataFrame) -> Iterator[str]:
    """One metric: definition, chart, table."""
    from ofclab.charts import CHARTS

    yield f"<h2>{html.escape(metric.title)}</h2>"
    yield f'<p class="note">{html.escape(metric.explanation)} In {html.escape(metric.unit)}.</p>'
    if frame.is_empty():
        yield "<p>No hand of this log counts here.</p>"
        return
    yield CHARTS[metric.name](frame).to_html(full_html=False, include_plotlyjs=False, config={"displaylogo": False})
    heads, rows = in_words(metric, frame)
    shown = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows[:_MOST_ROWS]
    )
    top = "".join(f"<th>{html.escape(head)}</th>" for head in heads)
    more = f'<p class="note">The first {_MOST_ROWS} of {len(rows)} rows.</p>' if len(rows) > _MOST_ROWS else ""
    table = f"<div class=wide><table><tr>{top}</tr>{shown}</table></div>"
    yield f"<details><summary>Numbers</summary>{table}{more}</details>"


def _definitions(own: Sequence[Rules]) -> Iterator[str]:
    yield "<h2>Words</h2><dl>"
    yield from (f"<dt>{html.escape(term)}</dt><dd>{html.escape(meaning)}</dd>" for term, meaning in TERMS.items())
    yield "</dl><h2>Rules</h2>"
    for each in own:
        words = html.escape(describe_rules(each))
        yield f"<details><summary>{html.escape(each.name)}</summary><pre>{words}</pre></details>"
