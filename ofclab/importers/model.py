"""One imported hand, whatever its format: what a format yields and what must hold before a log takes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

from ofclab.cards import DECK, UNSEEN, Card, format_cards
from ofclab.importers.sessions import ImportedSession
from ofclab.kernels.placement import BACK, DISCARD, FRONT, MIDDLE, NOT_PLACED, UNKNOWN_ROW
from ofclab.log.schema import SCORABLE, Completeness
from ofclab.rules import Rules

ROW_NAMES = ("front", "middle", "back")
ROW_SIZES = (3, 5, 5)
MOST_CARDS = 17


class HandError(ValueError):
    """A hand that cannot be what happened; the message says what is wrong with it, ``line`` where if that is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class ImportedSeat:
    """One player's part of a hand. ``cards`` are card ids, in deal order where the source knows it; 255 = unseen."""

    player: str | None = None
    """The name the source prints; the log holds a pseudonym."""
    cards: tuple[int, ...] = ()
    placement: tuple[int, ...] = ()
    """A code for each card: 0 front, 1 middle, 2 back, 3 discarded, 4 dealt but not placed, 5 row unknown."""
    fl_cards: int = 0
    discards_known: bool = False
    strategy: str | None = None
    announced: bool | None = None
    stack_before: int | None = None
    stack_after: int | None = None
    points_recorded: int | None = None
    royalties_recorded: int | None = None
    foul_recorded: bool | None = None
    next_fl_recorded: int | None = None

    def row(self, code: int) -> tuple[int, ...]:
        """The cards of one placement code, in the order given."""
        return tuple(card for card, where in zip(self.cards, self.placement, strict=True) if where == code)

    @property
    def placed(self) -> int:
        """How many cards lie in the rows."""
        return sum(map(self.placement.count, (FRONT, MIDDLE, BACK, UNKNOWN_ROW)))


@dataclass(frozen=True)
class Act:
    """One placement as the source saw it happen; acts stand in the order in which they were made."""

    seat: int
    street: int | None = None
    seconds: float | None = None
    auto: bool | None = None


@dataclass(frozen=True)
class ImportedHand:
    """One hand as a source tells it."""

    file: str
    line: int
    site: str | None
    seats: tuple[ImportedSeat, ...]
    completeness: Completeness
    site_hand_id: str | None = None
    table: str | None = None
    """The source's own name of the table or session."""
    hand_no: int = 0
    button: int | None = None
    played_at: datetime | None = None
    point_value_minor: int | None = None
    currency: str | None = None
    observer_seats: tuple[int, ...] | None = None
    """Seats that saw their own cards; None: the source sees everything."""
    acts: tuple[Act, ...] = ()
    warnings: tuple[str, ...] = ()
    rules: Rules | None = None
    """The rules the source says it was played under; None: the importer's default."""
    seat_numbers: tuple[int, ...] = ()
    """Numbers of the seats; by default their places in ``seats``."""
    positions: tuple[int | None, ...] = ()
    """Seats counted from the left of the button, where the source says so; else they follow from the button."""
    source: tuple[str | None, int | None] | None = None
    """File and line the log shall name; None: where the hand was read."""
    seed_key: str | None = None
    hand_id: int | None = None
    table_id: int | None = None
    match_id: int | None = None
    raw: str = field(default="", compare=False, repr=False)
    """The source's own text of the hand, for the list of rejects."""

    def numbered(self) -> Iterator[tuple[int, ImportedSeat]]:
        """Seat numbers with their seats."""
        return zip(self.seat_numbers or range(len(self.seats)), self.seats, strict=True)


@dataclass(frozen=True)
class Reject:
    """A line or hand that was not taken: where it stands, why, and its text."""

    file: str
    line: int
    reason: str
    raw: str = ""


