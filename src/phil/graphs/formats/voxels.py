"""The MovingAI benchmark's 3D maps (`.3dmap`, Warframe) and their scenarios (`.3dscen`).

A map has one header line, `voxel W H D`, with its sizes along x, y and z, followed by one blocked
voxel `x y z` per line (repetitions are allowed). A scenario file has the lines `version 1` and the
map's name, followed by one problem per line. Path lengths assume moves to 26 neighbours that cost
1, sqrt 2 or sqrt 3, where all cells of the box spanned by a move must be free.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, shortened
from phil.files import write_atomic
from phil.graphs.formats.format import Format, matches
from phil.graphs.formats.movingai import is_integer, optimal_length
from phil.graphs.formats.source import line_error, read_bytes, read_lines
from phil.graphs.grid import CELL_BYTES, GridGraph
from phil.memory import check_memory

MAX_VOXELS = 2**28  # a short header must not exhaust memory
HEADER = re.compile(rb"[ \t]*voxel[ \t]+(\d{1,9})[ \t]+(\d{1,9})[ \t]+(\d{1,9})[ \t]*\r?")
VOXEL_LINES = re.compile(rb"\s*(?:\d{1,9}[ \t]+\d{1,9}[ \t]+\d{1,9}[ \t]*\r?\n\s*)*")
PIECE = 2**20  # bytes parsed at once
FIELDS = (
    *("start x", "start y", "start z", "goal x", "goal y", "goal z"),
    *("optimal length", "length over heuristic"),
)


@dataclass(frozen=True)
class VoxelScenario:
    """A problem from a 3D scenario file; cells are (x, y, z)."""

    map_name: str
    start: tuple[int, int, int]
    goal: tuple[int, int, int]
    optimal: float  # the length of a shortest path according to the file
    line: int  # in the file


def read_3dmap(path: str | Path) -> GridGraph:
    """Read a `.3dmap` file, with the benchmark's moves and corner rule.

    Parameters
    ----------
    path : str or Path
        The file, plain or gzipped.

    Returns
    -------
    GridGraph

    Raises
    ------
    InputError
        If the file is damaged; the message names the line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "small.3dmap"
    ...     _ = path.write_text("voxel 4 3 2\\n0 0 1\\n3 2 1\\n")
    ...     read_3dmap(path)
    GridGraph(4x3x2, free=22, connectivity=26, corners=both_free)
    """
    data = read_bytes(path)
    end = data.find(b"\n") + 1 or len(data)
    header = HEADER.fullmatch(data[:end].removesuffix(b"\n"))
    if header is None:
        raise line_error(path, 1, "a 3D map starts with 'voxel W H D', its sizes along x, y and z")
    shape = tuple(int(size) for size in header.groups())
    size = math.prod(shape)
    if not 0 < size <= MAX_VOXELS:
        sides = " x ".join(map(str, shape))
        raise line_error(path, 1, f"{sides} voxels; a map must have 1 to {MAX_VOXELS}")
    check_memory(CELL_BYTES * size, f"{path}: a map of {size} voxels")
    free = np.ones(shape, bool)
    for number, piece in _pieces(data, end):
        voxels = _voxels(path, number, piece)
        outside = (voxels >= shape).any(axis=1)
        if outside.any():
            _refuse_outside(path, number, piece, shape)
        free[tuple(voxels.T)] = False
    return GridGraph(free, corners="both_free")


def write_3dmap(path: Path, grid: GridGraph) -> None:
    """Write a 3D map; reading it assumes the benchmark's moves."""
    if grid.free.ndim != 3:
        raise InputError(f"cannot write {path}: .3dmap holds 3D maps only; write .map or .npz")
    blocked = np.argwhere(~grid.free).tolist()
    lines = [f"voxel {' '.join(map(str, grid.shape))}", *(" ".join(map(str, v)) for v in blocked)]
    write_atomic(path, "\n".join([*lines, ""]).encode())


def read_3d_scenarios(path: str | Path) -> list[VoxelScenario]:
    """Read the problems of a `.3dscen` file.

    Parameters
    ----------
    path : str or Path
        The file, plain or gzipped.

    Returns
    -------
    list of VoxelScenario
        In the order of the file.

    Raises
    ------
    InputError
        If the file is damaged; the message names the line.
    """
    lines = [line.decode("utf-8", "replace").strip() for line in read_lines(path)]
    if lines[0] != "version 1":
        raise line_error(path, 1, "a scenario file must start with 'version 1'")
    if len(lines) < 2 or not lines[1]:
        raise line_error(path, 2, "expected the name of the map")
    rows = enumerate(lines[2:], start=3)
    return [_scenario(path, number, lines[1], line) for number, line in rows if line]


def _scenario(path: str | Path, number: int, map_name: str, line: str) -> VoxelScenario:
    fields = line.split()
    if len(fields) != len(FIELDS):
        what = f"{len(fields)} fields; a 3D scenario has {len(FIELDS)}: {', '.join(FIELDS)}"
        raise line_error(path, number, what)
    for name, text in zip(FIELDS, fields[:6], strict=False):
        if not is_integer(text):
            raise line_error(path, number, f"{name} must be an integer, not {shortened(text)}")
    optimal = optimal_length(path, number, fields[6])
    x, y, z, to_x, to_y, to_z = map(int, fields[:6])
    return VoxelScenario(map_name, (x, y, z), (to_x, to_y, to_z), optimal, number)


def _pieces(data: bytes, begin: int) -> Iterator[tuple[int, bytes]]:
    """Chunks of about a megabyte that end at a line break, each with its first line's number."""
    number = 2
    while begin < len(data):
        end = data.find(b"\n", begin + PIECE) + 1 or len(data)
        piece = data[begin:end]
        yield number, piece if piece.endswith(b"\n") else piece + b"\n"
        number += piece.count(b"\n")
        begin = end


def _voxels(path: str | Path, number: int, piece: bytes) -> NDArray[np.int64]:
    match = VOXEL_LINES.match(piece)
    good = 0 if match is None else match.end()
    if good < len(piece):
        line = piece[good:].split(b"\n", 1)[0].decode("utf-8", "replace").strip()
        what = f"a blocked voxel is three integers, x y z, not {shortened(line)}"
        raise line_error(path, number + piece.count(b"\n", 0, good), what)
    words = piece.decode("ascii").strip()
    numbers: NDArray[np.int64] = np.fromstring(words, np.int64, sep=" ")
    return numbers.reshape(-1, 3) if words else np.empty((0, 3), np.int64)


def _refuse_outside(path: str | Path, number: int, piece: bytes, shape: tuple[int, ...]) -> None:
    for line, text in enumerate(piece.splitlines(), start=number):
        voxel = tuple(map(int, text.split()))
        if any(place >= side for place, side in zip(voxel, shape, strict=False)):
            sides = " x ".join(map(str, shape))
            raise line_error(path, line, f"voxel {voxel} is off the map of {sides}")


FORMAT = Format(
    name="Warframe .3dmap",
    endings=(".3dmap",),
    holds="maps",
    read=read_3dmap,
    write=write_3dmap,
    recognise=matches(rb"^\s*voxel\s"),
)
