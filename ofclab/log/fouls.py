"""From which street a fouled board could no longer become legal, with what its player had seen by then."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ofclab.cards import UNSEEN
from ofclab.kernels import fills, outlook
from ofclab.kernels.outlook import foul_streets
from ofclab.kernels.placement import BACK, DISCARD
from ofclab.log import arrays
from ofclab.log.arrays import Cards
from ofclab.log.schema import FOUL_STREETS, Completeness
from ofclab.log.score import hand_groups, hash_of_sources, score_frames, scorer_version
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules

UNKNOWN = 255


@cache
def fouls_version() -> str:
    """Hash of everything that decides the street of a foul; stored streets of another version are computed again."""
    return hash_of_sources(__file__, outlook, fills) + scorer_version()


def foul_frame(
    hands: pl.DataFrame, seats: pl.DataFrame, rules: Rules | Mapping[str, Rules], played: Mapping[str, Rules]
) -> pl.DataFrame:
    """The foul_streets table of a part, hands in order.

    ``rules`` as for `score_frames`; ``played``: the rulesets the hands were dealt under, by id; where that is not
    known the street stays null. Raises LogError as `score_frames`.
    """
    fouled = score_frames(hands, seats, rules, pairs=False)[0]["fouled"].fill_null(False).to_numpy()
    cards, codes, in_order = arrays.card_array(seats), arrays.placement_array(seats), _has_deal_order(hands, seats)
    streets = np.full(seats.height, UNKNOWN, np.uint8)
    for ruleset_id, _, at in hand_groups(hands):
        if ruleset_id in played:
            ruleset = rules if isinstance(rules, Rules) else rules[ruleset_id]
            streets[at] = certain_streets(cards[at], codes[at], in_order[at], fouled[at], ruleset, played[ruleset_id])
    found = pl.Series("foul_street", streets)
    return pl.DataFrame([seats["hand_id"], seats["seat"], found.set(found == UNKNOWN, None)], schema=FOUL_STREETS)


def _has_deal_order(hands: pl.DataFrame, seats: pl.DataFrame) -> NDArray[np.bool_]:
    """Seats played street by street whose cards are known in the order they came."""
    ordered = hands["completeness"].is_in([Completeness.FULL.value, Completeness.OWN_DISCARDS.value]).to_numpy()
    in_streets: NDArray[np.bool_] = (seats["fl_cards"] == 0).to_numpy()
    return np.repeat(ordered, hands["n_seats"].to_numpy()) & in_streets


def certain_streets(
    cards: Cards, codes: Cards, in_order: NDArray[np.bool_], fouled: NDArray[np.bool_], rules: Rules, played: Rules
) -> NDArray[np.uint8]:
    """Street from which each foul was certain, u8 (hands, seats), 255 for legal boards and where it cannot be told.

    ``cards`` and ``codes`` u8 (hands, seats, 17); ``in_order`` bool (hands, seats): played street by street with every
    card known; ``fouled`` under ``rules``; the hands were dealt under ``played``, which also say what others see.
    """
    found = np.full(fouled.shape, UNKNOWN, np.uint8)
    dealt_as, judged_as = compile_rules(played), compile_rules(rules)
    rounds = dealt_as.rounds
    complete = (cards != UNSEEN).sum(axis=2) == rounds[:, 0].sum()
    wanted = in_order & fouled & complete
    if not wanted.any():
        return found
    shown = _shown(cards, codes, in_order, rounds, played)
    hand, seat = np.nonzero(wanted)
    seen = np.zeros((len(hand), len(rounds)), np.uint64)
    for other in range(fouled.shape[1]):
        seen |= np.where((seat != other)[:, None], shown[hand, other], np.uint64(0))
    streets = foul_streets(
        cards[hand, seat], codes[hand, seat], rounds, judged_as.switches, judged_as.cross, played.deck.cards, seen
    )
    found[hand, seat] = np.where(streets > 0, streets, UNKNOWN)
    return found


def _shown(
    cards: Cards, codes: Cards, in_order: NDArray[np.bool_], rounds: NDArray[np.int64], played: Rules
) -> NDArray[np.uint64]:
    """Cards of each seat that lie open after each street, as bits, u64 (hands, seats, streets)."""
    placed = codes <= BACK
    open_cards = placed & in_order[:, :, None] & (cards != UNSEEN)
    if played.deal.last_face_down:
        open_cards &= np.cumsum(placed, axis=2) <= 13 - played.deal.last_face_down
    if played.visibility.discards == "revealed":
        open_cards |= (codes == DISCARD) & in_order[:, :, None] & (cards != UNSEEN)
    bits = np.where(open_cards, np.uint64(1) << (cards & np.uint8(63)).astype(np.uint64), np.uint64(0))
    by_card = np.bitwise_or.accumulate(bits, axis=2)
    return np.asarray(by_card[:, :, np.cumsum(rounds[:, 0]) - 1], np.uint64)
