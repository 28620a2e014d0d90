"""The sentences of Spot: where the cards go, and what another place costs."""

from collections.abc import Mapping
from typing import Any

import polars as pl

import ofclab as ofc
from words import TOO_CLOSE, cards_html, counted, minus, signed, whole_percent

HINT = (
    "Choose a card, then a slot; or a slot first, and every card you choose goes there. Typing works too: Q then H "
    "chooses the queen of hearts, F, M and B place it, U undoes, Delete takes it off."
)
PASTE = "Qh / 8s 8d / As Ks 9s 4s\ndealt: 2c Qd Jh\ndiscards: 3h\nopponent: 3c / 7h 7d 6h / Kd Kc Tc"
VALUES = "Points a Fantasyland hand is worth beyond a normal one, by number of cards."
QUESTION = "Where should these cards go, and what does the wrong place cost?"
EMPTY = "Build a spot: your board, the cards you are dealt, and what you see of the others."
SHARE = "The address of this page is the link: whoever opens it sees this spot, these rules and these values."
_TURNS = ("first", "second", "third", "fourth")


def street(spot: ofc.Spot, rules: ofc.Rules) -> tuple[int, int, int]:
    """Cards dealt, placed and already discarded on the street of the spot; of the next one where none begins so."""
    streets = [(5, 5, 0), *((r.deal, r.place, r.discard) for r in rules.deal.rounds)]
    placed = thrown = 0
    for deal, place, discard in streets:
        if len(spot.board.cards) <= placed:
            return deal, place, thrown
        placed, thrown = placed + place, thrown + discard
    return *streets[-1][:2], thrown


def street_number(spot: ofc.Spot, rules: ofc.Rules) -> int | None:
    """The street the board is about to play, None where no street begins with so many cards."""
    placed = 0
    for number, place in enumerate([5, *(r.place for r in rules.deal.rounds)], 1):
        if placed == len(spot.board.cards):
            return number
        placed += place
    return None


def seat_note(spot: ofc.Spot, rules: ofc.Rules) -> str:
    """Street and turn of the player."""
    if len(spot.dealt) >= 13:
        return f"Fantasyland, {len(spot.dealt)} cards"
    number = street_number(spot, rules)
    parts = [f"street {number}" if number else counted(len(spot.board.cards), "card")]
    if spot.seats > 1:
        parts.append("acts last" if spot.position == spot.seats else f"acts {_TURNS[spot.position - 1]}")
    return ", ".join(parts)


def turn(position: int) -> str:
    """When a player acts."""
    return _TURNS[position - 1]


def came_in(cards: int) -> str:
    """The Fantasyland cards of an opponent."""
    return f"Fantasyland {cards}" if cards else "a normal hand"


def opponent(number: int, count: int) -> str:
    """The name of an opponent, from the player's left."""
    return "Opponent" if count == 1 else f"Opponent {number + 1}"


def tray_label(spot: ofc.Spot, deal: int, place: int) -> str:
    """What to do with the dealt cards."""
    dealt = len(spot.dealt)
    if not dealt:
        return f"Put the {counted(deal, 'card')} you were dealt here" + ("." if spot.board.cards else ", or 13 to 17.")
    if not spot.board.cards and 5 < dealt < 13:
        return f"A Fantasyland hand has 13 to 17 cards: {13 - dealt} more."
    if dealt < deal:
        return f"Dealt: {deal - dealt} more."
    if dealt >= 13:
        return f"A Fantasyland hand of {dealt} cards."
    return f"Dealt. Place {place}, and see it marked as yours in the table."


def headline(evaluation: ofc.SpotEvaluation) -> str:
    """The best placement and its points, as HTML."""
    row = evaluation.frame.row(0, named=True)
    points = minus(f"{row['ev']:.2f}")
    return f"{placement_html(evaluation.best)}: {points} points"


def placement_html(placement: ofc.Placement, discards: bool = False) -> str:
    """Where cards go, as HTML: "Q♦ J♥ front, 2♣ middle"."""
    rows = (("front", placement.front), ("middle", placement.middle), ("back", placement.back))
    said = [f"{cards_html(cards)} {name}" for name, cards in rows if cards]
    if discards and placement.discards:
        said.append(f"{cards_html(placement.discards)} discarded")
    return ", ".join(said)


def sentence(evaluation: ofc.SpotEvaluation) -> str:
    """Chances of the best placement, what is too close to call, and what the next one loses."""
    frame = evaluation.frame
    best = frame.row(0, named=True)
    parts = [
        f"It reaches Fantasyland {whole_percent(best['fantasyland'])} of the time and fouls "
        f"{whole_percent(best['foul'])}."
    ]
    for verdict, said in (("best", "as good"), (TOO_CLOSE, TOO_CLOSE)):
        others = int((frame["verdict"] == verdict).sum()) - (verdict == "best")
        if others:
            parts.append(f"<b>{counted(others, 'other')}</b> {'is' if others == 1 else 'are'} {said}.")
    worse = frame.filter(~frame["verdict"].is_in([TOO_CLOSE, "best"]))
    if len(worse):
        parts.append(f"The next loses {float(worse.select(pl.min('loss')).item()):.2f}.")
    return " ".join(parts)


def caption(evaluation: ofc.SpotEvaluation, values: Mapping[int, float]) -> str:
    """What the table rests on."""
    earned = [int(name.removeprefix("fantasyland_")) for name in evaluation.frame.columns if "fantasyland_" in name]
    told = ", ".join(f"{cards} cards {values[cards]:g}" for cards in earned if cards in values)
    if evaluation.exact:
        how = "Exact: every card to come is counted."
    else:
        how = f"Lines and ± are 95\xa0% intervals over up to {counted(int(evaluation['samples'].max()), 'future')}, "
        how += "the same for all placements; the green band cannot be told from the best."
    worth = f", Fantasyland worth {told}" if told else ""
    return f"EV in points{worth}. {how}"


def yours(mine: ofc.Placement, row: Mapping[str, Any]) -> str:
    """What the visitor's own placement costs, as HTML."""
    where = placement_html(mine, discards=True)
    if row["verdict"] == "best":
        return f"<b>Yours</b> is the best: {where}."
    if row["verdict"] == TOO_CLOSE:
        return f"<b>Yours</b> cannot be told from the best: {where}."
    return f"<b>Yours</b> loses {row['loss']:.2f} points: {where}."


def setting(found: Any) -> tuple[str, str]:
    """Headline and sentence of a Fantasyland hand that was set, as HTML."""
    if found.fouled:
        return "Every setting fouls.", "These cards make no legal board."
    if found.against:
        error = f" (±{1.96 * found.se:.2f})" if found.se else ""
        head = f"{signed(found.points, 2)} points{error}" + (" and another Fantasyland hand." if found.stays else ".")
    else:
        head = f"{counted(found.royalties, 'royalty point')}"
        head += " and another Fantasyland hand." if found.stays else "."
    if found.stays:
        return head, f"The stay is worth {found.stay_value:g} points to you."
    return head, "It does not stay in Fantasyland."


def option(found: Any, against: bool) -> str:
    """What one setting of a Fantasyland hand brings, beside its board."""
    told = f"{signed(found.points, 2)} points" if against else counted(found.royalties, "royalty point")
    return told if found.verdict == "best" else f"{told}, {found.verdict}"
