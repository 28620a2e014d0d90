"""The table of placements: every one with its interval on a shared axis, the best first; a row can be picked."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st
import words

import ofclab as ofc
from components.card_table import FACES, NAMES

FIRST = 12
"""Rows shown before "Show all"."""
_HERE = Path(__file__).parent
_JS = (
    (_HERE / "placements.js")
    .read_text(encoding="utf-8")
    .replace("__FACES__", json.dumps(FACES))
    .replace("__NAMES__", json.dumps(NAMES))
)
_table = st.components.v2.component(
    "ofclab_placements", css=(_HERE / "placements.css").read_text(encoding="utf-8"), js=_JS
)
SLIP = 2.0
"""Points from which a mistake is marked ?? instead of ?."""


def show_placements(
    key: str,
    evaluation: ofc.SpotEvaluation,
    yours: ofc.Placement | None = None,
    *,
    rev: str = "",
    yours_said: str = "Yours",
    on_pick: Callable[[], None] | None = None,
    first: int = FIRST,
) -> None:
    """Draw the placements of an evaluation; `yours` is marked, `on_pick` makes the rows buttons (see `picked`)."""
    mine = None if yours is None else as_key(yours)
    rows = [_row(i, row, placement, mine) for i, (row, placement) in enumerate(_pairs(evaluation))]
    drawn = [row for i, row in enumerate(rows) if i < max(first, 1) or row["yours"]]
    low, high = min(row["low"] for row in drawn), max(row["high"] for row in drawn)
    pad = max((high - low) * 0.06, 0.1)
    near = [row["value"] for row in rows if row["near"]]
    data = {
        "name": "Placements, best first", "rows": rows, "first": first, "pick": on_pick is not None, "rev": rev,
        "axis": [low - pad, high + pad], "ticks": _ticks(low, high), "yours": yours_said,
        "band": [min(near) - pad / 2, max(near) + pad / 2], "help": words.PLACEMENT_HELP,
    }  # fmt: skip
    _table(key=key, data=data, on_pick_change=on_pick or (lambda: None))


def picked(key: str, rev: str, evaluation: ofc.SpotEvaluation) -> ofc.Placement | None:
    """The placement whose row was picked, for `on_pick`; None where it is not of this position."""
    state: Any = st.session_state.get(key)
    sent = state.get("pick") if hasattr(state, "get") else None
    if not isinstance(sent, dict) or sent.get("rev") != rev:
        return None
    return next((one for one in evaluation.placements if as_key(one) == sent.get("key")), None)


def as_key(placement: ofc.Placement) -> str:
    """A placement by its cards, whatever their order."""
    parts = (placement.front, placement.middle, placement.back, placement.discards)
    return "/".join(ofc.format_cards(sorted(cards, reverse=True)) for cards in parts)


def _pairs(evaluation: ofc.SpotEvaluation) -> list[tuple[dict[str, Any], ofc.Placement]]:
    return list(zip(evaluation.frame.to_dicts(), evaluation.placements, strict=True))


def _row(i: int, row: dict[str, Any], placement: ofc.Placement, mine: str | None) -> dict[str, Any]:
    key, half = as_key(placement), 1.96 * row["se"]
    is_best, is_near = row["verdict"] == "best", row["verdict"] in ("best", words.TOO_CLOSE)
    yours = key == mine
    if is_best:
        mark, kind = "✓", "best"
    elif is_near:
        mark, kind = "≈", "tie"
    elif yours:
        mark, kind = ("??", "blunder") if row["loss"] >= SLIP else ("?", "slip")
    else:
        mark, kind = str(i + 1), ""
    said = [
        f"{name} {' '.join(NAMES[str(card)] for card in cards)}"
        for name, cards in (("front", placement.front), ("middle", placement.middle), ("back", placement.back))
        if cards
    ]
    return {
        "key": key, "mark": mark, "kind": kind, "verdict": row["verdict"], "near": is_near, "yours": yours,
        "front": [str(card) for card in placement.front], "middle": [str(card) for card in placement.middle],
        "back": [str(card) for card in placement.back], "discard": [str(card) for card in placement.discards],
        "value": round(row["ev"], 4), "low": round(row["ev"] - half, 4), "high": round(row["ev"] + half, 4),
        "ev": words.minus(f"{row['ev']:.2f}"), "error": f"{half:.2f}" if row["se"] else "",
        "loss": f"−{row['loss']:.2f}" if row["loss"] >= 0.005 else "", "foul": words.whole_percent(row["foul"]),
        "fantasyland": words.whole_percent(row["fantasyland"]),
        "label": f"{', '.join(said)}: {row['ev']:.2f} points, {row['verdict']}",
    }  # fmt: skip


def _ticks(low: float, high: float) -> list[dict[str, Any]]:
    """Two to four round numbers of the axis."""
    for step in (0.5, 1, 2, 5, 10, 20, 50, 100):
        first = -(-low // step)
        values = [n * step for n in range(int(first), int(high // step) + 1)]
        if len(values) <= 4:
            return [{"value": value, "text": words.minus(f"{value:g}")} for value in values]
    return []
