"""Combinations of rules that cannot be played, or that would be silently ignored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ofclab.rules.errors import Problem

if TYPE_CHECKING:
    from ofclab.rules.model import Rules

CARDS_IN_BOARD = 13
MOST_CARDS_SEEN = 17


def impossible(rules: Rules) -> list[Problem]:
    """Return every reason why a ruleset of valid values still cannot be played as written."""
    return [*_deal(rules), *_middle(rules), *_fantasyland(rules), *_money(rules), *_deck(rules)]


def _cards_seen(rules: Rules) -> int:
    return rules.deal.initial + sum(street.deal for street in rules.deal.rounds)


def _fantasyland_sizes(rules: Rules) -> dict[str, int]:
    """Card counts a player can be dealt in Fantasyland, by the parameter that says so."""
    land = rules.fantasyland
    if not land.enabled:
        return {}
    sizes = {f"fantasyland.entry_front[{i}].cards": entry.cards for i, entry in enumerate(land.entry_front)}
    sizes["fantasyland.entry_low_wheel_cards"] = land.entry_low_wheel_cards
    sizes["fantasyland.entry_both_cards"] = land.entry_both_cards
    if land.stay_cards != "same" and rules.can_stay:
        sizes["fantasyland.stay_cards"] = land.stay_cards
    return sizes


def _deal(rules: Rules) -> Iterator[Problem]:
    streets = rules.deal.rounds
    for i, street in enumerate(streets):
        if street.place + street.discard != street.deal:
            yield Problem(f"deal.rounds[{i}]", "place + discard must equal deal", street.model_dump())
    placed = rules.deal.initial + sum(street.place for street in streets)
    if placed != CARDS_IN_BOARD:
        yield Problem("deal.rounds", f"places {placed - rules.deal.initial} cards after the first five; must place 8")
    if (seen := _cards_seen(rules)) > MOST_CARDS_SEEN:
        yield Problem("deal.rounds", f"a player would see {seen} cards; at most {MOST_CARDS_SEEN}")
    in_streets = any(street.discard for street in streets)
    in_fantasyland = any(cards > CARDS_IN_BOARD for cards in _fantasyland_sizes(rules).values())
    discards = rules.visibility.discards
    if in_streets and discards == "none":
        yield Problem("visibility.discards", "deal.rounds discards cards; choose hidden or revealed", discards)
    if not in_streets and not in_fantasyland and discards != "none":
        yield Problem("visibility.discards", "deal.rounds discards nothing; choose none", discards)


def _deck(rules: Rules) -> Iterator[Problem]:
    cards, jokers = rules.deck.cards, rules.deck.jokers
    if cards != 52 + jokers:
        yield Problem("deck.cards", f"a deck with deck.jokers = {jokers} has {52 + jokers} cards", cards)
    sizes = {"deal.rounds": _cards_seen(rules)} | _fantasyland_sizes(rules)
    key, most = max(sizes.items(), key=lambda size: size[1])
    seats = rules.players.max
    if seats * most > cards:
        yield Problem(
            "players.max",
            f"{seats} players with {most} cards each ({key}) need {seats * most} cards, the deck has {cards}; "
            f"at most {cards // most} players",
            seats,
        )


def _middle(rules: Rules) -> Iterator[Problem]:
    ignored = "would be ignored: ranking.middle is"
    if rules.ranking.middle == "2-7":
        if rules.royalties.middle:
            yield Problem(
                "royalties.middle",
                f'{ignored} 2-7; write "none" and use royalties.middle_low',
                dict(rules.royalties.middle),
            )
        for key in ("back_over_middle", "middle_over_front"):
            if getattr(rules.foul, key) == "gt":
                yield Problem(
                    f"foul.{key}", f"{ignored} 2-7; choose ge, foul.back_over_front is the one that counts", "gt"
                )
        if rules.fantasyland.enabled and rules.fantasyland.stay.middle is not None:
            yield Problem(
                "fantasyland.stay.middle",
                f'{ignored} 2-7; write "none" and use fantasyland.stay.low_wheel',
                rules.fantasyland.stay.middle,
            )
        return
    for key, value in (
        ("royalties.middle_low", rules.royalties.middle_low),
        ("foul.low_middle_worst", rules.foul.low_middle_worst),
    ):
        if value is not None:
            yield Problem(key, f'{ignored} high; write "none"', value if isinstance(value, str) else dict(value))
    if rules.foul.back_over_front == "gt":
        yield Problem("foul.back_over_front", f"{ignored} high; choose ge", "gt")
    if not rules.fantasyland.enabled:
        return
    for key in ("entry_low_wheel_cards", "entry_both_cards"):
        if cards := getattr(rules.fantasyland, key):
            yield Problem(f"fantasyland.{key}", f"{ignored} high; choose 0", cards)
    if rules.fantasyland.stay.low_wheel:
        yield Problem("fantasyland.stay.low_wheel", f"{ignored} high; choose false", True)


def _fantasyland(rules: Rules) -> Iterator[Problem]:
    land = rules.fantasyland
    if not land.enabled or rules.ranking.middle == "high":
        return
    if land.entry_both_cards and not (land.entry_low_wheel_cards and land.entry_front):
        missing = "entry_front" if land.entry_low_wheel_cards else "entry_low_wheel_cards"
        yield Problem(
            "fantasyland.entry_both_cards",
            f"would be ignored: fantasyland.{missing} gives no entry; choose 0 or add that entry",
            land.entry_both_cards,
        )


def _money(rules: Rules) -> Iterator[Problem]:
    game, stakes = rules.game, rules.stakes
    if stakes.settle_when == "end_of_game" and game.hands is None and not game.end_when_one_stack:
        yield Problem(
            "stakes.settle_when",
            "the game never ends, so it would never be paid; set game.hands or game.end_when_one_stack, "
            "or choose each_hand",
            stakes.settle_when,
        )
    if game.end_when_one_stack and not stakes.table_stakes:
        yield Problem("game.end_when_one_stack", "without stakes.table_stakes nobody runs out of chips", True)
    if stakes.rake_cap is not None and not stakes.rake_percent:
        yield Problem("stakes.rake_cap", "caps nothing: stakes.rake_percent is 0", stakes.rake_cap)
    if stakes.rebuy == "each_hand" and stakes.buy_in is None:
        yield Problem("stakes.rebuy", "needs stakes.buy_in, the chips to buy", stakes.rebuy)
    if stakes.rebuy == "each_hand" and not stakes.table_stakes:
        yield Problem("stakes.rebuy", "needs stakes.table_stakes, without them nobody runs out of chips", stakes.rebuy)
