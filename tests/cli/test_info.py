"""`phil info`: what a heuristic file or a graph file tells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from phil.heuristics.file import write_heuristic
from phil.heuristics.phil import PhilHeuristic, PhilMetadata
from phil.heuristics.phil.specification import NetworkSettings, tensor_shapes
from phil.heuristics.scaling import Scaling
from phil.problems.generated import FAMILIES

if TYPE_CHECKING:
    from tests.cli.conftest import MakeMap, Phil


@pytest.fixture
def heuristic_file(tmp_path: Path) -> Path:
    """The file of a small network that has learned nothing."""
    network = NetworkSettings.model_validate({"width": 8, "layers": 1, "memory": 4})
    rng = np.random.default_rng(0)
    tensors = {
        name: rng.normal(size=shape).astype(np.float32)
        for name, shape in tensor_shapes(network).items()
    }
    metadata = PhilMetadata(
        network=network,
        feature_names=("x", "y"),
        scaling=Scaling(),
        training={"set": "generated/[forest]", "seed": 7, "settings": {"rate": 0.001}},
        validation={"expansions": 281.25, "astar": None},
    )
    path = tmp_path / "mine.safetensors"
    write_heuristic(path, PhilHeuristic(metadata, tensors))
    return path


def test_a_file(program: Phil, heuristic_file: Path) -> None:
    done = program("info", heuristic_file)
    assert (done.code, done.err) == (0, "")
    lines = {line.strip() for line in done.out.splitlines()}
    shown = {"  ".join(line.split(maxsplit=1)) for line in lines}
    assert {"width  8", "seed  7", "rate  0.001", "expansions  281.25", "astar  -"} <= shown
    assert "set  generated/[forest]" in shown


def test_the_json_says_it_all(phil: Phil, heuristic_file: Path) -> None:
    done = phil("info", heuristic_file, "--json", "-")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    assert document["heuristic"] == str(heuristic_file)
    assert document["network"]["width"] == 8
    assert document["training"]["settings"] == {"rate": 0.001}
    assert document["validation"]["expansions"] == 281.25
    assert document["parameters"] > 100


@pytest.mark.parametrize("family", FAMILIES)
def test_shipped_heuristics(phil: Phil, family: str) -> None:
    done = phil("info", f"phil:{family}", "--json", "-")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    assert document["training"]
    assert document["validation"]


def test_a_learned_heuristic_is_a_method(
    phil: Phil, make_map: MakeMap, heuristic_file: Path
) -> None:
    ends = ("--start", "5,0", "--goal", "0,5", "--json", "-")
    for method in (str(heuristic_file), f"astar({heuristic_file})"):
        done = phil("solve", make_map(*("......",) * 6), *ends, "-m", method)
        assert (done.code, json.loads(done.out)["method"]) == (0, method)


def damaged(content: bytes) -> dict[str, bytes]:
    version = b'"format_version":"1"'
    assert version in content
    return {
        "empty": b"",
        "foreign": b"no heuristic at all",
        "noise": b"\xff" * 100,
        "header cut off": content[:50],
        "tensors cut off": content[:-10],
        "longer": content + b"more",
        "newer": content.replace(version, b'"format_version":"2"'),
        "flipped": content[:20] + bytes([content[20] ^ 0xFF]) + content[21:],
    }


@pytest.mark.parametrize(
    "kind",
    [
        "empty",
        "foreign",
        "noise",
        "header cut off",
        "tensors cut off",
        "longer",
        "newer",
        "flipped",
    ],
)
def test_a_damaged_file_is_one_line(phil: Phil, heuristic_file: Path, kind: str) -> None:
    bad = heuristic_file.with_name("bad.safetensors")
    bad.write_bytes(damaged(heuristic_file.read_bytes())[kind])
    done = phil("info", bad)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert str(bad) in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("euclidean", "euclidean is a built-in heuristic and has no metadata"),
        ("phil:forrest", "did you mean 'phil:forest'?"),
        ("none.safetensors", "none.safetensors"),
    ],
)
def test_what_has_no_information(phil: Phil, name: str, message: str) -> None:
    done = phil("info", name)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


EDGES = "source,target,weight\na,b,2\nb,c,4\nd,e,6\n"


def graph_info(phil: Phil, path: Path) -> dict[str, Any]:
    done = phil("info", path, "--json", "-")
    assert (done.code, done.err) == (0, "")
    document: dict[str, Any] = json.loads(done.out)
    return document


def test_a_graph(phil: Phil, tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(EDGES)
    (tmp_path / "edges.nodes.csv").write_text("id,lon,lat\na,1,2\nb,1,3\nc,2,2\nd,1,2\ne,1,1\n")
    document = graph_info(phil, path)
    assert document["format"].startswith("CSV")
    assert (document["nodes"], document["edges"], document["directed"]) == (5, 3, False)
    assert document["weights"] == {"least": 2.0, "mean": 4.0, "largest": 6.0}
    assert document["degree"] == {"least": 1, "mean": 1.2, "largest": 2}
    assert (document["components"], document["largest_component"]) == (2, 3)
    assert document["diameter_estimate"] == 2
    assert document["feature_names"] == ["x", "y"]
    assert document["coordinates"]["geographic"]
    assert document["coordinates"]["largest"] == [2, 3]
    shown = phil("info", path)
    assert (shown.code, shown.err) == (0, "")
    assert "diameter_estimate" in shown.out


def test_a_directed_graph(phil: Phil, tmp_path: Path) -> None:
    path = tmp_path / "arcs.gr"
    path.write_text("p sp 4 4\na 1 2 1\na 2 3 1\na 3 1 1\na 3 4 1\n")
    document = graph_info(phil, path)
    assert document["directed"]
    assert "components" not in document
    assert document["strongly_connected_components"] == 2
    assert document["largest_component"] == 3


def test_a_map(phil: Phil, make_map: MakeMap) -> None:
    document = graph_info(phil, make_map("..#.", "..#."))
    assert (document["kind"], document["shape"], document["nodes"]) == ("map", [2, 4], 6)
    assert (document["components"], document["largest_component"]) == (2, 4)
    assert document["diameter_estimate"] == 1


def test_a_3d_map(phil: Phil, tmp_path: Path) -> None:
    path = tmp_path / "small.3dmap"
    path.write_text("voxel 3 1 1\n1 0 0\n")
    document = graph_info(phil, path)
    assert (document["shape"], document["nodes"], document["components"]) == ([3, 1, 1], 2, 2)


def test_a_damaged_graph_is_one_line(phil: Phil, tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text(EDGES + "e,f\n")
    done = phil("info", path)
    assert (done.code, done.out) == (2, "")
    assert f"{path}, line 5: 2 fields" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("name", ["city.graphml", "maps/level.map", "mine.safetensors"])
def test_a_missing_file_is_called_one(phil: Phil, name: str) -> None:
    done = phil("info", name)
    assert (done.code, done.err) == (2, f"error: there is no file {name}\n")
