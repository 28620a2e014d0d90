import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from ofclab.log import Log, LogError, LogWriter, open_log
from ofclab.log.parts import part_name
from ofclab.log.schema import HANDS, RESULTS, SEATS
from ofclab.runs import simulate


def file_of(log: Log, table: str, number: int = 0) -> Path:
    return Path(log.path) / table / part_name(number)


def change_manifest(log: Log, **entries: object) -> None:
    path = Path(log.path) / "manifest.json"
    path.write_text(json.dumps({**log.manifest, **entries}))


def test_a_log_opens_with_its_tables(log: Log) -> None:
    assert log.hands.collect_schema() == HANDS
    assert log.seats.collect_schema() == SEATS
    assert log.results().collect_schema() == RESULTS
    assert (log.n_hands, log.n_player_hands) == (120, 360)
    assert log.results().collect().height == 360
    assert log.is_complete
    assert repr(log) == f"<Log {log.path}: 120 hands, 360 player-hands>"
    assert "easy-fantasyland" in log._repr_html_()
    assert log.rules().name == "easy-fantasyland"


def test_results_keep_the_order_of_the_seats(log: Log) -> None:
    seats, results = log.seats.collect(), log.results().collect()
    assert seats.select("hand_id", "seat").equals(results.select("hand_id", "seat"))
    streamed = log.results().collect(engine="streaming")
    assert streamed.equals(results)


def test_a_part_of_the_columns_can_be_asked_for(log: Log) -> None:
    found = log.results().filter(pl.col("table_id") == pl.col("table_id").min()).select("hand_no", "points").collect()
    assert found.columns == ["hand_no", "points"]
    assert found.height == 30


def test_no_log(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"no log at .*nowhere.*manifest.json"):
        open_log(tmp_path / "nowhere")


def test_a_corrupt_manifest_is_named(log: Log) -> None:
    path = Path(log.path) / "manifest.json"
    path.write_text('{"schema_version": "1.')
    with pytest.raises(LogError, match=r"manifest.json is corrupt"):
        open_log(log.path)


def test_a_manifest_of_something_else_is_named(log: Log) -> None:
    (Path(log.path) / "manifest.json").write_text('{"name": "web app", "icons": []}')
    with pytest.raises(LogError, match=r"manifest.json is not the manifest of a hand log"):
        open_log(log.path)


def test_another_major_version_is_refused(log: Log) -> None:
    change_manifest(log, schema_version="2.0")
    with pytest.raises(LogError, match=r"has schema version 2.0; this ofclab reads version 1"):
        open_log(log.path)


def test_a_later_minor_version_is_read(log: Log) -> None:
    change_manifest(log, schema_version="1.7")
    assert open_log(log.path).n_hands == 120


@pytest.mark.parametrize("table", ["hands", "seats"])
def test_a_truncated_part_is_named(log: Log, table: str) -> None:
    path = file_of(log, table)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(LogError, match=rf"{table}/part-000000.parquet is corrupt or cut off"):
        open_log(log.path)


def test_a_corrupt_part_is_named(log: Log) -> None:
    path = file_of(log, "seats")
    path.write_bytes(b"PAR1" + b"\x00" * 500)
    with pytest.raises(LogError, match=r"seats/part-000000.parquet is corrupt"):
        open_log(log.path)


def test_a_part_that_is_no_log_part_is_named(log: Log) -> None:
    pl.DataFrame({"hand_id": [1]}).write_parquet(file_of(log, "hands"))
    with pytest.raises(LogError, match=r"hands/part-000000.parquet is no part of a log"):
        open_log(log.path)


def test_a_part_of_another_log_is_named(log: Log, tmp_path: Path) -> None:
    other = simulate(log.rules(), ["random_legal"] * 3, tables=12, hands=10, seed=6, out=tmp_path / "other").log
    shutil.copy(file_of(other, "hands"), file_of(log, "hands"))
    with pytest.raises(LogError, match=r"hands/part-000000.parquet belongs to another log"):
        open_log(log.path)


def test_a_part_beyond_the_plan_is_named(log: Log) -> None:
    for table in ("hands", "seats"):
        shutil.copy(file_of(log, table), file_of(log, table, 1))
    with pytest.raises(
        LogError, match=r"part-000001.parquet belongs to another log: this one was planned with 1 parts"
    ):
        open_log(log.path)


def test_hands_without_their_seats_are_named(log: Log) -> None:
    file_of(log, "seats").unlink()
    with pytest.raises(LogError, match=r"seats/part-000000.parquet is missing"):
        open_log(log.path)


def test_seats_without_hands_are_a_part_not_yet_written(log: Log) -> None:
    file_of(log, "hands").unlink()
    unfinished = open_log(log.path)
    assert unfinished.n_hands == 0
    assert "unfinished: 0 of 1 parts" in repr(unfinished)
    assert unfinished.results().collect().is_empty()


def test_changed_rules_are_named(log: Log) -> None:
    path = Path(log.path) / "rulesets" / f"{log.rules().id}.toml"
    path.write_text(path.read_text().replace("sweep_bonus = 3", "sweep_bonus = 2"))
    with pytest.raises(LogError, match=r"\.toml was changed"):
        open_log(log.path).rulesets  # noqa: B018
    path.unlink()
    with pytest.raises(LogError, match=r"\.toml is missing"):
        open_log(log.path).rulesets  # noqa: B018


def test_an_empty_log_has_empty_frames(tmp_path: Path) -> None:
    LogWriter(tmp_path / "log", {"kind": "import"})
    log = open_log(tmp_path / "log")
    assert log.hands.collect().schema == HANDS
    assert log.acts.collect().is_empty()
    assert log.ledger.collect().is_empty()
