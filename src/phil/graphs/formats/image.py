"""Maps as PNG images.

White is free and black is blocked: grey levels 192..255 are free, 0..63 are blocked. Levels in
between are ambiguous and therefore rejected, as are transparent pixels.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, one_line
from phil.files import write_atomic
from phil.graphs.formats.format import Format, starts_with
from phil.graphs.formats.npy import MAX_BYTES, check_any_free, free_cells
from phil.graphs.formats.npy import SIGNATURE as NPY_SIGNATURE
from phil.graphs.formats.png import GREY, PALETTE, Png, read_structure
from phil.graphs.formats.png import SIGNATURE as PNG_SIGNATURE
from phil.graphs.formats.source import errors_name, read_bytes
from phil.graphs.grid import GridGraph

if TYPE_CHECKING:
    from PIL import Image

BLOCKED_UP_TO = 63
FREE_FROM = 192

# What Pillow raises on damaged pixels.
PNG_DAMAGE = (OSError, ValueError, SyntaxError, EOFError, MemoryError)


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
        free = _black_and_white(grey_levels(data, str(path)), str(path))
    elif data.startswith(NPY_SIGNATURE):
        free = free_cells(data, str(path))
    else:
        raise InputError(f"{path} is neither a PNG image nor a .npy array; {_other_reader(path)}")
    check_any_free(free, str(path))
    return free


def _other_reader(path: str | Path) -> str:
    """What reads a file that `read_map` does not."""
    from phil.graphs.formats.registry import recognise

    found = recognise(path)
    if found is None:
        return "save the map as one of them"
    kind = {"graphs": "a graph", "maps": "a map", "both": "a graph or map"}[found.holds]
    return f"it is {kind} ({found.name}), which phil.read_graph reads"


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


def grey_levels(data: bytes, name: str) -> NDArray[np.uint8]:
    """The grey levels 0..255 of a PNG image; errors refer to it as `name`."""
    from PIL import Image

    try:
        with errors_name(name):
            png = read_structure(data)
        with Image.open(io.BytesIO(png.content), formats=["PNG"]) as picture:
            picture.load()
            levels, opaque = _levels(picture, png)
    except InputError:
        raise
    except PNG_DAMAGE as error:
        reason = one_line(error) or "it does not fit into memory"
        raise InputError(
            f"{name} is a damaged or truncated PNG ({reason}); copy or save it again"
        ) from error
    if not opaque.all():
        row, column = np.unravel_index(np.argmin(opaque), opaque.shape)
        raise InputError(
            f"{name}: the pixel at row {row}, column {column} is transparent, neither free nor "
            "blocked; save the image without transparency"
        )
    return levels


def _levels(picture: Image.Image, png: Png) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Grey levels of an image of any mode, and where it is opaque."""
    kind, depth = png.header.kind, png.header.depth
    if kind == GREY:  # Pillow would clip 16 bits, and not scale the transparent level
        wide = np.asarray(picture if depth == 16 else picture.convert("L"))
        scale = 255 // (2**depth - 1) if depth < 8 else 1
        clear = scale * int.from_bytes(png.transparent, "big") if png.transparent else -1
        return (wide >> 8 if depth == 16 else wide).astype(np.uint8), wide != clear
    if kind == PALETTE and np.asarray(picture).max() >= len(png.palette) // 3:
        raise ValueError("a pixel has a colour that is not in its palette")
    if not picture.has_transparency_data:
        levels = np.asarray(picture.convert("L"))
        return levels, np.ones(levels.shape, bool)
    colours = picture.convert("RGBA")
    return np.asarray(colours.convert("RGB").convert("L")), np.asarray(colours)[:, :, 3] == 255


def _black_and_white(levels: NDArray[np.uint8], name: str) -> NDArray[np.bool_]:
    unclear = (levels > BLOCKED_UP_TO) & (levels < FREE_FROM)
    if unclear.any():
        row, column = np.unravel_index(np.argmax(unclear), unclear.shape)
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
