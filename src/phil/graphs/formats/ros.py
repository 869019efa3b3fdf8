"""Maps of the Robot Operating System: `map.yaml`, which names an image (PGM or PNG) and its scale.

As in ROS's map_server, a cell is occupied with probability p = (255 - v) / 255 for grey level v, or
v / 255 with `negate`. Cells with p < free_thresh are free. All others are blocked, including those
up to occupied_thresh, which ROS calls unknown (or partly occupied, in mode `scale`): a path must
not lead through unseen space. Robots do not cut corners: moves are those of the MovingAI maps. In
mode `raw`, v is the probability in percent, and levels above 100 are unknown.

The file is read without a YAML library: lines `key: value` with comments, without nesting, and the
origin as `[x, y, yaw]`. Unknown keys are ignored, as in ROS.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, one_line, shortened
from phil.graphs.formats.format import Format, matches
from phil.graphs.formats.image import grey_levels
from phil.graphs.formats.png import MAX_CELLS
from phil.graphs.formats.png import SIGNATURE as PNG_SIGNATURE
from phil.graphs.formats.source import check_named, line_error, read_bytes
from phil.graphs.grid import GridGraph

MODES = ("trinary", "scale", "raw")
REQUIRED = ("image", "resolution", "origin", "negate", "occupied_thresh", "free_thresh")
FLAGS = {"0": False, "1": True, "false": False, "true": True}
MOST_TEXT = 2**20  # bytes of the yaml file
LONGEST_PATH = 1000  # characters
MOST_BYTES = 2 * MAX_CELLS + 2**16  # of the image: two per cell, and a header
BINARY = b"P5"
BETWEEN = rb"(?:\s|#[^\n]*\n)+"  # spaces and comments
PGM_HEADER = re.compile(
    rb"(P[25])" + BETWEEN + rb"(\d{1,9})" + BETWEEN + rb"(\d{1,9})" + BETWEEN + rb"(\d{1,9})"
)
LONGEST_HEADER = 2**16
COMMENT = re.compile(rb"#[^\n]*")
STRANGE = re.compile(rb"[^\d\s]|\d{10}")  # invalid in textual grey levels
MOST_LEVELS = 2**26  # bytes of textual grey levels, which take several times the memory
Levels = NDArray[np.integer[Any]]
LINE = re.compile(r"([A-Za-z_]\w*)\s*:(?:\s+(.*))?")
QUOTED = re.compile(r"""("[^"\\]*"|'[^']*')\s*(?:#.*)?""")


@dataclass(frozen=True)
class RosMap:
    """The content of a `map.yaml`."""

    image: Path
    resolution: float  # metres per cell
    origin: tuple[float, float, float]  # of the lower left corner: x, y in metres, yaw in radians
    negate: bool
    occupied_thresh: float
    free_thresh: float
    mode: str

    def place(self, x: float, y: float) -> tuple[float, float]:
        """World coordinates, in metres, of the centre of a cell given by its grid features."""
        right, up = (x + 0.5) * self.resolution, (y + 0.5) * self.resolution
        east, north, yaw = self.origin
        return (
            east + right * math.cos(yaw) - up * math.sin(yaw),
            north + right * math.sin(yaw) + up * math.cos(yaw),
        )


def read_ros_map(path: str | Path) -> GridGraph:
    """Read the map described by a `map.yaml` and its image.

    Parameters
    ----------
    path : str or Path
        The `map.yaml`; it names the image (PGM or PNG).

    Returns
    -------
    GridGraph
        Moves do not cut corners.

    Raises
    ------
    InputError
        If a file is damaged or missing, or if no cell is free.

    See Also
    --------
    read_ros_description : gives the position of the map in the world.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "map.yaml"
    ...     _ = path.with_name("map.pgm").write_bytes(b"P5 3 1 255\\n" + bytes([254, 205, 0]))
    ...     _ = path.write_text(
    ...         "image: map.pgm\\nresolution: 0.05\\norigin: [-10, -10, 0]\\nnegate: 0\\n"
    ...         "occupied_thresh: 0.65\\nfree_thresh: 0.196\\n"
    ...     )
    ...     read_ros_map(path).free.tolist()
    [[True, False, False]]
    """
    described = read_ros_description(path)
    check_named(path, described.image)
    data = read_bytes(described.image, MOST_BYTES)
    levels: Levels
    if data.startswith(PNG_SIGNATURE):
        levels, white = grey_levels(data, str(described.image)), 255
    else:
        levels, white = pgm_levels(data, str(described.image))
    free: NDArray[np.bool_] = _free_levels(described, white)[levels]
    if not free.any():
        raise InputError(f"{described.image}: no cell is free with the thresholds in {path}")
    return GridGraph(free, corners="both_free")


def _free_levels(described: RosMap, white: int) -> NDArray[np.bool_]:
    """Which grey levels are free."""
    levels = np.arange(white + 1)
    if described.mode == "raw":
        occupied = (white - levels if described.negate else levels) / 100.0
    else:
        occupied = (levels if described.negate else white - levels) / white
    return occupied < described.free_thresh


