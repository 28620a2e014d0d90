"""Columns of few values as Parquet keeps them: a sorted dictionary, and the places in it packed bit by bit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ofclab.kernels.jit import kernel

_VALUES = 65_536
_8, _LOW_BYTE = np.uint64(8), np.uint64(255)


@kernel
def _list_values(values, places, dictionary):
    """Fill `dictionary` with the values, ascending, and `places` with where each stands in it; returns how many."""
    greatest = np.uint16(0)
    for i in range(values.shape[0]):
        greatest = max(greatest, values[i])
    size = np.int64(greatest) + 1
    places[:size] = 0
    for i in range(values.shape[0]):
        places[values[i]] = 1
    found = 0
    for value in range(size):
        if places[value]:
            dictionary[found], places[value] = value, found
            found += 1
    return found


@kernel
def _pack(values, places, width, out):
    """Pack the place of every value in `width` bits, the first lowest; `out` holds whole groups of eight."""
    n, at, bits = np.uint64(values.shape[0]), np.uint64(0), np.uint64(width)
    whole = n - n % _8 if width <= 8 else np.uint64(0)
    for first in range(np.uint64(0), whole, _8):
        word = np.uint64(0)
        for i in range(_8):
            word |= np.uint64(places[values[first + i]]) << (i * bits)
        for _ in range(bits):
            out[at] = word & _LOW_BYTE
            word >>= _8
            at += np.uint64(1)
    word, filled = np.uint64(0), np.uint64(0)
    for i in range(whole, n):
        word |= np.uint64(places[values[i]]) << filled
        filled += bits
        while filled >= _8:
            out[at] = word & _LOW_BYTE
            word >>= _8
            filled -= _8
            at += np.uint64(1)
    if filled:
        out[at] = word & _LOW_BYTE


def pack_values(values: NDArray[np.uint16]) -> tuple[NDArray[np.uint16], int, NDArray[np.uint8]]:
    """The different values u16, ascending; bits of a place among them, at least one; and every value's place packed.

    Eight places take as many bytes as a place has bits; the last eight are filled up with zeros.
    """
    # One signature for columns that may be written to and those that may not.
    values = values.view()
    values.setflags(write=False)
    places, dictionary = np.empty(_VALUES, np.uint16), np.empty(_VALUES, np.uint16)
    found = _list_values(values, places, dictionary)
    width = max(1, int(found - 1).bit_length())
    packed = np.zeros(-(-len(values) // 8) * width, np.uint8)
    _pack(values, places, width, packed)
    return dictionary[:found].copy(), width, packed
