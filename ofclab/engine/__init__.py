"""Play many tables in lockstep, street by street."""

from ofclab.engine.by_hand import Decision, Table, TableHand
from ofclab.engine.play import HandBatch, play
from ofclab.engine.session import SessionError
from ofclab.engine.spots import (
    DEFAULT_FANTASYLAND_VALUES,
    IllegalPlacement,
    Opponent,
    Sees,
    Spots,
    Strategy,
    View,
    as_strategy,
)

__all__ = [
    "DEFAULT_FANTASYLAND_VALUES",
    "Decision",
    "HandBatch",
    "IllegalPlacement",
    "Opponent",
    "Sees",
    "SessionError",
    "Spots",
    "Strategy",
    "Table",
    "TableHand",
    "View",
    "as_strategy",
    "play",
]
