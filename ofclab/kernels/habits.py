"""Habits that players teach, as points for the placements that keep to them; what is best among those is not said here.

A card where the habit wants it adds a point or more, one where it does not want it takes them away.
"""

from __future__ import annotations

import numpy as np

from ofclab.kernels.choose import state_of
from ofclab.kernels.jit import kernel
from ofclab.kernels.placement import FIRST_SLOT
from ofclab.kernels.rowstate import natural_word

ACES_OR_ONE_UP, PAIRS_TOGETHER, SUITED_BACK, TWO_PAIR_BACK = range(4)
"""The habits of QKAFront, PairsBack, FlushFirst and TwoPairBackAceSplit in `ofclab.strategies`."""
_ACE, _JOKER = 12, 52
_FRONT, _MIDDLE, _BACK = 0, 1, 2


@kernel
def _count_ranks(dealt, held):
    """Natural cards of each rank."""
    held[:] = 0
    for card in dealt:
        if card < _JOKER:
            held[card >> 2] += 1


@kernel
def _aces_or_one_up(dealt, choice, held, big, low):
    """One big card in front if there is one, or two aces, nothing else; other big cards and pairs in the middle."""
    up, big_up, aces_up, pairs_split, has_big, points = 0, 0, 0, 0, False, 0
    for j in range(dealt.shape[0]):
        rank = np.int64(dealt[j]) >> 2
        is_big = dealt[j] < _JOKER and big[rank]
        has_big |= is_big
        if choice[j] == _FRONT:
            up += 1
            big_up += is_big
            aces_up += rank == _ACE
            pairs_split += dealt[j] < _JOKER and held[rank] > 1 and rank != _ACE
        elif is_big or (dealt[j] < _JOKER and held[rank] > 1):
            points += choice[j] == (_BACK if low else _MIDDLE)
    if up == 1 and big_up == 1:
        return points + 20 - 10 * pairs_split
    if up == 2 and aces_up == 2:
        return points + 21
    if up <= 1:
        return points + (10 if has_big else 20)
    return points - 20 * up


@kernel
def _pairs_together(dealt, choice, held, middle_rank, low):
    """No pair split: high pairs in the middle, others in the back, and with two pairs the odd card in the back too."""
    pairs, lowest, points = 0, 13, 0
    for rank in range(12, -1, -1):
        if held[rank] == 2:
            pairs += 1
            lowest = rank
    for j in range(dealt.shape[0]):
        if dealt[j] >= _JOKER:
            continue
        rank = np.int64(dealt[j]) >> 2
        if held[rank] == 1:
            points += pairs == 2 and choice[j] == _BACK
            continue
        to_middle = not low and held[rank] == 2 and rank >= middle_rank
        if to_middle and pairs == 2 and lowest >= middle_rank:
            to_middle = rank == lowest
        points += 10 * (choice[j] == (_MIDDLE if to_middle else _BACK))
        for other in range(j):
            if dealt[other] < _JOKER and dealt[other] >> 2 == rank and choice[other] != choice[j]:
                points -= 20
    return points


@kernel
def _two_pair_back(dealt, choice, held, big, low):
    """Two pair in the back, one ace in front, every other big card in the middle; a single pair begins the back."""
    pairs, aces_up, points = 0, 0, 0
    for rank in range(13):
        pairs += held[rank] >= 2
    for j in range(dealt.shape[0]):
        if dealt[j] >= _JOKER:
            continue
        rank = np.int64(dealt[j]) >> 2
        if held[rank] >= 2 and (pairs == 2 or rank != _ACE):
            points += 10 * (choice[j] == _BACK)
        elif rank == _ACE and choice[j] == _FRONT:
            aces_up += 1
        elif big[rank] or rank == _ACE:
            points += 5 * (choice[j] == (_BACK if low else _MIDDLE))
    return points + (10 if aces_up == 1 else -20 if aces_up > 1 else 0)


@kernel
def _suit_of(mask):
    """The suit all cards of a set share, -1 for none."""
    suits = 0
    for rank in range(13):
        suits |= np.int64(mask >> np.uint64(4 * rank)) & 15
    return 0 if suits == 1 else 1 if suits == 2 else 2 if suits == 4 else 3 if suits == 8 else -1


@kernel
def _flush_wanted(own, dealt, opening, unseen_suits, outs_per_card):
    """The suit to collect in the back, -1 for none: three or more cards of it, and enough of it alive."""
    _, held, mask = natural_word(own, FIRST_SLOT[_BACK], 13)
    suit, here = _suit_of(mask), np.zeros(4, np.int64)
    for slot in range(FIRST_SLOT[_BACK], 13):
        held += own[slot] < _JOKER
    for card in dealt:
        if card < _JOKER:
            here[card & 3] += 1
    if opening:
        for one in range(4):
            if here[one] >= 3:
                return one
        return -1
    if suit < 0 or not 3 <= held <= 4 or unseen_suits[suit] + here[suit] < outs_per_card * (5 - held):
        return -1
    return suit


@kernel
def _suited_back(dealt, choice, suit):
    """Cards of the suit and jokers in the back, no others."""
    points = 0
    for j in range(dealt.shape[0]):
        if choice[j] == _BACK:
            points += 1 if dealt[j] >= _JOKER or dealt[j] & 3 == suit else -10
    return points


@kernel
def _count_unseen(own, dealt, discards, opponents, opponents_discards, unseen):
    """Unseen cards of each suit."""
    unseen[:] = 13
    for cards in (own, dealt, discards):
        for card in cards:
            if card < _JOKER:
                unseen[card & 3] -= 1
    for cards in (opponents, opponents_discards):
        for card in cards.flat:
            if card < _JOKER:
                unseen[card & 3] -= 1


@kernel
def keep_to_habit(habit, parameter, opening, own, dealt, counts, discards, opponents, opponents_discards, choices,
                  start, big, low, allowed):  # fmt: skip
    """Mark in `allowed` bool (n, choices of a state) the placements that keep best to a habit.

    `parameter`: the lowest rank of a pair for the middle (PAIRS_TOGETHER), live cards wanted for each one a flush needs
    (SUITED_BACK). `big` bool (13,): ranks to have in front; `low`: the middle is a 2-7 low.
    """
    held, unseen = np.zeros(13, np.int64), np.zeros(4, np.int64)
    points = np.zeros(allowed.shape[1], np.int64)
    for i in range(own.shape[0]):
        suit = -1
        if habit == SUITED_BACK:
            _count_unseen(own[i], dealt[i], discards[i], opponents[i], opponents_discards[i], unseen)
            suit = _flush_wanted(own[i], dealt[i], opening, unseen, parameter)
        _count_ranks(dealt[i], held)
        first = start[state_of(counts[i])]
        n = start[state_of(counts[i]) + 1] - first
        for option in range(n):
            choice = choices[first + option]
            if habit == SUITED_BACK:
                points[option] = _suited_back(dealt[i], choice, suit) if suit >= 0 else 0
            elif habit == ACES_OR_ONE_UP:
                points[option] = _aces_or_one_up(dealt[i], choice, held, big, low)
            elif habit == PAIRS_TOGETHER:
                points[option] = _pairs_together(dealt[i], choice, held, parameter, low)
            else:
                points[option] = _two_pair_back(dealt[i], choice, held, big, low)
        allowed[i, :n] = points[:n] == points[:n].max()
