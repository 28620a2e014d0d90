import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from clusters import environment

from ofclab.log import Log, LogWriter, collect, open_log
from ofclab.log.score import scorer_version
from ofclab.runs import simulate
from ofclab.runs.plan import PART_ROWS

PEAK = """
import json, re, sys
from pathlib import Path

def peak_mb():
    # Not ru_maxrss: a process started by a large one begins with its peak.
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024
"""
PLAYED = """
from ofclab.runs import plan, simulate

def play(out, tables, progress=None):
    simulate("american-pineapple", ["random_legal"] * 2, tables=tables, hands=200, out=out, progress=progress)

plan.PART_ROWS = plan.LEAST_PART_ROWS = 16_384
# A first part, so that kernels that had to be compiled are, which takes more memory than any run; then count anew.
play(sys.argv[1] + "-first", 40)
Path("/proc/self/clear_refs").write_text("5")
peak = {}
def note(progress):
    peak[progress.parts_done] = peak_mb()
play(sys.argv[1], 40 * 8, note)
print(json.dumps(peak))
"""
MEASURED = """
import polars as pl
from ofclab.analytics import foul_rate, points_per_hand
from ofclab.log import collect, open_log

log = open_log(sys.argv[1])
results = log.results(parts=log.parts[: int(sys.argv[2])])
fouls = collect(foul_rate(results, by=["strategy"]))
points = collect(points_per_hand(results, by=["strategy"]))
plain = results.group_by("strategy").agg(
    rows=pl.len(), fouls=pl.col("fouled").mean(), mean=pl.col("points").mean(), sd=pl.col("points").std()
)
rows = collect(plain)["rows"].sum()
peak = peak_mb()
print(json.dumps({"rows": rows, "peak": peak, "clusters": points["clusters"].to_list(), "fouls": fouls.height}))
"""


def told(script: str, *arguments: str) -> dict[str, int]:
    """What a script in a process of its own prints, as JSON."""
    command = [sys.executable, "-c", PEAK + script, *arguments]
    found: dict[str, int] = json.loads(
        subprocess.run(command, env=environment(), capture_output=True, text=True, check=True, timeout=900).stdout
    )
    return found


def test_a_run_holds_no_more_for_more_parts(tmp_path: Path) -> None:
    peak = {int(parts): megabytes for parts, megabytes in told(PLAYED, str(tmp_path / "run")).items()}
    assert max(peak) == 8
    assert peak[8] - peak[2] < 40
    assert peak[8] < 450


def copied(log: Log, out: Path, parts: int) -> Log:
    """A log of so many copies of another's parts, under ids of their own."""
    rules = log.rules()
    tables = {
        "hands": ("", {}),
        "seats": ("", {}),
        "scores": (rules.id, {"ruleset": rules.id, "scorer": scorer_version()}),
    }
    writer = LogWriter(out, {"kind": "copies"}, [rules])
    frames = {
        name: pl.concat([log.read(name, number, folder) for number in log.parts])
        for name, (folder, _) in tables.items()
    }
    hand, table = (int(frames["hands"][name].min()) for name in ("hand_id", "table_id"))
    first = {"hand_id": hand, "match_id": hand, "table_id": table}
    for part in range(parts):
        for name, (folder, note) in tables.items():
            moved = [
                (pl.col(column) - pl.lit(least, pl.UInt64) + part * 10_000_000).cast(pl.UInt64)
                for column, least in first.items()
                if column in frames[name].columns
            ]
            writer.put_part(name, part, frames[name].with_columns(moved), folder, **note)
    return open_log(out)


@pytest.mark.slow
def test_twenty_million_seat_rows_are_measured_in_little_memory(tmp_path: Path) -> None:
    one = simulate(
        "american-pineapple", ["never_bust_greedy", "random_legal"], tables=PART_ROWS // 400, hands=200, seed=1,
        out=tmp_path / "one",
    )  # fmt: skip
    log = copied(one.log, tmp_path / "log", 153)
    assert log.n_player_hands > 20_000_000
    few, all_ = (told(MEASURED, str(tmp_path / "log"), str(parts)) for parts in (15, 153))
    assert all_["rows"] == log.n_player_hands
    assert all_["clusters"] == [153 * one.plan.tables] * 2
    assert all_["peak"] < 600
    assert all_["peak"] - few["peak"] < 150
    one_part = log.results(parts=[7])
    fouled = collect(one_part.select(pl.col("fouled").sum())).item()
    assert fouled == collect(one.log.results().select(pl.col("fouled").sum())).item()
