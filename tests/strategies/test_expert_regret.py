"""What Expert loses on streets 1 to 3: the tables of docs/reference/expert.md.

On street 3 the judge is the sum over both streets to come. On streets 1 and 2 it is a referee: the best few of the net
on the same futures, each played on by nets and ended by the exact street 4. Half of the futures choose the best, the
other half measure it, and the other way round, so that the referee's own error is in the interval.
"""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

import ofclab as ofc
from ofclab.engine import DEFAULT_FANTASYLAND_VALUES
from ofclab.kernels import expert_net, expert_play, expert_rollouts, rng
from ofclab.kernels.expert_features import chance_table
from ofclab.kernels.judge import GRAIN, make_work
from ofclab.kernels.tails import two_streets
from ofclab.rules.compiled import compile_rules
from ofclab.strategies import get
from ofclab.strategies.base import placement_table, values_array
from ofclab.strategies.expert import Expert
from ofclab.strategies.expert_choice import find_weights
from ofclab.strategies.expert_payoff import NORMAL, row_payoff, worth_against
from ofclab.strategies.expert_streets import streets_of
from ofclab.strategies.expert_weights import Weights, load_shipped

RULES = ofc.load_rules("american-pineapple")
COMPILED = compile_rules(RULES)
WEIGHTS = find_weights(RULES, 2).weights
PAY, UNIT = row_payoff(COMPILED, values_array(WEIGHTS.values), [worth_against(COMPILED, WEIGHTS.field, NORMAL)])
STREETS = streets_of(RULES)
assert STREETS is not None
EMPTY = 255
FUTURES, BEST, MARGIN = 3000, 6, 2.0

Picks = NDArray[np.int64]


def spots_on(street: int, tables: int, seed: int, rules: ofc.Rules = RULES) -> list[ofc.Spots]:
    """The spots of a street of Expert's play against itself."""
    kept: list[ofc.Spots] = []

    class Watched(Expert):
        def place(self, spots: ofc.Spots) -> np.ndarray:
            if spots.street == street:
                kept.append(spots)
            return super().place(spots)

    watched = Watched("fast")
    list(ofc.play(rules, [watched, watched], range(tables), 1, seed))
    return kept


def unseen_of(spots: ofc.Spots, i: int) -> NDArray[np.uint8]:
    unseen = np.empty(54, np.uint8)
    n = expert_play.list_unseen(
        spots.board[i], spots.dealt[i], spots.discards[i], spots.opponents[i], spots.opponents_discards[i],
        52 + spots.rules.deck.jokers, unseen,
    )  # fmt: skip
    return unseen[:n]


def state_of(board: NDArray[np.uint8]) -> int:
    front, middle, back = (int((board[a:b] == EMPTY).sum()) for a, b in ((0, 3), (3, 8), (8, 13)))
    return 36 * front + 6 * middle + back


