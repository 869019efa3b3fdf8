"""Pictures of searches on graphs with coordinates, such as road networks."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from numpy.typing import ArrayLike, NDArray

from phil.errors import InputError
from phil.files import write_atomic
from phil.graphs import Graph
from phil.graphs.features.coordinates import project
from phil.search import Result
from phil.view.figure import Picture
from phil.view.picture import FREE, HALO, PATH, Color, gradient

INCHES = 8.0  # the longer side
NARROWEST = 3.0  # the shorter side, at least
PIXELS = 200  # per inch
ROOM = 1.08  # margin, so that marks at the border are not cut off
TINY = 1e-9  # the least extent, for nodes that are all at one point
EDGES: Color = (196, 199, 206)
EDGE_WIDTH = 0.3  # points
EXPANDED_WIDTH = 1.0
PATH_WIDTH = 2.2
MARK = 80.0  # square points
NODE = 3.0
LARGE = 50_000  # nodes; the edges of larger graphs are drawn thinner

Places = NDArray[np.float64]


def graph_picture(graph: Graph, result: Result, *, goal: int | None = None) -> Picture:
    """Draw a search on a graph with coordinates.

    Edges are grey; expanded nodes, and the edges between them, go from blue (first) to yellow
    (last); the path is a red line from the ring (start) to the disc (goal). Of 3D coordinates, x
    and y are shown.

    Parameters
    ----------
    graph : Graph
        The graph that was searched.
    result : Result
        The result of the search, run with `trace=True`.
    goal : int, optional
        The goal node, to be marked even if the search did not reach it.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        If the graph has no coordinates, or the result no trace.
    """
    places = node_places(graph)
    if result.trace is None:
        raise InputError(
            "a picture needs the order of expansions; search again with search(..., trace=True)"
        )
    figure, axes = _canvas(places)
    source = graph.sources
    edges = np.stack([source, graph.indices], axis=1)
    if not graph.directed:
        edges = edges[edges[:, 0] < edges[:, 1]]  # each is stored twice
    width = EDGE_WIDTH if graph.num_nodes <= LARGE else EDGE_WIDTH / 2
    _draw_edges(axes, places[edges], np.array([rgb(EDGES)]), width)
    _draw_expanded(axes, places, edges, result.trace)
    _draw_path(axes, places, result, goal)
    return figure


def save_graph_picture(path: Path, graph: Graph, result: Result, *, goal: int) -> None:
    """Write the picture of a search as a PNG file."""
    stream = io.BytesIO()
    graph_picture(graph, result, goal=goal).savefig(stream, format="png", dpi=PIXELS)
    write_atomic(path, stream.getvalue())


def node_places(graph: Graph) -> Places:
    """Where nodes are drawn, (nodes, 2); coordinates in degrees are projected as on a map."""
    if graph.coordinates is None:
        raise InputError(
            "the graph cannot be drawn without coordinates; give its nodes x and y, or lon and lat"
        )
    return project(graph.coordinates, graph.geographic)[:, :2]


def _canvas(places: Places) -> tuple[Picture, Axes]:
    low, high = places.min(axis=0), places.max(axis=0)
    extent = high - low
    reach = max(float(extent.max()), TINY)
    size = np.maximum(INCHES * extent / reach, NARROWEST)
    figure = Picture(figsize=(float(size[0]), float(size[1])), facecolor=rgb(FREE))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    half = size / 2 * ROOM * reach / INCHES
    middle = (low + high) / 2
    axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
    axes.set_ylim(middle[1] - half[1], middle[1] + half[1])
    return figure, axes


def _draw_expanded(
    axes: Axes, places: Places, edges: NDArray[np.int64], trace: NDArray[np.int64]
) -> None:
    nodes, first = np.unique(trace, return_index=True)
    order = np.full(len(places), -1.0)
    order[nodes] = first / max(1, trace.size - 1)
    later = order[edges].max(axis=1)
    inside = (order[edges] >= 0).all(axis=1)
    _draw_edges(axes, places[edges[inside]], gradient(later[inside]) / 255, EXPANDED_WIDTH)
    x, y = places[nodes].T
    axes.scatter(x, y, s=NODE, c=gradient(order[nodes]) / 255, linewidths=0, zorder=2)


def _draw_edges(axes: Axes, lines: Places, colors: NDArray[np.float64], width: float) -> None:
    """Draw lines (edges, 2 ends, 2), each in its own colour or all in one."""
    segments = cast(Sequence[ArrayLike], lines)  # mypy: no array is a Sequence
    axes.add_collection(LineCollection(segments, colors=colors, linewidths=width))


def _draw_path(axes: Axes, places: Places, result: Result, goal: int | None) -> None:
    x, y = places[result.path].T
    for color, width in ((HALO, 1.6 * PATH_WIDTH), (PATH, PATH_WIDTH)):
        axes.plot(x, y, color=rgb(color), linewidth=width, solid_capstyle="round", zorder=3)
    if goal is None and result.solved:
        goal = int(result.path[-1])
    marks = []
    if goal is not None:
        marks += [(goal, 1.0, HALO), (goal, 0.6, PATH)]
    if result.trace is not None and result.trace.size:
        start = int(result.trace[0])
        marks += [(start, 1.0, HALO), (start, 0.6, PATH), (start, 0.18, HALO)]
    for node, part, color in marks:
        x, y = places[node]
        axes.scatter(x, y, s=MARK * part, color=[rgb(color)], linewidths=0, zorder=4)


def rgb(color: Color) -> tuple[float, float, float]:
    """A colour as matplotlib takes it."""
    red, green, blue = (channel / 255 for channel in color)
    return red, green, blue
