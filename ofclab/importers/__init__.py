"""Import hands other programs and people wrote down: one file a format, found by a scan of this package."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from os import PathLike
from pathlib import Path

from ofclab.importers._together import together
from ofclab.importers.intake import Intake
from ofclab.importers.model import HandError, Importer, Reject
from ofclab.importers.native_jsonl import IMPORTER as NATIVE
from ofclab.importers.report import FileReport, ImportReport
from ofclab.log import Log, open_log
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
    """An importer by name, or by a part of a name that only one has: ``jsonl``, ``sqlite``. UnknownFormat otherwise.

    Switches of a format stand in brackets: ``kkpoker_state_json(confirm=true)``.
    """
    known: dict[str, Importer] = members(__name__, "IMPORTER")
    plain, _, given = name.partition("(")
    alike = [plain] if plain in known else [full for full in known if plain and plain in full]
    if len(alike) != 1:
        raise UnknownFormat(unknown("format", name, [*known, "auto"]))
    importer = known[alike[0]]
    return importer if not given else _with_switches(importer, name, given)


def _with_switches(importer: Importer, name: str, given: str) -> Importer:
    """The importer with its switches set as the brackets say."""
    have: list[str] = [field.name for field in fields(importer)] if is_dataclass(importer) else []
    set_to: dict[str, bool] = {}
    for part in given.removesuffix(")").split(","):
        switch, _, value = (text.strip() for text in part.partition("="))
        if switch not in have or value.lower() not in ("true", "false") or not given.endswith(")"):
            choices = ", ".join(f"{one}=true" for one in have) or "none"
            raise UnknownFormat(f"no switch {part.strip()!r} in {name!r}; {importer.name} has {choices}")
        set_to[switch] = value.lower() == "true"
    return replace(importer, **set_to)  # type: ignore[type-var]


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
    for file, importer, reason in together((file, *_format_of(file, chosen)) for file in files):
        intake.take(file, importer, reason)
    return intake.finish()


def _format_of(file: Path, chosen: Importer | None) -> tuple[Importer | None, str]:
    """The format of a file and why it is that one."""
    try:
        return (chosen, "named by the caller") if chosen else detect(file)
    except OSError as error:
        return None, f"cannot be read: {error.strerror or error}"


def export_hands(log: Log | str | PathLike[str], path: str | PathLike[str], format: str = "jsonl") -> int:
    """Write a log's hands to a file that `import_hands` reads back to the same facts; return how many.

    ``format``: ``jsonl``, a JSON object a hand with everything a log holds of it (see `ofclab.importers.native_jsonl`);
    ``typed_boards``, hands as people type them, without stacks and the order of turns; ``flat13``, thirteen cards a
    player and the points. Players keep their pseudonyms. Raises UnknownFormat for a format that is only read, and
    HandError, before anything is written, for a hand the format cannot hold.
    """
    writers = {name: importer for name, importer in members(__name__, "IMPORTER").items() if hasattr(importer, "write")}
    importer = writers.get(NATIVE.name if format == "jsonl" else format)
    if importer is None:
        choices = ", ".join(["jsonl", *sorted(name for name in writers if name != NATIVE.name)])
        raise UnknownFormat(f"cannot write the format {format!r}; have {choices}")
    written: int = importer.write(log if isinstance(log, Log) else open_log(log), Path(path).expanduser())
    return written


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
