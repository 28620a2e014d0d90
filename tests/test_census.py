"""Every hand there is, counted; and the order of five-card hands against another evaluator."""

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

import ofclab as ofc
from ofclab.kernels.rowstate import rank_fives, rank_fronts, rank_lows
from ofclab.scoring import score_boards

Codes = NDArray[np.uint16]

FIVE_CARD_COUNTS = {
    "high_card": 1_302_540,
    "pair": 1_098_240,
    "two_pair": 123_552,
    "trips": 54_912,
    "straight": 10_200,
    "flush": 5_108,
    "full_house": 3_744,
    "quads": 624,
    "straight_flush": 36,
    "royal_flush": 4,
}
FRONT_COUNTS = {"high_card": 18_304, "pair": 3_744, "trips": 52}
LOW_COUNTS = {  # by high rank, no pair, no straight, no flush
    "7": 4_080,
    "8": 14_280,
    "9": 34_680,
    "T": 70_380,
    "J": 127_500,
    "Q": 213_180,
    "K": 335_580,
    "A": 503_880,
}
PERFECT_LOWS = 1_020
TEN_LOW_OR_BETTER = 123_420
FRONT_ROYALTY_COUNTS = {0: 19_456} | dict.fromkeys(range(1, 10), 288) | dict.fromkeys(range(10, 23), 4)

WEAKEST = {  # the weakest hand of each category
    "high_card": "7c 5d 4h 3s 2c",
    "pair": "2c 2d 5h 4s 3c",
    "two_pair": "3c 3d 2h 2s 4c",
    "trips": "2c 2d 2h 4s 3c",
    "straight": "5c 4d 3h 2s Ac",
    "flush": "7c 5c 4c 3c 2c",
    "full_house": "2c 2d 2h 3s 3c",
    "quads": "2c 2d 2h 2s 3c",
    "straight_flush": "5c 4c 3c 2c Ac",
    "royal_flush": "Ac Kc Qc Jc Tc",
}


def every_hand(size: int) -> NDArray[np.uint8]:
    flat = np.fromiter((card for hand in combinations(range(52), size) for card in hand), np.uint8)
    return flat.reshape(-1, size)


def ids(*hands: str) -> NDArray[np.uint8]:
    return np.array([[int(card) for card in ofc.parse_cards(hand)] for hand in hands], np.uint8)


def counts_from(codes: Codes, floors: Codes, names: list[str]) -> dict[str, int]:
    """How many codes lie at or above each floor and below the next."""
    assert np.all(np.diff(floors.astype(np.int64)) > 0)
    placed = np.searchsorted(floors, codes, side="right")
    assert placed.min() >= 1
    return dict(zip(names, np.bincount(placed - 1, minlength=len(names)).tolist(), strict=True))


@pytest.fixture(scope="module")
def fives() -> NDArray[np.uint8]:
    return every_hand(5)


@pytest.fixture(scope="module")
def five_codes(fives: NDArray[np.uint8]) -> Codes:
    return rank_fives(fives)


@pytest.fixture(scope="module")
def low_codes(fives: NDArray[np.uint8]) -> Codes:
    return rank_lows(fives)


@pytest.fixture(scope="module")
def front_codes() -> Codes:
    return rank_fronts(every_hand(3))


def test_five_card_categories(five_codes: Codes) -> None:
    floors = rank_fives(ids(*WEAKEST.values()))
    assert counts_from(five_codes, floors, list(WEAKEST)) == FIVE_CARD_COUNTS
    assert five_codes.size == 2_598_960


def test_five_card_classes(five_codes: Codes) -> None:
    assert np.unique(five_codes).size == 7_462


def test_suits_never_rank(fives: NDArray[np.uint8], five_codes: Codes) -> None:
    turned = (fives & ~np.uint8(3)) | ((fives + 1) & 3)
    assert np.array_equal(rank_fives(turned), five_codes)


def test_front_categories(front_codes: Codes) -> None:
    floors = rank_fronts(ids("4c 3d 2h", "2c 2d 3h", "2c 2d 2h"))
    assert counts_from(front_codes, floors, list(FRONT_COUNTS)) == FRONT_COUNTS
    assert np.unique(front_codes).size == 455


