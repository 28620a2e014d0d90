"""The random streams: even, independent of each other, and the same for ever."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2

import ofclab as ofc
from ofclab.kernels import rng
from ofclab.kernels.placement import deal

TABLES = np.arange(60_000, dtype=np.uint64)


def is_even(counts: NDArray[np.integer]) -> bool:
    """Chi-square against equal counts, at one in ten thousand on either side."""
    expected = counts.sum() / counts.size
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return bool(chi2.ppf(1e-4, counts.size - 1) < statistic < chi2.ppf(1 - 1e-4, counts.size - 1))


def test_the_mixer_is_splitmix64() -> None:
    # The first outputs of the reference generator (Vigna, splitmix64.c) from the states 0, 1 and 2**63.
    golden = 0x9E3779B97F4A7C15
    assert [int(rng.mix(np.uint64(state))) for state in (0, golden, 2 * golden % 2**64)] == [
        0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F,
    ]  # fmt: skip


def test_streams_and_draws_stay_what_they_are() -> None:
    """Logs of old runs can only be rebuilt from their seed while these hold."""
    key = np.uint64(rng.stream(np.uint64(7), np.uint64(3), 5, rng.DEAL))
    assert int(key) == 0x78DE5246276652D9
    assert [int(rng.draw(key, i)) for i in range(3)] == [0x95AF69B751895496, 0x78350B1872D78204, 0xE3F59FA75DCA710]
    assert [int(rng.below(key, i, 52)) for i in range(8)] == [30, 24, 2, 7, 17, 37, 19, 27]


@pytest.mark.parametrize(
    ("seats", "jokers", "cards"),
    [
        (2, 0, ["9h 6d 3c 8d 7c 9c 7s Jh 3d 8s 5d Ks 4s Th As 2d 6s",
                "Qd 4d Td Ts 5s 3h Kd 8c Ah 2s 5c Jc 6c 2c 5h Qs Tc"]),
        (4, 0, ["9h 6d 3c 8d 7c 9c 7s Jh 3d 8s 5d Ks 4s", "Th As 2d 6s Qd 4d Td Ts 5s 3h Kd 8c Ah",
                "2s 5c Jc 6c 2c 5h Qs Tc 2h Kc 7d 4c 9s", "3s Qc 8h Js Qh Kh Ac 6h 7h 4h Ad Jd 9d"]),
        (2, 2, ["9s 6d 3c 8h 7d 9d 7s Js 3d 9c 5d Ad 4s Ts X2 2d 6s",
                "Qs 8s Th Jc 5s 3h Kh 8c X1 8d Ac Jd Td 9h 5h Kc Tc"]),
    ],
)  # fmt: skip
def test_a_deal_stays_what_it_is(seats: int, jokers: int, cards: list[str]) -> None:
    (hand,) = deal(7, np.array([3], np.uint64), 5, seats, jokers)
    assert [ofc.format_cards(dealt.tolist()) for dealt in hand] == cards


def test_every_card_falls_equally_often_on_every_place() -> None:
    cards = deal(11, TABLES, 0, 3).reshape(len(TABLES), -1)
    for place in (0, 1, 2, 16, 17, 33, 50):
        assert is_even(np.bincount(cards[:, place], minlength=52))


def test_every_pair_of_cards_falls_equally_often_on_two_places() -> None:
    cards = deal(12, np.arange(300_000, dtype=np.uint64), 0, 2).astype(np.int64)
    for first, second in ((cards[:, 0, 0], cards[:, 0, 1]), (cards[:, 0, 4], cards[:, 1, 0])):
        counts = np.bincount(first * 52 + second, minlength=52 * 52).reshape(52, 52)
        assert (np.diag(counts) == 0).all()
        assert is_even(counts[~np.eye(52, dtype=bool)])


def test_streams_of_neighbours_have_nothing_in_common() -> None:
    """Cards on the same place in the next table, the next hand and under the next seed: all 52 x 52 pairs alike."""
    cards = deal(13, TABLES, 0, 2)[:, 0, 0].astype(np.int64)
    for other in (deal(13, TABLES + np.uint64(1), 0, 2), deal(13, TABLES, 1, 2), deal(14, TABLES, 0, 2)):
        assert is_even(np.bincount(cards * 52 + other[:, 0, 0], minlength=52 * 52))


@pytest.mark.parametrize("n", [2, 3, 27, 232])
def test_draws_below_a_bound_are_even(n: int) -> None:
    key = np.uint64(rng.stream(np.uint64(1), np.uint64(2), 3, 4))
    assert is_even(np.bincount([rng.below(key, i, n) for i in range(20_000)], minlength=n))


def test_every_decision_has_a_stream_of_its_own() -> None:
    purposes = {int(rng.decision_purpose(seat, street)) for seat in range(4) for street in range(1, 10)}
    assert len(purposes) == 36
    assert rng.DEAL not in purposes
    keys = {
        int(rng.stream(np.uint64(seed), np.uint64(table), hand, purpose))
        for seed in range(6) for table in range(6) for hand in range(6) for purpose in (rng.DEAL, *purposes)
    }  # fmt: skip
    assert len(keys) == 6 * 6 * 6 * 37
