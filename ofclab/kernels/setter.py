"""The exact Fantasyland setter: the legal setting of 13 to 17 cards with the greatest value.

The value of a setting is the worth of its three rows, looked up by row code, and a bonus once where any row stays in
Fantasyland. Where worth never falls as codes rise (all usual royalties), rows are tried best first and the search stops
as soon as no better setting can follow. A row with jokers is a candidate once for each reading. Whatever is left, such
as worth that falls or jokers that read as discarded cards, goes a longer way. All ways are exact.
"""

from __future__ import annotations

from math import comb
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels import tables as t
from ofclab.kernels.candidates import CARD_BITS, DIGIT_BITS, list_fives, list_fronts, list_lows, sort_descending
from ofclab.kernels.jit import kernel
from ofclab.kernels.joker_rows import (
    MOST_READINGS,
    ORDER_SHIFT,
    greatest_code,
    key_by,
    list_joker_rows,
    narrow,
    widen,
)
from ofclab.kernels.scoring import (
    COPY_ANY,
    COPY_NONE,
    COPY_OTHER_ROW,
    FIVE_OF_A_KIND_ALLOWED,
    LOW_MIDDLE,
    LOW_WORST,
    MAY_COPY,
    READING_LEGAL,
)
from ofclab.kernels.setter_search import NONE, SetterTables, Work, search_any, search_rising
from ofclab.kernels.tables import CARD

Scalar = TypeVar("Scalar", bound=np.generic)

FOUL, LEGAL, PENDING = 0, 1, 2
_SHIFT, _ORDER = np.uint32(CARD_BITS), np.uint64(ORDER_SHIFT)


@kernel
def _is_rising(tables, front, middle, back, bonus):
    """Tell whether worth and stay rise up to these greatest codes of a hand."""
    return bonus > 0 and front <= tables.rising[0] and middle <= tables.rising[1] and back <= tables.rising[2]


@kernel
def _write(best, found, seat, n, masks, values, state, h):
    """Store one hand's setting; cards go back to where they stood in the deal."""
    if best == NONE:
        masks[h, 0], masks[h, 1], masks[h, 2] = 7 << 10, 31 << 5, 31
        values[h], state[h] = 0, FOUL
        return
    values[h], state[h] = best >> 1, LEGAL
    for row in range(3):
        mask = 0
        for i in range(n):
            if found[row] >> i & 1:
                mask |= 1 << seat[i]
        masks[h, row] = mask


@kernel
def set_plain_hands(tables, work, cards, counts, bonus, masks, values, state):
    """Set the hands without jokers whose worth rises with the code; the others become PENDING."""
    low = tables.switches[LOW_MIDDLE] == 1
    for h in range(cards.shape[0]):
        n, worth = np.int64(counts[h]), 2 * bonus[h] + 1
        state[h] = PENDING
        jokers = 0
        for i in range(n):
            jokers += cards[h, i] >= 52
            work.words[i], work.seat[i] = CARD[cards[h, i]], i
        if jokers:
            continue
        n_fronts = list_fronts(work.words, n, work.fronts)
        n_backs = list_fives(work.words, n, work.pair_words, work.pair_cards, work.backs)
        middles, n_middles = work.backs, n_backs
        sort_descending(work.fronts, n_fronts, work.spare, work.tally, _SHIFT)
        sort_descending(work.backs, n_backs, work.spare, work.tally, _SHIFT)
        if low:
            middles, n_middles = work.middles, list_lows(work.words, n, tables.switches[LOW_WORST], work.middles)
            sort_descending(middles, n_middles, work.spare, work.tally, _SHIFT)
        front, back = work.fronts[0] >> _SHIFT, work.backs[0] >> _SHIFT
        middle = middles[0] >> _SHIFT if n_middles > 0 else np.uint32(0)
        if _is_rising(tables, front, middle, back, worth):
            best = search_rising(
                tables, work.fronts, n_fronts, middles, n_middles, work.backs, n_backs, low, worth,
                work.spare, work.found,
            )  # fmt: skip
            _write(best, work.found, work.seat, n, masks, values, state, h)


@kernel
def arrange(cards, n, work):
    """Put a hand's natural cards before its jokers; returns how many are natural."""
    natural = 0
    for i in range(n):
        if cards[i] < 52:
            work.hand[natural], work.seat[natural], work.words[natural] = cards[i], i, CARD[cards[i]]
            work.place[cards[i]] = 1 << natural
            natural += 1
    behind = natural
    for i in range(n):
        if cards[i] >= 52:
            work.hand[behind], work.seat[behind] = cards[i], i
            behind += 1
    return natural


