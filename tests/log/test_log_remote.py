import shutil
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from object_store import serving

from ofclab.log import Log, LogError, LogWriter, open_log, verify


@pytest.fixture
def options(played: Path, tmp_path: Path) -> Iterator[dict[str, str]]:
    """Storage options of a server that holds the small log as s3://bucket/small, without its scores."""
    shutil.copytree(played, tmp_path / "server/bucket/small", ignore=shutil.ignore_patterns("scores"))
    with serving(tmp_path / "server") as endpoint:
        yield {
            "aws_endpoint_url": endpoint,
            "aws_allow_http": "true",
            "aws_region": "us-east-1",
            "aws_access_key_id": "reader",
            "aws_secret_access_key": "reader",
        }


def test_a_remote_log_reads_and_scores_like_a_local_one(options: dict[str, str], log: Log, tmp_path: Path) -> None:
    remote = open_log("s3://bucket/small", options)
    assert repr(remote) == "<Log s3://bucket/small: 120 hands, 360 player-hands>"
    assert remote.hands.collect().equals(log.hands.collect())
    assert remote.results().collect().equals(log.results().collect())
    assert remote.results().select(pl.col("points").sum()).collect().item() == 0
    assert verify(remote).ok
    assert not (tmp_path / "server/bucket/small/scores").exists()


def test_what_is_wrong_with_a_remote_log_is_named(options: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no log at s3://bucket/nothing"):
        open_log("s3://bucket/nothing", options)
    part = tmp_path / "server/bucket/small/seats/part-000000.parquet"
    part.write_bytes(part.read_bytes()[:-30])
    with pytest.raises(LogError, match=r"s3://bucket/small/seats/part-000000.parquet is corrupt or cut off"):
        open_log("s3://bucket/small", options)
    with pytest.raises(LogError, match="is remote; logs are written to local folders"):
        LogWriter("s3://bucket/small")
