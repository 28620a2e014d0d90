"""Row of the import: hands of ofclab's own exchange format into a log, beside reading the same lines as JSON."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from ofclab.bench.measure import Effort, process_clock, times
from ofclab.bench.row import Bench, Measured
from ofclab.bench.spots import SEED, pineapple
from ofclab.importers import export_hands, import_hands
from ofclab.runs import simulate

_TABLES, _HANDS = 250, 8
_THOUSAND = 1e3


def _lines(folder: Path) -> Path:
    """A file of played hands."""
    players = ["random_legal", "random_legal"]
    played = simulate(pineapple(), players, tables=_TABLES, hands=_HANDS, seed=SEED, out=folder / "played")
    export_hands(played.log, folder / "hands.jsonl")
    return folder / "hands.jsonl"


def _loads(path: Path) -> int:
    with path.open(encoding="utf-8") as lines:
        return sum(len(json.loads(line)) for line in lines)


def imported(effort: Effort) -> Measured:
    """Thousands of hands a second from a file into a log, checked; beside json.loads over the same lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = _lines(Path(folder))
        numbers = iter(range(1 << 62))
        hands = import_hands(path, out=Path(folder, "first")).new
        works = [lambda: import_hands(path, out=Path(folder, f"log-{next(numbers)}")), lambda: _loads(path)]
        taken, plain = times(works, effort, process_clock)
    return Measured(hands / taken / _THOUSAND, hands / plain / _THOUSAND, f"{hands:,} hands")


IMPORTS = (
    Bench("hands of the exchange format into a log", "k hands/s", "json.loads of the lines", 0.02, 0.06, imported),
)
