"""The look-up tables: no two rows share a key or a slot, and codes stand in the order of the hands."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

import ofclab as ofc
from ofclab.kernels import tables as t
from ofclab.kernels.rowstate import rank_fives, rank_fronts, rank_lows

ALL_MULTISETS = [ranks for size in range(6) for ranks in t.multisets(size)]


def test_row_keys_are_distinct_within_20_bits() -> None:
    keys = [t.row_key(ranks) for ranks in ALL_MULTISETS]
    assert len(keys) == len(set(keys)) == 8_555
    assert max(keys) < 1 << 20


def test_no_two_rows_share_a_slot() -> None:
    slots = {int(t.DISPLACEMENT[key >> 8]) + (key & 255) for key in map(t.row_key, ALL_MULTISETS)}
    assert len(slots) == 8_555
    assert max(slots) < t.SLOTS
    assert t.HIGH.nbytes + t.LOW.nbytes + t.DISPLACEMENT.nbytes < 120_000


def test_suit_counts_tell_five_cards_of_a_suit_from_any_other_row() -> None:
    rng = np.random.default_rng(0)
    for _ in range(2000):
        cards = rng.choice(13, 5, replace=False) * 4 + rng.integers(0, 4, 5) * rng.integers(0, 2)
        word = int(t.CARD[cards].astype(np.int64).sum())
        assert bool(word & word >> 2 & t.SUITED) == (len(set((cards & 3).tolist())) == 1)
    for size in range(5):
        word = int(t.CARD[::4][:size].astype(np.int64).sum())
        assert not word & word >> 2 & t.SUITED


def test_a_joker_adds_nothing_to_a_row() -> None:
    assert t.CARD[52] == t.CARD[53] == 0


# Weakest first; a front stands among the fives by its ranks, a missing card being the lowest of all.
HIGH_ORDER = [
    "4c 3d 2h", "7c 5d 4h 3s 2c", "Ac Kd Qh", "Ac Kd Qh Js 9c", "2c 2d 3h", "2c 2d 4h", "2c 2d 3h 4s 5c", "Ac Ad Kh",
    "Ac Ad Kh Qs Jc", "3c 3d 2h 2s 4c", "Ac Ad Kh Ks Qc", "2c 2d 2h", "2c 2d 2h 4s 3c", "Ac Ad Ah", "Ac Ad Ah Ks Qc",
    "5c 4d 3h 2s Ac", "6c 5d 4h 3s 2c", "Ac Kd Qh Js Tc", "7c 5c 4c 3c 2c", "Ac Kc Qc Jc 9c", "2c 2d 2h 3s 3c",
    "Ac Ad Ah Ks Kc", "2c 2d 2h 2s 3c", "Ac Ad Ah As Kc", "5c 4c 3c 2c Ac", "6c 5c 4c 3c 2c", "Kc Qc Jc Tc 9c",
    "Ac Kc Qc Jc Tc",
]  # fmt: skip
LOW_ORDER = [  # the best low last
    "Ac Kc Qc Jc Tc", "2c 2d 2h 2s 3c", "2c 2d 2h 3s 3c", "7c 5c 4c 3c 2c", "6c 5d 4h 3s 2c", "2c 2d 3h 4s 5c",
    "Ac Kd Qh Js 9c", "5c 4d 3h 2s Ac", "Tc 9d 8h 7s 5c", "8c 7d 6h 5s 3c", "8c 6d 4h 3s 2c", "7c 6d 4h 3s 2c",
    "7c 5d 4h 3s 2c",
]  # fmt: skip


def card_ids(hand: str) -> NDArray[np.uint8]:
    return np.array([ofc.parse_cards(hand)], np.uint8)


def high_code(hand: str) -> int:
    cards = card_ids(hand)
    return int((rank_fronts if cards.shape[1] == 3 else rank_fives)(cards)[0])


@pytest.mark.parametrize(("weaker", "stronger"), list(pairwise(HIGH_ORDER)))
def test_high_codes_stand_in_order(weaker: str, stronger: str) -> None:
    assert high_code(weaker) < high_code(stronger)


@pytest.mark.parametrize(("worse", "better"), list(pairwise(LOW_ORDER)))
def test_low_codes_stand_in_order(worse: str, better: str) -> None:
    assert rank_lows(card_ids(worse))[0] < rank_lows(card_ids(better))[0]


def test_the_scale_holds_every_front_and_every_five() -> None:
    codes = np.array(sorted(t.HIGH_CODES.values()))
    assert (codes == np.arange(1, len(codes) + 1)).all()
    natural = {t.high_strength(ranks, suited) for ranks in t.multisets(5) for suited in (False, True)
               if not suited or len(set(ranks)) == 5}  # fmt: skip
    assert len(natural) == 7_462
    assert len({t.high_strength(ranks) for ranks in t.multisets(3)}) == 455
    assert rank_lows(card_ids("7c 5d 4h 3s 2c"))[0] == t.WHEEL_LOW == max(t.LOW_CODES.values())
    assert int(t.CATEGORY[t.FIRST_FIVE_OF_A_KIND]) == t.FIVE_OF_A_KIND
    assert max(t.HIGH_CODES.values()) == t.FIRST_FIVE_OF_A_KIND + 12


def test_unfinished_rows_count_by_pairs_trips_and_quads() -> None:
    order = [
        (),
        (0,),
        (12,),
        (12, 11),
        (12, 11, 10, 9),
        (0, 0),
        (12, 12, 11),
        (0, 0, 1, 1),
        (0, 0, 0),
        (12, 12, 12, 11),
    ]
    strengths = [t.partial_strength(ranks) for ranks in [*order, (0, 0, 0, 0)]]
    assert strengths == sorted(strengths)
    assert len(set(strengths)) == len(strengths)
