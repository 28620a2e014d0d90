"""The states of one hand of a web client: read one by one, then told as a hand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ofclab.cards import DECK, Card
from ofclab.importers._json_objects import given_or, wanted
from ofclab.importers._states import State, Told, tell
from ofclab.importers.model import ROW_SIZES, HandError, ImportedHand, ImportedSeat
from ofclab.rules import Rules, load_rules

GAMES = {
    70: ("OFC", "american-regular"),
    73: ("Turbo OFC", "turbo"),
    74: ("OFC/P", "american-pineapple"),
    75: ("OFC/P Progressive", "progressive-pineapple"),
    76: ("OFC/P 2-7", "deuce-pineapple"),
    77: ("OFC/P Variant", "american-pineapple"),
    84: ("OFC Variant", "american-regular"),
}
_VARIANTS = (77, 84)
_BOARD = re.compile(r"(?P<ids>(?:-?\d{1,4}(?:;-?\d{1,4})*)?)-(?P<top>\d{1,2})-(?P<middle>\d{1,2})-(?P<bottom>\d{1,2})")
_MOST_CARDS = 17


@dataclass(frozen=True)
class Player:
    """One seat of a state."""

    name: str
    state: State
    chips: int | None
    points: int | None
    royalties: int | None


@dataclass(frozen=True)
class Snapshot:
    """One state of a table."""

    hand: int
    table: str
    game: int
    is_over: bool
    button: int | None
    players: Mapping[int, Player]
    fouls: tuple[bool, ...] | None
    rake: int
    file: str
    line: int
    raw: str


@lru_cache(maxsize=16)
def _rules(game: int) -> Rules:
    return load_rules(GAMES[game][1])


def read_snapshot(value: Mapping[str, Any], file: str, line: int, raw: str) -> Snapshot:
    """One state. Raises HandError for what no state holds."""
    hand, game = wanted(value, "gi", int, "the state"), wanted(value, "gt", int, "the state")
    if game not in GAMES:
        known = ", ".join(f"{code} {name}" for code, (name, _) in GAMES.items())
        raise HandError(f"gt {game} is no open-face game; have {known}")
    if not 0 <= hand < 2**63:
        raise HandError(f"gi is {hand}; want the number of a hand")
    places = wanted(value, "s", list, "the state")
    players = {}
    for number, place in enumerate(places):
        if place is None or place == {} or (isinstance(place, dict) and not place.get("n") and not place.get("d")):
            continue
        if not isinstance(place, dict):
            raise HandError(f"seat {number} is {str(place)[:60]!r}; want an object")
        # A seat without cards sits out.
        if wanted(place, "d", str, f"seat {number}"):
            players[number] = _player(place, f"seat {number}")
    meta, pot = given_or(value, "m", dict, {}, "the state"), given_or(value, "d", dict, {}, "the state")
    button = given_or(meta, "di", int, None, "m")
    shown = given_or(given_or(value, "ss", dict, {}, "the state"), "hc", str, "", "ss")
    table = value.get("ti")
    if not isinstance(table, str | int) or isinstance(table, bool):
        raise HandError(f"ti of the state is {str(table)[:60]!r}; want a table")
    return Snapshot(
        hand=hand,
        table=str(table),
        game=game,
        is_over=wanted(value, "ts", int, "the state") == 0,
        button=button if button is not None and button >= 0 else None,
        players=players,
        fouls=_fouls(shown, len(players)),
        rake=given_or(pot, "r", int, 0, "d"),
        file=file,
        line=line,
        raw=raw,
    )


def goes_on(before: Snapshot, after: Snapshot) -> bool:
    """Tell whether a state is a later one of the same hand, and not another capture of it from the start."""
    if before.hand != after.hand or (before.is_over and not after.is_over):
        return False
    lying = [(number, player.state.placed) for number, player in before.players.items() if player.state.placed]
    again = [
        number for number, placed in lying if number in after.players and after.players[number].state.placed < placed
    ]
    return not lying or len(again) < len(lying)


def _fouls(shown: str, players: int) -> tuple[bool, ...] | None:
    """Who fouled: lines with fewer than three columns."""
    lines = shown.split("\n") if shown else []
    return tuple(line.count("\t") < 2 for line in lines) if len(lines) == players else None


def _player(place: Mapping[str, Any], what: str) -> Player:
    name = wanted(place, "n", str, what)
    return Player(
        name=name,
        state=_board(place["d"], what),
        chips=given_or(place, "c", int, None, what),
        points=given_or(place, "p", int, None, what),
        royalties=_royalties(place.get("chihr")),
    )


def _board(text: str, what: str) -> State:
    found = _BOARD.fullmatch(text)
    if found is None:
        raise HandError(f"d of {what} is {text[:80]!r}; want card ids and how many lie in each row")
    ids = [int(card) for card in found["ids"].split(";")] if found["ids"] else []
    sizes = [int(found[row]) for row in ("top", "middle", "bottom")]
    if len(ids) > _MOST_CARDS:
        raise HandError(f"{what} has {len(ids)} cards; nobody is dealt more than {_MOST_CARDS}")
    if sum(sizes) > len(ids):
        raise HandError(f"{what} has {len(ids)} cards and {sum(sizes)} in its rows")
    if over := [row for row, size in enumerate(sizes) if size > ROW_SIZES[row]]:
        raise HandError(f"{what} has {sizes[over[0]]} cards in row {over[0]}, which holds {ROW_SIZES[over[0]]}")
    known = [card for card in ids if 0 <= card < DECK]
    if twice := [card for card in known if known.count(card) > 1]:
        raise HandError(f"{Card(twice[0])} stands twice in {what}")
    rows, hidden, at = [], [], 0
    for size in (*sizes, len(ids) - sum(sizes)):
        part = ids[at : at + size]
        rows.append(tuple(card for card in part if 0 <= card < DECK))
        hidden.append(size - len(rows[-1]))
        at += size
    return State(
        rows=(rows[0], rows[1], rows[2]), hand=rows[3], hidden=hidden[3], face_down=(hidden[0], hidden[1], hidden[2])
    )


def _royalties(results: object) -> int | None:
    """Royalties of a seat, where its results against each opponent say the same."""
    try:
        totals = {sum(row["b"] for row in result["h"]) for result in results}  # type: ignore[attr-defined]
    except (TypeError, KeyError):
        return None
    return totals.pop() if len(totals) == 1 and all(type(total) is int for total in totals) else None


def hand_of(file: str, states: Sequence[Snapshot]) -> ImportedHand:
    """The hand these states show. Raises HandError where they contradict each other."""
    first, last = states[0], states[-1]
    numbers = tuple(sorted(last.players))
    if not numbers:
        raise HandError("nobody has cards", last.line)
    for state in states:
        _check_same(first, state, last)
    # Before the deal not everybody has cards; later nobody may lose them.
    dealt = next(i for i, state in enumerate(states) if set(state.players) == set(numbers))
    shown = states[dealt:]
    if lost := [state.line for state in shown if set(state.players) != set(numbers)]:
        raise HandError("a seat has no cards in a later state", lost[0])
    rules = _rules(first.game)
    times = [[state.players[number].state for number in numbers] for state in shown]
    told, completeness, acts = tell(times, rules)
    observers = tuple(
        number for number in numbers if any(at.players[number].state.hand and not at.is_over for at in shown)
    )
    warnings = [f"seat {number} {note}" for number, seat in zip(numbers, told, strict=True) for note in seat.notes]
    if first.game in _VARIANTS:
        warnings.append(f"the rules of game {first.game}, {GAMES[first.game][0]}, are not public; these are a choice")
    if last.rake:
        warnings.append(f"rake {last.rake} hundredths")
    before = next((state for state in states if not state.is_over), None)
    return ImportedHand(
        file=file,
        line=first.line,
        site="swc",
        site_hand_id=str(first.hand),
        table=first.table,
        hand_no=first.hand if first.hand < 2**32 else 0,
        button=last.button,
        seats=tuple(_seat(seat, number, before, last) for seat, number in zip(told, numbers, strict=True)),
        completeness=completeness,
        observer_seats=observers,
        acts=tuple(replace(act, seat=numbers[act.seat]) for act in acts),
        warnings=tuple(warnings),
        rules=rules if first.game not in _VARIANTS else None,
        seat_numbers=numbers,
        raw="\n".join(state.raw for state in states),
    )


def _check_same(first: Snapshot, state: Snapshot, last: Snapshot) -> None:
    if state.game != first.game or state.button != last.button:
        raise HandError("the game or the button changes within the hand", state.line)
    for number, player in state.players.items():
        if number not in last.players or last.players[number].name != player.name:
            raise HandError(f"another player sits on seat {number} in a later state", state.line)


def _seat(told: Told, number: int, before: Snapshot | None, last: Snapshot) -> ImportedSeat:
    """One seat with what the client recorded."""
    player = last.players[number]
    seat = replace(told.seat, player=player.name)
    if before is not None and number in before.players:
        seat = replace(seat, stack_before=before.players[number].chips)
    if not last.is_over:
        return seat
    place = sorted(last.players).index(number)
    return replace(
        seat, stack_after=player.chips, points_recorded=player.points, royalties_recorded=player.royalties,
        foul_recorded=last.fouls[place] if last.fouls else None,
    )  # fmt: skip
