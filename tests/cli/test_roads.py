"""Roads on the command line: weights by name, places by latitude and longitude, one-way streets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import phil as library

if TYPE_CHECKING:
    from tests.cli.conftest import Phil

# Four crossings of a town as OSMnx writes them: all numbers are text, some streets are one-way, two
# lanes join the same crossings. The main street (1 to 3) is short but slow; the ring through 2
# is long and fast. From 3, one gets back to 1 only through 4.
PLACES = {"1": (44.6400, 10.9200), "2": (44.6450, 10.9250), "3": (44.6400, 10.9300)}
PLACES["4"] = (44.6350, 10.9250)
STREETS = [
    ("1", "3", 800.0, 200.0),
    ("1", "3", 790.0, 300.0),
    ("1", "2", 700.0, 40.0),
    ("2", "3", 700.0, 40.0),
    ("3", "4", 690.0, 60.0),
    ("4", "1", 690.0, 60.0),
    ("4", "3", 690.0, 60.0),
]


def osmnx_graphml() -> str:
    nodes = "".join(
        f'<node id="{node}"><data key="d4">{lat}</data><data key="d5">{lon}</data>'
        '<data key="d6">3</data></node>\n'
        for node, (lat, lon) in PLACES.items()
    )
    edges = "".join(
        f'<edge source="{a}" target="{b}" id="{number}"><data key="d8">{number + 100}</data>'
        f'<data key="d9">residential</data><data key="d10">True</data>'
        f'<data key="d11">{length}</data><data key="d12">{seconds}</data></edge>\n'
        for number, (a, b, length, seconds) in enumerate(STREETS)
    )
    keys = {"d0": ("graph", "crs"), "d4": ("node", "y"), "d5": ("node", "x")}
    keys |= {"d6": ("node", "street_count"), "d8": ("edge", "osmid"), "d9": ("edge", "highway")}
    keys |= {"d10": ("edge", "oneway"), "d11": ("edge", "length"), "d12": ("edge", "travel_time")}
    declared = "".join(
        f'<key id="{key}" for="{owner}" attr.name="{name}" attr.type="string"/>\n'
        for key, (owner, name) in keys.items()
    )
    return (
        "<?xml version='1.0' encoding='utf-8'?>\n"
        f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n{declared}'
        f'<graph edgedefault="directed"><data key="d0">epsg:4326</data>\n{nodes}{edges}'
        "</graph></graphml>\n"
    )


@pytest.fixture
def town(tmp_path: Path) -> Path:
    path = tmp_path / "town.graphml"
    path.write_text(osmnx_graphml())
    return path


def solved(phil: Phil, *options: str | Path) -> dict[str, Any]:
    done = phil("solve", *options, "--json", "-")
    assert done.code == 0, done.err
    document: dict[str, Any] = json.loads(done.out)
    return document


@pytest.mark.parametrize("method", ["dijkstra", "bidirectional", "astar(landmarks)"])
@pytest.mark.parametrize(
    ("options", "path", "cost"),
    [
        ((), ["1", "3"], 790.0),
        (("--weight", "length"), ["1", "3"], 790.0),
        (("--weight", "travel_time"), ["1", "2", "3"], 80.0),
    ],
)
def test_the_weight_is_chosen_by_name(
    phil: Phil, town: Path, method: str, options: tuple[str, ...], path: list[str], cost: float
) -> None:
    ends = ("--start", "1", "--goal", "3")
    found = solved(phil, town, *ends, "-m", method, *options)
    assert (found["path"], found["cost"]) == (path, cost)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("-m", "astar", "--weight", "travel_time"), True),
        (("-m", "biastar", "--weight", "travel_time"), True),
        (("-m", "astar"), False),  # lengths in metres
        (("-m", "astar(landmarks)", "--weight", "travel_time"), False),
        (("-m", "euclidean", "--weight", "travel_time"), False),  # which promises nothing
        (("-m", "euclidean", "--bound", "1", "--weight", "travel_time"), False),
    ],
)
def test_a_search_that_loses_its_promise_says_so(
    phil: Phil, town: Path, options: tuple[str, ...], told: bool
) -> None:
    done = phil("solve", town, "--start", "1", "--goal", "3", *options)
    assert done.code == 0
    assert (
        "the straight line exceeds the costs of this graph up to 17.1 times" in done.err
    ) == told


@pytest.mark.parametrize("method", ["dijkstra", "bidirectional"])
def test_one_way_streets_are_respected(phil: Phil, town: Path, method: str) -> None:
    back = solved(phil, town, "--start", "3", "--goal", "1", "-m", method)
    assert (back["path"], back["cost"]) == (["3", "4", "1"], 1380.0)


def test_places_are_snapped_to_the_nearest_crossing(phil: Phil, town: Path) -> None:
    places = ("--from", "44.6401,10.9199", "--to", " 44.6399, 10.9310 ")
    found = solved(phil, town, *places, "-m", "dijkstra", "--weight", "travel_time")
    assert (found["start"], found["goal"], found["path"]) == ("1", "3", ["1", "2", "3"])
    assert found["start_metres"] == pytest.approx(13.7, abs=0.5)
    assert found["goal_metres"] == pytest.approx(79.9, abs=1)
    shown = phil("solve", town, *places, "-m", "dijkstra")
    assert shown.out.splitlines()[:2] == [
        "start: node 1, 14 m from there",
        "goal: node 3, 80 m from there",
    ]
    one_place = solved(phil, town, "--start", "1", "--to", "44.63,10.92", "-m", "dijkstra")
    assert one_place["path"] == ["1", "3", "4"]
    assert "start_metres" not in one_place


def test_south_and_west_are_negative_and_the_earth_is_round(phil: Phil, tmp_path: Path) -> None:
    (tmp_path / "far.nodes.csv").write_text("id,lat,lon\nfiji,-17,179.9\nperu,-12,-77\n")
    (tmp_path / "far.csv").write_text("source,target,weight\nfiji,peru,1\n")
    found = solved(
        phil, tmp_path / "far.csv", "--from", "-17,-179.9", "--to", "-10,-80", "-m", "dijkstra"
    )
    assert (found["start"], found["goal"]) == ("fiji", "peru")
    assert 20_000 < found["start_metres"] < 22_000
    shown = phil("solve", tmp_path / "far.csv", "--from=-17,-179.9", "--to=-10,-80", "-m", "bfs")
    assert "start: node fiji, 21 km from there" in shown.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--from", "44.64", "--to", "44.64,10.9"), "--from 44.64: not a place; write LAT,LON"),
        (("--from", "44.64,10.9.2", "--to", "44.6,10.9"), "not a place"),
        (("--from", "110.92,44.64", "--to", "44.6,10.9"), "the latitude comes first"),
        (("--from", "44.64,710.92", "--to", "44.6,10.9"), "710.92 is not a longitude"),
        (("--from", "44.64,10.92"), "Missing option --goal NODE or --to LAT,LON"),
        (("--start", "1", "--goal", "2", "--to", "44.6,10.9"), "Give only one of --goal NODE"),
        (("--start", "1", "--goal", "9"), "--goal 9: the graph has no node '9'"),
        (("--start", "1", "--goal", "2", "--weight", "speed"), "no attribute 'speed'; they have: "),
    ],
)
def test_bad_places_and_weights(
    phil: Phil, town: Path, options: tuple[str, ...], message: str
) -> None:
    done = phil("solve", town, *options, "-m", "dijkstra")
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_places_need_degrees(phil: Phil, tmp_path: Path) -> None:
    (tmp_path / "plane.nodes.csv").write_text("id,x,y\na,0,0\nb,1,1\n")
    (tmp_path / "plane.csv").write_text("source,target\na,b\n")
    places = ("--from", "0,0", "--to", "1,1")
    assert (
        "coordinates of the graph are planar" in phil("solve", tmp_path / "plane.csv", *places).err
    )
    (tmp_path / "bare.txt").write_text("0,1\n1,2\n")
    assert "no latitudes and longitudes" in phil("solve", tmp_path / "bare.txt", *places).err


def test_every_command_that_reads_a_graph_takes_a_weight(
    phil: Phil, town: Path, tmp_path: Path
) -> None:
    by_time = ("--weight", "travel_time")
    assert phil("info", town, *by_time).out != phil("info", town).out
    for ending in (".npz", ".csv", ".graphml"):
        copied = tmp_path / f"fast{ending}"
        assert phil("convert", town, copied, *by_time).code == 0
        found = solved(phil, copied, "--start", "1", "--goal", "3", "-m", "dijkstra")
        assert found["cost"] == 80.0
    evaluated = phil("evaluate", town, "-m", "dijkstra", *by_time, "--count", "9", "--json", "-")
    [entry] = json.loads(evaluated.out)["methods"]
    assert entry["cost_ratio"]["mean"] == 1
    assert entry["mean_cost"] < 200
    advised = phil("advise", town, *by_time, "--problems", "4", "--json", "-")
    assert advised.code == 0, advised.err
    trained = phil("train", town, "-o", tmp_path / "a.safetensors", "--weight", "speed")
    assert (trained.code, "no attribute 'speed'" in trained.err) == (2, True)


def test_weights_of_other_formats(phil: Phil, tmp_path: Path) -> None:
    ends = ("--start", "0", "--goal", "2", "-m", "dijkstra")
    table = tmp_path / "roads.csv"
    table.write_text("source,target,length,toll\n0,1,1,5\n1,2,1,5\n0,2,3,1\n")
    assert solved(phil, table, *ends)["cost"] == 2
    assert solved(phil, table, *ends, "--weight", "toll")["cost"] == 1
    archive = tmp_path / "roads.npz"
    np.savez(archive, edge_index=[[0, 1, 0], [1, 2, 2]], weights=[1, 1, 3], toll=[5, 5, 1])
    assert solved(phil, archive, *ends)["cost"] == 2
    assert solved(phil, archive, *ends, "--weight", "toll")["cost"] == 1
    assert "no attribute 'tol'" in phil("solve", archive, *ends, "--weight", "tol").err
    graph = library.read_graph(archive, weight="toll")
    assert isinstance(graph, library.Graph)
    assert graph.weights is not None
    assert graph.weights.tolist() == [5, 1, 5, 5, 5, 1]
    listed = tmp_path / "roads.gr"
    listed.write_text("p sp 2 1\na 1 2 7\n")
    done = phil("solve", listed, "--start", "1", "--goal", "2", "-m", "bfs", "--weight", "toll")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "DIMACS .gr) gives no choice of weights" in done.err
    named = phil("evaluate", "generated/forest", "-m", "bfs", "--weight", "toll")
    assert "--weight is for graph files" in named.err
