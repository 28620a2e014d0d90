"""What a comparison of rules hands back: levels, differences, a verdict in words."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from ofclab.compare.frames import LEVEL, TOO_CLOSE
from ofclab.rules import Rules, diff_rules

Mode = Literal["resimulated", "rescored"]


@dataclass(frozen=True, eq=False)
class RulesComparison:
    """Rulesets compared with the first of them, either re-simulated or re-scored, never both.

    ``levels``: every measure of every ruleset with its interval and counts. ``differences``: every other ruleset less
    the first, paired table by table, with interval and verdict (higher, lower, too close to call). Both say their mode.
    ``names``: what the rulesets are called in the frames. ``verdict``: what differs most, in a sentence with its number
    and interval. ``notes``: what the numbers rest on.
    """

    mode: Mode
    rulesets: tuple[Rules, ...]
    names: tuple[str, ...]
    levels: pl.DataFrame
    differences: pl.DataFrame
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """What differs most, a sentence or two for each ruleset after the first."""
        return " ".join(verdicts(self.differences, self.rulesets, self.names))

    def __repr__(self) -> str:
        return f"<RulesComparison {self.mode}: {', '.join(self.names)}; {self.verdict}>"

    def _repr_html_(self) -> str:
        notes = "".join(f"<p><small>{html.escape(note)}</small></p>" for note in self.notes)
        return f"<p><b>{html.escape(self.verdict)}</b></p>{difference_table(self.differences)}{notes}"


def verdicts(differences: pl.DataFrame, rulesets: Sequence[Rules], names: Sequence[str]) -> list[str]:
    """A verdict for every ruleset after the first."""
    base, said = rulesets[0], []
    for rules, name in zip(rulesets[1:], names[1:], strict=True):
        if not diff_rules(base, rules):
            said.append(f"Nothing differs: {name} and {names[0]} are the same rules.")
            continue
        found = differences.filter(pl.col("ruleset") == name)
        said.append(_main_verdict(found.filter(pl.col("of") == "all"), name, names[0]))
        said += _who_gains(found.filter((pl.col("of") == "strategy") & (pl.col("metric") == "points_per_hand")))
    return said


def _main_verdict(rows: pl.DataFrame, name: str, base: str) -> str:
    clear = rows.filter(pl.col("verdict") != TOO_CLOSE)
    if clear.is_empty():
        return f"Too close to call: nothing measured tells {name} from {base} on {_tables(rows)} tables."
    row = _clearest(clear)
    moved = f"{number(row['before'], row['unit'])} → {number(row['after'], row['unit'])}"
    return (
        f"Under {name} instead of {base}, {row['title'].lower()}: {row['verdict']} by {change(row)} "
        f"({LEVEL * 100:.0f} % interval {ends(row)}; {moved}), on {row['clusters']} paired tables."
    )


def _who_gains(rows: pl.DataFrame) -> list[str]:
    clear = rows.filter(pl.col("verdict") != TOO_CLOSE)
    if clear.is_empty():
        return []
    row = _clearest(clear.filter(pl.col("verdict") == "higher") if "higher" in clear["verdict"] else clear)
    verb = "gains" if row["difference"] > 0 else "loses"
    return [f"{row['group']} {verb} {abs(row['difference']):.2f} points a hand ({ends(row)})."]


def _clearest(rows: pl.DataFrame) -> dict[str, Any]:
    """The row whose difference stands out most from its interval."""
    width = (pl.col("high") - pl.col("low")).clip(lower_bound=1e-12)
    return rows.sort(pl.col("difference").abs() / width, descending=True, maintain_order=True).row(0, named=True)


def _tables(rows: pl.DataFrame) -> int:
    return 0 if rows.is_empty() else int(rows["clusters"].to_list()[0])


def number(value: float | None, unit: str) -> str:
    """One level with its unit: points with two decimals, rates in per cent."""
    if value is None:
        return "–"
    return _minus(f"{value * 100:.1f} %" if unit.startswith("%") else f"{value:.2f}")


def cell(value: object) -> str:
    """A value as it stands in a table: four significant digits, a dash for nothing."""
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def change(row: dict[str, Any]) -> str:
    """The size of a difference with its unit."""
    size = abs(row["difference"])
    return f"{size * 100:.1f} percentage points" if row["unit"].startswith("%") else f"{size:.2f} {row['unit']}"


def ends(row: dict[str, Any]) -> str:
    """The interval of a difference, signs kept."""
    if row["low"] is None:
        return "one table has no interval"
    factor, form = (100, "+.1f") if row["unit"].startswith("%") else (1, "+.2f")
    return _minus(f"{row['low'] * factor:{form}} to {row['high'] * factor:{form}}")


def difference_table(differences: pl.DataFrame) -> str:
    """Differences as an HTML table."""
    heads = ("rules", "measure", "whose", "before", "after", "difference", "95 % interval", "verdict")
    lines = []
    for row in differences.iter_rows(named=True):
        signed = _minus(f"{row['difference'] * (100 if row['unit'].startswith('%') else 1):+.2f}")
        whose = "" if row["of"] == "all" else f"{row['of']} {row['group']}"
        cells = (
            row["ruleset"], f"{row['title']}, {row['unit']}", whose,
            number(row["before"], row["unit"]), number(row["after"], row["unit"]), signed, ends(row), row["verdict"],
        )  # fmt: skip
        lines.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    return f"<table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>{''.join(lines)}</table>"


def _minus(text: str) -> str:
    return text.replace("-", "−")
