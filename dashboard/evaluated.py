"""What a review has kept of a log: the loss of every judged decision."""

from pathlib import Path
from typing import Any

import loaders
import polars as pl
import streamlit as st

_COLUMNS = ("hand_id", "seat", "street", "fl_cards", "ev_loss", "se", "is_best", "played", "best")


def _newest(entry: loaders.Entry) -> tuple[str, float] | None:
    """The folder of the review that was written last, and when."""
    found = []
    for folder in Path(entry.path).glob("evaluations/*"):
        parts = list(folder.glob("part-*.parquet"))
        if parts:
            found.append((max(part.stat().st_mtime for part in parts), str(folder)))
    return (max(found)[1], max(found)[0]) if found else None


@st.cache_resource(max_entries=4, show_spinner=False)
def _read(folder: str, changed: float) -> Any:
    try:
        return pl.scan_parquet(f"{folder}/part-*.parquet").select(_COLUMNS).collect()
    except (pl.exceptions.PolarsError, OSError):
        return None


def stamp(entry: loaders.Entry) -> str:
    """Changes when another review of the log is there."""
    return str(_newest(entry))


def of_hand(entry: loaders.Entry, hand_id: int, seat: int) -> list[dict[str, Any]]:
    """Judged decisions of one player's hand, street by street."""
    judged = decisions(entry)
    if judged is None:
        return []
    return judged.filter(pl.col("hand_id") == hand_id, pl.col("seat") == seat).sort("street").to_dicts()


def decisions(entry: loaders.Entry) -> pl.DataFrame | None:
    """Judged decisions: hand_id, seat, street, fl_cards, ev_loss, se, played, best; None where there is no review."""
    newest = _newest(entry)
    return None if newest is None else _read(*newest)
