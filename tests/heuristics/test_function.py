"""Functions of two nodes as heuristics."""

from __future__ import annotations

import re
from typing import Any

import networkx as nx
import pytest

import phil
from phil.heuristics.function import user_nodes

GRID = phil.GridGraph([[True] * 5] * 4)
LABELLED = phil.Graph.from_edges(3, [(0, 1), (1, 2)], labels=["a", "b", "c"])
PLAIN = phil.Graph.from_edges(3, [(0, 1), (1, 2)])
NETWORK = nx.path_graph([("x", 0), ("x", 1), ("x", 2)])
IMPLICIT = phil.ImplicitGraph(lambda node: [node + "i"])


@pytest.mark.parametrize(
    ("graph", "start", "goal"),
    [
        (GRID, (0, 0), (3, 4)),
        (LABELLED, "a", "c"),
        (PLAIN, 0, 2),
        (NETWORK, ("x", 0), ("x", 2)),
        (phil.Graph.from_networkx(NETWORK), ("x", 0), ("x", 2)),
        (IMPLICIT, "", "iii"),
    ],
)
def test_it_is_called_with_the_users_own_nodes(graph: Any, start: Any, goal: Any) -> None:
    seen = []

    def far(node: Any, to: Any) -> float:
        assert to == goal
        seen.append(node)
        return 0.0

    result = phil.search(graph, start, goal, far)
    assert result.solved
    assert result.nodes[0] == start
    assert set(result.nodes) <= {start, *seen}
    assert result.evaluations == len(seen), "once per node"


def test_its_values_guide_the_search() -> None:
    def columns(cell: tuple[int, int], goal: tuple[int, int]) -> int:
        return abs(cell[1] - goal[1])

    assert phil.search(GRID, (0, 0), (0, 4), columns).expansions < 10
    assert phil.search(GRID, (0, 0), (0, 4), lambda cell, goal: 0).expansions > 10


def test_the_nodes_of_a_grid_are_its_cells() -> None:
    cells = user_nodes(GRID)
    assert len(cells) == GRID.size
    assert cells[7] == (1, 2)
    assert list(user_nodes(PLAIN)) == [0, 1, 2]


def raising(node: Any, goal: Any) -> float:
    raise KeyError(node)


def worded(node: Any, goal: Any) -> str:
    return "far"


def alone(node: Any) -> float:
    return 0.0


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (raising, r"raising\(1, 2\) raised KeyError: 1; it must be a function of a node and the"),
        (worded, r"worded\(1, 2\) returned 'far'; it must return a number"),
        (alone, r"alone\(1, 2\) raised TypeError.* a function of a node and the goal"),
        (lambda node, goal: float("nan"), "gave NaN for node 1"),
    ],
)
def test_what_it_does_wrong_is_told(function: Any, told: str) -> None:
    with pytest.raises(phil.InputError, match=told):
        phil.search(PLAIN, 0, 2, function)


def test_its_name_is_that_of_the_function() -> None:
    [score] = phil.evaluate([phil.Problem(PLAIN, 0, 2)], raising_nothing)
    assert score.method == "raising_nothing"


def raising_nothing(node: Any, goal: Any) -> float:
    return 0.0


def test_a_class_is_no_function() -> None:
    with pytest.raises(phil.InputError, match=re.escape("a function of a node and the goal, or")):
        phil.search(PLAIN, 0, 2, int)
