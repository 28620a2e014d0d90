"""The sentences of Strategies."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from words import TOO_CLOSE, between, bold, counted, percent
from words.compare import minus

TRADE = (
    "Each mark is a player: the further right the more fouls, the higher the more entries to Fantasyland; both lines "
    "are 95\xa0% intervals."
)
MATRIX = "Points a hand that the player of a row wins from the player of a column; a negative number is a loss."
MATCH_MATRIX = (
    "Points a deal that the strategy of a row wins from that of a column, the Fantasyland hands a deal causes "
    "included; every deal was played with the seats exchanged."
)
PAIR = "Points the first wins from the second; ≈ cannot be told from nothing."
ONE = "Only one strategy plays here: nobody to compare it with, so there is no matrix."
NEVER_MET = "No two of them met at a table, so there is no matrix."


def trade_verdict(fouls: pl.DataFrame, entries: pl.DataFrame, by: str) -> tuple[str, ...]:
    """Who reaches Fantasyland most, and what that costs in fouls, as HTML."""
    rows = (
        fouls.join(entries, on=by, suffix="_up", nulls_equal=True)
        .filter(pl.col("foul_rate").is_not_null() & pl.col("entry_rate").is_not_null())
        .sort("entry_rate", descending=True)
        .to_dicts()
    )
    if not rows:
        return ("Nobody here played street by street.",)
    if len(rows) == 1:
        return f"{_does(rows[0], by)}.", f"{_intervals(rows[0])}. {ONE}"
    most, least = rows[0], rows[-1]
    if most["low_up"] <= least["high_up"]:
        headline = f"Who reaches Fantasyland more often is {TOO_CLOSE}."
    else:
        headline = f"{bold(str(most[by]))} reaches Fantasyland most and {_price(most, least)}."
    return headline, *(f"{_does(row, by)}: {_intervals(row)}." for row in (most, least))


def _price(most: Mapping[str, Any], least: Mapping[str, Any]) -> str:
    if most["low"] > least["high"]:
        return "pays for it in fouls"
    return "fouls less all the same" if most["high"] < least["low"] else "does not foul more for it"


def _does(row: Mapping[str, Any], by: str) -> str:
    who, enters = bold(str(row[by])), percent(row["entry_rate"])
    return f"{who} enters in {enters} and fouls {percent(row['foul_rate'])} of the hands"


def _intervals(row: Mapping[str, Any]) -> str:
    up = {"low": row["low_up"], "high": row["high_up"]}
    return f"95\xa0% intervals {between(up)} and {between(row)}, from {counted(row['hands'], 'hand')}"


def trade_alt(fouls: pl.DataFrame, entries: pl.DataFrame, by: str) -> str:
    """Both rates of everybody in words."""
    both = fouls.join(entries, on=by, suffix="_up", nulls_equal=True).drop_nulls(["foul_rate", "entry_rate"])
    return " ".join(
        f"{row[by]}: fouls {percent(row['foul_rate'])}, enters {percent(row['entry_rate'])}." for row in both.to_dicts()
    )


def matrix_alt(pairs: pl.DataFrame) -> str:
    """Every pair in words."""
    return minus(" ".join(f"{row['a']} wins {row['points']:+.2f} from {row['b']}." for row in pairs.to_dicts()))


def matrix_table(pairs: pl.DataFrame, unit: str) -> tuple[list[str], list[list[str]]]:
    """Heads and rows: every pair, the better of the two first, with interval."""
    rows = []
    for row in pairs.to_dicts():
        low, high, points = row["low"], row["high"], row["points"]
        a, b = row["a"], row["b"]
        if points is not None and points < 0:
            a, b, points = b, a, -points
            low, high = (None, None) if low is None else (-high, -low)
        close = low is None or low <= 0 <= high
        interval = "no interval from one table" if low is None else minus(f"{low:+.2f} to {high:+.2f}")
        rows.append([f"{a} from {b}", ("≈ " if close else "") + minus(f"{points:+.2f}"), interval, f"{row['hands']:,}"])
    return ["Who wins from whom", unit, "95\xa0% interval", "Hands"], rows


def match_verdict(rates: pl.DataFrame, pairs: pl.DataFrame, deals: int) -> tuple[str, ...]:
    """Who won a tournament, as HTML."""
    best, second = rates.to_dicts()[:2]
    duel = pairs.filter(pl.col("a").is_in([best["strategy"], second["strategy"]])).filter(
        pl.col("b").is_in([best["strategy"], second["strategy"]])
    )
    clear = len(duel) == 1 and duel["verdict"][0] != TOO_CLOSE
    wins = minus(f"{best['points']:+.2f} points a deal ({best['points_low']:+.2f} to {best['points_high']:+.2f})")
    if not clear:
        headline = f"The first place is {TOO_CLOSE}."
        return headline, f"{bold(best['strategy'])} leads with {wins} over {counted(deals, 'mirrored deal')}."
    row = duel.row(0, named=True)
    sign = 1 if row["a"] == best["strategy"] else -1
    ahead = minus(f"{sign * row['points']:+.2f}")
    return (
        f"{bold(best['strategy'])} wins: {wins}.",
        f"From {bold(second['strategy'])}, the next, it wins {ahead} points a deal, over "
        f"{counted(deals, 'mirrored deal')}.",
    )


def not_played(picks: Sequence[str], rules: str, deals: int) -> str:
    """What a tournament would play."""
    return (
        f"This tournament has not been played yet: {len(picks)} strategies, every pair, {deals:,} deals each with the "
        f"seats exchanged, under {rules}."
    )
