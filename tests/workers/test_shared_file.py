"""Values shared through files: arrays that lie in a file already are not written again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import phil
from phil.graphs import Graph
from phil.graphs.mapped import is_mapped
from phil.workers.shared_file import InFile, SharedFolder

NODES = 5000


def ring(weight: float = 1.0) -> Graph:
    edges = [(node, (node + 1) % NODES) for node in range(NODES)]
    return Graph.from_edges(NODES, edges, weights=np.full(NODES, weight))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SharedFolder]:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    made = SharedFolder()
    yield made
    made.delete()
    assert not made.path.exists()


@pytest.fixture
def mapped(tmp_path: Path) -> Any:
    phil.write_graph(tmp_path / "ring.npz", ring(), mapped=True)
    return phil.read_graph(tmp_path / "ring.npz")


def check(shared: InFile[Any]) -> None:
    """The graph is the one that was shared, and lies in a file."""
    graph = shared.get()
    np.testing.assert_array_equal(graph.indices, ring().indices)
    np.testing.assert_array_equal(graph.weights, ring().weights)
    assert is_mapped(graph.weights, np.float64)
    assert phil.search(graph, 0, 7, "zero").cost == 7


def test_a_mapped_graph_is_shared_as_its_file(
    folder: SharedFolder, mapped: Any, tmp_path: Path
) -> None:
    shared = folder.put(mapped)
    assert os.path.getsize(shared.path) < 5000
    assert (tmp_path / "ring.npz").stat().st_nlink == 2
    check(shared)
    folder.put([mapped, mapped.with_features(np.ones((NODES, 1)))])
    assert (tmp_path / "ring.npz").stat().st_nlink == 2  # one name is enough


def test_a_file_that_is_replaced_stays_what_was_shared(
    folder: SharedFolder, mapped: Any, tmp_path: Path
) -> None:
    shared = folder.put(mapped)
    phil.write_graph(tmp_path / "ring.npz", ring(9.0), mapped=True)
    check(shared)
    later = folder.put(mapped)  # the name leads to another file now, but not in the folder
    assert os.path.getsize(later.path) < 5000
    check(later)


def test_what_has_no_name_any_more_is_copied(
    folder: SharedFolder, mapped: Any, tmp_path: Path
) -> None:
    phil.write_graph(tmp_path / "ring.npz", ring(9.0), mapped=True)
    shared = folder.put(mapped)
    assert os.path.getsize(shared.path) > 8 * NODES
    check(shared)


def test_a_file_on_another_disk_is_copied(
    folder: SharedFolder, mapped: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("Invalid cross-device link")

    monkeypatch.setattr(os, "link", fail)
    shared = folder.put(mapped)
    assert os.path.getsize(shared.path) > 8 * NODES
    check(shared)


def test_processes_search_a_mapped_graph(mapped: Any) -> None:
    pairs = [(0, 9), (3, 1)]
    found = phil.search_many(mapped, pairs, "zero", on="processes:1")
    assert [result.cost for result in found] == [9, 2]
