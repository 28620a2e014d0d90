"""Fantasyland settings against opponents: the search for the best ones, and what each wins, board by board."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels import scoring as k
from ofclab.kernels import tables as t
from ofclab.kernels.setter import make_work
from ofclab.kernels.setter_match import Kept, Match, search_settings
from ofclab.kernels.setter_search import NONE
from ofclab.rules.compiled import CompiledRules
from ofclab.scoring import BoardScores, read_codes, score_codes
from ofclab.solver.payoff import DIGITS, OpponentBoards, add_opponent, royalty_digits, won_and_lost

_WORD = 64
Masks = list[tuple[int, int, int]]
"""The cards of front, middle and back of each setting, bit i = the i-th card of the hand."""


def search(
    hand: Sequence[int], compiled: CompiledRules, opponents: Sequence[OpponentBoards], keep: int
) -> tuple[Masks, Masks]:
    """The best legal settings of 13 to 17 cards that stay in Fantasyland, and the best that do not, up to `keep` each.

    Best is the sum of the points won from every opponent over his boards: rows, bonuses and royalties, without what a
    stay is worth. All settings are searched; of settings with the same row codes one is kept. ``opponents``: the same
    number of boards each.
    """
    match = _match(compiled, opponents)
    work = make_work(sum(card >= 52 for card in hand), int(compiled.switches[k.MAY_COPY]))
    cards = np.zeros(17, np.uint8)
    cards[: len(hand)] = list(hand)
    staying, leaving = (
        Kept(np.full(keep, NONE, np.int64), np.zeros((keep, 3), np.int64), np.zeros((keep, 3), np.uint64))
        for _ in range(2)
    )
    chosen = tuple(np.empty_like(wide) for wide in (work.wide_fronts, work.wide_middles, work.wide_backs))
    valid = sum(int((~other.fouled).sum()) for other in opponents)
    search_settings(
        match, work, cards, len(hand), valid, chosen, np.zeros((2, t.N_CODES), np.int64), staying, leaving
    )  # fmt: skip
    first, second = (
        [(int(f), int(m), int(b)) for (f, m, b), worth in zip(kept.entries, kept.worths, strict=True) if worth != NONE]
        for kept in (staying, leaving)
    )
    return first, second


def _match(compiled: CompiledRules, opponents: Sequence[OpponentBoards]) -> Match:
    """Rules and opponents as the tables the search reads; points are whole, so the sums are exact."""
    s, n = compiled.switches, t.N_CODES
    words = -(-max((len(other.codes) for other in opponents), default=1) // _WORD)
    own, sums = compiled.paid.astype(np.float64), np.zeros((3, n))
    masks = np.zeros((len(opponents), 6, n, words), np.uint64)
    planes = np.zeros((len(opponents), words, DIGITS), np.uint64)
    by_pair = int(s[k.ROYALTY_MODE]) == k.MODE_PAIR_WINNER
    most_royalties = np.zeros((3, n))
    for i, other in enumerate(opponents):
        for word in range(words):
            part = other.part(slice(word * _WORD, (word + 1) * _WORD))
            masks[i, :, :, word] = won_and_lost(part, n)
            planes[i, word] = royalty_digits(part)
            add_opponent(sums, own, masks[i, :3, :, word], masks[i, 3:, :, word], part, s)
        most_royalties += own * by_pair * (~other.fouled).sum()
    rows = np.rint(sums).astype(np.int64)
    most = rows + np.rint(most_royalties).astype(np.int64)
    order = np.empty((3, n), np.uint16)
    for row in range(3):
        order[row, np.argsort(most[row], kind="stable")] = np.arange(n)
    together = np.array([s[k.SWEEP_BONUS], s[k.MAJORITY_BONUS], by_pair], np.int64)
    return Match(
        rows, most, order, masks, together, compiled.paid.astype(np.int64), planes, compiled.stay, s, compiled.cross
    )


def boards_of(hand: Sequence[int], settings: Masks) -> NDArray[np.uint8]:
    """Settings as boards u8 (n, 13): front 3, middle 5, back 5."""
    return np.array(
        [[card for mask in masks for i, card in enumerate(hand) if mask >> i & 1] for masks in settings], np.uint8
    ).reshape(-1, 13)


def against(
    boards: NDArray[np.uint8], cards: int, compiled: CompiledRules, other: OpponentBoards
) -> tuple[BoardScores, NDArray[np.int32]]:
    """Own boards (n, 13), set from so many Fantasyland cards, against each of an opponent's m boards.

    Returns the scores of n m pairs, and the pairs i32 (n, m, 6) as in `BoardScores`: rows, base, royalties, total.
    """
    n, m = len(boards), len(other.codes)
    codes = np.empty((n, m, 2, 3), np.uint16)
    codes[:, :, 0] = read_codes(boards, compiled)[:, None]
    codes[:, :, 1] = other.codes
    came_in = np.zeros((n * m, 2), np.uint8)
    came_in[:, 0] = cards
    scored = score_codes(codes.reshape(-1, 2, 3), compiled, came_in)
    return scored, scored.pairs[:, 0].reshape(n, m, 6)
