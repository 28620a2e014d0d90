"""Runs in the background: started, paused, resumed, cancelled, interrupted, limited; seen by every session."""

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import jobs
import pytest
from opening import errors, html, marks, open_page, texts, wait_for_jobs
from streamlit.testing.v1 import AppTest

import ofclab as ofc

QUICK = {"run_tables": "20", "run_hands": "10"}
LONG = {"run_tables": "400", "run_hands": "2000"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An empty library; whatever still plays in it at the end is cancelled."""
    monkeypatch.setenv("OFCLAB_HOME", str(tmp_path))
    yield tmp_path
    for job in jobs.active():
        jobs.wish(job, "discard")
    _until(lambda: not jobs.active())


def _until(holds: Callable[[], object], seconds: float = 180) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, [(job.state, job.told) for job in jobs.every().values()]
        time.sleep(0.1)


def _play(home: Path, monkeypatch: pytest.MonkeyPatch, name: str, **size: str) -> AppTest:
    app = open_page("run", home, monkeypatch, **size)
    app.text_input(key="run_name").input(name).run()
    return app.button(key="run_play").click().run()


def _job(name: str) -> jobs.Job:
    return jobs.every()[name]


def test_a_run_is_played_to_its_end_and_found_in_the_library(home, monkeypatch) -> None:
    app = _play(home, monkeypatch, "first", **QUICK)
    assert not errors(app)
    assert app.query_params["run"] in ("first", ["first"])
    app = wait_for_jobs(app)
    assert "200 hands" in html(app)
    log = ofc.open_log(home / "data" / "runs" / "first")
    assert (log.n_hands, log.is_complete) == (200, True)
    assert log.manifest["source"]["strategies"] == ["never_bust_greedy", "random_legal"]
    # Another session sees the same run.
    assert "done" in marks(open_page("run", home, monkeypatch, run="first"))


def test_a_run_is_paused_resumed_and_cancelled(home, monkeypatch) -> None:
    app = _play(home, monkeypatch, "long", **LONG)
    _until(lambda: _job("long").state == "running" and _job("long").done > 0)
    other = open_page("run", home, monkeypatch, run="long")
    other.button(key="long_pause").click().run()
    _until(lambda: _job("long").state == "paused")
    assert "paused" in marks(app.run())
    app.button(key="long_go").click().run()
    _until(lambda: _job("long").state == "running")
    app.run().button(key="long_keep").click().run()
    _until(lambda: _job("long").state == "cancelled")
    app = app.run()
    assert not errors(app)
    folder = home / "data" / "runs" / "long"
    # Either whole parts of a log that says it is unfinished, or no log at all; never anything half written.
    if folder.exists():
        log = ofc.open_log(folder)
        assert not log.is_complete
        assert log.n_hands > 0
    assert not list(home.rglob("*.tmp"))


def test_a_run_that_nobody_wants_leaves_nothing_behind(home, monkeypatch) -> None:
    app = _play(home, monkeypatch, "gone", **LONG)
    _until(lambda: _job("gone").state == "running")
    app.run().button(key="gone_drop").click().run()
    _until(lambda: _job("gone").state == "cancelled")
    assert not (home / "data" / "runs" / "gone").exists()
    app = app.run()
    assert "No log of it was left behind" in html(app)
    app.button(key="gone_forget").click().run()
    assert not jobs.every()


@pytest.mark.slow
def test_a_killed_run_is_interrupted_and_goes_on(home, monkeypatch) -> None:
    _play(home, monkeypatch, "killed", run_tables="40", run_hands="200")
    _until(lambda: _job("killed").done > 0)
    os.kill(int(_job("killed").told["pid"]), signal.SIGKILL)
    _until(lambda: _job("killed").state == "interrupted")
    app = open_page("run", home, monkeypatch, run="killed")
    assert "interrupted" in marks(app)
    app.button(key="killed_again").click().run()
    app = wait_for_jobs(app)
    assert ofc.open_log(home / "data" / "runs" / "killed").is_complete


def test_a_run_broken_off_on_the_command_line_can_be_resumed(home, monkeypatch) -> None:
    class Stop(Exception):
        pass

    def stop(progress) -> None:
        if progress.parts_done:
            raise KeyboardInterrupt

    out = home / "data" / "runs" / "shell"
    with pytest.raises(KeyboardInterrupt):
        ofc.simulate("american-pineapple", ["random_legal"] * 2, tables=60, hands=80, seed=1, out=out, progress=stop)
    assert not ofc.open_log(out).is_complete
    app = open_page("run", home, monkeypatch)
    app.button(key="go_on_shell").click().run()
    wait_for_jobs(app)
    assert ofc.open_log(out).is_complete


def test_no_more_runs_at_once_than_the_limit(home, monkeypatch) -> None:
    monkeypatch.setattr(jobs, "MOST_AT_ONCE", 1)
    _play(home, monkeypatch, "one", **LONG)
    app = open_page("run", home, monkeypatch)
    assert app.button(key="run_play").disabled
    assert "no more can be started" in marks(app)
    with pytest.raises(jobs.JobError, match="1 jobs are at work"):
        jobs.start("simulation", "two", {"strategies": []})


@pytest.mark.parametrize("name", ["../up", "a/b", ".hidden", "", "x" * 81, "con:"])
def test_a_name_that_is_no_folder_is_refused(name: str) -> None:
    with pytest.raises(jobs.JobError):
        jobs.check_name(name)


def test_a_taken_name_is_refused_with_its_value(home, monkeypatch) -> None:
    (home / "data" / "runs" / "mine").mkdir(parents=True)
    app = _play(home, monkeypatch, "mine", **QUICK)
    assert errors(app)
    assert "mine is taken" in texts(app)


def test_a_strategy_that_is_not_there_is_named(home, monkeypatch) -> None:
    app = open_page("home", home, monkeypatch)
    app.session_state["run_seat_1"] = "no_such"
    app.switch_page("views/run.py").run()
    assert errors(app)
    assert "no_such" in texts(app)


def test_an_unknown_run_in_the_address_is_said(home, monkeypatch) -> None:
    app = open_page("run", home, monkeypatch, run="../../etc")
    assert errors(app) == [":red[:material/error: **There is no run of this name.**]"]


def test_a_broken_job_folder_breaks_no_page(home, monkeypatch) -> None:
    folder = home / "data" / "runs" / ".jobs" / "bad"
    folder.mkdir(parents=True)
    (folder / "job.json").write_text("{", encoding="utf-8")
    other = folder.with_name("odd")
    other.mkdir()
    (other / "job.json").write_text(json.dumps({"kind": "simulation", "strategies": ["random_legal"] * 2, "tables": 1,
                                                "hands": 1, "seed": 1, "out": str(home / "x")}))  # fmt: skip
    app = open_page("run", home, monkeypatch)
    assert not app.exception
    assert not errors(app)
    assert "interrupted" in marks(app)
