"""The two searches for the best Fantasyland setting: best first where worth rises with the code, and for any tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels.candidates import CARD_BITS
from ofclab.kernels.jit import kernel
from ofclab.kernels.joker_rows import clash, wide_code
from ofclab.kernels.scoring import BACK_STRICT, FRONT_STRICT, MIDDLE_STRICT, read_boards

NONE = -(1 << 62)
"""Worth of no setting."""

_CARDS = np.uint32((1 << CARD_BITS) - 1)
_SHIFT = np.uint32(CARD_BITS)
_WIDE_CARDS = np.uint64((1 << CARD_BITS) - 1)


class SetterTables(NamedTuple):
    """What a ruleset makes of row codes, ready for `set_hands`; rows front, middle, back.

    ``worth`` i64 (3, N): twice the value of a row, so that a half can prefer a setting that stays among equal ones;
    ``stay`` bool (3, N); ``order`` u16 (3, N): position of each code when sorted by worth; ``rising`` i64 (3,):
    greatest code up to which neither worth nor stay falls; ``switches`` and ``cross`` as in `ofclab.kernels.scoring`.
    """

    worth: NDArray[np.int64]
    stay: NDArray[np.bool_]
    order: NDArray[np.uint16]
    rising: NDArray[np.int64]
    switches: NDArray[np.int64]
    cross: NDArray[np.uint16]


class Work(NamedTuple):
    """Buffers of one batch: lists of candidate rows, plain and wide, and what building and searching them takes."""

    fronts: NDArray[np.uint32]
    middles: NDArray[np.uint32]
    backs: NDArray[np.uint32]
    spare: NDArray[np.uint32]
    wide_fronts: NDArray[np.uint64]
    wide_middles: NDArray[np.uint64]
    wide_backs: NDArray[np.uint64]
    wide_spare: NDArray[np.uint64]
    partner: NDArray[np.int32]
    tally: NDArray[np.int64]
    pair_words: NDArray[np.uint32]
    pair_cards: NDArray[np.uint32]
    hand: NDArray[np.int64]
    words: NDArray[np.uint32]
    seat: NDArray[np.int64]
    place: NDArray[np.int64]
    codes: NDArray[np.int64]
    needs: NDArray[np.int64]
    board: NDArray[np.uint8]
    read: NDArray[np.uint16]
    found: NDArray[np.int64]


@kernel
def _pair_worth(tables, middle, back, bonus):
    worth = tables.worth[1, middle] + tables.worth[2, back]
    return worth + bonus if tables.stay[1, middle] or tables.stay[2, back] else worth


@kernel
def _full_worth(tables, front, middle, back, bonus):
    worth = tables.worth[0, front] + tables.worth[1, middle] + tables.worth[2, back]
    return worth + bonus if tables.stay[0, front] or tables.stay[1, middle] or tables.stay[2, back] else worth


@kernel
def _front_limit(tables, middle, back, low):
    """The greatest front code that is legal before these rows."""
    if low:
        return np.int64(tables.cross[back]) - tables.switches[FRONT_STRICT]
    return np.int64(tables.cross[middle]) - tables.switches[MIDDLE_STRICT]


@kernel
def _best_pair(tables, backs, n_backs, middles, n_middles, low, bonus, found):
    """The best middle and back whatever the front: their worth; the two entries in found[1:3]."""
    strict = np.uint32(tables.switches[BACK_STRICT])
    best = NONE
    for i in range(n_backs):
        back = backs[i]
        first = 0 if low else i + 1
        if first >= n_middles or _pair_worth(tables, middles[first] >> _SHIFT, back >> _SHIFT, bonus) <= best:
            break
        for j in range(first, n_middles):
            middle = middles[j]
            if middle & back & _CARDS:
                continue
            if not low and (middle >> _SHIFT) + strict > back >> _SHIFT:
                continue
            worth = _pair_worth(tables, middle >> _SHIFT, back >> _SHIFT, bonus)
            if worth > best:
                best = worth
                found[1], found[2] = middle, back
            break
    return best


@kernel
def search_rising(tables, fronts, n_fronts, middles, n_middles, backs, n_backs, low, bonus, near, found):
    """The best setting from lists of plain entries, best code first, where worth and stay rise with the code.

    A high middle comes from the list of backs itself, behind its back. Returns the worth, or NONE when every setting
    fouls; `found` takes the cards of the three rows.
    """
    strict = np.uint32(tables.switches[BACK_STRICT])
    pair = _best_pair(tables, backs, n_backs, middles, n_middles, low, bonus, found)
    if pair == NONE:
        return pair
    best = NONE
    middle, back = np.uint32(found[1]), np.uint32(found[2])
    limit = _front_limit(tables, middle >> _SHIFT, back >> _SHIFT, low)
    for k in range(n_fronts):
        front = fronts[k]
        if np.int64(front >> _SHIFT) <= limit and not front & (middle | back) & _CARDS:
            best = _full_worth(tables, front >> _SHIFT, middle >> _SHIFT, back >> _SHIFT, bonus)
            found[0], found[1], found[2] = front & _CARDS, middle & _CARDS, back & _CARDS
            break
    bare = NONE
    for k in range(n_fronts):
        front = fronts[k]
        front_code = front >> _SHIFT
        bound = tables.worth[0, front_code] + pair
        if tables.stay[0, front_code]:
            if bare == NONE:
                kept_1, kept_2 = found[1], found[2]
                bare = _best_pair(tables, backs, n_backs, middles, n_middles, low, 0, found)
                found[1], found[2] = kept_1, kept_2
            bound = tables.worth[0, front_code] + bare + bonus
        if bound <= best:
            break
        # Middles clear of the front, best first, as far as one can still win: `near[:end]`, cut as backs get weaker.
        at, seen, end = 0, 0, -1
        for i in range(n_backs):
            back = backs[i]
            if back & front & _CARDS:
                continue
            seen += 1
            back_code = back >> _SHIFT
            if low and np.int64(front_code) > _front_limit(tables, 0, back_code, low):
                break
            first = 0 if low else seen
            if end < 0:
                end = 0
                while at < n_middles:
                    middle = middles[at]
                    at += 1
                    if middle & front & _CARDS:
                        continue
                    if not low and np.int64(front_code) > _front_limit(tables, middle >> _SHIFT, 0, low):
                        break
                    if _full_worth(tables, front_code, middle >> _SHIFT, back_code, bonus) <= best:
                        break
                    near[end] = middle
                    end += 1
            while end > first and _full_worth(tables, front_code, near[end - 1] >> _SHIFT, back_code, bonus) <= best:
                end -= 1
            if end <= first:
                break
            for j in range(first, end):
                middle = near[j]
                if middle & back & _CARDS or (not low and (middle >> _SHIFT) + strict > back_code):
                    continue
                worth = _full_worth(tables, front_code, middle >> _SHIFT, back_code, bonus)
                if worth > best:
                    best = worth
                    found[0], found[1], found[2] = front & _CARDS, middle & _CARDS, back & _CARDS
                break
    return best


@kernel
def is_read_so(tables, work, front, middle, back, jokers):
    """Tell whether the scorer reads these rows, which may hold jokers, as the codes of the entries."""
    if jokers == 0:
        return True
    at = 0
    for entry in (front, middle, back):
        for i in range(CARD_BITS):
            if entry >> np.uint64(i) & np.uint64(1):
                work.board[0, at] = work.hand[i]
                at += 1
    read_boards(work.board, tables.switches, tables.cross, work.read)
    codes = work.read[0]
    return codes[0] == wide_code(front) and codes[1] == wide_code(middle) and codes[2] == wide_code(back)


@kernel
def _partner_of(tables, work, middle, n_backs, low, falling, want):
    """Position of the best back that may stand behind a middle, n_backs when there is none."""
    least = 0 if low else wide_code(middle) + tables.switches[BACK_STRICT]
    for i in range(n_backs):
        back = work.wide_backs[i]
        code = wide_code(back)
        if code < least:
            if falling:
                break
            continue
        if not clash(middle, back) and (want < 0 or tables.stay[2, code] == want):
            return i
    return n_backs


@kernel
def search_any(tables, work, n_fronts, n_middles, n_backs, low, jokers, falling, wants, added, best):
    """Improve on `best` from the wide lists, each sorted by worth, with nothing assumed of worth and stay.

    `wants`: for each row whether it must stay (1), must not (0) or may (-1); `added`: worth of such a setting beyond
    its rows; `falling`: the codes of the backs fall from first to last. A setting counts only where the scorer reads
    its jokers as the entries say.
    """
    if n_fronts == 0 or n_middles == 0 or n_backs == 0:
        return best
    want_front, want_middle, want_back = wants
    top = NONE
    for i in range(n_backs):
        code = wide_code(work.wide_backs[i])
        if want_back < 0 or tables.stay[2, code] == want_back:
            top = tables.worth[2, code]
            break
    if top == NONE:
        return best
    pair = NONE
    work.partner[:n_middles] = -1
    for j in range(n_middles):
        middle = work.wide_middles[j]
        code = wide_code(middle)
        if want_middle >= 0 and tables.stay[1, code] != want_middle:
            continue
        if tables.worth[1, code] + top <= pair:
            break
        work.partner[j] = _partner_of(tables, work, middle, n_backs, low, falling, want_back)
        if work.partner[j] < n_backs:
            pair = max(pair, tables.worth[1, code] + tables.worth[2, wide_code(work.wide_backs[work.partner[j]])])
    if pair == NONE:
        return best
    for k in range(n_fronts):
        front = work.wide_fronts[k]
        front_code = wide_code(front)
        if want_front >= 0 and tables.stay[0, front_code] != want_front:
            continue
        front_worth = tables.worth[0, front_code] + added
        if front_worth + pair <= best:
            break
        first = 0
        while first < n_backs and (
            clash(front, work.wide_backs[first])
            or (want_back >= 0 and tables.stay[2, wide_code(work.wide_backs[first])] != want_back)
        ):
            first += 1
        if first == n_backs:
            continue
        top = tables.worth[2, wide_code(work.wide_backs[first])]
        for j in range(n_middles):
            middle = work.wide_middles[j]
            code = wide_code(middle)
            worth = front_worth + tables.worth[1, code]
            if worth + top <= best:
                break
            if clash(front, middle) or (want_middle >= 0 and tables.stay[1, code] != want_middle):
                continue
            if not low and front_code > _front_limit(tables, code, 0, low):
                continue
            if work.partner[j] < 0:
                work.partner[j] = _partner_of(tables, work, middle, n_backs, low, falling, want_back)
            for i in range(max(first, work.partner[j]), n_backs):
                back = work.wide_backs[i]
                back_code = wide_code(back)
                if worth + tables.worth[2, back_code] <= best:
                    break
                if clash(front, back) or clash(middle, back):
                    continue
                if want_back >= 0 and tables.stay[2, back_code] != want_back:
                    continue
                if low:
                    if front_code > _front_limit(tables, 0, back_code, low):
                        continue
                elif code + tables.switches[BACK_STRICT] > back_code:
                    continue
                if is_read_so(tables, work, front, middle, back, jokers):
                    best = worth + tables.worth[2, back_code]
                    work.found[0] = np.int64(front & _WIDE_CARDS)
                    work.found[1] = np.int64(middle & _WIDE_CARDS)
                    work.found[2] = np.int64(back & _WIDE_CARDS)
                    break
    return best
