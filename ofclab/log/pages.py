"""Column chunks of Parquet files that are made here, and put beside those that pyarrow makes.

Most columns of a log hold few values, and many hold none. Both take pyarrow several times as long as packing them does,
and that was half the time of writing a log. The rest of a file, its schema and how its types are told, is pyarrow's.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from ofclab.kernels.pages import pack_values
from ofclab.log.thrift import (
    BINARY,
    I32,
    I64,
    LIST,
    STRUCT,
    Reader,
    Struct,
    numbers,
    signed,
    varint,
    write_list,
    write_struct,
)

_MAGIC = b"PAR1"
# Numbers of the format: encodings, codecs, kinds of page, and what may be null.
_PLAIN, _RLE, _RLE_DICTIONARY = 0, 3, 8
_UNCOMPRESSED, _ZSTD = 0, 6
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_OPTIONAL = 1
# Numbers of fields: of the footer, a note, a row group, a column chunk, its metadata, and an element of the schema.
_SCHEMA, _ROWS, _GROUPS, _NOTES, _ORDERS = 2, 3, 4, 5, 7
_NOTE_TEXT = 2
_CHUNKS, _BYTES, _GROUP_ROWS, _OFFSET, _COMPRESSED = 1, 2, 3, 5, 6
_META = 3
_WHOLE_SIZE, _SIZE, _DATA_AT, _DICTIONARY_AT = 6, 7, 9, 11
_ELEMENT_TYPE, _REPETITION = 1, 3
_CHUNK_HEAD = b"\x26\0\x1c"
"""A column chunk up to its metadata: the offset that the format no longer uses."""

_SAMPLE = 4096
_FEW = (pl.UInt8, pl.UInt16, pl.Int16, pl.Boolean, pl.Enum)
_MOST_LABELS = 4
"""As many strategies as a table has seats."""


def is_packed(column: pl.Series, is_special: bool) -> bool:
    """Tell whether a column is made here: small numbers or words without a null, unless encoded otherwise; or no value.

    ``is_special``: another encoding is wanted for its values.
    """
    if column.null_count() == len(column):
        return True
    if is_special or column.null_count():
        return False
    return isinstance(column.dtype, _FEW) or (isinstance(column.dtype, pl.String) and _labels(column) is not None)


def _labels(column: pl.Series) -> tuple[list[str], NDArray[np.uint16]] | None:
    """The words of a column in alphabetical order and each row's word among them; None where they are more than a few.

    A few comparisons of whole columns take less time than a hash of every word.
    """
    words: list[str] = []
    places = np.zeros(len(column), np.uint16)
    left = np.ones(len(column), np.bool_)
    while left.any():
        if len(words) == _MOST_LABELS:
            return None
        words.append(column[int(np.argmax(left))])
        equal = (column == words[-1]).to_numpy()
        places[equal] = len(words) - 1
        left &= ~equal
    if len(words) == 1:
        return words, places
    order = np.argsort(np.array(words))
    return [words[i] for i in order], np.argsort(order).astype(np.uint16)[places]


@dataclass(frozen=True)
class Frame:
    """What a file says of its schema: its footer, its long lists written already, and the elements of the schema."""

    footer: Struct
    elements: tuple[Struct, ...]


def frame_of(empty: bytes) -> Frame:
    """The frame of a file that has no rows."""
    footer = read_footer(empty)
    written: Struct = {field: (LIST, write_list(*footer[field][1])) for field in (_SCHEMA, _ORDERS)}
    return Frame({**footer, **written}, tuple(footer[_SCHEMA][1][1][1:]))


def join_columns(
    frame: pl.DataFrame, packed: Sequence[str], told: Frame, others: bytes | None, group: int, level: int, note: bytes
) -> bytes:
    """A Parquet file of a frame.

    ``packed``: the columns to be made here; ``told``: of a file of the same schema with no rows; ``others``: a file of
    the other columns, if there are any, in the same row groups of ``group`` rows; ``level`` of zstd; ``note``: put in
    place of the text that the footer has as its note.
    """
    taken = [] if others is None else read_footer(others)[_GROUPS][1][1]
    made = {name: _values_of(frame[name]) for name in packed}
    codec = pa.Codec("zstd", compression_level=level)
    content, at, groups = [_MAGIC], len(_MAGIC), []
    for number, first in enumerate(range(0, frame.height, group)):
        rows, begun, chunks, whole = min(group, frame.height - first), at, [], 0
        theirs = iter(taken[number][_CHUNKS][1][1] if taken else ())
        for column, element in zip(frame.iter_columns(), told.elements, strict=True):
            if column.name in made:
                part = slice(first, first + rows)
                chunk, size, meta = _make(column, made[column.name], part, element, codec, at)
            else:
                chunk, size, meta = _take(next(theirs)[_META][1], others or b"", at)
            content.append(chunk)
            at += len(chunk)
            whole += size
            chunks.append(_CHUNK_HEAD + meta + b"\0")
        groups.append(
            {
                _CHUNKS: (LIST, (STRUCT, chunks)), _BYTES: (I64, whole), _GROUP_ROWS: (I64, rows),
                _OFFSET: (I64, begun), _COMPRESSED: (I64, at - begun),
            }
        )  # fmt: skip
    footer = _with_note(told.footer, note)
    end = write_struct({**footer, _ROWS: (I64, frame.height), _GROUPS: (LIST, (STRUCT, groups))})
    return b"".join([*content, end, len(end).to_bytes(4, "little"), _MAGIC])


def read_footer(file: bytes) -> Struct:
    """The footer of a Parquet file."""
    size = int.from_bytes(file[-8:-4], "little")
    return Reader(file[-8 - size : -8]).struct()


def _with_note(footer: Struct, text: bytes) -> Struct:
    """A footer whose first note has another text."""
    kind, (of, notes) = footer[_NOTES]
    return {**footer, _NOTES: (kind, (of, [{**notes[0], _NOTE_TEXT: (BINARY, text)}, *notes[1:]]))}


def _take(meta: Struct, file: bytes, at: int) -> tuple[bytes, int, bytes]:
    """A chunk of another file, its size before compression, and what says where it stands in this one."""
    begun = meta[_DICTIONARY_AT if _DICTIONARY_AT in meta else _DATA_AT][1]
    moved = {field: (I64, meta[field][1] - begun + at) for field in (_DICTIONARY_AT, _DATA_AT) if field in meta}
    return file[begun : begun + meta[_SIZE][1]], meta[_WHOLE_SIZE][1], write_struct({**meta, **moved})


@dataclass(frozen=True)
class _Values:
    """A column as the kernel takes it: its values, or their places among ``words``."""

    numbers: NDArray[np.uint16]
    words: list[str] | None = None


def _values_of(column: pl.Series) -> _Values | None:
    """The values of a column; None where there is none."""
    if column.null_count() == len(column):
        return None
    labels = _labels(column) if isinstance(column.dtype, pl.String) else None
    if labels is not None:
        return _Values(labels[1], labels[0])
    words = list(column.dtype.categories) if isinstance(column.dtype, pl.Enum) else None
    values = (column if words is None else column.to_physical()).to_numpy()
    return _Values(values.view(np.uint16) if values.dtype == np.int16 else values.astype(np.uint16, copy=False), words)


def _make(
    column: pl.Series, values: _Values | None, rows: slice, element: Struct, codec: pa.Codec, at: int
) -> tuple[bytes, int, bytes]:
    """A chunk of some rows made here, its size before compression, and its metadata; ``values``: None for no value."""
    n, levels = rows.stop - rows.start, b""
    if element[_REPETITION][1] == _OPTIONAL:
        run = varint(n << 1) + (b"\0" if values is None else b"\1")
        levels = len(run).to_bytes(4, "little") + run
    if values is None or isinstance(column.dtype, pl.Boolean):
        bits = b"" if values is None else np.packbits(values.numbers[rows] != 0, bitorder="little").tobytes()
        page, whole = _page(_DATA_PAGE, _data_header(n, _PLAIN), levels + bits, codec)
        return page, whole, _metadata(element, [_PLAIN, _RLE], column.name, _ZSTD, n, whole, len(page), at)
    found, width, packed = pack_values(values.numbers[rows])
    if values.words is not None:
        names = [values.words[int(value)].encode() for value in found]
        dictionary = b"".join(len(name).to_bytes(4, "little") + name for name in names)
    else:
        listed = found.view(np.int16) if column.dtype == pl.Int16 else found
        dictionary = listed.astype("<i4").tobytes()
    groups = len(packed) // width
    places = bytes([width]) + varint(groups << 1 | 1) + packed.tobytes()
    # Cards are as good as random: packing is all that can be done, and no compressor need find that out.
    sample = places[:_SAMPLE]
    kept = codec if len(codec.compress(sample, asbytes=True)) < 0.98 * len(sample) else None
    # The seventh field of a page header, and its end.
    of_dictionary = b"\x3c" + numbers(len(found), _PLAIN) + b"\0\0"
    first, first_whole = _page(_DICTIONARY_PAGE, of_dictionary, dictionary, kept)
    second, second_whole = _page(_DATA_PAGE, _data_header(n, _RLE_DICTIONARY), levels + places, kept)
    whole, size, kind = first_whole + second_whole, len(first) + len(second), _UNCOMPRESSED if kept is None else _ZSTD
    encodings = [_PLAIN, _RLE, _RLE_DICTIONARY]
    meta = _metadata(element, encodings, column.name, kind, n, whole, size, at + len(first), at)
    return first + second, whole, meta


def _data_header(values: int, encoding: int) -> bytes:
    """The fifth field of a page header, and its end."""
    return b"\x1c" + numbers(values, encoding, _RLE, _RLE) + b"\0\0"


def _page(kind: int, more: bytes, content: bytes, codec: pa.Codec | None) -> tuple[bytes, int]:
    """A page with its header, which ends with ``more``, and checksum; and its size before compression."""
    kept = content if codec is None else codec.compress(content, asbytes=True)
    checksum = zlib.crc32(kept)
    head = numbers(kind, len(content), len(kept), checksum - (1 << 32) if checksum >> 31 else checksum) + more
    return head + kept, len(head) + len(content)


def _metadata(
    element: Struct,
    encodings: list[int],
    name: str,
    codec: int,
    values: int,
    whole: int,
    size: int,
    data_at: int,
    dictionary_at: int | None = None,
) -> bytes:
    """Metadata of a column chunk: fields 1 to 7, 9 and, where there is a dictionary, 11."""
    where = b"\x26" + signed(data_at) + (b"" if dictionary_at is None else b"\x26" + signed(dictionary_at))
    return b"".join(
        [
            b"\x15", signed(element[_ELEMENT_TYPE][1]), b"\x19", write_list(I32, encodings),
            b"\x19", write_list(BINARY, [name.encode()]), b"\x15", signed(codec), b"\x16", signed(values),
            b"\x16", signed(whole), b"\x16", signed(size), where, b"\0",
        ]
    )  # fmt: skip
