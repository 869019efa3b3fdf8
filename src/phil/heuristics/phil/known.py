"""What a search on a grid knows of the cells around a node, at no further call, compiled.

Calling the neighbours of a node tells which of the cells around it can be entered from there. The
map of what is known so far is kept by the number of a cell, as on a `GridGraph`, also on grids that
are discovered by searching. Nothing is cleared between searches: a code belongs to the search whose
number it holds.
"""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive, routine
from phil.graphs import SearchedGraph
from phil.graphs.arrays import GraphArrays, coordinates, neighbors
from phil.heuristics.phil.cache import CALLS_AHEAD, NUMBER, Cache
from phil.heuristics.phil.inputs import STATES
from phil.heuristics.phil.weights import Weights
from phil.heuristics.scaling import Frame

# What is known of a cell; from FREE on it can be entered, from CALLED on its neighbours are known.
UNKNOWN, BLOCKED, FREE, CALLED, CLOSED = 0, 1, 2, 3, 4
CODES = 8  # `Cache.seen` is CODES * search + code
ONE = np.float32(1.0)
ZERO = np.float32(0.0)


def cells_of(graph: SearchedGraph) -> int:
    """The number of cells of a grid; 0 on other graphs."""
    return prod(graph.shape) if graph.shape is not None else 0


@primitive
def _code(cache: Cache, cell: int) -> int:
    code = cache.seen[cell] - CODES * cache.search[NUMBER]
    return code if code > 0 else UNKNOWN


@primitive
def _set_code(cache: Cache, cell: int, code: int) -> None:
    cache.seen[cell] = CODES * cache.search[NUMBER] + code


@primitive
def _cell(frame: Frame, x: int, y: int, z: int) -> int:
    cell = frame.origin + x * frame.strides[0] + y * frame.strides[1]
    return cell + z * frame.strides[2] if frame.strides.size > 2 else cell


@primitive
def _is_inside(frame: Frame, x: int, y: int, z: int) -> bool:
    inside = 0 <= x < frame.sides[0] and 0 <= y < frame.sides[1]
    return inside and (frame.sides.size < 3 or 0 <= z < frame.sides[2])


@primitive
def is_called(cache: Cache, graph: GraphArrays, frame: Frame, node: int) -> bool:
    """Whether the neighbours of a node are known."""
    x, y, z = coordinates(graph, node)
    return _code(cache, _cell(frame, x, y, z)) >= CALLED


@kernel
def count_called(cache: Cache, graph: GraphArrays, frame: Frame, nodes: NDArray[np.int32]) -> int:
    """How many of some nodes' neighbours are known."""
    count = 0
    for k in range(nodes.size):
        count += is_called(cache, graph, frame, nodes[k])
    return count


@routine
def note(cache: Cache, graph: GraphArrays, frame: Frame, node: int, code: int) -> None:
    """Note what calling a node's neighbours tells; CALLED, or CLOSED if the node is expanded."""
    x, y, z = coordinates(graph, node)
    cell = _cell(frame, x, y, z)
    before = _code(cache, cell)
    _set_code(cache, cell, max(code, before))
    if code == CALLED and before < CALLED:
        cache.search[CALLS_AHEAD] += 1
    elif code == CLOSED and before == CALLED:
        cache.search[CALLS_AHEAD] -= 1
    if before >= CALLED:
        return
    count = neighbors(graph, node, cache.near, cache.edges, cache.costs)
    offsets = graph.edge_features
    entered = 0
    for move in range(offsets.shape[0]):
        to_x, to_y = x + int(offsets[move, 0]), y + int(offsets[move, 1])
        to_z = z + int(offsets[move, 2]) if offsets.shape[1] > 2 else z
        # Neighbours come in the order of the moves.
        free = entered < count and cache.edges[entered] == move
        entered += free
        if free or _is_inside(frame, to_x, to_y, to_z):
            other = _cell(frame, to_x, to_y, to_z)
            # A forbidden diagonal move may lead to a cell that can be entered from elsewhere.
            _set_code(cache, other, max(FREE if free else BLOCKED, _code(cache, other)))


@kernel
def set_window(weights: Weights, cache: Cache, frame: Frame) -> None:
    """Turn the window around a node from the frame to the map."""
    for item in range(weights.window.shape[0]):
        cache.reach[item] = 0
        for k in range(weights.window.shape[1]):
            axis = frame.axes[k]
            offset = weights.window[item, k] * int(frame.step[k])
            cache.window[item, axis] = offset
            cache.reach[item] += offset * frame.strides[axis]


@primitive
def write_known(
    cache: Cache, graph: GraphArrays, frame: Frame, node: int, first: int, out: NDArray[np.float32]
) -> None:
    """Write whether each cell around a node is blocked, free or expanded, from `first` on.

    All three are 0 if the cell is unknown. Cells off the map are blocked.
    """
    x, y, z = coordinates(graph, node)
    cell = _cell(frame, x, y, z)
    window = cache.window
    for item in range(window.shape[0]):
        at_z = z + window[item, 2] if window.shape[1] > 2 else z
        code = BLOCKED
        if _is_inside(frame, x + window[item, 0], y + window[item, 1], at_z):
            code = _code(cache, cell + cache.reach[item])
        at = first + STATES * item
        out[at] = ONE if code == BLOCKED else ZERO
        out[at + 1] = ONE if code in (FREE, CALLED) else ZERO
        out[at + 2] = ONE if code == CLOSED else ZERO
