"""Write the hands of a log as people type them: street by street where the order is known, else three rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any

from ofclab.cards import UNSEEN, format_cards
from ofclab.importers._typed_session import write_rules
from ofclab.importers.model import HandError
from ofclab.importers.rulesets import nearest_preset
from ofclab.importers.sessions import decimals
from ofclab.kernels.placement import DISCARD, NO_CARD, NOT_PLACED
from ofclab.log import Completeness, Log
from ofclab.log.arrays import card_array, placement_array
from ofclab.log.parts import put

_WRITTEN = (
    Completeness.FULL, Completeness.OWN_DISCARDS, Completeness.FINAL_BOARDS, Completeness.UNFINISHED,
    Completeness.SCORE_ONLY,
)  # fmt: skip
_ORDERED = (Completeness.FULL, Completeness.OWN_DISCARDS)
Pairs = list[tuple[int, int]]


def write_typed(log: Log, path: Path) -> int:
    """Write every hand of a log as typed boards; how many. HandError for a hand that cannot be typed."""
    lines: list[str] = []
    count = 0
    for number in log.parts:
        hands, seats = log.part(number)
        cards, codes = card_array(seats).tolist(), placement_array(seats).tolist()
        rows = seats.select(
            "player", "fl_cards", "discards_known", "points_recorded", "royalties_recorded", "foul_recorded",
            "next_fl_recorded", "seat",
        ).rows(named=True)  # fmt: skip
        first = 0
        for hand in hands.iter_rows(named=True):
            places = range(first, first + hand["n_seats"])
            first += hand["n_seats"]
            dealt = [
                [(card, code) for card, code in zip(cards[i], codes[i], strict=True) if code != NO_CARD] for i in places
            ]
            count += 1
            lines += _hand(hand, [rows[i] for i in places], dealt, log, count)
    put(path, "".join(f"{line}\n" for line in lines).encode())
    return count


def _hand(
    hand: Mapping[str, Any], seats: Sequence[Mapping[str, Any]], dealt: Sequence[Pairs], log: Log, count: int
) -> Iterator[str]:
    """The lines of one hand."""
    if hand["completeness"] not in _WRITTEN:
        raise HandError(
            f"hand {hand['hand_id']} is {hand['completeness']}; typed boards hold {', '.join(_WRITTEN)}; write jsonl"
        )
    if any(card == UNSEEN and code < DISCARD for pairs in dealt for card, code in pairs):
        raise HandError(f"hand {hand['hand_id']} has a row with a card nobody saw; write jsonl")
    rules = log.rulesets[hand["ruleset_id"]]
    preset, changes = nearest_preset(rules)
    yield f"Rules: {write_rules(rules.name or preset, preset, changes)}"
    if hand["point_value_minor"] is not None and hand["currency"] is not None:
        yield f"Point: {_amount(hand['point_value_minor'], hand['currency'])}"
    if hand["table_id"] != hand["hand_id"]:
        yield f"Table: #{hand['table_id']:016x}"
    yield f"Id: {hand['hand_id']:016x}"
    played_at = hand["played_at"]
    when = "" if played_at is None else f", {played_at.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f} UTC"
    yield f"Hand {hand['hand_no']}{when}"
    if hand["completeness"] == Completeness.SCORE_ONLY:
        yield "points: " + ", ".join(
            f"{seat['player'] or i} {seat['points_recorded'] or 0:+d}" for i, seat in enumerate(seats)
        )
        yield ""
        return
    for seat, pairs in zip(seats, dealt, strict=True):
        yield from _seat(hand, seat, pairs, log)
    yield ""


def _seat(hand: Mapping[str, Any], seat: Mapping[str, Any], pairs: Pairs, log: Log) -> Iterator[str]:
    notes = ["(Button)"] if hand["button"] == seat["seat"] else []
    notes += [f"(Fantasyland {seat['fl_cards']})"] if seat["fl_cards"] else []
    yield " ".join(filter(None, (seat["player"] or "", *notes))) + ":"
    rules = log.rulesets[hand["ruleset_id"]]
    deals = [len(pairs)] if seat["fl_cards"] else [rules.deal.initial, *(street.deal for street in rules.deal.rounds)]
    held = [(card, code) for card, code in pairs if code == NOT_PLACED]
    streets = _streets(pairs, deals, is_ordered=hand["completeness"] in _ORDERED)
    if streets:
        for street, of_street in enumerate(streets, 1):
            thrown = [card for card, code in of_street if code == DISCARD]
            yield f"{street}. {_rows(of_street)}" + (f"  discard {format_cards(thrown)}" if thrown else "")
    else:
        yield _rows(pairs)
        thrown = [card for card, code in pairs if code == DISCARD]
        if seat["discards_known"]:
            yield f"discards: {format_cards(thrown)}"
    if held:
        yield f"draw: {format_cards(card for card, _ in held)}"
    if seat["points_recorded"] is not None:
        yield f"points: {seat['points_recorded']:+d}"
    if seat["royalties_recorded"] is not None:
        yield f"royalties: {seat['royalties_recorded']}"
    if seat["foul_recorded"] is not None:
        yield "foul" if seat["foul_recorded"] else "not foul"
    if seat["next_fl_recorded"] is not None:
        yield f"next: {seat['next_fl_recorded']}"


def _streets(pairs: Pairs, deals: Sequence[int], is_ordered: bool) -> list[Pairs]:
    """The cards of each street; none where the cards do not stand in the order of the deal."""
    streets, first = [], 0
    for number, deal in enumerate(deals):
        of_street = [(card, code) for card, code in pairs[first : first + deal] if code != NOT_PLACED]
        first += deal
        thrown = sum(code == DISCARD for _, code in of_street)
        # A hand that is not finished does not say whether its order is known; where it fits the streets it is.
        if not is_ordered and of_street and (len(of_street) != deal or thrown != (1 if number and deal == 3 else 0)):
            return []
        if of_street:
            streets.append(of_street)
    is_told = is_ordered or any(code == DISCARD for _, code in pairs)
    return streets if is_told else []


def _rows(pairs: Pairs) -> str:
    rows = ([card for card, code in pairs if code == row] for row in range(3))
    return " / ".join(format_cards(row) or "-" for row in rows)


def _amount(minor: int, currency: str) -> str:
    places = decimals(currency)
    return f"{minor / 10**places:.{places}f} {currency}"
