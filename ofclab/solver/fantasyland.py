"""Set a Fantasyland hand exactly: for royalties and a stay alone, or for the points it wins from opponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofclab.board import Board
from ofclab.cards import DECK, Card, CardError, Cards, format_cards, parse_cards, require_distinct
from ofclab.kernels.scoring import STAY_CARDS
from ofclab.kernels.setter import set_hands_batch, setter_tables
from ofclab.kernels.setter_search import SetterTables
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules
from ofclab.scoring import read_codes, score_codes
from ofclab.solver.evaluate import fantasyland_points
from ofclab.solver.setting import FantasylandSetting, SettingOption
from ofclab.solver.showdown import QUICK, Showdown

_POINT = 1_000_000
"""The setter works in whole millionths of a point."""
_MOST_STAY_VALUE = 1_000_000_000


@lru_cache(maxsize=64)
def _tables(rules: Rules) -> SetterTables:
    compiled = compile_rules(rules)
    return setter_tables(compiled.paid.astype(np.int64) * _POINT, compiled.stay, compiled.switches, compiled.cross)


def _hand(cards: Cards, rules: Rules) -> tuple[Card, ...]:
    hand = parse_cards(cards)
    if not 13 <= len(hand) <= 17:
        raise CardError(f"a Fantasyland hand has 13 to 17 cards, got {len(hand)}: {format_cards(hand)}")
    require_distinct(hand, "the hand")
    for card in hand:
        if card >= DECK + rules.deck.jokers:
            jokers = {0: "no jokers", 1: "the joker X1", 2: "the jokers X1 and X2"}[rules.deck.jokers]
            raise CardError(f"{card} is not in the deck of {rules.name or 'these rules'}: 52 cards and {jokers}")
    return hand


def set_fantasyland(
    cards: Cards,
    rules: Rules,
    stay_value: float | None = None,
    opponents: Board | str | Sequence[Board | str] = (),
    seats: int | None = None,
    fantasyland_values: float | Mapping[int, float] | None = None,
    policy: Any = QUICK,
    samples: int = 1000,
    seed: int = 0,
    dead: Cards = (),
) -> FantasylandSetting:
    """Find the legal setting of 13 to 17 cards with the greatest value.

    Alone: royalties, plus ``stay_value`` where it stays. Exact under any rules: house royalties (worth nothing where
    they are off), strict rows, 2-7 middle, jokers as the rules read them.

    Against opponents: the points won from each (rows, bonuses, royalties as the rules pay them), plus ``stay_value``.
    ``opponents``: the boards of the others from the player's left, complete or not, or ``Fantasyland 14`` for a hidden
    hand of so many cards; ``seats``: players at the table, those left out of ``opponents`` have placed nothing. Against
    complete boards the best of all settings is exact. Others are completed from the unseen cards by ``policy`` (a
    strategy's name or object; Fantasyland hands are set exactly): all settings are searched against some completions,
    and the best ones compared on ``samples`` others, the same for all of them. The same ``seed`` gives the same answer.
    ``dead``: other cards the player has seen.

    ``stay_value`` is in points, good to a millionth; a stay counts as announced. None: 0 alone, unless
    ``fantasyland_values`` (points, one number or by number of cards) are given; against opponents their value for the
    cards of the next hand, the defaults where they are not given. Of settings of equal value one that stays is taken.
    Raises CardError for another number of cards, a repeated card or one that the rules' deck has not, SpotError or
    BoardError for opponents that cannot be, and ValueError for a ``stay_value`` that is no number within a thousand
    million points.

    >>> from ofclab.rules import load_rules
    >>> rules, hand = load_rules("american-pineapple"), "Ah Qd 3c Kh 4d Th 3d Qc Jh 5s 4s 9s 8h 7d"
    >>> set_fantasyland(hand, rules).royalties
    11
    >>> set_fantasyland(hand, rules, opponents="Ks Kd 9h / 6c 6h 6s 2c 2d / As Ad Ac 5h 5d").points
    -21.0
    """
    hand = _hand(cards, rules)
    others = [opponents] if isinstance(opponents, (Board, str)) else list(opponents)
    alone = not others and seats in (None, 1)
    sizes, worth = fantasyland_points(fantasyland_values, rules, seats or 1 + len(others)), stay_value
    if worth is None:
        worth = 0.0 if alone and fantasyland_values is None else sizes[_next_cards(len(hand), rules)]
    if not isfinite(worth) or abs(worth) > _MOST_STAY_VALUE:
        raise ValueError(f"want a stay value in points, at most {_MOST_STAY_VALUE:,} either way, got {worth}")
    if alone:
        return _alone(hand, rules, float(worth))
    showdown = Showdown(hand, rules, others, seats, parse_cards(dead), sizes)
    return showdown.answer(float(worth), policy, samples, seed)


def _next_cards(cards: int, rules: Rules) -> int:
    """Cards of the Fantasyland hand that a stay earns."""
    return int(compile_rules(rules).switches[STAY_CARDS]) or cards


def _alone(hand: tuple[Card, ...], rules: Rules, stay_value: float) -> FantasylandSetting:
    """The setting with the most royalties and the worth of a stay, and the best that stays and does not."""
    bonus = round(stay_value * _POINT)
    bonuses = [bonus, _MOST_STAY_VALUE * _POINT, -_MOST_STAY_VALUE * _POINT]
    dealt = np.zeros((3, 17), np.uint8)
    dealt[:, : len(hand)] = hand
    masks, _, _ = set_hands_batch(dealt, np.full(3, len(hand), np.uint8), _tables(rules), np.array(bonuses, np.int64))
    found = _options(hand, masks, rules, stay_value)
    best = found[0]
    rest = [option for option in found[1:] if option.stays != best.stays and not option.fouled]
    candidates = (best, *(_after(option, best) for option in rest[:1]))
    return FantasylandSetting.of(
        candidates, stay_value, "Exact: every setting is searched; the opponents play no part."
    )


def _after(option: SettingOption, best: SettingOption) -> SettingOption:
    return SettingOption(
        option.board, option.discards, option.royalties, option.stays, option.fouled, option.points, option.value,
        loss=best.value - option.value,
    )  # fmt: skip


def _options(
    hand: tuple[Card, ...], masks: NDArray[np.uint32], rules: Rules, stay_value: float
) -> list[SettingOption]:  # fmt: skip
    """Settings by the cards of their rows, u32 (n, 3), scored."""
    compiled, n = compile_rules(rules), len(masks)
    boards = [Board(*(tuple(c for i, c in enumerate(hand) if int(m) >> i & 1) for m in rows)) for rows in masks]
    codes = read_codes(np.array([board.cards for board in boards], np.uint8), compiled)
    scored = score_codes(codes[:, None], compiled, np.full((n, 1), len(hand), np.uint8))
    paid, options = rules.royalties.mode != "off", []
    for i, board in enumerate(boards):
        royalties, stays = int(scored.royalties[i].sum()), bool(scored.next_fantasyland[i, 0])
        points = float(royalties * paid)
        options.append(
            SettingOption(
                board, tuple(c for c in hand if c not in board.cards), royalties, stays, bool(scored.fouled[i, 0]),
                points, points + (stay_value if stays else 0.0),
            )
        )  # fmt: skip
    return options
