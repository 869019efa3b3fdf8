"""Road networks: every file of the layout is a set, in metres, with lengths as costs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import FeatureGroup, Graph
from phil.graphs.features.edges import road_edge_features
from phil.problems import list_sets, open_set
from tests.problems.graph_files import road_arrays, save


def test_any_file_of_the_layout_is_a_set(tmp_path: Path) -> None:
    save(tmp_path / "roads" / "mine.npz", **road_arrays(osm_id=np.arange(4) + 10**10))
    problems = open_set("roads/mine", data=tmp_path)
    assert len(problems.test) == 100
    graph = problems.test[0].graph
    assert isinstance(graph, Graph)
    assert graph.labels == tuple(str(10**10 + k) for k in range(4))
    assert graph.geographic
    np.testing.assert_array_equal(graph.coordinates, road_arrays()["coords"])
    assert graph.feature_names == ("x", "y", "degree")
    assert graph.feature_groups == (
        FeatureGroup("coordinates", 2, alike=True),
        FeatureGroup("degree", 1),
    )
    np.testing.assert_allclose(
        graph.features,
        [(-55.6, -55.6, 3), (55.6, -55.6, 2), (55.6, 55.6, 3), (-55.6, 55.6, 2)],
        atol=0.1,
    )
    np.testing.assert_array_equal(graph.edge_features, road_edge_features(graph))
    assert graph.edge_features.shape == (10, 3)
    assert graph.weights is not None
    assert graph.weights[graph.indptr[0] :][list(graph.neighbors(0)).index(2)] == 158
    [info] = [info for info in list_sets(tmp_path) if info.name == "roads/mine"]
    assert (info.found, info.nodes, info.edges) == (True, 4, 5)


def test_coordinates_that_are_no_degrees(tmp_path: Path) -> None:
    save(tmp_path / "square.npz", **road_arrays(crs=np.array("local x,y metres")))
    save(tmp_path / "other.npz", maps=np.zeros(3))
    (tmp_path / "broken.npz").write_bytes(b"no archive")
    names = [info.name for info in list_sets(tmp_path)]
    assert "roads/square" in names
    assert not {"roads/other", "roads/broken"} & set(names)
    graph = open_set("roads/square", data=tmp_path).test[0].graph
    assert isinstance(graph, Graph)
    assert not graph.geographic
    assert graph.labels is None
    np.testing.assert_allclose(graph.features[2] - graph.features[0], [0.001, 0.001, 0])


def test_missing_unknown_and_damaged_networks(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"rimini\.npz is not in"):
        open_set("roads/rimini", data=tmp_path)
    with pytest.raises(InputError, match=r"did you mean 'roads/rimini'"):
        open_set("roads/riminy", data=tmp_path)
    (tmp_path / "roads").mkdir()
    (tmp_path / "roads" / "broken.npz").write_bytes(b"no archive")
    [info] = [info for info in list_sets(tmp_path) if info.name == "roads/broken"]
    assert not info.found
    assert "cannot read" in info.where
    save(tmp_path / "roads" / "short.npz", **road_arrays(edge_length=np.ones(3)))
    with pytest.raises(InputError, match=r"short\.npz: weights must have shape \(5,\)"):
        open_set("roads/short", data=tmp_path)


@pytest.mark.data
def test_the_public_networks() -> None:
    rimini = open_set("roads/rimini").test[0].graph
    assert isinstance(rimini, Graph)
    assert (rimini.size, rimini.indices.size // 2) == (28431, 38155)
    straight = np.linalg.norm(
        rimini.features[np.repeat(np.arange(rimini.size), np.diff(rimini.indptr)), :2]
        - rimini.features[rimini.indices, :2],
        axis=1,
    )
    assert rimini.weights is not None
    assert np.quantile(straight / rimini.weights, 0.5) == pytest.approx(1, abs=0.05)
    assert straight.sum() < rimini.weights.sum()
