"""Citation networks: the first 128 columns, pairs by seed, and files that are damaged."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import FeatureGroup, Graph
from phil.graphs.distances import hops_to
from phil.problems import list_sets, open_set
from phil.problems.citations import NAMES, citations_info
from tests.problems.graph_files import citation_arrays, save


def test_a_small_network(tmp_path: Path) -> None:
    save(tmp_path / "graphs" / "cora.npz", **citation_arrays())
    problems = open_set("citations/cora", data=tmp_path)
    assert [len(problems.split(name)) for name in ("train", "validation", "test")] == [600, 60, 100]
    graph = problems.test[0].graph
    assert isinstance(graph, Graph)
    assert (graph.size, graph.indices.size, graph.directed, graph.weights) == (7, 10, False, None)
    np.testing.assert_array_equal(graph.features, np.eye(7, 128))
    assert graph.feature_groups == (FeatureGroup("features", 128),)
    for problem in problems.all:
        assert problem.graph is graph
        assert 0 < hops_to(graph, problem.goal)[problem.start] < np.inf


def test_counts_stay_counts(tmp_path: Path) -> None:
    counts = np.arange(1, 15, dtype=np.uint8)
    save(tmp_path / "coauthor_cs.npz", **citation_arrays(), x_data=counts)
    graph = open_set("citations/coauthor_cs", data=tmp_path).test[0].graph
    np.testing.assert_array_equal(graph.features, np.diag(counts[::2]) @ np.eye(7, 128))


def test_pairs_depend_on_the_seed_and_count_is_how_many_to_test(tmp_path: Path) -> None:
    save(tmp_path / "cora.npz", **citation_arrays())
    drawn = [
        [(problem.start, problem.goal) for problem in open_set("citations/cora", **arguments).test]
        for arguments in (
            {"data": tmp_path},
            {"data": tmp_path, "count": 30},
            {"data": tmp_path, "seed": 1},
        )
    ]
    assert drawn[0][:30] == drawn[1]
    assert drawn[0] != drawn[2]
    with pytest.raises(InputError, match="--count must be at least 1, not 0"):
        open_set("citations/cora", data=tmp_path, count=0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x_indices": np.full(14, 200, np.int16)}, "column index|indices"),
        ({"x_indptr": np.zeros(3, np.int32)}, "download the file again"),
        ({"edge_index": np.array([[0], [9]], np.int32)}, "node ids must be in 0..6"),
        ({"edge_index": np.zeros((3, 1), np.int32)}, r"edge_index must be integers of shape"),
        ({"num_nodes": np.array([1, 2])}, "download the file again"),
    ],
)
def test_wrong_content(tmp_path: Path, change: dict[str, object], message: str) -> None:
    save(tmp_path / "cora.npz", **{**citation_arrays(), **change})
    with pytest.raises(InputError, match=message) as caught:
        open_set("citations/cora", data=tmp_path)
    assert "cora.npz" in str(caught.value)


def test_missing_and_damaged_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cora\.npz is not in .*--download citations/cora"):
        open_set("citations/cora", data=tmp_path)
    (tmp_path / "cora.npz").write_bytes(b"PK no archive")
    save(tmp_path / "pubmed.npz", edge_index=np.zeros((2, 0), int))
    with pytest.raises(InputError, match="cannot read"):
        open_set("citations/cora", data=tmp_path)
    with pytest.raises(InputError, match=r"pubmed\.npz lacks num_nodes"):
        open_set("citations/pubmed", data=tmp_path)
    infos = {info.name: info for info in list_sets(tmp_path)}
    assert not infos["citations/cora"].found
    assert "lacks" in infos["citations/pubmed"].where
    assert infos["citations/citeseer"].where == f"not in {tmp_path}"


def test_what_an_array_claims_is_checked_before_it_is_read(tmp_path: Path) -> None:
    path = save(tmp_path / "cora.npz", **citation_arrays())
    huge = np.lib.stride_tricks.as_strided(np.zeros(1, np.int16), (10**14,), (0,))
    with open(tmp_path / "x_indices.npy", "wb") as stream:
        np.lib.format.write_array_header_1_0(stream, np.lib.format.header_data_from_array_1_0(huge))
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(tmp_path / "pubmed.npz", "w") as new:
        for member in old.namelist():
            if member == "x_indices.npy":
                new.write(tmp_path / "x_indices.npy", member)
            else:
                new.writestr(member, old.read(member))
    with pytest.raises(InputError, match="GB of memory"):
        open_set("citations/pubmed", data=tmp_path)


@pytest.mark.data
def test_the_public_networks() -> None:
    cora = open_set("citations/cora").test[0].graph
    assert isinstance(cora, Graph)
    assert (cora.size, cora.indices.size // 2, cora.features.shape[1]) == (2708, 5278, 128)
    assert np.count_nonzero(cora.features.any(axis=1)) == 2162
    infos = {name: citations_info(name, None) for name in NAMES}
    assert len(infos) == 5
    assert all(info.found for info in infos.values())
    physics = infos["coauthor_physics"]
    assert (physics.graphs, physics.nodes, physics.edges) == (1, 34493, 247962)
