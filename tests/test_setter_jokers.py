"""The Fantasyland setter finds the best setting of hands with jokers, however they read."""

from typing import Any

import numpy as np
import pytest
from settings_brute import FALLING, POINT, PREFIX, STRICT, best_of_all_boards, deal, solve

import ofclab as ofc
from ofclab.rules.compiled import compile_rules
from ofclab.solver.fantasyland import set_fantasyland

JOKERS = ofc.load_rules("joker-progressive")
LOW_JOKERS = {
    "ranking.middle": "2-7",
    "royalties.middle_low": {"75432": 8, "7-low": 4, "8-low": 2, "9-low": 1},
    "royalties.middle": None,
    "foul.low_middle_worst": "T",
}
JOKER_KINDS: dict[str, dict[str, Any]] = {
    "high": {},
    "low": LOW_JOKERS,
    "strict": STRICT | PREFIX,
    "five of a kind": {"jokers.five_of_a_kind": True, "royalties.back.five_of_a_kind": 40},
    "falling": FALLING,
}
COPIES, READINGS = ("none", "other_row", "any"), ("strongest_legal", "strongest")


def same_as_all_boards(copy: str, reading: str, kind: str, n: int, hands: int) -> None:
    """The setter's joker hands are the best among all boards as the scorer reads them."""
    changes = {"jokers.may_copy": copy, "jokers.reading": reading, **JOKER_KINDS[kind]}
    compiled = compile_rules(JOKERS.replace(changes))
    rng = np.random.default_rng([n, *f"{copy} {reading} {kind}".encode()])
    for jokers in (1, 2):
        cards = deal(rng, hands, n, jokers)
        for bonus in (6 * POINT, -3 * POINT) if hands > 1 else (6 * POINT,):
            best, stays, legal = solve(cards, n, compiled, bonus)
            for i, hand in enumerate(cards[:, :n]):
                want = best_of_all_boards(hand, compiled, bonus)
                assert (best[i], stays[i], legal[i]) == want, ofc.format_cards(hand)


@pytest.mark.parametrize("kind", JOKER_KINDS)
@pytest.mark.parametrize("copy", COPIES)
@pytest.mark.parametrize("reading", READINGS)
def test_nothing_beats_it_with_jokers(copy: str, reading: str, kind: str) -> None:
    same_as_all_boards(copy, reading, kind, 13, 1)


@pytest.mark.parametrize("reading", READINGS)
def test_a_joker_may_read_as_a_discard(reading: str) -> None:
    same_as_all_boards("none", reading, "high", 14, 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", JOKER_KINDS)
@pytest.mark.parametrize("copy", COPIES)
@pytest.mark.parametrize("reading", READINGS)
def test_nothing_beats_it_with_many_jokers(copy: str, reading: str, kind: str) -> None:
    same_as_all_boards(copy, reading, kind, 13, 10)
    same_as_all_boards(copy, reading, kind, 14, 2)


def test_jokers_are_read_as_the_rules_say() -> None:
    setting = set_fantasyland("X1 X2 3c Kh 4d Th 3d Qc Jh As Ac Ks Kc", JOKERS, stay_value=10)
    seat = ofc.score([setting.board, setting.board], JOKERS, fantasyland=[13, 13]).seats[0]
    assert (setting.royalties, setting.stays) == (seat.royalties.total, seat.next_fantasyland > 0) == (34, True)
    assert setting.value == 44
