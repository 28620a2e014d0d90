"""States of one KKPoker table: read one by one, and told as a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ofclab.cards import DECK, RANKS, SUITS, Card, format_cards
from ofclab.importers._json_objects import given_or, wanted
from ofclab.importers._states import Rows, State, tell
from ofclab.importers.model import ROW_NAMES, ROW_SIZES, HandError, ImportedHand, ImportedSeat
from ofclab.rules import Rules, load_rules

_ROWS = {"top": 0, "middle": 1, "bottom": 2}
_MODES: dict[str, dict[str, Any]] = {"joker_ultimate": {}, "joker_progressive": {"fantasyland.stay_cards": 14}}
"""What each mode changes: Ultimate deals a stay as many cards as before, Progressive 14."""
_CARDS = {f"{rank}{suit}": 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)}
_CARDS |= {"JK1": DECK, "JK2": DECK + 1}
_MOST_HIDDEN = 17


@lru_cache(maxsize=4)
def rules_of(mode: str) -> Rules:
    """The room's rules: a joker may copy a card already held, never makes five of a kind, nor an avoidable foul."""
    base = load_rules("joker-progressive")
    changes = {"jokers.may_copy": "any", "jokers.reading": "strongest_legal", "jokers.five_of_a_kind": False}
    return base.replace(changes | _MODES[mode], name=f"kkpoker-{mode.replace('_', '-')}")


@dataclass(frozen=True)
class Chair:
    """One player of a state."""

    name: str
    fantasy: bool | None
    state: State


@dataclass(frozen=True)
class Frame:
    """One state; ``pending`` are cards the hero has laid down but not confirmed."""

    mode: str
    round: int
    chairs: Mapping[int, Chair]
    hero: int
    dealer: int | None
    pending: tuple[tuple[int, int], ...]
    can_confirm: bool
    line: int
    raw: str

    @property
    def confirmed(self) -> Frame:
        """The state once the hero confirms: pending cards lie, and what is left of the hand is discarded."""
        hero = self.chairs[self.hero]
        rows = [list(row) for row in hero.state.rows]
        for card, row in self.pending:
            rows[row].append(card)
        laid = {card for card, _ in self.pending}
        left = tuple(card for card in hero.state.hand if card not in laid)
        now = State((tuple(rows[0]), tuple(rows[1]), tuple(rows[2])), discards=hero.state.discards + left)
        return replace(self, chairs={**self.chairs, self.hero: replace(hero, state=now)}, pending=())


def read_cards(value: object, what: str) -> tuple[int, ...]:
    """Cards of a list. Raises HandError naming the token that is none."""
    if not isinstance(value, list):
        raise HandError(f"{what} is {str(value)[:60]!r}; want a list of cards")
    if wrong := [card for card in value if not isinstance(card, str) or card not in _CARDS]:
        raise HandError(f"no card {wrong[0]!r} in {what}; this format writes Ks, Th, and JK1, JK2 for jokers")
    return tuple(_CARDS[card] for card in value)


def read_frame(value: Mapping[str, Any], line: int, raw: str) -> Frame:
    """One state. Raises HandError for what no state holds."""
    if value.get("schema_version") != 1:
        raise HandError(f"schema_version is {value.get('schema_version')!r}; have 1")
    state = wanted(value, "state", dict, "the frame")
    mode = state.get("mode")
    if not isinstance(mode, str) or mode not in _MODES:
        raise HandError(f"no mode {mode!r}; have {', '.join(_MODES)}")
    hero = wanted(state, "hero_chair", int, "the state")
    incoming = read_cards(state.get("hero_incoming"), "hero_incoming")
    discards = read_cards(state.get("hero_discards"), "hero_discards")
    chairs: dict[int, Chair] = {}
    for player in wanted(state, "players", list, "the state"):
        if not isinstance(player, dict):
            raise HandError(f"a player is {str(player)[:60]!r}; want an object")
        number = wanted(player, "chair", int, "a player")
        if number in chairs:
            raise HandError(f"chair {number} stands twice")
        chairs[number] = _chair(player, f"chair {number}", (incoming, discards) if number == hero else None)
    if hero not in chairs:
        raise HandError(f"hero_chair is {hero}; have {', '.join(map(str, chairs)) or 'no players'}")
    dealer = given_or(state, "dealer_chair", int, None, "the state")
    frame = Frame(
        mode, wanted(state, "round_index", int, "the state"), chairs, hero, dealer,
        _pending(wanted(state, "hero_pending", list, "the state")),
        given_or(state, "hero_can_confirm", bool, False, "the state"), line, raw,
    )  # fmt: skip
    if frame.round not in range(-1, 5):
        raise HandError(f"round_index is {frame.round}; want 0 to 4, or -1 in Fantasyland")
    _check(frame)
    return frame


