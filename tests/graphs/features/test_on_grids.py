"""Features of maps: the same as those of the graph of their cells, behind the coordinates."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

from phil.compiled import kernel
from phil.errors import InputError
from phil.graphs import FeatureGroup, Graph, GridGraph
from phil.graphs.arrays import GraphArrays, node_features
from phil.graphs.features import add_features, feature_costs, store
from phil.problems import Problem, ProblemSet
from tests.strategies import edge_costs, grids

OPEN = GridGraph(np.ones((5, 7), bool))


@kernel
def _features(graph: GraphArrays, node: int, out: NDArray[np.float32]) -> None:
    node_features(graph, node, out)


def features_of(grid: GridGraph, node: int) -> list[float]:
    """The features of a node as kernels see them."""
    out = np.full(len(grid.feature_names), np.nan, np.float32)
    _features(grid.arrays, node, out)
    return list(out.tolist())


def as_graph(grid: GridGraph) -> Graph:
    """The same free cells and moves as nodes and stored edges."""
    costs = {(v, w): cost for (v, w), cost in edge_costs(grid).items() if v < w}
    pairs = np.searchsorted(grid.node_ids, np.array([*costs]).reshape(-1, 2))
    return Graph.from_edges(grid.num_nodes, pairs, weights=[*costs.values()])


@given(grids())
def test_they_are_those_of_the_graph_of_its_cells(grid: GridGraph) -> None:
    recipe = "degree,landmarks:3,hops:2"
    if grid.num_nodes < 5:
        return  # too few for three landmarks
    more, expected = add_features(grid, recipe), add_features(as_graph(grid), recipe)
    assert more.feature_names[2:] == expected.feature_names
    assert more.feature_groups[1:] == expected.feature_groups
    np.testing.assert_allclose(more.features[grid.node_ids, 2:], expected.features, rtol=1e-6)


def test_they_stand_behind_the_coordinates() -> None:
    more = add_features(OPEN, "degree")
    assert more.feature_names == ("x", "y", "degree")
    assert more.feature_groups == (
        FeatureGroup("coordinates", 2, alike=True),
        FeatureGroup("degree", 1),
    )
    found = features_of(more, OPEN.node(0, 1))
    assert found == more.features[OPEN.node(0, 1)].tolist()
    np.testing.assert_allclose(found, [1, 4, np.log1p(5)], rtol=1e-6)
    assert OPEN.feature_names == ("x", "y")


def test_neighbours_and_moves_stay() -> None:
    more = add_features(OPEN, "landmarks:2")
    for node in OPEN.node_ids.tolist():
        assert more.neighbors(node).tolist() == OPEN.neighbors(node).tolist()


def test_features_add_up() -> None:
    more = add_features(add_features(OPEN, "degree"), "degree,landmarks:2")
    assert more.feature_names == ("x", "y", "degree", "to landmark 0", "to landmark 1")
    assert more.features.shape == (35, 5)


def test_a_map_has_its_coordinates_already() -> None:
    assert add_features(OPEN, "coordinates") is OPEN
    assert [cost.source for cost in feature_costs(OPEN, "coordinates")] == ["own"]


@pytest.mark.parametrize("name", ["neighbourhood", "laplacian:2", "node2vec:2", "hash:2"])
def test_what_needs_stored_edges_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"{name} is for general graphs; on maps, use degree or"):
        add_features(OPEN, name)


def test_three_axes() -> None:
    space = GridGraph(np.ones((3, 4, 5), bool), connectivity=6)
    more = add_features(space, "degree,landmarks:1")
    assert more.feature_names == ("x", "y", "z", "degree", "to landmark 0")
    node = space.node(1, 2, 3)
    assert features_of(more, node) == more.features[node].tolist()


def test_copies_keep_them() -> None:
    more = add_features(OPEN, "landmarks:2")
    for other in (copy.copy(more), pickle.loads(pickle.dumps(more))):
        assert other.feature_names == more.feature_names
        np.testing.assert_array_equal(other.arrays.features, more.arrays.features)
        assert not other.arrays.features.flags.writeable


def test_wrong_names_are_refused() -> None:
    with pytest.raises(InputError, match="1 features, but 2 feature_names"):
        OPEN.with_features(np.zeros((35, 1)), ["a", "b"], [FeatureGroup("a", 1)])


def test_a_set_shares_one_map() -> None:
    both = ProblemSet("two", train=(Problem(OPEN, 0, 1),), test=(Problem(OPEN, 1, 2),))
    more = both.with_features("landmarks:2")
    assert more.train[0].graph is more.test[0].graph
    assert more.train[0].graph.feature_names[2:] == ("to landmark 0", "to landmark 1")


def test_large_maps_are_kept_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHIL_CACHE", str(tmp_path))
    free = np.ones((store.FEWEST_NODES // 40 + 1, 40), bool)

    def source(grid: GridGraph) -> str:
        return feature_costs(grid, "landmarks:2")[0].source

    assert source(GridGraph(free)) == "computed"
    assert source(GridGraph(free)) == "cache"
    assert source(GridGraph(free, connectivity=4)) == "computed"
    assert source(GridGraph(free, corners="both_free")) == "computed"
    assert source(GridGraph(free, diagonal_cost=1.0)) == "computed"
    assert source(GridGraph(free.T)) == "computed"
