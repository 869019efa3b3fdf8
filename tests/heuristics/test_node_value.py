"""Values from a table."""

from __future__ import annotations

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import GridGraph, ImplicitGraph
from phil.heuristics.node_value import TableHeuristic
from phil.search import search


def test_a_table_has_a_value_for_every_id() -> None:
    grid = GridGraph(np.ones((3, 3), bool))
    assert search(grid, 0, 8, TableHeuristic(np.arange(9.0))).solved
    with pytest.raises(InputError, match="table has 8 values, but the graph 9 ids"):
        search(grid, 0, 8, TableHeuristic(np.arange(8.0)))


def test_ids_given_in_the_order_of_discovery_have_no_values() -> None:
    numbers = ImplicitGraph(lambda number: [number + 1])
    with pytest.raises(InputError, match="needs a graph that is known in full"):
        search(numbers, 0, 9, TableHeuristic(np.arange(9.0)))
