"""Every setting of a Fantasyland hand, one after another: the slow truth beside the exact setter."""

from collections.abc import Iterator
from itertools import combinations

import numba
import numpy as np
from numpy.typing import NDArray

import ofclab as ofc
from ofclab.kernels import scoring as k
from ofclab.kernels.rowstate import rank_fives, rank_fronts, rank_lows
from ofclab.kernels.setter import set_hands_batch, setter_tables
from ofclab.rules.compiled import CompiledRules
from ofclab.scoring import read_codes

NOTHING = -(1 << 60)
POINT = 10_000

STRICT = {"foul.back_over_middle": "gt", "foul.middle_over_front": "gt"}
PREFIX = {"foul.cross_length_compare": "prefix_tie"}
FALLING = {
    "royalties.back": {"straight": 9, "flush": 3, "full_house": 7, "quads": 2, "straight_flush": 8},
    "royalties.middle": {"pair": 3, "trips": 6, "straight": 1, "flush": 8, "full_house": 2},
    "royalties.front": {"66": 4, "77": 1, "AA": 3, "222": 2, "KKK": 1},
}

Tables = tuple[NDArray[np.int64], NDArray[np.bool_]]


def codes_by_mask(hand: NDArray[np.uint8], size: int, low: bool = False) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The code of every row of this size, indexed by the mask of its cards, and the masks."""
    chosen = np.array(list(combinations(range(len(hand)), size)))
    rank = rank_fronts if size == 3 else rank_lows if low else rank_fives
    codes, masks = np.zeros(1 << len(hand), np.int64), (1 << chosen).sum(axis=1)
    codes[masks] = rank(hand[chosen])
    return codes, masks


def discards_of(n: int) -> NDArray[np.int64]:
    """The masks of the cards that may be left over."""
    return np.array([sum(1 << i for i in left) for left in combinations(range(n), n - 13)], np.int64)


@numba.njit(cache=True, nogil=True)
def try_all(n, discards, fronts, fives, front, middle, back, low, worst, strict, cross, values, stay, bonus):
    """Greatest (value, stays) over all legal settings of natural cards: no bounds, no order, no lists.

    `strict`: by how much a middle must lie below its back, a front below what it is held against.
    """
    best, best_stays = NOTHING, False
    every = (1 << n) - 1
    for f in fronts:
        x = front[f]
        for m in fives:
            if f & m:
                continue
            y, rest = middle[m], every & ~f & ~m
            if x + strict[1] > cross[y] and not low:
                continue
            for left in discards:
                if left & ~rest:
                    continue
                z = back[rest & ~left]
                if low and (y < worst or x + strict[1] > cross[z]):
                    continue
                if not low and y + strict[0] > z:
                    continue
                stays = stay[0, x] or stay[1, y] or stay[2, z]
                value = values[0, x] + values[1, y] + values[2, z] + (bonus if stays else 0)
                if value > best or (value == best and stays and not best_stays):
                    best, best_stays = value, stays
    return best, best_stays


def all_boards(hand: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Every board of 13 cards, front 3, middle 5, back 5, in blocks; jokers are cards like others."""
    n = len(hand)
    fives = np.array(list(combinations(range(10), 5)))
    rest = np.array([[i for i in range(10) if i not in five] for five in fives.tolist()])
    split = np.concatenate([fives, rest], axis=1)
    for kept in combinations(range(n), 13):
        thirteen = hand[list(kept)]
        for front in combinations(range(13), 3):
            ten = thirteen[[i for i in range(13) if i not in front]]
            yield np.concatenate([np.broadcast_to(thirteen[list(front)], (len(split), 3)), ten[split]], axis=1)


def deal(rng: np.random.Generator, hands: int, n: int, jokers: int = 0) -> NDArray[np.uint8]:
    """Hands of n distinct cards in rows of 17, that many jokers among them."""
    cards = np.full((hands, 17), 255, np.uint8)
    for row in cards:
        row[: n - jokers] = rng.permutation(52)[: n - jokers]
        row[n - jokers : n] = 52 + np.arange(jokers)
        row[:n] = rng.permutation(row[:n])
    return cards


