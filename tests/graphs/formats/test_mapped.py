"""Files that are mapped into memory: really mapped, checked like all others, and ordinary .npz."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import phil
from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.graphs.formats import read_graph, write_graph, write_mapped
from phil.graphs.formats.mapped import KEPT
from phil.graphs.mapped import is_mapped
from tests.contracts.test_formats import same_arrays
from tests.strategies import described_graphs, grids, voxel_grids

ANY = st.one_of(described_graphs(), grids(), voxel_grids())
ARRAYS = [name for name in KEPT if name != "free"]


def ring(nodes: int = 1000) -> Graph:
    return Graph.from_edges(
        nodes,
        [(node, (node + 1) % nodes) for node in range(nodes)],
        np.ones((nodes, 2)),
        weights=np.arange(nodes),
        edge_features=np.ones((nodes, 1)),
        coordinates=np.ones((nodes, 3)),
    )


def mapped_copy(graph: AnyGraph, path: Path) -> AnyGraph:
    write_graph(path, graph, mapped=True)
    return read_graph(path)


@given(graph=ANY)
def test_all_that_a_graph_has_comes_back(
    tmp_path_factory: pytest.TempPathFactory, graph: AnyGraph
) -> None:
    path = tmp_path_factory.getbasetemp() / "mapped.npz"
    same_arrays(graph, mapped_copy(graph, path))


def test_arrays_lie_in_the_file(tmp_path: Path) -> None:
    graph = mapped_copy(ring(), tmp_path / "ring.npz")
    for name in ARRAYS:
        array = getattr(graph, name)
        assert is_mapped(array, KEPT[name]), name
        assert array.ctypes.data % 64 == 0
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    assert is_mapped(graph.arrays.weights, np.float64)
    grid = mapped_copy(GridGraph(np.ones((5, 7), bool)), tmp_path / "grid.npz")
    assert isinstance(grid, GridGraph)
    assert is_mapped(grid.free, bool)


def test_others_read_it_as_an_ordinary_archive(tmp_path: Path) -> None:
    path, graph = tmp_path / "ring.npz", ring()
    write_graph(path, graph, mapped=True)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
    with np.load(path) as arrays:
        np.testing.assert_array_equal(arrays["indices"], graph.indices)
        np.testing.assert_array_equal(arrays["weights"], graph.weights)


OPENED = """
import sys, tracemalloc
from phil.graphs.formats import read_graph

small, large = sys.argv[1:]
read_graph(small)  # imports and compiled code
tracemalloc.start()
assert read_graph(large).num_edges > 0
print(tracemalloc.get_traced_memory()[1])
"""


def test_opening_takes_no_memory_of_the_size_of_the_graph(tmp_path: Path) -> None:
    for name, nodes in (("small.npz", 400), ("large.npz", 400_000)):
        ends = np.arange(nodes)
        targets = np.stack([ends ^ 1, (ends + nodes // 2) % nodes], axis=1).astype(np.int32)
        write_mapped(
            tmp_path / name,
            {
                "indptr": np.arange(0, 2 * nodes + 1, 2),
                "indices": targets.ravel(),
                "weights": np.ones(2 * nodes),
                "features": np.ones((nodes, 4), np.float32),
            },
        )
    # In a process of its own, since all threads of this one are traced.
    files = [str(tmp_path / name) for name in ("small.npz", "large.npz")]
    run = [sys.executable, "-c", OPENED, *files]
    peak = int(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
    assert os.path.getsize(files[1]) > 1.9e7
    assert peak < 6e6


def test_a_search_on_a_mapped_graph_is_the_same(tmp_path: Path) -> None:
    graph = ring()
    found = [
        phil.search(one, 3, 400, "zero") for one in (graph, mapped_copy(graph, tmp_path / "a.npz"))
    ]
    assert found[0].cost == found[1].cost
    assert found[0].expansions == found[1].expansions


def test_it_can_be_sent_to_other_processes(tmp_path: Path) -> None:
    graph = mapped_copy(ring(), tmp_path / "ring.npz")
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(graph, protocol=5, buffer_callback=buffers.append)
    assert len(data) < 2000
    same_arrays(graph, pickle.loads(data, buffers=buffers))
    same_arrays(graph, pickle.loads(pickle.dumps(graph)))


def test_a_file_that_is_replaced_leaves_open_graphs_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "ring.npz"
    graph = mapped_copy(ring(), path)
    write_graph(path, ring(5), mapped=True)
    same_arrays(ring(), graph)


def test_arrays_that_are_compressed_or_merely_lie_well_are_read(tmp_path: Path) -> None:
    aligned, mixed, plain = (tmp_path / name for name in ("aligned.npz", "mixed.npz", "plain.npz"))
    write_graph(aligned, ring(), mapped=True)
    with zipfile.ZipFile(aligned) as old, zipfile.ZipFile(mixed, "w") as new:
        for entry in old.infolist():
            packed = entry.filename == "weights.npy"
            content = old.read(entry)
            if packed:
                new.writestr(entry.filename, content, zipfile.ZIP_DEFLATED)
            else:
                new.writestr(zipfile.ZipInfo(entry.filename), content)
    np.savez(plain, **{name: getattr(ring(), name) for name in ARRAYS})
    for path in (mixed, plain):
        graph = read_graph(path)
        assert isinstance(graph, Graph)
        assert not any(is_mapped(getattr(graph, name), KEPT[name]) for name in ARRAYS)
        np.testing.assert_array_equal(graph.weights, ring().weights)


def test_other_types_are_copied(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    write_mapped(
        path,
        {
            "indptr": np.array([0, 1, 2]),
            "indices": np.array([1, 0], np.int32),
            "x": np.ones((2, 2)),
            "directed": np.array(True),
        },
    )
    graph = read_graph(path)
    assert isinstance(graph, Graph)
    assert graph.directed
    assert graph.features.dtype == np.float32


def test_a_wrong_type_or_a_missing_reverse_is_not_written(tmp_path: Path) -> None:
    path, ends = tmp_path / "a.npz", np.array([0, 1, 2])
    with pytest.raises(InputError, match=r"indices are int64, but graphs keep them as int32"):
        write_mapped(path, {"indptr": ends, "indices": np.array([1, 0])})
    with pytest.raises(InputError, match="not all of its edges are stored at both ends"):
        write_mapped(path, {"indptr": ends, "indices": np.array([1, 1], np.int32)})
    assert not path.exists()


def test_only_npz_files_are_mapped(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"only \.npz files are mapped"):
        write_graph(tmp_path / "a.graphml", ring(), mapped=True)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ring.npz"
    write_graph(path, ring(), mapped=True)
    content = path.read_bytes()
    for length in (len(content) - 1, len(content) // 2, 100):
        path.write_bytes(content[:length])
        with pytest.raises(InputError, match="damaged or truncated"):
            read_graph(path)
