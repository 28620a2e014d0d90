"""Write a log: its folder, manifest and rulesets, and parts that are put in place whole."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from ofclab.log.arrays import is_aligned, is_sorted
from ofclab.log.checks import as_table, check_part, sort_part
from ofclab.log.edit import recover
from ofclab.log.errors import LogError
from ofclab.log.manifest import MANIFEST, canonical_key, manifest_bytes, new_manifest, read_manifest
from ofclab.log.parts import encode, part_name, part_number
from ofclab.log.score import SeatScores, score_frames, scorer_version
from ofclab.log.store import Store
from ofclab.rules import Rules


class LogWriter:
    """Adds parts to a log, creating it where there is none.

    ``path``: a folder, or a URL such as ``s3://bucket/log`` with ``storage_options`` as polars takes them. ``source``:
    what the log comes from, kept in a new log's manifest. ``rules``: rulesets the hands name. ``key``: stamped into
    every part so that a part of another log is recognised; by default a hash of ``source``. ``create``: False where
    the log must be there already. Several processes, on several machines, may write different parts of one log.
    Raises LogError for a folder that holds something else, a log of another key, or a disk that cannot be written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        source: Mapping[str, Any] | None = None,
        rules: Iterable[Rules] = (),
        key: int | None = None,
        storage_options: Mapping[str, str] | None = None,
        create: bool = True,
    ) -> None:
        self.store = Store(path, storage_options)
        self.path = self.store.path
        recover(self.store)
        manifest = read_manifest(self.store)
        if manifest is None:
            if not create:
                raise LogError(f"there is no log at {self.path} on {socket.gethostname()}")
            if not self.store.is_free:
                raise LogError(f"{self.path} exists and is not a log (it has no {MANIFEST}); choose another folder")
            given = dict(source or {})
            manifest = new_manifest(given, canonical_key(given) if key is None else key)
            self.store.put(MANIFEST, manifest_bytes(manifest))
        elif key is not None and manifest["key"] != f"{key:016x}":
            raise LogError(f"{self.path} is another log: its key is {manifest['key']}, not {key:016x}")
        self.manifest = manifest
        self.key: str = manifest["key"]
        for ruleset in rules:
            self.add_rules(ruleset)

    def add_rules(self, rules: Rules) -> str:
        """Keep a ruleset with the log and return its id."""
        name = f"rulesets/{rules.id}.toml"
        if not self.store.has(name):
            self.store.put(name, rules.to_toml().encode())
        if rules.id not in self.manifest["rulesets"]:
            self.update(rulesets={**self.manifest["rulesets"], rules.id: rules.name})
        return rules.id

    def update(self, **entries: Any) -> None:
        """Change entries of the manifest, such as ``source``."""
        self.manifest = {**self.manifest, **entries}
        self.store.put(MANIFEST, manifest_bytes(self.manifest))

    def has(self, number: int) -> bool:
        """Tell whether a part is there; the hands are written last, so they say so for the whole part."""
        return self.store.has(f"hands/{part_name(number)}")

    def numbers(self) -> list[int]:
        """Numbers of all parts that are there."""
        return self._numbers("hands")

    def next_number(self) -> int:
        """Number of a part behind all that are there."""
        return max(self.numbers(), default=-1) + 1

    def _numbers(self, table: str) -> list[int]:
        found = [part_number(name) for name in self.store.names(table)]
        return [number for number in found if number is not None]

    def write(
        self,
        number: int,
        hands: pl.DataFrame,
        seats: pl.DataFrame,
        acts: pl.DataFrame | None = None,
        score: Rules | None = None,
        engine: SeatScores | None = None,
    ) -> bool:
        """Write one part, unless it exists; tell whether it was written.

        ``hands`` and ``seats`` in the columns of `ofclab.log.schema` (those left out are null), in any order.
        ``score``: also store the scores under these rules; ``engine``: what the engine scored under them, for seats in
        the order of the log (see `score_frames`). Raises LogError, and writes nothing, for a hand with a card
        twice, a dealt card that went nowhere, or rows that are not 3, 5 and 5 where they are known.
        """
        if self.has(number):
            return False
        hands, seats = as_table(hands, "hands"), as_table(seats, "seats")
        if not is_sorted(hands) or not is_aligned(hands, seats):
            hands, seats = sort_part(hands, seats)
            engine = None
        check_part(hands, seats, self.manifest["rulesets"])
        if score is not None:
            scores, _ = score_frames(hands, seats, score, pairs=False, engine=engine)
            self.put_part("scores", number, scores, score.id, ruleset=score.id, scorer=scorer_version())
        self.put_part("seats", number, seats)
        if acts is not None:
            self.put_part("acts", number, as_table(acts, "acts").sort("hand_id", "act"))
        self.put_part("hands", number, hands)
        return True

    def put_part(self, table: str, number: int, frame: pl.DataFrame, folder: str = "", **note: Any) -> None:
        """Put one table of a part in place; ``folder`` below the table's own, ``note`` for its footer."""
        content = encode(frame, {"table": table, "log": self.key, "part": number, **note})
        self.store.put("/".join(filter(None, (table, folder, part_name(number)))), content)

    def write_ledger(self, frame: pl.DataFrame) -> None:
        """Add sessions known only by their totals, as the next part of the ledger."""
        self.put_part("ledger", max(self._numbers("ledger"), default=-1) + 1, as_table(frame, "ledger"))

    def reject(self, rejects: Iterable[Mapping[str, Any]]) -> None:
        """Add input that was not taken to rejects.jsonl: file, line, reason and raw text of each."""
        lines = "".join(json.dumps(dict(entry), ensure_ascii=False) + "\n" for entry in rejects)
        self.store.put("rejects.jsonl", (self.store.read("rejects.jsonl") or b"") + lines.encode())

    def sweep(self) -> None:
        """Remove temporary files that writers of this machine left when they were killed."""
        self.store.sweep()
