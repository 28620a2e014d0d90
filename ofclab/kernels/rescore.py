"""Points of finished hands under any ruleset, from stored row codes or from cards: hands stay, rules change.

A royalty table is a list of steps along the row codes, (threshold, change), so a row is worth the sum of the changes
whose thresholds it reaches. Blocks of hands are judged in int16 without a branch, many hands at a time. Codes lie row
by row, u16 (seats, 3, n), as the columns of a log do.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels import tables as t
from ofclab.kernels.jit import kernel
from ofclab.kernels.rowstate import high_code, low_code, slot_of
from ofclab.kernels.scoring import (
    BACK_STRICT,
    FOUL_PAYS_ROYALTIES,
    FRONT_STRICT,
    LOW_MIDDLE,
    LOW_WORST,
    MAJORITY_BONUS,
    MIDDLE_STRICT,
    MODE_BOTH,
    MODE_OFF,
    MODE_PAIR_WINNER,
    MODE_ROW_WINNER,
    PENALTY,
    PER_ROW,
    ROYALTY_MODE,
    SWEEP_BONUS,
    judge_boards,
    pair_boards,
    read_boards,
)
from ofclab.kernels.tables import CARD, HIGH

BLOCK = 1024
"""Hands judged at a time: their codes and royalties fit the first-level cache."""
MOST_STEPS = 64
_AT_ONCE = 4
_NEVER = 32767
_0, _1 = np.int16(0), np.int16(1)
_U0, _U1, _U2, _U3, _U4, _U8 = (np.uint64(i) for i in (0, 1, 2, 3, 4, 8))


class RescoreTables(NamedTuple):
    """A ruleset as the kernels here take it.

    ``thresholds``, ``changes`` i16 (3, steps): the steps of each row's royalties; ``crosses``: whether a front is held
    against another code than that of the row behind it. ``royalty`` i32 (3, N), ``switches``, ``cross``: as in
    `ofclab.kernels.scoring`. ``in_steps``: False where the steps are too many, or points too great for int16; such
    hands are looked up code by code.
    """

    thresholds: NDArray[np.int16]
    changes: NDArray[np.int16]
    royalty: NDArray[np.int32]
    switches: NDArray[np.int64]
    cross: NDArray[np.uint16]
    crosses: bool
    in_steps: bool


@cache
def _codes_of_rows(low: bool) -> tuple[NDArray[np.int64], ...]:
    """All codes that a front, a middle and a back can have, ascending."""
    fronts = np.array(sorted({t.HIGH_CODES[t.high_strength(ranks)] for ranks in t.multisets(3)}))
    fives = np.setdiff1d(np.arange(1, len(t.HIGH_CODES) + 1), fronts)
    return fronts, np.arange(1, len(t.LOW_CODES) + 1) if low else fives, fives


def rescore_tables(royalty: NDArray[np.int32], switches: NDArray[np.int64], cross: NDArray[np.uint16]) -> RescoreTables:
    """Prepare a ruleset: ``royalty`` i32 (3, N) by row code, ``switches`` and ``cross`` as in `kernels.scoring`."""
    steps = []
    for row, codes in enumerate(_codes_of_rows(bool(switches[LOW_MIDDLE]))):
        changes = np.diff(royalty[row, codes], prepend=0)
        at = np.flatnonzero(changes)
        steps.append((codes[at], changes[at]))
    most = max(len(at) for at, _ in steps)
    width = max(_AT_ONCE, -(-most // _AT_ONCE) * _AT_ONCE)
    greatest = 2 * int(np.abs(royalty).max(axis=1).sum()) + sum(
        abs(int(switches[scalar])) for scalar in (SWEEP_BONUS, MAJORITY_BONUS, PENALTY)
    )
    # Up to three opponents, and three rows won from each.
    in_steps = most <= MOST_STEPS and 3 * (greatest + 3 * abs(int(switches[PER_ROW]))) <= _NEVER
    thresholds, changed = np.full((3, width), _NEVER, np.int16), np.zeros((3, width), np.int16)
    if in_steps:
        for row, (at, changes) in enumerate(steps):
            thresholds[row, : len(at)], changed[row, : len(at)] = at, changes
    crosses = bool((cross != np.arange(len(cross))).any())
    return RescoreTables(thresholds, changed, royalty, switches, cross, crosses, in_steps)


@kernel
def _pay_row(codes, thresholds, changes, worth):
    """Royalties i16 of one row of n hands."""
    n = codes.shape[0]
    for i in range(n):
        worth[i] = _0
    for step in range(0, thresholds.shape[0], 4):
        t0, t1, t2, t3 = thresholds[step], thresholds[step + 1], thresholds[step + 2], thresholds[step + 3]
        d0, d1, d2, d3 = changes[step], changes[step + 1], changes[step + 2], changes[step + 3]
        if d0 == 0:
            break
        for i in range(n):
            code = codes[i]
            first = np.int16((d0 if code >= t0 else _0) + (d1 if code >= t1 else _0))
            second = np.int16((d2 if code >= t2 else _0) + (d3 if code >= t3 else _0))
            worth[i] = np.int16(worth[i] + np.int16(first + second))


@kernel
def _find_fouls(front, middle, back, tables, limits, fouled):
    """Fouls (1, 0) of a seat's codes i16 (n,)."""
    switches, cross = tables.switches, tables.cross
    low, n = switches[LOW_MIDDLE] == 1, front.shape[0]
    held = back if low else middle
    if tables.crosses:
        for i in range(n):
            limits[i] = cross[held[i]]
    else:
        for i in range(n):
            limits[i] = held[i]
    worst, before = np.int16(switches[LOW_WORST]), np.int16(switches[BACK_STRICT])
    strict = np.int16(switches[FRONT_STRICT] if low else switches[MIDDLE_STRICT])
    for i in range(n):
        fouled[i] = np.int16(front[i] + strict) > limits[i]
    if low:
        for i in range(n):
            fouled[i] |= np.int16(middle[i] < worst)
    else:
        for i in range(n):
            fouled[i] |= np.int16(np.int16(middle[i] + before) > back[i])


