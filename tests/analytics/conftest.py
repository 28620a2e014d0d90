"""Results frames small enough to check by eye, and one large enough to test rules that hold for every metric."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

CLASS = pl.Enum(["T-low", "high_card", "pair", "two_pair", "trips", "straight", "flush", "full_house"])
COLUMNS = {
    "table_id": (pl.UInt64, 1),
    "hand_no": (pl.UInt32, 0),
    "seat": (pl.UInt8, 0),
    "strategy": (pl.String, "anti_foul"),
    "position": (pl.UInt8, 1),
    "fl_cards": (pl.UInt8, 0),
    "completeness": (pl.Enum(["full", "own_discards", "final_boards"]), "full"),
    "fouled": (pl.Boolean, False),
    "foul_street": (pl.UInt8, None),
    "front_class": (CLASS, "high_card"),
    "middle_class": (CLASS, "pair"),
    "back_class": (CLASS, "two_pair"),
    "royalty_front": (pl.Int16, 0),
    "royalty_middle": (pl.Int16, 0),
    "royalty_back": (pl.Int16, 0),
    "points": (pl.Int16, 0),
    "next_fl": (pl.UInt8, 0),
    "earned_by": (pl.Enum(["QQ", "KK", "AA", "trips", "stay_front", "stay_back"]), None),
    "rows_won": (pl.UInt8, 1),
    "rows_tied": (pl.UInt8, 0),
    "rows_lost": (pl.UInt8, 2),
    "scoops_made": (pl.UInt8, 0),
    "scoops_suffered": (pl.UInt8, 0),
}


def build(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """A results frame with the columns named and harmless values for the others."""
    filled = [{name: row.get(name, default) for name, (_, default) in COLUMNS.items()} for row in rows]
    return pl.DataFrame(filled, {name: dtype for name, (dtype, _) in COLUMNS.items()})


@pytest.fixture
def hands() -> Callable[..., pl.DataFrame]:
    """Build a results frame from rows that name only what matters."""
    return lambda *rows: build(list(rows))


@pytest.fixture(scope="session")
def played() -> pl.DataFrame:
    """Twelve heads-up tables of forty hands with fouls, Fantasyland and points that sum to zero."""
    rng, rows = np.random.default_rng(4), []
    for table in range(12):
        inside = [0, 0]
        for hand in range(40):
            points, following = int(rng.integers(-30, 31)), [0, 0]
            won = int(rng.integers(0, 4))
            for seat in (0, 1):
                fouled = bool(rng.random() < 0.25)
                goes = not fouled and rng.random() < 0.3
                earned = str(rng.choice(["stay_front", "stay_back"] if inside[seat] else ["QQ", "KK", "AA"]))
                following[seat] = int(rng.integers(14, 17)) if goes else 0
                mine = won if seat == 0 else 3 - won
                rows.append(
                    {
                        "table_id": 2**63 + table,
                        "hand_no": hand,
                        "seat": seat,
                        "strategy": ("anti_foul", "mine")[seat],
                        "position": 1 + (hand + seat) % 2,
                        "fl_cards": inside[seat],
                        "fouled": fouled,
                        "foul_street": int(rng.integers(2, 6)) if fouled and not inside[seat] else None,
                        "front_class": str(rng.choice(["high_card", "pair", "trips"])),
                        "middle_class": str(rng.choice(["pair", "straight", "flush"])),
                        "back_class": str(rng.choice(["straight", "flush", "full_house"])),
                        "royalty_front": 0 if fouled else int(rng.integers(0, 10)),
                        "royalty_middle": 0 if fouled else int(rng.integers(0, 3)) * 4,
                        "royalty_back": 0 if fouled else 2,
                        "points": points if seat == 0 else -points,
                        "next_fl": following[seat],
                        "earned_by": earned if goes else None,
                        "rows_won": mine,
                        "rows_tied": 0,
                        "rows_lost": 3 - mine,
                        "scoops_made": int(mine == 3),
                        "scoops_suffered": int(mine == 0),
                    }
                )
            inside = following
    return build(rows)
