"""MHA*: several heuristics in turn, and with weights that bound the path's cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph, ImplicitGraph, SearchedGraph
from phil.graphs.distances import costs_to
from phil.heuristics.classical import euclidean, manhattan, octile, zero
from phil.search import (
    ASTAR,
    GREEDY,
    Key,
    Limits,
    Outcome,
    loop,
    mha_queues,
    search,
    search_mha,
)
from phil.search.guide import Expansion, Heuristic
from phil.search.state import StatePool
from tests.guides import PythonGuide, PythonHeuristic, facts, table
from tests.implicit import NAMES, Mirror, own_facts
from tests.networks import PRESETS, random_heuristic
from tests.strategies import problems

CLOSE = 1 + 1e-9
WEIGHTS = st.sampled_from([1.0, 1.2, 2.0, 7.0])
WEIGHTED = {"w1": 2.0, "w2": 2.0}


def values(kind: str, seed: int, costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values of a heuristic that may mislead in one of several ways."""
    random = np.random.default_rng(seed)
    return {
        "random": random.normal(size=costs.size) * 10,
        "zero": np.zeros(costs.size),
        "huge": random.random(costs.size) * 1e12,
        "exact": costs,
        "turned round": -costs,
        "noisy": costs * random.lognormal(size=costs.size),
        "infinite": np.where(random.random(costs.size) < 0.5, np.inf, random.random(costs.size)),
        "minus infinity": np.full(costs.size, -np.inf),
    }[kind]


KINDS = ("random", "zero", "huge", "exact", "turned round", "noisy", "infinite", "minus infinity")


@given(
    problems(),
    st.lists(st.sampled_from(KINDS), min_size=1, max_size=4),
    st.integers(0, 2**32),
    WEIGHTS,
    WEIGHTS,
)
@settings(max_examples=500)
def test_the_path_costs_at_most_the_weights_times_the_least_cost(
    problem: tuple[AnyGraph, int, int], kinds: list[str], seed: int, w1: float, w2: float
) -> None:
    graph, start, goal = problem
    costs = costs_to(graph, goal)
    guides = [table(values(kind, seed + k, costs)) for k, kind in enumerate(kinds)]
    result = search_mha(graph, start, goal, guides, w1=w1, w2=w2, trace=True)
    assert result.trace is not None
    visits = Counter(result.trace.tolist())
    assert result.expansions == result.trace.size == len(visits) + result.reopened
    assert max(visits.values()) <= 2
    if np.isinf(costs[start]):
        assert (result.outcome, result.cost) == (Outcome.UNREACHABLE, np.inf)
        return
    assert result.solved
    assert costs[start] <= result.cost * CLOSE
    assert result.cost <= w1 * w2 * costs[start] * CLOSE
    assert result.lower_bound <= costs[start] * CLOSE
    assert result.proven <= w1 * w2 * CLOSE
    assert (visits[goal], result.trace[-1]) == (1, goal)


def random_graphs(count: int) -> Iterable[tuple[Graph, NDArray[np.float64]]]:
    """Weighted graphs with many ways round, directed in turn, and the costs to their last node."""
    random = np.random.default_rng(5)
    for number in range(count):
        edges = random.integers(0, 40, (160, 2))
        weights = random.lognormal(sigma=2.0, size=160)
        graph = Graph.from_edges(
            40, edges, random.random((40, 2)), weights=weights, directed=number % 2 == 0
        )
        yield graph, costs_to(graph, 39)


def test_the_bound_is_needed_and_nodes_are_expanded_twice() -> None:
    """Misled in turn, the path is far from the best one; with weights it is not."""
    worst = 0.0
    again = 0
    for number, (graph, costs) in enumerate(random_graphs(150)):
        if np.isinf(costs[0]):
            continue
        guides = [table(values(kind, number, costs)) for kind in ("random", "turned round")]
        worst = max(worst, search_mha(graph, 0, 39, guides).cost / costs[0])
        bounded = search_mha(graph, 0, 39, guides, w1=1.1, w2=1.5)
        assert bounded.cost <= 1.1 * 1.5 * costs[0] * CLOSE
        again += bounded.reopened
    assert worst > 3
    assert again > 50


@given(problems(), st.integers(0, 2**32))
@settings(max_examples=100)
def test_one_heuristic_alone_is_greedy_search(
    problem: tuple[AnyGraph, int, int], seed: int
) -> None:
    graph, start, goal = problem
    heuristic = table(np.random.default_rng(seed).integers(0, 5, graph.size) / 2.0)
    several = search_mha(graph, start, goal, [heuristic], trace=True)
    alone = search(graph, start, goal, heuristic, key=GREEDY, trace=True)
    assert facts(several) == facts(alone)