@kernel
def _void(worth, fouled):
    """A foul earns nothing."""
    for i in range(worth.shape[0]):
        worth[i] = np.int16(worth[i] * np.int16(_1 - fouled[i]))


@kernel
def _compare(a, b, won, lost):
    """Count the rows that the first of two seats wins and loses."""
    for i in range(won.shape[0]):
        won[i] = np.int16(won[i] + np.int16(a[i] > b[i]))
        lost[i] = np.int16(lost[i] + np.int16(a[i] < b[i]))


@kernel
def _collect(a, b, worth_a, worth_b, all_a, all_b, royal, by_row):
    """Add a row's royalties to those of all rows, and what the winner of the row collects."""
    for i in range(royal.shape[0]):
        all_a[i] = np.int16(all_a[i] + worth_a[i])
        all_b[i] = np.int16(all_b[i] + worth_b[i])
    if by_row:
        for i in range(royal.shape[0]):
            kept_a, kept_b = np.int16(a[i] > b[i]), np.int16(a[i] < b[i])
            kept = np.int16(np.int16(kept_a * worth_a[i]) - np.int16(kept_b * worth_b[i]))
            royal[i] = np.int16(royal[i] + kept)


@kernel
def _add_pair(won, lost, all_a, all_b, royal, fouled_a, fouled_b, switches, points_a, points_b):
    """Add what the first of two seats wins from the second, and take it from the second."""
    per_row, sweep = np.int16(switches[PER_ROW]), np.int16(switches[SWEEP_BONUS])
    majority, penalty = np.int16(switches[MAJORITY_BONUS]), np.int16(switches[PENALTY])
    mode = switches[ROYALTY_MODE]
    pays = np.int16(switches[FOUL_PAYS_ROYALTIES] == 1 and mode != MODE_OFF)
    always, by_pair = np.int16(mode == MODE_BOTH), np.int16(mode == MODE_PAIR_WINNER)
    for i in range(won.shape[0]):
        swept = np.int16(np.int16(won[i] == 3) - np.int16(lost[i] == 3))
        most = np.int16(np.int16(won[i] >= 2) - np.int16(lost[i] >= 2))
        base = np.int16(per_row * np.int16(won[i] - lost[i]))
        base = np.int16(base + np.int16(np.int16(sweep * swept) + np.int16(majority * most)))
        keeps_a = np.int16(always | np.int16(by_pair & np.int16(base > 0)))
        keeps_b = np.int16(always | np.int16(by_pair & np.int16(base < 0)))
        kept = np.int16(np.int16(keeps_a * all_a[i]) - np.int16(keeps_b * all_b[i]))
        legal_a, legal_b = np.int16(_1 - fouled_a[i]), np.int16(_1 - fouled_b[i])
        total = np.int16(np.int16(legal_a & legal_b) * np.int16(base + np.int16(royal[i] + kept)))
        from_b = np.int16(np.int16(legal_a & fouled_b[i]) * np.int16(penalty + np.int16(pays * all_a[i])))
        from_a = np.int16(np.int16(legal_b & fouled_a[i]) * np.int16(penalty + np.int16(pays * all_b[i])))
        total = np.int16(total + np.int16(from_b - from_a))
        points_a[i] = np.int16(points_a[i] + total)
        points_b[i] = np.int16(points_b[i] - total)


