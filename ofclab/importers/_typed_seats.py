"""From typed boards to the seats of a hand."""

from __future__ import annotations

import re

from ofclab.cards import UNSEEN
from ofclab.importers._typed_lines import Board, Spot
from ofclab.importers.model import HandError, ImportedSeat
from ofclab.kernels.placement import DISCARD, NOT_PLACED
from ofclab.log import Completeness

_FANTASYLAND = re.compile(r"(?:fantasy\s*land|fantasy|fl)\b\D*(\d{1,3})?", re.I)


def is_fantasyland(note: str) -> bool:
    """Tell whether a note after a name speaks of Fantasyland."""
    return _FANTASYLAND.search(note) is not None


def _fantasyland(board: Board) -> int:
    """Cards a player came in with, from the notes after the name."""
    for note in board.notes:
        if found := _FANTASYLAND.search(note):
            thrown = board.others.get(DISCARD) or (board.streets[0].discards if board.streets else None)
            cards = int(found[1] or 0) or (13 + len(thrown) if thrown is not None else 0)
            if not cards:
                raise HandError(f"{board.who} is in Fantasyland with how many cards? Write (Fantasyland 14)")
            return cards
    return 0


def told_of(spot: Spot) -> tuple[tuple[ImportedSeat, ...], Completeness, tuple[int, ...] | None]:
    """The seats of a hand, how complete it is, and the seats that saw their own discards (None: it does not matter)."""
    if not spot.boards:
        seats = tuple(ImportedSeat(player=name, points_recorded=points) for name, points in spot.points.items())
        if len(seats) < 2:
            raise HandError("points of one player; a hand has two at least")
        return seats, Completeness.SCORE_ONLY, None
    seats = tuple(_seat(board, spot) for board in spot.boards)
    finished = [board.is_finished and NOT_PLACED not in board.others for board in spot.boards]
    if not all(finished):
        return seats, Completeness.UNFINISHED, None
    if not all(board.streets for board in spot.boards):
        return seats, Completeness.FINAL_BOARDS, None
    known = tuple(i for i, seat in enumerate(seats) if seat.discards_known)
    if len(known) == len(seats):
        return seats, Completeness.FULL, None
    return seats, Completeness.OWN_DISCARDS if known else Completeness.FINAL_BOARDS, known


def _seat(board: Board, spot: Spot) -> ImportedSeat:
    came_in = _fantasyland(board)
    pairs = _by_street(board, came_in) if board.streets else []
    if not board.streets:
        pairs = [(int(card), row) for row in range(3) for card in board.rows[row]]
        pairs += [(int(card), code) for code, cards in sorted(board.others.items()) for card in cards]
    elif board.others:
        pairs += [(int(card), NOT_PLACED) for card in board.others.get(NOT_PLACED, ())]
        if DISCARD in board.others:
            raise HandError(f"{board.who} is typed street by street; write each discard on its street")
    points = board.recorded.get("points", spot.points.get(board.name or ""))
    if "points" in board.recorded and (board.name or "") in spot.points:
        raise HandError(f"points stand twice for {board.who}")
    unseen = any(card == UNSEEN for card, _ in pairs)
    return ImportedSeat(
        player=board.name or None,
        cards=tuple(card for card, _ in pairs),
        placement=tuple(code for _, code in pairs),
        fl_cards=came_in,
        discards_known=not unseen if board.streets else DISCARD in board.others,
        points_recorded=points,
        royalties_recorded=board.recorded.get("royalties"),
        foul_recorded=None if "foul" not in board.recorded else bool(board.recorded["foul"]),
        next_fl_recorded=board.recorded.get("next"),
    )


def _by_street(board: Board, came_in: int) -> list[tuple[int, int]]:
    """Cards in the order of the streets. Where a street of pineapple says nothing of its discard, nobody saw it."""
    pairs: list[tuple[int, int]] = []
    placed = [sum(map(len, street.placed)) for street in board.streets]
    is_pineapple = not came_in and len(placed) > 1 and placed[0] == 5 and all(count == 2 for count in placed[1:])
    for number, street in enumerate(board.streets):
        pairs += [(int(card), row) for row, cards in enumerate(street.placed) for card in cards]
        discards = street.discards
        if discards is None:
            discards = (UNSEEN,) if is_pineapple and number else ()
        pairs += [(card, DISCARD) for card in discards]
    if came_in and board.is_finished:
        pairs += [(UNSEEN, DISCARD)] * (came_in - len(pairs))
    return pairs
