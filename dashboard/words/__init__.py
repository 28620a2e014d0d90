"""Numbers as words: what a page says first, with interval and count, or that it is too close to call."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import polars as pl

from ofclab.analytics import METRICS, define

TOO_CLOSE = "too close to call"
# Keys of a metric whose values count the same hands.
_SHARED = {
    "foul_hazard": ("street",),
    "foul_street": ("street",),
    "entry_by": ("earned_by", "cards"),
    "chain_length": ("length",),
    "royalty_by_category": ("row", "category"),
    "royalty_distribution": ("points",),
    "points_distribution": ("points",),
}
FEW_TABLES = "Fewer than 10 tables: the intervals rest on too little."


def percent(share: float) -> str:
    """A share as a percentage.

    >>> percent(0.1234)
    '12.3\\xa0%'
    """
    return f"{100 * share:.1f}\xa0%"


def between(row: Mapping[str, Any]) -> str:
    """The interval of a rate."""
    return f"{100 * row['low']:.1f} to {percent(row['high'])}"


def counted(number: int, one: str) -> str:
    """A count with its noun.

    >>> counted(1, "table"), counted(1200, "hand")
    ('1 table', '1,200 hands')
    """
    return f"{number:,} {one if number == 1 else one + 's'}"


def some(names: Sequence[str], most: int = 4) -> str:
    """A few names, and how many more there are.

    >>> some(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def bold(name: str) -> str:
    """A name from a file, in bold, as HTML that shows exactly its characters."""
    return f"<b>{escape(name)}</b>"


def caption(metric: str, frame: pl.DataFrame) -> str:
    """What a metric counts, over how many hands, and what the lines are."""
    return f"{define(metric)} {counted(hands_behind(metric, frame), 'hand')}; the lines are 95\xa0% intervals."


def hands_behind(metric: str, frame: pl.DataFrame) -> int:
    """Player-hands a metric's frame rests on: rows of one group share theirs, along streets the first has them all."""
    columns = frame.columns[: frame.columns.index("hands")]
    groups = [column for column in columns if column not in _SHARED.get(metric, ())]
    hands = pl.col("hands").max()
    each = frame.group_by(groups).agg(hands) if groups else frame.select(hands)
    return int(each["hands"].sum() or 0)


def group_name(value: object, by: str) -> str:
    """The name of a group."""
    if value is None:
        return f"{by} unknown"
    return f"Position {value}" if by == "position" else str(value)


def by_cards(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame by the cards a hand came in with, only hands in Fantasyland, the cards in words."""
    inside = frame.filter((pl.col("fl_cards") > 0) & (pl.col("hands") > 0))
    return inside.with_columns(pl.format("{} cards", "fl_cards").alias("fl_cards"))


def side_by_side(frames: Mapping[str, pl.DataFrame], by: Sequence[str]) -> pl.DataFrame:
    """Metrics of the same groups in one frame: groups, hands of the first metric, then each with its interval."""
    joined: pl.DataFrame | None = None
    for metric, frame in frames.items():
        ends = pl.col("low", "high").name.prefix(f"{metric}_")
        if joined is None:
            joined = frame.select(*by, "hands", metric, ends)
        elif by:
            part = frame.select(*by, metric, ends)
            joined = joined.join(part, on=list(by), how="left", nulls_equal=True, maintain_order="left")
        else:
            joined = joined.hstack(frame.select(metric, ends))
    assert joined is not None
    return joined


def with_intervals(frame: pl.DataFrame, metrics: Sequence[str]) -> pl.DataFrame:
    """The frame of `side_by_side` to look at: the two ends of each interval as one text."""
    for metric in metrics:
        is_rate = METRICS[metric].unit.startswith("%")
        ends = [pl.col(f"{metric}_{end}") for end in ("low", "high")]
        said = [(100 * end).round(1) if is_rate else end.round(2) for end in ends]
        frame = frame.with_columns(pl.format("{} to {}", *said).alias(f"{metric}_low")).drop(f"{metric}_high")
    return frame


TRAY = "dealt"
"""What the tray of a card table is called."""
_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def cards_html(cards: Iterable[object]) -> str:
    """Cards in running text, as HTML with coloured suits.

    >>> cards_html(["Td"])
    '10<span class="suit-d">♦\ufe0e</span>'
    """
    return " ".join(_card_html(str(card)) for card in cards)


def _card_html(card: str) -> str:
    if card.startswith("X"):
        return f"joker\xa0{card[1]}"
    # The variation selector keeps the suit from being drawn as an emoji.
    return f'{card[0].replace("T", "10")}<span class="suit-{card[1]}">{_SUITS[card[1]]}\ufe0e</span>'


def signed(points: float, digits: int = 0) -> str:
    """Points with their sign and a true minus.

    >>> signed(-3), signed(2.5, 1), signed(0)
    ('−3', '+2.5', '0')
    """
    text = f"{points:+.{digits}f}"
    return text[1:] if float(text) == 0 else text.replace("-", "−")


def minus(text: str) -> str:
    """Text whose hyphens are true minus signs."""
    return text.replace("-", "−")


def whole_percent(share: float) -> str:
    """A chance as a whole percentage, never rounded to certainty.

    >>> whole_percent(0.514), whole_percent(0.002), whole_percent(0.9999), whole_percent(0)
    ('51\xa0%', '<1\xa0%', '>99\xa0%', '0\xa0%')
    """
    if 0 < share < 0.005:
        return "<1\xa0%"
    if 0.995 <= share < 1:
        return ">99\xa0%"
    return f"{100 * share:.0f}\xa0%"


PLACEMENT_HELP = {
    "EV, points": "Mean points of the hand when you go on like this; ± half of the 95\xa0% interval.",
    "Loss": "Points less than the best placement, on the same futures.",
    "Foul": "Chance that your board fouls.",
    "Fantasyland": "Chance that you play the next hand in Fantasyland.",
}
"""What the columns of a table of placements mean."""