@kernel
def _score_block(codes, first, tables, fouled, worth, sums, points, at, n):
    """Points i16 (seats, n) of the n hands from `first` of codes i16 (seats, 3, ...), put in place from `at`."""
    seats, last = points.shape[0], first + n
    for seat in range(seats):
        own = fouled[seat, :n]
        _find_fouls(codes[seat, 0, first:last], codes[seat, 1, first:last], codes[seat, 2, first:last], tables,
                    sums[0, :n], own)  # fmt: skip
        for row in range(3):
            _pay_row(codes[seat, row, first:last], tables.thresholds[row], tables.changes[row], worth[seat, row, :n])
            _void(worth[seat, row, :n], own)
        points[seat, at : at + n] = _0
    by_row = tables.switches[ROYALTY_MODE] == MODE_ROW_WINNER
    won, lost, all_a, all_b, royal = sums[0, :n], sums[1, :n], sums[2, :n], sums[3, :n], sums[4, :n]
    for a in range(seats):
        for b in range(a + 1, seats):
            sums[:] = _0
            for row in range(3):
                theirs, ours = codes[b, row, first:last], codes[a, row, first:last]
                _compare(ours, theirs, won, lost)
                _collect(ours, theirs, worth[a, row, :n], worth[b, row, :n], all_a, all_b, royal, by_row)
            _add_pair(won, lost, all_a, all_b, royal, fouled[a, :n], fouled[b, :n], tables.switches,
                      points[a, at : at + n], points[b, at : at + n])  # fmt: skip


@kernel
def _rescore_codes(codes, tables, points):
    seats, n = points.shape
    fouled, worth = np.empty((seats, BLOCK), np.int16), np.empty((seats, 3, BLOCK), np.int16)
    sums = np.empty((5, BLOCK), np.int16)
    for first in range(0, n, BLOCK):
        _score_block(codes, first, tables, fouled, worth, sums, points, first, min(BLOCK, n - first))


@kernel
def _five(cards, at):
    """Word of five natural cards."""
    word = np.uint32(CARD[cards[at]] + CARD[cards[at + _U1]])
    word = np.uint32(word + np.uint32(CARD[cards[at + _U2]] + CARD[cards[at + _U3]]))
    return np.uint32(word + CARD[cards[at + _U4]])


@kernel
def _read_block(cards, first, n, low, tables, codes, read):
    """Codes i16 (seats, 3, block) of the n hands from `first` of cards u8 (hands, seats, 13)."""
    seats = np.uint64(cards.shape[1])
    flat = cards.reshape(-1)[first * cards.shape[1] * 13 : (first + n) * cards.shape[1] * 13]
    greatest = np.uint8(0)
    for i in range(flat.shape[0]):
        greatest = max(greatest, flat[i])
    if greatest >= 52:
        for seat in range(cards.shape[1]):
            for hand in range(n):
                read_boards(cards[first + hand, seat : seat + 1], tables.switches, tables.cross, read)
                for row in range(3):
                    codes[seat, row, hand] = read[0, row]
        return
    at = np.uint64(0)
    for hand in range(np.uint64(n)):
        for seat in range(seats):
            front = np.uint32(np.uint32(CARD[flat[at]] + CARD[flat[at + _U1]]) + CARD[flat[at + _U2]])
            middle, back = _five(flat, at + _U3), _five(flat, at + _U8)
            codes[seat, _U0, hand] = HIGH[slot_of(front)]
            codes[seat, _U1, hand] = low_code(middle) if low else high_code(middle)
            codes[seat, _U2, hand] = high_code(back)
            at += np.uint64(13)


