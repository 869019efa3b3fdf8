"""What names a node: whole numbers of any type, and cells of grids; nothing is rounded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import phil
from phil.errors import InputError

GRAPH = phil.Graph.from_edges(4, [(0, 1), (1, 2), (2, 3)])
GRID = phil.GridGraph([[True] * 4])
ZERO = phil.load("zero")


@pytest.mark.parametrize("graph", [GRAPH, GRID], ids=["graph", "grid"])
@pytest.mark.parametrize("node", [1.7, 1.0, float("nan"), "1", None, [1], np.float64(1), 1j])
def test_what_is_no_whole_number_is_no_node(graph: Any, node: Any) -> None:
    for call in (
        lambda: phil.search(graph, node, 3, ZERO),
        lambda: phil.search(graph, 0, node, ZERO),
        lambda: phil.search_many(graph, [(0, 3), (node, 3)], ZERO),
        lambda: list(phil.anytime(graph, node, 3, ZERO)),
        lambda: phil.search_mha(graph, node, 3, [ZERO]),
        lambda: phil.Problem(graph, node, 3),
        lambda: phil.Problem(graph, 0, node),
        lambda: graph.neighbors(node),
    ):
        with pytest.raises(InputError, match="must be a node id, not"):
            call()


def test_a_truth_is_no_node() -> None:
    with pytest.raises(InputError, match="start must be a node id, not True"):
        phil.search(GRAPH, True, 3, ZERO)


@pytest.mark.parametrize("node", [1, np.int32(1), np.uint64(1), np.array(1)])
def test_whole_numbers_of_all_types_are_nodes(node: Any) -> None:
    for graph in (GRAPH, GRID):
        for start in (node, (0, node)) if graph is GRID else (node,):
            found: Any = phil.search(graph, start, 3, ZERO)
            assert found.path.tolist() == [1, 2, 3]
        assert phil.Problem(graph, node, 3).start == 1
        assert phil.search_many(graph, [(node, 3)], ZERO)[0].length == 2


@pytest.mark.parametrize("cell", [(0, 1.7), (0,), (0, 1, 2), (), (0, "1"), (None, 0), (0, 2**70)])
def test_cells_are_whole_numbers_too(cell: Any) -> None:
    for call in (
        lambda: phil.search(GRID, cell, 3, ZERO),
        lambda: phil.search_many(GRID, [(cell, (0, 3))], ZERO),
        lambda: GRID.node(*cell),
    ):
        with pytest.raises(InputError, match="cell"):
            call()
