"""The sentences of Royalties & points."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from words import bold, counted, group_name, percent
from words.compare import minus

EDGE = "Points won a hand on average. It starts at what the log shows; set it to what you believe."
SOURCE = (
    "Points are taken for a Brownian motion with drift, absorbed at zero: the chance ever to lose a bankroll B with an "
    "edge m and a standard deviation s a hand is exp(−2 m B / s²). Source: Cox and Miller, The Theory of Stochastic "
    "Processes (1965), section 5.7."
)
SPREAD = "Thin line: 5 to 95\xa0% of the hands; thick: 25 to 75\xa0%; the gap is the median."


def points_verdict(
    points: pl.DataFrame, royalties: pl.DataFrame, needed: pl.DataFrame, by: str | None
) -> tuple[str, ...]:
    """How widely a hand swings, what royalties bring, and how long until a point a hand shows, as HTML."""
    rows = points.drop_nulls("sd").sort("hands", descending=True, maintain_order=True).to_dicts()
    if not rows:
        return ("No hand of this choice has points.",)
    row = rows[0]
    whose = f"{bold(group_name(row[by], by))}: a hand" if by and len(rows) > 1 else "A hand"
    headline = f"{whose} swings by {row['sd']:.1f} points."
    ends = f"One in twenty loses {_loss(row['p5'])} or worse, one in twenty wins {row['p95']} or more"
    said = f"{ends}; the median is {minus(str(row['p50']))}, from {counted(row['hands'], 'hand')}."
    found = royalties.drop_nulls("royalties_per_hand").sort("hands", descending=True, maintain_order=True).to_dicts()
    bring = f"Royalties bring {found[0]['royalties_per_hand']:.2f} points a hand ({_ends(found[0])})" if found else ""
    long = needed.drop_nulls("hands_needed").sort("hands", descending=True, maintain_order=True).to_dicts()
    shows = f"a difference of one point a hand shows after about {long[0]['hands_needed']:,} hands" if long else ""
    return headline, said, minus("; ".join(filter(None, (bring, shows)))) + "." if bring or shows else ""


def _loss(points: int) -> str:
    return str(-points) if points < 0 else f"nothing ({points})"


def _ends(row: Mapping[str, Any]) -> str:
    return "no interval from one table" if row["low"] is None else f"{row['low']:.2f} to {row['high']:.2f}"


def spread_alt(points: pl.DataFrame, by: str | None) -> str:
    """The percentiles of every group in words."""
    return minus(
        " ".join(
            f"{group_name(row[by], by) if by else 'All hands'}: 5 to 95 percent from {row['p5']} to {row['p95']}, "
            f"median {row['p50']}."
            for row in points.drop_nulls("p50").to_dicts()
        )
    )


def made_of(frame: pl.DataFrame) -> str:
    """Which row and hand bring in most."""
    rows = frame.sort("royalty_by_category").to_dicts()
    if not rows or not rows[-1]["royalty_by_category"]:
        return "Nobody made a royalty."
    best = rows[-1]
    hand = str(best["category"]).replace("_", " ")
    return f"{hand} in the {best['row']} brings most: {best['royalty_by_category']:.2f} points a hand."


def ruin(ever: float, soon: float, hands: int, needed: float | None) -> str:
    """The chance of ruin in words, and what a small one takes."""
    said = f"**{_sentence(_chance(ever))}** of losing it all sooner or later; {_chance(soon)} within {hands:,} hands."
    if needed is None:
        return f"{said} Without an edge every bankroll is lost in the end."
    return f"{said} For a risk of 5\xa0%: **{needed:,.0f} points**."


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _chance(share: float) -> str:
    if share >= 0.9995:
        return "Certain" if share >= 1 else "more than 99.9\xa0%"
    return percent(share) if share >= 0.0005 else "less than 0.1\xa0%"


def ruin_caption(edge: float, sd: float, effect: float) -> str:
    """What the curve rests on."""
    return minus(
        f"With an edge of {edge:.2f} points and a standard deviation of {sd:.1f} a hand, widened by the design effect "
        f"{effect:.2f} because hands of one table hang together."
    )


def ruin_alt(bankroll: float, risk: float) -> str:
    """The marked point in words."""
    return f"A bankroll of {bankroll:,} points is lost with a chance of {percent(risk)}."


def needed_caption(difference: float) -> str:
    """What the bars count."""
    return (
        f"Hands two players must play each other until a difference of {difference:g} points a hand shows (95\xa0% "
        "level, 80\xa0% power), widened by the design effect of tables."
    )


def needed_alt(frame: pl.DataFrame, by: str | None, difference: float) -> str:
    """Every bar in words."""
    rows = frame.to_dicts()
    return " ".join(
        f"{group_name(row[by], by) if by else 'All hands'}: {row['hands_needed']:,} hands for {difference:g} points."
        for row in rows
    )
