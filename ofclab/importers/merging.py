"""Put together what two sources know of one hand, or say where they contradict each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ofclab.cards import UNSEEN, Card
from ofclab.importers.model import ROW_NAMES, ROW_SIZES, HandError
from ofclab.kernels.placement import DISCARD, NO_CARD, NOT_PLACED, UNKNOWN_ROW
from ofclab.log.edit import MERGED
from ofclab.log.schema import CARD_COLUMNS, HANDS, SCORABLE, SEATS, Completeness

Row = Mapping[str, Any]
Deal = list[tuple[int, int]]
"""Cards with their placement codes, in deal order where that is known."""

_ORDERED = (Completeness.FULL, Completeness.OWN_DISCARDS)
_RANKS = (
    Completeness.FULL, Completeness.OWN_DISCARDS, Completeness.FINAL_BOARDS, Completeness.FINAL_CARDS_NO_ROWS,
    Completeness.UNATTRIBUTED_ROWS, Completeness.UNFINISHED, Completeness.SCORE_ONLY,
)  # fmt: skip
_OF_HAND = ("button",)
_OF_SEAT = (
    "position", "fl_cards", "announced", "stack_before", "stack_after", "points_recorded", "royalties_recorded",
    "foul_recorded", "next_fl_recorded",
)  # fmt: skip
_FILLED = ("site", "site_hand_id", "played_at", "point_value_minor", "currency", "seed_key", "match_id")


def seat_deal(seat: Row) -> Deal:
    """The cards of a row of the seats table."""
    codes = [seat["placement"] >> 3 * i & 7 for i in range(len(CARD_COLUMNS))]
    return [(seat[name], code) for name, code in zip(CARD_COLUMNS, codes, strict=True) if code != NO_CARD]


def merge(
    hand: Row, seats: Sequence[Row], other: Row, others: Sequence[Row]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The hand and seat rows that hold what both sources know; equal to the first where the second adds nothing.

    Raises HandError where they contradict each other.
    """
    if [seat["seat"] for seat in seats] != [seat["seat"] for seat in others]:
        raise HandError(f"other seats: {[s['seat'] for s in others]} instead of {[s['seat'] for s in seats]}")
    merged = dict(hand)
    for name in _OF_HAND:
        merged[name] = _one(hand[name], other[name], name)
    for name in _FILLED:
        merged[name] = hand[name] if hand[name] is not None else other[name]
    first, second = (Completeness(row["completeness"]) for row in (hand, other))
    joined = [_seat(a, b, first in _ORDERED, second in _ORDERED) for a, b in zip(seats, others, strict=True)]
    _refuse_repeats(joined)
    completeness = _completeness(first, second, joined)
    _refuse_broken(completeness, joined)
    merged["completeness"] = completeness.value
    if hand["observer_seats"] is None or other["observer_seats"] is None:
        merged["observer_seats"] = None if merged["completeness"] == Completeness.FULL else hand["observer_seats"]
    else:
        merged["observer_seats"] = hand["observer_seats"] | other["observer_seats"]
    if [dict(seat) for seat in seats] == joined and all(merged[name] == hand[name] for name in HANDS):
        return dict(hand), joined
    known = (hand["warnings"] or "").split("\n") if hand["warnings"] else []
    told = f"{MERGED}{other['source_file']}:{other['source_line']}"
    merged["warnings"] = "\n".join([*known, *([told] if told not in known else [])])
    return merged, joined


def _one(first: Any, second: Any, name: str, seat: int | None = None) -> Any:
    if first is None or second is None or first == second:
        return second if first is None else first
    where = "" if seat is None else f" of seat {seat}"
    raise HandError(f"{name}{where} is {second} instead of {first}")


