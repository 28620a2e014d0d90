"""What Expert learns from: boards it comes to by its own play, and what they turn out to be worth.

An opponent is so many unseen cards that are burnt each street, as many as he would show.
"""

from __future__ import annotations

import numpy as np

from ofclab.kernels import rng
from ofclab.kernels.expert_net import all_inputs, look_at, to_value, value_placements
from ofclab.kernels.expert_play import best_of, draw_cards, play_on, put_dealt, shown
from ofclab.kernels.jit import kernel
from ofclab.kernels.street import state_of

_TOP = 8
"""Placements among which a root is drawn when it is not the best."""
_BRANCHES = 4
"""Roots beyond the first street that share it: its 232 placements take most of the time."""
_ROOTS, _LABELS = 101, 102
"""Purposes of the random streams."""


@kernel
def _pick(key, counter, values, n, own_choice, random):
    """A placement by chance: the best with chance `own_choice`, any with chance `random`, else one of the top eight."""
    which = np.float64(rng.below(key, counter, 1 << 30)) / (1 << 30)
    if which < own_choice or n == 1:
        return best_of(values, n)
    if which < own_choice + random:
        return rng.below(key, counter + 1, n)
    nth = rng.below(key, counter + 1, min(n, _TOP))
    for _ in range(nth):
        values[best_of(values, n)] = np.float32(-1e9)
    return best_of(values, n)


@kernel
def make_roots(seed, begin, street, before, after, streets, chances, nets, s, boards, unseen, sizes):
    """Boards after a street as the nets come to them: boards u8 (n, 13), unseen u8 (n, 54), their number i64 (n,).

    Root i is number `begin` + i of the seed; each four in a row share the first street, so `begin` is a multiple of
    four. Before the last of its streets a player departs from the nets' choice in one of ten decisions; the last is the
    choice itself in half of the roots, one of the top eight in 35 %, any in 15 %.
    """
    deck, board, values = np.empty(54, np.uint8), np.empty(13, np.uint8), np.empty(256, np.float32)
    first_deck, first_board = np.empty(54, np.uint8), np.empty(13, np.uint8)
    choices, placed, deck_size = streets.choices, streets.placed, streets.deck_size
    for i in range(boards.shape[0]):
        at, gone, begun = 0, 0, 1
        if street > 1 and i % _BRANCHES:
            deck[:], board[:] = first_deck, first_board
            gone = shown(1, before, after, placed)
            at, begun = streets.deal[0] + gone, 2
        else:
            board[:] = 255
            for card in range(deck_size):
                deck[card] = card
        for now in range(begun, street + 1):
            number = (begin + i) // _BRANCHES if now == 1 and street > 1 else begin + i
            key = rng.stream(seed, number, 8 * street + now, _ROOTS)
            burnt = shown(now, before, after, placed) - gone
            gone += burnt
            deal, to_come = streets.deal[now - 1], streets.to_come[now - 1]
            draw_cards(key, np.uint64(0), deck, at, deck_size, burnt + deal)
            at += burnt + deal
            dealt, left, n = deck[at - deal : at], deck[at:deck_size], deck_size - at
            state = state_of(board)
            first, last = streets.start[now - 1, state], streets.start[now - 1, state + 1]
            look_at(left, n, s)
            most = to_value(last - first)
            value_placements(board, dealt, streets.sets, first, last, most, now, chances[n, to_come], nets, s, values)
            own_choice, random = (0.5, 0.15) if now == street else (0.9, 0.02)
            pick = _pick(key, np.uint64(100), values, last - first, own_choice, random)
            put_dealt(board, dealt, choices[first + pick], board)
            if now == 1:
                first_deck[:], first_board[:] = deck, board
        boards[i] = board
        sizes[i] = deck_size - at
        for card in range(54):
            unseen[i, card] = deck[at + card] if card < deck_size - at else 255


@kernel
def root_inputs(boards, unseen, sizes, to_come, chances, s, x):
    """The nets' numbers of roots, x f2 or f4 (n, 183); `to_come`: cards still to be dealt."""
    row = np.empty(x.shape[1], np.float32)
    for i in range(boards.shape[0]):
        all_inputs(boards[i], unseen[i], sizes[i], chances[sizes[i], to_come], s, row)
        for j in range(x.shape[1]):
            x[i, j] = row[j]


@kernel
def play_out(seed, begin, street, before, after, streets, times, until, chances, nets, s, pay, unit, work,
             boards, unseen, sizes, labels):  # fmt: skip
    """Mean points of roots over so many futures each, labels f4 (n,); see `ofclab.kernels.expert_play.play_on`."""
    deck, board, spare = np.empty(54, np.uint8), np.empty(13, np.uint8), np.empty(13, np.uint8)
    values = np.empty(256, np.float32)
    for i in range(boards.shape[0]):
        n, total = sizes[i], np.float64(0)
        for card in range(n):
            deck[card] = unseen[i, card]
        for time in range(times):
            key = rng.stream(seed, begin + i, np.uint64(64 * street + time), _LABELS)
            for slot in range(13):
                board[slot] = boards[i, slot]
            total += play_on(
                key, board, deck, n, street, until, before, after, streets, chances, nets, s, pay, unit, work, values,
                spare,
            )  # fmt: skip
        labels[i] = total / times
