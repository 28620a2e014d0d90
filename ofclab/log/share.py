"""Share a hand or a spot as text or as a short code for a link, with nothing in it that its viewer could not see."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import polars as pl

from ofclab.cards import DECK, UNSEEN, format_cards
from ofclab.kernels.placement import BACK, DISCARD, FRONT, MIDDLE, NO_CARD, NOT_PLACED
from ofclab.log.errors import LogError
from ofclab.log.schema import CARD_COLUMNS, SCORABLE, Completeness
from ofclab.rules import Rules, RulesError, load_rules, presets
from ofclab.rules.compiled import compile_rules

if TYPE_CHECKING:
    from ofclab.log.scan import Log

PREFIX = "ofc1-"
"""How a code begins; the number is its version."""
MOST_CODE = 4_000
_ORDERED = (Completeness.FULL, Completeness.OWN_DISCARDS)
_NOWHERE = 15
Street = tuple[tuple[int, int], ...]
"""Cards of one street with where they went: 0 front, 1 middle, 2 back, 3 discarded, 4 in the hand."""


class ShareError(ValueError):
    """A code that holds no hand, or a hand or seat that cannot be shared."""


@dataclass(frozen=True)
class SharedSeat:
    """What may be seen of one seat: its position (0: unknown), Fantasyland cards, and its cards street by street."""

    position: int
    fl_cards: int
    streets: tuple[Street, ...]
    hidden: bool = False
    """Whether its board is face down: in Fantasyland, before the showdown."""

    def row(self, code: int, streets: int | None = None) -> str:
        """The cards of one row, highest first, after so many streets; ``-`` for none."""
        found = [card for street in self.streets[:streets] for card, where in street if where == code]
        if code == DISCARD:
            return format_cards(found) or "-"
        return format_cards(sorted(found, reverse=True)) or "-"

    def board(self, streets: int | None = None) -> str:
        """``front / middle / back`` after so many streets."""
        return " / ".join(self.row(code, streets) for code in (FRONT, MIDDLE, BACK))


@dataclass(frozen=True)
class SharedHand:
    """A hand as its viewer saw it. ``viewer``: a place in ``seats``; None: the final boards, as everybody saw them.

    ``street``: the spot of that street, before its cards are placed; None: the whole hand. ``text`` and ``code`` hold
    the same; `read_shared` turns a code back. No names are in it, no other player's discards, and no card that lay face
    down.
    """

    seats: tuple[SharedSeat, ...]
    rules: Rules
    viewer: int | None = None
    street: int | None = None

    @property
    def text(self) -> str:
        """The hand as text; a spot is text that `ofclab.Spot.parse` reads."""
        return "\n".join(self._spot() if self.street is not None else self._hand())

    @property
    def code(self) -> str:
        """The hand as a code of letters, digits, ``-`` and ``_``, fit for a link."""
        head = json.dumps(_rules_told(self.rules), separators=(",", ":"), ensure_ascii=False).encode()
        viewer = _NOWHERE if self.viewer is None else self.viewer
        packed = bytes([viewer << 4 | (self.street or 0), len(self.seats)]) + len(head).to_bytes(2, "big") + head
        for seat in self.seats:
            packed += bytes([seat.position | seat.hidden << 7, seat.fl_cards, len(seat.streets)])
            for street in seat.streets:
                packed += bytes([len(street), *(byte for card, where in street for byte in (card, where))])
        return PREFIX + base64.urlsafe_b64encode(zlib.compress(packed, 9)).decode().rstrip("=")

    def __str__(self) -> str:
        return self.text

    def _spot(self) -> Iterator[str]:
        me = self.seats[self.viewer or 0]
        before = len(me.streets) - 1
        yield me.board(before)
        yield f"dealt: {format_cards(card for card, _ in me.streets[-1])}"
        if me.row(DISCARD, before) != "-":
            yield f"discards: {me.row(DISCARD, before)}"
        others = [seat for seat in self._from_left() if seat is not me]
        for seat in others:
            yield f"opponent: {f'Fantasyland {seat.fl_cards}' if seat.hidden else seat.board()}"
        dead = [seat.row(DISCARD) for seat in others if seat.row(DISCARD) != "-"]
        if dead:
            yield f"dead: {' '.join(dead)}"
        if me.position:
            yield f"position: {me.position}"
        yield from self._rules_line()

    def _hand(self) -> Iterator[str]:
        for seat in self._from_left():
            is_me = self.viewer is not None and seat is self.seats[self.viewer]
            name = "you" if is_me else "opponent" if self.viewer is not None else f"seat {self.seats.index(seat) + 1}"
            came_in = f", Fantasyland {seat.fl_cards}" if seat.fl_cards else ""
            place = f", position {seat.position}" if seat.position else ""
            yield f"{name}{place}{came_in}: {'face down' if seat.hidden else seat.board()}"
            if is_me and len(seat.streets) > 1:
                for number, street in enumerate(seat.streets, 1):
                    one = SharedSeat(0, 0, (street,))
                    thrown = f", discarded {one.row(DISCARD)}" if one.row(DISCARD) != "-" else ""
                    dealt = format_cards(sorted((card for card, _ in street), reverse=True))
                    yield f"  street {number}: {dealt} -> {one.board()}{thrown}"
            elif seat.row(DISCARD) != "-":
                yield f"  discarded {seat.row(DISCARD)}"
            elif not is_me and self.viewer is not None and len(seat.streets) > 1:
                for number, _ in enumerate(seat.streets, 1):
                    yield f"  after street {number}: {seat.board(number)}"
        yield from self._rules_line()

    def _from_left(self) -> list[SharedSeat]:
        """Seats from the viewer's left, the viewer last; in the order of play for a hand without one."""
        seats = sorted(self.seats, key=lambda seat: seat.position)
        if self.viewer is None:
            return seats
        place = seats.index(self.seats[self.viewer])
        return seats[place + 1 :] + seats[: place + 1]

    def _rules_line(self) -> Iterator[str]:
        if self.rules.name in presets() and load_rules(self.rules.name) == self.rules:
            yield f"rules: {self.rules.name}"


