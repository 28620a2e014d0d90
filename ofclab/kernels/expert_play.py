"""Expert's decisions in batches: the nets on early streets, the last street but one exactly, the last by its payoff."""

from __future__ import annotations

import numpy as np

from ofclab.kernels import rng
from ofclab.kernels.choose import state_of
from ofclab.kernels.endgame import last_street
from ofclab.kernels.expert_net import look_at, value_placements
from ofclab.kernels.jit import kernel
from ofclab.kernels.judge import GRAIN, has_joker
from ofclab.kernels.placement import DISCARD
from ofclab.kernels.street import state_of as state_of_board

_NOTHING = -(1 << 62)


@kernel
def mark_seen(cards, seen):
    """Set the bits of cards u8 (k,) that are known (255 = not) in a uint64."""
    for i in range(cards.shape[0]):
        if cards[i] != 255:
            seen |= np.uint64(1) << np.uint64(cards[i])
    return seen


@kernel
def list_unseen(own, dealt, discards, opponents, opponents_discards, deck_size, unseen):
    """The cards a player has not seen, ascending, in u8 (54,); returns how many."""
    seen = mark_seen(dealt, mark_seen(own, np.uint64(0)))
    seen = mark_seen(discards, seen)
    for other in range(opponents.shape[0]):
        seen = mark_seen(opponents_discards[other], mark_seen(opponents[other], seen))
    n = 0
    for card in range(deck_size):
        if not (seen >> np.uint64(card)) & np.uint64(1):
            unseen[n] = card
            n += 1
    return n


@kernel
def best_of(values, n):
    """Place of the greatest of the first n values, the first of equals."""
    best = 0
    for i in range(1, n):
        if values[i] > values[best]:
            best = i
    return best


@kernel
def decide_by_net(
    own, counts, dealt, discards, opponents, opponents_discards, deck_size, choices, start, street, to_come, chances,
    nets, s, out,
):  # fmt: skip
    """The placement of each spot that the net of its street values most; `to_come`: cards still to be dealt after it.

    `chances` f32 (55, 13, 17, 6): `ofclab.kernels.expert_features.chance_table`.
    """
    unseen, values = np.empty(54, np.uint8), np.empty(256, np.float32)
    for i in range(own.shape[0]):
        state = state_of(counts[i])
        first, last = start[state], start[state + 1]
        n = list_unseen(own[i], dealt[i], discards[i], opponents[i], opponents_discards[i], deck_size, unseen)
        look_at(unseen, n, s)
        value_placements(own[i], dealt[i], choices, first, last, street, chances[n, to_come], nets, s, values)
        pick = first + best_of(values, last - first)
        for j in range(out.shape[1]):
            out[i, j] = choices[pick, j]


@kernel
def put_dealt(own, dealt, choice, after):
    """The board u8 (13,) after a placement."""
    middle, back, front = 3, 8, 0
    for slot in range(13):
        after[slot] = own[slot]
    for j in range(dealt.shape[0]):
        row = choice[j]
        if row == DISCARD:
            continue
        slot = front if row == 0 else middle if row == 1 else back
        while after[slot] != 255:
            slot += 1
        after[slot] = dealt[j]


@kernel
def decide_before_last(own, dealt, choices, first, last, unseen, n, pay, work, after):
    """Best of choices[first:last] with one street of three cards to come: its number and its sum over all draws."""
    jokers = np.int64(has_joker(unseen[:n]))
    best, pick = np.int64(_NOTHING), first
    for choice in range(first, last):
        put_dealt(own, dealt, choices[choice], after)
        level = 2 if has_joker(after) else jokers
        total = last_street(after, unseen, n, level, False, np.uint64(0), pay, work)
        if total > best:
            best, pick = total, choice
    return pick, best


@kernel
def shown(street, before, after):
    """Cards the opponents show when a player has acted, `before` and `after` of them acting before and after him."""
    if street == 1:
        return 5 * before
    return before * (3 + 2 * street) + after * (1 + 2 * street)


@kernel
def draw_cards(key, counter, deck, at, size, cards):
    """Shuffle so many cards of the deck into place."""
    for i in range(at, at + cards):
        other = i + rng.below(key, counter + np.uint64(i), size - i)
        deck[i], deck[other] = deck[other], deck[i]


@kernel
def play_on(
    key, board, deck, n, street, until, before, after, streets, chances, nets, s, pay, unit, work, values, spare
):
    """Points of one future of a board after a street; the first n cards of the deck are unseen and get shuffled.

    Opponents are unseen cards, burnt each street as they would show them. The nets play on to street `until` - 1; on
    street `until` (3 or less: the net's value of its best placement; 4: the exact value of the best) it ends.
    `streets`: for streets 1 to 4 (choices, start) of `ofclab.strategies.base.placement_table`.
    """
    at, gone = 0, shown(street, before, after)
    for now in range(street + 1, until + 1):
        burnt = shown(now, before, after) - gone
        gone += burnt
        draw_cards(key, np.uint64(0), deck, at, n, burnt + 3)
        at += burnt + 3
        dealt, left, m = deck[at - 3 : at], deck[at:n], n - at
        choices, start = streets[now - 1]
        state = state_of_board(board)
        first, last = start[state], start[state + 1]
        if now == 4:
            _, worth = decide_before_last(board, dealt, choices, first, last, left, m, pay, work, spare)
            return np.float64(worth // GRAIN) / (m * (m - 1) * (m - 2) // 6) / unit
        look_at(left, m, s)
        value_placements(board, dealt, choices, first, last, now, chances[m, 3 * (5 - now)], nets, s, values)
        pick = best_of(values, last - first)
        if now == until:
            return np.float64(values[pick])
        put_dealt(board, dealt, choices[first + pick], board)
    return np.float64(0)
