"""Reviewed decisions: what they lost and where, how good the tricky ones were, what the cards had to do with it.

Frames of decisions are those of `ofclab.review`, a row per decision. What is lost is the loss that was measured, noise
and all: means over decisions are not raised by choosing the best of noisy values (the loss is cross-fitted), so nothing
is cut off at zero. Tables are the unit of sampling, as in `ofclab.analytics.intervals`.
"""

from collections.abc import Sequence
from typing import Final

import polars as pl

from ofclab.analytics.intervals import (
    Results,
    as_lazy,
    as_names,
    beside,
    estimate,
    in_order,
    interval,
    shares,
    table_keys,
)

RIGHT: Final = ("best", "too close to call")
"""Verdicts of a decision that was right, as far as one can tell."""
CHASED: Final = 0.02
"""Chance of Fantasyland by which a placement that chases too much or too little differs from the best one."""
_PLAYER_HAND: Final = ("hand_id", "seat")
_RIGHT = pl.col("verdict").cast(pl.String).is_in(RIGHT)
_OTHERWISE = pl.col("row").is_not_null()
_MORE = pl.col("fantasyland_played") - pl.col("fantasyland_best")
_CHASE = (
    pl.when(~_OTHERWISE | (pl.col("fl_cards") > 0))
    .then(None)
    .when(_MORE > CHASED)
    .then(pl.lit("too much"))
    .when(_MORE < -CHASED)
    .then(pl.lit("too little"))
)
_STREET = pl.when(pl.col("fl_cards") > 0).then(pl.lit("Fantasyland")).otherwise(pl.col("street").cast(pl.String))
_THEMES: Final = {
    "street": _STREET,
    "row": pl.concat_str([pl.col("row").cast(pl.String), pl.lit(", not "), pl.col("best_row").cast(pl.String)]),
    "hand": pl.col("broken").cast(pl.String),
    "fantasyland": _CHASE,
}


