"""Expert's decisions in batches: the nets on early streets, what is left of the hand exactly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels import rng
from ofclab.kernels.choose import state_of
from ofclab.kernels.endgame import sum_last_street
from ofclab.kernels.expert_net import look_at, to_value, value_placements
from ofclab.kernels.jit import kernel
from ofclab.kernels.judge import GRAIN, OUTCOMES, load_board
from ofclab.kernels.placement import DISCARD
from ofclab.kernels.street import any_street, finished, open_slot
from ofclab.kernels.street import state_of as state_of_board
from ofclab.kernels.tables import CARD
from ofclab.kernels.tails import SINGLE_CARDS, THREE_CARDS, any_joker, last_card, two_streets

_NOTHING = -(1 << 62)


class Streets(NamedTuple):
    """The streets of a deal, i64 (streets,) each.

    ``deal``: cards dealt; ``placed``: cards on a board afterwards; ``to_come``: cards still to be dealt to a player
    afterwards; ``choices`` u8 (N, 5) with ``start`` i64 (streets, 145): placements as in
    `ofclab.strategies.base.placement_table`, 3 where a street deals fewer cards, and ``sets`` u8 (N, 3): which cards
    each puts to front, middle and back, as bits. ``exact`` i64 (2,): the first street that is decided exactly, and what
    is then to come, by its name in `ofclab.kernels.tails`: three cards of which two are placed, a single card, or
    nothing. ``deck_size``: 52 and the jokers.
    """

    deal: NDArray[np.int64]
    placed: NDArray[np.int64]
    to_come: NDArray[np.int64]
    choices: NDArray[np.uint8]
    sets: NDArray[np.uint8]
    start: NDArray[np.int64]
    exact: NDArray[np.int64]
    deck_size: int


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
    own, counts, dealt, discards, opponents, opponents_discards, streets, street, chances, nets, s, out,
):  # fmt: skip
    """The placement of each spot that the net of its street values most.

    `chances` f32 (55, 13, 17, 6): `ofclab.kernels.expert_features.chance_table`.
    """
    unseen, values = np.empty(54, np.uint8), np.empty(256, np.float32)
    choices, to_come = streets.choices, streets.to_come[street - 1]
    for i in range(own.shape[0]):
        state = state_of(counts[i])
        first, last = streets.start[street - 1, state], streets.start[street - 1, state + 1]
        n = list_unseen(own[i], dealt[i], discards[i], opponents[i], opponents_discards[i], streets.deck_size, unseen)
        look_at(unseen, n, s)
        value_placements(
            own[i], dealt[i], streets.sets, first, last, to_value(last - first), street, chances[n, to_come], nets, s,
            values,
        )  # fmt: skip
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
def sum_to_come(board, unseen, n, kind, jokers, pay, work, counts):
    """Sum of worths of a board over all draws of the last street; `counts` i64 (7,) is scratch.

    `jokers`: the deck has some.
    """
    about = jokers and any_joker(board, unseen[:n])
    if kind == THREE_CARDS:
        return sum_last_street(board, unseen, n, about, pay, work)
    if kind == SINGLE_CARDS:
        load_board(board, work)
        return last_card(board, unseen[:n], np.uint64(0), about, pay, work, counts)
    return finished(board, pay, work)


@kernel
def draws_to_come(n, kind):
    """How many draws such a sum is over."""
    return n * (n - 1) * (n - 2) // 6 if kind == THREE_CARDS else n if kind == SINGLE_CARDS else 1


@kernel
def _two_cards(board, unseen, n, jokers, pay, work, counts):
    """Sum of worths over two draws of one card, each placed best.

    `ofclab.kernels.tails.single_cards` would do, but numba cannot link a function that calls itself to another module.
    """
    load_board(board, work)
    total, words, one = np.int64(0), work.words, np.uint64(1)
    for i in range(n):
        best = np.int64(_NOTHING)
        for row in range(3):
            slot = open_slot(board, row)
            if slot >= 0:
                board[slot] = unseen[i]
                words[row] = np.uint32(words[row] + CARD[unseen[i]])
                best = max(best, last_card(board, unseen[:n], one << np.uint64(i), jokers, pay, work, counts))
                words[row] = np.uint32(words[row] - CARD[unseen[i]])
                board[slot] = 255
        total += best
    return total


@kernel
def sum_before_exact(board, unseen, n, streets, pay, work):
    """Sum of worths of a board over all draws from before the first exact street on."""
    kind, street = streets.exact[1], streets.exact[0]
    jokers = streets.deck_size > 52 and any_joker(board, unseen[:n])
    if kind == THREE_CARDS:
        return two_streets(board, unseen[:n], jokers, False, pay, work)
    if kind == SINGLE_CARDS:
        return _two_cards(board, unseen, n, jokers, pay, work, np.empty(OUTCOMES, np.int64))
    return any_street(
        board, unseen[:n], streets.deal[street - 1], streets.choices, streets.start[street - 1], jokers, pay, work
    )


@kernel
def decide_exactly(own, dealt, choices, first, last, unseen, n, kind, jokers, pay, work, after):
    """Best of choices[first:last] with at most one street to come: its number and its sum over all draws."""
    best, pick, counts = np.int64(_NOTHING), first, np.empty(OUTCOMES, np.int64)
    for choice in range(first, last):
        put_dealt(own, dealt, choices[choice], after)
        total = sum_to_come(after, unseen, n, kind, jokers, pay, work, counts)
        if total > best:
            best, pick = total, choice
    return pick, best


@kernel
def shown(street, before, after, placed):
    """Cards the opponents show when a player has acted, `before` and `after` of them acting before and after him."""
    return before * placed[street - 1] + (after * placed[street - 2] if street > 1 else 0)


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
    street `until` it ends, with the net's value of its best placement, or on the first exact street its exact value.
    """
    choices, placed = streets.choices, streets.placed
    at, gone = 0, shown(street, before, after, placed)
    for now in range(street + 1, until + 1):
        burnt = shown(now, before, after, placed) - gone
        gone += burnt
        deal = streets.deal[now - 1]
        draw_cards(key, np.uint64(0), deck, at, n, burnt + deal)
        at += burnt + deal
        dealt, left, m = deck[at - deal : at], deck[at:n], n - at
        state = state_of_board(board)
        first, last = streets.start[now - 1, state], streets.start[now - 1, state + 1]
        if now == streets.exact[0]:
            kind, jokers = streets.exact[1], streets.deck_size > 52
            _, worth = decide_exactly(board, dealt, choices, first, last, left, m, kind, jokers, pay, work, spare)
            return np.float64(worth // GRAIN) / draws_to_come(m, kind) / unit
        look_at(left, m, s)
        value_placements(
            board, dealt, streets.sets, first, last, to_value(last - first), now,
            chances[m, streets.to_come[now - 1]], nets, s, values,
        )  # fmt: skip
        pick = best_of(values, last - first)
        if now == until:
            return np.float64(values[pick])
        put_dealt(board, dealt, choices[first + pick], board)
    return np.float64(0)
