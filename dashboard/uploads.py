"""Uploaded files, taken as hostile: limits on size and number, archives unpacked within them, names without paths."""

import gzip
import io
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

MOST_BYTES = 64 * 2**20
"""Bytes of all files together, as they were sent."""
MOST_UNPACKED = 256 * 2**20
"""Bytes of all files together once archives are unpacked."""
MOST_FILES = 500
_CHUNK = 2**20


class UploadError(ValueError):
    """Files that are not taken; the message says which and why."""


@dataclass(frozen=True)
class Upload:
    """A file as it was sent."""

    name: str
    content: bytes


def safe_name(name: str) -> str:
    """What a file is called here: the last part of its name, of harmless characters, never a path.

    >>> safe_name("../../etc/pass<wd>.txt"), safe_name("C:\\\\x\\\\hands 1.db"), safe_name("..")
    ('pass_wd_.txt', 'hands 1.db', 'file')
    """
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    kept = re.sub(r"[^\w.+ -]", "_", last).strip(" .")
    return kept[-100:].strip(" .") or "file"


def unpack(uploads: Sequence[Upload]) -> list[Upload]:
    """The files, those of zip and gzip archives one by one. UploadError for what is too large, too many or broken."""
    sent = sum(len(upload.content) for upload in uploads)
    if sent > MOST_BYTES:
        raise UploadError(f"{sent / 2**20:.0f} MB were sent; want at most {MOST_BYTES >> 20} MB at a time")
    found: list[Upload] = []
    room = MOST_UNPACKED
    for upload in uploads:
        for name, content in _inside(upload, room):
            room -= len(content)
            found.append(Upload(safe_name(name), content))
            if len(found) > MOST_FILES:
                raise UploadError(f"{upload.name}: more than {MOST_FILES} files at a time")
    return found


def _inside(upload: Upload, room: int) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files in an upload; itself where it is no archive."""
    try:
        if upload.content.startswith(b"PK\x03\x04"):
            yield from _members(upload, room)
        elif upload.content.startswith(b"\x1f\x8b"):
            with gzip.GzipFile(fileobj=io.BytesIO(upload.content)) as file:
                yield upload.name.removesuffix(".gz"), _read(file, room, upload.name)
        else:
            yield upload.name, upload.content
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise UploadError(f"{upload.name} cannot be unpacked: {error}") from None


def _members(upload: Upload, room: int) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(upload.content)) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        if len(members) > MOST_FILES:
            raise UploadError(f"{upload.name}: {len(members):,} files; want at most {MOST_FILES}")
        for member in members:
            if member.flag_bits & 1:
                raise UploadError(f"{upload.name}: {member.filename!r} is encrypted")
            with archive.open(member) as file:
                content = _read(file, room, upload.name)
            room -= len(content)
            yield member.filename, content


def _read(file: IO[bytes], room: int, name: str) -> bytes:
    """Read to the end, but no more than there is room for: what an archive says of its sizes may be a lie."""
    chunks, size = [], 0
    while chunk := file.read(_CHUNK):
        size += len(chunk)
        if size > room:
            raise UploadError(f"{name} unpacks to more than {MOST_UNPACKED >> 20} MB")
        chunks.append(chunk)
    return b"".join(chunks)


def write(folder: Path, uploads: Sequence[Upload]) -> list[Path]:
    """Write files below a folder, each in one of its own, so that equal names do not meet."""
    paths = []
    for number, upload in enumerate(uploads):
        path = folder / f"{number:03d}" / safe_name(upload.name)
        path.parent.mkdir(parents=True)
        path.write_bytes(upload.content)
        paths.append(path)
    return paths
