import os
import signal
from collections.abc import Iterator
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from clusters import by_hand, give_up_at_once
from distributed import Client
from object_store import Bucket
from run_players import Faulty, Mortal, Slow
from test_runs import RULES, parquet, play
from typer.testing import CliRunner

from ofclab.cli import app
from ofclab.log import open_log, verify
from ofclab.runs import Progress, RunError, simulate
from ofclab.runs.cluster import connected


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of the cluster that is started where no scheduler is named, two workers."""
    with connected(None, 2) as started:
        started.wait_for_workers(2, timeout=60)
        yield started


@pytest.fixture
def address(client: Client) -> str:
    """Address of that cluster's scheduler."""
    return str(client.scheduler_info()["address"])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Hashes of a run of three parts, played here."""
    return parquet(play(tmp_path_factory.mktemp("local") / "whole").path)


def on_cluster(out: Path, scheduler: Any, player: Any = "random_legal", **changes: Any) -> dict[str, str]:
    return parquet(play(out, player, engine="dask", scheduler=scheduler, **changes).path)


def test_a_cluster_writes_the_same_bytes(
    tmp_path: Path, client: Client, whole: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Progress] = []
    monkeypatch.chdir(tmp_path)
    assert on_cluster(Path("run"), client, progress=seen.append) == whole
    last = seen[-1]
    assert (last.parts_done, last.parts, last.hands, last.hands_to_play) == (3, 3, 10_000, 10_000)
    assert client.status == "running"
    for part in (tmp_path / "run").rglob("part-000001.parquet"):
        part.unlink()
    assert on_cluster(tmp_path / "run", client) == whole


def test_a_cluster_writes_the_same_bytes_to_a_bucket(client: Client, bucket: Bucket, whole: dict[str, str]) -> None:
    play(f"{bucket.url}/run", engine="dask", scheduler=client, storage_options=bucket.options)
    found = {name: sha256(content).hexdigest() for name, content in bucket.files("run").items()}
    assert {name: digest for name, digest in found.items() if name.endswith(".parquet")} == whole


@pytest.mark.slow
def test_clusters_of_a_run_and_of_another_host_write_the_same_bytes(tmp_path: Path, whole: dict[str, str]) -> None:
    assert on_cluster(tmp_path / "run", None, workers=2) == whole
    with by_hand(tmp_path) as scheduler:
        assert on_cluster(tmp_path / "by-hand", scheduler) == whole


def test_a_killed_worker_loses_and_doubles_nothing(tmp_path: Path, client: Client) -> None:
    (tmp_path / "slow").touch()
    processes = list(client.run(os.getpid).values())
    under_way = []

    def kill(progress: Progress) -> None:
        if progress.hands and (tmp_path / "slow").exists():
            under_way.append(progress)
            os.kill(processes[0], signal.SIGKILL)
            (tmp_path / "slow").unlink()

    found = on_cluster(tmp_path / "run", client, Slow(folder=str(tmp_path)), progress=kill)
    assert [progress.parts_done for progress in under_way] == [0]
    assert found == parquet(play(tmp_path / "whole", Slow()).path)
    assert not list((tmp_path / "run").rglob("*.tmp"))
    log = open_log(tmp_path / "run")
    assert (log.n_hands, log.is_complete, verify(log).ok) == (10_000, True, True)
    client.wait_for_workers(2, timeout=60)
    assert processes[0] not in client.run(os.getpid).values()


def test_a_part_that_kills_its_workers_is_named_and_the_others_finish(
    tmp_path: Path, client: Client, address: str
) -> None:
    # Not after more workers: each takes a second to start, and four to load the kernels.
    client.run_on_scheduler(give_up_at_once)
    (tmp_path / "always").touch()
    with pytest.raises(RunError, match=r"1 parts failed: part 2 \(tables 80 to 99\): its worker was killed 1 times"):
        on_cluster(tmp_path / "run", address, Mortal(folder=str(tmp_path)))
    assert open_log(tmp_path / "run").parts == [0, 1]
    (tmp_path / "always").unlink()
    mortal = parquet(play(tmp_path / "whole", Mortal()).path)
    assert on_cluster(tmp_path / "run", address, Mortal(folder=str(tmp_path))) == mortal


def test_a_part_that_fails_is_named_and_the_others_finish(tmp_path: Path, client: Client) -> None:
    (tmp_path / "fault").touch()
    with pytest.raises(
        RunError, match=r"part 2 \(tables 80 to 99\): the player divided by zero. 2 of 3 parts"
    ) as caught:
        on_cluster(tmp_path / "run", client, Faulty(folder=str(tmp_path)))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert open_log(tmp_path / "run").parts == [0, 1]


def test_players_of_a_script_go_along_with_their_code(tmp_path: Path, client: Client) -> None:
    class Mine:
        label = "mine"

        def choose(self, view: Any) -> Any:
            return view.legal_placements()[-1]

    run = simulate(
        RULES, [Mine(), "random_legal"], tables=2, hands=3, out=tmp_path / "run", engine="dask", scheduler=client
    )
    here = simulate(RULES, [Mine(), "random_legal"], tables=2, hands=3, out=tmp_path / "here")
    assert parquet(run.path) == parquet(here.path)


def test_workers_with_other_packages_play_nothing(
    tmp_path: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ofclab.runs.cluster.fingerprint", lambda: {"polars": "0.1"})
    with pytest.raises(RunError, match=r"the worker tcp://.* cannot play: .* has polars .* was planned with 0.1"):
        on_cluster(tmp_path / "run", client)
    assert open_log(tmp_path / "run").parts == []


def test_workers_that_do_not_see_the_log_play_nothing(
    tmp_path: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def moved(job: Any, loads: Any = None) -> bytes:
        (tmp_path / "run").rename(tmp_path / "not-shared")
        return dumps(job)

    from ofclab.runs import cluster

    dumps = cluster.pickle.dumps
    monkeypatch.setattr(cluster.pickle, "dumps", moved)
    with pytest.raises(RunError, match=r"there is no log at .*/run on .*; a run on several machines needs a folder"):
        on_cluster(tmp_path / "run", client)
    assert not (tmp_path / "run").exists()


class Deserted:
    """A client of a cluster that lost its workers, then its scheduler."""

    asynchronous = False

    def __init__(self, is_closed: bool) -> None:
        self.is_closed = is_closed

    def nthreads(self) -> dict[str, int]:
        if self.is_closed:
            raise OSError("connection refused")
        return {}

    def submit(self, *_: object, **__: object) -> "Deserted":
        return self

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: {}


@pytest.mark.parametrize(
    ("is_closed", "words"), [(False, "has had no worker for"), (True, "the scheduler is gone: connection refused")]
)
def test_a_run_does_not_wait_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_closed: bool, words: str
) -> None:
    monkeypatch.setattr("ofclab.runs.cluster.WORKER_SECONDS", 0)
    monkeypatch.setattr("ofclab.runs.cluster.connected", lambda *_: nullcontext(Deserted(is_closed)))
    with pytest.raises(RunError, match=words) as caught:
        on_cluster(tmp_path / "run", "tcp://elsewhere:8786")
    assert "0 of 3 parts are finished" in caught.value.__notes__[0]


def test_what_a_cluster_cannot_be_is_refused(tmp_path: Path) -> None:
    for changes, words in (
        ({"engine": "ray"}, "no engine 'ray'; have local, dask"),
        ({"scheduler": "tcp://127.0.0.1:1"}, "a scheduler is for engine='dask', got engine='local'"),
        ({"engine": "dask", "scheduler": "tcp://127.0.0.1:1", "workers": 2}, "leave out workers=2"),
    ):
        with pytest.raises(RunError, match=words):
            play(tmp_path / "run", **changes)
    assert not (tmp_path / "run").exists()
    for scheduler, words in ((5, "want the address of a scheduler"), ("nowhere", "no scheduler answers at 'nowhere'")):
        with pytest.raises(RunError, match=words):
            on_cluster(tmp_path / "run", scheduler)


def test_the_program_plays_on_a_cluster(tmp_path: Path, address: str) -> None:
    arguments = ["simulate", "--rules", RULES, "--strategy", "random_legal", "--strategy", "random_legal"]
    size = ["--tables", "3", "--hands", "4", "--out", str(tmp_path / "run"), "--engine", "dask"]
    played = CliRunner().invoke(app, [*arguments, *size, "--scheduler", address])
    assert played.exit_code == 0, played.output
    assert "12 hands in 1 parts" in played.stdout
    size[-3] = str(tmp_path / "other")
    refused = CliRunner().invoke(app, [*arguments, *size, "--scheduler", "nowhere"])
    assert refused.exit_code == 2
    assert "no scheduler answers at 'nowhere'" in refused.stderr
    assert "0 of 1 parts are finished" in refused.stderr
