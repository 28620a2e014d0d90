"""The column chunks made here read back as what was written, by polars and by pyarrow."""

import io

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest

from ofclab.kernels.pages import pack_values
from ofclab.log.parts import encode
from ofclab.log.schema import ROW_GROUP, TABLES
from ofclab.log.thrift import Reader, write_struct


def frame(n: int) -> pl.DataFrame:
    rng = np.random.default_rng(n)
    words = pl.Enum(["low", "middle", "high"])
    return pl.DataFrame(
        {
            "constant": np.full(n, 7, np.uint8),
            "cards": rng.integers(0, 52, n).astype(np.uint8),
            "wide": rng.integers(0, 60_000, n).astype(np.uint16),
            "signed": rng.integers(-30_000, 30_000, n).astype(np.int16),
            "few_signed": rng.integers(-3, 3, n).astype(np.int16),
            "flag": rng.random(n) < 0.5,
            "word": pl.Series(["low", "middle", "high"], dtype=words).gather(rng.integers(0, 3, n)),
            "label": pl.Series(["b", "a\u00e9", ""]).gather(rng.integers(0, 3, n)),
            "text": [str(i) for i in range(n)],
            "some": pl.Series([None, 1]).gather(rng.integers(0, 2, n)).cast(pl.UInt8),
            "some_label": pl.Series([None, "x"]).gather(rng.integers(0, 2, n)),
            "nothing": pl.Series([None] * n, dtype=pl.Int64),
            "no_word": pl.Series([None] * n, dtype=words),
            "no_text": pl.Series([None] * n, dtype=pl.String),
            "hand_id": np.arange(n, dtype=np.uint64),
            "placement": rng.integers(0, 1 << 51, n).astype(np.uint64),
            "front_code": rng.integers(0, 6000, n).astype(np.uint16),
        }
    )


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 1000, ROW_GROUP, ROW_GROUP + 3])
def test_what_was_written_reads_back(n: int) -> None:
    given = frame(n)
    content = encode(given, {"part": 3})
    assert encode(given, {"part": 3}) == content
    read = pl.read_parquet(io.BytesIO(content))
    assert read.equals(given)
    assert read.schema == given.schema
    assert pl.scan_parquet(io.BytesIO(content)).collect(engine="streaming").equals(given)
    with_pyarrow = pq.read_table(io.BytesIO(content), page_checksum_verification=True)
    assert pl.DataFrame(pl.from_arrow(with_pyarrow)).equals(given)
    meta = pq.read_metadata(io.BytesIO(content))
    assert (meta.num_rows, meta.num_row_groups) == (n, max(1, -(-n // ROW_GROUP)))
    some = pl.scan_parquet(io.BytesIO(content)).filter(pl.col("cards") == 5).select("wide", "label")
    assert some.collect().equals(given.filter(pl.col("cards") == 5).select("wide", "label"))


@pytest.mark.parametrize("table", TABLES)
def test_a_table_without_a_value_keeps_its_schema(table: str) -> None:
    given = pl.DataFrame({name: pl.Series([None] * 5, dtype=dtype) for name, dtype in TABLES[table].items()})
    read = pl.read_parquet(io.BytesIO(encode(given, {})))
    assert read.equals(given)
    assert read.schema == given.schema


@pytest.mark.parametrize("different", [1, 2, 3, 52, 255, 256, 257, 5000])
def test_packed_places_are_the_values(different: int) -> None:
    rng = np.random.default_rng(different)
    values = rng.choice(65_536, different, replace=False).astype(np.uint16)[rng.integers(0, different, 1003)]
    dictionary, width, packed = pack_values(values)
    assert list(dictionary) == sorted(set(values.tolist()))
    assert 1 << width >= len(dictionary)
    bits = np.unpackbits(packed, bitorder="little")[: len(values) * width].reshape(-1, width).astype(np.int64)
    assert (dictionary[(bits << np.arange(width)).sum(axis=1)] == values).all()


def test_a_footer_is_written_as_it_was_read() -> None:
    content = encode(frame(100), {})
    size = int.from_bytes(content[-8:-4], "little")
    footer = content[-8 - size : -8]
    assert write_struct(Reader(footer).struct()) == footer