def share_hand(log: Log, hand_id: int, viewer: int | None = None, street: int | None = None) -> SharedHand:
    """A hand of a log, ready to be shown to others.

    ``viewer``: the seat whose view it is: its own cards and discards, and of the others what lay open; None: the final
    boards only. ``street``: only the spot of that street as the viewer saw it, what he did left out (1 is the first).
    Raises ShareError for a hand or seat that is not there, a hand not finished (without a viewer), and a street of a
    hand whose deal order is not known or in which the viewer did not act.
    """
    wanted = pl.col("hand_id") == pl.lit(hand_id, pl.UInt64)
    hands, rows = log.hands.filter(wanted).collect(), log.seats.filter(wanted).sort("seat").collect()
    if hands.is_empty():
        raise ShareError(f"no hand {hand_id} in {log.path}")
    hand, rules = hands.row(0, named=True), log.rulesets[hands["ruleset_id"][0]]
    finished, ordered = hand["completeness"] in SCORABLE, hand["completeness"] in _ORDERED
    seats = list(rows.iter_rows(named=True))
    numbers = [row["seat"] for row in seats]
    if viewer is not None and viewer not in numbers:
        raise ShareError(f"no seat {viewer} in hand {hand_id}; have {', '.join(map(str, numbers))}")
    if viewer is None and not finished:
        raise ShareError(f"hand {hand_id} is {hand['completeness']}: its boards were not shown; name a viewer")
    if street is not None and (viewer is None or not ordered):
        why = "name a viewer" if viewer is None else f"it is {hand['completeness']}, so its streets are not known"
        raise ShareError(f"no spot of hand {hand_id}: {why}")
    me = next((row for row in seats if row["seat"] == viewer), None)
    own = None if me is None else _streets(me, rules, ordered)
    if own is not None and street is not None:
        own = _until(own, street, hand_id)
    shown = [
        SharedSeat(row["position"] or 0, row["fl_cards"], own) if row is me and own is not None
        else _other(row, me, rules, ordered, finished, street)
        for row in seats
    ]  # fmt: skip
    return SharedHand(tuple(shown), rules, None if me is None else numbers.index(me["seat"]), street)


def read_shared(code: str) -> SharedHand:
    """The hand of a code. Raises ShareError for text that is no code, or one that was torn or changed."""
    text = code.strip()
    if not text.startswith(PREFIX) or len(text) > MOST_CODE:
        raise ShareError(f"no code of a hand: {text[:20]!r}; codes begin with {PREFIX}")
    body = text.removeprefix(PREFIX)
    try:
        packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        opened = zlib.decompressobj()
        content = opened.decompress(packed, 65_536)
        return _unpacked(content, complete=opened.eof and not opened.unused_data)
    except (binascii.Error, zlib.error, IndexError, ValueError, KeyError, TypeError, RulesError, LogError) as error:
        raise ShareError(f"the code was torn or changed: {error}") from None


