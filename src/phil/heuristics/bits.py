"""Sets of small numbers as bits, and the member nearest to a position, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numpy.typing import NDArray

from phil.compiled import instruction, primitive

WORD = 64  # bits
WORD_SHIFT = 6
IN_WORD = WORD - 1
ALL = np.uint64(2**64 - 1)
ONE = np.uint64(1)
NONE = -1

Bits = NDArray[np.uint64]


def empty_lines(lines: int, places: int) -> Bits:
    """Empty sets of numbers below `places`, one per line."""
    return np.zeros((lines, -(-places // WORD)), np.uint64)


@instruction
def lowest_bit(context: Any, word: Any) -> Any:
    """The position of the lowest set bit of a word other than 0."""
    return types.int64(types.uint64), _write_lowest_bit


def _write_lowest_bit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.cttz(arguments[0], ir.IntType(1)(1))


@instruction
def highest_bit(context: Any, word: Any) -> Any:
    """The position of the highest set bit of a word other than 0."""
    return types.int64(types.uint64), _write_highest_bit


def _write_highest_bit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    zeros = builder.ctlz(arguments[0], ir.IntType(1)(1))
    return builder.sub(ir.IntType(64)(IN_WORD), zeros)


@primitive
def has(bits: Bits, line: int, place: int) -> bool:
    """Whether a number is in a line's set."""
    return bool((bits[line, place >> WORD_SHIFT] >> np.uint64(place & IN_WORD)) & ONE)


@primitive
def add(bits: Bits, line: int, place: int) -> None:
    """Add a number to a line's set."""
    bits[line, place >> WORD_SHIFT] |= ONE << np.uint64(place & IN_WORD)


@primitive
def forget_word(bits: Bits, line: int, place: int) -> None:
    """Remove a number from a line's set, and all that share its word."""
    bits[line, place >> WORD_SHIFT] = np.uint64(0)


@primitive
def at_or_before(bits: Bits, line: int, place: int) -> int:
    """The largest member up to a position; NONE if there is none."""
    word = place >> WORD_SHIFT
    found = bits[line, word] & (ALL >> np.uint64(IN_WORD - (place & IN_WORD)))
    while found == 0:
        word -= 1
        if word < 0:
            return NONE
        found = bits[line, word]
    return (word << WORD_SHIFT) + int(highest_bit(found))


@primitive
def at_or_after(bits: Bits, line: int, place: int) -> int:
    """The smallest member from a position on; NONE if there is none."""
    word = place >> WORD_SHIFT
    found = bits[line, word] & (ALL << np.uint64(place & IN_WORD))
    while found == 0:
        word += 1
        if word >= bits.shape[1]:
            return NONE
        found = bits[line, word]
    return (word << WORD_SHIFT) + int(lowest_bit(found))
