import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from clusters import environment
from object_store import Bucket
from run_players import Slow
from test_runs import RULES, play
from typer.testing import CliRunner

from ofclab.cli import app
from ofclab.log import collect, open_log, verify
from ofclab.log.errors import CannotWrite
from ofclab.log.store import Store
from ofclab.runs import RunError


def parts(files: dict[str, bytes]) -> dict[str, bytes]:
    """What a run writes; the streets of fouls come later, when somebody asks for them."""
    written = {name: content for name, content in files.items() if name.endswith(".parquet")}
    return {name: content for name, content in written.items() if not name.startswith("foul_streets")}


def local(folder: Path) -> dict[str, bytes]:
    """Every file of a local log."""
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three parts in a folder."""
    path = play(tmp_path_factory.mktemp("local") / "whole").path
    assert isinstance(path, Path)
    return path


def test_a_run_in_a_bucket_has_the_bytes_of_one_in_a_folder(bucket: Bucket, whole: Path) -> None:
    run = play(f"{bucket.url}/run", storage_options=bucket.options)
    found, here = bucket.files("run"), local(whole)
    assert found.keys() == here.keys()
    assert parts(found) == parts(here)
    assert "secret" not in repr(run)
    log = open_log(f"{bucket.url}/run", bucket.options)
    assert collect(log.results()).equals(collect(open_log(whole).results()))
    assert (run.log.n_hands, log.is_complete, verify(log).ok) == (10_000, True, True)


def test_a_finished_run_in_a_bucket_is_returned_as_it_is(bucket: Bucket, whole: Path) -> None:
    url = bucket.take(whole, "run")
    told: list[Any] = []
    assert play(url, storage_options=bucket.options, progress=told.append).log.is_complete
    assert not told
    with pytest.raises(RunError, match=f"{url} holds another run: seed is 3 there, 4 here"):
        play(url, storage_options=bucket.options, seed=4)


def test_a_killed_run_in_a_bucket_resumes_to_the_same_bytes(bucket: Bucket, tmp_path: Path) -> None:
    (tmp_path / "slow").touch()
    script = tmp_path / "script.py"
    script.write_text(
        "from run_players import Slow\n"
        "from test_runs import play\n"
        f"play({bucket.url + '/run'!r}, Slow(folder={str(tmp_path)!r}), storage_options={bucket.options!r})\n"
    )
    process = subprocess.Popen([sys.executable, str(script)], env=environment())
    deadline = time.monotonic() + 120
    while not bucket.store("run").names("hands"):
        assert process.poll() is None, "the run ended before it was killed"
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (tmp_path / "slow").unlink()
    begun = open_log(f"{bucket.url}/run", bucket.options)
    assert 1 <= len(begun.parts) < 3
    resumed = play(f"{bucket.url}/run", Slow(folder=str(tmp_path)), storage_options=bucket.options)
    assert resumed.log.is_complete
    here = play(tmp_path / "whole", Slow()).path
    assert isinstance(here, Path)
    assert parts(bucket.files("run")) == parts(local(here))


def test_a_store_that_takes_no_more_ends_the_run(bucket: Bucket, whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    upload, put = Store._upload, []

    def full(store: Store, name: str, content: bytes) -> None:
        put.append(name)
        if name.startswith("seats") and len(put) > 6:
            raise CannotWrite(f"cannot write {name}: the store is full")
        upload(store, name, content)

    monkeypatch.setattr(Store, "_upload", full)
    with pytest.raises(CannotWrite, match="the store is full") as caught:
        play(f"{bucket.url}/run", storage_options=bucket.options)
    assert "1 of 3 parts are finished in s3://" in caught.value.__notes__[0]
    monkeypatch.undo()
    play(f"{bucket.url}/run", storage_options=bucket.options)
    assert parts(bucket.files("run")) == parts(local(whole))


def test_an_interrupt_leaves_no_empty_object(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    upload = Store._upload

    def interrupted(store: Store, name: str, content: bytes) -> None:
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)
        upload(store, name, content)

    monkeypatch.setattr(Store, "_upload", interrupted)
    with pytest.raises(KeyboardInterrupt):
        bucket.store("run").put("part", b"whole")
    assert bucket.files("run") == {"part": b"whole"}


def test_the_program_writes_to_a_bucket(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in bucket.options.items():
        monkeypatch.setenv(name.upper(), value)
    players = ["--strategy", "random_legal", "--strategy", "random_legal"]
    size = ["--tables", "3", "--hands", "4", "--out", f"{bucket.url}/run"]
    played = CliRunner().invoke(app, ["simulate", "--rules", RULES, *players, *size])
    assert played.exit_code == 0, played.output
    assert f"{bucket.url}/run: 12 hands in 1 parts" in played.stdout
    assert CliRunner().invoke(app, ["verify", f"{bucket.url}/run"]).exit_code == 0
    reported = CliRunner().invoke(app, ["report", f"{bucket.url}/run", "--metric", "foul_rate"])
    assert reported.exit_code == 0, reported.output
