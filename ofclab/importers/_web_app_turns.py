"""The turns of a hand in the web app's log: what each player was dealt, and where it went."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ofclab.cards import parse_cards
from ofclab.importers.model import Act, HandError, ImportedSeat
from ofclab.kernels.placement import DISCARD

ROWS = {"top": 0, "middle": 1, "bottom": 2}
_AUTO = (0,) * 3 + (1,) * 5 + (2,) * 5
JOKERS = frozenset({"X1", "X2"})
UNKNOWN_JOKER = "JK"
_CARD = re.compile(r"[2-9TJQKA][cdhs]|X[12]|JK")
Row = Mapping[str, Any]


@dataclass(frozen=True)
class _Turn:
    """One player's turn: tokens of the cards dealt, where each placed one went, and the one discarded."""

    dealt: tuple[str, ...]
    placed: tuple[tuple[str, int], ...]
    discard: str | None
    auto: bool


def read_json(text: object, what: str, kind: type) -> Any:
    try:
        value = json.loads(str(text))
    except (ValueError, RecursionError):
        raise HandError(f"{what} is not JSON: {str(text)[:80]!r}") from None
    if not isinstance(value, kind):
        raise HandError(f"{what} is no {kind.__name__}: {str(text)[:80]!r}")
    return value


def read_token(value: object) -> str:
    if not isinstance(value, str) or not _CARD.fullmatch(value):
        raise HandError(
            f"no card {value!r}; this format writes a rank 2-9 T J Q K A and a suit c d h s, jokers X1 and X2"
        )
    return value


def _turn(row: Row) -> _Turn:
    """Read one row of the table turns."""
    street, player = row["turn"], row["player"]
    where = f"turn {street} of player {player}"
    dealt = tuple(read_token(card) for card in read_json(row["dealt_cards"], f"dealt_cards, {where}", list))
    actions = read_json(row["action_placements"], f"action_placements, {where}", list)
    if not all(isinstance(action, list) and len(action) == 2 for action in actions):
        raise HandError(f"action_placements, {where}: want pairs of card and row, got {actions!r}")
    cards, rows = [read_token(card) for card, _ in actions], [row for _, row in actions]
    in_fantasyland = street == 0 and len(dealt) >= 13
    auto = in_fantasyland and bool(rows) and all(name == "auto" for name in rows)
    if not auto and (unknown := [name for name in rows if name not in ROWS]):
        raise HandError(f"no row {unknown[0]!r} in {where}; have {', '.join(ROWS)}")
    want = (range(13, 18), 13) if in_fantasyland else ((5,), 5) if street == 0 else ((3,), 2)
    if len(dealt) not in want[0] or len(cards) != want[1]:
        raise HandError(f"{where} deals {len(dealt)} cards and places {len(cards)}")
    discard = None if row["action_discard"] in (None, "") else read_token(row["action_discard"])
    codes = _AUTO if auto else tuple(ROWS[name] for name in rows)
    return _Turn(dealt, tuple(zip(cards, codes, strict=True)), discard, auto)


def _know_jokers(turns: dict[tuple[int, int], _Turn]) -> dict[tuple[int, int], _Turn]:
    """Say which joker a dealt JK is: the other one, where one is named elsewhere in the hand."""
    dealt = [card for turn in turns.values() for card in turn.dealt]
    missing = JOKERS - set(dealt)
    if UNKNOWN_JOKER not in dealt:
        return turns
    if dealt.count(UNKNOWN_JOKER) > 1 or len(missing) != 1:
        raise HandError("JK does not say which joker it is, and the rest of the hand does not tell")
    (known,) = missing
    return {
        key: replace(turn, dealt=tuple(known if card == UNKNOWN_JOKER else card for card in turn.dealt))
        for key, turn in turns.items()
    }


def _resolve(turn: _Turn, where: str) -> tuple[_Turn, str | None]:
    """Say which joker a placed or discarded JK is: the one this turn dealt that is nowhere else."""
    named = [card for card, _ in turn.placed] + ([turn.discard] if turn.discard else [])
    if UNKNOWN_JOKER not in named:
        return turn, None
    left = sorted(JOKERS & set(turn.dealt) - set(named))
    if named.count(UNKNOWN_JOKER) > 1 or len(left) != 1:
        raise HandError(f"JK does not say which joker it is, and {where} dealt {' and '.join(left) or 'none'}")
    placed = tuple((left[0] if card == UNKNOWN_JOKER else card, code) for card, code in turn.placed)
    discard = left[0] if turn.discard == UNKNOWN_JOKER else turn.discard
    return replace(turn, placed=placed, discard=discard), f"JK is {left[0]}, the only joker {where} dealt"


def _codes(turn: _Turn, where: str) -> list[int]:
    """Where each dealt card went."""
    placed = dict(turn.placed)
    if len(placed) != len(turn.placed) or len(set(turn.dealt)) != len(turn.dealt):
        raise HandError(f"a card stands twice in {where}: {' '.join(turn.dealt)}")
    if strange := [card for card in placed if card not in turn.dealt]:
        raise HandError(f"{where} places {strange[0]}, which was not dealt: {' '.join(turn.dealt)}")
    left = [card for card in turn.dealt if card not in placed]
    if turn.discard is not None and left != [turn.discard]:
        raise HandError(f"{where} discards {turn.discard} where {' '.join(left) or 'nothing'} is left")
    return [placed.get(card, DISCARD) for card in turn.dealt]


class Turns:
    """The turns of one hand while it is read."""

    def __init__(self, turns: Sequence[Row]) -> None:
        read: dict[tuple[int, int], _Turn] = {}
        for row in turns:
            if row["player"] not in (0, 1) or row["turn"] not in range(5):
                raise HandError(f"turn {row['turn']!r} of player {row['player']!r}; want turns 0 to 4, players 0 and 1")
            read[row["turn"], row["player"]] = _turn(row)
        self.order = list(read)
        self.turns = _know_jokers(read)
        self.warnings: list[str] = []

    def seat(self, player: int) -> ImportedSeat:
        """What one player was dealt and where it went."""
        cards: list[str] = []
        codes: list[int] = []
        streets = sorted(street for street, who in self.turns if who == player)
        if streets != list(range(len(streets))):
            raise HandError(f"player {player} has the turns {streets}; one is missing")
        for street in streets:
            where = f"turn {street} of player {player}"
            turn, note = _resolve(self.turns[street, player], where)
            self.warnings += [note] if note else []
            cards += turn.dealt
            codes += _codes(turn, where)
        came_in = len(self.turns[0, player].dealt) if streets else 0
        if came_in >= 13 and len(streets) > 1:
            raise HandError(f"player {player} is in Fantasyland and plays on")
        ids = tuple(int(card) for card in parse_cards(" ".join(cards)))
        return ImportedSeat(
            cards=ids, placement=tuple(codes), fl_cards=came_in if came_in >= 13 else 0, discards_known=bool(streets)
        )

    def acts(self) -> tuple[Act, ...]:
        """The turns in the order they were stored."""
        return tuple(Act(player, street + 1, None, self.turns[street, player].auto) for street, player in self.order)
