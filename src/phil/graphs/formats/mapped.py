"""Arrays of `.npz` files that are mapped into memory instead of read.

Such a file is an ordinary `.npz` file for everyone else. Its arrays are stored uncompressed, each
at a multiple of 64 bytes: the header of a member is padded by the extra field with which other
programs, too, align the members of zip files. Only arrays that were aligned in this way are mapped,
and no others that happen to lie well: whoever writes these files replaces them as a whole and does
not change what others have mapped.

Checksums of mapped arrays are not compared, since that would take a second per gigabyte.
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.files import write_atomic
from phil.graphs.formats.archive import ENDING
from phil.graphs.formats.npy import LONGEST_HEADER, plain_array, read_header
from phil.graphs.symmetry import check_balanced
from phil.memory import MappedFile

ALIGNMENT = 64
LOCAL = struct.Struct("<4s22xHH")  # signature, length of the name, length of the extra fields
LOCAL_SIGNATURE = b"PK\x03\x04"
FIELD = struct.Struct("<HH")  # kind and size of an extra field
PADDING = 0xD935  # the kind that zipalign pads with: the alignment, then zeros
ZIP64_FIELD = 20  # bytes of the extra field for sizes beyond 4 GB, which zipfile appends
NUMBERS = "biuf"

SYMMETRIC = "symmetric"  # declares that the writer has checked an undirected graph
# The types in which graphs keep their arrays; arrays of other types would be copied.
KEPT = {
    "indptr": np.int64,
    "indices": np.int32,
    "weights": np.float64,
    "features": np.float32,
    "edge_features": np.float32,
    "coordinates": np.float64,
    "free": np.bool_,
}


def write_mapped(path: str | Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a graph as a `.npz` file whose arrays are mapped into memory when it is read.

    Parameters
    ----------
    path : str or Path
        The file to write.
    arrays : mapping of str to ndarray
        The arrays of a graph by key: `indptr` (int64) and `indices` (int32) as in `phil.Graph`, and
        at choice `weights` and `coordinates` (float64), `features` and `edge_features` (float32),
        `directed` (a scalar), and the other keys of `phil.graphs.formats.npz`. Or those of a map:
        `free` (bool). They may be larger than memory, if they are maps of files themselves
        (`numpy.memmap`, `numpy.lib.format.open_memmap`).

    Raises
    ------
    InputError
        If an array has another type, if the graph is not directed and an edge is stored at one end
        only, or if the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> import phil
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "ring.npz"
    ...     targets = np.array([1, 2, 2, 0, 0, 1], np.int32)
    ...     write_mapped(path, {"indptr": np.array([0, 2, 4, 6]), "indices": targets})
    ...     phil.read_graph(path)
    Graph(nodes=3, edges=3, features=0, undirected)
    """
    given = {name: np.asarray(array) for name, array in arrays.items()}
    for name, array in given.items():
        kept = KEPT.get(name)
        if kept is not None and array.dtype != np.dtype(kept):
            raise InputError(
                f"cannot write {path}: {name} are {array.dtype}, but graphs keep them as "
                f"{np.dtype(kept)}; convert them first"
            )
    if "indptr" in given and "indices" in given and not given.get("directed", np.False_).any():
        check_balanced(given["indptr"], given["indices"], given.get("weights"))
        given[SYMMETRIC] = np.array(True)
    write_atomic(Path(path), lambda stream: write_aligned(stream, given))


def write_aligned(stream: BinaryIO, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write an archive of arrays that can be mapped."""
    with zipfile.ZipFile(stream, "w") as archive:
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}{ENDING}")
            fixed = LOCAL.size + len(entry.filename.encode()) + ZIP64_FIELD + FIELD.size + 2
            zeros = bytes(-(stream.tell() + fixed) % ALIGNMENT)
            entry.extra = FIELD.pack(PADDING, 2 + len(zeros)) + struct.pack("<H", ALIGNMENT) + zeros
            with archive.open(entry, "w", force_zip64=True) as member:
                # Its header, too, is padded to a multiple of 64 bytes.
                np.lib.format.write_array(member, array, version=(1, 0), allow_pickle=False)


def map_members(
    stream: BinaryIO, entries: Mapping[str, zipfile.ZipInfo]
) -> dict[str, NDArray[Any]]:
    """Map those members of an archive that were written for it; raises `ValueError`."""
    aligned = {name: entry for name, entry in entries.items() if _is_aligned(entry)}
    if not aligned or not isinstance(stream, io.BufferedReader):
        return {}
    if not isinstance(stream.raw, io.FileIO):
        return {}
    mapped = MappedFile.of(stream)
    found: dict[str, NDArray[Any]] = {}
    for name, entry in aligned.items():
        content = _content(mapped, entry)
        start = io.BytesIO(content[: 2 * LONGEST_HEADER])
        header = read_header(start)
        if header.dtype.kind in NUMBERS:
            found[name] = plain_array(header, content, start.tell())
    return found


def _is_aligned(entry: zipfile.ZipInfo) -> bool:
    """Whether a member was padded to be mapped."""
    fields = entry.extra
    while len(fields) >= FIELD.size:
        kind, size = FIELD.unpack_from(fields)
        if kind == PADDING:
            return entry.compress_type == zipfile.ZIP_STORED and not entry.flag_bits & 1
        fields = fields[FIELD.size + size :]
    return False


def _content(mapped: MappedFile, entry: zipfile.ZipInfo) -> memoryview:
    """The bytes of a stored member."""
    start = max(0, entry.header_offset)  # negative in a damaged file
    header = mapped[start : start + LOCAL.size]
    if len(header) < LOCAL.size or not header.startswith(LOCAL_SIGNATURE):
        raise ValueError(f"{entry.filename!r} is not where the directory says")
    _, name, extra = LOCAL.unpack(header)
    begin = start + LOCAL.size + name + extra
    end = begin + entry.file_size
    if begin % ALIGNMENT or entry.file_size != entry.compress_size or end > len(mapped):
        raise ValueError(f"{entry.filename!r} is not aligned or is cut off")
    return memoryview(mapped)[begin:end]