@kernel
def _rescore_boards(cards, tables, points):
    seats, n = points.shape
    fouled, worth = np.empty((seats, BLOCK), np.int16), np.empty((seats, 3, BLOCK), np.int16)
    sums, codes = np.empty((5, BLOCK), np.int16), np.empty((seats, 3, BLOCK), np.int16)
    read, low = np.empty((1, 3), np.uint16), tables.switches[LOW_MIDDLE] == 1
    for first in range(0, n, BLOCK):
        size = min(BLOCK, n - first)
        _read_block(cards, first, size, low, tables, codes, read)
        _score_block(codes, 0, tables, fouled, worth, sums, points, first, size)


def _look_up(codes: NDArray[np.uint16], tables: RescoreTables) -> NDArray[np.int32]:
    """Points i32 (seats, n) of codes (n, seats, 3), each row looked up in the royalty table."""
    n, seats, _ = codes.shape
    flat = codes.reshape(-1, 3)
    fouled, royalties = np.empty(len(flat), np.bool_), np.empty((len(flat), 3), np.int32)
    zeros, size = np.zeros(len(flat), np.uint8), tables.royalty.shape[1]
    judge_boards(
        flat, zeros, zeros.astype(np.bool_), tables.switches, tables.cross, tables.royalty,
        _frozen(np.zeros((2, size), np.uint8)), _frozen(np.zeros((3, size), np.bool_)), fouled, royalties, zeros.copy(),
    )  # fmt: skip
    pairs, points = np.empty((n, seats * (seats - 1) // 2, 6), np.int32), np.empty((n, seats), np.int32)
    pair_boards(
        codes, fouled.reshape(n, seats), royalties.reshape(n, seats, 3), tables.switches, pairs, points
    )  # fmt: skip
    return np.ascontiguousarray(points.T)


def _frozen(array: NDArray[np.generic]) -> NDArray[np.generic]:
    array.setflags(write=False)
    return array


def rescore_codes(codes: NDArray[np.uint16], tables: RescoreTables) -> NDArray[np.int16] | NDArray[np.int32]:
    """Points of n finished hands, (seats, n), from their row codes u16 (seats, 3, n): front, middle, back.

    Codes as jokers read; nothing is said of Fantasyland. int16, or int32 where the rules pay more than that holds.
    Raises ValueError for another shape.
    """
    if codes.ndim != 3 or codes.shape[1] != 3 or codes.dtype != np.uint16:
        raise ValueError(f"want codes uint16 of shape (seats, 3, n), got {codes.dtype} {codes.shape}")
    if not tables.in_steps:
        return _look_up(np.ascontiguousarray(codes.transpose(2, 0, 1)), tables)
    points = np.empty((codes.shape[0], codes.shape[2]), np.int16)
    _rescore_codes(np.ascontiguousarray(codes).view(np.int16), tables, points)
    return points


def rescore_boards(cards: NDArray[np.uint8], tables: RescoreTables) -> NDArray[np.int16] | NDArray[np.int32]:
    """Points of n hands, (seats, n), from complete boards u8 (n, seats, 13): front 3, middle 5, back 5.

    As `rescore_codes`; jokers read as the rules say. Raises ValueError for another shape; cards are not checked.
    """
    if cards.ndim != 3 or cards.shape[2] != 13 or cards.dtype != np.uint8:
        raise ValueError(f"want cards uint8 of shape (n, seats, 13), got {cards.dtype} {cards.shape}")
    n, seats, _ = cards.shape
    boards = np.ascontiguousarray(cards)
    if not tables.in_steps:
        codes = np.empty((n * seats, 3), np.uint16)
        read_boards(boards.reshape(-1, 13), tables.switches, tables.cross, codes)
        return _look_up(codes.reshape(n, seats, 3), tables)
    points = np.empty((seats, n), np.int16)
    _rescore_boards(boards, tables, points)
    return points
