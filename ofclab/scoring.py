"""Score finished boards against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofclab.board import Board, BoardError, as_board, boards_array
from ofclab.kernels import scoring as kernels
from ofclab.rules import Rules
from ofclab.rules.compiled import CompiledRules, compile_rules


class Royalties(NamedTuple):
    """Royalty points of a board by row, all zero when it fouls."""

    front: int
    middle: int
    back: int

    @property
    def total(self) -> int:
        """Points of all three rows."""
        return self.front + self.middle + self.back


class RowResults(NamedTuple):
    """Rows won (1), tied (0) or lost (-1) by the first player of a pair."""

    front: int
    middle: int
    back: int


@dataclass(frozen=True)
class SeatScore:
    """What one board is worth by itself."""

    royalties: Royalties
    fouled: bool
    next_fantasyland: int
    """Cards dealt at once next hand; 0 = none."""
    codes: tuple[int, int, int]
    """Strength codes of front, middle, back as the jokers read."""


@dataclass(frozen=True)
class PairScore:
    """What player ``a`` wins from player ``b``, in points."""

    a: int
    b: int
    rows: RowResults
    base: int
    """Rows, scoop and majority bonus, or the foul penalty."""
    royalties: int
    total: int


@dataclass(frozen=True)
class Score:
    """A scored hand: points a seat, every pair, every board."""

    points: tuple[int, ...]
    pairs: tuple[PairScore, ...]
    seats: tuple[SeatScore, ...]

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{i}</td><td>{points:+d}</td><td>{seat.royalties.total}</td>"
            f"<td>{'yes' if seat.fouled else ''}</td><td>{seat.next_fantasyland or ''}</td></tr>"
            for i, (points, seat) in enumerate(zip(self.points, self.seats, strict=True))
        )
        heads = "".join(f"<th>{name}</th>" for name in ("seat", "points", "royalties", "fouled", "next Fantasyland"))
        return f"<table><tr>{heads}</tr>{rows}</table>"


@dataclass(frozen=True, eq=False)
class BoardScores:
    """Scores of n hands of the same number of seats, as arrays.

    ``codes`` u16 (n, seats, 3), ``fouled`` bool (n, seats), ``royalties`` i32 (n, seats, 3), ``next_fantasyland`` u8
    (n, seats), ``points`` i32 (n, seats), ``pairs`` i32 (n, pairs, 6): front, middle, back won by the first player,
    base, royalties and total points; pairs in the order (0, 1), (0, 2), ..., (1, 2), ...
    """

    codes: NDArray[np.uint16]
    fouled: NDArray[np.bool_]
    royalties: NDArray[np.int32]
    next_fantasyland: NDArray[np.uint8]
    points: NDArray[np.int32]
    pairs: NDArray[np.int32]


def seat_pairs(seats: int) -> list[tuple[int, int]]:
    """All pairs of seats in payment order: (0, 1), (0, 2), ..., (1, 2), ..."""
    return [(a, b) for a in range(seats) for b in range(a + 1, seats)]


def read_codes(cards: NDArray[np.uint8], compiled: CompiledRules) -> NDArray[np.uint16]:
    """Row codes of complete boards, shape (..., 13) -> (..., 3); jokers read as the rules say."""
    flat = np.ascontiguousarray(cards, dtype=np.uint8).reshape(-1, 13)
    codes = np.empty((len(flat), 3), np.uint16)
    kernels.read_boards(flat, compiled.switches, compiled.cross, codes)
    return codes.reshape(*cards.shape[:-1], 3)


def score_codes(
    codes: NDArray[np.uint16],
    compiled: CompiledRules,
    fantasyland: NDArray[np.uint8],
    announced: NDArray[np.bool_] | None = None,
) -> BoardScores:
    """Score hands from their row codes (n, seats, 3); ``fantasyland`` (n, seats): cards each seat came in with."""
    n, seats, _ = codes.shape
    if announced is None:
        announced = np.ones((n, seats), np.bool_)
    fouled = np.empty(n * seats, np.bool_)
    royalties = np.empty((n * seats, 3), np.int32)
    following = np.empty(n * seats, np.uint8)
    kernels.judge_boards(
        np.ascontiguousarray(codes).reshape(-1, 3), np.ascontiguousarray(fantasyland, np.uint8).reshape(-1),
        np.ascontiguousarray(announced).reshape(-1), compiled.switches, compiled.cross,
        compiled.royalty, compiled.entry, compiled.stay, fouled, royalties, following,
    )  # fmt: skip
    fouled, royalties = fouled.reshape(n, seats), royalties.reshape(n, seats, 3)
    pairs = np.empty((n, seats * (seats - 1) // 2, 6), np.int32)
    points = np.empty((n, seats), np.int32)
    kernels.pair_boards(np.ascontiguousarray(codes), fouled, royalties, compiled.switches, pairs, points)
    return BoardScores(codes, fouled, royalties, following.reshape(n, seats), points, pairs)


def score_boards(cards: NDArray[np.uint8], rules: Rules, fantasyland: NDArray[np.uint8] | None = None) -> BoardScores:
    """Score n hands at once.

    ``cards``: card ids u8, shape (n, seats, 13): front 3, middle 5, back 5; seats from the dealer's left.
    ``fantasyland``: cards each seat came in with, shape (n, seats), 0 = a normal hand (the default).
    Raises BoardError for another shape. Cards are not checked for repeats.
    """
    if cards.ndim != 3 or cards.shape[2] != 13 or not 2 <= cards.shape[1] <= 4:
        raise BoardError(f"want cards of shape (n, 2..4 seats, 13), got {cards.shape}")
    if fantasyland is None:
        fantasyland = np.zeros(cards.shape[:2], np.uint8)
    compiled = compile_rules(rules)
    return score_codes(read_codes(cards, compiled), compiled, fantasyland)


def score(
    boards: Sequence[Board | str],
    rules: Rules,
    fantasyland: Sequence[int] | None = None,
    announced: Sequence[bool | None] | None = None,
) -> Score:
    """Score two to four complete boards, listed from the dealer's left, dealer last.

    ``fantasyland``: cards each player came in with (0 = a normal hand). ``announced``: whether each player announced a
    stay; only False loses one, and only where the rules ask for it. Two boards may share a card: logs, imports and the
    engine check that. Raises BoardError for an incomplete board and for fewer than two or more than four of them.

    >>> from ofclab.rules import load_rules
    >>> a = "8d 8c 3s / Ts 9d Tc 9s Kd / Ah Kh Jh 4h 2h"
    >>> b = "Qs Qh 7d / Qd Qc 6s 5h 4d / Ac Kc Jc 9c 2c"
    >>> score([a, b], load_rules("american-pineapple")).points
    (13, -13)
    """
    parsed = [as_board(board) for board in boards]
    seats = len(parsed)
    if not 2 <= seats <= 4:
        raise BoardError(f"want two to four boards, got {seats}")
    came_in = list(fantasyland) if fantasyland is not None else [0] * seats
    stays = [True if said is None else bool(said) for said in announced] if announced is not None else [True] * seats
    for name, given in (("fantasyland", came_in), ("announced", stays)):
        if len(given) != seats:
            raise BoardError(f"want {name} for {seats} seats, got {len(given)}: {given}")
    for cards in came_in:
        if cards != 0 and not 13 <= cards <= 17:
            raise BoardError(f"a Fantasyland hand has 13 to 17 cards, 0 = none; got {cards}")
    compiled = compile_rules(rules)
    codes = read_codes(boards_array(parsed)[None], compiled)
    scored = score_codes(codes, compiled, np.array([came_in], np.uint8), np.array([stays]))
    pairs = tuple(
        PairScore(a, b, RowResults(*map(int, row[:3])), int(row[3]), int(row[4]), int(row[5]))
        for (a, b), row in zip(seat_pairs(seats), scored.pairs[0], strict=True)
    )
    boards_scored = tuple(
        SeatScore(
            Royalties(*map(int, scored.royalties[0, i])), bool(scored.fouled[0, i]),
            int(scored.next_fantasyland[0, i]), (int(codes[0, i, 0]), int(codes[0, i, 1]), int(codes[0, i, 2])),
        )
        for i in range(seats)
    )  # fmt: skip
    return Score(tuple(int(p) for p in scored.points[0]), pairs, boards_scored)
