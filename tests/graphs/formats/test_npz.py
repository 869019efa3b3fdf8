"""Numpy archives: names of keys, and the public data as it is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import random_array

from phil.errors import InputError
from phil.graphs import Graph
from phil.graphs.formats import archive, npz
from phil.graphs.formats.npz import read_npz, write_npz


def read(path: Path) -> Graph:
    graph = read_npz(path)
    assert isinstance(graph, Graph)
    return graph


def test_roads_as_they_are_published(tmp_path: Path) -> None:
    path = tmp_path / "roads.npz"
    np.savez(
        path,
        coords=[[11.0, 44.0], [11.1, 44.0], [11.1, 44.1]],
        edge_index=np.array([[0, 1], [1, 2]], np.int32),
        edge_length=np.array([8.0, 11.0], np.float32),
        name="A town",
        crs="lon,lat degrees (WGS84/NAD83)",
        osm_id=np.array([7, 5, 6]),
    )
    graph = read(path)
    assert graph.geographic
    assert graph.labels == ("7", "5", "6")
    assert graph.weights is not None
    assert graph.weights.tolist() == [8, 8, 11, 11]
    assert graph.feature_names == ("x", "y")
    assert graph.feature_groups[0].alike


def test_citations_as_they_are_published(tmp_path: Path) -> None:
    path = tmp_path / "citations.npz"
    matrix = random_array((4, 9), density=0.3, format="csr", rng=np.random.default_rng(1))
    np.savez(
        path,
        edge_index=[[0, 1], [1, 2]],
        num_nodes=4,
        x_indptr=matrix.indptr,
        x_indices=matrix.indices.astype(np.int16),
        x_shape=matrix.shape,
        y=[0, 1, 0, 1],
        train_mask=[True, False, True, False],
    )
    graph = read(path)
    assert graph.num_nodes == 4
    np.testing.assert_array_equal(graph.features, (matrix.toarray() != 0).astype(np.float32))


def test_few_numbers_are_kept_sparse(tmp_path: Path) -> None:
    features = np.zeros((50, 40))
    features[3, 4] = 0.1
    path = tmp_path / "graph.npz"
    write_npz(path, Graph.from_edges(50, [(0, 1)], features))
    with np.load(path) as archive:
        assert "x_indices" in archive
        assert "features" not in archive
    np.testing.assert_array_equal(read(path).features, features.astype(np.float32))


def test_an_archive_of_objects_is_never_loaded(tmp_path: Path) -> None:
    path = tmp_path / "graph.npz"
    np.savez(path, edge_index=np.array([{}], object), allow_pickle=True)
    with pytest.raises(InputError, match=r"edge_index is not a \.npy array of plain numbers"):
        read_npz(path)


def test_a_name_that_numpy_would_cut_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ends with a null character"):
        write_npz(tmp_path / "graph.npz", Graph.from_edges(1, [], labels=["a\0"]))


def test_an_archive_of_too_many_members_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "graph.npz"
    arrays: Any = {f"array {number}": np.zeros(1) for number in range(9)}
    np.savez(path, edge_index=[[0], [1]], **arrays)
    assert read(path).num_nodes == 2
    monkeypatch.setattr(archive, "MOST_DIRECTORY", 300)
    with pytest.raises(InputError, match=r"graph\.npz: the archive has more than 65536 members"):
        read_npz(path)


def test_uncompressed_files_may_be_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(npz, "LIMIT", 2000)
    monkeypatch.setattr(npz, "SMALL", 1000)
    plain, packed = tmp_path / "plain.npz", tmp_path / "packed.npz"
    edges = np.stack([np.arange(1000), np.arange(1, 1001)])
    np.savez(plain, edge_index=edges)
    assert read(plain).num_edges == 1000
    np.savez_compressed(packed, edge_index=edges)
    with pytest.raises(InputError, match=r"expands to 16128 bytes, but at most .* are allowed"):
        read_npz(packed)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "nodes", "edges", "features"),
    [
        ("graphs/cora", 2708, 5278, 1433),
        ("graphs/citeseer", 3327, 4552, 3703),
        ("roads/rimini", 28431, 38155, 2),
        ("roads/oldenburg", 6105, 7029, 2),
    ],
)
def test_the_public_files(name: str, nodes: int, edges: int, features: int) -> None:
    path = Path(os.environ["PHIL_DATA"]) / f"{name}.npz"
    if not path.is_file():
        pytest.skip(f"no {name} in PHIL_DATA")
    graph = read(path)
    assert (graph.num_nodes, graph.features.shape[1]) == (nodes, features)
    assert graph.indices.size == 2 * edges
    assert graph.geographic == (name == "roads/rimini")


@pytest.mark.data
def test_a_file_of_many_graphs_says_so() -> None:
    path = Path(os.environ["PHIL_DATA"]) / "graphs" / "enzymes.npz"
    if not path.is_file():
        pytest.skip("no enzymes in PHIL_DATA")
    with pytest.raises(InputError, match="holds 600 graphs"):
        read_npz(path)
