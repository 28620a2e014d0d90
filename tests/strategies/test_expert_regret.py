"""What Expert loses on street 3, by the sum over both streets to come: the table of docs/reference/expert.md."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

import ofclab as ofc
from ofclab.engine import DEFAULT_FANTASYLAND_VALUES
from ofclab.kernels import expert_play
from ofclab.kernels.judge import GRAIN, make_work
from ofclab.kernels.tails import two_streets
from ofclab.rules.compiled import compile_rules
from ofclab.strategies import get
from ofclab.strategies.base import placement_table, values_array
from ofclab.strategies.expert import Expert
from ofclab.strategies.expert_choice import find_weights
from ofclab.strategies.expert_payoff import NORMAL, row_payoff, worth_against

RULES = ofc.load_rules("american-pineapple")
EMPTY = 255


class Watched(Expert):
    """Expert that keeps the spots of street 3."""

    def place(self, spots: ofc.Spots) -> np.ndarray:
        if spots.street == 3:
            KEPT.append(spots)
        return super().place(spots)


KEPT: list[ofc.Spots] = []


@pytest.mark.slow
@pytest.mark.parametrize(("level", "most"), [("fast", 0.10), ("standard", 0.10), ("deep", 0.02)])
def test_regret_on_street_3(level: str, most: float, capsys: pytest.CaptureFixture[str]) -> None:
    KEPT.clear()
    watched = Watched("fast")
    list(ofc.play(RULES, [watched, watched], range(150), 1, 909))
    player = get(f"expert({level})")
    player.prepare(RULES, DEFAULT_FANTASYLAND_VALUES)
    compiled, weights = compile_rules(RULES), find_weights(RULES, 2).weights
    pay, unit = row_payoff(
        compiled, values_array(DEFAULT_FANTASYLAND_VALUES), [worth_against(compiled, weights.field, NORMAL)]
    )
    choices, start = placement_table(3, 2, 7)
    work, regrets = make_work(), []
    for spots in KEPT:
        picked = player.place(spots)
        for i in range(len(spots)):
            unseen = np.empty(54, np.uint8)
            n = expert_play.list_unseen(
                spots.board[i], spots.dealt[i], spots.discards[i], spots.opponents[i], spots.opponents_discards[i],
                52, unseen,
            )  # fmt: skip
            front, middle, back = (int((spots.board[i, a:b] == EMPTY).sum()) for a, b in ((0, 3), (3, 8), (8, 13)))
            shape = 36 * front + 6 * middle + back
            worth = {}
            for choice in choices[start[shape] : start[shape + 1]]:
                board = np.empty(13, np.uint8)
                expert_play.put_dealt(spots.board[i], spots.dealt[i], choice, board)
                total = two_streets(board, unseen[:n], 0, False, pay, work)
                worth[tuple(choice)] = total / GRAIN / unit / comb(n, 3) / comb(n - 3, 3)
            regrets.append(max(worth.values()) - worth[tuple(picked[i])])
    lost = np.array(regrets)
    with capsys.disabled():
        half = 1.96 * lost.std() / len(lost) ** 0.5
        print(f"\nexpert({level}): regret {lost.mean():.3f} +-{half:.3f}, {len(lost)} spots")
    assert len(lost) == 300
    assert lost.mean() <= most
