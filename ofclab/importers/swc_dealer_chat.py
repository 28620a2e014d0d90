"""Lines a room's dealer writes into the chat: points a hand, who is in Fantasyland, what the game comes to.

    New game started (2 hands)
    New hand started (1 of 2)
    Hand #1 finished - player1: -6, player2: +6
    player2 is in fantasy land. The button will not be moved
    New hand started (2 of 3)
    Hand #2 finished - player1: +15, player2: -15
    TOTAL - player1: +9, player2: -9
    player1 wins 82.56
    Game complete, 2 hands played

Such hands have points and no cards. The points of a line must cancel; a line ``TOTAL`` that is not the sum of the hands
above it, and a game that ends with another number of hands, are told as rejects, and so is every other line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from ofclab.importers.model import HandError, ImportedHand, ImportedSeat, Reject
from ofclab.importers.reading import MOST_LINE, MOST_LINES, NOT_TEXT, Line, decode_head, read_lines
from ofclab.importers.sessions import content_hash
from ofclab.log import Completeness

_GAME = re.compile(r"New game started \((\d{1,6}) hands?\)")
_START = re.compile(r"New hand started \((\d{1,6}) of (\d{1,6})\)")
_HAND = re.compile(r"Hand #(\d{1,6}) finished - (.+)")
_TOTAL = re.compile(r"TOTAL - (.+)")
_FANTASYLAND = re.compile(r"(.+) is in fantasy land\. The button will not be moved")
_PAID = re.compile(r"(.+) wins (\d{1,12}\.\d\d)")
_END = re.compile(r"Game complete, (\d{1,6}) hands? played")
_SHAPES = (_GAME, _START, _HAND, _TOTAL, _FANTASYLAND, _PAID, _END)
_SCORE = re.compile(r"(.+?): ([+-]?\d{1,9})(?:, |$)")


@dataclass
class _Game:
    """What is known of the game that is running."""

    planned: int | None = None
    """Hands it was begun with; None where the file begins within the game, which then cannot be checked."""
    hands: list[ImportedHand] = field(default_factory=list)
    begun: int | None = None
    """Number of the hand that was started and is not finished, and the line that says so."""
    begun_line: int = 0
    points: dict[str, int] = field(default_factory=dict)
    fantasyland: list[str] = field(default_factory=list)


class SwcDealerChat:
    """The format of this module."""

    name = "swc_dealer_chat"
    description = "chat of SwC's dealer: points a hand, no cards"
    rules = "american-pineapple"

    def detect(self, path: Path, head: bytes) -> str | None:
        """Files of which at least half the lines are the dealer's, and one ends a hand."""
        lines = [line.strip() for line in decode_head(head).splitlines() if line.strip()]
        known = [line for line in lines if len(line) <= MOST_LINE and any(shape.fullmatch(line) for shape in _SHAPES)]
        if 2 * len(known) < len(lines) or not any(_HAND.fullmatch(line) for line in known):
            return None
        return f"{len(known)} of {len(lines)} lines are the dealer's, such as {known[0]!r}"

    def read(self, path: Path, timezone: str) -> Iterator[ImportedHand | Reject]:
        """Every finished hand, game by game, and every line that is none of the dealer's."""
        game, seen = _Game(), Counter[str]()
        for line in read_lines(path):
            text = line.text.strip()
            if not text:
                continue
            begun = _GAME.fullmatch(text)
            if begun or len(game.hands) >= MOST_LINES:
                yield from _finish(path.name, game, False, seen)
                game = _Game(planned=int(begun[1]) if begun else None)
            try:
                _read(path.name, line, text, game)
            except HandError as error:
                yield Reject(path.name, line.number, str(error), line.text)
            if _END.fullmatch(text):
                yield from _finish(path.name, game, game.planned is not None, seen)
                game = _Game()
        yield from _finish(path.name, game, False, seen)


def _finish(file: str, game: _Game, is_whole: bool, seen: Counter[str]) -> Iterator[ImportedHand | Reject]:
    """The hands of a game.

    Two evenings have hands of equal points, so the hands of a whole game are known by the game; those of a piece of one
    by their own lines and how often the file has them.
    """
    lines = "\n".join(hand.raw for hand in game.hands)
    for hand in game.hands:
        seen[hand.raw] += not is_whole
        known_by = f"{game.planned}\n{lines}" if is_whole else seen[hand.raw]
        yield replace(hand, hand_id=content_hash("hand", hand.site, "chat", hand.raw, known_by))
    if game.begun is not None:
        yield Reject(file, game.begun_line, f"hand {game.begun} was started and is not finished")