def read_ros_description(path: str | Path) -> RosMap:
    """Read a `map.yaml` without its image.

    Parameters
    ----------
    path : str or Path
        The `map.yaml`.

    Returns
    -------
    RosMap

    Raises
    ------
    InputError
        If a value is missing or invalid; the message names the line.
    """
    found = _values(path)
    missing = [key for key in REQUIRED if key not in found]
    if missing:
        raise InputError(f"{path}: {', '.join(missing)} missing; a ROS map needs {REQUIRED}")
    mode_line, mode = found.get("mode", (0, "trinary"))
    if mode not in MODES:
        what = f"mode must be one of {', '.join(MODES)}, not {shortened(mode)}"
        raise line_error(path, mode_line, what)
    negate_line, negate = found["negate"]
    if negate.lower() not in FLAGS:
        raise line_error(path, negate_line, f"negate must be 0 or 1, not {shortened(negate)}")
    image_line, image = found["image"]
    if not 0 < len(image) <= LONGEST_PATH or not image.isprintable():
        what = f"image must be the path of an image file, not {shortened(image)}"
        raise line_error(path, image_line, what)
    resolution = _number(path, "resolution", *found["resolution"])
    if resolution <= 0:
        what = f"resolution must be positive, not {resolution}"
        raise line_error(path, found["resolution"][0], what)
    thresholds = {}
    for key in ("occupied_thresh", "free_thresh"):
        thresholds[key] = _number(path, key, *found[key])
        if not 0 <= thresholds[key] <= 1:
            what = f"{key} must be in 0..1, not {thresholds[key]:g}"
            raise line_error(path, found[key][0], what)
    if thresholds["free_thresh"] > thresholds["occupied_thresh"]:
        what = "free_thresh must not be greater than occupied_thresh"
        raise line_error(path, found["free_thresh"][0], what)
    return RosMap(
        image=Path(path).parent / image,
        resolution=resolution,
        origin=_origin(path, *found["origin"]),
        negate=FLAGS[negate.lower()],
        mode=mode,
        **thresholds,
    )


def _values(path: str | Path) -> dict[str, tuple[int, str]]:
    """The line number and the text of every key."""
    try:
        lines = read_bytes(path, MOST_TEXT).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: a map.yaml must be UTF-8 text ({error})") from error
    found: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#") or line.rstrip() in ("---", "..."):
            continue
        match = LINE.fullmatch(line.rstrip())
        if match is None:
            what = f"a line must be 'key: value', without nesting, not {shortened(line)}"
            raise line_error(path, number, what)
        key, text = match[1], (match[2] or "").strip()
        if key in found:
            what = f"{one_line(key)} appears twice, first in line {found[key][0]}"
            raise line_error(path, number, what)
        quoted = QUOTED.fullmatch(text)
        found[key] = number, quoted[1][1:-1] if quoted else re.split(r"(?:^|\s)#", text)[0].strip()
    return found


def _number(path: str | Path, key: str, line: int, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise line_error(path, line, f"{key} must be a number, not {shortened(text)}")
    return value


def _origin(path: str | Path, line: int, text: str) -> tuple[float, float, float]:
    parts = text.removeprefix("[").removesuffix("]").split(",")
    if not (text.startswith("[") and text.endswith("]") and len(parts) == 3):
        raise line_error(path, line, f"origin must be [x, y, yaw], not {shortened(text)}")
    x, y, yaw = (_number(path, "origin", line, part.strip()) for part in parts)
    return x, y, yaw


def pgm_levels(data: bytes, name: str) -> tuple[Levels, int]:
    """The grey levels of a PGM image (rows, columns), and the level of white.

    >>> levels, white = pgm_levels(b"P2 # small\\n3 1\\n15\\n0 7 15\\n", "small.pgm")
    >>> levels.tolist(), white
    ([[0, 7, 15]], 15)
    """
    header = PGM_HEADER.match(data[:LONGEST_HEADER])
    if header is None:
        raise InputError(
            f"{name} is not a PGM image, which starts with P5 or P2, then width, height and the "
            "level of white"
        )
    columns, rows, white = (int(number) for number in header.groups()[1:])
    if not 0 < white < 2**16:
        raise InputError(f"{name}: the level of white must be in 1..65535, not {white}")
    if not 0 < rows * columns <= MAX_CELLS:
        raise InputError(
            f"{name} has {rows} x {columns} cells; an image may have 1 to {MAX_CELLS} (8192 x 8192)"
        )
    body = data[header.end() :]
    levels = _binary_levels(body, white) if header[1] == BINARY else _text_levels(body, name)
    if levels.size != rows * columns:
        raise InputError(
            f"{name} has {levels.size} grey levels for {rows} x {columns} cells; it is truncated "
            "or damaged: save it again"
        )
    if levels.max() > white:
        raise InputError(f"{name}: grey level {levels.max()} exceeds the level of white, {white}")
    return levels.reshape(rows, columns), white


def _binary_levels(body: bytes, white: int) -> Levels:
    """A space, then one or two bytes per cell, big-endian."""
    if white < 256:
        return np.frombuffer(body, np.uint8)[1:]
    return np.frombuffer(body[1 : len(body) - (len(body) - 1) % 2], ">u2")


def _text_levels(body: bytes, name: str) -> Levels:
    if len(body) > MOST_LEVELS:
        raise InputError(f"{name} has more than {MOST_LEVELS} bytes of text; save it as binary PGM")
    words = COMMENT.sub(b"", body).strip()
    strange = STRANGE.search(words)
    if strange:
        raise InputError(f"{name}: {strange[0].decode('latin-1')!r} is not a grey level")
    levels: NDArray[np.int32] = np.fromstring(words.decode("ascii"), np.int32, sep=" ")
    return levels if words else levels[:0]


def _parts(path: Path) -> list[Path]:
    """The image of a `map.yaml`, which is not a map of its own."""
    try:
        return [read_ros_description(path).image]
    except InputError:  # reported when the map is read
        return []


FORMAT = Format(
    name="ROS map.yaml",
    endings=(".yaml", ".yml"),
    holds="maps",
    read=read_ros_map,
    recognise=matches(rb"(?m)^image\s*:"),
    parts=_parts,
)
