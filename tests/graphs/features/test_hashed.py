"""Numbers that tell nodes apart, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.graphs import FeatureGroup, Graph
from phil.graphs.features import add_features
from phil.graphs.features.hashed import hashed
from tests.strategies import graphs


@given(graphs(), st.integers(1, 9))
def test_every_node_has_k_numbers_of_its_own(graph: Graph, k: int) -> None:
    more = add_features(graph, f"hash:{k}")
    added = more.features[:, 3:]
    assert added.shape == (graph.num_nodes, k)
    assert more.feature_groups[-1] == FeatureGroup("hash", k, alike=True)
    assert ((added >= -1) & (added < 1)).all()
    assert len(np.unique(added, axis=0)) == graph.num_nodes


def test_nodes_with_equal_features_are_told_apart() -> None:
    ring = Graph.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)], np.ones((4, 1)))
    assert len(np.unique(add_features(ring, "degree").features, axis=0)) == 1
    assert len(np.unique(add_features(ring, "degree,hash:1").features, axis=0)) == 4


def test_the_numbers_look_random() -> None:
    numbers = hashed(Graph.from_edges(20_000, [(0, 1)]), 4)
    assert numbers.dtype == np.float32
    assert numbers.mean(axis=0) == pytest.approx(np.zeros(4), abs=0.02)
    assert numbers.std(axis=0) == pytest.approx(np.full(4, 3**-0.5), abs=0.01)
    assert np.corrcoef(numbers.T) == pytest.approx(np.eye(4), abs=0.03)
    assert np.corrcoef(numbers[1:, 0], numbers[:-1, 0])[0, 1] == pytest.approx(0, abs=0.03)


def test_a_number_depends_on_node_and_column_alone() -> None:
    small, large = Graph.from_edges(3, [(0, 1)]), Graph.from_edges(9, [(4, 8)])
    np.testing.assert_array_equal(hashed(small, 2), hashed(large, 5)[:3, :2])
