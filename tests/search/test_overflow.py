"""Costs and keys that would exceed a float are refused; those that just do not are exact."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np
import pytest

import phil
from phil.errors import InputError
from phil.graphs.checks import MOST_WEIGHT

TOO_MUCH = [1e101, 1e308, math.inf, math.nan]
CHAIN = [(0, 1), (1, 2)]


@pytest.mark.parametrize("weight", TOO_MUCH)
def test_weights_whose_sum_could_overflow_are_refused(weight: float) -> None:
    with pytest.raises(InputError, match="at most 1e"):
        phil.Graph.from_edges(3, CHAIN, weights=[weight, weight])
    with pytest.raises(InputError, match="at most 1e"):
        phil.Graph.from_networkx(nx.Graph([(0, 1, {"weight": weight})]))
    with pytest.raises(InputError, match="diagonal_cost must be"):
        phil.GridGraph([[True, True]], diagonal_cost=weight)
    implicit = phil.ImplicitGraph(lambda node: {node + 1: weight})
    with pytest.raises(InputError, match=r"neighbors\(0\): the edge to 1 costs"):
        phil.search(implicit, 0, 2, phil.load("zero"))


@pytest.mark.parametrize("key", [phil.ASTAR, phil.GREEDY, phil.BFS, phil.Key(g=1e100, h=-1e100)])
def test_the_largest_weights_give_finite_costs(key: phil.Key) -> None:
    graph = phil.Graph.from_edges(3, CHAIN, weights=[MOST_WEIGHT, MOST_WEIGHT])
    for searched, start, goal in (
        (graph, 0, 2),
        (phil.ImplicitGraph(lambda node: {node + 1: MOST_WEIGHT} if node < 5 else {}), 0, 2),
    ):
        result: Any = phil.search(searched, start, goal, phil.load("zero"), key=key)
        assert (result.solved, result.cost) == (True, 2 * MOST_WEIGHT)


@pytest.mark.parametrize("weight", ["1", None, math.nan, math.inf, 1e101, True, 1j])
def test_weights_of_keys_are_finite_numbers(weight: Any) -> None:
    for name in ("g", "h", "depth"):
        with pytest.raises(InputError, match=f"the weight {name} of a key must be a number"):
            phil.Key(**{"g": 1.0, "h": 1.0, name: weight})


class Constant:
    """A heuristic that gives every node one value."""

    name = "constant"

    def __init__(self, value: float) -> None:
        self.value = value

    def begin(self, graph: object, start: int, goal: int) -> Constant:
        return self

    def score(self, expansion: Any) -> np.ndarray[Any, Any]:
        return np.full(expansion.new.size, self.value)


@pytest.mark.parametrize("value", [math.inf, -math.inf, 1e308, -1e308])
@pytest.mark.parametrize("key", [phil.ASTAR, phil.GREEDY, phil.BFS, phil.Key(g=2.0, h=1e100)])
def test_values_that_make_infinite_keys_still_find_the_path(value: float, key: phil.Key) -> None:
    graph = phil.Graph.from_edges(4, [*CHAIN, (0, 3)], weights=[1.0, 2.0, 5.0])
    result = phil.search(graph, 0, 2, Constant(value), key=key)
    assert (result.solved, result.cost) == (True, 3.0)
