"""Arrays in numpy's format, from bytes that are already read: what a header promises is checked."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from phil.errors import InputError

SIGNATURE = npy.MAGIC_PREFIX
HEADERS: dict[tuple[int, int], Callable[..., tuple[tuple[int, ...], bool, np.dtype[Any]]]] = {
    (1, 0): npy.read_array_header_1_0,
    (2, 0): npy.read_array_header_2_0,
}

# What numpy raises on damaged headers, which it reads as Python literals.
DAMAGE = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    TokenError,
    RecursionError,
    OverflowError,
)


def array_from(data: bytes, name: str) -> NDArray[Any]:
    """The array of a .npy file's bytes, in their memory; `name` is what errors call it.

    Nothing is unpickled, and a header that promises more than the bytes hold allocates nothing.

    >>> stream = io.BytesIO()
    >>> np.save(stream, np.arange(3))
    >>> array_from(stream.getvalue(), "numbers.npy").tolist()
    [0, 1, 2]
    """
    stream = io.BytesIO(data)
    try:
        version = npy.read_magic(stream)
        if version not in HEADERS:
            raise ValueError(f"version {version[0]}.{version[1]}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a header is of Python 2
            shape, by_column, kind = HEADERS[version](stream)
        count = math.prod(shape)
        if kind.hasobject:
            raise ValueError("Python objects")
        if min(shape, default=0) < 0 or count * kind.itemsize != len(data) - stream.tell():
            raise ValueError(f"{len(data) - stream.tell()} bytes for shape {shape} of {kind}")
        if not count:  # no bytes to stand on
            return np.zeros(shape, kind)
        flat = np.frombuffer(data, kind, count, stream.tell())
        return flat.reshape(shape, order="F" if by_column else "C")
    except DAMAGE as error:
        raise InputError(
            f"{name} is no .npy array of plain numbers, or is empty or cut off ({error}); "
            "save it again with numpy.save"
        ) from error
