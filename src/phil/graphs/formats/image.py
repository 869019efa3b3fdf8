"""Maps as PNG images.

White is free and black is blocked: grey levels 192..255 are free, 0..63 are blocked. Levels in
between are ambiguous and therefore rejected, as are transparent pixels.
"""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.files import write_atomic
from phil.graphs.formats.format import Format, starts_with
from phil.graphs.formats.npy import MAX_BYTES, check_any_free, free_cells
from phil.graphs.formats.npy import SIGNATURE as NPY_SIGNATURE
from phil.graphs.formats.source import read_bytes
from phil.graphs.grid import GridGraph

if TYPE_CHECKING:
    from PIL import Image

MAX_CELLS = 2**26  # 8192 x 8192: decoding a small file must not exhaust memory
BLOCKED_UP_TO = 63
FREE_FROM = 192

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"

# What Pillow raises on damaged files.
PNG_DAMAGE = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    struct.error,
    zlib.error,
)


def read_map(path: str | Path) -> NDArray[np.bool_]:
    """Read the free cells of a 2D map: a PNG image or a .npy array, recognised by content.

    Parameters
    ----------
    path : str or Path
        The file. A PNG may have any mode; its white cells are free. An array must be 2D and hold
        True or 1 where a cell is free, False or 0 where it is blocked.

    Returns
    -------
    ndarray of bool
        True is free; row 0 is the top.

    Raises
    ------
    InputError
        If the file is neither, is damaged, has grey or transparent pixels, or has no free cell.

    Examples
    --------
    >>> import tempfile
    >>> from PIL import Image
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "map.png"
    ...     Image.fromarray(np.array([[255, 0], [255, 255]], np.uint8)).save(path)
    ...     read_map(path).tolist()
    [[True, False], [True, True]]
    """
    data = read_bytes(path, MAX_BYTES)
    if data.startswith(PNG_SIGNATURE):
        free = _black_and_white(grey_levels(io.BytesIO(data), str(path)), str(path))
    elif data.startswith(NPY_SIGNATURE):
        free = free_cells(data, str(path))
    else:
        raise InputError(
            f"{path} is neither a PNG image nor a .npy array; save the map as one of them"
        )
    check_any_free(free, str(path))
    return free


def read_png(path: str | Path) -> GridGraph:
    """Read a 2D map from an image."""
    return GridGraph(read_map(path))


def write_png(path: Path, grid: GridGraph) -> None:
    """Write a 2D map as an image: white is free, black blocked."""
    if grid.free.ndim != 2:
        raise InputError(f"cannot write {path}: .png holds 2D maps only; write .3dmap or .npz")
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(grid.free).save(stream, "png")
    write_atomic(path, stream.getvalue())


def grey_levels(stream: BinaryIO, name: str) -> NDArray[np.uint8]:
    """The grey levels 0..255 of a PNG image; errors refer to it as `name`."""
    from PIL import Image

    _check_size(stream, name)
    try:
        # Only `verify` checks the CRCs of the pixel data; afterwards the image cannot be read.
        with Image.open(stream, formats=["PNG"]) as picture:
            picture.verify()
        stream.seek(0)
        with Image.open(stream, formats=["PNG"]) as picture:
            picture.load()
            levels, opaque = _levels(picture)
    except PNG_DAMAGE as error:
        raise InputError(
            f"{name} is a damaged or truncated PNG ({error}); copy or save it again"
        ) from error
    if not opaque.all():
        row, column = np.argwhere(~opaque)[0]
        raise InputError(
            f"{name}: the pixel at row {row}, column {column} is transparent, neither free nor "
            "blocked; save the image without transparency"
        )
    return levels


def _check_size(stream: BinaryIO, name: str) -> None:
    """Reject an image that is too large according to its header, before decoding it."""
    header = stream.read(24)
    stream.seek(0)
    if header[:8] != PNG_SIGNATURE or len(header) < 24:
        raise InputError(f"{name} is not a PNG image, or is truncated; save it again as PNG")
    columns, rows = struct.unpack(">II", header[16:24])
    if rows * columns > MAX_CELLS:
        raise InputError(
            f"{name} has {rows} x {columns} cells; an image may have at most {MAX_CELLS} "
            "(8192 x 8192): scale or crop it"
        )


def _levels(picture: Image.Image) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Grey levels of an image of any mode, and where it is opaque."""
    if picture.mode.startswith("I"):  # 16-bit grey, which Pillow would clip, not scale
        wide = np.asarray(picture).astype(np.int64)
        clear = picture.info.get("transparency", -1)
        return (wide >> 8).astype(np.uint8), wide != clear
    if not picture.has_transparency_data:
        return np.asarray(picture.convert("L")), np.ones((picture.height, picture.width), bool)
    colours = picture.convert("RGBA")
    return np.asarray(colours.convert("RGB").convert("L")), np.asarray(colours)[:, :, 3] == 255


def _black_and_white(levels: NDArray[np.uint8], name: str) -> NDArray[np.bool_]:
    unclear = (levels > BLOCKED_UP_TO) & (levels < FREE_FROM)
    if unclear.any():
        row, column = np.argwhere(unclear)[0]
        raise InputError(
            f"{name}: the pixel at row {row}, column {column} has grey level "
            f"{levels[row, column]}, neither blocked (0..{BLOCKED_UP_TO}) nor free "
            f"({FREE_FROM}..255); threshold the image to black and white first"
        )
    free: NDArray[np.bool_] = levels >= FREE_FROM
    return free


FORMAT = Format(
    name="PNG image of a map",
    endings=(".png",),
    holds="maps",
    read=read_png,
    write=write_png,
    recognise=starts_with(PNG_SIGNATURE),
)
