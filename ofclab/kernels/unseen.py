"""The cards a player has not seen."""

from __future__ import annotations

import numpy as np

from ofclab.kernels.jit import kernel


@kernel
def unseen_cards(own, dealt, discards, opponents, opponents_discards, deck_size, cards):
    """List the cards a player has not seen in `cards` u8 (54,), ascending; returns how many. 255 = no card."""
    seen = np.uint64(0)
    one = np.uint64(1)
    for card in own:
        if card != 255:
            seen |= one << np.uint64(card)
    for card in dealt:
        seen |= one << np.uint64(card)
    for card in discards:
        if card != 255:
            seen |= one << np.uint64(card)
    for other in range(opponents.shape[0]):
        for card in opponents[other]:
            if card != 255:
                seen |= one << np.uint64(card)
        for card in opponents_discards[other]:
            if card != 255:
                seen |= one << np.uint64(card)
    n = 0
    for card in range(deck_size):
        if not (seen >> np.uint64(card)) & one:
            cards[n] = card
            n += 1
    return n