def _seat(first: Row, second: Row, first_ordered: bool, second_ordered: bool) -> dict[str, Any]:
    number = first["seat"]
    seat = dict(first)
    for name in _OF_SEAT:
        seat[name] = _one(first[name], second[name], name, number)
    for name in ("player", "strategy"):
        seat[name] = first[name] if first[name] is not None else second[name]
    deal = _deal(seat_deal(first), seat_deal(second), first_ordered, second_ordered, number)
    held = {card for card, _ in deal}
    seat["discards_known"] = any(
        row["discards_known"] and {card for card, code in seat_deal(row) if code == DISCARD} <= held
        for row in (first, second)
    )
    for i, name in enumerate(CARD_COLUMNS):
        seat[name] = deal[i][0] if i < len(deal) else UNSEEN
    codes = [code for _, code in deal] + [NO_CARD] * (len(CARD_COLUMNS) - len(deal))
    seat["placement"] = sum(code << 3 * i for i, code in enumerate(codes))
    return {name: seat[name] for name in SEATS}


def _deal(first: Deal, second: Deal, first_ordered: bool, second_ordered: bool, seat: int) -> Deal:
    """The cards of a seat that two sources know."""
    where = {card: code for card, code in first if card != UNSEEN}
    for card, code in second:
        known = where.get(card, code)
        loose = NOT_PLACED in (known, code) or UNKNOWN_ROW in (known, code)
        if card != UNSEEN and known != code and not loose:
            raise HandError(f"{Card(card)} of seat {seat} is {_place(code)} instead of {_place(known)}")
    cards, others = set(where), {card for card, _ in second if card != UNSEEN}
    for row, size in enumerate(ROW_SIZES):
        both = {card for deal in (first, second) for card, code in deal if code == row and card != UNSEEN}
        if len(both) > size:
            raise HandError(f"the {ROW_NAMES[row]} of seat {seat} would hold {len(both)} cards: other cards lie there")
    if len(first) == len(second) and all(
        a == b or (UNSEEN in (a[0], b[0]) and a[1] == b[1]) for a, b in zip(first, second, strict=True)
    ):
        return [a if a[0] != UNSEEN else b for a, b in zip(first, second, strict=True)]
    if _is_loose(first) != _is_loose(second):
        # Who saw the hand to its end knows where the cards went.
        return second if _is_loose(first) else first
    if first_ordered != second_ordered:
        # The order of the deal is worth more than a discard that nobody can put in its place.
        return first if first_ordered else second
    if others <= cards and len(first) >= len(second):
        return first
    if cards <= others:
        return second
    raise HandError(f"of seat {seat} each source knows cards that the other does not, in an order that does not fit")


def _is_loose(deal: Deal) -> bool:
    return any(code in (NOT_PLACED, UNKNOWN_ROW) for _, code in deal)


def _refuse_broken(completeness: Completeness, seats: Sequence[Row]) -> None:
    """A hand whose rows are known must have them whole."""
    for seat in seats if completeness in SCORABLE else ():
        deal = seat_deal(seat)
        sizes = tuple(sum(code == row and card != UNSEEN for card, code in deal) for row in range(3))
        if _is_loose(deal) or sizes != ROW_SIZES:
            raise HandError(f"put together, the rows of seat {seat['seat']} would hold {sizes} cards")


def _place(code: int) -> str:
    return {DISCARD: "discarded", NOT_PLACED: "not placed"}.get(code) or f"in the {ROW_NAMES[code]}"


def _refuse_repeats(seats: list[dict[str, Any]]) -> None:
    seen: set[int] = set()
    for seat in seats:
        for card, _ in seat_deal(seat):
            if card != UNSEEN and card in seen:
                raise HandError(f"{Card(card)} would stand twice in the hand")
            seen.add(card)


def _completeness(first: Completeness, second: Completeness, seats: list[dict[str, Any]]) -> Completeness:
    best = min(first, second, key=_RANKS.index)
    all_seen = all(card != UNSEEN for seat in seats for card, _ in seat_deal(seat))
    if best is Completeness.OWN_DISCARDS and all_seen and all(seat["discards_known"] for seat in seats):
        return Completeness.FULL
    return best
