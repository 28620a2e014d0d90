"""Part files: how they are named, encoded, put in place whole, and read back."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import uuid
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from ofclab.log.errors import CannotWrite, LogError
from ofclab.log.schema import ROW_GROUP, SCHEMA_VERSION

_NAME = re.compile(r"part-(\d{6,})\.parquet")
_TEMPORARY = re.compile(r"\..+-([0-9a-f]{8})-(\d+)-[0-9a-f]{32}\.tmp")
_DELTA = ("hand_id", "table_id", "match_id", "session_id")
_SPLIT = ("placement",)
"""Low-cardinality columns keep dictionaries; ids of neighbours differ by little; bytes of placements repeat."""


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
    table = frame.rechunk().to_arrow(compat_level=pl.CompatLevel.oldest())
    text = json.dumps({"schema": SCHEMA_VERSION, **note}, sort_keys=True)
    table = table.replace_schema_metadata({"ofclab": text})
    special = dict.fromkeys(_DELTA, "DELTA_BINARY_PACKED") | dict.fromkeys(_SPLIT, "BYTE_STREAM_SPLIT")
    encodings = {name: encoding for name, encoding in special.items() if name in frame.columns}
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=ROW_GROUP,
        compression="zstd",
        compression_level=3,
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
    text = (footer.metadata or {}).get(b"ofclab")
    if text is None:
        raise LogError(f"{where} is no part of a log: it carries no ofclab note")
    note: dict[str, Any] = json.loads(text)
    return note
