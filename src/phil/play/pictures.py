"""What a page needs to draw a problem: the frame `problem`."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from phil.graphs import AnyGraph, Graph
from phil.graphs.features.coordinates import project
from phil.play.frames import Arrays, pack
from phil.play.layout import layout
from phil.play.scenes import Scene, spec

MOST_LABELS = 2000  # nodes whose labels come with the graph

# A layout is computed once for a graph.
_layouts: WeakKeyDictionary[Graph, tuple[NDArray[np.float64], str]] = WeakKeyDictionary()


def problem_frame(scene: Scene, request: int | None = None) -> bytes:
    """The frame that shows a scene.

    >>> from phil.play.frames import unpack
    >>> from phil.play.protocol import PresetProblem
    >>> from phil.play.scenes import Library
    >>> scene = Library().open(PresetProblem(source="preset", name="open"))
    >>> header, columns = unpack(problem_frame(scene))
    >>> header["kind"], header["shape"], columns["free"].sum()
    ('grid2d', [121, 121], np.uint64(14641))
    """
    graph, problem = scene.graph, scene.problem
    header: dict[str, Any] = {
        "type": "problem",
        "problem": spec(scene.source),
        "kind": scene.kind,
        "name": scene.name,
        "start": problem.start,
        "goal": problem.goal,
        "nodes": graph.num_nodes,
        "methods": list(scene.methods),
    }
    if request is not None:
        header["request"] = request
    if scene.text:
        header["text"] = scene.text
    columns: Arrays
    if graph.is_grid:
        columns = {"free": graph.free.reshape(-1)}
        header["shape"] = list(graph.shape)
        header["connectivity"] = graph.connectivity
        header["corners"] = graph.corners
    else:
        columns = _graph_columns(graph, header)
    return pack(header, columns)


def node_places(graph: AnyGraph) -> tuple[NDArray[np.float64], str]:
    """Where the nodes of a graph are drawn, y upwards, and how the places were found."""
    if graph.is_grid:
        return graph.features[:, : graph.axes].astype(np.float64), "given"
    if graph.coordinates is not None:
        return np.asarray(project(graph.coordinates, graph.geographic), np.float64), "given"
    if graph not in _layouts:
        _layouts[graph] = layout(graph)
    return _layouts[graph]


def edges_of(graph: Graph) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """The ends and weights of a graph's edges; an undirected edge is listed once."""
    source, target = graph.sources.astype(np.int32), graph.indices
    weight = np.ones(target.size) if graph.weights is None else graph.weights
    if not graph.directed:
        once = source <= target
        source, target, weight = source[once], target[once], weight[once]
    return source, target, weight


def _graph_columns(graph: Graph, header: dict[str, Any]) -> Arrays:
    places, how = node_places(graph)
    source, target, weight = edges_of(graph)
    header["directed"] = graph.directed
    header["edges"] = int(source.size)
    header["layout"] = how
    if graph.labels is not None and graph.num_nodes <= MOST_LABELS:
        header["labels"] = list(graph.labels)
    # Single precision is enough around the middle: coordinates may be far from 0.
    middle = (places.min(axis=0) + places.max(axis=0)) / 2
    axes = dict(zip("xyz", (places - middle).T, strict=False))
    return {**axes, "from": source, "to": target, "weight": weight}
