"""Rules of thumb that players teach: a habit for the cards just dealt, and a plain count of what the rows hold.

A placement scores what its rows make so far, the flush draws alive, and a penalty for rows out of order; a habit adds
so much to the placements it asks for that nothing else outweighs it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels import rng
from ofclab.kernels.choose import state_of
from ofclab.kernels.finish import carry_out
from ofclab.kernels.jit import kernel
from ofclab.kernels.placement import FIRST_SLOT, OPEN, ROW_SIZE
from ofclab.kernels.rowstate import high_code, low_code, natural_word, partial_code
from ofclab.kernels.tables import CARD, FLUSH, PARTIAL_CATEGORY

ACES_OR_ONE_UP, PAIRS_TOGETHER, SUITED_BACK, TWO_PAIR_BACK = range(4)
"""The habits, as in `ofclab.strategies`: QKAFront, PairsBack, FlushFirst, TwoPairBackAceSplit."""

_BUST = -1000.0
_RULE = 100.0
"""What a habit adds for each card it asks for: more than any rows are worth."""
_ACE = 12
_RANK_BITS = np.uint32((1 << 20) - 1)


class Scale(NamedTuple):
    """What rows so far are worth.

    ``category`` f8 (11,): by category; ``front`` f8 (2, 13): a pair, trips of each rank in front; ``royalty`` i32 (3,
    N); ``big`` bool (13,): ranks whose pair in front earns Fantasyland; ``low`` 1: the middle is a 2-7 low, of
    ``low_rank`` or less, worth nothing until it is complete; ``order``: points at stake when rows are out of order.
    """

    category: NDArray[np.float64]
    front: NDArray[np.float64]
    royalty: NDArray[np.int32]
    big: NDArray[np.bool_]
    low: int
    low_rank: int
    order: float


@kernel
def _so_far(word, jokers):
    """Code of a row so far, jokers as the ranks that make the most of it."""
    if jokers == 0:
        return partial_code(word)
    best = np.uint16(0)
    for first in range(13):
        one = np.uint32(word + (CARD[4 * first] & _RANK_BITS))
        if jokers == 1:
            best = max(best, partial_code(one))
            continue
        for second in range(13):
            best = max(best, partial_code(np.uint32(one + (CARD[4 * second] & _RANK_BITS))))
    return best


@kernel
def _ranks_of(mask, rank):
    """Cards of one rank in a set."""
    cards = np.int64(mask >> np.uint64(4 * rank)) & 15
    return (cards & 1) + (cards >> 1 & 1) + (cards >> 2 & 1) + (cards >> 3 & 1)


@kernel
def _suit_of(mask):
    """The suit all cards of a set share, -1 for none."""
    suits = 0
    for rank in range(13):
        suits |= np.int64(mask >> np.uint64(4 * rank)) & 15
    return 0 if suits == 1 else 1 if suits == 2 else 2 if suits == 4 else 3 if suits == 8 else -1


@kernel
def chance_of(need, outs, unseen, drawn):
    """Chance of at least `need` (0..5) of `outs` cards among `drawn` of the `unseen`."""
    hits = np.zeros(7)
    hits[0] = 1.0
    for i in range(min(drawn, unseen)):
        for had in range(need - 1, -1, -1):
            moved = hits[had] * max(0, outs - had) / (unseen - i)
            hits[had] -= moved
            hits[had + 1] += moved
    return hits[need]


@kernel
def _front_worth(mask, jokers, scale):
    """Worth of a front so far: its best pair or trips."""
    most, count = 0.0, 0
    for rank in range(13):
        count = _ranks_of(mask, rank) + jokers
        if count >= 3:
            most = max(most, scale.front[1, rank])
        elif count == 2:
            most = max(most, scale.front[0, rank])
    return most


@kernel
def _low_worth(word, jokers, mask, filled, scale):
    """Worth of a 2-7 middle so far: -1000 once it cannot qualify, its royalty when complete."""
    highest = 0
    for rank in range(13):
        cards = _ranks_of(mask, rank)
        if cards > 0:
            highest = rank
        if cards > 1:
            return _BUST
    if highest > scale.low_rank:
        return _BUST
    if filled == 5 and jokers == 0:
        return np.float64(scale.royalty[1, low_code(word)])
    return -0.1 * highest


@kernel
def _out_of_order(ahead, behind, open_behind, scale):
    """Penalty for a row that is stronger so far than the one behind it."""
    if ahead <= behind:
        return 0.0
    if open_behind == 0:
        return _BUST
    gap = np.int64(PARTIAL_CATEGORY[ahead]) - np.int64(PARTIAL_CATEGORY[behind])
    return -scale.order * (1 + gap) / (2 * open_behind)


@kernel
def _rows_worth(board, chances, scale):
    """Worth of a board so far; chances f8 (4, 6): of so many more cards of a suit."""
    total, front, middle, back = 0.0, np.uint16(0), np.uint16(0), np.uint16(0)
    open_middle, open_back = 0, 0
    for row in range(3):
        first, size = FIRST_SLOT[row], ROW_SIZE[row]
        word, jokers, mask = natural_word(board, first, first + size)
        free = 0
        for slot in range(first, first + size):
            free += board[slot] == OPEN
        filled = size - free
        total += 0.1 * np.float64(free) ** 0.3
        if row == 1 and scale.low == 1:
            total += _low_worth(word, jokers, mask, filled, scale)
            continue
        code = _so_far(word, jokers)
        if row == 0:
            front = code
            total += _front_worth(mask, jokers, scale)
            continue
        if row == 1:
            middle, open_middle = code, free
        else:
            back, open_back = code, free
        total += scale.category[PARTIAL_CATEGORY[code]]
        if free == 0:
            if jokers == 0:
                total += scale.royalty[row, high_code(word)]
        elif filled >= 2:
            suit = _suit_of(mask)
            if suit >= 0:
                total += scale.category[FLUSH] * chances[suit, free]
    if scale.low == 1:
        return total + _out_of_order(front, back, open_back, scale)
    return total + _out_of_order(front, middle, open_middle, scale) + _out_of_order(middle, back, open_back, scale)


@kernel
def _aces_or_one_up(dealt, choice, held, scale):
    """One card that can earn Fantasyland in front, two only as aces; other big cards and pairs in the middle."""
    up, big_up, paired_up, aces_up, total = 0, 0, 0, 0, 0.0
    any_big = False
    for j in range(dealt.shape[0]):
        if dealt[j] >= 52:
            continue
        rank = np.int64(dealt[j]) >> 2
        any_big |= scale.big[rank]
        if choice[j] == 0:
            up += 1
            aces_up += rank == _ACE
            big_up += scale.big[rank]
            paired_up += held[rank] > 1
            total += rank / 100.0
        else:
            wanted = scale.big[rank] or held[rank] > 1
            home = 1 if wanted and scale.low == 0 else 2
            total += _RULE / 10 * (choice[j] == home) if wanted else 0.0
    if held[_ACE] >= 2 and aces_up == 2 and up == 2:
        return total + _RULE
    if up == 1 and big_up == 1 and held[_ACE] < 2:
        return total + (_RULE if paired_up == 0 else _RULE / 2)
    if up == 0:
        return total + (_RULE / 2 if any_big else _RULE)
    return total - _RULE * up


@kernel
def _pairs_together(dealt, choice, held, middle_rank, scale):
    """No pair split, high pairs in the middle, other pairs and what goes with them in the back."""
    total, pairs, lowest = 0.0, 0, 13
    for rank in range(12, -1, -1):
        if held[rank] == 2:
            pairs += 1
            lowest = rank
    for j in range(dealt.shape[0]):
        if dealt[j] >= 52:
            continue
        rank = np.int64(dealt[j]) >> 2
        if held[rank] == 1:
            # The odd card beside two pairs goes where its place is least missed.
            total += _RULE / 10 * (choice[j] == 2) if pairs == 2 else 0.0
            continue
        to_middle = scale.low == 0 and held[rank] == 2 and rank >= middle_rank and (lowest < middle_rank or pairs == 1)
        if scale.low == 0 and pairs == 2 and lowest >= middle_rank:
            to_middle = rank == lowest
        total += _RULE * (choice[j] == (1 if to_middle else 2))
        for other in range(j):
            if dealt[other] >> 2 == rank:
                total -= _RULE * (choice[other] != choice[j])
    return total


@kernel
def _suited_back(own, dealt, choice, unseen_suits, outs_per_card):
    """Suited cards in the back, nothing else there while the flush is alive."""
    _, jokers, mask = natural_word(own, FIRST_SLOT[2], 13)
    held, suit = jokers, _suit_of(mask)
    for slot in range(FIRST_SLOT[2], 13):
        held += own[slot] < 52
    if held == 0:
        most = 0
        for one in range(4):
            n = 0
            for j in range(dealt.shape[0]):
                n += dealt[j] < 52 and dealt[j] & 3 == one
            if n > most:
                most, suit = n, one
        if most < 3:
            return 0.0
    elif held < 3 or held == 5 or suit < 0:
        return 0.0
    here = 0
    for j in range(dealt.shape[0]):
        here += dealt[j] < 52 and dealt[j] & 3 == suit
    if unseen_suits[suit] + here < outs_per_card * (5 - held):
        return 0.0
    total = 0.0
    for j in range(dealt.shape[0]):
        if choice[j] == 2:
            total += _RULE if dealt[j] >= 52 or dealt[j] & 3 == suit else -_RULE
    return total


@kernel
def _two_pair_back(dealt, choice, held, scale):
    """Two pair in the back, one ace in front, every other big card in the middle."""
    pairs, total, aces_up = 0, 0.0, 0
    for rank in range(13):
        pairs += held[rank] >= 2
    for j in range(dealt.shape[0]):
        if dealt[j] >= 52:
            continue
        rank = np.int64(dealt[j]) >> 2
        paired = held[rank] >= 2 and (pairs == 2 or rank != _ACE)
        if paired:
            total += _RULE * (choice[j] == 2)
        elif rank == _ACE:
            aces_up += choice[j] == 0
            total += _RULE / 2 * (choice[j] == 1 and scale.low == 0)
        elif scale.big[rank]:
            total += _RULE / 2 * (choice[j] == (1 if scale.low == 0 else 2))
        else:
            total += _RULE / 10 * (choice[j] == 2 and scale.low == 0) - _RULE / 4 * (choice[j] == 0)
    return total + _RULE * (aces_up == 1) - _RULE * (aces_up > 1)


@kernel
def _look(own, dealt, discards, opponents, opponents_discards, deck_size, to_come, unseen_suits, chances):
    """Unseen cards of each suit, and the chances of drawing 0 to 5 of them among the cards still to come."""
    unseen_suits[:] = 13
    seen = 0
    for card in dealt:
        seen += 1
        if card < 52:
            unseen_suits[card & 3] -= 1
    for others in (own, discards):
        for card in others:
            seen += card != OPEN
            if card < 52:
                unseen_suits[card & 3] -= 1
    for i in range(opponents.shape[0]):
        for card in opponents[i]:
            seen += card != OPEN
            if card < 52:
                unseen_suits[card & 3] -= 1
        for card in opponents_discards[i]:
            seen += card != OPEN
            if card < 52:
                unseen_suits[card & 3] -= 1
    for suit in range(4):
        for need in range(6):
            chances[suit, need] = chance_of(need, unseen_suits[suit], deck_size - seen, to_come)


@kernel
def play_habit(habit, parameter, opening, keys, own, dealt, counts, discards, opponents, opponents_discards, deck_size,
               to_come, choices, start, scale, out):  # fmt: skip
    """The placement of greatest score, ties broken at random; `to_come`: cards the player is still to be dealt.

    `parameter`: the lowest rank of a pair for the middle (PAIRS_TOGETHER), live outs wanted for each card a flush needs
    (SUITED_BACK). All habits but SUITED_BACK are for the `opening` only.
    """
    board, held = np.empty(13, np.uint8), np.zeros(13, np.int64)
    unseen_suits, chances = np.zeros(4, np.int64), np.zeros((4, 6))
    for i in range(keys.shape[0]):
        _look(
            own[i], dealt[i], discards[i], opponents[i], opponents_discards[i], deck_size, to_come, unseen_suits, chances
        )
        held[:] = 0
        for card in dealt[i]:
            if card < 52:
                held[card >> 2] += 1
        state = state_of(counts[i])
        best, most, ties = start[state], -np.inf, 0
        for pick in range(start[state], start[state + 1]):
            choice = choices[pick]
            carry_out(own[i], counts[i], dealt[i], choice, board)
            score = _rows_worth(board, chances, scale)
            if habit == SUITED_BACK:
                score += _suited_back(own[i], dealt[i], choice, unseen_suits, parameter)
            elif opening:
                if habit == ACES_OR_ONE_UP:
                    score += _aces_or_one_up(dealt[i], choice, held, scale)
                elif habit == PAIRS_TOGETHER:
                    score += _pairs_together(dealt[i], choice, held, parameter, scale)
                else:
                    score += _two_pair_back(dealt[i], choice, held, scale)
            if score > most + 1e-9:
                best, most, ties = pick, score, 1
            elif score > most - 1e-9:
                ties += 1
                if rng.below(keys[i], ties, ties) == 0:
                    best = pick
        for j in range(out.shape[1]):
            out[i, j] = choices[best, j]
