"""Table states of a web client: one JSON object a state, hands known by their number, boards that grow.

    {"gi": 777001, "ti": "table", "gt": 74, "ts": 2, "m": {"di": 0}, "d": {"p": 0, "r": 0},
     "s": [{"n": "player1", "c": 10000, "p": 0, "d": "44;45;33;29;0-1-2-2"}, ..],
     "ss": {"hc": "High Card\\tTwo Pair\\t.."}}

``gi`` numbers the hand, ``ti`` the table, ``gt`` the game, ``ts`` 0 says that the hand is over, ``m.di`` is the seat
with the button. A seat has a name, chips in hundredths, points, and ``d``: card ids, then how many of them lie on top,
in the middle and at the bottom; the rest are in the hand; an id outside 0 to 51 is a card face down. ``ss.hc`` names
what each seat made, a short line for a foul; ``chihr`` holds the royalties of each row.

Rules follow from the game code. States tell the streets where none is missing; own discards are cards that were in the
hand and lie nowhere. Fantasyland shows as thirteen cards at once. The native client's stream of rows without owners,
``H.42;19;16;14;13.M.H`` a line, is read too: a blank line parts hands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ofclab.importers._json_objects import Found, read_objects
from ofclab.importers._swc_hand import Snapshot, goes_on, hand_of, read_snapshot
from ofclab.importers._swc_rows import is_rows, read_rows
from ofclab.importers.model import HandError, ImportedHand, Reject
from ofclab.importers.reading import decode_head

_MOST_OPEN = 64
"""Tables whose hands are kept open at once."""
_MOST_STATES = 4_000
"""States of one hand that are kept."""


class SwcGamestateJson:
    """The format of this module."""

    name = "swc_gamestate_json"
    description = "table states of the SwC web client: a JSON object a state"
    rules = "american-pineapple"

    def detect(self, path: Path, head: bytes) -> str | None:
        """Files with the keys of a state, or with the rows of the native stream."""
        text = decode_head(head)
        lines = [line for line in text.splitlines() if line.strip()]
        if lines and is_rows(lines[0]):
            return "its lines are rows of the native stream, such as H.42;19;16;14;13.M.H"
        plain = text.replace(" ", "")
        keys = ('"gi":', '"gt":', '"ts":', '"s":')
        return "JSON objects with the keys gi, gt, ts and s" if all(key in plain for key in keys) else None

    def read(self, path: Path, timezone: str) -> Iterator[ImportedHand | Reject]:
        """Every hand once its table goes on to another, and every state that cannot be read."""
        return self.read_together([path], timezone)

    def read_together(self, paths: Sequence[Path], timezone: str) -> Iterator[ImportedHand | Reject]:
        """Every hand of files that follow each other: a hand may begin in one and end in the next."""
        tables: dict[str, list[Snapshot]] = {}
        for path in paths:
            with path.open("rb") as file:
                head = decode_head(file.read(4096)).splitlines()
            if any(map(is_rows, head[:8])):
                yield from read_rows(path)
                continue
            for found in read_objects(path):
                state = _snapshot(path.name, found)
                if isinstance(state, Reject):
                    yield state
                    continue
                before = tables.get(state.table)
                if before and not goes_on(before[-1], state):
                    yield _finish(tables.pop(state.table))
                elif before and len(before) > _MOST_STATES:
                    reason = f"hand {state.hand} has more than {_MOST_STATES} states"
                    yield Reject(path.name, state.line, reason, state.raw)
                    continue
                elif not before and len(tables) >= _MOST_OPEN:
                    yield _finish(tables.pop(next(iter(tables))))
                tables.setdefault(state.table, []).append(state)
        for states in tables.values():
            yield _finish(states)


def _snapshot(file: str, found: Found) -> Snapshot | Reject:
    if found.value is None:
        return Reject(file, found.line, found.fault, found.text)
    try:
        return read_snapshot(found.value, file, found.line, found.text)
    except HandError as error:
        return Reject(file, found.line, str(error), found.text)


def _finish(states: list[Snapshot]) -> ImportedHand | Reject:
    """The hand of these states."""
    try:
        return hand_of(states[0].file, states)
    except HandError as error:
        raw = "\n".join(state.raw for state in states)
        return Reject(states[0].file, error.line or states[0].line, f"hand {states[0].hand}: {error}", raw)


IMPORTER = SwcGamestateJson()
