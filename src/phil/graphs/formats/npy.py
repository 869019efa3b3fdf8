"""Maps as arrays (`.npy`), True or 1 where a cell is free; and reading `.npy` bytes safely."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.checks import MAX_NODES
from phil.graphs.formats.format import Format, starts_with
from phil.graphs.formats.source import read_bytes
from phil.graphs.grid import CELL_BYTES, GridGraph
from phil.memory import check_memory

SIGNATURE = npy.MAGIC_PREFIX
MAX_BYTES = MAX_NODES  # of a map, one per cell
HEADERS: dict[tuple[int, int], Callable[..., tuple[tuple[int, ...], bool, np.dtype[Any]]]] = {
    (1, 0): npy.read_array_header_1_0,
    (2, 0): npy.read_array_header_2_0,
}

# What numpy raises on damaged headers, which it reads as Python literals.
DAMAGE = (
    *(OSError, ValueError, SyntaxError, EOFError, LookupError, TypeError),
    *(TokenError, RecursionError, OverflowError),
)


def array_from(data: bytes, name: str) -> NDArray[Any]:
    """The array in the bytes of a .npy file, without copying; errors refer to it as `name`.

    Nothing is unpickled, and a header that does not match the number of bytes allocates nothing.

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
            warnings.simplefilter("ignore")  # about headers written by Python 2
            shape, by_column, kind = HEADERS[version](stream)
        count = math.prod(shape)
        if kind.hasobject:
            raise ValueError("Python objects")
        if min(shape, default=0) < 0 or count * kind.itemsize != len(data) - stream.tell():
            raise ValueError(f"{len(data) - stream.tell()} bytes for shape {shape} of {kind}")
        if not count:  # no buffer to view
            return np.zeros(shape, kind)
        flat = np.frombuffer(data, kind, count, stream.tell())
        return flat.reshape(shape, order="F" if by_column else "C")
    except DAMAGE as error:
        raise InputError(
            f"{name} is not a .npy array of plain numbers, or is empty or truncated ({error}); "
            "save it again with numpy.save"
        ) from error


def free_cells(data: bytes, name: str) -> NDArray[np.bool_]:
    """The free cells of a map, given as the bytes of a .npy file."""
    cells = array_from(data, name)
    if cells.ndim != 2 or cells.size == 0:
        raise InputError(f"{name}: a map must be a non-empty 2D array, not {cells.shape}")
    check_memory(CELL_BYTES * cells.size, f"{name}: a map of {cells.size} cells")
    if cells.dtype != bool and (
        cells.dtype.kind not in "iu" or not ((cells == 0) | (cells == 1)).all()
    ):
        raise InputError(
            f"{name}: a map must hold True (free) and False (blocked), or 1 and 0, not other "
            f"{cells.dtype} values; save `array >= threshold` instead"
        )
    return np.array(cells, dtype=bool)


def check_any_free(free: NDArray[np.bool_], name: str) -> None:
    """Reject a map without free cells."""
    if not free.any():
        raise InputError(
            f"{name}: every cell is blocked; free cells are white (192..255) in a PNG and True or "
            "1 in a .npy array"
        )


def read_npy(path: str | Path) -> GridGraph:
    """Read a 2D map stored as an array."""
    free = free_cells(read_bytes(path, MAX_BYTES), str(path))
    check_any_free(free, str(path))
    return GridGraph(free)


FORMAT = Format(
    name=".npy map",
    endings=(".npy",),
    holds="maps",
    read=read_npy,
    recognise=starts_with(SIGNATURE),
)