@kernel
def held_cards(tables, work, n, natural):
    """The natural cards that a joker may read as once they are thrown away, 52 bits."""
    held = 0
    if tables.switches[MAY_COPY] == COPY_NONE and n > 13:
        for i in range(natural):
            held |= 1 << work.hand[i]
    return held


@kernel
def list_wide_rows(tables, work, n, natural, low, held):
    """Fill the wide lists of a hand that is arranged; returns how many fronts, middles and backs there are."""
    copy, every = tables.switches[MAY_COPY], tables.switches[READING_LEGAL] == 1
    free = (1 << 52) - 1
    if copy == COPY_NONE:
        for i in range(natural):
            free &= ~(1 << work.hand[i])
    reading = (
        free, held, copy == COPY_OTHER_ROW, work.place, copy == COPY_ANY, tables.switches[FIVE_OF_A_KIND_ALLOWED] == 1
    )  # fmt: skip
    n_fives = list_fives(work.words, natural, work.pair_words, work.pair_cards, work.backs)
    counts = [0, 0, 0]
    for row in range(3):
        lows, worst = low and row == 1, 0
        plain, count, wide = work.backs, n_fives, work.wide_backs
        if row == 0:
            plain, count, wide = work.fronts, list_fronts(work.words, natural, work.fronts), work.wide_fronts
        elif row == 1:
            wide = work.wide_middles
            if low:
                worst = tables.switches[LOW_WORST]
                plain, count = work.middles, list_lows(work.words, natural, worst, work.middles)
        count = widen(plain, count, wide)
        # Backs and lows always read as strong as they can; the others as strong as is legal, where the rules say so.
        some = every and row != 2 and not lows
        size = 3 if row == 0 else 5
        counts[row] = list_joker_rows(
            work.hand, natural, n - natural, size, reading, lows, worst, some, work.codes, work.needs, wide, count
        )
    return counts[0], counts[1], counts[2]


@kernel
def sort_wide_rows(order, work, n_fronts, n_middles, n_backs):
    """Sort the wide lists of each row by the position of their codes in `order` u16 (3, N), the best first."""
    for row in range(3):
        wide, count = work.wide_fronts, n_fronts
        if row == 1:
            wide, count = work.wide_middles, n_middles
        elif row == 2:
            wide, count = work.wide_backs, n_backs
        key_by(order[row], wide, count)
        sort_descending(wide, count, work.wide_spare, work.tally, _ORDER)


@kernel
def _search_any_way(tables, work, n_fronts, n_middles, n_backs, low, jokers, falling, bonus):
    """The best setting from unsorted wide lists under any tables: first those that stay, row by row, then the rest."""
    sort_wide_rows(tables.order, work, n_fronts, n_middles, n_backs)
    best = NONE
    # A bonus below zero must not be dodged by calling a setting that stays one that does not.
    rest = -1 if bonus > 0 else 0
    for by in range(4):
        other = rest if by == 3 else -1
        wants = (1 if by == 0 else other, 1 if by == 1 else other, 1 if by == 2 else other)
        added = bonus if by < 3 else 0
        best = search_any(tables, work, n_fronts, n_middles, n_backs, low, jokers, falling, wants, added, best)
    return best


@kernel
def set_wide_hands(tables, work, cards, counts, bonus, masks, values, state):
    """Set the PENDING hands: those with jokers, and those whose worth falls somewhere as codes rise."""
    low = tables.switches[LOW_MIDDLE] == 1
    for h in range(cards.shape[0]):
        if state[h] != PENDING:
            continue
        n, worth = np.int64(counts[h]), 2 * bonus[h] + 1
        natural = arrange(cards[h], n, work)
        held = held_cards(tables, work, n, natural)
        n_fronts, n_middles, n_backs = list_wide_rows(tables, work, n, natural, low, held)
        front, middle = greatest_code(work.wide_fronts, n_fronts), greatest_code(work.wide_middles, n_middles)
        back = greatest_code(work.wide_backs, n_backs)
        if (held != 0 and natural < n) or not _is_rising(tables, front, middle, back, worth):
            falling = back <= tables.rising[2]
            best = _search_any_way(tables, work, n_fronts, n_middles, n_backs, low, n - natural, falling, worth)
            _write(best, work.found, work.seat, n, masks, values, state, h)
            continue
        # Where worth rises the strongest legal readings are worth most, so any reading may stand for a row: the best
        # sum is what the scorer reads. High backs may then come from the middles' list, weaker readings included.
        narrow(work.wide_fronts, n_fronts, work.fronts)
        narrow(work.wide_middles, n_middles, work.middles)
        sort_descending(work.fronts, n_fronts, work.spare, work.tally, _SHIFT)
        sort_descending(work.middles, n_middles, work.spare, work.tally, _SHIFT)
        backs = work.middles
        if low:
            backs = work.backs
            narrow(work.wide_backs, n_backs, work.backs)
            sort_descending(work.backs, n_backs, work.spare, work.tally, _SHIFT)
        else:
            n_backs = n_middles
        best = search_rising(
            tables, work.fronts, n_fronts, work.middles, n_middles, backs, n_backs, low, worth, work.spare, work.found
        )
        _write(best, work.found, work.seat, n, masks, values, state, h)


