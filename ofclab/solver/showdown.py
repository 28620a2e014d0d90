"""A Fantasyland hand against opponents: their boards, the settings worth comparing, and the comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ofclab.board import Board
from ofclab.cards import Card
from ofclab.kernels import scoring as k
from ofclab.rules import Rules
from ofclab.rules.compiled import compile_rules
from ofclab.scoring import read_codes, score_codes
from ofclab.solver.opponents import Opponents, are_known
from ofclab.solver.payoff import OpponentBoards
from ofclab.solver.sampling import standard_error
from ofclab.solver.setting import Against, FantasylandSetting, SettingOption
from ofclab.solver.settings import against, boards_of, search
from ofclab.spot import Spot, read_opponent
from ofclab.strategies import get

QUICK = "hindsight(samples=2)"
"""The strategy that completes opponents' boards unless another is named."""
_SEARCHED = 256
"""Completions that all settings are searched against."""
_KEPT = 16
"""Settings that stay, and that do not, which are compared at the end."""
_KEPT_EXACTLY = 8
_SHUFFLES = 500


class Showdown:
    """A Fantasyland hand, the rules, and who sits across: boards in the order of the table from the player's left."""

    def __init__(
        self, hand: tuple[Card, ...], rules: Rules, opponents: Sequence[Board | str], seats: int | None,
        dead: Sequence[Card], values: Mapping[int, float],
    ) -> None:  # fmt: skip
        read = [(other, 0) if isinstance(other, Board) else read_opponent(other) for other in opponents]
        seats = max(1 + len(read), seats or 1)
        self.spot = Spot(
            dealt=hand, seats=seats, position=seats, opponents=tuple(board for board, _ in read),
            opponents_fantasyland=tuple(cards for _, cards in read), dead=tuple(dead),
        )  # fmt: skip
        self.spot.check_table(rules)
        self.hand, self.rules, self.values, self.compiled = hand, rules, values, compile_rules(rules)

    def answer(self, stay_value: float, policy: Any, samples: int, seed: int) -> FantasylandSetting:
        """The best setting, exact against complete boards, with those it was compared with."""
        if samples < 2:
            raise ValueError(f"want at least 2 samples, got {samples}")
        strategy = get(policy)
        strategy.prepare(self.rules, self.values)
        opponents = Opponents(self.spot, self.rules, strategy, self.values, len(self.hand))
        if are_known(self.spot):
            searched = final = opponents.known()
            keep, how = _KEPT_EXACTLY, "Exact: every setting is searched against these boards."
        else:
            searched = opponents.sample(_SEARCHED, np.random.default_rng([seed, 0]))
            final, keep = opponents.sample(samples, np.random.default_rng([seed, 1])), _KEPT
            how = (
                f"Sampled: opponents' boards are completed from the unseen cards by {strategy.label}, Fantasyland "
                f"hands set exactly; every setting is searched against {_SEARCHED} completions, the best {keep} that "
                f"stay and {keep} that do not are compared on {samples:,} others."
            )
        staying, leaving = search(self.hand, self.compiled, searched, keep)
        boards = boards_of(self.hand, staying + leaving)
        compared = np.concatenate((boards, self._fouled(with_all=not len(boards))))
        options = self._compare(compared, final, stay_value)
        # A foul is an answer where the rules make it the best one, or the cards leave no other.
        chosen = [option for option in options if options[0].fouled or not option.fouled]
        return FantasylandSetting.of(tuple(chosen), stay_value, how)

    def _fouled(self, with_all: bool) -> NDArray[np.uint8]:
        """A setting that fouls u8 (1, 13), or (0, 13) where none is at hand: rules may make one the best.

        ``with_all``: every setting fouls, so the first 13 cards go back, middle, front as they come.
        """
        hand = np.array(self.hand, np.uint8)
        if with_all:
            return hand[None, [10, 11, 12, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4]]
        random = np.random.default_rng(0)
        tries = np.stack([random.permutation(hand)[:13] for _ in range(_SHUFFLES)])
        scored = score_codes(
            read_codes(tries, self.compiled)[:, None], self.compiled, np.zeros((_SHUFFLES, 1), np.uint8)
        )
        return tries[scored.fouled[:, 0]][:1]

    def _compare(
        self, boards: NDArray[np.uint8], others: Sequence[OpponentBoards], stay_value: float
    ) -> list[SettingOption]:  # fmt: skip
        """Boards u8 (n, 13) as options, best first, on the same boards of the opponents."""
        cards, n = len(self.hand), len(boards)
        met = [against(boards, cards, self.compiled, other) for other in others]
        points = np.sum([pairs[:, :, 5] for _, pairs in met], axis=0).astype(np.float64)
        first = met[0][0]
        samples = points.shape[1]
        royalties = first.royalties[::samples, 0].sum(axis=1)
        stays, fouled = first.next_fantasyland[::samples, 0] > 0, first.fouled[::samples, 0]
        means = points.mean(axis=1)
        values = means + stay_value * stays
        order = np.lexsort((np.arange(n), ~stays, -values))
        best, spread = order[0], float(points.max() - points.min())
        weight = np.ones(samples)
        options = []
        for i in order.tolist():
            board = Board(*(tuple(map(Card, boards[i, part].tolist())) for part in (_FRONT, _MIDDLE, _BACK)))
            gap = points[best] - points[i]
            options.append(
                SettingOption(
                    board, tuple(card for card in self.hand if card not in board.cards), int(royalties[i]),
                    bool(stays[i]), bool(fouled[i]), float(means[i]), float(values[i]),
                    standard_error(points[i], weight, spread) if samples > 1 else 0.0,
                    float(values[best] - values[i]),
                    standard_error(gap, weight, spread) if samples > 1 and i != best else 0.0,
                    tuple(
                        self._against(number, bool(fouled[i]), pairs[i], other)
                        for number, ((_, pairs), other) in enumerate(zip(met, others, strict=True))
                    ),
                )
            )  # fmt: skip
        return options

    def _against(self, number: int, fouled: bool, pairs: NDArray[np.int32], other: OpponentBoards) -> Against:
        """Means over an opponent's boards of the pairs i32 (m, 6)."""
        board, came_in = self.spot.opponents[number], self.spot.opponents_fantasyland[number]
        name = f"Fantasyland {came_in}" if came_in else str(board) if board.cards else f"opponent {number + 1}"
        legal = ~other.fouled & (not fouled)
        rows = pairs[:, :3]
        by_rows = np.where(legal, self.compiled.switches[k.PER_ROW] * rows.sum(axis=1), pairs[:, 3])
        scooped = legal & (np.abs(rows.sum(axis=1)) == 3)
        front, middle, back = (rows == 1).mean(axis=0).tolist()
        ties = (rows == 0).mean(axis=0).tolist()
        return Against(
            name, float(pairs[:, 5].mean()), float(by_rows.mean()), float((pairs[:, 3] - by_rows).mean()),
            float(pairs[:, 4].mean()), (front, middle, back), (ties[0], ties[1], ties[2]),
            float((scooped & (rows[:, 0] == 1)).mean()), float((scooped & (rows[:, 0] == -1)).mean()),
            float(other.fouled.mean()),
        )  # fmt: skip


_FRONT, _MIDDLE, _BACK = slice(0, 3), slice(3, 8), slice(8, 13)
