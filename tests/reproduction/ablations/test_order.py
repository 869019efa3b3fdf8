"""Searches in random orders: what they are free to do, and nothing else."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from phil.evaluation import evaluate, parse_method
from phil.graphs import SearchedGraph
from phil.heuristics.given import as_heuristic
from phil.heuristics.registry import load_heuristic
from phil.problems.problem import Problem
from phil.search import search
from reproduction.ablations.order import (
    BETWEEN_ORDERS,
    ORDERS,
    OrderMethod,
    in_fixed_order,
    in_random_orders,
)
from reproduction.scores import score_json
from tests.guides import facts
from tests.networks import networks, random_heuristic
from tests.reproduction.ablations.test_fringe import PROBLEM, coarse_problems


@given(coarse_problems(), st.data(), st.integers(0, 2**32))
@settings(max_examples=15)
def test_without_a_seed_it_is_the_search_that_there_is(
    problem: Problem, data: st.DataObject, seed: int
) -> None:
    network = data.draw(networks(problem.graph)).model_copy(update={"known": 0, "lazy": False})
    heuristic = random_heuristic(network, seed=seed)
    known = search(problem.graph, problem.start, problem.goal, heuristic, trace=True)
    assert facts(OrderMethod("fixed", heuristic).search(problem, trace=True)) == facts(known)


@given(coarse_problems(), st.integers(0, 2**32))
@settings(max_examples=15)
def test_every_order_is_greedy(problem: Problem, seed: int) -> None:
    """Each node expanded has the least value of those that are open then."""
    heuristic = load_heuristic("manhattan")
    result = OrderMethod("random", heuristic, seed).search(problem, trace=True)
    assert result.solved
    assert result.trace is not None
    values = dict(zip(*_values(problem), strict=True))
    graph = problem.graph
    assert isinstance(graph, SearchedGraph)
    opened, closed = {problem.start}, set[int]()
    for node in result.trace.tolist():
        assert closed == set() or values[node] == min(values[each] for each in opened)
        opened.remove(node)
        closed.add(node)
        opened |= {int(each) for each in graph.neighbors(node)} - closed


def _values(problem: Problem) -> tuple[list[int], list[float]]:
    """All nodes, and their Manhattan distances to the goal."""
    graph = problem.graph
    assert graph.is_grid
    nodes = graph.node_ids.tolist()
    goal = np.array(graph.cell(problem.goal))
    return nodes, [float(np.abs(np.array(graph.cell(node)) - goal).sum()) for node in nodes]


def test_equal_keys_are_broken_at_random() -> None:
    """On an open map by Manhattan distance, any of the shortest paths may be found."""

    def path(seed: int) -> tuple[int, ...]:
        method = OrderMethod("random", load_heuristic("manhattan"), seed)
        return tuple(method.search(PROBLEM).path.tolist())

    assert len({path(seed) for seed in range(8)}) > 4
    assert path(3) == path(3)


def test_rounded_values() -> None:
    """Where all values round to the same, the search is first in, first out."""

    def value(cell: tuple[int, int], goal: tuple[int, int]) -> float:
        return 0.01 * (abs(cell[0] - goal[0]) + abs(cell[1] - goal[1]))

    small = as_heuristic(value)
    plain, whole = (OrderMethod("", small, whole=whole).search(PROBLEM) for whole in (False, True))
    [first] = evaluate([PROBLEM], [parse_method("bfs")])
    assert plain.expansions < whole.expansions == first.runs[0].result.expansions


def test_means_are_over_orders() -> None:
    heuristic = load_heuristic("euclidean")
    found = in_random_orders([PROBLEM], heuristic, whole=True)
    runs = [OrderMethod("", heuristic, seed, whole=True) for seed in range(ORDERS)]
    counts = np.array([run.search(PROBLEM).expansions for run in runs], float)
    assert found["test"]["expansions"] == [counts.mean()]
    assert found[BETWEEN_ORDERS] == counts.std(ddof=1) / counts.mean()
    [score] = evaluate([PROBLEM], [OrderMethod("", heuristic, whole=True)])
    assert in_fixed_order([PROBLEM], heuristic, whole=True) == {"test": score_json(score)}