def _codes_of_rows(low: bool) -> list[NDArray[np.int64]]:
    """All codes a front, a middle and a back can have, ascending."""
    fronts = np.array(sorted({t.HIGH_CODES[t.high_strength(ranks)] for ranks in t.multisets(3)}))
    fives = np.setdiff1d(np.arange(1, len(t.HIGH_CODES) + 1), fronts)
    return [fronts, np.arange(1, len(t.LOW_CODES) + 1) if low else fives, fives]


def _frozen(array: NDArray[Scalar]) -> NDArray[Scalar]:
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
    return SetterTables(
        _frozen(worth), _frozen(stay), _frozen(order), _frozen(rising), _frozen(switches), _frozen(cross)
    )


def make_work(jokers: int, may_copy: int) -> Work:
    """Buffers for hands of up to 17 cards with up to so many jokers."""
    one, two = (52, MOST_READINGS) if may_copy == COPY_NONE else (26, 182)
    natural, readings = 17 - jokers, (0, jokers * one, two if jokers == 2 else 0)
    fives = sum(comb(natural, 5 - i) * (readings[i] if i else 1) for i in range(3))
    fronts = sum(comb(natural, 3 - i) * (readings[i] if i else 1) for i in range(3))
    return Work(
        fronts=np.empty(fronts, np.uint32),
        middles=np.empty(fives, np.uint32),
        backs=np.empty(fives, np.uint32),
        spare=np.empty(fives, np.uint32),
        wide_fronts=np.empty(fronts, np.uint64),
        wide_middles=np.empty(fives, np.uint64),
        wide_backs=np.empty(fives, np.uint64),
        wide_spare=np.empty(fives, np.uint64),
        partner=np.empty(fives, np.int32),
        tally=np.empty(2 << DIGIT_BITS, np.int64),
        pair_words=np.empty(136, np.uint32),
        pair_cards=np.empty(136, np.uint32),
        hand=np.empty(17, np.int64),
        words=np.empty(17, np.uint32),
        seat=np.empty(17, np.int64),
        place=np.empty(52, np.int64),
        codes=np.empty(MOST_READINGS, np.int64),
        needs=np.empty(MOST_READINGS, np.int64),
        board=np.empty((1, 13), np.uint8),
        read=np.empty((1, 3), np.uint16),
        found=np.empty(3, np.int64),
    )


def set_hands_batch(
    cards: NDArray[np.uint8], counts: NDArray[np.uint8], tables: SetterTables, bonus: NDArray[np.integer]
) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.bool_]]:
    """Set m Fantasyland hands: the cards of each row, the value of each setting, and whether any legal one exists.

    ``cards`` u8 (m, 17), padded with anything beyond ``counts`` (m,), 13..17 distinct cards each; ``bonus`` (m,): what
    a setting that stays is worth beyond its rows, in the unit of the tables. Returns masks u32 (m, 3) for front,
    middle, back (bit i = the i-th card), values i64 (m,) in the same unit, and legal bool (m,). Of settings of equal
    value one that stays is taken. Where every setting fouls the value is 0 and the first 13 cards are placed back,
    middle, front. Raises ValueError for other shapes or counts; cards are not checked for repeats.
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
    masks, values, state = np.empty((m, 3), np.uint32), np.empty(m, np.int64), np.empty(m, np.uint8)
    given = (
        tables,
        make_work(jokers, int(tables.switches[MAY_COPY])),
        hands,
        sizes,
        np.ascontiguousarray(bonus, np.int64),
    )
    set_plain_hands(*given, masks, values, state)
    if (state == PENDING).any():
        set_wide_hands(*given, masks, values, state)
    return masks, values, state == LEGAL