def _read(file: str, line: Line, text: str, game: _Game) -> None:
    """Take one line into the game. HandError for a line that does not fit."""
    if NOT_TEXT in text:
        raise HandError("the line holds bytes that are not UTF-8 text")
    if len(text) > MOST_LINE:
        raise HandError(f"the line has {len(text)} characters; want at most {MOST_LINE}")
    if found := _HAND.fullmatch(text):
        game.hands.append(_hand(file, line, int(found[1]), _scores(found[2]), game))
    elif found := _FANTASYLAND.fullmatch(text):
        game.fantasyland.append(found[1])
    elif found := _START.fullmatch(text):
        lost, game.begun, game.begun_line = game.begun, int(found[1]), line.number
        if lost is not None:
            raise HandError(f"hand {found[1]} starts before hand {lost} is finished")
    elif found := _TOTAL.fullmatch(text):
        _check_total(_scores(found[1]), game)
    elif found := _PAID.fullmatch(text):
        _paid(found[1], found[2], game)
    elif found := _END.fullmatch(text):
        played = len(game.hands)
        if game.planned is not None and (int(found[1]) != played or played < game.planned):
            raise HandError(f"says {found[1]} hands were played; {played} were read, {game.planned} were planned")
    elif not _GAME.fullmatch(text):
        raise HandError("no line of the dealer's; such as 'Hand #1 finished - player1: -6, player2: +6'")


def _scores(text: str) -> dict[str, int]:
    """Points by player; a name may hold a colon."""
    scores: dict[str, int] = {}
    at = 0
    while at < len(text):
        found = _SCORE.match(text, at)
        if found is None:
            raise HandError(f"cannot read {text[at:][:60]!r}; want a name, a colon and points")
        if found[1] in scores:
            raise HandError(f"{found[1]} stands twice")
        scores[found[1]] = int(found[2])
        at = found.end()
    if sum(scores.values()):
        raise HandError(f"the points add up to {sum(scores.values())}, want 0")
    return scores


def _hand(file: str, line: Line, number: int, scores: dict[str, int], game: _Game) -> ImportedHand:
    if number in [hand.hand_no for hand in (game.hands if game.planned is not None else game.hands[-1:])]:
        raise HandError(f"hand {number} of this game is finished already")
    game.begun = None
    for name, points in scores.items():
        game.points[name] = game.points.get(name, 0) + points
    told = [name for name in game.fantasyland if name in scores]
    game.fantasyland = []
    # Fantasyland is announced before the hand it is played in; thirteen stands for "how many is not told".
    seats = tuple(
        ImportedSeat(player=name, points_recorded=points, fl_cards=13 if name in told else 0)
        for name, points in scores.items()
    )
    numbers = [seat for seat, name in enumerate(scores) if name in told]
    return ImportedHand(
        file=file, line=line.number, site="swc", seats=seats, completeness=Completeness.SCORE_ONLY, hand_no=number,
        warnings=tuple(f"seat {seat} is in Fantasyland; with how many cards is not told, 13 stand for it"
                       for seat in numbers),
        observer_seats=(), raw=line.text,
    )  # fmt: skip


def _check_total(total: dict[str, int], game: _Game) -> None:
    if game.planned is not None and total != game.points:
        hands = ", ".join(f"{name}: {points:+d}" for name, points in game.points.items()) or "nothing"
        raise HandError(f"the total is not the sum of the hands above it, which is {hands}")


def _paid(name: str, amount: str, game: _Game) -> None:
    """Note with the last hand what a player is paid when the game ends."""
    names = [seat.player for seat in game.hands[-1].seats] if game.hands else []
    if name not in names:
        raise HandError(f"{name} is paid and played no hand above")
    note = f"seat {names.index(name)} is paid {amount} when the game ends"
    game.hands[-1] = replace(game.hands[-1], warnings=(*game.hands[-1].warnings, note))


IMPORTER = SwcDealerChat()
