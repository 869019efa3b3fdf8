"""Grey pictures in the PGM format: P5 (binary) and P2 (text), of up to 16 bits."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.formats.image import MAX_CELLS

BINARY, TEXT = b"P5", b"P2"
BETWEEN = rb"(?:\s|#[^\n]*\n)+"  # blanks and comments
HEADER = re.compile(
    rb"(P[25])" + BETWEEN + rb"(\d{1,9})" + BETWEEN + rb"(\d{1,9})" + BETWEEN + rb"(\d{1,9})"
)
LONGEST_HEADER = 2**16
COMMENT = re.compile(rb"#[^\n]*")
STRANGE = re.compile(rb"[^\d\s]|\d{10}")  # in a text of grey levels
MOST_TEXT = 2**26  # bytes of a text of grey levels: they take several times the memory

Levels = NDArray[np.integer[Any]]


def pgm_levels(data: bytes, name: str) -> tuple[Levels, int]:
    """The grey levels of a PGM picture (rows, columns), and the level that is white.

    >>> levels, white = pgm_levels(b"P2 # small\\n3 1\\n15\\n0 7 15\\n", "small.pgm")
    >>> levels.tolist(), white
    ([[0, 7, 15]], 15)
    """
    header = HEADER.match(data[:LONGEST_HEADER])
    if header is None:
        raise InputError(
            f"{name} is no PGM picture: it begins with P5 or P2, then width, height and the level "
            "of white"
        )
    columns, rows, white = (int(number) for number in header.groups()[1:])
    if not 0 < white < 2**16:
        raise InputError(f"{name}: the level of white must be 1 to 65535, not {white}")
    if not 0 < rows * columns <= MAX_CELLS:
        raise InputError(
            f"{name} has {rows} x {columns} cells; 1 to {MAX_CELLS} (8192 x 8192) are read from a "
            "picture"
        )
    body = data[header.end() :]
    levels = _binary(body, white) if header[1] == BINARY else _text(body, name)
    if levels.size != rows * columns:
        raise InputError(
            f"{name}: {levels.size} grey levels, but a picture of {rows} x {columns}; it is cut "
            "off or damaged: save it again"
        )
    if levels.max() > white:
        raise InputError(f"{name}: a grey level of {levels.max()}, but white is {white}")
    return levels.reshape(rows, columns), white


def _binary(body: bytes, white: int) -> Levels:
    """One blank, then one or two bytes a cell, the higher one first."""
    if white < 256:
        return np.frombuffer(body, np.uint8)[1:]
    return np.frombuffer(body[1 : len(body) - (len(body) - 1) % 2], ">u2")


def _text(body: bytes, name: str) -> Levels:
    if len(body) > MOST_TEXT:
        raise InputError(f"{name} has more than {MOST_TEXT} bytes of text; save it as binary PGM")
    words = COMMENT.sub(b"", body).strip()
    strange = STRANGE.search(words)
    if strange:
        raise InputError(f"{name}: {strange[0].decode('latin-1')!r} is no grey level")
    levels: NDArray[np.int32] = np.fromstring(words.decode("ascii"), np.int32, sep=" ")
    return levels if words else levels[:0]
