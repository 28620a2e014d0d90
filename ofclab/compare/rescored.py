"""Re-score a log under other rules: play held fixed, Fantasyland by its value."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import polars as pl

from ofclab.compare.errors import CompareError
from ofclab.engine import DEFAULT_FANTASYLAND_VALUES
from ofclab.log import Log, collect
from ofclab.rules import Rules, diff_rules

DEALT: Final = ("deck.cards", "deck.jokers", "deal.rounds")
"""Parameters that decide which cards a player sees and when; no re-scoring can change them."""

_NEXT_HAND: Final = ("fantasyland.stay", "fantasyland.stay_cards", "fantasyland.button", "fantasyland.adds_hand")


def fixed_play(log: Log, rules: Rules, values: Mapping[int, float]) -> Iterator[pl.LazyFrame]:
    """The hands of a log in which nobody came in with Fantasyland cards, under a ruleset, a frame for each part.

    Points hold the value of Fantasyland: each entry adds V(cards) to the entrant and takes it from the opponents in
    equal parts. Only hands that can be scored count.
    """
    worth = pl.col("next_fl").replace_strict(dict(values), default=0.0, return_dtype=pl.Float64)
    everyone = pl.col("_worth").sum().over("hand_id")
    opponents = pl.len().over("hand_id") - 1
    begun_normally = pl.col("fl_cards").max().over("hand_id") == 0
    # A hand lies within one part, and windows over hands hold all that they are given: so never the whole log.
    for numbers in [[number] for number in log.parts] or [[]]:
        yield (
            log.results(rules, numbers)
            .filter(begun_normally & pl.col("points").is_not_null())
            .with_columns(worth.alias("_worth"))
            .with_columns(pl.col("points") + pl.col("_worth") - (everyone - pl.col("_worth")) / opponents)
        )


def require_same_deal(log: Log, rulesets: Sequence[Rules]) -> None:
    """Raise CompareError naming the parameter when a ruleset deals other cards than the log was played with."""
    seats = collect(log.hands.select(pl.col("n_seats").max())).item() or 0
    for rules in rulesets:
        for played in log.rulesets.values():
            for changed in diff_rules(played, rules):
                if changed.parameter in DEALT:
                    raise CompareError(
                        f"cannot re-score under {rules.name}: {changed.parameter} is not what the hands were played "
                        f"with under {played.name} ({changed.text}), so other cards would have been seen; "
                        "use mode='resimulated'"
                    )
        if seats > rules.players.max:
            raise CompareError(
                f"cannot re-score under {rules.name}: players.max is {rules.players.max} there and hands of {seats} "
                "players are in the log"
            )


def as_values(given: float | Mapping[int, float] | None) -> tuple[dict[int, float], str]:
    """The value of Fantasyland by cards, and whether it is the default or was given."""
    if given is None:
        return dict(DEFAULT_FANTASYLAND_VALUES), "default"
    if isinstance(given, Mapping):
        return {**DEFAULT_FANTASYLAND_VALUES, **given}, "given"
    return dict.fromkeys(range(13, 18), float(given)), "given"


def notes(rulesets: Sequence[Rules], values: Mapping[int, float], source: str) -> tuple[str, ...]:
    """What re-scored numbers rest on."""
    table = ", ".join(f"{cards} cards {value:g}" for cards, value in sorted(values.items()))
    said = [
        "Re-scored: play held fixed, only hands in which nobody came in with Fantasyland cards; the next hand would "
        "have been dealt differently.",
        f"An entry is worth, in points ({source} values): {table}.",
    ]
    unseen = {
        change.parameter
        for rules in rulesets[1:]
        for change in diff_rules(rulesets[0], rules)
        if change.parameter.startswith(_NEXT_HAND)
    }
    if unseen:
        said.append(f"A change of {', '.join(sorted(unseen))} shows only through the value of Fantasyland given.")
    return tuple(said)
