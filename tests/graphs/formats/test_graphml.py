"""GraphML: the rules where the format leaves a choice; wrong files are in the contract tests."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import Graph
from phil.graphs.formats.graphml import read_graphml, write_graphml


def osmnx(crs: str | None = "epsg:4326", **more: Any) -> nx.MultiDiGraph:
    """A city as OSMnx saves it: all values are text."""
    city = nx.MultiDiGraph(created_with="OSMnx 2.0.1", **({} if crs is None else {"crs": crs}))
    for node, x, y in ((101, "11.3", "44.5"), (102, "11.31", "44.5"), (103, "11.3", "44.52")):
        city.add_node(node, x=x, y=y, street_count="3", highway="stop")
    road = {"osmid": "[5, 6]", "oneway": "False", "geometry": "LINESTRING (11.3 44.5, 11 44)"}
    city.add_edge(101, 102, length="790.5", travel_time="57", **road, **more)
    city.add_edge(102, 101, length="790.5", travel_time="58", **road, **more)
    city.add_edge(101, 102, length="900", travel_time="50", **road, **more)
    city.add_edge(102, 103, length="2300", travel_time="150", **road, **more)
    return city


def save(folder: Path, graph: nx.Graph) -> Path:
    stream = io.BytesIO()
    nx.write_graphml(graph, stream)
    path = folder / "graph.graphml"
    path.write_bytes(stream.getvalue())
    return path


def test_a_city_of_osmnx(tmp_path: Path) -> None:
    graph = read_graphml(save(tmp_path, osmnx()))
    assert graph.directed
    assert graph.labels == ("101", "102", "103")
    assert graph.geographic
    assert graph.coordinates is not None
    assert graph.coordinates.tolist() == [[11.3, 44.5], [11.31, 44.5], [11.3, 44.52]]
    assert graph.neighbors(0).tolist() == [1, 1]
    assert graph.weights is not None
    assert sorted(graph.weights) == [790.5, 790.5, 900, 2300]
    assert graph.feature_names == ("x", "y")
    np.testing.assert_allclose(np.ptp(graph.features[:, 0]), 793, rtol=1e-3)  # metres
    assert graph.edge_features.shape[1] == 0


def test_the_weight_can_be_chosen(tmp_path: Path) -> None:
    path = save(tmp_path, osmnx(weight="1"))
    for chosen, total in ((None, 4), ("weight", 4), ("length", 4781), ("travel_time", 315)):
        weights = read_graphml(path, weight=chosen).weights
        assert weights is not None
        assert weights.sum() == total
    with pytest.raises(InputError, match=r"no attribute 'toll'; they have: .*travel_time"):
        read_graphml(path, weight="toll")
    with pytest.raises(InputError, match=r"line \d+: 'geometry' must be a finite number"):
        read_graphml(path, weight="geometry")


@pytest.mark.parametrize(
    ("crs", "geographic"),
    [("epsg:4326", True), ("EPSG:4326", True), (None, True), ("epsg:32632", False)],
)
def test_when_coordinates_are_degrees(tmp_path: Path, crs: str | None, geographic: bool) -> None:
    assert read_graphml(save(tmp_path, osmnx(crs))).geographic is geographic


def test_small_coordinates_of_others_are_no_degrees(tmp_path: Path) -> None:
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {node: {"x": 1.0 * node, "y": 2.0} for node in graph})
    read = read_graphml(save(tmp_path, graph))
    assert not read.geographic
    assert read.features.tolist() == [[-1, 0], [0, 0], [1, 0]]


def test_typed_attributes(tmp_path: Path) -> None:
    graph = nx.Graph()
    for name, size, new in (("a", 3, True), ("b", 5, False)):
        graph.add_node(name, new=new, size=size, share=size / 2, name=name, lat=45.0, lon=9.0)
    graph.add_edge("a", "b", weight=2, lanes=3, name="road")
    read = read_graphml(save(tmp_path, graph))
    assert set(read.feature_names) == {"new", "size", "share"}
    columns = dict(zip(read.feature_names, read.features.T.tolist(), strict=True))
    assert columns == {"new": [1, 0], "size": [3, 5], "share": [1.5, 2.5]}
    assert read.geographic
    assert read.weights is not None
    assert read.weights.tolist() == [2, 2]
    assert read.edge_features.tolist() == [[3], [3]]
    assert not read.directed


def test_defaults_and_mixed_directions(tmp_path: Path) -> None:
    path = tmp_path / "mixed.graphml"
    path.write_text(
        '<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns">'
        '<g:key id="k" for="node" attr.name="size" attr.type="int"><g:default>7</g:default></g:key>'
        '<g:key id="w" for="edge" attr.name="weight" attr.type="int"><g:default>2</g:default>'
        '</g:key><g:graph edgedefault="undirected">'
        '<g:edge source="a" target="b"/><g:edge source="b" target="c" directed="true"/>'
        '<g:edge source="c" target="c"/>'
        '<g:node id="c"><g:data key="k">1</g:data></g:node><g:node id="a"/><g:node id="b"/>'
        "</g:graph></g:graphml>"
    )
    graph = read_graphml(path)
    assert graph.labels == ("a", "b", "c")  # by first mention
    assert graph.features.tolist() == [[7], [7], [1]]
    assert graph.directed
    assert [graph.neighbors(node).tolist() for node in range(3)] == [[1], [2, 0], [2]]
    assert graph.weights is not None
    assert graph.weights.tolist() == [2, 2, 2, 2]


def test_a_node_without_a_feature_is_named(tmp_path: Path) -> None:
    graph = nx.Graph()
    graph.add_node("first", size=1)
    graph.add_node("second")
    with pytest.raises(InputError, match="the node 'second' has no 'size', unlike others"):
        read_graphml(save(tmp_path, graph))


def test_networkx_reads_what_is_written(tmp_path: Path) -> None:
    graph = Graph.from_edges(
        3,
        [(0, 1), (1, 2)],
        [[0.5], [1], [2]],
        feature_names=["size <&>"],
        weights=[1.5, 2],
        labels=["a", 'b "c"', "d\n"],
        coordinates=[[1, 2], [3, 4], [5, 6]],
        directed=True,
    )
    path = tmp_path / "graph.graphml"
    write_graphml(path, graph)
    read = nx.read_graphml(path)
    assert read.is_directed()
    assert list(read) == ["a", 'b "c"', "d\n"]
    assert read.nodes["a"] == {"x": 1.0, "y": 2.0, "size <&>": 0.5}
    assert read.edges['b "c"', "d\n"] == {"weight": 2.0}


def test_what_xml_cannot_hold_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "graph.graphml"
    for label in ("\x01", "\ud800", "\uffff"):
        with pytest.raises(InputError, match="a character that XML cannot hold"):
            write_graphml(path, Graph.from_edges(1, [], labels=[label]))
    with pytest.raises(InputError, match="have the same label"):
        write_graphml(path, Graph.from_edges(2, [], labels=["a", "a"]))
    assert not path.exists()