def test_with_weights_of_1_and_the_lower_bound_it_is_astar() -> None:
    free = np.random.default_rng(3).random((30, 30)) < 0.7
    free[29, 0] = free[0, 29] = True
    grid = GridGraph(free)
    ends = grid.node(29, 0), grid.node(0, 29)
    least = search(grid, *ends, octile, key=ASTAR)
    result = search_mha(grid, *ends, [octile], w1=1, w2=1)
    assert result.cost == pytest.approx(least.cost)
    assert result.proven == pytest.approx(1.0)
    assert result.reopened == 0


def test_the_queues_take_turns() -> None:
    """From the middle of a line, one heuristic goes left and the other right, step by step."""
    line = Graph.from_edges(21, [(k, k + 1) for k in range(20)], np.zeros((21, 1)))
    left, right = table(np.arange(21.0)), table(-np.arange(21.0))
    result = search_mha(line, 10, 0, [left, right], trace=True)
    assert result.trace is not None
    right_first = [node for step in range(1, 11) for node in (10 + step, 10 - step)]
    assert result.trace.tolist() == [10, *right_first]
    assert result.evaluations == 2 * (result.generated - 1)


def test_every_guide_is_shown_every_expansion_once() -> None:
    shown: list[list[tuple[int, list[int], int]]] = [[], []]

    def watch(number: int) -> PythonHeuristic:
        def score(expansion: Expansion) -> NDArray[np.float64]:
            shown[number].append((expansion.node, expansion.new.tolist(), expansion.count))
            return np.zeros(expansion.new.size)

        return PythonHeuristic(score)

    grid = GridGraph([[True] * 5] * 5)
    result = search_mha(grid, 0, 24, [watch(0), watch(1)], trace=True)
    assert result.trace is not None
    assert shown[0] == shown[1]
    assert [node for node, _, _ in shown[0]] == result.trace.tolist()[:-1]
    assert [count for _, _, count in shown[0]] == list(range(1, result.expansions))
    assert sum(len(new) for _, new, _ in shown[0]) == result.generated - 1


@pytest.mark.parametrize("weights", [{}, WEIGHTED], ids=["in turn", "weights"])
def test_queues_grow(weights: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    grid = GridGraph([[True] * 60] * 60)
    ends = grid.node(59, 0), grid.node(0, 59)
    guides = [table(values("random", seed, np.zeros(3600))) for seed in range(3)]
    large = search_mha(grid, *ends, guides, **weights, trace=True)
    monkeypatch.setattr(mha_queues, "FIRST_ROOM", 1)
    small = search_mha(grid, *ends, guides, **weights, trace=True)
    assert facts(small) == facts(large)
    assert large.expansions > 500


@pytest.mark.parametrize("weights", [{}, WEIGHTED], ids=["in turn", "weights"])
@pytest.mark.parametrize("name", ["large", "numbers"])
def test_graphs_met_on_the_way(weights: dict[str, Any], name: str) -> None:
    random = np.random.default_rng(4)
    if name == "large":  # more nodes and neighbours than there is room for to begin with
        nodes, edges = 3000, random.integers(0, 3000, (9000, 2))
        edges[:200, 0] = 7
    else:
        nodes, edges = 30, random.integers(0, 30, (60, 2))
    edges = np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0)  # an implicit graph has no others
    edge_weights = random.random(len(edges))
    graph = Graph.from_edges(
        nodes, edges, np.zeros((nodes, 2)), weights=edge_weights, directed=True
    )
    mirror = Mirror(graph, NAMES["texts"])
    costs = costs_to(graph, nodes - 1)
    by_name = {mirror.name(node): node for node in range(nodes)}

    class Told:
        """Values by the user's nodes, which have other ids on each graph."""

        name = "told"

        def __init__(self, told: NDArray[np.float64]) -> None:
            self._told = told

        def begin(self, searched: SearchedGraph, start: int, goal: int) -> PythonGuide:
            def score(expansion: Expansion) -> NDArray[np.float64]:
                if isinstance(searched, Graph):
                    return self._told[expansion.new]
                assert not isinstance(searched, GridGraph)
                return self._told[[by_name[searched.nodes[k]] for k in expansion.new.tolist()]]

            return PythonGuide(score)

    # Without features, nothing is known of the cost to the goal on either graph.
    guides = [Told(values(kind, 1, costs)) for kind in ("random", "noisy")]
    met = search_mha(
        mirror.graph, mirror.name(0), mirror.name(nodes - 1), guides, **weights, trace=True
    )
    written = search_mha(graph, 0, nodes - 1, guides, **weights, trace=True)
    assert own_facts(met) == mirror.named(written)
    assert met.neighbor_calls == mirror.neighbors.total()
    if weights:
        assert met.cost <= 4 * costs[0] * CLOSE


