"""The sentences of Compare rules."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import polars as pl

import ofclab as ofc
from words import TOO_CLOSE, bold, counted, percent


def other_rules(a: str, names: Sequence[str]) -> str:
    """A ruleset to compare with when none was chosen: progressive Fantasyland, or the classic beside it."""
    wanted = ("progressive-pineapple", "american-pineapple")
    return next((name for name in wanted if name != a and name in names), names[-1])


def of_parameters(changes: Sequence[Any]) -> str:
    """How many rules change, of how many there are."""
    parameters = {".".join(change.parameter.split(".")[:2]) for change in changes}
    return f"{counted(len(parameters), 'rule')} of {len(ofc.load_rules('american-pineapple').flat())}"


def everyone(differences: pl.DataFrame) -> pl.DataFrame:
    """The differences that concern all players together."""
    return differences.filter(pl.col("of") == "all")


def gains(differences: pl.DataFrame) -> pl.DataFrame:
    """Who gains and who loses points: by strategy, or by position where all play alike."""
    points = differences.filter(pl.col("metric") == "points_per_hand")
    by_strategy = points.filter(pl.col("of") == "strategy")
    return by_strategy if len(by_strategy) else points.filter(pl.col("of") == "position")


def level(value: float | None, unit: str) -> str:
    """One level: a rate in per cent, points with two decimals."""
    if value is None:
        return "–"
    return percent(value) if unit.startswith("%") else minus(f"{value:.2f}")


def minus(text: str) -> str:
    """Text whose hyphens are true minus signs."""
    return text.replace("-", "−")


def change(row: Mapping[str, Any]) -> str:
    """A difference with its sign and unit."""
    if row["unit"].startswith("%"):
        return minus(f"{100 * row['difference']:+.1f}\xa0pp")
    return minus(f"{row['difference']:+.2f}")


def ends(row: Mapping[str, Any]) -> str:
    """The interval of a difference."""
    if row["low"] is None:
        return "no interval from one table"
    factor, form = (100, "+.1f") if row["unit"].startswith("%") else (1, "+.2f")
    return minus(f"{factor * row['low']:{form}} to {factor * row['high']:{form}}")


def _group(row: Mapping[str, Any]) -> str:
    return str(row["group"]) if row["of"] == "strategy" else f"Position {row['group']}"


def _clearest(rows: pl.DataFrame) -> list[dict[str, Any]]:
    """Rows that can be told from no change, those that stand out most first."""
    width = (pl.col("high") - pl.col("low")).clip(lower_bound=1e-12)
    clear = rows.filter(pl.col("verdict") != TOO_CLOSE)
    return clear.sort(pl.col("difference").abs() / width, descending=True, maintain_order=True).to_dicts()


def rules_verdict(everyone: pl.DataFrame, gains: pl.DataFrame, a: str, b: str) -> tuple[str, ...]:
    """Headline and sentences of a comparison, as HTML: what moves most, and who gains by it."""
    moved = _clearest(everyone)
    if moved:
        row, title = moved[0], escape(moved[0]["title"])
        steps = f"{level(row['before'], row['unit'])} → {level(row['after'], row['unit'])}"
        headline = f"{bold(b)} instead of {bold(a)}: {title} {steps}."
        unit = "" if row["unit"].startswith("%") else f" {escape(row['unit'])}"
        said = [f"{title} changes by {change(row)}{unit} (95\xa0% interval {ends(row)}), {basis(everyone)}."]
    else:
        headline = f"What {bold(b)} changes in {bold(a)} is {TOO_CLOSE}."
        said = [f"No measure of all players together can be told from no change, {basis(everyone)}."]
    sure = [
        f"{bold(_group(row))} {'gains' if row['difference'] > 0 else 'loses'} "
        f"{abs(row['difference']):.2f} ({ends(row)})"
        for row in _clearest(gains)[:2]
    ]
    if sure:
        said.append(f"Points a hand: {', '.join(sure)}.")
    elif len(gains):
        said.append(f"Who gains points by it is {TOO_CLOSE}.")
    return (headline, *said)


def basis(everyone: pl.DataFrame) -> str:
    """What a comparison rests on."""
    if everyone.is_empty():
        return "no hands"
    row = everyone.row(0, named=True)
    return f"{counted(row['clusters'], 'table')} paired with themselves, {counted(row['hands'], 'hand')} in all"


def gains_alt(gains: pl.DataFrame) -> str:
    """Every change of points in words."""
    return " ".join(f"{_group(row)} {change(row)} ({ends(row)})." for row in gains.to_dicts())


def everyone_alt(everyone: pl.DataFrame) -> str:
    """Every measure before and after in words."""
    steps = [(row, level(row["before"], row["unit"]), level(row["after"], row["unit"])) for row in everyone.to_dicts()]
    return " ".join(f"{row['title']}: {before} to {after}." for row, before, after in steps)


def levels(everyone: pl.DataFrame, gains: pl.DataFrame, a: str, b: str) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the table of levels: each measure under A and B, and the difference with its interval."""
    rows = [
        [
            f"{row['title']}, {row['unit']}" if row["of"] == "all" else f"Points, {_group(row)}",
            level(row["before"], row["unit"]),
            level(row["after"], row["unit"]),
            ("≈ " if row["verdict"] == TOO_CLOSE else "") + change(row),
            ends(row),
        ]
        for row in [*everyone.to_dicts(), *gains.to_dicts()]
    ]
    return ["Measure", a, b, "Change", "95\xa0% interval"], rows
