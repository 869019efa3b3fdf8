"""Frames: a header in JSON and arrays after it (see `phil.play.protocol`)."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError

TYPES: dict[str, np.dtype[Any]] = {
    "uint8": np.dtype("u1"),
    "int32": np.dtype("<i4"),
    "float32": np.dtype("<f4"),
}
ALIGNMENT = 4
LENGTH = struct.Struct("<I")

Arrays = Mapping[str, NDArray[Any]]


def pack(header: Mapping[str, Any], columns: Arrays | None = None) -> bytes:
    """A frame as bytes.

    Parameters
    ----------
    header
        What JSON can hold.
    columns : optional
        Arrays of bytes, whole numbers or floats; numbers become 32 bits wide.

    Returns
    -------
    bytes

    Examples
    --------
    >>> frame = pack({"type": "trace"}, {"node": np.array([7, 8])})
    >>> unpack(frame)
    ({'type': 'trace'}, {'node': array([7, 8], dtype=int32)})
    """
    parts, listed = [], []
    for name, column in (columns or {}).items():
        kind = _type_of(column)
        data = column.astype(TYPES[kind], copy=False).tobytes()
        listed.append({"name": name, "type": kind, "length": int(column.size)})
        parts.append(data + bytes(_gap(len(data))))
    full = {**header, "columns": listed} if listed else dict(header)
    text = json.dumps(full, separators=(",", ":"), allow_nan=False).encode()
    text += b" " * _gap(len(text))
    return b"".join([LENGTH.pack(len(text)), text, *parts])


def unpack(frame: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The header of a frame, and its columns.

    Raises
    ------
    InputError
        If the bytes are not a frame.

    Examples
    --------
    >>> unpack(b"GIF89a")
    Traceback (most recent call last):
    ...
    phil.errors.InputError: a message is damaged: its header is longer than the message
    """
    if len(frame) < LENGTH.size:
        raise _damaged("it is too short")
    (length,) = LENGTH.unpack_from(frame)
    place = LENGTH.size + length
    if place > len(frame):
        raise _damaged("its header is longer than the message")
    header = header_of(frame[LENGTH.size : place])
    columns = {}
    for name, kind, size in _listed(header.pop("columns", [])):
        end = place + size * TYPES[kind].itemsize
        if end > len(frame):
            raise _damaged(f"its column '{name}' is cut off")
        columns[name] = np.frombuffer(frame[place:end], TYPES[kind])
        place = end + _gap(end)
    return header, columns


def header_of(text: str | bytes) -> dict[str, Any]:
    """The header that a text in JSON stands for; raises `InputError` if it is none."""
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _damaged("its header is not JSON") from error
    if not isinstance(header, dict):
        raise _damaged("its header is not an object")
    return header


def _listed(columns: Any) -> list[tuple[str, str, int]]:
    try:
        found = [(each["name"], each["type"], each["length"]) for each in columns]
    except (TypeError, KeyError) as error:
        raise _damaged("its columns are not listed") from error
    for name, kind, length in found:
        if not (isinstance(name, str) and kind in TYPES and type(length) is int and length >= 0):
            raise _damaged("its columns are not listed")
    return found


def _type_of(column: NDArray[Any]) -> str:
    if column.dtype.kind == "f":
        return "float32"
    return "uint8" if column.dtype in (np.bool_, np.uint8) else "int32"


def _gap(length: int) -> int:
    return -length % ALIGNMENT


def _damaged(why: str) -> InputError:
    return InputError(f"a message is damaged: {why}")
