"""Every setting of a Fantasyland hand, one after another: the slow truth beside the exact setter."""

from collections.abc import Iterator
from itertools import combinations

import numba
import numpy as np
from numpy.typing import NDArray

from ofclab.kernels.rowstate import rank_fives, rank_fronts, rank_lows

NOTHING = -(1 << 60)


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
def try_all(n, discards, fronts, fives, front, middle, back, low, worst, strict, cross, values, stay, bonus):  # type: ignore[no-untyped-def]
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
