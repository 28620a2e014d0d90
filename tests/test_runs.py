import json
import os
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from run_players import Counter, Faulty, Mortal, Slow
from typer.testing import CliRunner

from ofclab.cli import app
from ofclab.log import LogError, open_log, verify
from ofclab.rules import load_rules
from ofclab.runs import Progress, Run, RunError, simulate
from ofclab.runs.plan import PART_ROWS, tables_per_part

RULES = "american-pineapple"
# Three parts: 40, 40 and 20 tables.
SIZE = {"tables": 100, "hands": 100, "seed": 3}


def parquet(path: Path) -> dict[str, str]:
    """Hash of every Parquet file of a log."""
    return {
        file.relative_to(path).as_posix(): sha256(file.read_bytes()).hexdigest()
        for file in sorted(path.rglob("*.parquet"))
    }


def play(out: Path, player: Any = "random_legal", **changes: Any) -> Run:
    return simulate(RULES, [player, "random_legal"], out=out, **{**SIZE, **changes})


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The run of SIZE between two random players, in one go."""
    return play(tmp_path_factory.mktemp("run") / "whole")


def test_a_run_is_a_log_of_its_plan(whole: Run) -> None:
    log = whole.log
    assert (log.n_hands, len(log.parts), log.is_complete) == (10_000, 3, True)
    source = log.manifest["source"]
    assert source["strategies"] == ["random_legal", "random_legal"]
    assert (source["tables_per_part"], source["parts"], source["seed"]) == (40, 3, 3)
    assert log.results().select(pl.col("points").sum()).collect().item() == 0
    assert {file.split("/")[0] for file in parquet(whole.path)} == {"hands", "seats", "scores"}
    assert "random_legal v random_legal under american-pineapple" in repr(whole)
    assert "<table>" in whole._repr_html_()


def test_two_workers_write_the_same_bytes(whole: Run, tmp_path: Path) -> None:
    assert parquet(play(tmp_path / "run", workers=2).path) == parquet(whole.path)


def test_a_finished_run_is_returned_as_it_is(whole: Run) -> None:
    before = {file: file.stat().st_mtime_ns for file in whole.path.rglob("*")}
    assert play(whole.path, workers=2).path == whole.path
    assert {file: file.stat().st_mtime_ns for file in whole.path.rglob("*")} == before


def test_a_killed_run_resumes_to_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "slow").touch()
    script = tmp_path / "script.py"
    script.write_text(
        "from run_players import Slow\n"
        "from test_runs import play\n"
        "from pathlib import Path\n"
        "if __name__ == '__main__':\n"
        f"    play(Path({str(tmp_path / 'run')!r}), Slow(folder={str(tmp_path)!r}), workers=2)\n"
    )
    paths = [str(Path(__file__).parent), str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    process = subprocess.Popen([sys.executable, str(script)], env=environment, start_new_session=True)
    hands = tmp_path / "run/hands"
    deadline = time.monotonic() + 300
    while not (hands.exists() and list(hands.glob("part-*"))):
        assert process.poll() is None, "the run ended before it was killed"
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (tmp_path / "slow").unlink()
    begun = open_log(tmp_path / "run")
    assert not begun.is_complete
    resumed = play(tmp_path / "run", Slow(folder=str(tmp_path)))
    assert resumed.log.is_complete
    assert not list(resumed.path.rglob("*.tmp"))
    assert parquet(resumed.path) == parquet(play(tmp_path / "whole", Slow()).path)
    assert verify(resumed.log).ok


def test_a_run_goes_on_when_a_worker_is_killed(tmp_path: Path) -> None:
    (tmp_path / "once").touch()
    run = play(tmp_path / "run", Mortal(folder=str(tmp_path)), workers=2)
    assert not (tmp_path / "once").exists()
    assert parquet(run.path) == parquet(play(tmp_path / "whole", Mortal()).path)


@pytest.mark.slow
def test_a_part_that_kills_its_workers_is_named_and_the_others_finish(tmp_path: Path) -> None:
    (tmp_path / "always").touch()
    with pytest.raises(RunError, match=r"part 2 \(tables 80 to 99\): its worker was killed 3 times.*2 of 3 parts"):
        play(tmp_path / "run", Mortal(folder=str(tmp_path)), workers=2)
    assert open_log(tmp_path / "run").parts == [0, 1]
    (tmp_path / "always").unlink()
    assert play(tmp_path / "run", Mortal(folder=str(tmp_path))).log.parts == [0, 1, 2]


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_part_that_fails_is_named_and_the_others_finish(tmp_path: Path, workers: int) -> None:
    (tmp_path / "fault").touch()
    with pytest.raises(RunError, match=r"1 parts failed: part 2 \(tables 80 to 99\): the player divided by zero"):
        play(tmp_path / "run", Faulty(folder=str(tmp_path)), workers=workers)
    assert open_log(tmp_path / "run").parts == [0, 1]


def test_a_player_that_always_fails_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "faults").touch()
    with pytest.raises(RunError, match=r"3 parts failed: part 0 .*; part 1 .*; part 2 ") as caught:
        play(tmp_path / "run", Faulty(folder=str(tmp_path)), tables=400)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_an_interrupt_leaves_finished_parts_and_says_how_to_resume(tmp_path: Path, whole: Run, workers: int) -> None:
    def stop(progress: Progress) -> None:
        if progress.parts_done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        play(tmp_path / "run", workers=workers, progress=stop)
    assert any("of 3 parts are finished" in note and "the same call" in note for note in caught.value.__notes__)
    done = open_log(tmp_path / "run").parts
    assert 1 <= len(done) < 3
    assert parquet(play(tmp_path / "run").path) == parquet(whole.path)


def test_a_full_disk_ends_the_run_and_says_how_to_resume(
    tmp_path: Path, whole: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, write = [0], os.write

    def full(descriptor: int, content: bytes) -> int:
        written[0] += len(content)
        if written[0] > 300_000:
            raise OSError(28, "No space left on device")
        return write(descriptor, content)

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(LogError, match="No space left on device") as caught:
        play(tmp_path / "run")
    assert "1 of 3 parts are finished" in caught.value.__notes__[0]
    monkeypatch.undo()
    assert parquet(play(tmp_path / "run").path) == parquet(whole.path)


def test_another_plan_for_the_same_folder_is_refused(whole: Run) -> None:
    for change, words in (
        ({"seed": 4}, "seed is 3 there, 4 here"),
        ({"tables": 90}, "tables is 100 there, 90 here"),
        ({"hands": 99}, "hands is 100 there, 99 here"),
        ({"stacks": 100}, r"stacks is None there, \[100, 100\] here"),
        ({"fantasyland_values": 9}, "fantasyland_values is None there"),
        ({"player": "cutoff_rows"}, "strategies is"),
    ):
        with pytest.raises(RunError, match=f"holds another run: {words}"):
            play(whole.path, **change)
    with pytest.raises(RunError, match=r"the rules are american-pineapple \(.*\) there, turbo \(.*\) here"):
        simulate("turbo", ["random_legal"] * 2, out=whole.path, **SIZE)


def test_more_tables_keep_the_hands_of_the_first(whole: Run, tmp_path: Path) -> None:
    more = play(tmp_path / "more", tables=140)
    first = whole.log.seats.collect()
    assert more.log.seats.head(first.height).collect().equals(first)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"tables": 0}, "tables must be a whole number of at least 1, got 0"),
        ({"hands": 2.5}, "hands must be a whole number"),
        ({"seed": -1}, "the seed must be a whole number 0"),
        ({"workers": 0}, "workers must be at least 1"),
        ({"stacks": [100]}, "want a positive stack for each of 2 seats"),
        ({"fantasyland_values": {12: 3}}, "13 to 17 cards"),
    ],
)
def test_what_cannot_be_played_is_refused(wrong: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(RunError, match=words):
        play(tmp_path / "run", **wrong)
    assert not (tmp_path / "run").exists()


def test_seats_must_fit_the_rules(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="seats 2 to 3 players, got 4 strategies"):
        simulate(RULES, ["random_legal"] * 4, out=tmp_path / "run")
    with pytest.raises(RunError, match="one strategy a seat"):
        simulate(RULES, "random_legal", out=tmp_path / "run")


def test_parts_are_cut_by_the_size_of_the_run_alone() -> None:
    assert tables_per_part(100, 100, 2) == 40
    assert tables_per_part(1_000_000, 200, 2) == PART_ROWS // 400
    assert tables_per_part(3, 10, 2) * 20 >= 60
    assert tables_per_part(5, 1_000_000, 3) == 1


def test_a_run_without_a_folder_goes_to_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OFCLAB_HOME", str(tmp_path))
    run = simulate(RULES, ["random_legal"] * 2, tables=2, hands=2, seed=9)
    assert run.path.parent == tmp_path / "data/runs"
    assert run.path.name.startswith("american-pineapple-9-")
    assert simulate(RULES, ["random_legal"] * 2, tables=2, hands=2, seed=9).path == run.path
    assert simulate(RULES, ["random_legal"] * 2, tables=3, hands=2, seed=9).path != run.path


def test_players_that_cannot_be_sent_play_alone(tmp_path: Path) -> None:
    class Local(Counter):
        label = "local"

    with pytest.raises(RunError, match="the strategy local cannot be sent to worker processes"):
        simulate(RULES, [Local(), "random_legal"], tables=2, hands=2, out=tmp_path / "run", workers=2)
    assert simulate(RULES, [Local(), "random_legal"], tables=2, hands=2, out=tmp_path / "run").log.n_hands == 4


def test_players_start_every_part_from_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ofclab.runs.plan.LEAST_PART_ROWS", 8)
    player = Counter()
    run = simulate("turbo", [player, Counter()], tables=4, hands=2, out=tmp_path / "run")
    assert run.log.parts == [0, 1]
    assert player.decisions == 0
    before = parquet(run.path)
    for file in run.path.rglob("part-000001.parquet"):
        file.unlink()
    assert parquet(simulate("turbo", [player, Counter()], tables=4, hands=2, out=tmp_path / "run").path) == before


def test_progress_counts_hands_and_parts(tmp_path: Path) -> None:
    seen: list[Progress] = []
    play(tmp_path / "run", progress=seen.append)
    assert [p.parts_done for p in seen] == sorted(p.parts_done for p in seen)
    assert [p.hands for p in seen] == sorted(p.hands for p in seen)
    last = seen[-1]
    assert (last.parts_done, last.parts, last.hands, last.hands_to_play) == (3, 3, 10_000, 10_000)
    assert last.rate > 0
    assert last.eta == 0


def test_games_that_end_early_leave_nothing_to_play(tmp_path: Path) -> None:
    seen: list[Progress] = []
    run = simulate("spartan-1-6", ["random_legal"] * 2, tables=5, hands=9, out=tmp_path / "run", progress=seen.append)
    assert run.log.n_hands < 45
    assert seen[-1].hands == seen[-1].hands_to_play == run.log.n_hands


def test_a_script_without_a_main_guard_is_told_so(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from ofclab.runs import simulate\n"
        f"simulate({RULES!r}, ['random_legal'] * 2, tables=2, hands=2, out={str(tmp_path / 'run')!r}, workers=2)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    told = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=300)
    assert told.returncode != 0
    assert "under `if __name__ == '__main__':`" in told.stderr


def command(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments))


def test_the_program_plays_and_verifies(tmp_path: Path) -> None:
    out = str(tmp_path / "run")
    arguments = ["simulate", "--rules", RULES, "--strategy", "random_legal", "--strategy", "random_legal"]
    size = ["--tables", "3", "--hands", "4", "--seed", "1", "--out", out]
    played = command(*arguments, *size)
    assert played.exit_code == 0, played.output
    assert "12 hands in 1 parts" in played.stdout
    told = json.loads(command(*arguments, *size, "--json").stdout)
    assert told["hands"] == 12
    assert told["plan"]["strategies"] == ["random_legal", "random_legal"]
    checked = command("verify", out)
    assert checked.exit_code == 0
    assert "nothing wrong" in checked.stdout
    assert json.loads(command("verify", out, "--json").stdout)["ok"] is True
    refused = command(*arguments, *size, "--stacks", "many")
    assert refused.exit_code == 2
    stacked = command(*arguments, "--tables", "2", "--hands", "2", "--stacks", "100,50", "--out", f"{out}-2", "--json")
    assert json.loads(stacked.stdout)["plan"]["stacks"] == [100, 50]


def test_the_program_fails_on_a_wrong_log(tmp_path: Path) -> None:
    run = simulate(RULES, ["random_legal"] * 2, tables=2, hands=2, out=tmp_path / "run")
    part = run.path / "seats/part-000000.parquet"
    content = bytearray(part.read_bytes())
    content[200] ^= 1
    part.write_bytes(content)
    checked = command("verify", str(run.path))
    assert checked.exit_code == 1
    assert "is corrupt" in checked.stdout
    assert load_rules(RULES).id in run.log.rulesets
