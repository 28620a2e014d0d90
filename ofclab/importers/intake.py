"""Take hands into a log: check each, know those it has, write the new ones, and account for all."""

from __future__ import annotations

import html
import json
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from os import PathLike
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ofclab.importers.frames import Identified, tables
from ofclab.importers.model import (
    HandError,
    HandIds,
    ImportedHand,
    Importer,
    Reject,
    check,
    refuse_under,
    table_id_of,
)  # fmt: skip
from ofclab.importers.players import Pseudonyms
from ofclab.log import Completeness, Log, LogError, LogWriter, open_log
from ofclab.log.manifest import canonical_key, read_manifest
from ofclab.log.store import Store
from ofclab.rules import Rules, load_rules

PART_HANDS = 65_536
"""Hands of one part of the log."""
_MOST_RAW = 10_000

WHAT_IS_KNOWN = {
    Completeness.FULL: "everything: can be scored, replayed and reviewed",
    Completeness.OWN_DISCARDS: "all boards, discards of the observer only: can be scored, the observer's play reviewed",
    Completeness.FINAL_BOARDS: "final boards, no order of the deal: can be scored, not replayed or reviewed",
    Completeness.FINAL_CARDS_NO_ROWS: "cards without rows: cannot be scored",
    Completeness.UNATTRIBUTED_ROWS: "rows without owners: cannot be scored",
    Completeness.SCORE_ONLY: "points without cards: points only",
    Completeness.UNFINISHED: "not played to the end in the source: cannot be scored",
}
"""What hands of each completeness are good for."""


@dataclass(frozen=True)
class FileReport:
    """What became of one file."""

    file: str
    format: str | None
    """None: no format knows the file."""
    reason: str
    """Why the file was taken for this format."""
    read: int
    new: int
    duplicate: int
    rejected: int


@dataclass(frozen=True)
class ImportReport:
    """What became of every hand: ``read`` = ``new`` + ``duplicate`` + number of ``rejected``."""

    read: int
    new: int
    duplicate: int
    rejected: list[Reject]
    log: Log
    files: tuple[FileReport, ...] = ()
    completeness: dict[str, int] = field(default_factory=dict)
    """New hands by how much the source knows of them."""
    warnings: int = 0
    """New hands with something odd about them: see the column ``warnings`` of ``log.hands``."""

    @property
    def known(self) -> dict[str, str]:
        """What the new hands can be used for, by completeness."""
        return {word: WHAT_IS_KNOWN[Completeness(word)] for word in self.completeness}

    def __repr__(self) -> str:
        counts = f"{self.read} read = {self.new} new + {self.duplicate} duplicate + {len(self.rejected)} rejected"
        lines = [f"<ImportReport: {counts}>"]
        lines += [f"  {self.completeness[word]} {word}: {text}" for word, text in self.known.items()]
        lines += [f"  {self.warnings} with warnings: see the column warnings of log.hands"] if self.warnings else []
        lines += [f"  {reject.file}:{reject.line}: {reject.reason}" for reject in self.rejected[:10]]
        return "\n".join(lines + ([f"  and {len(self.rejected) - 10} more rejects"] if len(self.rejected) > 10 else []))

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"


