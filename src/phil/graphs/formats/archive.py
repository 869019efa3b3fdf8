"""Numpy's archives (`.npz`): zip files, read without trusting what they declare."""

from __future__ import annotations

import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.checks import MAX_NODES

if TYPE_CHECKING:
    from scipy.sparse import csr_array

ENDING = ".npy"
MOST_MEMBERS = 2**16
MOST_DIRECTORY = 2**22  # bytes of a list of so many members
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

# What zipfile raises on damaged files, or files of another kind.
ZIP_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)


class _Watched:
    """A file that refuses to read large parts while `most` is set."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self._stream = stream
        self.most: int | None = most

    def read(self, size: int = -1) -> bytes:
        if self.most is None:
            return self._stream.read(size)
        found = self._stream.read(self.most + 1 if size < 0 else min(size, self.most + 1))
        if len(found) > self.most:
            raise _too_many()
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def open_archive(stream: BinaryIO) -> zipfile.ZipFile:
    """An archive, unless it has so many members that their list alone would fill the memory."""
    watched = _Watched(stream, MOST_DIRECTORY)
    archive = zipfile.ZipFile(cast(BinaryIO, watched))  # which reads the list in one piece
    if len(archive.infolist()) > MOST_MEMBERS:
        raise _too_many()
    watched.most = None
    return archive


def _too_many() -> InputError:
    return InputError(f"the archive has more than {MOST_MEMBERS} members; save only its graph")


def array_members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The arrays in an archive by name; raises `ValueError` if one appears twice."""
    found: dict[str, zipfile.ZipInfo] = {}
    for entry in archive.infolist():
        name = entry.filename.removesuffix(ENDING)
        if name in found:
            raise ValueError(f"{name!r} appears twice")
        found[name] = entry
    return found


def read_member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The content of a member: as many bytes as it declares, however many it expands to."""
    if entry.compress_type not in METHODS:
        raise ValueError("it uses a compression method that numpy does not")
    with archive.open(entry) as stream:
        data = stream.read(entry.file_size)
    if len(data) != entry.file_size:
        raise ValueError(f"{entry.filename!r} is cut off")
    return data


def sparse_matrix(
    data: NDArray[Any], indices: NDArray[Any], indptr: NDArray[Any], shape: NDArray[Any]
) -> csr_array:
    """The sparse matrix of which an archive holds the parts; raises `ValueError`."""
    from scipy.sparse import csr_array

    parts = (indices, indptr, shape)
    if any(part.ndim != 1 or part.dtype.kind not in "iu" for part in parts):
        raise ValueError("indices, indptr and shape must be 1D arrays of integers")
    if data.dtype.kind not in "biuf":
        raise ValueError(f"data must be numbers, not {data.dtype}")
    columns, starts, sides = (part.astype(np.int64) for part in parts)
    if sides.size != 2 or not ((sides >= 0) & (sides <= MAX_NODES)).all():
        raise ValueError(f"no matrix has the shape {shape.tolist()[:3]}")
    # SciPy checks neither this, if the last row ends at 0, nor unsigned integers, and crashes.
    if (starts[1:] < starts[:-1]).any():
        raise ValueError("indptr must never decrease")
    matrix = csr_array((data, columns, starts), shape=tuple(sides.tolist()))
    matrix.check_format(full_check=True)
    return matrix
