"""Import hands other programs and people wrote down: one file a format, found by a scan of this package."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from ofclab.importers.intake import FileReport, ImportReport, Intake
from ofclab.importers.model import HandError, Importer, Reject
from ofclab.importers.native_jsonl import IMPORTER as NATIVE
from ofclab.log import Log
from ofclab.log.library import runs_folder
from ofclab.registry import members, unknown
from ofclab.rules import Rules

__all__ = [
    "FileReport",
    "HandError",
    "ImportReport",
    "Importer",
    "Reject",
    "UnknownFormat",
    "detect",
    "export_hands",
    "formats",
    "get",
    "import_hands",
]

_HEAD = 1 << 16
"""Bytes of a file that tell its format."""

Paths = str | PathLike[str] | Iterable[str | PathLike[str]]


class UnknownFormat(ValueError):
    """A name no importer has."""


def formats() -> dict[str, str]:
    """Names of the formats, each with what it is."""
    return {name: importer.description for name, importer in sorted(members(__name__, "IMPORTER").items())}


def get(name: str) -> Importer:
    """An importer by name, or by a part of a name that only one has: ``jsonl``, ``sqlite``. UnknownFormat otherwise."""
    known: dict[str, Importer] = members(__name__, "IMPORTER")
    alike = [name] if name in known else [full for full in known if name and name in full]
    if len(alike) != 1:
        raise UnknownFormat(unknown("format", name, [*known, "auto"]))
    return known[alike[0]]


def detect(path: Path) -> tuple[Importer | None, str]:
    """The format of a file and why it is that one; None and why not where it is unclear."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head.strip():
        return None, "the file is empty"
    known: dict[str, Importer] = members(__name__, "IMPORTER")
    found = {name: reason for name, importer in known.items() if (reason := importer.detect(path, head))}
    if len(found) == 1:
        name, reason = next(iter(found.items()))
        return known[name], reason
    if not found:
        return None, f"no format knows this file; have {', '.join(sorted(known))}; name one with format="
    said = "; ".join(f"{name}: {reason}" for name, reason in found.items())
    return None, f"several formats know this file ({said}); name one with format="


def import_hands(
    path: Paths,
    format: str = "auto",
    rules: str | Path | Rules | None = None,
    timezone: str | None = None,
    out: str | PathLike[str] | None = None,
) -> ImportReport:
    """Import files of hands into a log, and account for every hand: ``read`` = ``new`` + ``duplicate`` + rejected.

    ``path``: a file, a folder (all files in it), or several of them. ``format``: a name from `formats`; ``auto`` looks
    into each file. ``rules``: a preset, TOML file or Rules the hands are scored under; by default those the source
    names, else the format's preset. ``timezone``: of times that carry none, such as ``Europe/Berlin``; UTC by default.
    ``out``: folder of the log, created or added to; by default ``data/runs/import-<file>`` below $OFCLAB_HOME or the
    working folder. Hands the log has already are counted as duplicates, so importing twice adds nothing.

    Players appear under pseudonyms; ``players.json`` beside the log's folder holds the names. Raises ValueError for an
    unknown format, timezone or ruleset, FileNotFoundError, and LogError where the log cannot be written; a file that
    cannot be understood is no error but a reject.
    """
    chosen = None if format == "auto" else get(format)
    files = _files(path)
    intake = Intake(out if out is not None else _default_folder(files), rules, timezone or "UTC")
    for file in files:
        try:
            importer, reason = (chosen, "named by the caller") if chosen else detect(file)
        except OSError as error:
            importer, reason = None, f"cannot be read: {error.strerror or error}"
        intake.take(file, importer, reason)
    return intake.finish()


def export_hands(log: Log | str | PathLike[str], path: str | PathLike[str], format: str = "jsonl") -> int:
    """Write a log's hands to a file that `import_hands` reads back to the same facts; return how many.

    ``format``: ``jsonl``, a JSON object a hand (see `ofclab.importers.native_jsonl`). Players keep their pseudonyms.
    """
    if format not in ("jsonl", NATIVE.name):
        raise UnknownFormat(f"cannot write the format {format!r}; have jsonl")
    return NATIVE.write(log if isinstance(log, Log) else Path(log), Path(path).expanduser())


def _files(path: Paths) -> list[Path]:
    """The files named, those of folders in alphabetical order. FileNotFoundError naming what is not there."""
    given = [path] if isinstance(path, str | PathLike) else list(path)
    found: list[Path] = []
    for one in map(Path, given):
        one = one.expanduser()
        if one.is_dir():
            inside = sorted(file for file in one.rglob("*") if file.is_file())
            found += [file for file in inside if not _is_aside(file.relative_to(one))]
        elif one.exists():
            found.append(one)
        else:
            raise FileNotFoundError(f"no file or folder {one}")
    if not found:
        raise FileNotFoundError(f"no files in {', '.join(map(str, given)) or 'nothing'}")
    return found


def _is_aside(path: Path) -> bool:
    """Hidden files, and what a database keeps beside itself, are no files of hands."""
    return any(part.startswith(".") for part in path.parts) or path.name.endswith(("-wal", "-shm", "-journal"))


def _default_folder(files: list[Path]) -> Path:
    """Where an import goes when no folder is named."""
    return runs_folder() / f"import-{files[0].stem}"
