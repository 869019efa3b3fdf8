"""The distance to the closest uncovered blocked cell."""

from __future__ import annotations

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.heuristics.obstacle_distance import ObstacleDistance
from phil.search.guide import Expansion


def expansion(node: int, *new: int) -> Expansion:
    count = len(new)
    return Expansion(
        node, np.array(new, np.int32), np.zeros(count), np.zeros(count, np.int32), count=1
    )


def test_it_is_0_until_a_blocked_cell_is_met_and_then_straight_to_the_closest() -> None:
    free = np.ones((7, 9), bool)
    free[0, 8] = False
    grid = GridGraph(free)
    guide = ObstacleDistance.begin(grid, grid.node(6, 0), grid.node(3, 3))
    far, near = grid.node(4, 5), grid.node(0, 6)
    assert guide.score(expansion(grid.node(3, 3), far)).tolist() == [0.0]
    assert guide.score(expansion(grid.node(1, 7), far, near)).tolist() == [5.0, 2.0]


def test_a_graph_without_cells_is_refused() -> None:
    graph = Graph.from_edges(2, [(0, 1)], np.zeros((2, 1)))
    with pytest.raises(InputError, match=r"obstacles looks at blocked cells.*GridGraph"):
        ObstacleDistance.begin(graph, 0, 1)
