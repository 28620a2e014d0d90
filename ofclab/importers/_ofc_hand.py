"""A hand of the fpdb-3 tracker, from its text or its tables: players, their boards, and rounds of placements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from zoneinfo import ZoneInfo

from ofclab.cards import Card, CardError, parse_cards
from ofclab.importers._states import Rows, State, Told, completeness_of, tell
from ofclab.importers.model import ROW_NAMES, ROW_SIZES, Act, HandError, ImportedHand, ImportedSeat
from ofclab.importers.reading import as_utc
from ofclab.kernels.placement import DISCARD, NOT_PLACED
from ofclab.rules import Rules, load_rules

VARIANTS = {"ofc": "american-regular", "ofcp": "american-pineapple", "ofcp_27": "deuce-pineapple"}
ROWS = {"top": 0, "middle": 1, "bottom": 2}
_CARD = re.compile(r"(?:[2-9JQKA]|10)[cdhs]")
_MOST_MINOR = 2**60


@dataclass
class Player:
    """A player as the tracker shows him in the end."""

    seat: int
    name: str
    stack: int | None
    """Hundredths."""
    points: int | None
    collected: str | None
    rows: dict[str, tuple[int, ...]] = field(default_factory=dict)
    active: tuple[int, ...] = ()


@dataclass(frozen=True)
class Round:
    """One change the tracker saw: who placed what where."""

    player: str
    placed: Mapping[str, tuple[int, ...]]
    discards: tuple[int, ...]
    dealt: tuple[int, ...] = ()
    line: int | None = None


@dataclass
class Tracked:
    """A hand while it is read."""

    number: str
    variant: str
    line: int
    site: str = "fpdb3"
    table: str | None = None
    played_at: datetime | None = None
    players: list[Player] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def read_cards(text: str) -> tuple[int, ...]:
    """Cards set apart by spaces, ``-`` for none. Raises HandError naming the token that is no card."""
    words = [word for word in text.strip(" ").split(" ") if word] if text.strip() != "-" else []
    if wrong := [word for word in words if not _CARD.fullmatch(word)]:
        raise HandError(f"no card {wrong[0][:20]!r}; this format writes 2-9 10 J Q K A and c d h s")
    try:
        return tuple(int(card) for card in parse_cards(" ".join(words)))
    except CardError as error:
        raise HandError(str(error)) from None


def read_amount(text: object, what: str) -> int:
    """Hundredths of an amount. Raises HandError for what is no number."""
    try:
        hundredths = Decimal(str(text)) * 100
        if hundredths == int(hundredths) and abs(hundredths) < _MOST_MINOR:
            return int(hundredths)
    except (InvalidOperation, ValueError, OverflowError):
        pass
    raise HandError(f"{what} is {str(text)[:40]!r}; want a number with two decimals at most")


def read_points(text: object) -> int:
    """Whole points. Raises HandError for what is no whole number."""
    hundredths = read_amount(text, "points")
    if hundredths % 100:
        raise HandError(f"points are whole numbers, got {text}")
    return hundredths // 100


def read_time(text: str, zone: ZoneInfo) -> datetime:
    """A time in UTC. Raises HandError for what is none."""
    time = as_utc(text, zone)
    if time is None:
        raise HandError(f"no time {text[:40]!r}; want such as 2026-06-28T10:00:00Z")
    return time


@lru_cache(maxsize=8)
def _rules(variant: str) -> Rules:
    return load_rules(VARIANTS[variant])


def _rows(player: Player) -> Rows:
    found = [player.rows.get(row, ()) for row in ROWS]
    for row, cards in enumerate(found):
        if len(cards) > ROW_SIZES[row]:
            raise HandError(
                f"the {ROW_NAMES[row]} of seat {player.seat} holds {ROW_SIZES[row]} cards, got {len(cards)}"
            )
    return found[0], found[1], found[2]


def _times(hand: Tracked) -> list[list[State]]:
    """The states of all seats after every round, and in the end."""
    names = [player.name for player in hand.players]
    rows: list[list[list[int]]] = [[[], [], []] for _ in names]
    discards: list[list[int]] = [[] for _ in names]
    times = [[State() for _ in names]]
    for change in hand.rounds:
        if change.player not in names:
            raise HandError(f"a round of {change.player[:40]!r}, who is none of the players", change.line)
        seat = names.index(change.player)
        before = list(times[-1])
        if change.dealt:
            before[seat] = replace(before[seat], hand=change.dealt)
            times.append(before)
        for row, cards in change.placed.items():
            rows[seat][ROWS[row]] += cards
        discards[seat] += change.discards
        here = rows[seat]
        state = State((tuple(here[0]), tuple(here[1]), tuple(here[2])), discards=tuple(discards[seat]))
        placed = [card for row_cards in state.rows for card in row_cards]
        if twice := [card for card in (*placed, *state.discards) if (placed + discards[seat]).count(card) > 1]:
            raise HandError(f"{Card(twice[0])} is placed twice", change.line)
        times.append([*before[:seat], state, *before[seat + 1 :]])
    return times


def hand_of(file: str, hand: Tracked, raw: str) -> ImportedHand:
    """The hand. Raises HandError where rounds and boards do not fit."""
    if hand.variant not in VARIANTS:
        raise HandError(f"no variant {hand.variant[:40]!r}; have {', '.join(VARIANTS)}", hand.line)
    if not hand.players:
        raise HandError("the hand has no players", hand.line)
    names = [player.name for player in hand.players]
    if len(set(names)) != len(names):
        raise HandError(f"a player stands twice: {', '.join(names)}", hand.line)
    rules = _rules(hand.variant)
    end = [State(_rows(player), hand=player.active) for player in hand.players]
    times = _times(hand)
    observers = [
        i for i in range(len(names)) if times[-1][i].discards or any(at[i].hand for at in times) or end[i].hand
    ]
    acts: tuple[Act, ...] = ()
    placed = [sum(map(len, state.rows)) for state in times[-1]]
    if all(not count for count in placed):
        # No rounds: the boards alone.
        told = [_board_only(state) for state in end]
        completeness = completeness_of(told)
    else:
        for i, state in enumerate(times[-1]):
            if any(set(shown) != set(built) for shown, built in zip(end[i].rows, state.rows, strict=True)):
                raise HandError(f"the rounds of seat {hand.players[i].seat} do not build the board it shows", hand.line)
        times.append([replace(state, discards=times[-1][i].discards) for i, state in enumerate(end)])
        told, completeness, acts = tell(times, rules)
    warnings = [*hand.warnings, *_collected(hand.players)]
    numbers = tuple(player.seat for player in hand.players)
    warnings += [f"seat {numbers[i]} {note}" for i, seat in enumerate(told) for note in seat.notes]
    finished = all(seat.is_complete for seat in told)
    return ImportedHand(
        file=file, line=hand.line, site=hand.site, site_hand_id=hand.number, table=hand.table, rules=rules,
        played_at=hand.played_at, completeness=completeness, observer_seats=tuple(numbers[i] for i in observers),
        seats=tuple(
            replace(seat.seat, player=player.name, stack_before=player.stack,
                    points_recorded=player.points if finished else None)
            for seat, player in zip(told, hand.players, strict=True)
        ),
        seat_numbers=numbers, acts=tuple(replace(act, seat=numbers[act.seat]) for act in acts),
        warnings=tuple(warnings), raw=raw,
    )  # fmt: skip


def _board_only(state: State) -> Told:
    """A seat of which only the last state is known."""
    groups = [(row, cards) for row, cards in enumerate(state.rows)] + [(DISCARD, state.discards)]
    is_complete = state.placed == 13
    groups.append((DISCARD if is_complete else NOT_PLACED, state.hand))
    seat = ImportedSeat(
        cards=tuple(card for _, cards in groups for card in cards),
        placement=tuple(code for code, cards in groups for _ in cards),
    )
    return Told(seat, is_complete, False)


def _collected(players: Sequence[Player]) -> list[str]:
    """What players took from the table, which a log has no column for."""
    return [f"seat {player.seat} collected {player.collected}" for player in players if player.collected]
