"""Thrift's compact protocol, as far as the footers and page headers of Parquet files use it.

A struct is a dict from field number to (type, value); a list is (type of its elements, elements). The fields of
Parquet's structs lie close enough that a step from one to the next fits in four bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
Struct = dict[int, tuple[int, Any]]


_SMALL = [bytes([number]) for number in range(128)]


def varint(number: int) -> bytes:
    """An unsigned number, seven bits a byte, the lowest first."""
    if number < 128:
        return _SMALL[number]
    if number < 16_384:
        return bytes((number & 127 | 128, number >> 7))
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def signed(number: int) -> bytes:
    """A number with a sign."""
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def numbers(*values: int) -> bytes:
    """The first fields of a struct, all numbers of 32 bits; a struct ends with a zero byte."""
    return b"".join([_I32 + signed(value) for value in values])


_I32 = bytes([1 << 4 | I32])


def write_struct(fields: Struct) -> bytes:
    """The bytes of a struct; what is bytes where it should be a struct or a list has been written before."""
    out: list[bytes] = []
    _add_struct(out, fields)
    return b"".join(out)


def _add_struct(out: list[bytes], fields: Struct) -> None:
    last = 0
    for number in sorted(fields):
        kind, value = fields[number]
        step = number - last
        out.append(_SMALL[step << 4 | kind] if step < 8 else bytes([step << 4 | kind]))
        _add(out, kind, value)
        last = number
    out.append(b"\0")


def write_list(of: int, elements: Sequence[Any]) -> bytes:
    """The bytes of a list of elements of one type."""
    out: list[bytes] = []
    _add_list(out, of, elements)
    return b"".join(out)


def _add_list(out: list[bytes], of: int, elements: Sequence[Any]) -> None:
    size = len(elements)
    out.append(bytes([size << 4 | of]) if size < 15 else bytes([0xF0 | of]) + varint(size))
    for element in elements:
        _add(out, of, element)


def _add(out: list[bytes], kind: int, value: Any) -> None:
    if kind in (I32, I64, I16):
        out.append(signed(value))
    elif kind == BINARY:
        out += (varint(len(value)), value)
    elif kind in (STRUCT, LIST) and isinstance(value, bytes):
        out.append(value)
    elif kind == STRUCT:
        _add_struct(out, value)
    elif kind == LIST:
        _add_list(out, *value)
    elif kind == BYTE:
        out.append(bytes([value & 255]))
    elif kind not in (TRUE, FALSE):
        raise ValueError(f"thrift type {kind} is not used by Parquet")


class Reader:
    """Reads structs from bytes."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def _byte(self) -> int:
        self.at += 1
        return self.content[self.at - 1]

    def _varint(self) -> int:
        number, shift, at = 0, 0, self.at
        while (byte := self.content[at]) > 127:
            number |= (byte & 127) << shift
            shift, at = shift + 7, at + 1
        self.at = at + 1
        return number | byte << shift

    def _signed(self) -> int:
        number = self._varint()
        return number >> 1 if number & 1 == 0 else -(number >> 1) - 1

    def struct(self) -> Struct:
        """The struct that begins here."""
        fields: Struct = {}
        number = 0
        while head := self._byte():
            number += head >> 4
            fields[number] = (head & 15, self._value(head & 15))
        return fields

    def _value(self, kind: int) -> Any:
        if kind in (TRUE, FALSE):
            return None
        if kind == BYTE:
            return self._byte()
        if kind in (I16, I32, I64):
            return self._signed()
        if kind == BINARY:
            size = self._varint()
            self.at += size
            return self.content[self.at - size : self.at]
        if kind == STRUCT:
            return self.struct()
        if kind == LIST:
            head = self._byte()
            size = head >> 4 if head >> 4 < 15 else self._varint()
            return head & 15, [self._value(head & 15) for _ in range(size)]
        raise ValueError(f"thrift type {kind} is not used by Parquet")
