"""Files that are read together: states of the same hands in files of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from ofclab.importers.model import ImportedHand, Importer, Reject

Found = tuple[Path, Importer | None, str]
"""A file, its importer (None: there is none), and why."""


class Together:
    """Files of one folder as one source, read by an importer with ``read_together``."""

    def __init__(self, importer: Importer, paths: Sequence[Path]) -> None:
        self.importer, self.paths = importer, tuple(paths)
        self.name, self.description, self.rules = importer.name, importer.description, importer.rules

    def detect(self, path: Path, head: bytes) -> str | None:
        """What the importer says."""
        return self.importer.detect(path, head)

    def read(self, path: Path, timezone: str) -> Iterator[ImportedHand | Reject]:
        """Every hand of the files, in their order."""
        read: Iterator[ImportedHand | Reject] = self.importer.read_together(self.paths, timezone)  # type: ignore[attr-defined]
        return read


def together(found: Iterable[Found]) -> Iterator[Found]:
    """The files with those of one folder made one that follow each other and that their importer reads together."""

    def source(one: Found) -> tuple[object, Importer | None, object]:
        path, importer, _ = one
        return (path.parent, importer, None) if hasattr(importer, "read_together") else (path, importer, path)

    for _, group in groupby(found, source):
        files: Sequence[Found] = list(group)
        path, importer, reason = files[0]
        if len(files) == 1 or importer is None:
            yield from files
        else:
            yield path.parent, Together(importer, [file for file, _, _ in files]), f"{len(files)} files: {reason}"
