"""The process behind a job: does what its folder asks, tells how far it is, and pauses or ends when it is told to."""

import _thread
import contextlib
import json
import os
import shutil
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

import ofclab as ofc

BEAT_SECONDS = 0.5


class Reporter:
    """Tells the state of a job twice a second and obeys the wishes that lie in its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = "running"
        self.counts: dict[str, Any] = {}
        self._begun, self._paused = time.perf_counter(), 0.0
        self._first: int | None = None
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def start(self) -> None:
        """Begin to tell."""
        self._thread.start()

    def wish(self) -> str:
        """What somebody wants of the job now."""
        try:
            return (self.folder / "wish").read_text(encoding="utf-8")
        except OSError:
            return ""

    def _beat(self) -> None:
        interrupted = False
        while not self._ended.wait(BEAT_SECONDS):
            self.tell()
            if not interrupted and self.wish() in ("cancel", "discard"):
                interrupted = True
                _thread.interrupt_main()

    def tell(self) -> None:
        """Write the state down, whole."""
        with self._lock:
            told = {"state": self.state, "pid": os.getpid(), "beat": time.time(), **self.counts}
            new = self.folder / f".state.{os.getpid()}"
            new.write_text(json.dumps(told), encoding="utf-8")
            new.replace(self.folder / "state.json")

    def count(self, done: int, total: int, **more: Any) -> None:
        """Take note of work done; here the job waits while it is paused."""
        if self._first is None:
            self._first = done
            self._begun, self._paused = time.perf_counter(), 0.0
        seconds = time.perf_counter() - self._begun - self._paused
        rate = (done - self._first) / seconds if seconds > 0 else 0.0
        self.counts = {"done": done, "total": total, "rate": rate, "seconds": seconds, **more}
        began = time.perf_counter()
        while self.wish() == "pause":
            self.state = "paused"
            time.sleep(0.2)
        if self.state == "paused":
            self.state = "running"
            self._paused += time.perf_counter() - began

    def end(self, state: str, error: str = "") -> None:
        """Tell how it ended, for good."""
        self._ended.set()
        self._thread.join()
        self.state = state
        self.counts = {**self.counts, **({"error": error} if error else {})}
        self.tell()


def read_rules(folder: Path, key: str) -> ofc.Rules:
    """A ruleset the dashboard has put into the job's folder."""
    kept = json.loads((folder / "rules" / f"{key}.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as place:
        file = Path(place, "rules.toml")
        file.write_text(kept["toml"], encoding="utf-8")
        return ofc.load_rules(file).model_copy(update={"name": kept["name"]})


def simulation(folder: Path, asked: Mapping[str, Any], report: Reporter) -> None:
    """Play a log; one that was interrupted goes on."""

    def progress(now: Any) -> None:
        whole = asked["tables"] * asked["hands"]
        there = max(whole - now.hands_to_play, 0)
        report.count(there + now.hands, whole, parts_done=now.parts_done, parts=now.parts)

    values = asked.get("fantasyland_values")
    ofc.simulate(
        read_rules(folder, "rules"), asked["strategies"], tables=asked["tables"], hands=asked["hands"],
        seed=asked["seed"], out=asked["out"], workers=asked.get("workers", 1), stacks=asked.get("stacks"),
        fantasyland_values=values and {int(cards): worth for cards, worth in values.items()}, progress=progress,
    )  # fmt: skip


def tournament(folder: Path, asked: Mapping[str, Any], report: Reporter) -> None:
    """Play every pair of strategies on mirrored deals and keep the tables."""
    found = ofc.tournament(
        asked["strategies"], read_rules(folder, "rules"), deals=asked["deals"], seed=asked["seed"],
        seats=asked["seats"], workers=asked.get("workers", 1), progress=report.count,
    )  # fmt: skip
    for name in ("pairs", "rates"):
        keep(folder, name, getattr(found, name))


def comparison(folder: Path, asked: Mapping[str, Any], report: Reporter) -> None:
    """Play two rulesets anew on the same shuffles, whole or a change at a time, and keep the tables."""
    a, b = (read_rules(folder, key) for key in ("a", "b"))
    size = {name: asked[name] for name in ("strategies", "tables", "hands", "seed")}
    runs, last, finished = max(int(asked.get("runs", 2)), 1), 0, 0

    def progress(now: Any) -> None:
        nonlocal last, finished
        finished += now.hands < last
        last = now.hands
        each = asked["tables"] * asked["hands"]
        report.count(finished * each + now.hands, runs * each)

    if asked.get("steps"):
        changes = ofc.one_change_at_a_time(a, b, progress=progress, **size)
        keep(folder, "steps", changes.steps)
        keep(folder, "alone", changes.alone)
        notes = changes.notes
    else:
        found = ofc.compare_rules([a, b], progress=progress, **size)
        keep(folder, "differences", found.differences)
        keep(folder, "levels", found.levels)
        notes = found.notes
    (folder / "notes.json").write_text(json.dumps(list(notes)), encoding="utf-8")


def review(folder: Path, asked: Mapping[str, Any], report: Reporter) -> None:
    """Judge the decisions of a log and keep them; what the log itself keeps is not judged again."""

    def progress(now: Any) -> None:
        report.count(now.done, max(now.decisions, 1))

    found = ofc.review(
        asked["log"], player=asked["player"], level=asked["level"], workers=asked.get("workers", 1), progress=progress
    )
    keep(folder, "decisions", found.decisions)
    told = {"information": found.information, "hands": found.hands, "player_hands": found.player_hands}
    (folder / "notes.json").write_text(json.dumps(told), encoding="utf-8")


def keep(folder: Path, name: str, frame: pl.DataFrame) -> None:
    """Put a table into the job's folder, whole or not at all."""
    new = folder / f".{name}.parquet"
    frame.write_parquet(new)
    new.replace(folder / f"{name}.parquet")


KINDS: dict[str, Callable[[Path, Mapping[str, Any], Reporter], None]] = {
    "simulation": simulation,
    "tournament": tournament,
    "comparison": comparison,
    "review": review,
}


def leave_nothing(asked: Mapping[str, Any], wished: str) -> None:
    """After a cancelled simulation: remove its log where nobody wants it, or where not one part of it is finished."""
    out = asked.get("out")
    if out and (wished == "discard" or not any(Path(out, "hands").glob("part-*.parquet"))):
        shutil.rmtree(out, ignore_errors=True)


def main(folder: Path) -> int:
    """Do the job of a folder; 0 when it was done or ended by a wish."""
    asked = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    with contextlib.suppress(OSError, AttributeError):
        os.nice(5)  # The pages come first.
    report = Reporter(folder)
    report.tell()
    report.start()
    try:
        KINDS[asked["kind"]](folder, asked, report)
    except KeyboardInterrupt:
        leave_nothing(asked, report.wish())
        report.end("cancelled")
        return 0
    except (ValueError, OSError) as error:
        report.end("failed", str(error))
        return 1
    except Exception as error:
        traceback.print_exc()
        report.end("failed", f"{type(error).__name__}: the details are in {folder / 'log.txt'}")
        return 1
    report.end("done")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
