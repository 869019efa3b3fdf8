"""Pictures of searches on 2D maps: the expanded cells, in order of expansion, and the path."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from phil.arguments import FILE, NOTHING, WHOLE, Kind, of_type, takes
from phil.errors import InputError, quoted
from phil.files import write_atomic
from phil.graphs import GridGraph
from phil.graphs.checks import GRAPH
from phil.memory import check_memory
from phil.search import Result

Color = tuple[int, int, int]
FREE: Color = (247, 246, 242)
BLOCKED: Color = (40, 44, 54)
PATH: Color = (226, 18, 92)
HALO: Color = (255, 255, 255)

# Viridis without its darkest fifth, which would look like an obstacle. Lightness increases evenly
# from the first expansion to the last, so the order can be read in greyscale too.
GRADIENT = np.array(
    [
        (65, 68, 135),
        (53, 95, 141),
        (42, 120, 142),
        (33, 145, 140),
        (34, 168, 132),
        (68, 191, 112),
        (122, 209, 81),
        (189, 223, 38),
        (240, 229, 29),
    ],
    np.float64,
)

PIXEL_BYTES = 20  # while a picture is drawn, at its own size
LEAST_PIXELS = 400  # small maps are enlarged until their longer side has at least as many
MOST_DRAWING_PIXELS = 2400  # lines are drawn at up to this size and scaled down, to be smooth


def _as_grid(given: Any) -> Any:
    found = GRAPH.take(given, "the map")
    return found if isinstance(found, GridGraph) else NotImplemented


GRID = Kind("a GridGraph or a 2D array of free cells", of_type("", GridGraph).fits, _as_grid)
RESULT = of_type("a Result", Result)


@takes(graph=GRID, result=RESULT, scale=WHOLE | NOTHING, goal=WHOLE | NOTHING)
def picture(
    graph: GridGraph | Any, result: Result, *, scale: int | None = None, goal: int | None = None
) -> Image.Image:
    """Draw a search on a 2D map.

    Obstacles are dark, expanded cells go from blue (first) to yellow (last), and the path is a red
    line from the ring (start) to the disc (goal).

    Parameters
    ----------
    graph : GridGraph
        The map that was searched, or a 2D array of its free cells.
    result : Result
        The result of the search, run with `trace=True`.
    scale : int, optional
        Pixels per cell. By default small maps are enlarged to at least 400 pixels.
    goal : int, optional
        The goal node, to be marked even if the search did not reach it.

    Returns
    -------
    PIL.Image.Image

    Raises
    ------
    InputError
        If the map is 3D, the result has no trace, or `scale` is below 1.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph([[True, True, True], [False, False, True], [True, True, True]])
    >>> result = phil.search(grid, (2, 0), (0, 0), phil.load("euclidean"), trace=True)
    >>> picture(grid, result).size
    (402, 402)
    """
    if result.trace is None:
        raise InputError(
            "a picture needs the order of expansions; search again with search(..., trace=True)"
        )
    rows, columns = graph.plane("a picture")
    if scale is None:
        scale = -(-LEAST_PIXELS // max(rows, columns))
    elif scale < 1:
        raise InputError(f"the scale of a picture must be at least 1 pixel per cell, not {scale}")
    check_memory(
        PIXEL_BYTES * rows * columns * int(scale) ** 2,
        f"a picture of {rows} x {columns} cells, each {quoted(scale)} pixels wide,",
    )
    if goal is not None:
        goal = graph.check_node(goal, "goal")
    cells = Image.fromarray(cell_colors(graph, result.trace))
    image = cells.resize((columns * scale, rows * scale), Image.Resampling.NEAREST)
    start = int(result.trace[0]) if result.trace.size else None
    if goal is None and result.solved:
        goal = int(result.path[-1])
    _draw_path(image, graph, result.path, scale, start, goal)
    return image


@takes(path=FILE)
def save_picture(
    path: str | Path, graph: GridGraph | Any, result: Result, *, goal: int | None = None
) -> None:
    """Write the picture of a search as a PNG file.

    Parameters
    ----------
    path : str or Path
        The file to write.
    graph, result, goal
        As for `picture`.
    """
    write_atomic(Path(path), png(picture(graph, result, goal=goal)))


def png(image: Image.Image) -> bytes:
    """The image as the content of a PNG file."""
    stream = io.BytesIO()
    image.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def small_png(image: Image.Image) -> bytes:
    """The image as a PNG file with 256 colours: a third of the size if it has much shading."""
    return png(image.convert("RGB").quantize(256))


def cell_colors(graph: GridGraph, trace: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The colour of every cell, (rows, columns, 3); of several expansions the first counts."""
    colors = np.where(graph.free.reshape(-1, 1), FREE, BLOCKED).astype(np.uint8)
    nodes, first = np.unique(trace, return_index=True)
    colors[nodes] = gradient(first / max(1, trace.size - 1))
    return colors.reshape(*graph.shape, 3)


def gradient(position: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The colours at positions from 0 (first expansion) to 1 (last)."""
    stops = np.linspace(0, 1, len(GRADIENT))
    channels = [np.interp(position, stops, channel) for channel in GRADIENT.T]
    return np.stack(channels, axis=-1).round().astype(np.uint8)


def _draw_path(
    image: Image.Image,
    graph: GridGraph,
    path: NDArray[np.int64],
    scale: int,
    start: int | None,
    goal: int | None,
) -> None:
    size = max(image.size)
    fine = max(1, min(4, MOST_DRAWING_PIXELS // size))
    width, height = image.width * fine, image.height * fine
    overlay = Image.new("RGBA", (width, height))
    draw = ImageDraw.Draw(overlay)
    line = max(0.2 * scale, size / 150) * fine
    radius = max(0.32 * scale, size / 42) * fine

    def center(node: int) -> tuple[float, float]:
        row, column = graph.cell(node)
        return (column + 0.5) * scale * fine, (row + 0.5) * scale * fine

    def disc(node: int, part: float, color: Color) -> None:
        x, y = center(node)
        # A mark near the border is moved inwards so that it is not cut off.
        x = min(max(x, min(radius, width / 2)), width - min(radius, width / 2))
        y = min(max(y, min(radius, height / 2)), height - min(radius, height / 2))
        reach = radius * part
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=color)

    points = [center(int(node)) for node in path]
    if len(points) > 1:
        draw.line(points, fill=HALO, width=round(1.6 * line), joint="curve")
        draw.line(points, fill=PATH, width=round(line), joint="curve")
    if goal is not None:
        for part, color in ((1.0, HALO), (0.78, PATH)):
            disc(goal, part, color)
    if start is not None:
        for part, color in ((1.0, HALO), (0.78, PATH), (0.42, HALO)):
            disc(start, part, color)
    overlay = overlay.resize(image.size, Image.Resampling.BOX)
    image.paste(overlay, mask=overlay)
