"""Every format keeps the contract."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs import AnyGraph, FeatureGroup, Graph, GridGraph
from phil.graphs.features.coordinates import project
from phil.graphs.formats import read_graph
from tests.contracts.check_format import (
    CHECKS,
    FormatCase,
    read_or_refuse,
    refuses_what_is_wrong,
)
from tests.contracts.format_files import FILES
from tests.strategies import described_graphs, grids, voxel_grids


def edges(graph: Graph, digits: int = 12) -> Counter[Any]:
    """The entries of a graph's adjacency, in any order."""
    source = graph.sources.tolist()
    weights = np.ones(len(source)) if graph.weights is None else graph.weights
    rows = zip(
        source,
        graph.indices.tolist(),
        np.round(weights, digits).tolist(),
        map(tuple, graph.edge_features.tolist()),
        strict=True,
    )
    return Counter(rows)


def same_features(given: Graph, read: Graph) -> None:
    if given.coordinates is None or given.features.shape[1]:
        np.testing.assert_array_equal(read.features, given.features)
        return
    places = project(given.coordinates, given.geographic)
    np.testing.assert_array_equal(read.features, places.astype(np.float32))
    size = places.shape[1]
    assert read.feature_names == ("x", "y", "z")[:size]
    assert read.feature_groups == (FeatureGroup("coordinates", size, alike=True),)


def same_nodes(given: Graph, read: Graph) -> None:
    assert [given.label(node) for node in range(given.num_nodes)] == [
        read.label(node) for node in range(read.num_nodes)
    ]
    assert (given.coordinates is None) == (read.coordinates is None)
    if given.coordinates is not None:
        np.testing.assert_array_equal(given.coordinates, read.coordinates)
    assert given.geographic == read.geographic
    same_features(given, read)


def same_text(given: AnyGraph, read: AnyGraph) -> None:
    """GraphML and CSV: all but the order of edges and the groups of features."""
    assert isinstance(given, Graph)
    assert isinstance(read, Graph)
    same_nodes(given, read)
    assert edges(given) == edges(read)
    assert given.directed == read.directed or not given.indices.size


def same_arrays(given: AnyGraph, read: AnyGraph) -> None:
    """All that a graph has."""
    if isinstance(given, GridGraph):
        assert isinstance(read, GridGraph)
        np.testing.assert_array_equal(given.free, read.free)
        assert (given.connectivity, given.corners, given.diagonal_cost) == (
            read.connectivity,
            read.corners,
            read.diagonal_cost,
        )
        return
    assert isinstance(read, Graph)
    same_nodes(given, read)
    if given.features.shape[1]:
        assert given.feature_names == read.feature_names
        assert given.feature_groups == read.feature_groups
    for name in ("indptr", "indices", "weights", "edge_features"):
        np.testing.assert_array_equal(getattr(given, name), getattr(read, name))
    assert (given.labels, given.directed) == (read.labels, read.directed)


def same_arcs(given: AnyGraph, read: AnyGraph) -> None:
    """DIMACS: arcs with weights, and places on a plane."""
    assert isinstance(given, Graph)
    assert isinstance(read, Graph)
    bare = given.with_features(
        np.zeros((given.num_nodes, 0)), edge_features=np.zeros((len(given.indices), 0))
    )
    assert edges(bare, 6) == edges(read, 6)
    assert read.labels == tuple(str(node + 1) for node in range(given.num_nodes))
    assert given.directed or not read.directed
    if given.coordinates is not None:
        assert read.coordinates is not None
        assert given.geographic == read.geographic
        np.testing.assert_allclose(read.coordinates, given.coordinates[:, :2], atol=1e-6)


def same_cells(given: AnyGraph, read: AnyGraph) -> None:
    """Maps: the cells, not the rules of the moves."""
    assert isinstance(given, GridGraph)
    assert isinstance(read, GridGraph)
    np.testing.assert_array_equal(given.free, read.free)


CASES: dict[str, FormatCase] = {
    name: FormatCase(*FILES[name], graphs, same)
    for name, graphs, same in (
        ("graphml", described_graphs(), same_text),
        ("dimacs", described_graphs(), same_arcs),
        ("edge list", described_graphs(), same_text),
        ("npz", st.one_of(described_graphs(), grids(), voxel_grids()), same_arrays),
        ("map", grids(), same_cells),
        ("png", grids(), same_cells),
        ("npy", None, None),
        ("3dmap", voxel_grids(), same_cells),
        ("ros", None, None),
    )
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", CASES)
def test_contract(name: str, check: Any, tmp_path: Path) -> None:
    check(CASES[name], tmp_path)


@given(content=st.binary(max_size=300), packed=st.booleans())
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, packed: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "any" / "file.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(content) if packed else content)
    read_or_refuse(path)


@pytest.mark.parametrize(
    "content", [b"hello", b"version 1\n0 a.map 1 1 0 0 0 0 0\n", b"P5\n1 1\n255\n\0"]
)
def test_an_unknown_file_is_told_all_formats(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(
        InputError, match=r"does not have a known format.*GraphML.*DIMACS.*edge list"
    ):
        read_graph(path)


def test_a_battery_that_finds_nothing_would_fail(tmp_path: Path) -> None:
    """A reader that takes what must be refused fails the battery."""
    valid = CASES["map"].seeds[0]
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        refuses_what_is_wrong(FormatCase(seeds=(valid,), refused={"valid": (valid, "x")}), tmp_path)
