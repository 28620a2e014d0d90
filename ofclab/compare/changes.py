"""Take the step from one ruleset to another a change at a time."""

import html
import operator
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import Any, Final

import polars as pl

from ofclab.compare.errors import CompareError
from ofclab.compare.frames import difference_frame
from ofclab.compare.result import Mode, difference_table
from ofclab.compare.rules import as_plan
from ofclab.log import Log
from ofclab.rules import Rules, RulesError, diff_rules, load_rules, parameters

MOST_TOGETHER: Final = 5
"""Changes that are tried together when one cannot be played alone."""


@dataclass(frozen=True)
class RuleStep:
    """One change from a ruleset to another: parameters that only make sense together count as one."""

    parameters: Mapping[str, Any]
    text: str


@dataclass(frozen=True, eq=False)
class RuleChanges:
    """What each change from one ruleset to another is worth.

    ``alone``: each change applied by itself to the first ruleset, against it. ``steps``: the changes applied one after
    the other, each against the step before, so that they add up to ``total``, the second ruleset against the first.
    All three are difference frames that name their mode; `change` and `number` say which change a row belongs to.
    """

    mode: Mode
    changes: tuple[RuleStep, ...]
    alone: pl.DataFrame
    steps: pl.DataFrame
    total: pl.DataFrame
    notes: tuple[str, ...] = ()

    def waterfall(self, metric: str, of: str = "all", group: str = "all") -> pl.DataFrame:
        """The steps of one measure, in order, with the interval of each step's end (`after_low`, `after_high`)."""
        found = self.steps.filter((pl.col("metric") == metric) & (pl.col("of") == of) & (pl.col("group") == group))
        return found.with_columns(
            (pl.col("before") + pl.col("low")).alias("after_low"),
            (pl.col("before") + pl.col("high")).alias("after_high"),
        ).sort("number")

    def _repr_html_(self) -> str:
        steps = "".join(f"<li>{html.escape(step.text)}</li>" for step in self.changes)
        return f"<ol>{steps}</ol>{difference_table(self.steps.filter(pl.col('of') == 'all'))}"


def rule_steps(a: Rules, b: Rules) -> list[RuleStep]:
    """The changes that lead from a to b, one parameter each where that can be played, in an order that can be played.

    A change that cannot be played alone goes with the fewest others that make it playable. What only describes the room
    is left out.
    """
    old, new = a.flat(), b.flat()
    changed = {name: new[name] for name in old if old[name] != new[name] and not parameters()[name].informational}
    groups, ordered, done = _playable_groups(a, changed), list[dict[str, Any]](), dict[str, Any]()
    while groups:
        # Each group can be played alone; after others it may still have to wait its turn, or go with its neighbour.
        step = next((group for group in groups if _playable(a, done | group)), None)
        if step is None:
            groups[:2] = [groups[0] | groups[1]]
            continue
        groups.remove(step)
        ordered.append(step)
        done |= step
    said = diff_rules(a, b)
    return [RuleStep(step, "; ".join(_words(said, step))) for step in ordered]


def _playable_groups(a: Rules, changed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Split changes into groups that can be played alone: whatever cannot goes with the fewest others that help."""
    groups = [{name: value} for name, value in changed.items()]
    while (stuck := next((group for group in groups if not _playable(a, group)), None)) is not None:
        others = [group for group in groups if group is not stuck]
        sizes = (*range(1, min(MOST_TOGETHER, len(others))), len(others))
        joined = (
            mates for size in sizes for mates in combinations(others, size) if _playable(a, _merged(stuck, *mates))
        )
        mates = next(joined)
        merged = _merged(stuck, *mates)
        groups = [group for group in others if not any(group is mate for mate in mates)]
        groups.append({name: merged[name] for name in changed if name in merged})
    return sorted(groups, key=lambda group: list(changed).index(next(iter(group))))


def one_change_at_a_time(
    a: Rules | str,
    b: Rules | str,
    log: Log | str | os.PathLike[str] | None = None,
    mode: Mode = "resimulated",
    strategies: Sequence[Any] | None = None,
    tables: int = 400,
    hands: int = 200,
    seed: int = 0,
    fantasyland_values: float | Mapping[int, float] | None = None,
    workers: int = 1,
    out: str | os.PathLike[str] | None = None,
    progress: Any = None,
) -> RuleChanges:
    """Measure what each change from a to b is worth: alone, and one after the other. Arguments as in `compare_rules`.

    Changes that cannot be played alone are taken together with the next. Raises CompareError for equal rulesets.
    """
    first, last = load_rules(a), load_rules(b)
    changes = rule_steps(first, last)
    if not changes:
        raise CompareError(f"nothing to take apart: {first.name} and {last.name} play the same")
    plan = as_plan(log, mode, strategies, tables, hands, seed, fantasyland_values, workers, out, progress)
    alone = [first.replace(step.parameters) for step in changes]
    so_far = accumulate((dict(step.parameters) for step in changes), operator.or_)
    along = [first.replace(settings) for settings in so_far]
    unique = list({rules.id: rules for rules in (first, *alone, *along)}.values())
    samples, notes = plan.samples(unique)
    by_id = {sample.rules.id: sample for sample in samples}
    start, ends = by_id[first.id], [by_id[rules.id] for rules in along]
    keys = [{"number": i, "change": step.text} for i, step in enumerate(changes, 1)]
    return RuleChanges(
        mode,
        tuple(changes),
        difference_frame([(start, by_id[rules.id]) for rules in alone], mode, keys),
        difference_frame(list(zip([start, *ends[:-1]], ends, strict=True)), mode, keys),
        difference_frame([(start, ends[-1])], mode),
        notes,
    )


def _playable(rules: Rules, changes: Mapping[str, Any]) -> bool:
    try:
        rules.replace(changes)
    except RulesError:
        return False
    return True


def _merged(*groups: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for group in groups for name, value in group.items()}


def _words(said: Sequence[Any], group: Mapping[str, Any]) -> Iterator[str]:
    for change in said:
        if ".".join(change.parameter.split(".")[:2]) in group:
            yield change.text
