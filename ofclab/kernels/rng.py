"""Counter-based random numbers: a key names a stream, a counter a draw, so nothing depends on the order of work.

The mixing function is the finaliser of splitmix64 (Steele, Lea, Flood 2014).
"""

from __future__ import annotations

import numpy as np

from ofclab.kernels.jit import kernel

DEAL = 0
"""Purpose of the deck's own stream; a decision's purpose is `decision_purpose(seat, street)`."""
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_U27, _U30, _U31, _U32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@kernel
def mix(x):
    """Scramble a uint64."""
    x = np.uint64(x + _GOLDEN)
    x = np.uint64((x ^ (x >> _U30)) * _MIX1)
    x = np.uint64((x ^ (x >> _U27)) * _MIX2)
    return np.uint64(x ^ (x >> _U31))


@kernel
def stream(seed, table, hand, purpose):
    """The key (uint64) of the stream (seed, table, hand, purpose)."""
    key = mix(np.uint64(seed))
    key = mix(key ^ np.uint64(table))
    key = mix(key ^ np.uint64(hand))
    return mix(key ^ np.uint64(purpose))


@kernel
def decision_purpose(seat, street):
    """Purpose of one seat's decision on one street (1-based)."""
    return 1 + 16 * seat + street


@kernel
def draw(key, counter):
    """The counter-th 64 random bits of a stream."""
    return mix(np.uint64(key + np.uint64(counter) * _GOLDEN))


@kernel
def below(key, counter, n):
    """A uniform integer in 0..n-1 (bias below n / 2**32)."""
    return np.int64(((draw(key, counter) >> _U32) * np.uint64(n)) >> _U32)
