"""Part files: how they are named, encoded, put in place whole, and read back."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import uuid
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from ofclab.log.errors import CannotWrite, LogError
from ofclab.log.pages import Frame, frame_of, is_packed, join_columns
from ofclab.log.schema import REQUIRED, ROW_GROUP, SCHEMA_VERSION

_NAME = re.compile(r"part-(\d{6,})\.parquet")
_TEMPORARY = re.compile(r"\..+-([0-9a-f]{8})-(\d+)-[0-9a-f]{32}\.tmp")
_DELTA = ("hand_id", "table_id", "match_id", "session_id")
_SPLIT = ("placement", "front_code", "middle_code", "back_code")
"""Ids of neighbours differ by little; placements and codes have many values whose bytes repeat; others few values, and
keep dictionaries."""
_SPECIAL = dict.fromkeys(_DELTA, "DELTA_BINARY_PACKED") | dict.fromkeys(_SPLIT, "BYTE_STREAM_SPLIT")
_NOTE = "ofclab"
_LEVEL = 1
"""Of zstd: higher ones take a tenth of a scored log's time and save a hundredth of its bytes."""


def part_name(number: int) -> str:
    """File name of a part: ``part-000012.parquet``."""
    return f"part-{number:06d}.parquet"


def part_number(name: str) -> int | None:
    """Number of a part from its file name, None for any other file."""
    match = _NAME.fullmatch(name)
    return int(match[1]) if match else None


def encode(frame: pl.DataFrame, note: Mapping[str, Any]) -> bytes:
    """A frame as Parquet bytes; equal frames and notes give equal bytes.

    ``note`` goes into the footer: which table, log and part this is, and what computed it.
    """
    frame = frame.rechunk()
    text = json.dumps({"schema": SCHEMA_VERSION, **note}, sort_keys=True)
    never_null = REQUIRED.get(note.get("table", ""), ())
    if not frame.height:
        return _with_pyarrow(frame, never_null, text)
    packed = [column.name for column in frame.iter_columns() if is_packed(column, column.name in _SPECIAL)]
    others = _with_pyarrow(frame.drop(packed), never_null, text) if len(packed) < frame.width else None
    told = _frame_of(tuple(frame.schema.items()), never_null)
    return join_columns(frame, packed, told, others, ROW_GROUP, _LEVEL, text.encode())


@lru_cache(maxsize=32)
def _frame_of(schema: tuple[tuple[str, pl.DataType], ...], never_null: Collection[str]) -> Frame:
    """What a file of a schema says of it, whatever its rows."""
    return frame_of(_with_pyarrow(pl.DataFrame(schema=dict(schema)), never_null, ""))


def _with_pyarrow(frame: pl.DataFrame, never_null: Collection[str], text: str) -> bytes:
    table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
    # What cannot be null needs no levels, which take a third of the time to write.
    fields = [field.with_nullable(field.name not in never_null) for field in table.schema]
    table = pa.Table.from_arrays(table.columns, schema=pa.schema(fields, {_NOTE: text}))
    encodings = {name: encoding for name, encoding in _SPECIAL.items() if name in frame.columns}
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=ROW_GROUP,
        compression="zstd",
        compression_level=_LEVEL,
        use_dictionary=[name for name in frame.columns if name not in encodings],
        column_encoding=encodings,
        write_statistics=[name for name in _DELTA if name in frame.columns],
        write_page_checksum=True,
    )
    return bytes(sink.getvalue())


@cache
def machine() -> str:
    """Eight digits for this machine: workers of several may write to one shared folder."""
    return blake2b(socket.gethostname().encode(), digest_size=4).hexdigest()


def put(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: a temporary file beside it, then a rename.

    Raises CannotWrite naming the file and leaves nothing behind when the disk is full or cannot be written.
    """
    temporary = path.with_name(f".{path.stem}-{machine()}-{os.getpid()}-{uuid.uuid4().hex}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            left = memoryview(content)
            while left:
                left = left[os.write(descriptor, left) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(temporary, path)
    except OSError as error:
        raise CannotWrite(f"cannot write {path}: {error.strerror or error}; nothing was left half-written") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def sweep(folder: Path) -> None:
    """Remove temporary files that processes of this machine left when they were killed."""
    for path in folder.rglob(".*.tmp"):
        match = _TEMPORARY.fullmatch(path.name)
        if match and match[1] == machine() and not _is_alive(int(match[2])):
            with contextlib.suppress(OSError):
                path.unlink()


def _is_alive(process: int) -> bool:
    """Tell whether a process of this machine may still be at work."""
    if os.name == "nt":
        # There os.kill would end the process instead of asking after it.
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def note_of(footer: pq.FileMetaData, where: str) -> dict[str, Any]:
    """What `encode` noted in a footer; LogError when the file was not written as a part of a log."""
    text = (footer.metadata or {}).get(_NOTE.encode())
    if text is None:
        raise LogError(f"{where} is no part of a log: it carries no ofclab note")
    note: dict[str, Any] = json.loads(text)
    return note
