"""Which nodes a search discovered, and when: what OPEN held at each step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.graphs import AnyGraph, GridGraph

Steps = tuple[NDArray[np.int64], NDArray[np.int64]]  # nodes, and the expansion that found each


def discovered(
    graph: AnyGraph,
    trace: NDArray[np.int32],
    parents: NDArray[np.int32],
    ends: tuple[int, ...],
) -> Steps:
    """The nodes that a search discovered, in order.

    A search discovers the neighbours of the nodes that it expands; on a directed graph, the half
    of a search that begins at the goal follows edges backwards.

    Parameters
    ----------
    graph : Graph or GridGraph
        The graph.
    trace, parents
        The expanded nodes, and from where each was reached.
    ends
        Where the search began: the start, or start and goal.

    Returns
    -------
    nodes, steps : ndarray of int
        Every discovered node once, and the number of the expansion that discovered it; -1 of ends.

    Examples
    --------
    >>> grid = GridGraph([[True] * 4])
    >>> nodes, steps = discovered(grid, np.array([0, 1]), np.array([-1, 0]), (0,))
    >>> nodes.tolist(), steps.tolist()
    ([0, 1, 2], [-1, 0, 1])
    """
    found = [(np.array(ends, np.int64), np.full(len(ends), -1, np.int64))]
    backward = _is_backward(trace, parents, ends)
    if graph.is_grid or not graph.directed or not backward.any():
        found.append(_neighbors(graph, trace.astype(np.int64)))
    else:
        for part, half in ((graph, ~backward), (graph.reversed(), backward)):
            steps = np.flatnonzero(half)
            nodes, number = _neighbors(part, trace[half].astype(np.int64))
            found.append((nodes, steps[number]))
    nodes, steps = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(steps, kind="stable")
    nodes, steps = nodes[order], steps[order]
    _, first = np.unique(nodes, return_index=True)
    first.sort()
    return nodes[first], steps[first]


def _is_backward(
    trace: NDArray[np.int32], parents: NDArray[np.int32], ends: tuple[int, ...]
) -> NDArray[np.bool_]:
    """Which expansions belong to the half that began at the goal."""
    backward = np.zeros(trace.size, bool)
    if len(ends) < 2:
        return backward
    half = {ends[0]: False, ends[1]: True}
    for step, (node, parent) in enumerate(zip(trace.tolist(), parents.tolist(), strict=True)):
        half[node] = backward[step] = half[node] if parent < 0 else half.get(parent, False)
    return backward


def _neighbors(graph: AnyGraph, nodes: NDArray[np.int64]) -> Steps:
    """The neighbours of nodes, and the position of the node that each belongs to."""
    if graph.is_grid:
        return _neighbors_on_grid(graph, nodes)
    first = graph.indptr[nodes]
    degree = graph.indptr[nodes + 1] - first
    number = np.repeat(np.arange(nodes.size), degree)
    offset = np.arange(number.size) - np.repeat(np.cumsum(degree) - degree, degree)
    return graph.indices[first[number] + offset].astype(np.int64), number


def _neighbors_on_grid(grid: GridGraph, nodes: NDArray[np.int64]) -> Steps:
    """By the rules of `phil.graphs.stencil`, for all nodes at once."""
    stencil = grid.arrays.stencil
    line = nodes // stencil.side
    place = stencil.origin + nodes + 2 * line
    if stencil.margin > 0:
        place += line // stencil.lines * stencil.margin
    targets, numbers = [], []
    for move in range(stencil.steps.size):
        legal = stencil.cells[place + stencil.reach[move]] != 0
        if stencil.beside.shape[1]:
            beside = stencil.cells[place[:, None] + stencil.beside[move][None]] == 0
            legal &= beside.sum(axis=1) <= stencil.spare
        numbers.append(np.flatnonzero(legal))
        targets.append(nodes[legal] + stencil.steps[move])
    return np.concatenate(targets), np.concatenate(numbers)
