"""The sentences of Hands and Replay."""

from collections.abc import Mapping
from typing import Any

import ofclab as ofc
from words import counted, percent, signed, whole_percent

QUESTION = "Which hands deserve a look?"
CLASSES = {
    "high_card": "high card",
    "two_pair": "two pair",
    "full_house": "full house",
    "straight_flush": "straight flush",
    "royal_flush": "royal flush",
    "five_of_a_kind": "five of a kind",
    "75432": "7-5-4-3-2",
    "no_low": "no low",
}
"""Row classes in words, where the name alone does not do."""
ORDERED = (
    *("no low", "T-low", "9-low", "8-low", "7-low", "7-5-4-3-2"),
    *("high card", "pair", "two pair", "trips", "straight", "flush", "full house", "quads"),
    *("straight flush", "royal flush", "five of a kind"),
)
"""Row classes in words, the weakest first."""
COLUMNS = {
    "replay": ("Replay", "Opens the hand, street by street."),
    "table": ("Table", "Number of the table in the simulation, from 0."),
    "hand_no": ("Hand", "Number of the hand at its table, from 0."),
    "played_at": ("Played", "When the hand was played (UTC)."),
    "site": ("Room", "Where the hand was played."),
    "player": ("Player", "Strategy or player."),
    "position": ("Position", "1 acts first; the dealer acts last."),
    "fl_cards": ("Came in", "Fantasyland cards the player came in with; 0: a normal hand."),
    "points": ("Points", "Points won from all opponents together."),
    "royalties": ("Royalties", "Royalty points of the three rows."),
    "fouled": ("Fouled", "The rows were out of order."),
    "front_class": ("Front", "What the front makes."),
    "middle_class": ("Middle", "What the middle makes."),
    "back_class": ("Back", "What the back makes."),
    "loss": ("Lost by play", "Points that the placements of the hand lost against the best ones, as the review found."),
    "next_fl": ("Next", "Fantasyland cards earned for the next hand."),
}
"""Heads of the table with their explanations."""


def found(summary: Mapping[str, Any], of: int) -> tuple[str, str]:
    """Headline and sentence of the rows that are shown, as HTML."""
    share = "" if summary["hands"] == of else f" of {of:,}"
    headline = f"{summary['hands']:,}{share} player-hand{'' if of == 1 else 's'}."
    if summary["points"] is None:
        return headline, "Their points are not known: the source does not tell enough."
    told = [f"{signed(summary['points'], 2)} points"]
    if summary["fouled"] is not None:
        told.append(f"{percent(summary['fouled'])} fouled")
        told.append(f"{summary['royalties']:.2f} royalties")
    return headline, f"On the mean {', '.join(told)}."


def hand_title(hand: ofc.log.LoggedHand) -> str:
    """The name of a hand: its number at the table, where and when it was played."""
    told = [f"Hand {hand.hand_no:,}"]
    if hand.site:
        told.append(hand.site)
    if hand.played_at:
        told.append(f"{hand.played_at:%Y-%m-%d %H:%M} UTC")
    return ", ".join(told)


def reviewed(row: Mapping[str, Any]) -> str:
    """What a review has found of one decision, in a line of text."""
    what = "Fantasyland" if row["fl_cards"] else f"Street {row['street']}"
    if row["is_best"]:
        return f"{what}: ✓ best."
    if row["ev_loss"] <= 2 * row["se"]:
        return f"{what}: ≈ too close to call."
    mark = "??" if row["ev_loss"] >= 2 else "?"
    return f"{what}: {mark} lost {row['ev_loss']:.2f} points; best was {row['best']}."


REPLAY = "What could you see, what did you play, what did it cost?"
NO_STREETS = "The source does not tell in which order the cards came: only the boards at the end can be shown."


def seat_note(hand: ofc.log.LoggedHand, seat: ofc.log.LoggedSeat) -> str:
    """Where a player sat."""
    if seat.position is None:
        return ""
    last = seat.position == len(hand.seats)
    return "acts last, dealer" if last else "acts first" if seat.position == 1 else f"acts in place {seat.position}"


def cost(row: Mapping[str, Any], best: str) -> tuple[str, str]:
    """What a played placement cost, as HTML; `best`: the best one in words."""
    if row["verdict"] == "best":
        return "✓ The best placement.", f"{_chances(row)}"
    if row["verdict"] == "too close to call":
        return f"≈ Too close to call: within the noise of {best}.", f"{_chances(row)}"
    error = f" (±{1.96 * row['loss_se']:.2f})" if row["loss_se"] else ""
    return f"{'??' if row['loss'] >= 2 else '?'} This cost {row['loss']:.2f} points{error}.", f"Better: {best}."


def _chances(row: Mapping[str, Any]) -> str:
    fantasyland, foul = whole_percent(row["fantasyland"]), whole_percent(row["foul"])
    return f"It reaches Fantasyland {fantasyland} of the time and fouls {foul}."


def result(name: str, points: int | None, seat: Any) -> str:
    """What a hand brought a player, in a line of text."""
    told = [f"{name}: {signed(points)} points" if points is not None else name]
    if seat is not None:
        told.append("fouled" if seat.fouled else f"{counted(seat.royalties.total, 'royalty point')}")
        if seat.next_fantasyland:
            told.append(f"Fantasyland with {seat.next_fantasyland} cards next")
    return ", ".join(told)


def seat_name(hand: ofc.log.LoggedHand, seat: ofc.log.LoggedSeat) -> str:
    """The name of a player; players of one name are told apart by their place."""
    same = [other for other in hand.seats if other.name == seat.name]
    return seat.name if len(same) == 1 else f"{seat.name} ({seat.position or seat.seat + 1})"


def fantasyland_set(decision: ofc.log.LoggedDecision, rules: ofc.Rules) -> str:
    """How a Fantasyland hand was set, beside the most royalties it could have."""
    best = ofc.set_fantasyland(decision.dealt, rules)
    read = ofc.describe_board(decision.board.place(decision.placement), rules)
    played = sum(row.royalty or 0 for row in read)
    if played >= best.royalties:
        return f"Set for {counted(played, 'royalty point')}: there are no more in these cards."
    return f"Set for {counted(played, 'royalty point')}; {best.royalties} were in these cards."
