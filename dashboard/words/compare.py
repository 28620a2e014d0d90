"""The sentences of Compare rules."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import polars as pl

import ofclab as ofc
from words import TOO_CLOSE, bold, counted, minus, percent


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


def change(row: Mapping[str, Any]) -> str:
    """A difference with its sign and unit."""
    if row["unit"].startswith("%"):
        return minus(f"{100 * row['difference']:+.2f}\xa0pp")
    return minus(f"{row['difference']:+.2f}")


def ends(row: Mapping[str, Any]) -> str:
    """The interval of a difference."""
    if row["low"] is None:
        return "no interval from one table"
    factor = 100 if row["unit"].startswith("%") else 1
    return minus(f"{factor * row['low']:+.2f} to {factor * row['high']:+.2f}")


def _group(row: Mapping[str, Any]) -> str:
    return str(row["group"]) if row["of"] == "strategy" else f"Position {row['group']}"


def _clearest(rows: pl.DataFrame) -> list[dict[str, Any]]:
    """Rows that can be told from no change, those that stand out most first."""
    width = (pl.col("high") - pl.col("low")).clip(lower_bound=1e-12)
    clear = rows.filter(pl.col("verdict") != TOO_CLOSE)
    return clear.sort(pl.col("difference").abs() / width, descending=True, maintain_order=True).to_dicts()


def rules_verdict(everyone: pl.DataFrame, gains: pl.DataFrame, a: str, b: str) -> tuple[str, ...]:
    """Headline and sentences of a comparison, as HTML: who gains, what moves most, and what it rests on."""
    sure, moved = _clearest(gains), _clearest(everyone)
    under = f"under {bold(b)} instead of {bold(a)}"
    if sure:
        headline = f"{_gain(sure[0])} points a hand {under}."
        others = [f"{_gain(row)} ({ends(row)})" for row in sure[1:3]]
        said = ["; ".join([f"95\xa0% interval {ends(sure[0])}", *others]) + "."]
    elif moved:
        row = moved.pop(0)
        headline = f"{_step(row)} {under}."
        close = f"; who gains points by it is {TOO_CLOSE}" if len(gains) else ""
        said = [f"Change {change(row)} (95\xa0% interval {ends(row)}){close}."]
    else:
        return f"What {bold(b)} changes in {bold(a)} is {TOO_CLOSE}.", f"{basis(everyone)}."
    most = [f"{_step(row)} (change {change(row)}, {ends(row)})." for row in moved[:1]]
    return (headline, *said, " ".join([*most, f"{basis(everyone)}."]))


def _gain(row: Mapping[str, Any]) -> str:
    verb = "gains" if row["difference"] > 0 else "loses"
    return f"{bold(_group(row))} {verb} {abs(row['difference']):.2f}"


def _step(row: Mapping[str, Any]) -> str:
    return f"{escape(row['title'])} {level(row['before'], row['unit'])} → {level(row['after'], row['unit'])}"


def basis(everyone: pl.DataFrame) -> str:
    """What a comparison rests on."""
    if everyone.is_empty():
        return "No hands to compare"
    row = everyone.row(0, named=True)
    return f"{counted(row['clusters'], 'table')}, each compared with itself; {counted(row['hands'], 'hand')} in all"


def gains_alt(gains: pl.DataFrame) -> str:
    """Every change of points in words."""
    return " ".join(f"{_group(row)} {change(row)} ({ends(row)})." for row in gains.to_dicts())


def everyone_alt(everyone: pl.DataFrame) -> str:
    """Every measure before and after in words."""
    steps = [(row, level(row["before"], row["unit"]), level(row["after"], row["unit"])) for row in everyone.to_dicts()]
    return " ".join(f"{row['title']}: {before} to {after}." for row, before, after in steps)


def levels(everyone: pl.DataFrame, gains: pl.DataFrame, a: str, b: str) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the table of levels: each measure under A and B, and the difference with its interval."""
    rows = []
    for row in [*everyone.to_dicts(), *gains.to_dicts()]:
        measure = f"{row['title']}, {row['unit']}" if row["of"] == "all" else f"Points, {_group(row)}"
        moved = row["difference"] or row["low"] or row["high"]
        mark = "≈ " if row["verdict"] == TOO_CLOSE else ""
        difference = [f"{mark}{change(row)}", ends(row)] if moved else ["none", "–"]
        rows.append([measure, level(row["before"], row["unit"]), level(row["after"], row["unit"]), *difference])
    return ["Measure", a, b, "Change", "95\xa0% interval"], rows


GAINS = (
    "Right of the line gains under B. The lines are 95\xa0% intervals of the paired difference; a hollow mark cannot "
    "be told from no change."
)
STEPS = (
    "Each bar runs from the level before a change to the level after it, the changes made one after the other; lines "
    "are 95\xa0% intervals of the step, hollow marks cannot be told from no change."
)


def short_change() -> pl.Expr:
    """The words of a change, cut to what fits beside a bar."""
    words = pl.col("change")
    return pl.when(words.str.len_chars() > 20).then(words.str.slice(0, 19) + "…").otherwise(words).alias("change")


def steps_alt(steps: pl.DataFrame) -> str:
    """Every step in words."""
    return " ".join(f"{row['change']}: {change(row)} ({ends(row)})." for row in steps.to_dicts())


def steps_table(steps: pl.DataFrame, alone: pl.DataFrame) -> tuple[list[str], list[list[str]]]:
    """Heads and rows: each change after those before it, and alone."""
    rows = []
    by_number = {row["number"]: row for row in alone.to_dicts()}
    for row in steps.to_dicts():
        single = by_number.get(row["number"])
        rows.append([f"{row['number']}. {row['change']}", *_moved(row), *(_moved(single) if single else ["–", "–"])])
    return ["Change", "In this order", "95\xa0% interval", "Alone", "95\xa0% interval"], rows


def _moved(row: Mapping[str, Any]) -> list[str]:
    if not (row["difference"] or row["low"] or row["high"]):
        return ["none", "–"]
    return [("≈ " if row["verdict"] == TOO_CLOSE else "") + change(row), ends(row)]


def worth_table(found: Mapping[str, pl.DataFrame | None], a: str, b: str) -> tuple[list[str], list[list[str]]]:
    """Heads and rows: by cards, the worth under A and under B with their intervals."""
    by_cards: dict[int, dict[str, Any]] = {}
    for key, frame in found.items():
        for row in frame.to_dicts() if frame is not None else ():
            by_cards.setdefault(row["cards"], {})[key] = row
    rows = [
        [f"{cards} cards", *(cell for key in ("a", "b") for cell in _worth(rows.get(key)))]
        for cards, rows in sorted(by_cards.items())
    ]
    return ["Dealt", a, "95\xa0% interval", b, "95\xa0% interval"], rows


def _worth(row: Mapping[str, Any] | None) -> tuple[str, str]:
    if row is None:
        return "–", "–"
    return minus(f"{row['value']:.2f}"), minus(f"{row['low']:.2f} to {row['high']:.2f}")


def edited_name(name: str, changed: bool) -> str:
    """What the page calls a ruleset: its name, or that it was edited."""
    return f"{name}, edited" if changed else name


def not_played(players: Sequence[str], tables: int, hands: int) -> str:
    """What playing both rulesets anew would do."""
    return (
        f"These two have not been played at this size yet: {counted(tables, 'table')} of {counted(hands, 'hand')} "
        f"under each, the same shuffles, {' and '.join(dict.fromkeys(players))} in the seats."
    )
