"""A race as a film: GIF, or MP4."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from phil.graphs import Graph, GridGraph
from phil.play.pictures import edges_of, node_places
from phil.play.runs import Run
from phil.text import visible
from phil.view.graph_picture import EDGES
from phil.view.picture import BLOCKED, FREE, HALO, PATH, gradient

FRAME_RATE = 20  # pictures per second
HOLD = 1.0  # seconds for which the end is shown
MARGIN, CAPTION = 10, 34  # pixels
INK = (40, 44, 54)
TILT = np.array([[0.87, -0.87, 0.0], [0.42, 0.42, 0.9]])  # how 3D maps are looked at
COLORS = 128  # of a GIF: little more than the gradient needs

Points = NDArray[np.float64]


def film(
    runs: Sequence[Run],
    form: str,
    seconds: float,
    width: int,
    progress: Callable[[float], None] = lambda share: None,
) -> bytes:
    """Film finished searches of one problem, side by side.

    All panes advance by the same number of expansions in a picture, as in a race.

    Parameters
    ----------
    runs
        The searches.
    form
        `gif` or `mp4`.
    seconds
        How long the race takes.
    width
        Of the film, in pixels.
    progress
        Called with the share of the film that is done.

    Returns
    -------
    bytes
        The content of the file.

    Raises
    ------
    InputError
        If there is no encoder for MP4 files.
    """
    frames = max(2, round(seconds * FRAME_RATE))
    panes = _panes(runs, width)
    size = _even(sum(pane.image.width for pane in panes)), _even(panes[0].image.height)
    longest = max(pane.trace.size for pane in panes)

    def pictures() -> Iterator[Image.Image]:
        for number in range(1, frames + 1):
            reached = ceil(longest * number / frames)
            yield _joined([pane.at(reached) for pane in panes], size)
            progress(number / frames)

    if form == "gif":
        return _gif(pictures())
    from phil.rooms.film import mp4

    held = round(HOLD * FRAME_RATE)
    return mp4(_arrays(pictures(), held), size, FRAME_RATE)


class FilmedPane:
    """One search on its picture, which only grows."""

    def __init__(self, run: Run, size: tuple[int, int], points: Points, dot: float) -> None:
        self._run = run
        self._points = points
        self._dot = dot
        self._done = 0
        self.trace = run.column("node")
        self._parents = run.column("parent")
        graph = run.order.scene.graph
        self._lit = not graph.is_grid
        self._colors = gradient(np.arange(self.trace.size) / max(1, self.trace.size - 1))
        self.image = Image.new("RGB", size, FREE)
        self._draw = ImageDraw.Draw(self.image)
        self._cells: NDArray[np.uint8] | None = None  # the colours of a 2D map, by node
        if graph.is_grid and graph.axes == 2:
            self._shape = graph.shape
            self._cells = np.where(graph.free.reshape(-1, 1), FREE, BLOCKED).astype(np.uint8)
        elif graph.is_grid:
            self._draw_walls(graph)
        else:
            self._draw_edges(graph)

    def at(self, reached: int) -> Image.Image:
        """The picture after so many expansions; they must not become fewer."""
        end = min(reached, self.trace.size)
        if self._cells is not None:
            new = slice(self._done, end)
            self._cells[self.trace[new]] = self._colors[new]
            self._paint_cells(self._cells)
        else:
            for step in range(self._done, end):
                self._expand(step)
        self._done = max(self._done, end)
        return self._with_caption(end)

    def _paint_cells(self, cells: NDArray[np.uint8]) -> None:
        """Paint a map; one with more cells than pixels in their mean colours."""
        rows, columns = self._shape
        image = Image.fromarray(cells.reshape(rows, columns, 3))
        size = round(columns * self._dot), round(rows * self._dot)
        way = Image.Resampling.NEAREST if self._dot >= 1 else Image.Resampling.BOX
        self.image.paste(image.resize(size, way), (MARGIN, MARGIN))

    def _draw_edges(self, graph: Graph) -> None:
        source, target, _ = edges_of(graph)
        lines = np.concatenate([self._points[source], self._points[target]], axis=1)
        for line in lines.tolist():
            self._draw.line(line, fill=EDGES)

    def _draw_walls(self, grid: GridGraph) -> None:
        """The obstacles of a 3D map: the farthest first, the highest lightest."""
        x, y, z = np.nonzero(~grid.free)
        order = np.argsort(z - x - y, kind="stable")
        shades = np.interp(z, (0, grid.shape[2]), (150, 225)).astype(int).tolist()
        nodes = np.flatnonzero(~grid.free.reshape(-1)).tolist()
        for place in order.tolist():
            self._dot_at(nodes[place], (shades[place],) * 3)

    def _expand(self, step: int) -> None:
        node, parent = int(self.trace[step]), int(self._parents[step])
        color = tuple(self._colors[step].tolist())
        if self._lit and parent >= 0:
            line = [*self._points[parent].tolist(), *self._points[node].tolist()]
            self._draw.line(line, fill=color, width=2)
        self._dot_at(node, color)

    def _dot_at(self, node: int, color: tuple[int, ...]) -> None:
        (x, y), half = self._points[node].tolist(), max(1.0, self._dot) / 2
        left, top = round(x - half), round(y - half)
        # Cells share their borders, so that no gap shows between them.
        right, bottom = max(left, round(x + half) - 1), max(top, round(y + half) - 1)
        self._draw.rectangle((left, top, right, bottom), fill=color)

    def _with_caption(self, expansions: int) -> Image.Image:
        image = self.image.copy()
        draw = ImageDraw.Draw(image)
        result, problem = self._run.result, self._run.order.scene.problem
        if expansions == self.trace.size and result is not None and len(result.path) > 1:
            line = [tuple(point) for point in self._points[np.asarray(result.path)].tolist()]
            draw.line(line, fill=HALO, width=6, joint="curve")
            draw.line(line, fill=PATH, width=3, joint="curve")
        for node, inner in ((problem.goal, PATH), (problem.start, HALO)):
            x, y = self._points[node].tolist()
            for reach, color in ((7, HALO), (5, PATH), (2, inner)):
                draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=color)
        text = f"{visible(self._run.order.method.text)}: {expansions:,} expansions"
        draw.text((MARGIN, image.height - CAPTION + 8), text, fill=INK, font=_font())
        return image


def _panes(runs: Sequence[Run], width: int) -> list[FilmedPane]:
    graph = runs[0].order.scene.graph
    places, _ = node_places(graph)
    if places.shape[1] == 3:
        places = places @ TILT.T
    each = width // len(runs)
    low, high = places.min(axis=0), places.max(axis=0)
    extent = np.maximum(high - low, 1e-9)
    # A cell is as wide as the way between two nodes; a node of a graph is a dot.
    inside = each - 2 * MARGIN
    scale = inside / (extent[0] + 1) if graph.is_grid else inside / float(extent.max())
    dot = scale if graph.is_grid else 3.0
    height = extent[1] * scale + dot + 2 * MARGIN + CAPTION
    points = np.stack(
        [
            MARGIN + dot / 2 + (places[:, 0] - low[0]) * scale,
            MARGIN + dot / 2 + (high[1] - places[:, 1]) * scale,
        ],
        axis=1,
    )
    size = each, _even(ceil(height))
    return [FilmedPane(run, size, points, dot) for run in runs]


def _joined(images: Sequence[Image.Image], size: tuple[int, int]) -> Image.Image:
    whole = Image.new("RGB", size, FREE)
    left = 0
    for image in images:
        whole.paste(image, (left, 0))
        left += image.width
    return whole


def _gif(pictures: Iterator[Image.Image]) -> bytes:
    """All pictures have the colours of the last, which has all of them."""
    images = list(pictures)
    palette = images[-1].quantize(COLORS, dither=Image.Dither.NONE)
    few = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    stream = io.BytesIO()
    pause = round(1000 / FRAME_RATE)
    times = [pause] * (len(few) - 1) + [pause + round(1000 * HOLD)]
    few[0].save(
        stream, "GIF", save_all=True, append_images=few[1:], duration=times, loop=0, optimize=True
    )
    return stream.getvalue()


def _arrays(pictures: Iterator[Image.Image], held: int) -> Iterator[NDArray[np.uint8]]:
    image = None
    for image in pictures:
        yield np.asarray(image)
    for _ in range(held if image is not None else 0):
        yield np.asarray(image)


def _font() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(15)


def _even(length: int) -> int:
    """Encoders of films want even sides."""
    return length + length % 2
