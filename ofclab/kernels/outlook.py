"""Foul certainty: the street from which no completion of a board with unseen cards is legal.

Exact search in two steps. The fills of each row (`ofclab.kernels.fills`) are listed with the codes that the most
favourable suits and readings of jokers give, and joined where the order of the rows and the supply of each rank allow
it. A join is then dealt out as real cards, one choice of suits after the other, until the scorer itself calls a board
legal. The first step never drops a legal board, the second never accepts a foul.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels.fills import (
    EVERY,
    HIGHEST,
    STRONGEST,
    STRONGEST_BY_SUITS,
    WEAKEST,
    covering_suit,
    fill_lists,
    fill_tables,
    holds,
    list_fills,
    rank_counts,
    read_state,
    row_states,
)
from ofclab.kernels.jit import kernel
from ofclab.kernels.placement import FIRST_SLOT, NO_CARD, ROW_SIZE
from ofclab.kernels.scoring import (
    BACK_STRICT,
    COPY_NONE,
    FRONT_STRICT,
    LOW_MIDDLE,
    LOW_WORST,
    MAY_COPY,
    MIDDLE_STRICT,
    READING_LEGAL,
    is_foul,
    read_boards,
)
from ofclab.kernels.tables import CATEGORY, FLUSH, ROYAL_FLUSH, STRAIGHT_FLUSH

_U1, _U15 = np.uint64(1), np.uint64(15)


class _Deal(NamedTuple):
    """Fills being dealt out: by open slot its rank, the suit tried first and the suits tried since; needs by row."""

    slot: NDArray[np.int64]
    rank: NDArray[np.int64]
    repeats: NDArray[np.bool_]
    suit: NDArray[np.int64]
    step: NDArray[np.int64]
    needs: NDArray[np.uint64]
    suits: NDArray[np.int64]
    codes: NDArray[np.uint16]
    listed: NDArray[np.int64]


def _deal() -> _Deal:
    return _Deal(
        np.empty(13, np.int64),
        np.empty(13, np.int64),
        np.empty(13, np.bool_),
        np.empty(13, np.int64),
        np.empty(13, np.int64),
        np.empty(3, np.uint64),
        np.empty(3, np.int64),
        np.empty((1, 3), np.uint16),
        np.empty(3, np.int64),
    )


@kernel
def _is_legal(state, codes, switches, cross):
    """Tell whether the scorer calls the complete board legal."""
    read_boards(state.board.reshape(1, 13), switches, cross, codes)
    return not is_foul(codes[0, 0], codes[0, 1], codes[0, 2], switches, cross)


@kernel
def _deal_out(state, deal, unseen, switches, cross):
    """Try every choice of unseen cards for the ranks each row needs; tells whether one makes a legal board."""
    slots = 0
    for row in range(2, -1, -1):
        slot = FIRST_SLOT[row] + state.filled[row]
        for rank in range(13):
            for copy in range(np.int64((deal.needs[row] >> np.uint64(4 * rank)) & _U15)):
                deal.slot[slots], deal.rank[slots], deal.repeats[slots], deal.step[slots] = slot, rank, copy > 0, -1
                deal.suit[slots] = deal.suits[row] if deal.suits[row] >= 0 else slot & 3
                if copy > 0:
                    deal.suit[slots] = deal.suit[slots - 1]
                slots, slot = slots + 1, slot + 1
    at = 0
    while at >= 0:
        if at == slots:
            if _is_legal(state, deal.codes, switches, cross):
                return True
            at -= 1
            continue
        if deal.step[at] >= 0:
            unseen |= _U1 << np.uint64(state.board[deal.slot[at]])
        elif deal.repeats[at]:
            # A rank once more in the same row: only suits behind the one before, so no two cards come twice.
            deal.step[at] = deal.step[at - 1]
        deal.step[at] += 1
        card = 0
        while deal.step[at] < 4:
            card = 4 * deal.rank[at] + ((deal.suit[at] + deal.step[at]) & 3)
            if (unseen >> np.uint64(card)) & _U1:
                break
            deal.step[at] += 1
        if deal.step[at] == 4:
            deal.step[at] = -1
            at -= 1
            continue
        state.board[deal.slot[at]] = card
        unseen &= ~(_U1 << np.uint64(card))
        at += 1
    return False


@kernel
def _first_suits(state, deal, middle, low, unseen):
    """Choose the suit each row tries first: a flush where the join counts on one, else any mix (-1)."""
    deal.suits[0] = -1
    deal.suits[1] = -1
    category = -1 if low else CATEGORY[middle]
    if category == FLUSH or category == STRAIGHT_FLUSH or category == ROYAL_FLUSH:
        deal.suits[1] = covering_suit(deal.needs[1], state.suits[1], unseen)
    else:
        for suit in range(4):
            if state.suits[1] == 1 << suit:
                deal.suits[1] = suit + 1
    deal.suits[2] = covering_suit(deal.needs[2], state.suits[2], unseen)


@kernel
def _join(state, lists, deal, unseen, supply, switches, cross, tables):
    """Tell whether one listed fill of each row makes a legal board."""
    low = switches[LOW_MIDDLE] == 1
    fronts, middles, backs = lists.first
    for m in range(middles, middles + deal.listed[1]):
        middle = lists.codes[m]
        deal.needs[1] = tables.counts[lists.fills[m]]
        limit = np.int64(cross[middle]) - switches[MIDDLE_STRICT]
        left = supply - deal.needs[1]
        for b in range(backs, backs + deal.listed[2]):
            back = lists.codes[b]
            deal.needs[2] = tables.counts[lists.fills[b]]
            if low:
                limit = np.int64(cross[back]) - switches[FRONT_STRICT]
            elif back < middle + switches[BACK_STRICT]:
                continue
            if not holds(left, deal.needs[2]):
                continue
            rest = left - deal.needs[2]
            for f in range(fronts, fronts + deal.listed[0]):
                deal.needs[0] = tables.counts[lists.fills[f]]
                if lists.codes[f] > limit or not holds(rest, deal.needs[0]):
                    continue
                _first_suits(state, deal, middle, low, unseen)
                if _deal_out(state, deal, unseen, switches, cross):
                    return True
    return False


@kernel
def _fits(state, lists, deal, unseen, switches, cross, tables):
    """Tell whether natural unseen cards in the open slots make a legal board."""
    low = switches[LOW_MIDDLE] == 1
    # Where a joker may copy no card of the board, the reading of a row hangs on the others: think any of them possible.
    any_reading = switches[READING_LEGAL] == 1 or switches[MAY_COPY] == COPY_NONE
    supply = rank_counts(unseen)
    if low:
        deal.listed[1] = list_fills(
            STRONGEST, 1, state, unseen, supply, switches[LOW_WORST], HIGHEST, switches, tables, lists
        )
        if deal.listed[1] == 0:
            return False
    deal.listed[0] = list_fills(
        WEAKEST if any_reading else STRONGEST, 0, state, unseen, supply, 0, HIGHEST, switches, tables, lists
    )
    weakest = HIGHEST
    for f in range(lists.first[0], lists.first[0] + deal.listed[0]):
        weakest = min(weakest, lists.codes[f])
    behind = weakest + (switches[FRONT_STRICT] if low else switches[MIDDLE_STRICT] + switches[BACK_STRICT])
    deal.listed[2] = list_fills(STRONGEST, 2, state, unseen, supply, behind, HIGHEST, switches, tables, lists)
    if not low:
        strongest = 0
        for b in range(lists.first[2], lists.first[2] + deal.listed[2]):
            strongest = max(strongest, lists.codes[b])
        deal.listed[1] = list_fills(
            EVERY if any_reading else STRONGEST_BY_SUITS, 1, state, unseen, supply,
            weakest + switches[MIDDLE_STRICT], strongest - switches[BACK_STRICT], switches, tables, lists,
        )  # fmt: skip
    return _join(state, lists, deal, unseen, supply, switches, cross, tables)


@kernel
def _can_be_legal(state, jokers, lists, deal, unseen, switches, cross, tables):
    """Tell whether unseen cards, up to `jokers` jokers among them, can make the open slots of a board a legal one."""
    for drawn in range(jokers + 1):
        for in_back in range(drawn, -1, -1):
            for in_middle in range(drawn - in_back, -1, -1):
                in_rows = (drawn - in_back - in_middle, in_middle, in_back)
                fit = True
                for row in range(3):
                    fit = fit and state.filled[row] + in_rows[row] <= ROW_SIZE[row]
                if not fit:
                    continue
                for row in range(3):
                    for _ in range(in_rows[row]):
                        # Which of the two jokers it is makes no difference to a reading.
                        state.board[FIRST_SLOT[row] + state.filled[row]] = 52
                        state.filled[row] += 1
                        state.jokers[row] += 1
                found = _fits(state, lists, deal, unseen, switches, cross, tables)
                for row in range(3):
                    state.filled[row] -= in_rows[row]
                    state.jokers[row] -= in_rows[row]
                if found:
                    return True
    return False


@kernel
def _foul_streets(cards, placement, rounds, switches, cross, deck_size, seen, state, lists, deal, tables, out):
    for i in range(cards.shape[0]):
        out[i] = 0
        dealt = 0
        while dealt < cards.shape[1] and placement[i, dealt] != NO_CARD:
            dealt += 1
        read_state(cards[i], placement[i], dealt, deck_size, np.uint64(0), state)
        if state.filled.sum() != 13 or _is_legal(state, deal.codes, switches, cross):
            continue
        street = rounds.shape[0]
        while street > 1:
            dealt -= rounds[street - 1, 0]
            unseen, jokers = read_state(cards[i], placement[i], dealt, deck_size, seen[i, street - 2], state)
            if _can_be_legal(state, jokers, lists, deal, unseen, switches, cross, tables):
                break
            street -= 1
        out[i] = street


def foul_streets(
    cards: NDArray[np.uint8],
    placement: NDArray[np.uint8],
    rounds: NDArray[np.int64],
    switches: NDArray[np.int64],
    cross: NDArray[np.uint16],
    deck_size: int,
    seen: NDArray[np.uint64] | None = None,
) -> NDArray[np.uint8]:
    """The street (from 1) after which each fouled board can no longer become legal, u8 (n,); 0 for any other board.

    ``cards`` u8 (n, 17) in deal order, 255 = not known; ``placement`` u8 (n, 17): 0 front, 1 middle, 2 back,
    3 discarded, 7 no card; ``rounds`` i64 (streets, 3): deal, place, discard; ``deck_size`` 52 plus the jokers;
    ``seen`` u64 (n, streets): bits of the cards the player has seen in the opponents' rows after each street.
    For hands played street by street: a Fantasyland hand has no streets.
    """
    if seen is None:
        seen = np.zeros((len(cards), len(rounds)), np.uint64)
    out = np.empty(len(cards), np.uint8)
    _foul_streets(
        np.ascontiguousarray(cards, np.uint8), np.ascontiguousarray(placement, np.uint8),
        np.ascontiguousarray(rounds, np.int64), switches, cross, deck_size, np.ascontiguousarray(seen, np.uint64),
        row_states(), fill_lists(deck_size > 52), _deal(), fill_tables(), out,
    )  # fmt: skip
    return out
