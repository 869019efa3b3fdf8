"""Maps as arrays (`.npy`), True or 1 where a cell is free; and reading `.npy` bytes safely."""

from __future__ import annotations

import io
import math
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, one_line
from phil.graphs.checks import MAX_NODES, truths
from phil.graphs.formats.format import Format, starts_with
from phil.graphs.formats.source import read_bytes
from phil.graphs.grid import CELL_BYTES, GridGraph
from phil.memory import check_memory

SIGNATURE = b"\x93NUMPY"
MAX_BYTES = MAX_NODES  # of a map, one per cell
LENGTH_BYTES = {(1, 0): 2, (2, 0): 4}  # of a header's length, by version
LONGEST_HEADER = 10_000  # as in numpy
MOST_AXES = 8
MOST_EMPTY = 2**16  # numbers in a row of an array without rows

# A header is the text of a Python dictionary. As Python it could be nested so deeply that the
# parser fails, so only the dictionaries that describe plain arrays are recognised.
ENTRY = (
    r"'(?:descr':'(?P<dtype>[<>|=]?[biufcmMOSUV]\d{0,9}(?:\[\w{1,8}\])?)'"
    r"|fortran_order':(?P<by_column>True|False)"
    r"|shape':\((?P<shape>(?:\d{1,18}L?,)*(?:\d{1,18}L?)?)\))(?:,|(?=\}))"
)
HEADER = re.compile(rf"\{{(?:{ENTRY}){{3}}\}}", re.ASCII)


@dataclass(frozen=True)
class Header:
    """The shape and type of an array in a file."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    by_column: bool = False

    @property
    def size(self) -> int:
        """The bytes of the array."""
        return math.prod(self.shape) * self.dtype.itemsize


def read_header(stream: IO[bytes]) -> Header:
    """The header of a .npy file, up to where its numbers start; raises `ValueError`."""
    start = stream.read(len(SIGNATURE) + 2)
    version = tuple(start[-2:])
    if start[:-2] != SIGNATURE or version not in LENGTH_BYTES:
        raise ValueError("it does not start as version 1 or 2 of the format does")
    length = int.from_bytes(stream.read(LENGTH_BYTES[version]), "little")
    text = stream.read(min(length, LONGEST_HEADER + 1)).decode("latin-1")
    found = HEADER.fullmatch("".join(text.split())) if len(text) == length else None
    if found is None or None in found.groups():
        raise ValueError("its header does not describe a plain array")
    shape = tuple(int(side.rstrip("L")) for side in found["shape"].split(",") if side)
    if len(shape) > MOST_AXES:
        raise ValueError(f"an array of {len(shape)} axes; at most {MOST_AXES} are supported")
    try:
        dtype = np.dtype(found["dtype"])
    except (TypeError, ValueError) as error:
        raise ValueError(f"there is no type {found['dtype']}") from error
    return Header(shape, dtype, found["by_column"] == "True")


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
        header = read_header(stream)
        return plain_array(header, data, stream.tell())
    except ValueError as error:
        raise InputError(
            f"{name} is not a .npy array of plain numbers, or is empty or truncated "
            f"({one_line(error)}); save it again with numpy.save"
        ) from error


def plain_array(
    header: Header, data: bytes | bytearray | memoryview, begin: int = 0
) -> NDArray[Any]:
    """The array that a header describes, in all bytes from `begin`; raises `ValueError`."""
    shape, dtype, length = header.shape, header.dtype, len(data) - begin
    if dtype.hasobject:
        raise ValueError("Python objects")
    if header.size != length:
        raise ValueError(f"{length} bytes for shape {shape} of {dtype}")
    if not length:  # no buffer to view
        if shape and not shape[0] and math.prod(shape[1:]) > MOST_EMPTY:
            raise ValueError(f"an empty array of shape {shape}")
        return np.zeros(shape, dtype)
    flat = np.frombuffer(data, dtype, offset=begin)
    if dtype.kind == "U" and (flat.view(dtype.byteorder + "u4") > sys.maxunicode).any():
        raise ValueError("text with characters that do not exist")
    if dtype.kind == "b":
        flat = truths(flat)
    return flat.reshape(shape, order="F" if header.by_column else "C")


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
    return truths(cells)


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
