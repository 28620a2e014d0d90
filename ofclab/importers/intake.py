"""Take hands and sessions into a log: check each, know those it has, write the new ones, and account for all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, replace
from os import PathLike
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ofclab.importers._rejects import few
from ofclab.importers.frames import Identified, ledger, tables
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
from ofclab.importers.observers import Observers
from ofclab.importers.players import Pseudonyms
from ofclab.importers.report import FileReport, ImportReport
from ofclab.importers.sessions import ImportedSession, SessionIds, fault
from ofclab.log import Completeness, Log, LogError, LogWriter, open_log
from ofclab.log.edit import recover
from ofclab.log.manifest import canonical_key, read_manifest
from ofclab.log.store import Store
from ofclab.rules import Rules, load_rules

PART_HANDS = 16_384
"""Hands of one part of the log: so many wait in memory before they are written, about 100 MB."""
MOST_AGAIN = 16_384
"""Hands the log has already that are kept, to be held against it together."""
_MOST_RAW = 10_000


WAITING = -1
"""In place of a part's number: the hand is not written yet."""


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
        recover(Store(self.folder))
        log = open_log(self.folder) if read_manifest(Store(self.folder)) is not None else None
        if log is not None and log.manifest["source"].get("kind") != "import":
            raise LogError(f"{self.folder} is a log of simulated hands; import into another folder")
        self.hands: dict[int, int] = {}
        self.sessions: set[int] = set()
        self.matches: dict[tuple[int, int], int] = {}
        if log is not None:
            self._remember(log)
        self.players = Pseudonyms(self.folder.parent)
        self.writer: LogWriter | None = None
        self.waiting: list[Identified] = []
        self.again: list[tuple[int, Identified]] = []
        self.contradicting: Counter[int] = Counter()
        self.waiting_sessions: list[tuple[int, ImportedSession]] = []
        self.new_sessions = 0
        self.merged = 0
        self.rulesets: dict[str, Rules] = {}
        self.rejects: list[Reject] = []
        self.files: list[FileReport] = []
        self.completeness: Counter[str] = Counter()
        self.warnings = 0

    def _remember(self, log: Log) -> None:
        """Know the hands and sessions of the log, and the match of each numbered hand of a table."""
        for part in log.parts:
            columns = log.scan("hands", [part]).select("hand_id", "table_id", "hand_no", "match_id").collect()
            self.hands.update(dict.fromkeys(columns["hand_id"].to_list(), part))
            for _, table, number, match in columns.drop_nulls("match_id").iter_rows():
                self.matches[table, number] = match
        self.sessions.update(log.ledger.select("session_id").unique().collect()["session_id"].to_list())

    def take(self, path: Path, importer: Importer | None, reason: str) -> None:
        """Take one file; without an importer the file is one reject, for that reason."""
        read, new, rejects = 0, 0, len(self.rejects)
        ids, session_ids = HandIds(), SessionIds()
        try:
            for item in few(importer.read(path, self.timezone)) if importer else [Reject(path.name, 0, reason)]:
                read += 1
                if isinstance(item, Reject):
                    self._reject(item)
                elif isinstance(item, ImportedSession):
                    new += self._take_session(item, session_ids)
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
            again = Identified(hand, hand_id, table_id_of(hand, hand_id), rules.id, hand.match_id)
            self.again.append((len(self.files), again))
            if len(self.again) >= MOST_AGAIN:
                self._settle_again()
            return False
        self.hands[hand_id] = WAITING
        self.rulesets[rules.id] = rules
        self.completeness[hand.completeness.value] += 1
        self.warnings += bool(hand.warnings)
        self.waiting.append(Identified(hand, hand_id, table_id_of(hand, hand_id), rules.id))
        if len(self.waiting) >= PART_HANDS:
            self._write()
        return True

    def _take_session(self, session: ImportedSession, ids: SessionIds) -> bool:
        """Check one session and keep it for writing, unless it is wrong or known; tell whether it is new."""
        if (wrong := fault(session)) is not None:
            self._reject(Reject(session.file, session.line, wrong, session.raw))
            return False
        session_id = ids.of(session)
        if session_id in self.sessions:
            return False
        self.sessions.add(session_id)
        self.new_sessions += 1
        self.completeness[Completeness.SCORE_ONLY.value] += 1
        self.warnings += bool(session.warnings)
        self.waiting_sessions.append((session_id, session))
        if len(self.waiting_sessions) >= PART_HANDS:
            self._write_sessions()
        return True

    def _settle_again(self) -> None:
        """Hold hands the log has already against it: take what they know more, reject what contradicts it."""
        if not self.again:
            return
        if any(self.hands[one.hand_id] == WAITING for _, one in self.again):
            self._write()
        known = Observers(open_log(self.folder), self.players)
        for place, reject in known.take([one for _, one in self.again], self.hands):
            self._reject(reject)
            self.contradicting[self.again[place][0]] += 1
        self.merged += known.merged
        self.again = []

    def _write_sessions(self) -> None:
        """Write the sessions that wait as one part of the ledger."""
        frame = ledger(self.waiting_sessions, self.players)
        self.players.save()
        ids = [session_id for session_id, _ in self.waiting_sessions]
        self._open_writer(ids).write_ledger(frame)
        self.waiting_sessions = []

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
        hands, seats, acts = tables(self.waiting, self.players)
        # First the names: a pseudonym in a part must never be without its name.
        self.players.save()
        writer = self._open_writer([one.hand_id for one in self.waiting])
        for rules in self.rulesets.values():
            writer.add_rules(rules)
        number = writer.next_number()
        writer.write(number, hands, seats, acts if acts.height else None)
        self.hands.update(dict.fromkeys((one.hand_id for one in self.waiting), number))
        self.waiting = []

    def _open_writer(self, ids: Iterable[int] = ()) -> LogWriter:
        if self.writer is None:
            key = canonical_key(list(ids))
            exists = read_manifest(Store(self.folder)) is not None
            self.writer = LogWriter(self.folder, {"kind": "import", "files": []}, key=None if exists else key)
        return self.writer

    def finish(self) -> ImportReport:
        """Write what is left and report."""
        self._settle_again()
        if self.waiting:
            self._write()
        if self.waiting_sessions:
            self._write_sessions()
        for place, count in self.contradicting.items():
            file = self.files[place]
            self.files[place] = replace(file, duplicate=file.duplicate - count, rejected=file.rejected + count)
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
            dict(self.completeness), self.warnings, self.new_sessions, self.merged,
        )  # fmt: skip

    def _fresh_rejects(self) -> list[dict[str, object]]:
        """Rejects the log does not list yet."""
        path = self.folder / "rejects.jsonl"
        listed = set(path.read_text(encoding="utf-8").splitlines()) if path.exists() else set()
        entries = [asdict(reject) for reject in dict.fromkeys(self.rejects)]
        return [entry for entry in entries if json.dumps(entry, ensure_ascii=False) not in listed]
