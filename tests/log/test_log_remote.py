from pathlib import Path

import polars as pl
import pytest
from object_store import Bucket

from ofclab.log import Log, LogError, LogWriter, collect, open_log, verify
from ofclab.log.errors import CannotWrite
from ofclab.log.parts import part_name


@pytest.fixture
def unscored(bucket: Bucket, played: Path) -> str:
    """URL of the small log without its scores."""
    bucket.take(played / "hands", "small/hands")
    bucket.take(played / "seats", "small/seats")
    bucket.take(played / "rulesets", "small/rulesets")
    bucket.store("small").put("manifest.json", (played / "manifest.json").read_bytes())
    return f"{bucket.url}/small"


def test_a_remote_log_reads_and_scores_like_a_local_one(bucket: Bucket, unscored: str, log: Log) -> None:
    remote = open_log(unscored, bucket.options)
    assert repr(remote) == f"<Log {unscored}: 120 hands, 360 player-hands>"
    assert remote.hands.collect().equals(log.hands.collect())
    assert remote.results().collect().equals(log.results().collect())
    assert remote.results().head(7).collect().equals(log.results().head(7).collect())
    fouled = pl.col("fouled") & (pl.col("seat") == 1)
    assert remote.scores().filter(fouled).collect().equals(log.scores().filter(fouled).collect())
    assert collect(remote.results().select(pl.col("points").sum())).item() == 0
    assert verify(remote).ok
    assert "PYTHON SCAN" in remote.scores().explain()
    assert not [name for name in bucket.files("small") if name.startswith("scores")]


def test_a_remote_log_uses_the_scores_that_are_there(bucket: Bucket, played: Path, log: Log) -> None:
    remote = open_log(bucket.take(played, "small"), bucket.options)
    assert "PYTHON SCAN" not in remote.scores().explain()
    assert remote.results().collect().equals(log.results().collect())


def test_the_endpoint_can_come_from_the_environment(
    bucket: Bucket, unscored: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in bucket.options.items():
        monkeypatch.setenv(name.upper(), value)
    assert open_log(unscored).hands.collect().height == 120


def test_what_is_wrong_with_a_remote_log_is_named(bucket: Bucket, unscored: str) -> None:
    with pytest.raises(LogError, match=f"no log at {bucket.url}/nothing"):
        open_log(f"{bucket.url}/nothing", bucket.options)
    part = f"seats/{part_name(0)}"
    store = bucket.store("small")
    store.put(part, (store.read(part) or b"")[:-30])
    with pytest.raises(LogError, match=f"{unscored}/{part} is corrupt or cut off"):
        open_log(unscored, bucket.options)


def test_what_cannot_be_written_is_named(bucket: Bucket) -> None:
    with pytest.raises(
        CannotWrite, match=r"cannot write s3://no-such-bucket/log/manifest.json: .*bucket does not exist"
    ):
        LogWriter("s3://no-such-bucket/log", storage_options=bucket.options)
    bucket.store("other").put("notes.txt", b"not a log")
    with pytest.raises(LogError, match="other exists and is not a log"):
        LogWriter(f"{bucket.url}/other", storage_options=bucket.options)


def test_rules_ledger_and_rejects_are_kept_remotely(bucket: Bucket, log: Log) -> None:
    url = f"{bucket.url}/import"
    writer = LogWriter(url, {"kind": "import"}, log.rulesets.values(), storage_options=bucket.options)
    assert writer.next_number() == 0
    writer.write(writer.next_number(), *log.part(0))
    writer.reject([{"line": 1}])
    writer.reject([{"line": 2}])
    for _ in range(2):
        writer.write_ledger(pl.DataFrame({"session_id": [1], "player": ["ann"], "points": [3]}))
    writer.sweep()
    again = LogWriter(url, storage_options=bucket.options, create=False)
    assert (again.key, again.next_number()) == (writer.key, 1)
    remote = open_log(url, bucket.options)
    assert remote.seats.collect().equals(log.seats.collect())
    assert remote.ledger.collect()["points"].to_list() == [3, 3]
    assert remote.rulesets.keys() == log.rulesets.keys()
    assert bucket.files("import")["rejects.jsonl"].splitlines() == [b'{"line": 1}', b'{"line": 2}']
    with pytest.raises(LogError, match="is another log"):
        LogWriter(url, key=1, storage_options=bucket.options)
