"""GeoJSON of graphs and of paths."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.graphs.formats.geojson import path_geojson, write_geojson

PLACES = [[7.0, 46.0], [7.5, 46.0], [8.0, 46.5]]


def triangle(**options: object) -> Graph:
    given = {"coordinates": PLACES, "geographic": True, "labels": ["a", "b", "c"], **options}
    return Graph.from_edges(3, [(0, 1), (2, 1)], **given)  # type: ignore[arg-type]


def test_a_graph(tmp_path: Path) -> None:
    path = tmp_path / "graph.geojson"
    write_geojson(path, triangle(weights=[2, 3]))
    document = json.loads(path.read_text())
    assert document["type"] == "FeatureCollection"
    first, second, *points = document["features"]
    assert first["geometry"] == {"type": "LineString", "coordinates": PLACES[:2]}
    assert first["properties"] == {"source": "a", "target": "b", "weight": 2}
    assert second["properties"]["weight"] == 3
    assert [point["properties"]["label"] for point in points] == ["a", "b", "c"]
    assert [point["geometry"]["coordinates"] for point in points] == PLACES


def test_a_path_and_what_was_expanded() -> None:
    expanded, line = path_geojson(triangle(), [2, 1, 0], expanded=[2, 1, 1, 0])["features"]
    assert expanded["geometry"]["type"] == "MultiPoint"
    assert expanded["properties"] == {"role": "expanded", "expansions": 4}
    assert line["geometry"] == {"type": "LineString", "coordinates": PLACES[::-1]}
    assert line["properties"] == {"role": "path", "nodes": ["c", "b", "a"], "edges": 2}


def test_short_paths() -> None:
    assert path_geojson(triangle(), [])["features"] == []
    (point,) = path_geojson(triangle(), [1])["features"]
    assert point["geometry"] == {"type": "Point", "coordinates": PLACES[1]}


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        (GridGraph([[True]]), "needs coordinates"),
        (triangle(coordinates=None, geographic=False), "needs coordinates"),
        (triangle(geographic=False), "coordinates are planar"),
    ],
)
def test_what_has_no_place_on_the_globe(graph: AnyGraph, words: str) -> None:
    with pytest.raises(InputError, match=words):
        path_geojson(graph, [0])


def test_a_path_through_no_node() -> None:
    with pytest.raises(InputError, match="node 3 is not a node"):
        path_geojson(triangle(), [0, 3])