def test_front_royalties() -> None:
    """Every front before a royal middle and a royal back, so that nothing fouls."""
    fronts = every_hand(3)
    royals = ids("As Ks Qs Js Ts Ah Kh Qh Jh Th")[0]
    boards = np.hstack([fronts, np.tile(royals, (len(fronts), 1))])
    scores = score_boards(np.stack([boards, boards], axis=1), ofc.load_rules("american-pineapple"))
    assert not scores.fouled.any()
    found, counts = np.unique(scores.royalties[:, 0, 0], return_counts=True)
    assert dict(zip(found.tolist(), counts.tolist(), strict=True)) == FRONT_ROYALTY_COUNTS


def test_fantasyland_entries() -> None:
    """Progressive entry over every front: 14 cards for QQ, 15 KK, 16 AA, 17 trips."""
    fronts = every_hand(3)
    royals = ids("As Ks Qs Js Ts Ah Kh Qh Jh Th")[0]
    boards = np.hstack([fronts, np.tile(royals, (len(fronts), 1))])
    scores = score_boards(np.stack([boards, boards], axis=1), ofc.load_rules("progressive-pineapple"))
    counts = np.bincount(scores.next_fantasyland[:, 0], minlength=18)
    assert counts[[14, 15, 16, 17]].tolist() == [288, 288, 288, 52]
    assert counts.sum() - counts[0] == 288 * 3 + 52


def test_low_classes(low_codes: Codes) -> None:
    assert np.unique(low_codes).size == 7_462


def test_lows_by_high_rank(low_codes: Codes) -> None:
    """Better lows have greater codes; the worst low of each high rank is the floor of that rank."""
    worst = [
        "Ac Kd Qh Js 9c", "Kc Qd Jh Ts 8c", "Qc Jd Th 9s 7c", "Jc Td 9h 8s 6c",
        "Tc 9d 8h 7s 5c", "9c 8d 7h 6s 4c", "8c 7d 6h 5s 3c", "7c 6d 5h 4s 2c",
    ]  # fmt: skip
    floors = rank_lows(ids(*worst))
    lows = low_codes[low_codes >= floors[0]]
    assert counts_from(lows, floors, list("AKQJT987")) == LOW_COUNTS
    assert np.count_nonzero(low_codes >= floors[4]) == TEN_LOW_OR_BETTER
    best = rank_lows(ids("7c 5d 4h 3s 2c"))[0]
    assert low_codes.max() == best
    assert np.count_nonzero(low_codes == best) == PERFECT_LOWS


def test_low_is_high_upside_down_but_for_the_wheel(
    fives: NDArray[np.uint8], five_codes: Codes, low_codes: Codes
) -> None:
    ranks = np.sort(fives >> 2, axis=1)
    wheel = (ranks == [0, 1, 2, 3, 12]).all(axis=1)
    order = np.argsort(five_codes[~wheel], kind="stable")
    upside_down = low_codes[~wheel][order].astype(np.int64)
    rises = np.diff(five_codes[~wheel][order].astype(np.int64))
    assert np.all(np.where(rises > 0, np.diff(upside_down) < 0, np.diff(upside_down) == 0))


def test_fronts_and_fives_share_one_scale(front_codes: Codes, five_codes: Codes) -> None:
    """A front never ties a five-card row, and lies where its missing cards, below any card, put it."""
    assert not np.isin(front_codes, five_codes).any()
    below, front, above = (
        rank_fives(ids("Qd Qc 6s 5h 4d"))[0],
        rank_fronts(ids("Qs Qh 7d"))[0],
        rank_fives(ids("Qd Qc 7s 3h 2d"))[0],
    )
    assert below < front < above


def test_another_evaluator_orders_hands_alike() -> None:
    treys = pytest.importorskip("treys")
    rng = np.random.default_rng(27)
    hands = np.argsort(rng.random((200_000, 52)), axis=1)[:, :5].astype(np.uint8)
    theirs_of = [treys.Card.new(str(ofc.Card(card))) for card in range(52)]
    evaluate = treys.Evaluator().evaluate
    theirs = np.array([evaluate([theirs_of[card] for card in hand], []) for hand in hands.tolist()])
    ours = rank_fives(hands).astype(np.int64)
    left, right = slice(0, 100_000), slice(100_000, None)
    assert np.array_equal(np.sign(ours[left] - ours[right]), np.sign(theirs[right] - theirs[left]))  # theirs: 1 is best
