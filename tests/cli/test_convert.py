"""`phil convert`: from one format to another, through the real entry point."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from phil.graphs import Graph, GridGraph
from phil.graphs.formats import read_graph
from phil.graphs.mapped import is_mapped

if TYPE_CHECKING:
    from tests.cli.conftest import MakeMap, Phil

EDGES = "source,target,length\nstation,market,120.5\nmarket,harbour,80\n"
NODES = "id,lon,lat\nstation,11.3,44.5\nmarket,11.31,44.5\nharbour,11.32,44.51\n"


@pytest.fixture
def city(tmp_path: Path) -> Path:
    (tmp_path / "city.nodes.csv").write_text(NODES)
    path = tmp_path / "city.csv"
    path.write_text(EDGES)
    return path


def test_through_every_format_and_back(phil: Phil, city: Path) -> None:
    last = city
    for name in ("a.graphml", "b.npz", "c.csv", "d.npz", "e.gr"):
        target = city.with_name(name)
        done = phil("convert", last, target)
        assert (done.code, done.out) == (0, "")
        assert done.err.startswith(f"wrote {target}: Graph(nodes=3, edges=2")
        last = target
    graph = read_graph(last)
    assert isinstance(graph, Graph)
    assert graph.weights is not None
    np.testing.assert_allclose(sorted(graph.weights), [80, 80, 120.5, 120.5], rtol=1e-9)
    assert graph.coordinates is not None
    np.testing.assert_allclose(graph.coordinates[2], [11.32, 44.51])


def test_geojson(program: Phil, city: Path) -> None:
    done = program("convert", city, "city.geojson")
    assert done.code == 0
    features = json.loads((city.parent / "city.geojson").read_text())["features"]
    lines = [each for each in features if each["geometry"]["type"] == "LineString"]
    points = [each for each in features if each["geometry"]["type"] == "Point"]
    assert [line["properties"]["weight"] for line in lines] == [120.5, 80]
    assert lines[0]["geometry"]["coordinates"] == [[11.3, 44.5], [11.31, 44.5]]
    assert [point["properties"]["label"] for point in points] == ["station", "market", "harbour"]


def test_maps(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    last = make_map("..#", "...")
    for name in ("a.map", "b.npz", "c.png"):
        assert phil("convert", last, tmp_path / name).code == 0
        last = tmp_path / name
    grid = read_graph(last)
    assert isinstance(grid, GridGraph)
    assert grid.free.tolist() == [[True, True, False], [True, True, True]]


@pytest.mark.parametrize("name", ["a.graphml", "a.csv", "a.gr"])
def test_a_map_as_a_graph_has_the_same_paths(
    phil: Phil, make_map: MakeMap, tmp_path: Path, name: str
) -> None:
    source = tmp_path / "room.map"
    assert phil("convert", make_map("..#.", ".#..", "...."), source).code == 0
    done = phil("convert", source, tmp_path / name)
    assert done.code == 0
    assert done.err.endswith("corners=both_free), as a graph of its free cells\n")
    graph = read_graph(tmp_path / name)
    assert isinstance(graph, Graph)
    assert (graph.num_nodes, graph.directed) == (10, False)
    assert graph.coordinates is not None
    assert graph.coordinates[1].tolist() == [1, 2]  # row 0, column 1: x to the right, y up
    ends = ("0,0", "0,3") if name != "a.gr" else ("1", "3")
    costs = [
        json.loads(
            phil("solve", file, "--start", a, "--goal", b, "-m", "dijkstra", "--json", "-").out
        )["cost"]
        for file, (a, b) in ((source, ("0,0", "0,3")), (tmp_path / name, ends))
    ]
    assert costs[0] == pytest.approx(costs[1])


def test_a_failed_write_leaves_the_old_file(phil: Phil, city: Path) -> None:
    target = city.with_name("old.gr")
    target.write_text("precious")
    city.with_name("old.nodes.csv").write_text("precious")
    city.with_name("plain.csv").write_text("a,b,nan\n")
    done = phil("convert", city.with_name("plain.csv"), target)
    assert (done.code, target.read_text()) == (2, "precious")


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        ("gone.csv", "a.npz", "cannot read"),
        ("city.csv", "a.docx", "ending in .npz, .graphml, .gr, .csv, .geojson"),
        ("city.csv", "a.png", "graphs can be written to files ending in"),
        ("city.csv", "missing/a.npz", "does not exist"),
        ("map.png", "a.yaml", "maps can be written to files ending in .npz, .png, .map"),
        ("map.png", "a.geojson", "coordinates are planar"),
        ("plane.csv", "a.geojson", "GeoJSON needs coordinates"),
        ("cut.gz", "a.npz", "damaged or truncated gzip"),
        ("words.bin", "a.npz", "does not have a known format"),
    ],
)
def test_what_cannot_be_converted_is_one_line(
    phil: Phil, city: Path, make_map: MakeMap, source: str, target: str, words: str
) -> None:
    make_map("..")
    city.with_name("plane.csv").write_text("0,1\n")
    city.with_name("cut.gz").write_bytes(gzip.compress(EDGES.encode())[:20])
    city.with_name("words.bin").write_text("words")
    done = phil("convert", city.with_name(source), city.parent / target)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1


def test_a_file_to_be_mapped(phil: Phil, city: Path) -> None:
    target = city.with_name("mapped.npz")
    done = phil("convert", "--mapped", city, target)
    assert done.code == 0
    graph = read_graph(target)
    assert isinstance(graph, Graph)
    assert graph.weights is not None
    assert is_mapped(graph.weights, np.float64)
    wrong = phil("convert", "--mapped", city, city.with_name("mapped.graphml"))
    assert wrong.code == 2
    assert "only .npz files are mapped into memory" in wrong.err
