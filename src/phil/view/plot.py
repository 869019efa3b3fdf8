"""A figure of any search that can be drawn: on a 2D map, or on a graph with coordinates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.arguments import NOTHING, takes
from phil.errors import InputError
from phil.graphs import AnyGraph, GridGraph, ImplicitGraph
from phil.graphs.checks import GRAPH
from phil.search import Result
from phil.view.figure import Picture
from phil.view.graph_picture import graph_picture
from phil.view.picture import RESULT, picture

INCHES = 6.0  # the longer side of a map


@takes(result=RESULT | NOTHING)
def plot(graph: AnyGraph | Result[Any] | Any, result: Result[Any] | None = None) -> Picture:
    """Draw a search: what it expanded, in which order, and the path that it found.

    Expanded nodes go from blue (first) to yellow (last), if the search was run with `trace=True`;
    the path is a red line from the ring (start) to the disc (goal). A notebook shows the figure.

    Parameters
    ----------
    graph : Result, or a graph
        The result of a search; or the graph that was searched, as for `phil.search`, which a result
        that was sent to another process no longer knows.
    result : Result, optional
        The result, if the first argument is the graph.

    Returns
    -------
    matplotlib.figure.Figure
        To be saved with `figure.savefig("search.png")`.

    Raises
    ------
    InputError
        If the graph has no coordinates, or is a 3D map (see `phil.view.scene_html`) or an
        `ImplicitGraph`.

    Examples
    --------
    >>> import phil
    >>> result = phil.search([[True] * 9] * 9, (8, 0), (0, 8), "astar", trace=True)
    >>> figure = phil.plot(result)
    >>> figure.get_size_inches().tolist()
    [6.0, 6.0]
    """
    if result is None:
        if not isinstance(graph, Result):
            raise InputError("plot needs a result: phil.plot(result), or phil.plot(graph, result)")
        result, graph = graph, graph.graph
        if graph is None:
            raise InputError("this result does not know its graph; use phil.plot(graph, result)")
    if isinstance(graph, ImplicitGraph):
        raise InputError("an ImplicitGraph is not known, so that it cannot be drawn")
    known: AnyGraph = GRAPH.take(graph, "plot: graph")
    drawn = _with_ids(known, result)
    return _map_figure(known, drawn) if known.is_grid else graph_picture(known, drawn)


def _with_ids(graph: AnyGraph, result: Result[Any]) -> Result:
    """The result with ids; without a trace, nothing but the start is drawn as expanded."""
    ids = {node: number for number, node in enumerate(getattr(graph, "own_nodes", None) or ())}

    def numbers(nodes: Any) -> NDArray[np.int64]:
        if isinstance(nodes, np.ndarray):
            return nodes
        if graph.is_grid:
            return np.array([graph.node(*node) for node in nodes], np.int64)
        return np.array([ids.get(node, graph.size) for node in nodes], np.int64)

    path = numbers(result.path)
    trace = path[:1] if result.trace is None else numbers(result.trace)
    if max(path.max(initial=0), trace.max(initial=0)) >= graph.size:
        raise InputError(f"the result does not belong to this graph, {graph!r}")
    return replace(result, path=path, trace=trace)


def _map_figure(grid: GridGraph, result: Result) -> Picture:
    drawn = picture(grid, result)
    size = np.array(drawn.size) * INCHES / max(drawn.size)
    figure = Picture(figsize=(float(size[0]), float(size[1])))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.imshow(np.asarray(drawn), aspect="auto")
    return figure
