"""Distances between features."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.graphs import AnyGraph, Graph
from phil.graphs.distances import costs_to
from phil.heuristics.geometric import Euclidean, Geometric, Manhattan, Zero
from phil.search.guide import Expansion
from tests.strategies import graphs, grids, node_ids, voxel_grids


def values(heuristic: Geometric, graph: AnyGraph, goal: int) -> NDArray[np.float64]:
    """The value of every node id."""
    nodes = np.arange(graph.size, dtype=np.int32)
    shown = Expansion(goal, nodes, np.zeros(graph.size), np.zeros(graph.size, np.int32), 1)
    return heuristic.begin(graph, goal, goal).score(shown)


@given(st.one_of(graphs(), grids(), voxel_grids()), st.data())
def test_distances_are_those_of_numpy(graph: AnyGraph, data: st.DataObject) -> None:
    goal = data.draw(st.sampled_from(node_ids(graph)))
    gaps = graph.features.astype(float) - graph.features[goal].astype(float)
    np.testing.assert_allclose(values(Euclidean, graph, goal), np.linalg.norm(gaps, axis=1))
    np.testing.assert_allclose(values(Manhattan, graph, goal), np.abs(gaps).sum(axis=1))
    assert not values(Zero, graph, goal).any()


@given(st.one_of(grids(), voxel_grids()), st.data())
def test_euclidean_distance_is_admissible_on_grids(graph: AnyGraph, data: st.DataObject) -> None:
    goal = data.draw(st.sampled_from(node_ids(graph)))
    assert (values(Euclidean, graph, goal) <= costs_to(graph, goal) + 1e-9).all()


def test_large_features_keep_their_precision() -> None:
    graph = Graph.from_edges(2, [(0, 1)], [[2.0e7, 0.0], [2.0e7 + 2, 1.0]])
    assert values(Euclidean, graph, 1).tolist() == [pytest.approx(5**0.5), 0.0]


def test_names() -> None:
    assert [h.name for h in (Zero, Euclidean, Manhattan)] == ["zero", "euclidean", "manhattan"]
