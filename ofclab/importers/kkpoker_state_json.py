"""States of KKPoker's joker tables, transcribed from the screen: a JSON object a state, one or many a file.

    {"schema_version": 1, "frame": "..", "state": {"mode": "joker_ultimate", "round_index": 0, "hero_chair": 1,
     "dealer_chair": 1, "players": [{"chair": 0, "name": "villain0", "fantasy": false, "hidden_incoming_count": 5,
     "board": {"top": [], "middle": [], "bottom": []}}, ..], "hero_incoming": ["Ks", ..], "hero_discards": [],
     "hero_pending": [{"card": "Ks", "row": "bottom"}], "hero_can_confirm": false}}

``round_index`` counts streets from 0, -1 is Fantasyland. Jokers ``JK1`` and ``JK2`` keep their identity. The hero's own
discards are known, the others' are not. What the hero has laid down is not placed before it is confirmed: such a hand
is unfinished, and says so. ``kkpoker_state_json(confirm=true)`` as the format reads it as if it had been confirmed.

States that follow each other in a file, or in the files of one folder imported together, make one hand as long as each
can be a later one of the hand before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ofclab.importers._json_objects import read_objects
from ofclab.importers._kkpoker_frames import Frame, goes_on, hand_of, read_frame
from ofclab.importers.model import HandError, ImportedHand, Reject
from ofclab.importers.reading import decode_head

_MOST_FRAMES = 4_000


@dataclass(frozen=True)
class KkpokerStateJson:
    """The format of this module. ``confirm``: read placements that wait for it as confirmed."""

    confirm: bool = False
    name = "kkpoker_state_json"
    description = "states of KKPoker's joker tables: a JSON object a state"
    rules = "joker-progressive"

    def detect(self, path: Path, head: bytes) -> str | None:
        """Files with the keys of a state."""
        text = decode_head(head)
        keys = ('"schema_version"', '"state"', '"hero_chair"', '"hero_incoming"')
        return (
            "JSON objects with the keys schema_version, state and hero_chair" if all(k in text for k in keys) else None
        )

    def read(self, path: Path, timezone: str) -> Iterator[ImportedHand | Reject]:
        """Every hand of the file, and every state that cannot be read."""
        return self.read_together([path], timezone)

    def read_together(self, paths: Sequence[Path], timezone: str) -> Iterator[ImportedHand | Reject]:
        """Every hand of files that hold states in the order they were seen."""
        frames: list[Frame] = []
        file = ""
        for path in paths:
            for found in read_objects(path):
                try:
                    if found.value is None:
                        raise HandError(found.fault)
                    frame = read_frame(found.value, found.line, found.text)
                except HandError as error:
                    yield Reject(path.name, found.line, str(error), found.text)
                    continue
                if frames and (len(frames) >= _MOST_FRAMES or not goes_on(frames[-1], frame)):
                    yield self._hand(file, frames)
                    frames = []
                file = file if frames else path.name
                frames.append(frame)
        if frames:
            yield self._hand(file, frames)

    def _hand(self, file: str, frames: list[Frame]) -> ImportedHand | Reject:
        try:
            return hand_of(file, frames, self.confirm)
        except HandError as error:
            return Reject(file, frames[0].line, str(error), "\n".join(frame.raw for frame in frames))


IMPORTER = KkpokerStateJson()
