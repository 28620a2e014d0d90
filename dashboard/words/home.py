"""The words of Home."""

from collections.abc import Mapping
from typing import Any

from ofclab.analytics import METRICS as ALL
from words import counted, percent
from words.compare import minus

METRICS = ("foul_rate", "entry_rate", "royalties_per_hand", "scoops_made")
REMOVE = "Deleting takes the log off the disk, for good."
SURE = "Yes, delete this log"


def level(row: Mapping[str, Any], metric: str) -> str:
    """A number as the page shows it large."""
    value = row[metric]
    if value is None:
        return "–"
    return percent(value) if ALL[metric].unit.startswith("%") else minus(f"{value:.2f}")


def spread(row: Mapping[str, Any], metric: str) -> str:
    """How sure a number is, and how many hands it rests on."""
    if row["low"] is None or row[metric] is None:
        return counted(row["hands"], "hand")
    half = (row["high"] - row["low"]) / 2
    said = f"± {100 * half:.1f}" if ALL[metric].unit.startswith("%") else f"± {half:.2f}"
    return f"{said} · {counted(row['hands'], 'hand')}"
