"""Edge lists and tables of nodes; wrong files are in the contract tests."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import Graph
from phil.graphs.formats.edge_list import read_edge_list, write_edge_list


def save(folder: Path, text: str, name: str = "graph.csv") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("mark", [",", ";", "\t", " ", "   ", " , "])
@pytest.mark.parametrize("header", ["", "source{}target{}weight\n", "# a comment\nU{}V{}Length\n"])
def test_separators_and_headers(tmp_path: Path, mark: str, header: str) -> None:
    rows = [("b", "a", "1.5"), ("a", "c", "2")]
    text = header.replace("{}", mark) + "".join(mark.join(row) + "\n" for row in rows)
    graph = read_edge_list(save(tmp_path, text))
    assert graph.labels == ("b", "a", "c")
    assert graph.weights is not None
    assert graph.weights.tolist() == [1.5, 1.5, 2, 2]
    assert not graph.directed


def test_columns_in_any_order(tmp_path: Path) -> None:
    text = 'name,lanes,to,from,travel_time\n"a, b",2,x,y,9\nc,1,x,z,8\n'
    graph = read_edge_list(save(tmp_path, text), directed=True)
    assert graph.labels == ("y", "x", "z")
    assert graph.neighbors(0).tolist() == [1]
    assert graph.edge_features.tolist() == [[2], [1]]
    assert graph.weights is not None
    assert graph.weights.tolist() == [9, 8]
    chosen = read_edge_list(tmp_path / "graph.csv", weight="lanes")
    assert chosen.weights is not None
    assert set(chosen.weights) == {1, 2}
    with pytest.raises(InputError, match="no attribute 'toll'; they have: 'name', 'lanes'"):
        read_edge_list(tmp_path / "graph.csv", weight="toll")


def test_direction(tmp_path: Path) -> None:
    assert read_edge_list(save(tmp_path, "#directed\n0,1\n")).directed
    assert not read_edge_list(save(tmp_path, "0,1\n# directed\n")).directed
    assert read_edge_list(save(tmp_path, "0,1\n"), directed=True).directed


def test_numbers_in_order_are_no_labels(tmp_path: Path) -> None:
    assert read_edge_list(save(tmp_path, "0 1\n1 2\n")).labels is None
    assert read_edge_list(save(tmp_path, "1 2\n2 3\n")).labels == ("1", "2", "3")


@pytest.mark.parametrize("name", ["graph.nodes.csv", "graph.nodes.csv.gz", "nodes.csv", "given"])
def test_a_table_of_nodes(tmp_path: Path, name: str) -> None:
    path = save(tmp_path, "a,b\n")
    table = b"name,ID,Lat,size,Lon\nAmt,a,44,1.5,11\nBad,c,44,0,11.5\nCafe,b,45,2,12\n"
    (tmp_path / name).write_bytes(gzip.compress(table) if name.endswith("gz") else table)
    graph = read_edge_list(path, tmp_path / name if name == "given" else None)
    assert graph.labels == ("a", "c", "b")
    assert graph.neighbors(0).tolist() == [2]
    assert graph.geographic
    assert graph.coordinates is not None
    assert graph.coordinates.tolist() == [[11, 44], [11.5, 44], [12, 45]]
    assert (graph.feature_names, graph.features.tolist()) == (("size",), [[1.5], [0], [2]])


def test_its_own_table_goes_first(tmp_path: Path) -> None:
    path = save(tmp_path, "0,1\n")
    save(tmp_path, "id,size\n0,1\n1,2\n2,3\n", "graph.nodes.csv")
    save(tmp_path, "id,other\nx,1\n", "nodes.csv")
    assert read_edge_list(path).feature_names == ("size",)


def test_places_in_space(tmp_path: Path) -> None:
    path = save(tmp_path, "0,1\n")
    save(tmp_path, "id,x,y,z\n0,1,2,3\n1,4,5,6\n", "nodes.csv")
    graph = read_edge_list(path)
    assert not graph.geographic
    assert graph.coordinates is not None
    assert graph.coordinates.shape == (2, 3)
    assert graph.feature_names == ("x", "y", "z")


def test_degrees_off_the_globe_are_refused(tmp_path: Path) -> None:
    save(tmp_path, "id,lon,lat\n0,1,2\n1,1,95\n", "nodes.csv")
    with pytest.raises(InputError, match=r"the node '1' is at .* name planar coordinates x and y"):
        read_edge_list(save(tmp_path, "0,1\n"))


def test_edge_features_that_differ_by_direction_are_kept(tmp_path: Path) -> None:
    graph = Graph([0, 1, 2], [1, 0], edge_features=[[1.0], [-1.0]])
    write_edge_list(tmp_path / "graph.csv", graph)
    read = read_edge_list(tmp_path / "graph.csv")
    assert read.directed
    assert read.edge_features.tolist() == [[1], [-1]]


def test_features_with_the_names_of_other_columns(tmp_path: Path) -> None:
    graph = Graph.from_edges(
        2, [(0, 1)], np.eye(2, 3), feature_names=["ID", "x", "x_2"], labels=["a,b", "#c"]
    )
    write_edge_list(tmp_path / "graph.csv", graph)
    read = read_edge_list(tmp_path / "graph.csv")
    assert read.feature_names == ("ID_2", "x_2", "x_2_2")
    assert read.labels == ("a,b", "#c")
    np.testing.assert_array_equal(read.features, graph.features)


@pytest.mark.parametrize("label", ["two\nlines", "two\rlines", "\ud800"])
def test_what_a_line_cannot_hold_is_refused(tmp_path: Path, label: str) -> None:
    with pytest.raises(InputError, match="a line of text cannot hold"):
        write_edge_list(tmp_path / "graph.csv", Graph.from_edges(1, [], labels=[label]))
    assert not list(tmp_path.iterdir())