class Importer(Protocol):
    """One format: a module of this package that defines ``IMPORTER``, an object with these names.

    It may have two more: ``write(log, path) -> int`` makes it a format to export, ``read_together(paths, timezone)``
    reads files of one folder that are imported together as one source, for states in files of their own.
    """

    name: str
    description: str
    rules: str
    """The preset its hands are scored under unless the caller says otherwise."""

    def detect(self, path: Path, head: bytes) -> str | None:
        """Why this file looks like the format, or None; ``head`` is how the file begins. Never raises."""

    def read(self, path: Path, timezone: str) -> Iterator[ImportedHand | ImportedSession | Reject]:
        """Every hand or session of the file, or why it cannot be taken. ``timezone``: of times that carry none."""


_BOUNDS = {
    "hand_no": 32, "button": 8, "line": 32, "point_value_minor": -64, "hand_id": 64, "table_id": 64, "match_id": 64,
    "stack_before": -64, "stack_after": -64, "points_recorded": -32, "royalties_recorded": -32, "next_fl_recorded": 8,
}  # fmt: skip
"""Bits of the log's number columns; negative: with a sign."""


_CARD_IDS = frozenset((*range(DECK + 2), UNSEEN))
_CODES = frozenset(range(6))


def _check_numbers(part: ImportedHand | ImportedSeat) -> None:
    for name, bits in _BOUNDS.items():
        value = getattr(part, name, None)
        low, high = (0, 2**bits) if bits > 0 else (-(2 ** (-bits - 1)), 2 ** (-bits - 1))
        if value is not None and not low <= value < high:
            raise HandError(f"{name} is {value}; a log holds {low} to {high - 1}")


def _check_texts(hand: ImportedHand) -> None:
    names = [name for seat in hand.seats for name in (seat.player, seat.strategy)]
    file = hand.source[0] if hand.source else hand.file
    for text in (hand.site, hand.site_hand_id, hand.table, hand.currency, hand.seed_key, file, *hand.warnings, *names):
        try:
            (text or "").encode()
        except UnicodeEncodeError:
            raise HandError(f"{text!r} is not text") from None


def check(hand: ImportedHand) -> None:
    """Raise HandError when the hand cannot be: a card twice, an overfull row, cards that do not add up."""
    _check_numbers(hand)
    _check_texts(hand)
    if not 1 <= len(hand.seats) <= 4:
        raise HandError(f"want one to four players, got {len(hand.seats)}")
    for number, seat in hand.numbered():
        _check_seat(seat, f"seat {number}", hand.completeness)
    known = [card for seat in hand.seats for card in seat.cards if card != UNSEEN]
    if len(set(known)) != len(known):
        twice = next(card for i, card in enumerate(known) if card in known[:i])
        raise HandError(f"{Card(twice)} stands twice in the hand")
    numbers = [number for number, _ in hand.numbered()]
    if not all(0 <= number < 8 for number in (*numbers, *(hand.observer_seats or ()))):
        raise HandError(f"seats are numbered 0 to 7, got {numbers}, observers {hand.observer_seats or ()}")
    for act in hand.acts:
        if act.seat not in numbers or not (act.street is None or 0 <= act.street < 256):
            raise HandError(
                f"an act of seat {act.seat} on street {act.street}; seats are {', '.join(map(str, numbers))}"
            )
    if len(set(numbers)) != len(numbers):
        raise HandError(f"a seat stands twice: {numbers}")
    if hand.button is not None and hand.button not in numbers:
        raise HandError(f"the button is at seat {hand.button}, the players at {', '.join(map(str, numbers))}")
    for number, said, counted in zip(numbers, positions_of(hand), _counted(hand), strict=True):
        if said is not None and counted is not None and said != counted:
            raise HandError(f"seat {number} says position {said}; with the button at {hand.button} it is {counted}")