def told(capsys: pytest.CaptureFixture[str], name: str, lost: NDArray[np.float64]) -> None:
    with capsys.disabled():
        half = 1.96 * lost.std(ddof=1) / len(lost) ** 0.5
        print(f"\n{name}: regret {lost.mean():.3f} +-{half:.3f}, {len(lost)} spots")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "tables", "level", "most"),
    [
        ("american-pineapple", 150, "fast", 0.10), ("american-pineapple", 150, "standard", 0.10),
        ("american-pineapple", 150, "deep", 0.02), ("joker-progressive", 100, "fast", 0.25),
        ("joker-progressive", 100, "deep", 0.02),
    ],
)  # fmt: skip
def test_regret_on_street_3(
    preset: str, tables: int, level: str, most: float, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, weights, player = ofc.load_rules(preset), load_shipped(preset), get(f"expert({level})")
    player.prepare(rules, DEFAULT_FANTASYLAND_VALUES)
    compiled, jokers = compile_rules(rules), rules.deck.jokers > 0
    field = [worth_against(compiled, weights.field, NORMAL)]
    pay, unit = row_payoff(compiled, values_array(weights.values), field)
    choices, start = placement_table(3, 2, 7)
    work, regrets = make_work(), []
    for spots in spots_on(3, tables, 909, rules):
        picked = player.place(spots)
        for i in range(len(spots)):
            unseen, state, worth = unseen_of(spots, i), state_of(spots.board[i]), {}
            n = len(unseen)
            for choice in choices[start[state] : start[state + 1]]:
                board = np.empty(13, np.uint8)
                expert_play.put_dealt(spots.board[i], spots.dealt[i], choice, board)
                total = two_streets(board, unseen, jokers, False, pay, work)
                worth[tuple(choice)] = total / GRAIN / unit / comb(n, 3) / comb(n - 3, 3)
            regrets.append(max(worth.values()) - worth[tuple(picked[i])])
    lost = np.array(regrets)
    told(capsys, f"street 3, {preset}, expert({level})", lost)
    assert len(lost) == 2 * tables
    assert lost.mean() <= most


class Referee:
    """The net's best few of a spot, and what they are worth on common futures under a continuation policy."""

    def __init__(self, policy: Weights) -> None:
        self.policy, self.scratch, self.work = policy, expert_net.make_scratch(policy.nets), make_work()

    def best_few(self, spots: ofc.Spots, i: int, unseen: NDArray[np.uint8]) -> Picks:
        """Rows of the street's choices, the choice of WEIGHTS first."""
        street, state, n = spots.street, state_of(spots.board[i]), len(unseen)
        first, last = STREETS.start[street - 1, state : state + 2].tolist()
        scratch, values = expert_net.make_scratch(WEIGHTS.nets), np.zeros(256, np.float32)
        expert_net.look_at(unseen, n, scratch)
        expert_net.value_placements(
            spots.board[i], spots.dealt[i], STREETS.sets, first, last, last - first, street,
            chance_table()[n, STREETS.to_come[street - 1]], WEIGHTS.nets, scratch, values,
        )  # fmt: skip
        picks, scores = np.empty(BEST, np.int64), np.empty(BEST, np.float32)
        found = expert_rollouts.nearest_best(values, last - first, BEST, np.float32(MARGIN), picks, scores)
        return picks[:found] + first

    def worths(self, spots: ofc.Spots, i: int, unseen: NDArray[np.uint8], picks: Picks) -> NDArray[np.float64]:
        """Points f8 (picks, futures)."""
        street, deck = spots.street, np.empty(54, np.uint8)
        board, spare = np.empty(13, np.uint8), np.empty(13, np.uint8)
        before, after = expert_rollouts.count_turns(
            spots.opponents[i], spots.opponents_fantasyland[i], STREETS.placed[street - 1]
        )
        found, values = np.empty((len(picks), FUTURES)), np.empty(256, np.float32)
        for future in range(FUTURES):
            key = np.uint64(rng.stream(spots.keys[i], future, 1, 1))
            for a, pick in enumerate(picks.tolist()):
                deck[: len(unseen)] = unseen
                expert_play.put_dealt(spots.board[i], spots.dealt[i], STREETS.choices[pick], board)
                found[a, future] = expert_play.play_on(
                    key, board, deck, len(unseen), street, 4, before, after, STREETS, chance_table(),
                    self.policy.nets, self.scratch, PAY, UNIT, self.work, values, spare,
                )  # fmt: skip
        return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "street", "most"), [("fast", 1, 0.25), ("fast", 2, 0.15), ("deep", 1, 0.25), ("deep", 2, 0.15)]
)
def test_regret_by_a_referee(level: str, street: int, most: float, capsys: pytest.CaptureFixture[str]) -> None:
    player = get(f"expert({level})")
    player.prepare(RULES, DEFAULT_FANTASYLAND_VALUES)
    played = [(spots, player.place(spots)) for spots in spots_on(street, 15, 404)]
    for policy in ("american-pineapple", "progressive-pineapple"):
        referee, regrets = Referee(load_shipped(policy)), []
        for spots, picked in played:
            for i in range(len(spots)):
                unseen = unseen_of(spots, i)
                picks = referee.best_few(spots, i, unseen)
                # Padded with the mark of a discard where a street deals fewer than five cards.
                mine = np.concatenate((picked[i], np.full(5 - len(picked[i]), 3, np.uint8)))
                (here,) = [a for a, pick in enumerate(picks) if (STREETS.choices[pick] == mine).all()]
                worths = referee.worths(spots, i, unseen, picks)
                half = FUTURES // 2
                one, other = worths[:, :half].mean(axis=1), worths[:, half:].mean(axis=1)
                regrets.append(((other[one.argmax()] - other[here]) + (one[other.argmax()] - one[here])) / 2)
        lost = np.array(regrets)
        told(capsys, f"street {street}, expert({level}), {policy} plays on", lost)
        assert len(lost) == 30
        assert lost.mean() <= most