def solve(
    cards: NDArray[np.uint8], n: int, compiled: CompiledRules, bonus: int, tables: Tables | None = None
) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]:
    """Set every hand and check each answer by itself: (values, stays, legal)."""
    values, stay = tables or (compiled.royalty.astype(np.int64) * POINT, compiled.stay)
    given = setter_tables(values, stay, compiled.switches, compiled.cross)
    m = len(cards)
    masks, best, legal = set_hands_batch(cards, np.full(m, n, np.uint8), given, np.full(m, bonus))
    inside = (masks[:, :, None] >> np.arange(n, dtype=np.uint32) & 1).astype(bool)
    assert (inside.sum(axis=2) == (3, 5, 5)).all()
    assert (inside.sum(axis=1) <= 1).all()
    boards = np.array(
        [[card for row in rows for card in hand[:n][row]] for hand, rows in zip(cards, inside, strict=True)]
    )
    codes = read_codes(boards.astype(np.uint8), compiled)
    stays = np.zeros(m, bool)
    for i, (front, middle, back) in enumerate(codes.tolist()):
        assert k.is_foul(*codes[i], compiled.switches, compiled.cross) != legal[i]
        if legal[i]:
            stays[i] = stay[0, front] or stay[1, middle] or stay[2, back]
            assert best[i] == values[0, front] + values[1, middle] + values[2, back] + bonus * stays[i]
        else:
            assert best[i] == 0
    return best, stays, legal


def same_as_all_settings(
    cards: NDArray[np.uint8], n: int, compiled: CompiledRules, bonus: int, tables: Tables | None = None
) -> None:
    """The setter's values, and on equal values its preference for a stay, are those of trying every setting."""
    values, stay = tables or (compiled.royalty.astype(np.int64) * POINT, compiled.stay)
    best, stays, legal = solve(cards, n, compiled, bonus, tables)
    switches = compiled.switches
    low = bool(switches[k.LOW_MIDDLE])
    strict = switches[[k.BACK_STRICT, k.FRONT_STRICT if low else k.MIDDLE_STRICT]]
    discards = discards_of(n)
    for i, hand in enumerate(cards[:, :n]):
        front, fronts = codes_by_mask(hand, 3)
        back, fives = codes_by_mask(hand, 5)
        middle = codes_by_mask(hand, 5, low)[0]
        worst = int(switches[k.LOW_WORST])
        found = try_all(
            n,
            discards,
            fronts,
            fives,
            front,
            middle,
            back,
            low,
            worst,
            strict,
            compiled.cross.astype(np.int64),
            values,
            stay,
            bonus,
        )
        want = (0, False, False) if found[0] == NOTHING else (*found, True)
        assert (best[i], stays[i], legal[i]) == want, ofc.format_cards(hand)


def best_of_all_boards(hand: NDArray[np.uint8], compiled: CompiledRules, bonus: int) -> tuple[int, bool, bool]:
    """The best board as the scorer reads it, jokers and all."""
    best = (NOTHING, False)
    cross, switches = compiled.cross.astype(np.int64), compiled.switches
    for boards in all_boards(hand):
        front, middle, back = read_codes(boards, compiled).astype(np.int64).T
        if switches[k.LOW_MIDDLE]:
            legal = (middle >= switches[k.LOW_WORST]) & (front + switches[k.FRONT_STRICT] <= cross[back])
        else:
            legal = (middle + switches[k.BACK_STRICT] <= back) & (front + switches[k.MIDDLE_STRICT] <= cross[middle])
        if not legal.any():
            continue
        stays = compiled.stay[0, front] | compiled.stay[1, middle] | compiled.stay[2, back]
        values = compiled.royalty[0, front] + compiled.royalty[1, middle] + compiled.royalty[2, back]
        total = np.where(legal, 2 * (values.astype(np.int64) * POINT + bonus * stays) + stays, 2 * NOTHING)
        i = int(total.argmax())
        best = max(best, (int(total[i]) >> 1, bool(stays[i])))
    return (0, False, False) if best[0] == NOTHING else (*best, True)
