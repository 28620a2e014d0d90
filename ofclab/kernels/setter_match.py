"""The Fantasyland settings that win most from opponents: the greatest sums over boards they may end with.

Worth is a whole number of points, summed over sampled boards of every opponent (one where it is known). A row wins by
itself what its table says; sweeps, majorities and royalties of a pair's winner are counted on finished settings, with
a bit for each sample. Rows are tried best first, and whatever cannot beat the settings kept so far is cut off. Exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels.candidates import CARD_BITS
from ofclab.kernels.jit import kernel
from ofclab.kernels.joker_rows import ORDER_SHIFT, clash, wide_code
from ofclab.kernels.judge import count_ones
from ofclab.kernels.scoring import BACK_STRICT, FRONT_STRICT, LOW_MIDDLE, MIDDLE_STRICT
from ofclab.kernels.setter import arrange, held_cards, list_wide_rows, sort_wide_rows
from ofclab.kernels.setter_search import NONE, Work, is_read_so

_ORDER = np.uint64(ORDER_SHIFT)
_CARDS = np.uint64((1 << CARD_BITS) - 1)
_LEAST = -(1 << 60)


class Match(NamedTuple):
    """What row codes are worth against opponents' boards; tables are indexed by row (front first) and row code.

    ``rows`` i64 (3, N): points a row wins by itself; ``most`` i64 (3, N): the most it can add but for sweeps and
    majorities; ``order`` u16 (3, N): position of each code when sorted by that. ``masks`` u64 (opponents, 6, N, W): in
    which of the 64 W samples a front, middle, back wins, then loses. ``together`` i64 (3,): points of a sweep, of a
    majority, and whether only the winner of a pair collects royalties: then ``royalty`` i64 (3, N) are own points and
    ``planes`` u64 (opponents, W, digits) the binary digits of theirs. ``stay`` bool (3, N); ``switches`` and ``cross``
    as in `ofclab.kernels.scoring`.
    """

    rows: NDArray[np.int64]
    most: NDArray[np.int64]
    order: NDArray[np.uint16]
    masks: NDArray[np.uint64]
    together: NDArray[np.int64]
    royalty: NDArray[np.int64]
    planes: NDArray[np.uint64]
    stay: NDArray[np.bool_]
    switches: NDArray[np.int64]
    cross: NDArray[np.uint16]


class Kept(NamedTuple):
    """The best settings so far, best first: worths i64 (K,), codes i64 (K, 3), entries u64 (K, 3)."""

    worths: NDArray[np.int64]
    codes: NDArray[np.int64]
    entries: NDArray[np.uint64]


@kernel
def _both_won(match, middle, back):
    """Samples in which both rows win, over all opponents."""
    count = 0
    for i in range(match.masks.shape[0]):
        for w in range(match.masks.shape[3]):
            count += count_ones(match.masks[i, 1, middle, w] & match.masks[i, 2, back, w])
    return count


@kernel
def worth_together(match, front, middle, back):
    """Points of a setting beyond what its rows win by themselves."""
    sweep, majority, by_pair = match.together[0], match.together[1], match.together[2]
    own = match.royalty[0, front] + match.royalty[1, middle] + match.royalty[2, back]
    worth = 0
    for i in range(match.masks.shape[0]):
        for w in range(match.masks.shape[3]):
            f, m, b = match.masks[i, 0, front, w], match.masks[i, 1, middle, w], match.masks[i, 2, back, w]
            x, y, z = match.masks[i, 3, front, w], match.masks[i, 4, middle, w], match.masks[i, 5, back, w]
            worth += sweep * (count_ones(f & m & b) - count_ones(x & y & z))
            won_two, lost_two = (f & m) | (f & b) | (m & b), (x & y) | (x & z) | (y & z)
            worth += majority * (count_ones(won_two) - count_ones(lost_two))
            if by_pair:
                any_won, any_lost = f | m | b, x | y | z
                ahead, behind = won_two | (any_won & ~any_lost), lost_two | (any_lost & ~any_won)
                worth += own * count_ones(ahead)
                for digit in range(match.planes.shape[2]):
                    worth -= count_ones(behind & match.planes[i, w, digit]) << digit
    return worth


@kernel
def _keep(kept, worth, front, middle, back):
    """Take a setting among the best, unless one with the same codes is there; a full list loses its last one."""
    n = kept.worths.shape[0]
    codes = (wide_code(front), wide_code(middle), wide_code(back))
    for i in range(n):
        if kept.worths[i] == NONE:
            break
        if kept.codes[i, 0] == codes[0] and kept.codes[i, 1] == codes[1] and kept.codes[i, 2] == codes[2]:
            return
    at = n - 1
    while at > 0 and kept.worths[at - 1] < worth:
        kept.worths[at] = kept.worths[at - 1]
        kept.codes[at], kept.entries[at] = kept.codes[at - 1], kept.entries[at - 1]
        at -= 1
    kept.worths[at] = worth
    entries = (front, middle, back)
    for row in range(3):
        kept.codes[at, row], kept.entries[at, row] = codes[row], entries[row] & _CARDS


@kernel
def _select(wide, count, stay, want, chosen):
    """Copy the entries that stay (want 1), do not (0), or all (-1), in their order; returns how many."""
    n = 0
    for i in range(count):
        if want < 0 or stay[wide_code(wide[i])] == want:
            chosen[n] = wide[i]
            n += 1
    return n


@kernel
def _fill_ceiling(most, wide, count, ceiling):
    """The most a row of each code or less adds."""
    ceiling[:] = _LEAST
    for i in range(count):
        code = wide_code(wide[i])
        ceiling[code] = max(ceiling[code], most[code])
    for code in range(1, ceiling.shape[0]):
        ceiling[code] = max(ceiling[code], ceiling[code - 1])


@kernel
def _search(match, work, fronts, n_fronts, middles, n_middles, backs, n_backs, low, jokers, valid, ceiling, kept):
    """Improve on the settings kept with all settings from these lists, each sorted by the most its rows add."""
    if n_fronts == 0 or n_middles == 0 or n_backs == 0:
        return
    sweep, majority = match.together[0], match.together[1]
    last = kept.worths.shape[0] - 1
    _fill_ceiling(match.most[0], fronts, n_fronts, ceiling[0])
    _fill_ceiling(match.most[1], middles, n_middles, ceiling[1])
    top_middle, end = match.most[1, wide_code(middles[0])], ceiling.shape[1] - 1
    for i in range(n_backs):
        back = backs[i]
        code = wide_code(back)
        bound = match.most[2, code] + (sweep + majority) * valid
        if bound + top_middle + ceiling[0, end] <= kept.worths[last]:
            break
        front_limit = np.int64(match.cross[code]) - match.switches[FRONT_STRICT] if low else end
        middle_limit = end if low else code - match.switches[BACK_STRICT]
        if middle_limit < 0 or front_limit < 0:
            continue
        if bound + ceiling[1, middle_limit] + ceiling[0, front_limit] <= kept.worths[last]:
            continue
        for j in range(n_middles):
            middle = middles[j]
            middle_code = wide_code(middle)
            if bound + match.most[1, middle_code] + ceiling[0, front_limit] <= kept.worths[last]:
                break
            if middle_code > middle_limit or clash(middle, back):
                continue
            limit = front_limit
            if not low:
                limit = np.int64(match.cross[middle_code]) - match.switches[MIDDLE_STRICT]
                if limit < 0:
                    continue
            rest = match.most[1, middle_code] + match.most[2, code] + majority * valid
            if rest + sweep * valid + ceiling[0, limit] <= kept.worths[last]:
                continue
            rest += sweep * _both_won(match, middle_code, code)
            if rest + ceiling[0, limit] <= kept.worths[last]:
                continue
            for k in range(n_fronts):
                front = fronts[k]
                front_code = wide_code(front)
                if rest + match.most[0, front_code] <= kept.worths[last]:
                    break
                if front_code > limit or clash(front, back) or clash(front, middle):
                    continue
                worth = match.rows[0, front_code] + match.rows[1, middle_code] + match.rows[2, code]
                worth += worth_together(match, front_code, middle_code, code)
                if worth > kept.worths[last] and is_read_so(match, work, front, middle, back, jokers):
                    _keep(kept, worth, front, middle, back)


@kernel
def search_settings(match, work: Work, cards, n, valid, chosen, ceiling, staying, leaving):
    """Find the best legal settings of one hand that stay in Fantasyland, and the best that do not.

    ``cards`` u8 (17,), the first ``n`` of them dealt; ``valid``: samples in which an opponent's board is legal, over
    all opponents; ``chosen``: three lists u64 as long as those of `Work`; ``ceiling`` i64 (2, N). ``staying`` and
    ``leaving`` are filled: entries hold the cards of each row, bit i = the i-th card.
    """
    low = match.switches[LOW_MIDDLE] == 1
    natural = arrange(cards, n, work)
    n_fronts, n_middles, n_backs = list_wide_rows(match, work, n, natural, low, held_cards(match, work, n, natural))
    sort_wide_rows(match.order, work, n_fronts, n_middles, n_backs)
    fronts, middles, backs = chosen
    for by in range(4):
        want_front, want_middle = 1 if by == 0 else 0, -1 if by == 0 else 1 if by == 1 else 0
        want_back = -1 if by < 2 else 1 if by == 2 else 0
        _search(
            match, work, fronts, _select(work.wide_fronts, n_fronts, match.stay[0], want_front, fronts),
            middles, _select(work.wide_middles, n_middles, match.stay[1], want_middle, middles),
            backs, _select(work.wide_backs, n_backs, match.stay[2], want_back, backs),
            low, n - natural, valid, ceiling, leaving if by == 3 else staying,
        )  # fmt: skip
    for kept in (staying, leaving):
        for i in range(kept.worths.shape[0]):
            for row in range(3):
                entry, mask = kept.entries[i, row], np.uint64(0)
                for card in range(n):
                    if entry >> np.uint64(card) & np.uint64(1):
                        mask |= np.uint64(1) << np.uint64(work.seat[card])
                kept.entries[i, row] = mask