def accuracy(decisions: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Share of tricky spots played best or inside the noise, a row per group.

    Columns: by, hands, clusters, accuracy, low, high, spots, few_tables. ``hands``: player-hands with a tricky spot.
    """
    return _per_spot(decisions, "accuracy", by, _RIGHT, level, is_rate=True)


def tricky_loss(decisions: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Mean points lost in a tricky spot, a row per group.

    Columns: by, hands, clusters, tricky_loss, low, high, spots, few_tables. ``hands``: player-hands with a tricky spot.
    """
    return _per_spot(decisions, "tricky_loss", by, pl.col("ev_loss"), level, is_rate=False)


def loss_per_100(decisions: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Points that decisions lost per 100 player-hands reviewed, a row per group.

    Columns: by, hands, clusters, loss_per_100, low, high, few_tables.
    """
    by = as_names(by)
    lost = (pl.col("ev_loss").sum() * 100).alias("_top")
    hands = _distinct().alias("hands")
    sums = as_lazy(decisions).group_by(table_keys(by)).agg(lost, hands.cast(pl.Float64).alias("_bottom"), hands)
    return interval(estimate(sums, by), "loss_per_100", by, level=level, is_rate=False)


def loss_by_street(decisions: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Points lost per 100 player-hands on each street; the streets add up to the whole loss.

    Columns: by, at (the street, or Fantasyland), hands, clusters, loss_by_street, low, high, spots, few_tables.
    """
    return _loss_by(decisions, "loss_by_street", as_names(by), "at", _THEMES["street"], level)


def loss_by_row(decisions: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Points lost per 100 player-hands by where the highest card went that the best placement puts elsewhere.

    Columns: by, row ("front, not back"), hands, clusters, loss_by_row, low, high, spots, few_tables. Only decisions for
    which another placement was found best: their sum is a little more than the whole loss, because the noise of the
    others is left out.
    """
    return _loss_by(decisions, "loss_by_row", as_names(by), "row", _THEMES["row"], level)


def loss_by_hand(decisions: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Points lost per 100 player-hands by the hand class that was broken, as `loss_by_row`.

    Columns: by, broken, hands, clusters, loss_by_hand, low, high, spots, few_tables. ``nothing``: none was broken.
    """
    return _loss_by(decisions, "loss_by_hand", as_names(by), "broken", _THEMES["hand"], level)


def fantasyland_chase(decisions: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Points lost per 100 player-hands by chasing Fantasyland too much or too little, as `loss_by_row`.

    A placement chases too much when its chance of Fantasyland is more than `CHASED` above that of the best placement.
    Columns: by, chase (too little, too much), hands, clusters, fantasyland_chase, low, high, spots, entry_more and
    foul_more: by how much the chances of Fantasyland and of a foul were above the best placement's; few_tables.
    """
    by = as_names(by)
    more = {"entry_more": _MORE, "foul_more": pl.col("foul_played") - pl.col("foul_best")}
    return _loss_by(decisions, "fantasyland_chase", by, "chase", _CHASE, level, more)


def leaks(decisions: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """What loses most, in points per 100 player-hands, a row per theme and leak, the dearest first.

    Themes look at the same losses from four sides, so they are not added up: street, row (where the card went), hand
    (what was broken), fantasyland (chased too much, too little). Columns: by, theme, leak, hands, clusters, leaks, low,
    high, spots, few_tables.
    """
    by = as_names(by)
    found = [
        _loss_by(decisions, "leaks", by, "leak", leak, level).with_columns(pl.lit(theme).alias("theme"))
        for theme, leak in _THEMES.items()
    ]
    columns = [*by, "theme", "leak", "hands", "clusters", "leaks", "low", "high", "spots", "few_tables"]
    order = [*by, "leaks", "theme", "leak"]
    descending = [name == "leaks" for name in order]
    return pl.concat(found).select(columns).sort(order, descending=descending, nulls_last=True)


def luck_adjusted(decisions: Results, by: Sequence[str] = (), *, level: float = 0.95) -> pl.LazyFrame:
    """Points a hand that the decisions were worth, beside the points that were won, a row per group.

    A hand's worth w (points won, Fantasyland at its value, the opponents' taken off) is what the decisions made of it
    and what the cards did: w = c - L + M + luck, with L the points the player's own decisions lost, M those the
    opponents' lost, each an equal share from every opponent, for in a game that sums to zero their losses are won by
    the others, and c what a hand is worth at this position when nobody errs: the mean of w + L - M over all hands of
    the frame with the same rules, seats, position and Fantasyland. Luck has mean zero over the frame by construction,
    and for every player as far as the values are right, so adjusted = c - L + M estimates the same points a hand with
    far less noise: the all-in adjustment of other pokers, carried to every card.

    Only hands of which every seat was reviewed count: review all players. Columns: by, hands, clusters, luck_adjusted,
    low, high, actual, actual_low, actual_high, card_luck: actual less adjusted; few_tables.
    """
    by = as_names(by)
    hands = _adjusted(as_lazy(decisions), by)
    counted = pl.len().cast(pl.Int64).alias("hands")
    found = []
    for name in ("luck_adjusted", "actual"):
        top = pl.col(f"_{name}").sum().alias("_top")
        sums = hands.group_by(table_keys(by)).agg(top, pl.len().cast(pl.Float64).alias("_bottom"), counted)
        bounds = ("low", "high") if name == "luck_adjusted" else ("actual_low", "actual_high")
        found.append(interval(estimate(sums, by), name, by, level=level, is_rate=False, bounds=bounds))
    actual = found[1].select(*by, "actual", "actual_low", "actual_high")
    columns = ["luck_adjusted", "low", "high", "actual", "actual_low", "actual_high", "card_luck", "few_tables"]
    luck = (pl.col("actual") - pl.col("luck_adjusted")).alias("card_luck")
    return in_order(beside(found[0], actual, by).with_columns(luck).select(*by, "hands", "clusters", *columns), by)


def _adjusted(decisions: pl.LazyFrame, by: Sequence[str]) -> pl.LazyFrame:
    """A row per player-hand of hands reviewed whole: group, table, `_actual` and `_luck_adjusted` points."""
    kept = list(dict.fromkeys([*by, "table_id", "n_seats", "ruleset_id", "position", "points", "worth"]))
    hands = decisions.group_by(_PLAYER_HAND).agg(
        *(pl.col(name).first() for name in kept if name not in _PLAYER_HAND),
        (pl.col("fl_cards").first() > 0).alias("_inside"),
        pl.col("ev_loss").sum().alias("_lost"),
    )
    whole = (pl.len().over("hand_id") == pl.col("n_seats")) & (pl.col("worth").null_count().over("hand_id") == 0)
    others = pl.col("n_seats").cast(pl.Float64) - 1
    mine, lost = pl.col("_future"), pl.col("_lost")
    alike = ["ruleset_id", "n_seats", "position", "_inside"]
    return (
        hands.filter(whole & (others > 0))
        .with_columns(_future=pl.col("worth") - pl.col("points"))
        .with_columns(
            _actual=pl.col("worth") - (mine.sum().over("hand_id") - mine) / others,
            _decided=(lost.sum().over("hand_id") - lost) / others - lost,
        )
        .with_columns(_luck_adjusted=(pl.col("_actual") - pl.col("_decided")).mean().over(alike) + pl.col("_decided"))
    )


def _distinct() -> pl.Expr:
    return pl.struct(_PLAYER_HAND).n_unique().cast(pl.Int64)


def _per_spot(
    decisions: Results, name: str, by: Sequence[str], top: pl.Expr, level: float, *, is_rate: bool
) -> pl.LazyFrame:
    """A mean over tricky spots."""
    by = as_names(by)
    sums = (
        as_lazy(decisions)
        .filter(pl.col("tricky"))
        .group_by(table_keys(by))
        .agg(
            top.cast(pl.Float64).sum().alias("_top"),
            pl.len().cast(pl.Float64).alias("_bottom"),
            _distinct().alias("hands"),
        )
    )
    found = estimate(sums, by).with_columns(pl.col("_bottom").cast(pl.Int64).alias("spots"))
    return interval(found, name, by, level=level, is_rate=is_rate, extra=["spots"])


def _loss_by(
    decisions: Results, name: str, by: list[str], key: str, value: pl.Expr, level: float,
    more: dict[str, pl.Expr] | None = None,
) -> pl.LazyFrame:  # fmt: skip
    """Points lost per 100 player-hands by the values of a key, all player-hands of a group being the bottom of each."""
    frame = as_lazy(decisions).with_columns(value.alias(key))
    lost = frame.group_by([*table_keys(by), key]).agg(
        (pl.col("ev_loss").sum() * 100).alias("_top"), pl.lit(0.0).alias("_bottom"), pl.lit(0, pl.Int64).alias("hands")
    )
    hands = _distinct()
    counted = (
        frame.group_by(table_keys(by))
        .agg(hands.cast(pl.Float64).alias("_bottom"), hands.alias("hands"))
        .with_columns(pl.lit(None, pl.String).alias(key), pl.lit(0.0).alias("_top"))
        .select(*table_keys(by), key, "_top", "_bottom", "hands")
    )
    extra = {extra: expression.mean() for extra, expression in (more or {}).items()}
    spots = frame.drop_nulls(key).group_by([*by, key]).agg(spots=pl.len().cast(pl.Int64), **extra)
    found = (
        shares(pl.concat((lost, counted)), by, [key])
        .join(spots, on=[*by, key], how="left", nulls_equal=True)
        .with_columns(pl.col("spots").fill_null(0))
    )
    return interval(found, name, by, [key], level=level, is_rate=False, extra=["spots", *extra])