class Intake:
    """One import into one log.

    Raises LogError for a folder that holds something else, ValueError for an unknown timezone or ruleset.
    """

    def __init__(self, out: str | PathLike[str], rules: str | Path | Rules | None, timezone: str) -> None:
        try:
            ZoneInfo(timezone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(
                f"no timezone {timezone!r}; want a name such as UTC, Europe/Berlin, America/New_York"
            ) from None
        self.timezone = timezone
        self.rules = None if rules is None else load_rules(rules)
        self.folder = Path(out).expanduser()
        log = open_log(self.folder) if read_manifest(Store(self.folder)) is not None else None
        if log is not None and log.manifest["source"].get("kind") != "import":
            raise LogError(f"{self.folder} is a log of simulated hands; import into another folder")
        self.hands: set[int] = set()
        self.matches: dict[tuple[int, int], int] = {}
        if log is not None:
            self._remember(log)
        self.players = Pseudonyms(self.folder.parent)
        self.writer: LogWriter | None = None
        self.waiting: list[Identified] = []
        self.rulesets: dict[str, Rules] = {}
        self.rejects: list[Reject] = []
        self.files: list[FileReport] = []
        self.completeness: Counter[str] = Counter()
        self.warnings = 0

    def _remember(self, log: Log) -> None:
        """Know the hands of the log, and the match of each numbered hand of a table."""
        columns = log.hands.select("hand_id", "table_id", "hand_no", "match_id").collect()
        self.hands.update(columns["hand_id"].to_list())
        for _, table, number, match in columns.drop_nulls("match_id").iter_rows():
            self.matches[table, number] = match

    def take(self, path: Path, importer: Importer | None, reason: str) -> None:
        """Take one file; without an importer the file is one reject, for that reason."""
        read, new, rejects = 0, 0, len(self.rejects)
        ids = HandIds()
        try:
            for item in importer.read(path, self.timezone) if importer else [Reject(path.name, 0, reason)]:
                read += 1
                if isinstance(item, Reject):
                    self._reject(item)
                else:
                    new += self._take_hand(item, ids, importer)
        except OSError as error:
            read += 1
            self._reject(Reject(path.name, 0, f"cannot be read: {error.strerror or error}"))
        if not read:
            read = 1
            self._reject(Reject(path.name, 0, "the file has no hands"))
        rejected = len(self.rejects) - rejects
        name = importer.name if importer else None
        self.files.append(FileReport(path.name, name, reason, read, new, read - new - rejected, rejected))

    def _reject(self, reject: Reject) -> None:
        raw = reject.raw if len(reject.raw) <= _MOST_RAW else f"{reject.raw[:_MOST_RAW]} ..."
        self.rejects.append(replace(reject, raw=raw.encode("utf-8", "replace").decode()))

    def _take_hand(self, hand: ImportedHand, ids: HandIds, importer: Importer | None) -> bool:
        """Check one hand and keep it for writing, unless it is wrong or known; tell whether it is new."""
        rules = self.rules or hand.rules or load_rules(importer.rules if importer else "american-pineapple")
        try:
            check(hand)
            refuse_under(hand, rules)
        except HandError as error:
            self._reject(Reject(hand.file, hand.line, str(error), hand.raw))
            return False
        hand_id = ids.of(hand)
        if hand_id in self.hands:
            return False
        self.hands.add(hand_id)
        self.rulesets[rules.id] = rules
        self.completeness[hand.completeness.value] += 1
        self.warnings += bool(hand.warnings)
        self.waiting.append(Identified(hand, hand_id, table_id_of(hand, hand_id), rules.id))
        if len(self.waiting) >= PART_HANDS:
            self._write()
        return True

    def _match(self, one: Identified) -> int | None:
        """The hand that began the chain of Fantasyland hands this one belongs to."""
        hand = one.hand
        match = hand.match_id
        if match is None and hand.source is None:
            in_chain = hand.table is not None and any(seat.fl_cards for seat in hand.seats)
            match = self.matches.get((one.table_id, hand.hand_no - 1), one.hand_id) if in_chain else one.hand_id
        if match is not None:
            self.matches[one.table_id, hand.hand_no] = match
        return match

    def _write(self) -> None:
        """Write the hands that wait as one part."""
        self.waiting.sort(key=lambda one: (one.table_id, one.hand.hand_no, one.hand_id))
        for one in self.waiting:
            one.match_id = self._match(one)
        hands, seats, acts = tables(self.waiting, self.players.of)
        # First the names: a pseudonym in a part must never be without its name.
        self.players.save()
        writer = self._open_writer()
        for rules in self.rulesets.values():
            writer.add_rules(rules)
        writer.write(writer.next_number(), hands, seats, acts if acts.height else None)
        self.waiting = []

    def _open_writer(self) -> LogWriter:
        if self.writer is None:
            key = canonical_key([one.hand_id for one in self.waiting])
            exists = read_manifest(Store(self.folder)) is not None
            self.writer = LogWriter(self.folder, {"kind": "import", "files": []}, key=None if exists else key)
        return self.writer

    def finish(self) -> ImportReport:
        """Write what is left and report."""
        if self.waiting:
            self._write()
        writer = self._open_writer()
        taken = [{"file": file.file, "format": file.format, "hands": file.new} for file in self.files if file.new]
        if taken:
            source = writer.manifest["source"]
            writer.update(source={**source, "files": [*source["files"], *taken]})
        if fresh := self._fresh_rejects():
            writer.reject(fresh)
        read, new = sum(file.read for file in self.files), sum(file.new for file in self.files)
        return ImportReport(
            read, new, read - new - len(self.rejects), self.rejects, open_log(self.folder), tuple(self.files),
            dict(self.completeness), self.warnings,
        )  # fmt: skip

    def _fresh_rejects(self) -> list[dict[str, object]]:
        """Rejects the log does not list yet."""
        path = self.folder / "rejects.jsonl"
        listed = set(path.read_text(encoding="utf-8").splitlines()) if path.exists() else set()
        entries = [asdict(reject) for reject in dict.fromkeys(self.rejects)]
        return [entry for entry in entries if json.dumps(entry, ensure_ascii=False) not in listed]
