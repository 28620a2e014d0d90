"""Judge how a Fantasyland hand was set: exactly, against the best setting."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ofclab.board import Board, Placement, Row
from ofclab.reviews.judge import Judgement
from ofclab.reviews.spots import Decision
from ofclab.rules.compiled import compile_rules
from ofclab.scoring import read_codes, score_codes
from ofclab.solver.fantasyland import set_fantasyland

_SAME = 1e-6
"""Points by which two settings of equal value may differ in arithmetic."""


def judge_fantasyland(decision: Decision, values: Mapping[int, float]) -> Judgement:
    """Value of what was set and of the best setting: royalties from every opponent and the worth of a stay.

    A foul costs the penalty to every opponent. Rows are not counted: nobody sees the others' when he sets.
    """
    rules, others = decision.rules, max(1, decision.opponents)
    stay = rules.fantasyland.stay_cards
    worth = values.get(decision.fantasyland if stay == "same" else int(stay), 0.0)
    best = set_fantasyland(decision.dealt, rules, worth / others)
    foul = -float(rules.foul.penalty) * others
    ev_best = foul if best.fouled else best.value * others
    compiled = compile_rules(rules)
    board = Board().place(decision.played)
    codes = read_codes(np.array([board.cards], np.uint8), compiled)
    scored = score_codes(codes[:, None], compiled, np.array([[decision.fantasyland]], np.uint8))
    fouled, stays = bool(scored.fouled[0, 0]), bool(scored.next_fantasyland[0, 0])
    royalties = int(scored.royalties.sum()) if rules.royalties.mode != "off" else 0
    ev_played = foul if fouled else royalties * others + worth * stays
    is_best = ev_best - ev_played <= _SAME
    rows = tuple((card, row) for row in Row for card in best.board.row(row))
    return Judgement(
        decision.played if is_best else Placement(rows, best.discards), is_best, ev_played,
        0.0 if is_best else ev_best - ev_played, 0.0, 0.0, 0.0, float(fouled), float(best.fouled), float(stays),
        float(best.stays), True, 0, 0,
    )  # fmt: skip
