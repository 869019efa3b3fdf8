"""The lower bounds that a suboptimality bound is proven with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import phil
from phil.errors import InputError
from phil.evaluation import parse_method
from phil.graphs import AnyGraph, Graph, GridGraph, SearchedGraph
from phil.graphs.distances import costs_to
from phil.graphs.lower_bound import best_lower_bound, least_cost, lower_bound_of
from phil.heuristics.classical import euclidean, manhattan, octile, zero
from phil.heuristics.landmarks import landmarks
from phil.heuristics.node_value import TableHeuristic
from phil.search import Limits, anytime, search
from phil.search.guide import Expansion, Guide, Heuristic, Traits
from tests.implicit import NAMES, Mirror, simplified
from tests.strategies import graphs, node_ids, problems

BOUNDS = (1.0, 1.1, 2.0)
CLOSE = 1 + 1e-9


class Known:
    """A lower bound of one's own: a function of ids, or of the user's nodes if implicit."""

    name = "known"

    def __init__(self, value: Callable[[Any], float], *, admissible: bool = True) -> None:
        self.traits = Traits("a lower bound", admissible=lambda graph: admissible)
        self._value = value

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> Guide:
        """A guide for one search."""
        return KnownGuide(graph, self._value)


class KnownGuide:
    """The guide of `Known`."""

    def __init__(self, graph: SearchedGraph, value: Callable[[Any], float]) -> None:
        self._graph = graph
        self._value = value

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """One value per new node."""
        nodes: list[Any] = expansion.new.tolist()
        if not self._graph.is_known:
            nodes = [self._graph.user_node(node) for node in nodes]
        return np.array([self._value(node) for node in nodes], float)


def weaker(costs: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Lower bounds that are admissible, and inconsistent."""
    return np.where(np.isinf(costs), 0.0, costs) * np.random.default_rng(seed).random(costs.size)


@given(problems(), st.integers(0, 2**32), st.sampled_from(BOUNDS))
@settings(max_examples=200)
def test_an_inconsistent_lower_bound_of_ones_own_proves_bounds(
    problem: tuple[AnyGraph, int, int], seed: int, bound: float
) -> None:
    graph, start, goal = problem
    costs = costs_to(graph, goal)
    own = Known(weaker(costs, seed).__getitem__)
    guide = TableHeuristic(np.random.default_rng(seed).normal(size=graph.size))
    result = search(graph, start, goal, guide, bound=bound, lower=own)
    assert result.solved == np.isfinite(costs[start])
    if result.solved:
        assert costs[start] <= result.cost * CLOSE
        assert result.cost <= bound * costs[start] * CLOSE
        assert result.lower_bound <= costs[start] * CLOSE
        *_, last = anytime(graph, start, goal, guide, bound=bound, lower=own)
        assert last.cost <= bound * costs[start] * CLOSE


@given(graphs(), st.integers(0, 2**32), st.sampled_from(BOUNDS), st.data())
def test_a_lower_bound_of_ones_own_works_on_graphs_met_on_the_way(
    graph: Graph, seed: int, bound: float, data: st.DataObject
) -> None:
    start, goal = (data.draw(st.integers(0, graph.size - 1)) for _ in "ab")
    simple = simplified(graph)
    mirror = Mirror(simple, NAMES["texts"])
    costs = costs_to(simple, goal)
    values = {mirror.name(node): value for node, value in enumerate(weaker(costs, seed).tolist())}
    ends = mirror.name(start), mirror.name(goal)
    result = search(mirror.graph, *ends, zero, bound=bound, lower=Known(values.__getitem__))
    assert result.solved == np.isfinite(costs[start])
    if result.solved:
        assert result.cost <= bound * costs[start] * CLOSE
    assert max(mirror.neighbors.values(), default=0) <= 1


@given(problems(), st.integers(0, 2**32))
@settings(max_examples=200)
def test_landmarks_never_exceed_the_least_cost(
    problem: tuple[AnyGraph, int, int], seed: int
) -> None:
    graph, _, goal = problem
    costs = costs_to(graph, goal)
    lower = best_lower_bound(graph, goal, landmarks=True)
    weak = lower_bound_of(graph, goal)
    for node in node_ids(graph):
        value = least_cost(graph.arrays, lower, node)
        assert least_cost(graph.arrays, weak, node) <= value <= costs[node] * CLOSE


@given(st.integers(0, 2**32), st.sampled_from(BOUNDS))
@settings(max_examples=100)
def test_landmarks_prove_bounds_whatever_the_scale_of_weights(seed: int, bound: float) -> None:
    random = np.random.default_rng(seed)
    edges = random.integers(0, 12, (30, 2))
    weights = 10.0 ** random.integers(-20, 20, 30)
    graph = Graph.from_edges(12, edges, np.zeros((12, 1)), weights=weights)
    least = costs_to(graph, 11)[0]
    result = search(graph, 0, 11, TableHeuristic(random.normal(size=12)), bound=bound)
    assert result.solved == np.isfinite(least)
    if result.solved:
        assert result.cost <= bound * least * CLOSE