def _check_seat(seat: ImportedSeat, name: str, completeness: Completeness) -> None:
    _check_numbers(seat)
    if strange := set(seat.cards) - _CARD_IDS:
        raise HandError(f"no card has the id {min(strange)}")
    if len(seat.cards) > MOST_CARDS:
        raise HandError(f"{name} has {len(seat.cards)} cards; nobody is dealt more than {MOST_CARDS}")
    if len(seat.placement) != len(seat.cards) or not set(seat.placement) <= _CODES:
        raise HandError(f"{name} has {len(seat.cards)} cards and the placement codes {list(seat.placement)}")
    if seat.placed > 13:
        raise HandError(f"{name} has placed {seat.placed} cards; a board holds 13")
    for code, (row, size) in enumerate(zip(ROW_NAMES, ROW_SIZES, strict=True)):
        if (count := seat.placement.count(code)) > size:
            raise HandError(f"the {row} of {name} holds {size} cards, got {count}: {format_cards(seat.row(code))}")
    if seat.fl_cards and not 13 <= seat.fl_cards <= MOST_CARDS:
        raise HandError(f"{name} came in with {seat.fl_cards} Fantasyland cards; want 13 to {MOST_CARDS}, or 0")
    if completeness in SCORABLE:
        shown = sum(map(seat.placement.count, (FRONT, MIDDLE, BACK)))
        if UNSEEN in seat.cards:
            shown -= sum(seat.row(code).count(UNSEEN) for code in (FRONT, MIDDLE, BACK))
        if shown != 13:
            raise HandError(f"{name} shows {shown} of 13 cards in their rows; such a hand is not {completeness}")
        if NOT_PLACED in seat.placement or UNKNOWN_ROW in seat.placement:
            raise HandError(f"{name} was dealt {len(seat.cards)} cards and did not place or discard them all")
    if completeness is Completeness.FULL and seat.fl_cards and seat.fl_cards != len(seat.cards):
        raise HandError(f"{name} came in with {seat.fl_cards} Fantasyland cards and shows {len(seat.cards)}")


def refuse_under(hand: ImportedHand, rules: Rules) -> None:
    """Raise HandError when a hand cannot have been played under these rules: a joker too many, a player too many."""
    jokers = {card for seat in hand.seats for card in seat.cards if DECK <= card < UNSEEN}
    over = [str(Card(card)) for card in sorted(jokers) if card >= DECK + rules.deck.jokers]
    if over:
        raise HandError(
            f"{rules.name} plays without {' and '.join(over)}; choose other rules, such as joker-progressive"
        )
    if len(hand.seats) > rules.players.max:
        raise HandError(f"{len(hand.seats)} players; {rules.name} seats {rules.players.max}; choose other rules")


def _hash(*parts: object) -> int:
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def content_of(hand: ImportedHand) -> str:
    """A hand's text for comparing hands that carry no id: rows are sets, and who sits where does not count."""
    seats = []
    for seat in hand.seats:
        rows = [",".join(map(str, sorted(seat.row(code)))) for code in range(6) if code != DISCARD]
        # Discards are left out of finished hands: two observers of one hand know different ones.
        known = seat.row(DISCARD) if hand.completeness is Completeness.UNFINISHED else ()
        scored = (seat.player, seat.points_recorded) if not seat.cards else ()
        seats.append(f"{'/'.join(rows)}|{sorted(known)}|{seat.fl_cards}|{scored}")
    return ";".join(sorted(seats)) + f"|{hand.played_at or ''}"


class HandIds:
    """Ids of one source's hands: of the site's own id where there is one, else of the content and its occurrence."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def of(self, hand: ImportedHand) -> int:
        """The id of the next hand of the source."""
        if hand.hand_id is not None:
            return hand.hand_id
        if hand.site_hand_id is not None:
            return _hash("hand", hand.site, hand.site_hand_id)
        content = content_of(hand)
        self._seen[content] += 1
        return _hash("hand", hand.site, content, self._seen[content])


def table_id_of(hand: ImportedHand, hand_id: int) -> int:
    """The id of the hand's table; a hand of no known table is a table of its own."""
    if hand.table_id is not None:
        return hand.table_id
    return hand_id if hand.table is None else _hash("table", hand.site, hand.table)


def positions_of(hand: ImportedHand) -> Sequence[int | None]:
    """Seats counted from the left of the button, 1 first, as the source or else the button says; None: unknown."""
    return hand.positions or _counted(hand)


def _counted(hand: ImportedHand) -> list[int | None]:
    if hand.button is None:
        return [None] * len(hand.seats)
    order = sorted(number for number, _ in hand.numbered())
    start = order.index(hand.button) + 1
    return [(order.index(number) - start) % len(order) + 1 for number, _ in hand.numbered()]
