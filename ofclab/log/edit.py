"""Change what a log holds: all of a change or nothing of it, also when the process is killed in between."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from ofclab.log.checks import check_part
from ofclab.log.errors import CannotWrite, LogError
from ofclab.log.manifest import MANIFEST, manifest_bytes, read_manifest
from ofclab.log.parts import encode, part_name, part_number, put
from ofclab.log.store import Store

if TYPE_CHECKING:
    from ofclab.log.scan import Log

PENDING = "edit.json"
"""What an edit under way still has to rename and remove; once it is there the edit counts."""
_STAGED = ".edit-"
_FACTS = ("hands", "seats", "acts", "ledger")


class Edit:
    """One change of a local log: files to replace and files to remove, put in place together.

    New contents are written beside the log's files first, then a list of what is to be renamed and removed; a process
    killed before that list leaves the old log, one killed after it leaves a log that `recover` completes. Raises
    LogError for a log in an object store or one that may not be written.
    """

    def __init__(self, store: Store) -> None:
        if store.is_remote:
            raise LogError(f"{store.root} lies in an object store; change a local copy and upload it")
        if not store.is_writable:
            raise LogError(f"{store.root} may not be written")
        self.folder = Path(store.root)
        self._put: dict[str, bytes] = {}
        self._remove: set[str] = set()

    def put(self, name: str, content: bytes) -> None:
        """Replace a file, or add one."""
        self._put[name] = content
        self._remove.discard(name)

    def remove(self, name: str) -> None:
        """Remove a file."""
        self._remove.add(name)
        self._put.pop(name, None)

    def put_part(self, log: Log, table: str, number: int, frame: pl.DataFrame) -> None:
        """Replace one table of a part."""
        content = encode(frame, {"table": table, "log": log.key, "part": number})
        self.put(f"{table}/{part_name(number)}", content)

    def commit(self) -> None:
        """Put everything in place."""
        sweep_staged(self.folder)
        renames = {}
        for number, (name, content) in enumerate(sorted(self._put.items())):
            staged = f"{_STAGED}{number}"
            put(self.folder / staged, content)
            renames[staged] = name
        told = {"rename": renames, "remove": sorted(self._remove)}
        put(self.folder / PENDING, json.dumps(told).encode())
        _finish(self.folder)


def recover(store: Store) -> None:
    """Complete an edit that was cut off. Raises LogError where the log may not be written."""
    if store.is_remote or not Path(store.root, PENDING).exists():
        return
    if not store.is_writable:
        raise LogError(f"a change of {store.root} was cut off; open it once where it may be written")
    _finish(Path(store.root))


def _finish(folder: Path) -> None:
    pending = folder / PENDING
    try:
        told = json.loads(pending.read_bytes())
        for staged, name in told["rename"].items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            # Not there: renamed before the process was killed.
            with contextlib.suppress(FileNotFoundError):
                os.replace(folder / staged, folder / name)
        for name in told["remove"]:
            (folder / name).unlink(missing_ok=True)
        pending.unlink(missing_ok=True)
    except FileNotFoundError:
        return
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LogError(f"{pending} is corrupt: {error}") from None
    except OSError as error:
        raise CannotWrite(f"cannot complete the change in {pending}: {error.strerror or error}") from error


def sweep_staged(folder: Path) -> None:
    """Remove the new contents that an edit killed before its list was written has left."""
    if not (folder / PENDING).exists():
        for path in folder.glob(f"{_STAGED}*"):
            path.unlink(missing_ok=True)


def raw(log: Log, table: str, number: int) -> pl.DataFrame:
    """One table of a part as it is stored, players not merged."""
    return pl.read_parquet(log.store.location(f"{table}/{part_name(number)}"), glob=False)


def replace_part(
    edit: Edit, log: Log, number: int, hands: pl.DataFrame, seats: pl.DataFrame, acts: pl.DataFrame | None
) -> None:
    """Replace the facts of a part, and drop what was computed from them; a part without hands goes."""
    name = part_name(number)
    folder = Path(log.store.root)
    for path in folder.rglob(name):
        inside = path.relative_to(folder)
        if inside.parts[0] not in _FACTS:
            edit.remove(inside.as_posix())
    if hands.is_empty():
        for table in ("hands", "seats", "acts"):
            edit.remove(f"{table}/{name}")
        return
    check_part(hands, seats, log.manifest["rulesets"])
    edit.put_part(log, "hands", number, hands)
    edit.put_part(log, "seats", number, seats)
    if acts is not None and not acts.is_empty():
        edit.put_part(log, "acts", number, acts.sort("hand_id", "act"))
    else:
        edit.remove(f"acts/{name}")


@dataclass(frozen=True)
class Forgotten:
    """What `forget` took out of a log."""

    hands: int
    sessions: int
    rejects: int
    import_again: tuple[str, ...] = ()
    """Files that told more of the hands taken out; what they know comes back when they are imported again."""

    def __repr__(self) -> str:
        again = f"; import again: {', '.join(self.import_again)}" if self.import_again else ""
        return f"<Forgotten: {self.hands} hands, {self.sessions} sessions, {self.rejects} rejects{again}>"


MERGED = "also in "
"""How the warnings of a hand name another file that told of it."""


def forget(
    log: Log,
    *,
    source_file: str | None = None,
    hand_id: int | None = None,
    session_id: int | None = None,
) -> Forgotten:
    """Take an imported file, one hand or one session of a ledger out of a log; import it again to correct it.

    ``source_file``: the name in the column ``source_file``; hands that another file told of as well go too, and the
    result names that file. All or nothing: a process killed in between leaves the log as it was or as it shall be. The
    log that is open sees the change after `open_log`. Raises LogError when nothing matches, for a simulated log, and
    for a log that may not be written.
    """
    given = {"source_file": source_file, "hand_id": hand_id, "session_id": session_id}
    chosen = {name: value for name, value in given.items() if value is not None}
    if len(chosen) != 1:
        raise LogError(f"say one of source_file, hand_id, session_id; got {', '.join(chosen) or 'none'}")
    if log.manifest["source"].get("kind") != "import":
        raise LogError(f"{log.path} is a log of simulated hands: what its plan says is in it; nothing can be taken out")
    edit = Edit(log.store)
    # As it is now, not as it was when the caller opened it.
    recover(log.store)
    log = type(log)(log.store, read_manifest(log.store) or log.manifest)
    hands, again = _forget_hands(edit, log, source_file, hand_id)
    sessions = _forget_sessions(edit, log, source_file, session_id)
    rejects = _forget_rejects(edit, log, source_file) if source_file is not None else 0
    if not hands and not sessions and not rejects:
        known = ", ".join(sorted({str(file["file"]) for file in log.manifest["source"].get("files", [])}))
        name, value = next(iter(chosen.items()))
        raise LogError(f"{log.path} holds nothing of {name} {value!r}; its files: {known or 'none'}")
    if source_file is not None:
        _forget_file(edit, log, source_file)
    edit.commit()
    return Forgotten(hands, sessions, rejects, tuple(sorted(again)))


def _told_by(source_file: str) -> pl.Expr:
    line = pl.lit(f"{MERGED}{source_file}:")
    return (pl.col("source_file") == source_file) | pl.col("warnings").fill_null("").str.contains(line, literal=True)


def _forget_hands(edit: Edit, log: Log, source_file: str | None, hand_id: int | None) -> tuple[int, set[str]]:
    count, again = 0, set[str]()
    if source_file is None and hand_id is None:
        return 0, again
    wrong = _told_by(source_file) if source_file is not None else pl.col("hand_id") == pl.lit(hand_id, pl.UInt64)
    for number in log.parts:
        hands = raw(log, "hands", number)
        gone = hands.filter(wrong.fill_null(False))
        if gone.is_empty():
            continue
        count += gone.height
        again |= _others(gone, source_file)
        ids = gone["hand_id"]
        seats, acts = raw(log, "seats", number), _acts(log, number)
        kept = [frame.filter(~pl.col("hand_id").is_in(ids.implode())) for frame in (hands, seats, acts)]
        replace_part(edit, log, number, *kept)
    return count, again


def _acts(log: Log, number: int) -> pl.DataFrame:
    if part_name(number) in log.store.names("acts"):
        return raw(log, "acts", number)
    return log.acts.head(0).collect()


def _others(gone: pl.DataFrame, source_file: str | None) -> set[str]:
    """Other files that told of these hands."""
    if source_file is None:
        return set()
    found = set(gone["source_file"].drop_nulls().to_list())
    for text in gone["warnings"].drop_nulls().to_list():
        lines = [line.removeprefix(MERGED) for line in text.split("\n") if line.startswith(MERGED)]
        found |= {line.rpartition(":")[0] for line in lines}
    return found - {source_file}


def _forget_sessions(edit: Edit, log: Log, source_file: str | None, session_id: int | None) -> int:
    if source_file is None and session_id is None:
        return 0
    if source_file is not None:
        wrong = pl.col("source_file") == source_file
    else:
        wrong = pl.col("session_id") == pl.lit(session_id, pl.UInt64)
    count = 0
    for number in _numbers(log, "ledger"):
        rows = raw(log, "ledger", number)
        gone = rows.filter(wrong.fill_null(False))
        if gone.is_empty():
            continue
        count += gone["session_id"].n_unique()
        kept = rows.filter(~pl.col("session_id").is_in(gone["session_id"].implode()))
        if kept.is_empty():
            edit.remove(f"ledger/{part_name(number)}")
        else:
            edit.put_part(log, "ledger", number, kept)
    return count


def _numbers(log: Log, table: str) -> Sequence[int]:
    found = (part_number(name) for name in log.store.names(table))
    return [number for number in found if number is not None]


def _forget_rejects(edit: Edit, log: Log, source_file: str) -> int:
    lines = (log.store.read("rejects.jsonl") or b"").decode("utf-8", "replace").splitlines()
    kept = [line for line in lines if json.loads(line).get("file") != source_file]
    if len(kept) < len(lines):
        edit.put("rejects.jsonl", "".join(f"{line}\n" for line in kept).encode())
    return len(lines) - len(kept)


def _forget_file(edit: Edit, log: Log, source_file: str) -> None:
    source: dict[str, Any] = log.manifest["source"]
    files: Collection[dict[str, Any]] = source.get("files", [])
    kept = [file for file in files if file["file"] != source_file]
    edit.put(MANIFEST, manifest_bytes({**log.manifest, "source": {**source, "files": kept}}))
