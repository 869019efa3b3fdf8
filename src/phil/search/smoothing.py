"""Any-angle paths: a path on a grid, shortened along clear lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.arguments import ITERABLE, takes
from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.checks import GRAPH
from phil.graphs.grid import Cell, GridGraph
from phil.graphs.line_of_sight import (
    SHORTER,
    SPACE,
    Sight,
    cells_between,
    first_blocked,
    points_of,
    pull,
    sight_of,
)

REACH = 256  # cells of a path that a line may replace at first; then lines are joined
MOST_ROUNDS = 8  # of pulling; each begins with the cells along the result of the one before

Points = NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class Smoothed:
    """A path along straight lines between the centres of cells.

    Attributes
    ----------
    waypoints : tuple of cells
        Where the path turns, with start and goal: (row, column) or (x, y, z).
    length : float
        Its Euclidean length, in cells.
    length_before : float
        That of the path it was made from.
    """

    waypoints: tuple[Cell, ...]
    length: float
    length_before: float

    def __repr__(self) -> str:
        return (
            f"Smoothed({len(self.waypoints)} waypoints, "
            f"length {self.length_before:.4g} -> {self.length:.4g})"
        )


@takes(graph=GRAPH, path=ITERABLE)
def smooth(graph: AnyGraph, path: Iterable[int | Cell]) -> Smoothed:
    """Shorten a path on a grid by straight lines in any direction.

    A line leads from the centre of a cell to that of another and passes through free cells only.
    Where it meets a corner exactly, the grid's rule for corners applies as it does to diagonal
    moves; on a grid without diagonal moves, all cells at the corner must be free.

    The path is pulled taut: the shortest way over its own cells along such lines is found, then
    that over the cells along this way, and so on. Nothing is searched beyond them.

    Parameters
    ----------
    graph : GridGraph
        The 2D or 3D map.
    path
        The nodes or cells of a path, such as `result.path`. Any two in succession must be joined by
        a move, or by a line as above, so that `waypoints` can be given again.

    Returns
    -------
    Smoothed
        The waypoints, and the lengths before and after; never longer than before.

    Raises
    ------
    InputError
        If the graph is not a grid, or the path leads through a blocked cell.

    Examples
    --------
    >>> import phil
    >>> free = [[True] * 9] * 2 + [[False] * 7 + [True] * 2] + [[True] * 9] * 2
    >>> grid = phil.GridGraph(free)
    >>> result = phil.search(grid, (4, 0), (0, 0), phil.load("euclidean"))
    >>> smoothed = phil.smooth(grid, result.path)
    >>> smoothed
    Smoothed(5 waypoints, length 15.66 -> 14.99)
    >>> smoothed.waypoints
    ((4, 0), (3, 6), (2, 7), (1, 6), (0, 0))
    """
    if not graph.is_grid:
        raise InputError(
            "only a path on a GridGraph can be smoothed: elsewhere, nothing is known of the space "
            "between two nodes"
        )
    nodes = _ids(graph, list(path))
    sight, points = sight_of(graph), points_of(graph, nodes)
    blocked = first_blocked(sight, points)
    if blocked:
        here, there = (graph.cell(int(node)) for node in nodes[blocked - 1 : blocked + 1])
        raise InputError(
            f"the path cannot be smoothed: it leads from {here} to {there}, and the line between "
            "them is blocked; give the nodes of a path on this grid"
        )
    taut, length = _taut(sight, points), _length(points)
    waypoints = (tuple(point[SPACE - graph.axes :]) for point in taut.tolist())
    return Smoothed(tuple(waypoints), min(_length(taut), length), length)


def _ids(graph: GridGraph, path: Sequence[Any]) -> NDArray[np.int64]:
    """The ids of the path's nodes."""
    ids = [graph.node(*node) if np.ndim(node) == 1 else node for node in path]
    return np.array([graph.check_node(node, "the path's node") for node in ids], np.int64)


def _taut(sight: Sight, points: Points) -> Points:
    """Shorten a path until that no longer helps."""
    for _ in range(MOST_ROUNDS):
        pulled = _pulled(sight, _pulled(sight, _cells_along(points), REACH), len(points))
        shorter = _length(pulled) < SHORTER * _length(points)
        if not shorter and len(pulled) >= len(points):
            break
        points = pulled
    return points


def _pulled(sight: Sight, points: Points, reach: int) -> Points:
    """The shortest path over some of the points."""
    lengths, before = np.empty(len(points)), np.empty(len(points), np.int64)
    if len(points) < 2:
        return points
    pull(sight, points, reach, lengths, before)
    kept = [len(points) - 1]
    while kept[-1] > 0:
        kept.append(int(before[kept[-1]]))
    return points[kept[::-1]]


def _cells_along(points: Points) -> Points:
    """The cells that a path passes, its own points among them."""
    parts = [points[:1]]
    for here, there in pairwise(points):
        cells = np.empty((int(np.abs(there - here).sum()), SPACE), np.int64)
        parts.append(cells[: cells_between(here, there, cells)])
    return np.concatenate(parts)


def _length(points: Points) -> float:
    return float(np.sqrt((np.diff(points, axis=0) ** 2).sum(axis=1)).sum())
