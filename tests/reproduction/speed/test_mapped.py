"""A lattice in a mapped file, opened by two processes at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import phil
from phil.graphs import Graph
from reproduction.speed.common import Scale
from reproduction.speed.mapped import measure, write_lattice


def test_a_lattice_is_whole_however_many_pieces_it_has(tmp_path: Path) -> None:
    graph = phil.read_graph(write_lattice(tmp_path, 70))
    assert isinstance(graph, Graph)
    assert (np.diff(graph.indptr) == 4).all()
    assert phil.search(graph, 0, 69 * 70 + 69, "astar(zero)").length == 2
    Graph(graph.indptr, graph.indices, weights=graph.weights)  # compares both ends
    assert [file.name for file in tmp_path.iterdir()] == ["lattice.npz"]


@pytest.mark.slow
def test_what_two_processes_tell(tmp_path: Path) -> None:
    found = measure(Scale(True, None, tmp_path))
    assert (found["nodes"], found["entries"]) == (10_000, 40_000)
    assert found["shared_bytes"] > found["file_bytes"] > 12 * found["entries"]
    assert found["own_bytes"] < found["file_bytes"] * 4
    assert found["stored"]["times"] > 0