def test_a_learned_heuristic_that_looks_ahead_on_a_map_met_on_the_way() -> None:
    free = np.random.default_rng(6).random((20, 20)) < 0.8
    free[19, 0] = free[0, 19] = True
    grid = GridGraph(free)
    mirror = Mirror(grid)
    guides: list[Heuristic] = [random_heuristic(next(iter(PRESETS.values()))), euclidean]
    written = search_mha(grid, grid.node(19, 0), grid.node(0, 19), guides, trace=True)
    met = search_mha(mirror.graph, (19, 0), (0, 19), guides, trace=True)
    assert own_facts(met) == mirror.named(written)
    assert met.lookahead_calls > 0
    assert met.calls == mirror.neighbors.total()


@pytest.mark.parametrize("weights", [{}, WEIGHTED], ids=["in turn", "weights"])
def test_limits(weights: dict[str, Any]) -> None:
    grid = GridGraph([[True] * 40] * 40)
    guides = [euclidean, manhattan]
    whole = search_mha(grid, (0, 0), (39, 39), guides, **weights)
    for most in (0, 1, whole.expansions - 1):
        stopped = search_mha(grid, (0, 0), (39, 39), guides, **weights, limits=Limits(most))
        assert (stopped.outcome, stopped.expansions) == (Outcome.LIMIT, most)
        assert stopped.lower_bound <= whole.cost
    late = search_mha(grid, (0, 0), (39, 39), guides, **weights, limits=Limits(seconds=0))
    assert (late.outcome, late.expansions) == (Outcome.LIMIT, 0)


def test_an_endless_graph() -> None:
    line = ImplicitGraph(lambda node: [node + 1, node - 1], lambda node: [float(node)], dim=1)
    result = search_mha(line, 0, 5000, [euclidean, zero])
    assert result.path == tuple(range(5001))


@pytest.mark.parametrize("weights", [{}, WEIGHTED], ids=["in turn", "weights"])
def test_a_node_with_more_neighbours_than_any_before(
    weights: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop, "_pool", StatePool())  # with room for no more than is known
    fan = [*range(10, 5000)]
    near = {0: [1], 1: [2], 2: fan, **{node: [node + 5000] for node in fan}}
    graph = ImplicitGraph(lambda node: near.get(node, []), lambda node: [float(node)], dim=1)
    result = search_mha(graph, 0, 9999, [zero, euclidean], **weights)
    assert (result.path, result.cost) == ((0, 1, 2, 4999, 9999), 4.0)


@pytest.mark.parametrize("weights", [{}, WEIGHTED], ids=["in turn", "weights"])
def test_a_value_that_is_no_number_is_refused(weights: dict[str, Any]) -> None:
    grid = GridGraph([[True] * 3] * 3)
    with pytest.raises(InputError, match="heuristic 2 of 2 gave NaN for node"):
        search_mha(grid, 0, 8, [table(np.zeros(9)), table(np.full(9, np.nan))], **weights)


def test_values_of_another_shape_are_refused() -> None:
    grid = GridGraph([[True] * 3] * 3)
    with pytest.raises(InputError, match="values of shape"):
        search_mha(grid, 0, 8, [PythonHeuristic(lambda expansion: np.zeros(1))])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"w1": 2.0}, "both weights, w1 and w2, or none"),
        ({"w2": 2.0}, "both weights, w1 and w2, or none"),
        ({"w1": 0.5, "w2": 2.0}, "w1 of MHA* must be 1 or more"),
        ({"w1": 1.0, "w2": float("inf")}, "w2 of MHA* must be 1 or more, and finite"),
        ({"w1": float("nan"), "w2": 2.0}, "w1 of MHA* must be 1 or more"),
    ],
)
def test_wrong_weights(weights: dict[str, Any], message: str) -> None:
    grid = GridGraph([[True] * 3] * 3)
    with pytest.raises(InputError) as refused:
        search_mha(grid, 0, 8, [euclidean], **weights)
    assert message in str(refused.value)


def test_no_heuristic() -> None:
    with pytest.raises(InputError, match="at least one heuristic"):
        search_mha(GridGraph([[True]]), 0, 0, [])


def test_better_paths_count_with_weights_only() -> None:
    """Two ways to a node: the dear one is met first, and only weights change its parent."""
    graph = Graph.from_edges(
        4, [(0, 2), (0, 1), (1, 2), (2, 3)], np.zeros((4, 1)), weights=[9.0, 1.0, 1.0, 1.0]
    )
    guide = table(np.array([0.0, 1.0, 0.0, 5.0]))
    dear, cheap = [0, 2, 3], [0, 1, 2, 3]
    for parents, result in (
        (dear, search_mha(graph, 0, 3, [guide], trace=True)),
        (cheap, search_mha(graph, 0, 3, [guide], w1=1, w2=1, trace=True)),
        (dear, search(graph, 0, 3, guide, key=Key(g=0.0, h=1.0), trace=True)),
    ):
        assert result.path_by_parents is not None
        assert result.path_by_parents.tolist() == parents
        assert (result.path.tolist(), result.cost) == (cheap, 3.0)
