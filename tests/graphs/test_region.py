"""What is known of an implicit graph around a goal, as an explicit graph."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from phil.errors import InputError
from phil.graphs import Graph, ImplicitGraph
from phil.graphs.distances import costs_to
from phil.graphs.region import Region
from tests.strategies import graphs


def edges_of(graph: Graph) -> list[tuple[int, int, float]]:
    costs = np.ones(graph.indices.size) if graph.weights is None else graph.weights
    return list(zip(graph.sources.tolist(), graph.indices.tolist(), costs.tolist(), strict=True))


def implicit(edges: dict[Any, dict[Any, float]]) -> ImplicitGraph[Any]:
    return ImplicitGraph(lambda node: edges[node], lambda node: [node], 1)


def reverse(edges: dict[Any, dict[Any, float]]) -> dict[Any, dict[Any, float]]:
    found: dict[Any, dict[Any, float]] = {node: {} for node in edges}
    for node, near in edges.items():
        for other, cost in near.items():
            found[other][node] = cost
    return found


def table_of(graph: Graph) -> dict[Any, dict[Any, float]]:
    """The cheapest edges of a graph, by node; without loops."""
    found: dict[Any, dict[Any, float]] = {node: {} for node in range(graph.num_nodes)}
    for here, there, cost in edges_of(graph):
        if here != there:
            found[here][there] = min(cost, found[here].get(there, np.inf))
    return found


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_distances_around_the_goal_are_exact(explicit: Graph) -> None:
    edges = table_of(explicit)
    exact = costs_to(explicit, 0)
    region = Region(
        implicit(edges),
        0,
        directed=explicit.directed,
        predecessors=reverse(edges).__getitem__ if explicit.directed else None,
    )
    most = 1 + explicit.num_nodes // 2
    region.explore(most)
    graph = region.graph()
    costs = costs_to(graph, 0)
    near = sorted(exact[np.isfinite(exact)])[:most]
    assert sorted(costs)[: len(near)] == pytest.approx(near)  # the nearest ones are all there
    assert all(costs[k] >= exact[node] for k, node in enumerate(region.nodes))
    assert graph.features[:, 0].tolist() == region.nodes


def test_no_neighbours_are_requested_twice() -> None:
    asked: Counter[int] = Counter()

    def near(node: int) -> list[int]:
        asked[node] += 1
        return [(node - 1) % 50, (node + 1) % 50]

    region = Region(ImplicitGraph(near), 0, directed=False)
    region.explore(5)
    region.follow([20, 19, 18])
    region.explore(9)
    region.follow([20, 21])
    assert asked.most_common(1)[0][1] == 1


def test_a_path_brings_the_neighbours_of_its_nodes() -> None:
    plane = ImplicitGraph(lambda at: [(at[0] + 1, at[1]), (at[0], at[1] + 1)])
    region = Region(plane, (2, 0), directed=True)
    region.explore(10)
    assert region.nodes == [(2, 0)]  # nothing leads backwards
    assert region.follow([(0, 0), (1, 0), (2, 0)]) == 1
    graph = region.graph()
    assert graph.directed
    names = {(region.nodes[a], region.nodes[b]) for a, b, _ in edges_of(graph)}
    assert names == {
        ((0, 0), (1, 0)),
        ((0, 0), (0, 1)),
        ((1, 0), (2, 0)),
        ((1, 0), (1, 1)),
    }


def test_edge_features_have_their_place() -> None:
    ring = ImplicitGraph(
        lambda node: [(node - 1) % 9, (node + 1) % 9], edge_features=lambda *_: [1, 2], edge_dim=2
    )
    region = Region(ring, 0, directed=False)
    region.explore(4)
    assert region.graph().edge_features.shape == (region.graph().indices.size, 2)


def test_a_path_that_is_none_is_refused() -> None:
    ring = ImplicitGraph(lambda node: [(node - 1) % 9, (node + 1) % 9])
    with pytest.raises(InputError, match="7 follows 5, but is not among its neighbours"):
        Region(ring, 0, directed=False).follow([4, 5, 7])


@pytest.mark.parametrize(
    ("edges", "back", "message"),
    [
        (
            {0: {1: 1.0}, 1: {2: 1.0}, 2: {}},
            None,
            "neighbors(0) has 1 at a cost of 1, but the edge is missing in neighbors(1); "
            "if edges lead one way only, pass directed=True",
        ),
        (
            {0: {1: 1.0}, 1: {0: 2.0}},
            None,
            "neighbors(0) has 1 at a cost of 1, but the edge costs something else in neighbors(1)",
        ),
        (
            {0: {}, 1: {0: 2.0}},
            {0: {1: 3.0}, 1: {}},
            "predecessors(0) has 1 at a cost of 3, but the edge costs something else in "
            "neighbors(1)",
        ),
        (
            {0: {1: 1.0}, 1: {}},
            {0: {1: 1.0}, 1: {}},
            "predecessors(0) has 1 at a cost of 1, but the edge is missing in neighbors(1)",
        ),
    ],
)
def test_ends_that_contradict_each_other_are_refused(
    edges: dict[Any, dict[Any, float]], back: dict[Any, dict[Any, float]] | None, message: str
) -> None:
    region = Region(
        implicit(edges),
        0,
        directed=back is not None,
        predecessors=None if back is None else back.__getitem__,
    )
    region.explore(10)
    with pytest.raises(InputError, match=re.escape(message)):
        region.graph()


def test_errors_in_predecessors_name_the_node() -> None:
    region = Region(
        ImplicitGraph(lambda node: [node + 1]),
        5,
        directed=True,
        predecessors=lambda _: 3,  # type: ignore[arg-type, return-value]
    )
    with pytest.raises(InputError, match=r"predecessors\(5\) returned 3"):
        region.explore(2)