def _unpacked(packed: bytes, complete: bool) -> SharedHand:
    if not complete:
        raise ShareError("its end is missing")
    viewer, street, count = packed[0] >> 4, packed[0] & 15, packed[1]
    size = int.from_bytes(packed[2:4], "big")
    told = json.loads(packed[4 : 4 + size])
    base = load_rules(told["preset"]) if told["preset"] in presets() else None
    if base is None:
        raise ShareError(f"no preset {told['preset']!r}")
    rules = base.replace(told["changes"], name=told.get("name")) if told.get("changes") else base
    at, seats = 4 + size, []
    for _ in range(count):
        position, fl_cards, n_streets = packed[at : at + 3]
        at += 3
        streets = []
        for _ in range(n_streets):
            n = packed[at]
            pairs = packed[at + 1 : at + 1 + 2 * n]
            streets.append(tuple((pairs[i], pairs[i + 1]) for i in range(0, 2 * n, 2)))
            at += 1 + 2 * n
        seats.append(SharedSeat(position & 127, fl_cards, tuple(streets), bool(position >> 7)))
    cards = [card for seat in seats for one in seat.streets for card, _ in one if card != UNSEEN]
    if at != len(packed) or not 1 <= count <= 4 or any(card >= DECK + 2 for card in cards):
        raise ShareError("it does not hold a hand")
    if len(set(cards)) != len(cards):
        raise ShareError("a card stands twice in it")
    return SharedHand(tuple(seats), rules, None if viewer == _NOWHERE else viewer, street or None)


def _rules_told(rules: Rules) -> dict[str, Any]:
    """A ruleset as the preset next to it and what it changes there; names of house rules stay at home."""
    flat = rules.flat()

    def changes(preset: str) -> dict[str, Any]:
        base = load_rules(preset).flat()
        return {name: value for name, value in flat.items() if base[name] != value}

    if rules.name in presets() and not changes(rules.name):
        return {"preset": rules.name}
    nearest = min(presets(), key=lambda preset: (len(changes(preset)), preset))
    found = changes(nearest)
    return {"preset": nearest, **({"changes": found} if found else {})}


def _deal(row: dict[str, Any]) -> list[tuple[int, int]]:
    codes = [row["placement"] >> 3 * i & 7 for i in range(len(CARD_COLUMNS))]
    return [(row[name], code) for name, code in zip(CARD_COLUMNS, codes, strict=True) if code != NO_CARD]


def _streets(row: dict[str, Any], rules: Rules, ordered: bool) -> tuple[Street, ...]:
    """A seat's own cards street by street; in one where the order is not known, or in Fantasyland."""
    deal = _deal(row)
    if row["fl_cards"] or not ordered:
        return (tuple(sorted(deal, key=lambda one: (one[1], -one[0]))),)
    ends = [0, *accumulate(compile_rules(rules).rounds[:, 0].tolist())]
    return tuple(tuple(deal[a:b]) for a, b in pairwise(ends) if deal[a:b])


def _until(streets: tuple[Street, ...], street: int, hand_id: int) -> tuple[Street, ...]:
    """The streets before one, and the cards it deals, what became of them left out."""
    if not 1 <= street <= len(streets):
        raise ShareError(f"no street {street} in hand {hand_id}; the player acted on 1 to {len(streets)}")
    return (*streets[: street - 1], tuple((card, NOT_PLACED) for card, _ in streets[street - 1]))


def _other(
    row: dict[str, Any], me: dict[str, Any] | None, rules: Rules, ordered: bool, finished: bool, street: int | None
) -> SharedSeat:
    """What a viewer saw of another seat: what lay open, never its order inside a street."""
    position, fl_cards = row["position"] or 0, row["fl_cards"]
    shown = rules.visibility.discards == "revealed"
    if street is None and finished:
        if me is None or fl_cards or not ordered:
            return SharedSeat(position, fl_cards, (_open(_deal(row), shown and me is not None),))
        return SharedSeat(position, 0, tuple(_open(one, shown) for one in _streets(row, rules, True)))
    if fl_cards:
        return SharedSeat(position, fl_cards, (), hidden=True)
    streets = list(_streets(row, rules, ordered))
    if street is not None:
        own = (me or {}).get("position") or 0
        sets_first = bool(me and me["fl_cards"]) and rules.fantasyland.set_timing == "before_play"
        streets = streets[: street - 1 + int(bool(position and own and position < own and not sets_first))]
        if sets_first:
            streets = []
    left, visible = 13 - rules.deal.last_face_down, []
    for one in streets:
        placed = [(card, code) for card, code in one if code <= BACK][: max(left, 0)]
        left -= len(placed)
        thrown = [(card, code) for card, code in one if code == DISCARD]
        visible.append(_open([*placed, *thrown], shown))
    return SharedSeat(position, 0, tuple(visible))


def _open(deal: list[tuple[int, int]] | Street, with_discards: bool) -> Street:
    kept = [(card, code) for card, code in deal if code <= BACK or (with_discards and code == DISCARD)]
    return tuple(sorted(((card, code) for card, code in kept if card != UNSEEN), key=lambda one: (one[1], -one[0])))
