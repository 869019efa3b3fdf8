"""Each reader on files in its format, and on damaged ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import Graph
from phil.problems.biology import Collection
from phil.problems.data_files import Arrays
from phil.problems.download.formats import (
    read_gnn_benchmark,
    read_graphsage,
    read_ogb,
    read_osm,
    read_tudataset,
)
from phil.problems.download.layout import write_arrays
from phil.problems.roads import read_roads
from tests.problems.download.foreign_files import (
    GRAPHML,
    write_gnn_benchmark,
    write_graphsage,
    write_gzip,
    write_ogb,
    write_tudataset,
)

PATH, TRIANGLE = [(0, 1), (1, 2)], [(0, 1), (0, 2), (1, 2)]


def saved(folder: Path, name: str, arrays: Arrays) -> Collection:
    path = folder / "out" / f"{name}.npz"
    write_arrays(path, arrays)
    return Collection(name, path)


def edges(graph: Graph) -> list[tuple[int, int]]:
    return [(v, int(w)) for v in range(graph.size) for w in graph.neighbors(v) if v < w]


def test_tudataset(tmp_path: Path) -> None:
    write_tudataset(tmp_path / "raw", "ENZYMES")
    collection = saved(tmp_path, "enzymes", read_tudataset(tmp_path / "raw", "ENZYMES"))
    one, two = (collection.graph(number) for number in range(collection.size))
    assert (edges(one), edges(two)) == (PATH, TRIANGLE)
    np.testing.assert_array_equal(two.features, [(3.5, -3), (4.5, -4), (5.5, -5)])


def test_graphsage(tmp_path: Path) -> None:
    write_graphsage(tmp_path / "raw")
    collection = saved(tmp_path, "ppi", read_graphsage(tmp_path / "raw"))
    splits = {name: numbers.tolist() for name, numbers in collection.splits.items()}
    assert splits == {"train": [0, 1], "validation": [2], "test": [3]}
    assert all(edges(collection.graph(number)) == PATH for number in range(4))
    np.testing.assert_array_equal(collection.graph(1).features[0], [7, 8])
    np.testing.assert_array_equal(collection.graph(3).features[0], [4, 5])


def test_ogb(tmp_path: Path) -> None:
    write_ogb(tmp_path / "in")
    collection = saved(tmp_path, "molhiv", read_ogb(tmp_path / "in"))
    splits = {name: numbers.tolist() for name, numbers in collection.splits.items()}
    assert splits == {"train": [2], "validation": [1], "test": [0]}
    path, single, ring = (collection.graph(number) for number in range(3))
    assert (edges(path), edges(single), edges(ring)) == (PATH, [], TRIANGLE)
    np.testing.assert_array_equal(ring.features[:, 0], [4, 5, 6])
    # The edges 0 - 1, 0 - 2 and 1 - 2 of the ring were the third, fifth and fourth of the file.
    assert ring.edge_features[:, 0].tolist() == [2, 4, 2, 3, 4, 3]
    assert ring.indices.tolist() == [1, 2, 0, 2, 0, 1]


def test_gnn_benchmark(tmp_path: Path) -> None:
    write_gnn_benchmark(tmp_path / "raw" / "cs.npz")
    arrays = read_gnn_benchmark(tmp_path / "raw" / "cs.npz")
    assert arrays["edge_index"].tolist() == [[0, 1, 2], [1, 2, 3]]
    assert arrays["x_data"].tolist() == [2, 5, 1, 3]
    assert arrays["x_indices"].tolist() == [0, 1, 0, 2]
    assert arrays["x_indptr"].tolist() == [0, 1, 2, 2, 4]


def test_osm(tmp_path: Path) -> None:
    (tmp_path / "modena.graphml").write_text(GRAPHML)
    write_arrays(tmp_path / "modena.npz", read_osm(tmp_path / "modena.graphml"))
    graph = read_roads(tmp_path / "modena.npz")
    assert graph.labels == ("101", "102", "10000000103")
    assert (edges(graph), graph.directed, graph.geographic) == (PATH, False, True)
    assert graph.weights is not None
    assert graph.weights.tolist() == [30.5, 30.5, 18.0, 18.0]
    assert graph.coordinates is not None
    assert graph.coordinates[0].tolist() == [10.9, 44.1]


def _tudataset(folder: Path) -> None:
    write_tudataset(folder, "D")


def _read_tudataset(folder: Path) -> Arrays:
    return read_tudataset(folder, "D")


def _gnn_benchmark(folder: Path) -> None:
    write_gnn_benchmark(folder / "cs.npz")


def _read_gnn_benchmark(folder: Path) -> Arrays:
    return read_gnn_benchmark(folder / "cs.npz")


def _osm(folder: Path) -> None:
    folder.mkdir()
    (folder / "a.graphml").write_text(GRAPHML)


def _read_osm(folder: Path) -> Arrays:
    return read_osm(folder / "a.graphml")


Reader = tuple[Callable[[Path], None], Callable[[Path], Arrays]]
READERS: dict[str, Reader] = {
    "tudataset": (_tudataset, _read_tudataset),
    "graphsage": (write_graphsage, read_graphsage),
    "ogb": (write_ogb, read_ogb),
    "gnn_benchmark": (_gnn_benchmark, _read_gnn_benchmark),
    "osm": (_osm, _read_osm),
}
UNREAD = ("_graph_labels.txt", "_labels.npy", "graph-label.csv.gz")


@pytest.mark.parametrize("reader", READERS)
def test_cut_empty_and_missing_files_are_named(tmp_path: Path, reader: str) -> None:
    write, read = READERS[reader]
    folder = tmp_path / "in"
    write(folder)
    files = [file for file in folder.rglob("*") if file.is_file()]
    checked = 0
    for file in files:
        if file.name.endswith(UNREAD):
            continue
        content = file.read_bytes()
        # Two thirds of a text may be a smaller text, so that it must only not be a traceback.
        for cut in (content[: len(content) * 2 // 3], content[:1] + b"\xff,x", b"", None):
            file.unlink()
            if cut is not None:
                file.write_bytes(cut)
            if cut and cut == content[: len(content) * 2 // 3]:
                try:
                    read(folder)
                except InputError:
                    checked += 1
            else:
                with pytest.raises(InputError) as caught:
                    read(folder)
                assert "in" in str(caught.value)
                checked += 1
            file.write_bytes(content)
    assert checked >= 3
    read(folder)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("raw/num-edge-list", "2\n0\n2\n", "does not match the number of edges"),
        ("raw/num-node-list", "3\n1\n", "do not match"),
        ("raw/num-node-list", "3\n2\n2\n", "leads out of its graph"),
        ("raw/num-node-list", "3\n1\n9\n", "do not match"),
        ("raw/num-node-list", f"3\n1\n{2**63 - 1}\n", "do not match"),
        ("raw/num-edge-list", f"2\n0\n{10**12}\n", "does not match the number of edges"),
        ("raw/num-edge-list", f"{2**63 - 1}\n{2**63 - 1}\n7\n", "does not match the number"),
        ("raw/edge", "1,0,0\n", "3 columns, not 2"),
        ("split/scaffold/test", "3\n", r"graphs are 0\.\.2"),
    ],
)
def test_ogb_tables_that_do_not_fit(tmp_path: Path, file: str, text: str, message: str) -> None:
    write_ogb(tmp_path)
    write_gzip(tmp_path / f"{file}.csv.gz", text)
    with pytest.raises(InputError, match=message):
        read_ogb(tmp_path)


def test_links_to_no_node(tmp_path: Path) -> None:
    for link in ('{"source": 0, "target": 99}', '{"source": "a", "target": "b"}'):
        folder = tmp_path / str(len(link))
        write_graphsage(folder)
        (folder / "valid_graph.json").write_text(f'{{"links": [{link}]}}')
        with pytest.raises(InputError, match="every link must join two nodes"):
            read_graphsage(folder)


def test_a_street_network_without_degrees_or_with_other_ids(tmp_path: Path) -> None:
    for old, new, message in (
        ("epsg:4326", "epsg:32632", "no longitudes"),
        ('attr.name="length"', 'attr.name="other"', "length"),
        ("10000000103", "via Emilia", "node ids must be integers"),
    ):
        (tmp_path / "a.graphml").write_text(GRAPHML.replace(old, new))
        with pytest.raises(InputError, match=message):
            read_osm(tmp_path / "a.graphml")


def test_tudataset_with_more_graphs_than_nodes(tmp_path: Path) -> None:
    for numbers in ([1, 1, 1, 2, 2, 10**12], [1, 1, 1, 2, 2, -(2**62)], [2**63 - 1] + [1] * 5):
        folder = tmp_path / str(numbers[0] + numbers[-1])
        write_tudataset(folder, "D")
        text = "".join(f"{number}\n" for number in numbers)
        (folder / "D_graph_indicator.txt").write_text(text)
        with pytest.raises(InputError, match="more graphs than there are nodes"):
            read_tudataset(folder, "D")


@pytest.mark.parametrize(
    ("file", "array", "message"),
    [
        ("train_graph_id", np.array([0, 0, 0, 1, 1, 10**12]), "more graphs than there are nodes"),
        ("train_graph_id", np.array([0, 2**64 - 1], np.uint64), "more graphs than|two nodes of"),
        ("train_graph_id", np.ones(6), "must hold the graph of every node"),
        ("train_feats", np.zeros((6, 2), complex), "features must be numbers"),
        ("train_feats", np.full((6, 2), 1e300), "features must be finite"),
        ("train_feats", np.full((6, 2), np.datetime64("2020")), "download the files again"),
        ("train_feats", np.zeros(12), "download the files again"),
    ],
)
def test_graphsage_arrays_that_do_not_fit(
    tmp_path: Path, file: str, array: NDArray[Any], message: str
) -> None:
    write_graphsage(tmp_path / "raw")
    np.save(tmp_path / "raw" / f"{file}.npy", array)
    with pytest.raises(InputError, match=message):
        read_graphsage(tmp_path / "raw")


@pytest.mark.parametrize(
    "changes",
    [
        {"adj_indptr": np.array([0, 200, 1, 3, 4], np.uint8)},
        {"adj_indptr": np.array([0, 9, 0, 9, 0])},
        {"adj_indptr": np.array([0, 2**63, 2, 3, 4], np.uint64)},
        {"adj_indices": np.array([0, 1, 2, -(2**63)])},
        {"adj_shape": np.array([4, 10**12])},
        {"attr_shape": np.array([4, 2**62])},
        {"attr_shape": np.array([-4, 3])},
        {"attr_data": np.zeros(4, complex)},
        {"adj_shape": np.array(4)},
    ],
)
def test_sparse_matrices_that_are_none(tmp_path: Path, changes: Arrays) -> None:
    path = tmp_path / "raw" / "cs.npz"
    write_gnn_benchmark(path)
    with np.load(path) as arrays:
        given = dict(arrays) | changes
    np.savez(path, **given)
    with pytest.raises(InputError, match=r"cs\.npz"):
        read_gnn_benchmark(path)
