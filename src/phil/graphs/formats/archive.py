"""Numpy's archives (`.npz`): zip files, read without trusting what they declare."""

from __future__ import annotations

import struct
import zipfile
import zlib

ENDING = ".npy"
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