def spiral() -> tuple[GridGraph, tuple[int, int], tuple[int, int]]:
    """A map on which the straight way is blocked, so that landmarks know more than coordinates."""
    free = np.ones((21, 21), bool)
    free[5:, 5] = free[5, 5:16] = False
    return GridGraph(free), (20, 0), (20, 10)


def test_the_best_lower_bound_at_hand_is_used() -> None:
    grid, start, goal = spiral()
    counts = {
        lower.name: search(grid, start, goal, euclidean, bound=1.05, lower=lower).expansions
        for lower in (zero, octile, landmarks)
    }
    assert counts["landmarks"] < counts["octile"] < counts["zero"]
    default = search(grid, start, goal, euclidean, bound=1.05).expansions
    assert default == counts["octile"]  # no landmarks are computed for a map
    guided = search(grid, start, goal, landmarks, bound=1.05).expansions
    again = search(grid, start, goal, landmarks, bound=1.05, lower=octile).expansions
    assert guided < again  # which has landmarks anyway


def test_graphs_that_are_known_get_landmarks() -> None:
    grid, start, goal = spiral()
    graph = _as_graph(grid)
    ends = grid.node(*start), grid.node(*goal)
    default, chosen, none = (
        search(graph, *ends, manhattan, bound=1.1, lower=lower).expansions
        for lower in (None, "landmarks", "zero")
    )
    assert default == chosen < none


def _as_graph(grid: GridGraph) -> Graph:
    edges = [(node, near) for node in node_ids(grid) for near in grid.neighbors(node).tolist()]
    return Graph.from_edges(grid.size, edges, grid.features, directed=True)


@pytest.mark.parametrize("lower", [manhattan, "phil:forest", Known(float, admissible=False)])
def test_what_is_not_known_to_be_a_lower_bound_proves_nothing(lower: Heuristic | str) -> None:
    grid, start, goal = spiral()
    with pytest.raises(InputError, match="is not known to be a lower bound on this graph"):
        search(grid, start, goal, euclidean, bound=1.5, lower=lower)
    with pytest.raises(InputError, match="is not known to be a lower bound on this graph"):
        list(anytime(grid, start, goal, euclidean, lower=lower))


def test_a_lower_bound_must_fit_the_graph() -> None:
    graph = Graph.from_edges(3, [(0, 1), (1, 2)], np.zeros((3, 1)))
    with pytest.raises(InputError, match="octile is not known to be a lower bound"):
        search(graph, 0, 2, zero, bound=1.5, lower="octile")
    mirror = Mirror(graph, NAMES["texts"])
    with pytest.raises(InputError, match="landmarks need a graph that is known in full"):
        search(mirror.graph, mirror.name(0), mirror.name(2), zero, bound=1.5, lower=landmarks)


def test_a_lower_bound_needs_a_bound() -> None:
    grid, start, goal = spiral()
    with pytest.raises(InputError, match="give a bound too"):
        search(grid, start, goal, euclidean, lower=octile)
    with pytest.raises(InputError, match="takes no lower"):
        search(grid, start, goal, "bounded(euclidean, 2)", lower=octile)


def test_a_lower_bound_that_is_no_number_is_refused() -> None:
    grid, start, goal = spiral()
    own = Known(lambda node: float("nan") if node == grid.node(18, 1) else 0.0)
    with pytest.raises(InputError, match="proven with is NaN at"):
        search(grid, start, goal, euclidean, bound=1.0, lower=own)


def test_methods_name_a_lower_bound() -> None:
    grid, start, goal = spiral()
    problem = phil.Problem(grid, start, goal)
    for name in ("landmarks", "octile"):
        method = parse_method(f"bounded(euclidean, 1.05, lower={name})")
        expected = search(grid, start, goal, euclidean, bound=1.05, lower=name)
        assert method.search(problem).expansions == expected.expansions
        assert method.bound == 1.05
        *_, last = method.anytime(problem)
        assert last.proven <= 1.05 * CLOSE
    assert method.search(problem, Limits(3)).outcome == "limit"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bounded(euclidean, 1.5, lower=manhattann)", "manhattann"),
        ("bounded(euclidean, 1.5, upper=octile)", "takes no 'upper'"),
        ("astar(euclidean, lower=octile)", "takes no 'lower'"),
        ("bounded(euclidean, lower=octile)", "takes a heuristic and a number"),
    ],
)
def test_methods_with_other_options_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_method(text)
