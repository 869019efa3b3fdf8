"""The graphs of quick runs: one of every kind, the same every time."""

from __future__ import annotations

import numpy as np
import pytest

from phil.graphs import Graph
from phil.graphs.distances import hops_to
from reproduction.table2.sets import QUICK_SETS
from reproduction.table2.small_sets import small_set


@pytest.mark.parametrize("name", [row.opened for row in QUICK_SETS.values()])
def test_every_problem_has_a_path_and_is_drawn_the_same_again(name: str) -> None:
    problems, again = small_set(name), small_set(name)
    assert problems.name == name
    assert all((len(problems.train), len(problems.validation), len(problems.test)))
    for one, other in zip(problems.test, again.test, strict=True):
        assert (one.start, one.goal, one.name) == (other.start, other.goal, other.name)
        assert np.isfinite(hops_to(one.graph, one.goal)[one.start])
        assert one.start != one.goal


def test_roads_are_weighted_and_on_the_globe() -> None:
    graph = small_set("quick/roads").test[0].graph
    assert isinstance(graph, Graph)
    assert graph.geographic
    assert graph.weights is not None
    assert graph.feature_names == ("x", "y", "degree")
    assert graph.edge_features.shape[1] == 3
    ends = graph.sources
    straight = np.linalg.norm(graph.features[ends, :2] - graph.features[graph.indices, :2], axis=1)
    assert graph.weights == pytest.approx(straight, rel=1e-3)
