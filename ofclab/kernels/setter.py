"""The exact Fantasyland setter: the legal setting of 13 to 17 cards with the greatest value.

The value of a setting is the worth of its three rows, looked up by row code, and a bonus once where any row stays in
Fantasyland. Where worth never falls as codes rise (all usual royalties), rows are tried best first and the search stops
as soon as no better setting can follow; any other tables go the longer way of `_search_any`. Both are exact.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels import tables as t
from ofclab.kernels.candidates import (
    CARD_BITS,
    MOST_READINGS,
    WIDE_CODE,
    WIDE_NEEDS,
    WIDE_ORDER,
    list_fives,
    list_fronts,
    list_joker_rows,
    list_lows,
    narrow,
    sort_descending,
    widen,
)
from ofclab.kernels.jit import kernel
from ofclab.kernels.scoring import (
    BACK_STRICT,
    COPY_ANY,
    COPY_NONE,
    COPY_OTHER_ROW,
    FIVE_OF_A_KIND_ALLOWED,
    FRONT_STRICT,
    LOW_MIDDLE,
    LOW_WORST,
    MAY_COPY,
    MIDDLE_STRICT,
    READING_LEGAL,
    is_foul,
    read_boards,
)
from ofclab.kernels.tables import CARD

NONE = -(1 << 62)
"""Value of no setting."""

_CARDS = np.uint32((1 << CARD_BITS) - 1)
_SHIFT = np.uint32(CARD_BITS)
_WIDE_CARDS = np.uint64((1 << CARD_BITS) - 1)
_WIDE_SHIFT, _WIDE_NEEDS, _WIDE_ORDER = np.uint64(WIDE_CODE), np.uint64(WIDE_NEEDS), np.uint64(WIDE_ORDER)
_CODE_BITS = np.uint64((1 << WIDE_ORDER - WIDE_CODE) - 1)


class SetterTables(NamedTuple):
    """What a ruleset makes of row codes, ready for `set_hands`; rows front, middle, back.

    ``worth`` i64 (3, N): twice the value of a row, so that a half can prefer a setting that stays among equal ones;
    ``stay`` bool (3, N); ``order`` u16 (3, N): position of each code when sorted by worth; ``rising`` i64 (3,): greatest
    code up to which neither worth nor stay falls; ``switches`` and ``cross`` as in `ofclab.kernels.scoring`.
    """

    worth: NDArray[np.int64]
    stay: NDArray[np.bool_]
    order: NDArray[np.uint16]
    rising: NDArray[np.int64]
    switches: NDArray[np.int64]
    cross: NDArray[np.uint16]


class _Work(NamedTuple):
    """Buffers of one batch: plain and wide lists of candidate rows, and what building them takes."""

    fronts: NDArray[np.uint32]
    fives: NDArray[np.uint32]
    lows: NDArray[np.uint32]
    spare: NDArray[np.uint32]
    wide_fronts: NDArray[np.uint64]
    wide_middles: NDArray[np.uint64]
    wide_backs: NDArray[np.uint64]
    wide_spare: NDArray[np.uint64]
    partner: NDArray[np.int32]
    tally: NDArray[np.int64]
    words: NDArray[np.uint32]
    pair_words: NDArray[np.uint32]
    pair_cards: NDArray[np.uint32]
    hand: NDArray[np.int64]
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
def _search_rising(tables, fronts, n_fronts, middles, n_middles, backs, n_backs, low, bonus, found):
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
        for i in range(n_backs):
            back = backs[i]
            if back & front & _CARDS:
                continue
            back_code = back >> _SHIFT
            first = 0 if low else i + 1
            if first >= n_middles or _full_worth(tables, front_code, middles[first] >> _SHIFT, back_code, bonus) <= best:
                break
            if low and np.int64(front_code) > _front_limit(tables, 0, back_code, low):
                break
            used = (front | back) & _CARDS
            for j in range(first, n_middles):
                middle = middles[j]
                if middle & used:
                    continue
                middle_code = middle >> _SHIFT
                if not low and middle_code + strict > back_code:
                    continue
                worth = _full_worth(tables, front_code, middle_code, back_code, bonus)
                if worth > best and (low or np.int64(front_code) <= _front_limit(tables, middle_code, 0, low)):
                    best = worth
                    found[0], found[1], found[2] = front & _CARDS, middle & _CARDS, back & _CARDS
                break
    return best


@kernel
def _clash(a, b):
    """Cards that two wide entries both place, or one places and the other needs discarded."""
    return (a & (b | b >> _WIDE_NEEDS) | a >> _WIDE_NEEDS & b) & _WIDE_CARDS


@kernel
def _wide_code(entry):
    return np.int64(entry >> _WIDE_SHIFT & _CODE_BITS)


@kernel
def _is_read_so(tables, work, front, middle, back, jokers):
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
    return codes[0] == _wide_code(front) and codes[1] == _wide_code(middle) and codes[2] == _wide_code(back)


@kernel
def _partner_of(tables, work, middle, n_backs, low, falling, want):
    """Position of the best back that may stand behind a middle, n_backs when there is none."""
    least = 0 if low else _wide_code(middle) + tables.switches[BACK_STRICT]
    for i in range(n_backs):
        back = work.wide_backs[i]
        code = _wide_code(back)
        if code < least:
            if falling:
                break
            continue
        if not _clash(middle, back) and (want < 0 or tables.stay[2, code] == want):
            return i
    return n_backs


@kernel
def _search_any(tables, work, n_fronts, n_middles, n_backs, low, jokers, wants, added, best):
    """Improve on `best` from the wide lists, each sorted by worth, with nothing assumed of worth and stay.

    `wants`: for each row whether it must stay (1), must not (0) or may (-1); `added`: worth of such a setting beyond its
    rows. A setting counts only where the scorer reads its jokers as the entries say.
    """
    if n_fronts == 0 or n_middles == 0 or n_backs == 0:
        return best
    want_front, want_middle, want_back = wants
    falling = tables.rising[2] >= _wide_code(work.wide_backs[0])
    top = NONE
    for i in range(n_backs):
        code = _wide_code(work.wide_backs[i])
        if want_back < 0 or tables.stay[2, code] == want_back:
            top = tables.worth[2, code]
            break
    if top == NONE:
        return best
    pair = NONE
    work.partner[:n_middles] = -1
    for j in range(n_middles):
        middle = work.wide_middles[j]
        code = _wide_code(middle)
        if want_middle >= 0 and tables.stay[1, code] != want_middle:
            continue
        if tables.worth[1, code] + top <= pair:
            break
        work.partner[j] = _partner_of(tables, work, middle, n_backs, low, falling, want_back)
        if work.partner[j] < n_backs:
            pair = max(pair, tables.worth[1, code] + tables.worth[2, _wide_code(work.wide_backs[work.partner[j]])])
    if pair == NONE:
        return best
    for k in range(n_fronts):
        front = work.wide_fronts[k]
        front_code = _wide_code(front)
        if want_front >= 0 and tables.stay[0, front_code] != want_front:
            continue
        front_worth = tables.worth[0, front_code] + added
        if front_worth + pair <= best:
            break
        for j in range(n_middles):
            middle = work.wide_middles[j]
            code = _wide_code(middle)
            worth = front_worth + tables.worth[1, code]
            if worth + top <= best:
                break
            if _clash(front, middle) or (want_middle >= 0 and tables.stay[1, code] != want_middle):
                continue
            if not low and front_code > _front_limit(tables, code, 0, low):
                continue
            if work.partner[j] < 0:
                work.partner[j] = _partner_of(tables, work, middle, n_backs, low, falling, want_back)
            for i in range(work.partner[j], n_backs):
                back = work.wide_backs[i]
                back_code = _wide_code(back)
                if worth + tables.worth[2, back_code] <= best:
                    break
                if _clash(front, back) or _clash(middle, back):
                    continue
                if want_back >= 0 and tables.stay[2, back_code] != want_back:
                    continue
                if low:
                    if front_code > _front_limit(tables, 0, back_code, low):
                        continue
                elif code + tables.switches[BACK_STRICT] > back_code:
                    continue
                if _is_read_so(tables, work, front, middle, back, jokers):
                    best = worth + tables.worth[2, back_code]
                    work.found[0] = np.int64(front & _WIDE_CARDS)
                    work.found[1] = np.int64(middle & _WIDE_CARDS)
                    work.found[2] = np.int64(back & _WIDE_CARDS)
                    break
    return best


@kernel
def _sort_by_worth(order, wide, n, spare, tally):
    for i in range(n):
        wide[i] |= np.uint64(order[_wide_code(wide[i])]) << _WIDE_ORDER
    sort_descending(wide, n, spare, tally, _WIDE_ORDER)


@kernel
def _search_wide(tables, work, n_fronts, n_middles, n_backs, low, jokers, bonus):
    """The best setting from unsorted wide lists under any tables: settings that stay by each row first, then the rest."""
    _sort_by_worth(tables.order[0], work.wide_fronts, n_fronts, work.wide_spare, work.tally)
    _sort_by_worth(tables.order[1], work.wide_middles, n_middles, work.wide_spare, work.tally)
    _sort_by_worth(tables.order[2], work.wide_backs, n_backs, work.wide_spare, work.tally)
    best = NONE
    for wants in ((1, -1, -1), (-1, 1, -1), (-1, -1, 1)):
        best = _search_any(tables, work, n_fronts, n_middles, n_backs, low, jokers, wants, bonus, best)
    # A bonus below zero must not be dodged by calling a setting that stays one that does not.
    rest = (-1, -1, -1) if bonus > 0 else (0, 0, 0)
    return _search_any(tables, work, n_fronts, n_middles, n_backs, low, jokers, rest, 0, best)


@kernel
def _top(plain, n):
    return np.int64(plain[0] >> _SHIFT) if n > 0 else np.int64(0)


@kernel
def _is_rising(tables, front, middle, back, bonus):
    """Tell whether worth and stay rise up to these greatest codes of a hand."""
    return bonus > 0 and front <= tables.rising[0] and middle <= tables.rising[1] and back <= tables.rising[2]


@kernel
def _set_natural(tables, work, n, low, bonus):
    """Set a hand without jokers."""
    n_fronts = list_fronts(work.words, n, work.fronts)
    n_fives = list_fives(work.words, n, work.pair_words, work.pair_cards, work.fives)
    sort_descending(work.fronts, n_fronts, work.spare, work.tally, _SHIFT)
    sort_descending(work.fives, n_fives, work.spare, work.tally, _SHIFT)
    middles, n_middles = work.fives, n_fives
    if low:
        n_middles = list_lows(work.words, n, tables.switches[LOW_WORST], work.lows)
        sort_descending(work.lows, n_middles, work.spare, work.tally, _SHIFT)
        middles = work.lows
    if _is_rising(tables, _top(work.fronts, n_fronts), _top(middles, n_middles), _top(work.fives, n_fives), bonus):
        return _search_rising(
            tables, work.fronts, n_fronts, middles, n_middles, work.fives, n_fives, low, bonus, work.found
        )
    widen(work.fronts, n_fronts, work.wide_fronts, 0)
    widen(middles, n_middles, work.wide_middles, 0)
    widen(work.fives, n_fives, work.wide_backs, 0)
    return _search_wide(tables, work, n_fronts, n_middles, n_fives, low, 0, bonus)


@kernel
def _greatest_code(wide, n):
    greatest = 0
    for i in range(n):
        greatest = max(greatest, _wide_code(wide[i]))
    return greatest


@kernel
def _set_jokers(tables, work, n, jokers, low, bonus):
    """Set a hand with one or two jokers, which stand behind the natural cards."""
    natural = n - jokers
    copy, five_of_a_kind = tables.switches[MAY_COPY], tables.switches[FIVE_OF_A_KIND_ALLOWED] == 1
    every = tables.switches[READING_LEGAL] == 1
    in_hand = 0
    for i in range(natural):
        in_hand |= 1 << work.hand[i]
        work.place[work.hand[i]] = 1 << i
    free = (1 << 52) - 1
    if copy == COPY_NONE:
        free &= ~in_hand
    held = in_hand if copy == COPY_NONE and n > 13 else 0
    reading = (free, held, copy == COPY_OTHER_ROW, work.place, copy == COPY_ANY, five_of_a_kind)

    n_fives = list_fives(work.words, natural, work.pair_words, work.pair_cards, work.fives)
    n_backs = widen(work.fives, n_fives, work.wide_backs, 0)
    n_backs = list_joker_rows(
        work.hand, natural, jokers, 5, reading, False, 0, False, work.codes, work.needs, work.wide_backs, n_backs
    )
    if low:
        worst = tables.switches[LOW_WORST]
        n_middles = widen(work.lows, list_lows(work.words, natural, worst, work.lows), work.wide_middles, 0)
    else:
        worst = 0
        n_middles = widen(work.fives, n_fives, work.wide_middles, 0)
    n_middles = list_joker_rows(
        work.hand, natural, jokers, 5, reading, low, worst, every and not low, work.codes, work.needs,
        work.wide_middles, n_middles,
    )  # fmt: skip
    n_fronts = widen(work.fronts, list_fronts(work.words, natural, work.fronts), work.wide_fronts, 0)
    n_fronts = list_joker_rows(
        work.hand, natural, jokers, 3, reading, False, 0, every, work.codes, work.needs, work.wide_fronts, n_fronts
    )
    front, middle = _greatest_code(work.wide_fronts, n_fronts), _greatest_code(work.wide_middles, n_middles)
    if held != 0 or not _is_rising(tables, front, middle, _greatest_code(work.wide_backs, n_backs), bonus):
        return _search_wide(tables, work, n_fronts, n_middles, n_backs, low, jokers, bonus)
    # The strongest legal readings are worth most here, so any reading may stand for a row: the best sum is what the
    # scorer reads. Backs may then be drawn from the middles' list, weaker readings included.
    narrow(work.wide_fronts, n_fronts, work.fronts)
    narrow(work.wide_middles, n_middles, work.lows)
    sort_descending(work.fronts, n_fronts, work.spare, work.tally, _SHIFT)
    sort_descending(work.lows, n_middles, work.spare, work.tally, _SHIFT)
    if not low:
        return _search_rising(
            tables, work.fronts, n_fronts, work.lows, n_middles, work.lows, n_middles, low, bonus, work.found
        )
    narrow(work.wide_backs, n_backs, work.fives)
    sort_descending(work.fives, n_backs, work.spare, work.tally, _SHIFT)
    return _search_rising(
        tables, work.fronts, n_fronts, work.lows, n_middles, work.fives, n_backs, low, bonus, work.found
    )


@kernel
def set_hands(tables, work, cards, counts, bonus, masks, values, legal):
    """Set m hands; see `set_hands_batch`, which makes the arrays."""
    low = tables.switches[LOW_MIDDLE] == 1
    for h in range(cards.shape[0]):
        n = np.int64(counts[h])
        natural = 0
        for i in range(n):
            if cards[h, i] < 52:
                work.hand[natural], work.seat[natural] = cards[h, i], i
                work.words[natural] = CARD[cards[h, i]]
                natural += 1
        behind = natural
        for i in range(n):
            if cards[h, i] >= 52:
                work.hand[behind], work.seat[behind] = cards[h, i], i
                behind += 1
        worth = 2 * bonus[h] + 1
        if natural == n:
            best = _set_natural(tables, work, n, low, worth)
        else:
            best = _set_jokers(tables, work, n, n - natural, low, worth)
        legal[h] = best != NONE
        values[h] = best >> 1 if legal[h] else 0
        if not legal[h]:
            masks[h, 0], masks[h, 1], masks[h, 2] = 7 << 10, 31 << 5, 31
            continue
        for row in range(3):
            mask = 0
            for i in range(n):
                if work.found[row] >> i & 1:
                    mask |= 1 << work.seat[i]
            masks[h, row] = mask


def _codes_of_rows(low: bool) -> list[NDArray[np.int64]]:
    """All codes a front, a middle and a back can have, ascending."""
    fronts = np.array(sorted({t.HIGH_CODES[t.high_strength(ranks)] for ranks in t.multisets(3)}))
    fives = np.setdiff1d(np.arange(1, len(t.HIGH_CODES) + 1), fronts)
    return [fronts, np.arange(1, len(t.LOW_CODES) + 1) if low else fives, fives]


def _frozen(array: NDArray[np.generic]) -> NDArray[np.generic]:
    """A contiguous read-only view: kernels see one type, whoever made the array."""
    view = np.ascontiguousarray(array).view()
    view.setflags(write=False)
    return view


def setter_tables(
    values: NDArray[np.integer],
    stay: NDArray[np.bool_],
    switches: NDArray[np.int64],
    cross: NDArray[np.uint16],
) -> SetterTables:
    """Prepare the tables of a ruleset for `set_hands_batch`.

    ``values``: whole numbers (3, N) by row (front, middle, back) and row code, in whatever fixed point the caller uses;
    ``stay`` bool (3, N); ``switches`` and ``cross`` as in `ofclab.kernels.scoring`.
    """
    worth = 2 * values.astype(np.int64)
    order = np.empty(worth.shape, np.uint16)
    rising = np.empty(3, np.int64)
    for row, codes in enumerate(_codes_of_rows(bool(switches[LOW_MIDDLE]))):
        order[row, np.argsort(worth[row], kind="stable")] = np.arange(worth.shape[1])
        falls = (np.diff(worth[row, codes]) < 0) | (np.diff(stay[row, codes].astype(np.int8)) < 0)
        rising[row] = codes[np.argmax(falls)] if falls.any() else codes[-1]
    frozen = (_frozen(array) for array in (worth, stay, order, rising, switches, cross))
    return SetterTables(*frozen)


def _work(jokers: int, may_copy: int) -> _Work:
    """Buffers for hands of up to 17 cards with up to so many jokers."""
    one, two = (52, MOST_READINGS) if may_copy == COPY_NONE else (26, 182)
    natural, readings = 17 - jokers, (0, jokers * one, two if jokers == 2 else 0)
    fives = sum(comb(natural, 5 - i) * (readings[i] if i else 1) for i in range(3))
    fronts = sum(comb(natural, 3 - i) * (readings[i] if i else 1) for i in range(3))
    return _Work(
        np.empty(fronts, np.uint32), *(np.empty(fives, np.uint32) for _ in range(3)),
        np.empty(fronts, np.uint64), *(np.empty(fives, np.uint64) for _ in range(3)),
        np.empty(fives, np.int32), np.empty(256, np.int64),
        np.empty(17, np.uint32), np.empty(136, np.uint32), np.empty(136, np.uint32),
        np.empty(17, np.int64), np.empty(17, np.int64), np.empty(52, np.int64),
        np.empty(MOST_READINGS, np.int64), np.empty(MOST_READINGS, np.int64),
        np.empty((1, 13), np.uint8), np.empty((1, 3), np.uint16), np.empty(3, np.int64),
    )  # fmt: skip


def set_hands_batch(
    cards: NDArray[np.uint8], counts: NDArray[np.uint8], tables: SetterTables, bonus: NDArray[np.integer]
) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.bool_]]:
    """Set m Fantasyland hands: the cards of each row, the value of each setting, and whether any legal one exists.

    ``cards`` u8 (m, 17), padded with anything beyond ``counts`` (m,), 13..17 distinct cards each; ``bonus`` (m,): what a
    setting that stays is worth beyond its rows, in the unit of the tables. Returns masks u32 (m, 3) for front, middle,
    back (bit i = the i-th card), values i64 (m,) in the same unit, and legal bool (m,). Of settings of equal value one
    that stays is taken. Where every setting fouls the value is 0 and the first 13 cards are placed back, middle, front.
    Raises ValueError for other shapes or counts; cards are not checked for repeats.
    """
    hands, sizes = np.ascontiguousarray(cards, np.uint8), np.ascontiguousarray(counts, np.uint8)
    m = len(hands)
    if hands.ndim != 2 or hands.shape[1] != 17 or sizes.shape != (m,) or np.shape(bonus) != (m,):
        raise ValueError(
            f"want cards (m, 17), counts (m,) and bonus (m,), got {hands.shape}, {sizes.shape}, {np.shape(bonus)}"
        )
    if m and not (13 <= sizes.min() and sizes.max() <= 17):
        raise ValueError(f"a Fantasyland hand has 13 to 17 cards, got {sizes.min()} to {sizes.max()}")
    dealt = np.arange(17) < sizes[:, None]
    jokers = int(((hands >= 52) & dealt).sum(axis=1).max(initial=0))
    if jokers > 2 or (hands[dealt] > 53).any():
        raise ValueError("want card ids 0..51 and at most the jokers 52 and 53")
    masks, values, legal = np.empty((m, 3), np.uint32), np.empty(m, np.int64), np.empty(m, np.bool_)
    work = _work(jokers, int(tables.switches[MAY_COPY]))
    set_hands(tables, work, hands, sizes, np.ascontiguousarray(bonus, np.int64), masks, values, legal)
    return masks, values, legal