def _chair(player: Mapping[str, Any], what: str, own: tuple[tuple[int, ...], tuple[int, ...]] | None) -> Chair:
    board = wanted(player, "board", dict, what)
    if strange := [row for row in board if row not in _ROWS]:
        raise HandError(f"no row {strange[0]!r} of {what}; have {', '.join(_ROWS)}")
    found = {row: read_cards(board[row], f"{row} of {what}") if board.get(row) else () for row in _ROWS}
    if over := [row for row, cards in found.items() if len(cards) > ROW_SIZES[_ROWS[row]]]:
        raise HandError(f"the {over[0]} of {what} holds {ROW_SIZES[_ROWS[over[0]]]} cards, got {len(found[over[0]])}")
    rows: Rows = (found["top"], found["middle"], found["bottom"])
    hidden = given_or(player, "hidden_incoming_count", int, 0, what)
    if not 0 <= hidden <= _MOST_HIDDEN:
        raise HandError(f"hidden_incoming_count of {what} is {hidden}; nobody is dealt more than {_MOST_HIDDEN}")
    incoming, discards = own or ((), ())
    state = State(rows, hand=incoming, hidden=0 if own else hidden, discards=discards)
    return Chair(wanted(player, "name", str, what), given_or(player, "fantasy", bool, None, what), state)


def _pending(placed: Sequence[object]) -> tuple[tuple[int, int], ...]:
    found = []
    for one in placed:
        if not isinstance(one, dict) or not isinstance(one.get("row"), str) or one["row"] not in _ROWS:
            raise HandError(f"hero_pending holds {str(one)[:60]!r}; want a card and a row {', '.join(_ROWS)}")
        found += [(card, _ROWS[one["row"]]) for card in read_cards([one.get("card")], "hero_pending")]
    return tuple(found)


def _check(frame: Frame) -> None:
    """Raise HandError when a card stands twice, or the hero lays what he does not hold or where no room is."""
    seen: set[int] = set()
    for chair in frame.chairs.values():
        state = chair.state
        for card in (*state.rows[0], *state.rows[1], *state.rows[2], *state.hand, *state.discards):
            if card in seen:
                raise HandError(f"{Card(card)} stands twice in the state")
            seen.add(card)
    own = frame.chairs[frame.hero].state
    laid = [card for card, _ in frame.pending]
    if strange := [card for card in laid if card not in own.hand or laid.count(card) > 1]:
        raise HandError(f"hero_pending lays {Card(strange[0])}, which is not among {format_cards(own.hand) or 'none'}")
    for row, size in enumerate(ROW_SIZES):
        lying = len(own.rows[row]) + sum(where == row for _, where in frame.pending)
        # Before his turn a player may shove cards about as he likes.
        if lying > size and frame.can_confirm:
            raise HandError(f"the {ROW_NAMES[row]} of the hero would hold {lying} cards; it has room for {size}")


def goes_on(before: Frame, after: Frame) -> bool:
    """Tell whether a state can be a later one of the same hand."""
    same = ("mode", "hero", "dealer")
    if any(getattr(before, name) != getattr(after, name) for name in same) or after.round < before.round:
        return False
    if {number: chair.name for number, chair in before.chairs.items()} != {
        number: chair.name for number, chair in after.chairs.items()
    }:
        return False
    for number, chair in before.chairs.items():
        rows = zip(chair.state.rows, after.chairs[number].state.rows, strict=True)
        if not all(set(early) <= set(late) for early, late in rows):
            return False
    own, later = (frame.chairs[frame.hero].state for frame in (before, after))
    known = {card for row in later.rows for card in row} | {*later.hand, *later.discards}
    return set(own.discards) <= set(later.discards) and set(own.hand) <= known


def hand_of(file: str, frames: Sequence[Frame], confirm: bool) -> ImportedHand:
    """The hand these states show; ``confirm``: as if the hero confirmed what he has laid down."""
    last = frames[-1]
    waits = last.can_confirm and bool(last.pending)
    if confirm and waits:
        frames = [*frames, last.confirmed]
    numbers = sorted(last.chairs)
    times = [[frame.chairs[number].state for number in numbers] for frame in frames]
    flags = [_came_in(frames, number) for number in numbers]
    told, completeness, acts = tell(times, rules_of(last.mode), flags)
    warnings = [f"seat {number} {note}" for number, seat in zip(numbers, told, strict=True) for note in seat.notes]
    if confirm and waits:
        warnings.append("read as if the last placement had been confirmed")
    elif last.pending:
        laid = (f"{Card(card)} {ROW_NAMES[row]}" for card, row in last.pending)
        warnings.append(f"laid down but not confirmed: {', '.join(laid)}")
    seats: list[ImportedSeat] = [
        replace(one.seat, player=last.chairs[number].name) for number, one in zip(numbers, told, strict=True)
    ]
    return ImportedHand(
        file=file, line=frames[0].line, site="kkpoker", seats=tuple(seats), completeness=completeness,
        button=last.dealer, observer_seats=(last.hero,), warnings=tuple(warnings), rules=rules_of(last.mode),
        acts=tuple(replace(act, seat=numbers[act.seat]) for act in acts), seat_numbers=tuple(numbers),
        raw="\n".join(dict.fromkeys(frame.raw for frame in frames)),
    )  # fmt: skip


def _came_in(frames: Sequence[Frame], number: int) -> int | None:
    """Cards a player came in with as far as the states say so: 13 for "in Fantasyland"."""
    said = {frame.chairs[number].fantasy for frame in frames} - {None}
    if len(said) > 1:
        raise HandError(f"chair {number} is in Fantasyland in one state and not in another")
    if said:
        return 13 if said.pop() else 0
    # The hero's own cards tell, and round -1 with nobody marked tells nothing about the others.
    return None if frames[-1].round == -1 else 0
