"""Commands on graph files: direction, components, loops, parallel edges, weights, pairs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

if TYPE_CHECKING:
    from tests.cli.conftest import Phil

# Home to work by two parallel roads; a detour through the park; an island. Home has a loop.
TOWN = """source,target,weight
home,home,0
home,work,9
home,work,4
home,park,1
park,work,1.5
isle,port,2
"""
PLACES = "id,x,y\nhome,0,0\nwork,2,0\npark,1,1\nisle,5,5\nport,5,6\n"
ONE_WAY = "# directed\nsource,target\na,b\nb,c\nc,a\nc,d\nd,d\n"
SCENARIOS = "version 1\n0\tx.map\t3\t2\t0\t0\t2\t1\t3.41421356\n0\tx.map\t3\t2\t0\t0\t0\t1\t7\n"
OUTPUTS = ("--picture", "--trace", "--geojson")
ROOM = "type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n"


@pytest.fixture
def town(tmp_path: Path) -> Path:
    """An undirected, weighted, disconnected graph with coordinates."""
    (tmp_path / "town.nodes.csv").write_text(PLACES)
    return write(tmp_path / "town.csv", TOWN)


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def solved(phil: Phil, graph: Path, start: str, goal: str, *more: str) -> dict[str, Any]:
    done = phil(
        "solve", graph, "--start", start, "--goal", goal, "-m", "astar", "--json", "-", *more
    )
    assert done.err == "" or done.err.startswith("note: the straight line exceeds the costs")
    document: dict[str, Any] = json.loads(done.out)
    assert done.code == (0 if document["outcome"] == "solved" else 1)
    return document


def test_a_path_in_labels(phil: Phil, town: Path) -> None:
    document = solved(phil, town, "home", "work")
    assert (document["graph"], document["start"], document["goal"]) == (str(town), "home", "work")
    assert (document["path"], document["cost"]) == (["home", "park", "work"], 2.5)


def test_of_parallel_edges_the_cheapest_is_taken(phil: Phil, tmp_path: Path) -> None:
    graph = write(tmp_path / "two.csv", "source,target,weight\na,b,9\na,b,4\nb,b,1\n")
    assert solved(phil, graph, "a", "b")["cost"] == 4


def test_another_component_is_unreachable_and_no_error(phil: Phil, town: Path) -> None:
    document = solved(phil, town, "home", "isle")
    assert (document["outcome"], document["path"], document["cost"]) == ("unreachable", [], None)


def test_direction_is_followed(phil: Phil, tmp_path: Path) -> None:
    graph = write(tmp_path / "ring.csv", ONE_WAY)
    assert solved(phil, graph, "b", "a")["path"] == ["b", "c", "a"]
    assert solved(phil, graph, "d", "a")["outcome"] == "unreachable"


def test_nodes_without_labels_are_numbers(phil: Phil, tmp_path: Path) -> None:
    graph = write(tmp_path / "plain.csv", "0 1\n1 2\n".replace(" ", ","))
    assert solved(phil, graph, "2", "0")["path"] == ["2", "1", "0"]


def test_a_picture_a_trace_and_geojson(phil: Phil, town: Path, tmp_path: Path) -> None:
    (tmp_path / "town.nodes.csv").write_text(PLACES.replace("id,x,y", "id,lon,lat"))
    files = [tmp_path / name for name in ("out.png", "trace.json", "out.geojson")]
    options = [str(part) for pair in zip(OUTPUTS, files, strict=True) for part in pair]
    document = solved(phil, town, "home", "work", *options)
    assert document["path"] == ["home", "work"]  # A* by metres, where edges cost less
    with Image.open(files[0]) as picture:
        assert min(picture.size) > 400
    trace = json.loads(files[1].read_text())
    assert trace["path"] == trace["trace"] == ["home", "work"]
    collection = json.loads(files[2].read_text())
    assert collection["type"] == "FeatureCollection"
    lines = [
        feature["geometry"]["coordinates"]
        for feature in collection["features"]
        if feature["geometry"]["type"] == "LineString"
    ]
    assert lines == [[[0, 0], [2, 0]]]


def test_a_plane_is_no_place_on_earth(phil: Phil, town: Path, tmp_path: Path) -> None:
    ends = ("--start", "home", "--goal", "work", "-m", "bfs")
    done = phil("solve", town, *ends, "--geojson", tmp_path / "out.geojson")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "coordinates are planar" in done.err


@pytest.mark.parametrize("option", ["--picture", "--geojson"])
def test_what_has_no_places_cannot_be_drawn(phil: Phil, tmp_path: Path, option: str) -> None:
    graph = write(tmp_path / "ring.csv", ONE_WAY)
    ends = ("--start", "a", "--goal", "b", "-m", "bfs")
    done = phil("solve", graph, *ends, option, tmp_path / "out.png")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "coordinates" in done.err


def test_evaluate_draws_pairs_inside_components(phil: Phil, town: Path) -> None:
    done = phil("evaluate", town, "-m", "astar", "-m", "bfs", "--count", "20", "--json", "-")
    assert done.code == 0
    document = json.loads(done.out)
    for entry in document["methods"]:
        assert (entry["problems"], entry["solved"]) == (20, 20)
    assert document["methods"][0]["cost_ratio"]["mean"] == 1  # Euclid is a lower bound here
    assert document["methods"][0]["mean_cost"] < document["methods"][1]["mean_cost"]
    assert done.err == (
        "note: the graphs are weighted: a path costs the sum of its edge weights, and the cost "
        "ratio is relative to the cheapest path\n"
    )


def test_evaluate_on_a_directed_graph(phil: Phil, tmp_path: Path) -> None:
    graph = write(tmp_path / "ring.csv", ONE_WAY)
    done = phil("evaluate", graph, "-m", "euclidean", "--split", "all", "--json", "-")
    [entry] = json.loads(done.out)["methods"]
    assert (done.code, done.err) == (0, "")
    assert (entry["problems"], entry["solved"]) == (760, 760)


def test_the_seed_draws_other_pairs(phil: Phil, town: Path) -> None:
    command = ("evaluate", town, "-m", "bfs", "--count", "30", "--json", "-", "--seed")
    means = {
        seed: [json.loads(phil(*command, seed).out)["methods"][0]["mean_cost"] for _ in range(2)]
        for seed in ("0", "1")
    }
    assert means["0"][0] == means["0"][1] != means["1"][0]


def test_all_pairs_of_a_file_are_evaluated(phil: Phil, town: Path, tmp_path: Path) -> None:
    pairs = write(tmp_path / "pairs.csv", "start,goal\nhome,work\nhome,isle\nport,isle\n")
    command = ("evaluate", town, "-m", "bfs", "--pairs", pairs, "--json", "-")
    done = phil(*command)
    document = json.loads(done.out)
    [entry] = document["methods"]
    assert (document["split"], entry["problems"], entry["unreachable"]) == ("all", 3, 1)
    assert "1 of 3 problems have no path" in done.err
    draws = [
        json.loads(phil(*command, "--count", "1", "--seed", str(seed)).out)["methods"][0]
        for seed in (0, 0, 1, 2, 3, 4)
    ]
    assert {entry["problems"] for entry in draws} == {1}
    assert draws[0]["mean_cost"] == draws[1]["mean_cost"]
    assert len({entry["mean_cost"] for entry in draws}) > 1  # not always the first line
    assert json.loads(phil(*command, "--split", "test").out)["methods"][0]["problems"] == 1


def test_published_lengths_are_compared(phil: Phil, tmp_path: Path) -> None:
    room = write(tmp_path / "room.map", ROOM)
    scenarios = write(tmp_path / "room.map.scen", SCENARIOS)
    command = ("evaluate", room, "-m", "astar", "--pairs", scenarios)
    done = phil(*command)
    assert done.code == 0
    assert done.err == (
        "note: 2 of 2 published lengths differ from the optimal cost, by at most 6.000; the first "
        "is room.map.scen:2\n"
    )
    assert json.loads(phil(*command, "--json", "-").out)["published"] == {
        "checked": 2,
        "different": 2,
        "largest_difference": 6.0,
        "first": "room.map.scen:2",
    }


def test_a_folder_of_graphs(phil: Phil, tmp_path: Path) -> None:
    (tmp_path / "towns").mkdir()
    for number in range(5):
        write(tmp_path / "towns" / f"{number}.csv", TOWN)
    done = phil("evaluate", tmp_path / "towns", "-m", "bfs", "--split", "all", "--json", "-")
    [entry] = json.loads(done.out)["methods"]
    assert (done.code, entry["problems"], entry["solved"]) == (0, 760, 760)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("solve", "town.csv", "--start", "hoem", "--goal", "work"), "--start hoem: the graph has"),
        (("solve", "town.csv", "--start", "home", "--goal", "0"), "--goal 0: the graph has no"),
        (("solve", "none.csv", "--start", "a", "--goal", "b"), "none.csv: No such file"),
        (("solve", ".", "--start", "a", "--goal", "b"), "cannot read .: Is a directory"),
        (("solve", "bad.graphml", "--start", "a", "--goal", "b"), "bad.graphml"),
        (("evaluate", "bad.graphml"), "bad.graphml"),
        (("evaluate", "town.nodes.csv"), "town.nodes.csv, line 1: this is a table of nodes"),
        (("evaluate", "town.csv", "--pairs", "randon"), "did you mean 'random'?"),
        (("evaluate", "town.csv", "--pairs", "corners"), "town.csv is not a 2D map"),
        (("evaluate", "town.csv", "--pairs", "none.csv"), "there is no file of pairs none.csv"),
        (("evaluate", "town.csv", "--pairs", "pairs.csv"), "pairs.csv, line 2: the graph has no"),
        (("evaluate", "town.csv", "--count", "0"), "--count must be at least 1, not 0"),
        (("evaluate", "alone.csv"), "alone.csv has no two nodes connected by a path"),
        (("evaluate", "empty"), "empty holds no maps or graphs"),
        (("train", "bad.graphml", "-o", "out.safetensors"), "bad.graphml"),
        (("train", "town.csv", "-o", "out.safetensors", "--pairs", "pairs.csv"), "line 2: the gra"),
    ],
)
def test_bad_input_is_one_line(
    phil: Phil,
    town: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    write(tmp_path / "bad.graphml", "<graphml><graph>")
    write(tmp_path / "pairs.csv", "home,work\nhome,nowhere\n")
    write(tmp_path / "alone.csv", "source,target\na,a\n")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    method = () if arguments[0] == "train" else ("-m", "bfs")
    done = phil(*arguments, *method)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert message in done.err
