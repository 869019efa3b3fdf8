"""What was discovered when, by the rules of each kind of graph."""

from __future__ import annotations

import numpy as np
import pytest

from phil.evaluation import parse_method
from phil.graphs import Graph, GridGraph
from phil.play.discovery import discovered
from phil.problems.problem import Problem


@pytest.mark.parametrize("corners", ["allow", "one_free", "both_free"])
@pytest.mark.parametrize("shape", [(12, 15), (6, 7, 5)])
def test_grids_follow_their_rules(shape: tuple[int, ...], corners: str) -> None:
    free = np.random.default_rng(4).random(shape) > 0.35
    free.reshape(-1)[0] = True
    rules = {"corners": corners}
    grid = GridGraph(free, **rules)  # type: ignore[arg-type]
    trace = np.array([0, *grid.neighbors(0)], np.int32)
    nodes, steps = discovered(grid, trace, np.zeros(trace.size, np.int32), (0,))
    expected: dict[int, int] = {0: -1}
    for step, node in enumerate(trace.tolist()):
        for near in grid.neighbors(node).tolist():
            expected.setdefault(near, step)
    assert dict(zip(nodes.tolist(), steps.tolist(), strict=True)) == expected


def test_the_half_from_the_goal_follows_edges_backwards() -> None:
    chain = Graph.from_edges(6, [(k, k + 1) for k in range(5)], directed=True)
    result = parse_method("bidijkstra").search(Problem(chain, 0, 5), trace=True)
    assert result.trace is not None
    parents = np.array([-1, -1, 0, 5, 1, 4], np.int32)
    trace = np.array([0, 5, 1, 4], np.int32)
    nodes, steps = discovered(chain, trace, parents[: trace.size], (0, 5))
    found = dict(zip(nodes.tolist(), steps.tolist(), strict=True))
    assert found == {0: -1, 5: -1, 1: 0, 4: 1, 2: 2, 3: 3}


def test_nothing_expanded_is_nothing_discovered() -> None:
    grid = GridGraph([[True, True]])
    none = np.empty(0, np.int32)
    nodes, steps = discovered(grid, none, none, (1,))
    assert (nodes.tolist(), steps.tolist()) == ([1], [-1])
