"""Arrays in our layout: edges once and in order, and files that `open_set` reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from phil.errors import InputError
from phil.problems import open_set
from phil.problems.download.layout import (
    collection_arrays,
    compact,
    distinct_edges,
    network_arrays,
    write_arrays,
)

PAIRS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=30)


@given(PAIRS)
def test_edges_come_once_and_in_order(pairs: list[tuple[int, int]]) -> None:
    edges, given_edges = distinct_edges(np.array(pairs, int).reshape(-1, 2).T, 9)
    expected = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
    assert list(zip(*edges.tolist(), strict=True)) == expected
    for edge, at in zip(expected, given_edges.tolist(), strict=True):
        firsts = [k for k, pair in enumerate(pairs) if tuple(sorted(pair)) == edge]
        assert at == firsts[0]


def test_an_edge_to_no_node_is_refused() -> None:
    for edges in ([[0], [3]], [[-1], [0]]):
        with pytest.raises(InputError, match=r"not in 0\.\.2"):
            distinct_edges(edges, 3)


def test_graphs_must_stand_together_and_apart() -> None:
    rows = np.zeros((4, 1))
    for graph_of_node, edges, features, message in (
        ([0, 1, 0, 1], [[0], [2]], rows, "are not consecutive"),
        ([0, 0, 1, 1], [[1], [2]], rows, "joins two graphs"),
        ([0, 0, 1, 1], [[0], [1]], rows[:3], r"features of shape \(3, 1\) for 4 nodes"),
    ):
        with pytest.raises(InputError, match=message):
            collection_arrays(np.array(graph_of_node), edges, features, 2)


def test_small_whole_numbers_are_bytes() -> None:
    assert compact(np.array([0.0, 255.0])).dtype == np.uint8
    for values in ([0.5], [256], [-1], []):
        assert compact(np.array(values)).dtype == np.float32


def test_features_are_finite_numbers() -> None:
    for values in ([np.nan], [np.inf], [1e300], [1j], ["a"]):
        with pytest.raises(InputError, match="features must be"):
            compact(np.array(values))


def test_what_is_written_is_read(tmp_path: Path) -> None:
    features = csr_array(np.arange(6).reshape(3, 2))
    write_arrays(tmp_path / "graphs" / "cora.npz", network_arrays([[1, 2], [0, 1]], features))
    graph = open_set("citations/cora", data=tmp_path).test[0].graph
    np.testing.assert_array_equal(graph.features, features.toarray())
    assert graph.neighbors(1).tolist() == [0, 2]


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "graphs").write_text("a file")
    with pytest.raises(InputError, match="cannot write"):
        write_arrays(tmp_path / "graphs" / "cora.npz", {})
