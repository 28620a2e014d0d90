"""Compile every kernel once, group by group, and say how long each group takes."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from ofclab.bench.spots import boards, compiled, pineapple
from ofclab.engine.warmup import warm_up
from ofclab.kernels import rescore
from ofclab.kernels.rowstate import rank_fives, rank_fronts
from ofclab.rules import load_rules
from ofclab.scoring import read_codes
from ofclab.strategies import get, names

Group = tuple[str, Callable[[], object]]


def _ranks() -> None:
    hands = boards(1)[:, 0, 3:8]
    rank_fives(hands)
    rank_fronts(hands[:, :3])


def _rescoring() -> None:
    rules = compiled()
    tables = rescore.rescore_tables(rules.royalty, rules.switches, rules.cross)
    rescore.rescore_codes(np.ascontiguousarray(read_codes(boards(1), rules).transpose(1, 2, 0)), tables)
    rescore.rescore_boards(boards(1), tables)


def _log() -> None:
    from ofclab.runs import simulate

    with tempfile.TemporaryDirectory() as folder:
        run = simulate(pineapple(), ["random_legal"] * 2, 1, 8, 1, Path(folder, "log"))
        run.log.results().select("foul_street").collect()


def _strategies() -> None:
    for name in names():
        warm_up(pineapple(), [get(name), get(name)])


def _jokers() -> None:
    warm_up(load_rules("joker-progressive"))


def _solver() -> None:
    from ofclab.solver.evaluate import evaluate_spot

    seen = "7c Ks / 2s 3c 3h / 4d 8d Qd Jd"
    evaluate_spot(f"{seen} dealt: Tc 5d 2h discards: Th 7s", pineapple(), samples=1)
    evaluate_spot(f"{seen} dealt: Tc 5d 2h discards: Th 7s", pineapple(), samples=1, exact=False)


GROUPS: tuple[Group, ...] = (
    ("ranks", _ranks),
    ("engine", lambda: warm_up(pineapple())),
    ("jokers", _jokers),
    ("re-scoring", _rescoring),
    ("log", _log),
    ("strategies", _strategies),
    ("solver", _solver),
)
"""What is compiled, in order; a later group finds done what it shares with an earlier one."""


def warm_up_everything() -> Iterator[tuple[str, float]]:
    """Compile or load every kernel; yields each group with its CPU seconds as it is done."""
    for name, call in GROUPS:
        begun = time.process_time()
        call()
        yield name, time.process_time() - begun
