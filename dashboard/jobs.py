"""Work in the background: a process a job, whose state lies in its folder, so that every tab and session sees it."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import loaders
import streamlit as st

import ofclab as ofc

MOST_AT_ONCE = 2
"""Jobs at work at the same time, of all sessions together."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,79}")
"""What a log or a job may be called: it becomes a folder."""
ACTIVE = ("starting", "running", "paused")
SILENT_SECONDS = 20.0
"""A job that has not told its state for so long has ended without saying so."""


class JobError(ValueError):
    """A job that cannot be started; the message says why."""


@dataclass(frozen=True)
class Job:
    """One job as its folder tells it. ``state``: starting, running, paused, done, cancelled, failed, interrupted."""

    name: str
    folder: Path
    kind: str
    asked: Mapping[str, Any]
    state: str
    told: Mapping[str, Any]

    @property
    def is_active(self) -> bool:
        """Whether a process is at work on it, or waits to go on."""
        return self.state in ACTIVE

    @property
    def done(self) -> int:
        """Units of work done: hands, or matches of a tournament."""
        return int(self.told.get("done", 0))

    @property
    def total(self) -> int:
        """Units of work in all, 0 as long as nobody knows."""
        return int(self.told.get("total", 0))

    @property
    def rate(self) -> float:
        """Units a second since it was started, pauses left out."""
        return float(self.told.get("rate", 0.0))

    @property
    def error(self) -> str:
        """What went wrong, in words."""
        return str(self.told.get("error", ""))

    @property
    def log_folder(self) -> Path | None:
        """Where the log of a simulation goes."""
        out = self.asked.get("out")
        return Path(out) if out else None


def jobs_folder() -> Path:
    """Where the jobs of this library keep their state; the logs they write stand beside it."""
    return loaders.runs_folder() / ".jobs"


@st.cache_resource
def _children() -> tuple[dict[str, subprocess.Popen[bytes]], threading.Lock]:
    """Processes this server has started, by folder; one lock, so that the limit holds across sessions."""
    return {}, threading.Lock()


def _read(file: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def write_whole(file: Path, text: str) -> None:
    """Write a file that others read at any moment: whole or not at all."""
    new = file.with_name(f".{file.name}.{os.getpid()}.{threading.get_ident()}")
    new.write_text(text, encoding="utf-8")
    new.replace(file)


def load(folder: Path) -> Job | None:
    """The job of a folder, None where there is none."""
    asked, told = _read(folder / "job.json"), _read(folder / "state.json") or {}
    if asked is None or not isinstance(asked.get("kind"), str):
        return None
    state = str(told.get("state", "interrupted"))
    if state in ACTIVE:
        child = _children()[0].get(str(folder))
        ended = child is not None and child.poll() is not None
        if ended or time.time() - float(told.get("beat", 0)) > SILENT_SECONDS:
            # Read again: it may have said its last word in between.
            told = _read(folder / "state.json") or told
            state = str(told.get("state"))
            state = "interrupted" if state in ACTIVE else state
    return Job(folder.name, folder, asked["kind"], asked, state, told)


def every(kind: str | None = None) -> dict[str, Job]:
    """The jobs of the library by name, the latest first; of one kind or all."""
    folders = jobs_folder().glob("*/job.json")
    found = [job for file in folders if (job := load(file.parent)) is not None and kind in (None, job.kind)]
    return {job.name: job for job in sorted(found, key=lambda job: -float(job.asked.get("asked_at", 0)))}


def active() -> list[Job]:
    """Jobs at work now."""
    return [job for job in every().values() if job.is_active]


def check_name(name: str, kind: str = "log") -> str:
    """A name somebody gave, if it can be a folder; JobError otherwise."""
    if not NAME.fullmatch(name):
        raise JobError(
            f"{name!r} cannot name a {kind}: use up to 80 letters, digits and . _ + -, a letter or digit first"
        )
    return name


def start(kind: str, name: str, asked: Mapping[str, Any], rules: Mapping[str, ofc.Rules] | None = None) -> Job:
    """Start a job, or go on with an interrupted one of the same name. JobError when too many are at work.

    ``rules``: rulesets it needs by the names `asked` has for them; they are kept in its folder.
    """
    folder = jobs_folder() / check_name(name, "job")
    children, lock = _children()
    with lock:
        at_work = active()
        if any(job.name == name for job in at_work):
            raise JobError(f"{name} is at work already")
        if len(at_work) >= MOST_AT_ONCE:
            names = ", ".join(job.name for job in at_work)
            raise JobError(f"{len(at_work)} jobs are at work ({names}); wait for one to end, or cancel one")
        folder.mkdir(parents=True, exist_ok=True)
        for key, ruleset in (rules or {}).items():
            _keep_rules(folder, key, ruleset)
        (folder / "wish").unlink(missing_ok=True)
        write_whole(folder / "job.json", json.dumps({**asked, "kind": kind, "asked_at": time.time()}, indent=1))
        write_whole(folder / "state.json", json.dumps({"state": "starting", "beat": time.time()}))
        worker = Path(__file__).with_name("worker.py")
        with (folder / "log.txt").open("wb") as output:
            # A session of its own, so that the job goes on when the dashboard is closed.
            children[str(folder)] = subprocess.Popen(
                [sys.executable, str(worker), str(folder.resolve())],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
    found = load(folder)
    assert found is not None
    return found


def _keep_rules(folder: Path, key: str, rules: ofc.Rules) -> None:
    """Write a ruleset so that the worker reads the same one, its name too."""
    place = folder / "rules"
    place.mkdir(exist_ok=True)
    kept = {"name": rules.name, "toml": rules.to_toml()}
    write_whole(place / f"{key}.json", json.dumps(kept))


def again(job: Job) -> Job:
    """Go on with a job that was interrupted, cancelled or failed."""
    return start(job.kind, job.name, {key: job.asked[key] for key in job.asked if key not in ("kind", "asked_at")})


def wish(job: Job, what: str) -> None:
    """Ask a job at work to ``pause``, ``go`` on, ``cancel`` (what is finished stays) or ``discard`` (nothing does)."""
    write_whole(job.folder / "wish", what)


def forget(job: Job, with_log: bool) -> None:
    """Remove a job that is not at work, and what there is of its log if asked to; a log elsewhere is left alone."""
    if job.is_active:
        raise JobError(f"{job.name} is at work; cancel it first")
    out = job.log_folder
    if with_log and out is not None and out.resolve().parent == loaders.runs_folder().resolve():
        shutil.rmtree(out, ignore_errors=True)
    shutil.rmtree(job.folder, ignore_errors=True)
    _children()[0].pop(str(job.folder), None)


def free_name(wanted: str) -> str:
    """A name no log and no job has: the one wanted, or with a number."""
    stem = re.sub(r"[^A-Za-z0-9._+-]+", "-", wanted).strip("-._+")[:70] or "run"
    taken = {path.name for folder in (loaders.runs_folder(), jobs_folder()) for path in folder.glob("*")}
    return next(
        name for number in range(1, 10_000) if (name := stem if number == 1 else f"{stem}-{number}") not in taken
    )


def free_job_name(wanted: str) -> str:
    """A name no job has, for work on a log that is there."""
    taken = set(every())
    return next(
        name for number in range(1, 10_000) if (name := wanted if number == 1 else f"{wanted}-{number}") not in taken
    )
