"""The sentences of Fouls & Fantasyland."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from words import TOO_CLOSE, between, bold, counted, group_name, percent


def foul_facts(rates: pl.DataFrame, by: str | None) -> list[str]:
    """The foul rate of every group in words, the highest first."""
    rows = rates.drop_nulls("foul_rate").sort("foul_rate", descending=True).to_dicts()
    return [f"{group_name(row[by], by) if by else 'All hands'}: {percent(row['foul_rate'])}." for row in rows]


def foul_verdict(rates: pl.DataFrame, by: str | None) -> tuple[str, str]:
    """Headline and sentence of the foul rates, as HTML: of all hands, or of the groups with the least and the most."""
    rows = rates.drop_nulls("foul_rate").sort("foul_rate").to_dicts()
    least, most = rows[0], rows[-1]
    if by is None or len(rows) == 1:
        subject = f"{bold(group_name(least[by], by))} fouls" if by else "The players foul"
        basis = f"{counted(least['hands'], 'hand')} at {counted(least['clusters'], 'table')}"
        headline = f"{subject} {percent(least['foul_rate'])} of the hands."
        return headline, f"95\xa0% interval {between(least)}, from {basis}."
    few, many = (bold(group_name(row[by], by)) for row in (least, most))
    rates_said = f"{many} fouls {percent(most['foul_rate'])} of the hands, {few} {percent(least['foul_rate'])}"
    intervals = f"95\xa0% intervals {between(most)} and {between(least)}"
    basis = " and ".join(counted(row["hands"], "hand") for row in (most, least))
    if least["high"] >= most["low"]:
        return f"Who fouls more is {TOO_CLOSE}.", f"{rates_said}: {intervals}, from {basis}."
    return f"{rates_said}.", f"{intervals}, from {basis}."


def street_sentence(hazard: pl.DataFrame) -> str:
    """On which street the boards still alive go wrong most often; empty where the order of the cards is unknown."""
    worst = hazard.sort("foul_hazard").to_dicts()[-1] if not hazard.is_empty() else None
    if not worst or not worst["foul_hazard"]:
        return ""
    share = f"{percent(worst['foul_hazard'])} ({between(worst)})"
    return f"Street {worst['street']} is the dangerous one: {share} of the boards still alive become a foul on it."


def fantasyland_sentence(entry: pl.DataFrame, stay: pl.DataFrame, share: pl.DataFrame) -> str:
    """How often Fantasyland is reached, kept and played; how rare it must be when nobody entered."""
    entered, kept = entry.row(0, named=True), stay.row(0, named=True)
    if not entered["hands"]:
        return "No hand of this choice was played outside Fantasyland."
    if not entered["entry_rate"]:
        return none_entered(entered)
    said = f"{percent(entered['entry_rate'])} of the hands outside Fantasyland reach it ({between(entered)})"
    if kept["hands"]:
        said += f", {percent(kept['stay_rate'])} of those in it stay ({between(kept)})"
    return f"{said}; {percent(share['fantasyland_share'][0])} of all hands are played there."


def none_entered(row: Mapping[str, Any]) -> str:
    """How rare an event must be that never happened in so many hands."""
    number = counted(row["hands"], "hand")
    return (
        f"None of {number} reached Fantasyland: it happens in fewer than {percent(row['high'])} (95\xa0% upper bound)."
    )


def earned_alt(earned: pl.DataFrame) -> str:
    """What earned Fantasyland most often."""
    most = earned.sort("entries").to_dicts()[-1]
    hand = str(most["earned_by"]).replace("_", " ")
    return f"{hand} with {most['cards']} cards earned most: {most['entries']} of {earned['entries'].sum()} entries."


def chain_alt(chains: pl.DataFrame) -> str:
    """How many chains were one hand long."""
    single = chains.filter(pl.col("length") == 1)
    shares = [f"{row['cards']} cards: {percent(row['chain_length'])}" for row in single.to_dicts()]
    return f"Chains of a single hand, {'; '.join(shares)}."


def inside_alt(points: pl.DataFrame) -> str:
    """What a hand in Fantasyland wins, by its cards."""
    rows = points.drop_nulls("fantasyland_points").to_dicts()
    return " ".join(f"{row['cards']} cards: {row['fantasyland_points']:.2f} points a hand." for row in rows)


def by_position(rates: Mapping[str, pl.DataFrame]) -> tuple[list[str], list[list[str]]] | None:
    """Heads and rows: both rates by position; None where positions are unknown or there is only one."""
    fouls, entries = (rates[metric].drop_nulls("position") for metric in ("foul_rate", "entry_rate"))
    if len(fouls) < 2:
        return None
    entered = {row["position"]: row for row in entries.to_dicts()}
    rows = [
        [
            group_name(row["position"], "position"),
            f"{row['hands']:,}",
            *_beside(row, "foul_rate", fouls),
            *_beside(entered.get(row["position"]), "entry_rate", entries),
        ]
        for row in fouls.to_dicts()
    ]
    return ["Position", "Hands", "Foul rate", "95\xa0% interval", "Fantasyland entries", "95\xa0% interval"], rows


def _beside(row: Mapping[str, Any] | None, metric: str, rates: pl.DataFrame) -> tuple[str, str]:
    """A rate with its interval, marked where it cannot be told from the highest."""
    if row is None or row[metric] is None:
        return "–", "–"
    top = rates.drop_nulls(metric).sort(metric).row(-1, named=True)
    close = row["position"] != top["position"] and row["high"] >= top["low"]
    return ("≈ " if close else "") + percent(row[metric]), between(row)
