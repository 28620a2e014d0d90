"""What built-in strategies share: a label, the rules they play under, and the table of legal placements."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ofclab.rules import Rules

_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "int": int,
    "float": (int, float),
    "str": str,
    "bool": bool,
    "None": type(None),
}


@dataclass
class BuiltIn:
    """A strategy that fills batches in a kernel; its parameters are its fields.

    Raises TypeError for a value of another kind than its field.
    """

    def __post_init__(self) -> None:
        for field in fields(self):
            value, kinds = getattr(self, field.name), str(field.type).split(" | ")
            fits = any(isinstance(value, _KINDS.get(kind, object)) for kind in kinds)
            if not fits or (isinstance(value, bool) and "bool" not in kinds):
                raise TypeError(f"{field.name} = {value!r} is no {' or '.join(kinds)}")

    @property
    def label(self) -> str:
        """The name, with the parameters that differ from their defaults: ``cutoff_rows(front_max=5)``."""
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", type(self).__name__).lower()
        changed = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if getattr(self, f.name) != f.default]
        return f"{name}({', '.join(changed)})" if changed else name

    def prepare(self, rules: Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Take the value of Fantasyland, f8 (18,) by number of cards."""
        self._values = values_array(fantasyland_values)


def values_array(fantasyland_values: Mapping[int, float]) -> NDArray[np.float64]:
    """Points by number of Fantasyland cards, f8 (18,), 0 where none is given."""
    values = np.zeros(18)
    for cards, points in fantasyland_values.items():
        values[cards] = points
    return values


@lru_cache(maxsize=64)
def placement_table(deal: int, place: int, placed: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """All legal placements of `deal` cards, `place` of them kept, on boards with `placed` cards.

    Returns choices u8 (N, deal): a row or 3 (discarded) for each card, and start i64 (145,): the choices of a board
    with f, m, b open slots are start[36 f + 6 m + b] up to the next start.
    """
    every = [c for c in product(range(4), repeat=deal) if c.count(3) == deal - place]
    choices: list[tuple[int, ...]] = []
    start = np.zeros(145, np.int64)
    for state, free in enumerate(product(range(4), range(6), range(6))):
        start[state] = len(choices)
        if sum(free) == 13 - placed:
            choices += [c for c in every if all(c.count(row) <= free[row] for row in range(3))]
    start[144] = len(choices)
    return np.array(choices, np.uint8).reshape(-1, deal), start
