"""Players that slow a run down, fail, or bring their worker down; importable by worker processes."""

import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ofclab.board import Placement
from ofclab.engine import Spots, View
from ofclab.kernels.placement import decision_keys
from ofclab.rules import Rules
from ofclab.strategies.random_legal import RandomLegal


@dataclass
class Player(RandomLegal):
    """Plays like random_legal; ``folder`` holds the files that tell it to misbehave, and is no part of its label."""

    folder: str = field(default="", repr=False)

    @property
    def label(self) -> str:
        return type(self).__name__.lower()

    def is_told(self, word: str) -> bool:
        return bool(self.folder) and Path(self.folder, word).exists()


def is_last_part(spots: Spots) -> bool:
    """Tell whether the first decision of table 80 of seed 3 is among these: the last part of the runs under test."""
    key = np.empty(1, np.uint64)
    decision_keys(np.uint64(3), np.array([80], np.uint64), 0, 0, 1, key)
    return bool((spots.keys == key[0]).any())


@dataclass
class Slow(Player):
    """Takes its time while the file ``slow`` exists."""

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        if self.is_told("slow"):
            time.sleep(0.005)
        return super().place(spots)


@dataclass
class Mortal(Player):
    """Kills its process once where the file ``once`` exists, and in the last part while the file ``always`` does."""

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        if self.is_told("always") and is_last_part(spots):
            os.kill(os.getpid(), signal.SIGKILL)
        if self.is_told("once"):
            Path(self.folder, "once").unlink(missing_ok=True)
            os.kill(os.getpid(), signal.SIGKILL)
        return super().place(spots)


@dataclass
class Faulty(Player):
    """Raises in the last part while the file ``fault`` exists, and in every part while ``faults`` does."""

    def place(self, spots: Spots) -> NDArray[np.uint8]:
        if self.is_told("faults") or (self.is_told("fault") and is_last_part(spots)):
            raise ZeroDivisionError("the player divided by zero")
        return super().place(spots)


class Counter:
    """Remembers how many decisions it took, and lets that decide: copies must start from nothing."""

    label = "counter"

    def __init__(self) -> None:
        self.decisions = 0

    def prepare(self, rules: Rules, fantasyland_values: Mapping[int, float]) -> None:
        """Know nothing of the rules."""

    def choose(self, view: View) -> Placement:
        self.decisions += 1
        placements = view.legal_placements()
        return placements[self.decisions % len(placements)]
