"""What every search must do: one battery of checks, run over all of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph, ImplicitGraph
from phil.graphs.distances import hops_to
from phil.heuristics.classical import euclidean, oracle, zero
from phil.problems.problem import Problem
from phil.search import Limits, Outcome, Result
from phil.search.guide import Heuristic
from tests.guides import facts
from tests.implicit import NAMES, Mirror, own_facts, simplified
from tests.strategies import edge_costs


class Search(Protocol):
    """A search with its key."""

    def __call__(
        self,
        graph: AnyGraph | ImplicitGraph[Any],
        start: Any,
        goal: Any,
        heuristic: Heuristic,
        *,
        limits: Limits | None = None,
        trace: bool = False,
    ) -> Result[Any]:
        """Search one problem."""
        ...


HEURISTICS = (euclidean, zero, oracle)


def random_problems() -> tuple[Problem, ...]:
    """Maps and graphs, directed ones too, with and without a path."""
    random = np.random.default_rng(9)
    problems = []
    for shape in ((1, 1), (1, 9), (6, 8), (20, 15)):
        free = random.random(shape) < 0.75
        free[-1, 0] = free[0, -1] = True
        grid = GridGraph(free)
        problems.append(Problem(grid, grid.node(shape[0] - 1, 0), shape[1] - 1))
    free = random.random((5, 4, 6)) < 0.75
    free[0, 0, 0] = free[-1, -1, -1] = True
    problems.append(Problem(GridGraph(free, corners="both_free"), 0, free.size - 1))
    for directed in (False, True):
        edges = random.integers(0, 30, (60, 2))
        weights = random.integers(1, 9, 60)
        graph = Graph.from_edges(
            30, edges, random.random((30, 2)), weights=weights, directed=directed
        )
        problems += [Problem(graph, 0, goal) for goal in (0, 7, 19, 29)]
    return tuple(problems)


PROBLEMS = random_problems()


def solves_what_can_be_solved(search: Search) -> None:
    for problem in PROBLEMS:
        there = np.isfinite(hops_to(problem.graph, problem.goal)[problem.start])
        for heuristic in HEURISTICS:
            result = search(problem.graph, problem.start, problem.goal, heuristic)
            assert result.outcome is (Outcome.SOLVED if there else Outcome.UNREACHABLE)


def finds_real_paths(search: Search) -> None:
    for problem in PROBLEMS:
        costs = edge_costs(problem.graph)
        for heuristic in HEURISTICS:
            result = search(problem.graph, problem.start, problem.goal, heuristic)
            path = result.path.tolist()
            if not result.solved:
                assert (path, result.cost, result.length) == ([], np.inf, 0)
                continue
            assert (path[0], path[-1]) == (problem.start, problem.goal)
            assert len(set(path)) == len(path) == result.length + 1
            assert result.cost == pytest.approx(sum(costs[move] for move in pairwise(path)))


def counts_the_nodes_moved_to_close(search: Search) -> None:
    for problem in PROBLEMS:
        for heuristic in HEURISTICS:
            result = search(problem.graph, problem.start, problem.goal, heuristic, trace=True)
            assert result.trace is not None
            trace = result.trace.tolist()
            assert result.expansions == len(trace) == len(set(trace)) + result.reopened
            assert trace[0] == problem.start
            assert (trace[-1] == problem.goal) == result.solved
            assert problem.goal not in trace[:-1]
            assert result.path_by_parents is not None
            assert set(result.path_by_parents.tolist()) <= set(trace)
            assert len(set(trace)) <= result.generated <= problem.graph.num_nodes
            assert result.seconds >= 0


def evaluates_every_node(search: Search) -> None:
    for problem in PROBLEMS:
        for heuristic in HEURISTICS:
            result = search(problem.graph, problem.start, problem.goal, heuristic)
            assert result.evaluations >= result.generated - 1


def counts_what_both_ends_expand(search: Search) -> None:
    """Of a search from both ends: no node is expanded from both, and the goal need not be."""
    for problem in PROBLEMS:
        for heuristic in HEURISTICS:
            result = search(problem.graph, problem.start, problem.goal, heuristic, trace=True)
            assert result.trace is not None
            trace = result.trace.tolist()
            assert result.expansions == len(trace) == len(set(trace))
            assert result.neighbor_calls == len(trace) - (problem.start == problem.goal)
            assert (result.reopened, result.lookahead_calls) == (0, 0)
            assert trace[0] == problem.start
            assert len(trace) <= result.generated <= 2 * problem.graph.num_nodes
            assert result.path_by_parents is not None
            assert len(set(result.path_by_parents.tolist()) - set(trace)) <= 2
            assert result.seconds >= 0


def refuses_graphs_met_on_the_way(search: Search) -> None:
    """Of a search from both ends."""
    for problem in PROBLEMS:
        mirror = Mirror(simplified(problem.graph))
        ends = mirror.name(problem.start), mirror.name(problem.goal)
        with pytest.raises(InputError, match="ImplicitGraph"):
            search(mirror.graph, *ends, zero)
        assert not mirror.neighbors


def start_is_goal_is_one_expansion(search: Search) -> None:
    for problem in PROBLEMS:
        result = search(problem.graph, problem.start, problem.start, euclidean)
        assert (result.outcome, result.expansions) == (Outcome.SOLVED, 1)
        assert (result.path.tolist(), result.cost) == ([problem.start], 0.0)


def is_deterministic(search: Search) -> None:
    for problem in PROBLEMS:
        ends = problem.graph, problem.start, problem.goal
        first, again = (facts(search(*ends, euclidean, trace=True)) for _ in range(2))
        assert first == again


def a_trace_changes_nothing(search: Search) -> None:
    for problem in PROBLEMS:
        ends = problem.graph, problem.start, problem.goal
        plain, traced = facts(search(*ends, euclidean)), facts(search(*ends, euclidean, trace=True))
        assert plain == traced | {"trace": None, "path_by_parents": None}


def stops_at_a_limit(search: Search) -> None:
    for problem in PROBLEMS:
        ends = problem.graph, problem.start, problem.goal
        whole = search(*ends, euclidean)
        for most in {0, whole.expansions // 2, whole.expansions - 1}:
            result = search(*ends, euclidean, limits=Limits(expansions=most))
            assert (result.outcome, result.expansions) == (Outcome.LIMIT, most)
            assert result.path.size == 0
        ample = search(*ends, euclidean, limits=Limits(whole.expansions + 1, seconds=1e9))
        assert facts(ample) == facts(whole)


def searches_graphs_met_on_the_way(search: Search) -> None:
    for problem in PROBLEMS:
        graph = simplified(problem.graph)
        for heuristic in (euclidean, zero):
            mirror = Mirror(graph, NAMES["texts"])
            ends = mirror.name(problem.start), mirror.name(problem.goal)
            met = search(mirror.graph, *ends, heuristic, trace=True)
            written = search(graph, problem.start, problem.goal, heuristic, trace=True)
            assert own_facts(met) == mirror.named(written)
            assert met.neighbor_calls == mirror.neighbors.total()


CHECKS: tuple[Callable[[Search], None], ...] = (
    solves_what_can_be_solved,
    finds_real_paths,
    counts_the_nodes_moved_to_close,
    evaluates_every_node,
    start_is_goal_is_one_expansion,
    is_deterministic,
    a_trace_changes_nothing,
    stops_at_a_limit,
    searches_graphs_met_on_the_way,
)


FROM_BOTH_ENDS: tuple[Callable[[Search], None], ...] = (
    solves_what_can_be_solved,
    finds_real_paths,
    counts_what_both_ends_expand,
    start_is_goal_is_one_expansion,
    is_deterministic,
    a_trace_changes_nothing,
    stops_at_a_limit,
    refuses_graphs_met_on_the_way,
)


def check_search(search: Search) -> None:
    """All checks."""
    for check in CHECKS:
        check(search)
