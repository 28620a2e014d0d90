"""Spots: one decision with everything its player sees and nothing else, and their text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate

from ofclab.board import Board, BoardError, Placement, as_board, legal_placements, street_of
from ofclab.cards import DECK, Card, Cards, format_cards, parse_cards, require_distinct
from ofclab.engine import View
from ofclab.rules import Rules, load_rules, presets
from ofclab.rules.compiled import compile_rules

_EMPTY = Board()


class SpotError(ValueError):
    """A spot that cannot arise, or text that is no spot."""


_LABELS = {
    "board": "board", "own": "board", "me": "board", "hero": "board",
    "front": "front", "top": "front", "middle": "middle", "back": "back", "bottom": "back",
    "dealt": "dealt", "deal": "dealt", "hand": "dealt", "draw": "dealt",
    "discards": "discards", "discard": "discards", "discarded": "discards",
    "opponent": "opponent", "opponents": "opponent", "opp": "opponent", "villain": "opponent",
    "dead": "dead", "seen": "dead", "rules": "rules", "position": "position", "seats": "seats",
}  # fmt: skip
_LABEL = re.compile(rf"\b({'|'.join(sorted(_LABELS, key=len, reverse=True))})\s*\d*\s*[:=]", re.IGNORECASE)
_OPEN_SLOTS = re.compile(r"[.…_·?*]+|\bempty\b")
_FANTASYLAND = re.compile(r"(?:fantasyland|fantasy|fl)\D*(\d+)|(\d+)\s*cards", re.IGNORECASE)


@dataclass(frozen=True)
class Spot:
    """One decision as its player sees it: own board, cards dealt, own discards, and the opponents' open rows.

    Cards and boards may be given as text. ``seats`` 1 is solitaire: royalties plus the value of Fantasyland, less the
    penalty of a foul. ``opponents`` sit from the player's left; left out, they have placed nothing.
    ``opponents_fantasyland``: cards each came in with, 0 = a normal hand; the rows of a player in Fantasyland are
    hidden until the showdown, so they are not kept here. ``position``: 1 acts first. ``dead``: other cards the player
    has seen, such as revealed discards. ``discards`` may be left out: they then count as unseen.

    Raises SpotError for numbers that do not fit, BoardError and CardError for cards and rows that cannot be.

    >>> print(Spot(board="Qh Qd / 8s 8c / As Ks 9s", dealt="2c 7d Jh", discards="3c"))
    Qh Qd / 8s 8c / As Ks 9s
    dealt: 2c 7d Jh
    discards: 3c
    """

    board: Board = _EMPTY
    dealt: tuple[Card, ...] = ()
    discards: tuple[Card, ...] = ()
    rules: Rules | None = None
    seats: int = 1
    position: int = 1
    opponents: tuple[Board, ...] = ()
    opponents_fantasyland: tuple[int, ...] = ()
    dead: tuple[Card, ...] = ()

    def __init__(
        self,
        board: Board | str = _EMPTY,
        dealt: Cards = (),
        discards: Cards = (),
        rules: Rules | None = None,
        seats: int = 1,
        position: int = 1,
        opponents: tuple[Board | str, ...] = (),
        opponents_fantasyland: tuple[int, ...] = (),
        dead: Cards = (),
    ) -> None:
        others = [as_board(other) for other in ((opponents,) if isinstance(opponents, (Board, str)) else opponents)]
        came_in = list(opponents_fantasyland)
        seats = max(seats, 1 + max(len(others), len(came_in))) if seats == 1 else seats
        others += [Board()] * (seats - 1 - len(others))
        came_in += [0] * (seats - 1 - len(came_in))
        hidden = [Board() if cards else other for other, cards in zip(others, came_in, strict=False)]
        values = {
            "board": as_board(board), "dealt": parse_cards(dealt), "discards": parse_cards(discards), "rules": rules,
            "seats": seats, "position": position, "opponents": tuple(hidden), "dead": parse_cards(dead),
            "opponents_fantasyland": tuple(came_in),
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)
        if not 1 <= seats <= 4 or len(others) != seats - 1 or len(came_in) != seats - 1:
            raise SpotError(
                f"{seats} seats have {max(seats - 1, 0)} opponents (1 to 4 seats); got {len(others)} boards"
            )
        if not 1 <= position <= seats:
            raise SpotError(f"position is 1 (first to act) to {seats}, got {position}")
        for cards in came_in:
            if cards != 0 and not 13 <= cards <= 17:
                raise SpotError(f"a Fantasyland hand has 13 to 17 cards, 0 = none; got {cards}")
        require_distinct(self._known(), "the spot")
        if rules is not None:
            self.check(rules)

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None) -> Spot:
        """Read a spot from text: ``front / middle / back``, then ``dealt:``, ``discards:``, ``opponent:`` lines.

        Also read: ``dead:``, ``position:``, ``seats:``, ``rules:`` (a preset), rows as ``front:``, ``middle:``,
        ``back:``, ``opponent: Fantasyland 14``, and dots for open slots. Lines may follow each other on one line.

        >>> Spot.parse("Qh .. / 8s / As Ks  dealt: 2c 7d Jh").board.front
        (Card('Qh'),)
        """
        found: dict[str, list[str]] = {}
        marks = list(_LABEL.finditer(text))
        first = text[: marks[0].start()] if marks else text
        if first.strip():
            found["board"] = [first]
        ends = [*(mark.start() for mark in marks[1:]), len(text)][: len(marks)]
        for mark, end in zip(marks, ends, strict=True):
            found.setdefault(_LABELS[mark[1].lower()], []).append(_OPEN_SLOTS.sub(" ", text[mark.end() : end]).strip())
        for label, values in found.items():
            if label != "opponent" and len(values) > 1:
                raise SpotError(f"{label} stands {len(values)} times in {text!r}")
        one = {label: values[0] for label, values in found.items()}
        if "rules" in one and rules is None:
            rules = load_rules(one["rules"])
        rows = (parse_cards(one.get(row, "")) for row in _ROW_LABELS)
        board = _read_board(one["board"]) if "board" in one else Board(*rows)
        others, came_in = [], []
        for value in found.get("opponent", []):
            other, cards = read_opponent(value)
            others.append(other)
            came_in.append(cards)
        return cls(
            board, one.get("dealt", ""), one.get("discards", ""), rules, _number(one, "seats"),
            _number(one, "position"), tuple(others), tuple(came_in), one.get("dead", ""),
        )  # fmt: skip

    @classmethod
    def of_view(cls, view: View) -> Spot:
        """The spot of a decision in the engine."""
        shown = [card for other in view.opponents for card in other.discards]
        return cls(
            view.board, view.dealt, view.discards, view.rules, len(view.opponents) + 1, view.position,
            tuple(other.board for other in view.opponents), tuple(other.fantasyland for other in view.opponents), shown,
        )  # fmt: skip

    def check(self, rules: Rules) -> int:
        """The street of the spot; SpotError or BoardError where it cannot arise under these rules."""
        if len(self.dealt) >= 13:
            raise SpotError(f"{len(self.dealt)} cards at once are a Fantasyland hand: use set_fantasyland")
        street = street_of(self.board, rules)
        rounds = compile_rules(rules).rounds.tolist()
        deal = rounds[street - 1][0]
        if len(self.dealt) != deal:
            raise SpotError(
                f"street {street} deals {deal} cards under {rules.name}, got {len(self.dealt)}: "
                f"{format_cards(self.dealt) or 'none'}"
            )
        thrown = self.own_discards(rules)
        if len(self.discards) > thrown:
            raise SpotError(
                f"{thrown} cards are discarded before street {street} under {rules.name}, got {len(self.discards)}: "
                f"{format_cards(self.discards)}"
            )
        self.check_table(rules, sum(deal for deal, _, _ in rounds[street:]))
        return street

    def check_table(self, rules: Rules, to_come: int = 0) -> None:
        """SpotError where opponents and known cards cannot be under these rules; ``to_come``: own cards to be dealt."""
        if self.seats > 1 and self.seats > rules.players.max:
            raise SpotError(f"{rules.name} seats at most {rules.players.max} players, got {self.seats}")
        placed = [0, *accumulate(place for _, place, _ in compile_rules(rules).rounds.tolist())]
        for other in self.opponents:
            if len(other.cards) not in placed:
                raise SpotError(f"an opponent has {', '.join(map(str, placed))} cards on the board, got {other}")
        for card in self._known():
            if card >= DECK + rules.deck.jokers:
                raise SpotError(f"{card} is not in the deck of {rules.name}, which has {rules.deck.jokers} jokers")
        need = to_come + sum(self._to_come(rules))
        if need > len(self.unseen(rules)):
            raise SpotError(f"{need} cards are still to be dealt, but only {len(self.unseen(rules))} are unseen")

    def unseen(self, rules: Rules) -> tuple[Card, ...]:
        """The cards of the deck this player has not seen."""
        known = set(self._known())
        return tuple(card for card in map(Card, range(DECK + rules.deck.jokers)) if card not in known)

    def own_discards(self, rules: Rules) -> int:
        """How many cards this player has discarded before this street."""
        rounds = compile_rules(rules).rounds.tolist()
        return int(sum(discard for _, _, discard in rounds[: street_of(self.board, rules) - 1]))

    def unknown_discards(self, rules: Rules) -> tuple[int, ...]:
        """How many cards each opponent has discarded unseen by this player, shown ones (``dead``) not taken out."""
        rounds = compile_rules(rules).rounds.tolist()
        streets = [street_of(other, rules) - 1 if len(other.cards) < 13 else len(rounds) for other in self.opponents]
        return tuple(sum(discard for _, _, discard in rounds[:street]) for street in streets)

    def legal_placements(self, rules: Rules) -> list[Placement]:
        """Every legal placement of the dealt cards."""
        return legal_placements(self.board, self.dealt, rules)

    def _to_come(self, rules: Rules) -> tuple[int, ...]:
        """Cards each opponent is still to be dealt, hidden Fantasyland hands included."""
        rounds = compile_rules(rules).rounds.tolist()
        placed = [0, *accumulate(place for _, place, _ in rounds)]
        return tuple(
            came_in or sum(deal for deal, _, _ in rounds[placed.index(len(other.cards)) :])
            for other, came_in in zip(self.opponents, self.opponents_fantasyland, strict=True)
        )

    def _known(self) -> tuple[Card, ...]:
        shown = tuple(card for other in self.opponents for card in other.cards)
        return (*self.board.cards, *self.dealt, *self.discards, *shown, *self.dead)

    def __str__(self) -> str:
        lines = [str(self.board), f"dealt: {format_cards(self.dealt)}"]
        lines += [f"{name}: {format_cards(cards)}" for name, cards in self._named() if cards]
        for other, came_in in zip(self.opponents, self.opponents_fantasyland, strict=True):
            lines.append(f"opponent: {f'Fantasyland {came_in}' if came_in else other}")
        if self.seats > 1:
            lines.append(f"position: {self.position}")
        if self.rules is not None and self.rules.name in presets() and load_rules(self.rules.name) == self.rules:
            lines.append(f"rules: {self.rules.name}")
        return "\n".join(lines)

    def _named(self) -> tuple[tuple[str, tuple[Card, ...]], ...]:
        return ("discards", self.discards), ("dead", self.dead)

    def _repr_html_(self) -> str:
        boards = [("you", self.board._repr_html_())]
        for other, came_in in zip(self.opponents, self.opponents_fantasyland, strict=True):
            boards.append(("opponent", f"Fantasyland, {came_in} cards" if came_in else other._repr_html_()))
        cells = "".join(f'<td style="text-align:center;padding:0 12px"><div>{who}</div>{it}</td>' for who, it in boards)
        lines = "".join(f"<div>{name} {format_cards(cards)}</div>" for name, cards in self._named() if cards)
        return f"<div><table><tr>{cells}</tr></table><div>dealt {format_cards(self.dealt)}</div>{lines}</div>"


_ROW_LABELS = ("front", "middle", "back")


def read_opponent(text: str) -> tuple[Board, int]:
    """An opponent's open rows, and the Fantasyland cards he came in with: ``Fantasyland 14``; 0 = a normal hand."""
    cards = _FANTASYLAND.search(text)
    return (Board(), int(cards[1] or cards[2])) if cards else (_read_board(text), 0)


def _read_board(text: str) -> Board:
    plain = _OPEN_SLOTS.sub(" ", text).strip().strip("|;").strip()
    if not plain or set(plain) <= set("-/ "):
        return Board()
    try:
        return Board.parse(plain)
    except BoardError as error:
        raise SpotError(f"cannot read the board {text.strip()!r}: {error}") from None


def _number(found: dict[str, str], label: str) -> int:
    text = found.get(label, "1")
    if not text.strip().isdigit():
        raise SpotError(f"{label} is a number, got {text!r}")
    return int(text)
