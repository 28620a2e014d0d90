"""The library's shelf: how large a log is on disk, a new name for it, and its removal."""

import shutil
from pathlib import Path

import jobs
import loaders


class ShelfError(ValueError):
    """A log that cannot be renamed or removed; the message says why."""


def size(entry: loaders.Entry) -> int:
    """Bytes of a log, scores included."""
    return sum(file.stat().st_size for file in entry.path.rglob("*") if file.is_file())


def size_said(size: int) -> str:
    """A size as people say it.

    >>> size_said(312_000), size_said(4_200_000)
    ('312\\xa0kB', '4.2\\xa0MB')
    """
    for unit, worth in (("GB", 1e9), ("MB", 1e6)):
        if size >= worth:
            return f"{size / worth:.1f}\xa0{unit}"
    return f"{max(round(size / 1e3), 1)}\xa0kB"


def is_own(entry: loaders.Entry) -> bool:
    """Whether a log is the user's, to be renamed and removed: the samples are not."""
    samples = [folder.resolve() for folder in loaders.folders() if folder.name == "samples"]
    return not any(entry.path.resolve().is_relative_to(folder) for folder in samples)


def _at_work(entry: loaders.Entry) -> list[jobs.Job]:
    """The jobs that write this log; ShelfError when one is at work."""
    path = entry.path.resolve()
    found = [job for job in jobs.every().values() if job.log_folder and job.log_folder.resolve() == path]
    for job in found:
        if job.is_active:
            raise ShelfError(f"{entry.name} is being played; cancel the run first")
    return found


def _check(entry: loaders.Entry) -> list[jobs.Job]:
    if not is_own(entry):
        raise ShelfError(f"{entry.name} is one of the samples; they stay as they are")
    if not (entry.path / "manifest.json").is_file():
        raise ShelfError(f"{entry.path} holds no log any more")
    return _at_work(entry)


def rename(entry: loaders.Entry, name: str) -> str:
    """Give a log another name and return it. ShelfError when the name cannot be or is taken."""
    jobs_of_it = _check(entry)
    try:
        new = jobs.check_name(name.strip())
    except jobs.JobError as error:
        raise ShelfError(str(error)) from None
    if new in loaders.library() or (entry.path.parent / new).exists():
        raise ShelfError(f"{new} is taken; choose another name")
    entry.path.rename(entry.path.parent / new)
    for job in jobs_of_it:
        jobs.forget(job, with_log=False)
    return new


def remove(entry: loaders.Entry) -> None:
    """Delete a log from the disk. ShelfError when it must stay."""
    jobs_of_it = _check(entry)
    if entry.path.is_symlink():
        Path(entry.path).unlink()
    else:
        shutil.rmtree(entry.path)
    for job in jobs_of_it:
        jobs.forget(job, with_log=False)
