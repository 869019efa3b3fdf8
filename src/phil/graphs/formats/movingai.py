"""The MovingAI benchmark's grid maps (`.map`) and scenarios (`.scen`).

A map has four header lines (`type octile`, `height H`, `width W`, `map`) and H rows of W letters:
`.`, `G` and `S` (ground and swamp) are free, `@`, `O`, `T` and `W` (void, trees and water) blocked.
A scenario file has one problem per line. Path lengths assume 8-connected moves; diagonal moves cost
sqrt 2 and are allowed only if both cells beside them are free.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from phil.errors import InputError, shortened
from phil.files import write_atomic
from phil.graphs.formats.format import Format, matches
from phil.graphs.formats.source import line_error, read_lines
from phil.graphs.grid import GridGraph

FREE = b".GS"
BLOCKED = b"@OTW"
LONGEST = 10  # digits of an integer
VERSIONS = ("version 1", "version 1.0")
FIELDS = (
    *("bucket", "map", "width", "height"),
    *("start x", "start y", "goal x", "goal y", "optimal length"),
)


@dataclass(frozen=True)
class Scenario:
    """A problem from a scenario file; cells are (row, column), row 0 is the top."""

    map_name: str
    shape: tuple[int, int]  # (rows, columns) of the map it was made for
    start: tuple[int, int]
    goal: tuple[int, int]
    optimal: float  # the length of a shortest path according to the file
    line: int  # in the file


def read_movingai_map(path: str | Path) -> GridGraph:
    """Read a `.map` file, with the benchmark's corner rule.

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
    ...     path = Path(folder) / "small.map"
    ...     _ = path.write_text("type octile\\nheight 2\\nwidth 3\\nmap\\n.@.\\n..T\\n")
    ...     read_movingai_map(path)
    GridGraph(2x3, free=4, connectivity=8, corners=both_free)
    """
    lines = read_lines(path)
    if _words(lines, 1) != ["type", "octile"]:
        raise line_error(path, 1, "a grid map must start with 'type octile'")
    sizes: dict[str, int] = {}
    for number in (2, 3):
        match _words(lines, number):
            case ["height" | "width" as side, size] if side not in sizes and is_integer(size):
                sizes[side] = int(size)
            case _:
                raise line_error(path, number, "expected 'height H' or 'width W'")
    if _words(lines, 4) != ["map"]:
        raise line_error(path, 4, "expected 'map' before the rows")
    rows, columns = sizes["height"], sizes["width"]
    if not rows * columns:
        raise line_error(path, 2, f"a map of {rows} x {columns} has no cells")
    body = lines[4:]
    for number, row in enumerate(body, start=5):
        strange = row.strip(FREE + BLOCKED)
        if strange:
            letter = chr(strange[0])
            raise line_error(path, number, f"{letter!r} is not a map letter (.GS or @OTW)")
        if len(row) != columns:
            raise line_error(path, number, f"{len(row)} letters, but the header says {columns}")
    if len(body) != rows:
        raise line_error(path, len(lines), f"{len(body)} rows, but the header says {rows}")
    letters = np.frombuffer(b"".join(body), np.uint8).reshape(rows, columns)
    return GridGraph(np.isin(letters, np.frombuffer(FREE, np.uint8)), corners="both_free")


def write_movingai_map(path: Path, grid: GridGraph) -> None:
    """Write a 2D map: `.` is free, `@` blocked. Reading it assumes the benchmark's moves."""
    if grid.free.ndim != 2:
        raise InputError(f"cannot write {path}: .map holds 2D maps only; write .3dmap or .npz")
    rows, columns = grid.shape
    letters = np.where(grid.free, np.uint8(FREE[0]), np.uint8(BLOCKED[0]))
    lines = [b"type octile", b"height %d" % rows, b"width %d" % columns, b"map"]
    write_atomic(path, b"\n".join([*lines, *(row.tobytes() for row in letters), b""]))


def read_scenarios(path: str | Path) -> list[Scenario]:
    """Read the problems of a `.scen` file.

    Parameters
    ----------
    path : str or Path
        The file, plain or gzipped.

    Returns
    -------
    list of Scenario
        In the order of the file.

    Raises
    ------
    InputError
        If the file is damaged; the message names the line.
    """
    lines = read_lines(path)
    if " ".join(_words(lines, 1)) not in VERSIONS:
        raise line_error(path, 1, "a scenario file must start with 'version 1'")
    return [_scenario(path, number, line) for number, line in enumerate(lines[1:], start=2) if line]


def _scenario(path: str | Path, number: int, line: bytes) -> Scenario:
    # Old files separate fields by spaces; with tabs, a map's name may contain spaces.
    fields = _text(line).split("\t") if b"\t" in line else _text(line).split()
    if len(fields) != len(FIELDS):
        what = f"{len(fields)} fields; a scenario has {len(FIELDS)}: {', '.join(FIELDS)}"
        raise line_error(path, number, what)
    values = dict(zip(FIELDS, (field.strip() for field in fields), strict=True))
    for name in FIELDS[2:8]:
        if not is_integer(values[name]):
            shown = shortened(values[name])
            raise line_error(path, number, f"{name} must be an integer, not {shown}")
    shape = int(values["height"]), int(values["width"])
    cells = [(int(values[f"{end} y"]), int(values[f"{end} x"])) for end in ("start", "goal")]
    for cell in cells:
        if cell[0] >= shape[0] or cell[1] >= shape[1]:
            what = f"row {cell[0]}, column {cell[1]} is off the map of {shape[0]} x {shape[1]}"
            raise line_error(path, number, what)
    length = optimal_length(path, number, values["optimal length"])
    return Scenario(values["map"], shape, cells[0], cells[1], length, number)


def optimal_length(path: str | Path, number: int, text: str) -> float:
    """The optimal length in a line of a scenario file."""
    try:
        length = float(text)
    except ValueError:
        length = math.nan
    if not 0 <= length < math.inf:
        what = f"optimal length must be non-negative, not {shortened(text)}"
        raise line_error(path, number, what)
    return length


def _words(lines: list[bytes], number: int) -> list[str]:
    return _text(lines[number - 1]).split() if number <= len(lines) else []


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace")  # invalid text is rejected, and shown, later


def is_integer(text: str) -> bool:
    """Whether a text is an unsigned integer of plausible length."""
    return text.isdecimal() and len(text) < LONGEST


FORMAT = Format(
    name="MovingAI .map",
    endings=(".map",),
    holds="maps",
    read=read_movingai_map,
    write=write_movingai_map,
    recognise=matches(rb"^\s*type\s+octile"),
)
