"""`phil advise`: the table, the verdict, the JSON, a short training and bad input."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from phil.evaluation.advice.decide import NEARLY
from phil.heuristics.phil import read_heuristic

if TYPE_CHECKING:
    from tests.cli.conftest import MakeMap, Phil

SIDE = 6


@pytest.fixture
def maps(make_map: MakeMap, tmp_path: Path) -> Path:
    """A flat folder of maps, one of which has no path."""
    for number in range(11):
        make_map(*("." * (5 + number),) * 6, name=f"maps/{number}.png")
    make_map("..", "##", "..", name="maps/wall.png")
    return tmp_path / "maps"


@pytest.fixture
def streets(tmp_path: Path) -> Path:
    """A square of streets, some dearer than they are long."""
    lines = ["source,target,length"]
    for row in range(SIDE):
        for column in range(SIDE):
            if column + 1 < SIDE:
                lines.append(f"{row}-{column},{row}-{column + 1},{100 + 50 * (row % 2)}")
            if row + 1 < SIDE:
                lines.append(f"{row}-{column},{row + 1}-{column},100")
    (tmp_path / "streets.csv").write_text("\n".join(lines) + "\n")
    places = [
        f"{row}-{column},{100 * column},{100 * row}"
        for row in range(SIDE)
        for column in range(SIDE)
    ]
    (tmp_path / "streets.nodes.csv").write_text("\n".join(["id,x,y", *places]) + "\n")
    return tmp_path / "streets.csv"


def test_a_folder_of_maps(phil: Phil, maps: Path) -> None:
    done = phil("advise", maps)
    assert done.code == 0
    head, *rows = done.out.splitlines()
    assert head.split()[:4] == ["method", "path", "at", "most"]
    methods = [row.split()[0] for row in rows[:3]]
    assert methods == ["bfs", "astar(octile)", "greedy(euclidean)"]
    said = " ".join(" ".join(rows).split())
    assert " use " in said.lower()  # or "Use", at the beginning of a sentence
    assert "(1 more have no path)" in said
    assert "imprecise on a busy machine" in said
    assert done.err.startswith("note: landmarks were left out")


def test_a_shipped_heuristic_at_a_cost_of_expansions(
    phil: Phil, maps: Path, tmp_path: Path
) -> None:
    target = tmp_path / "advice.json"
    options = ("--expansion-cost", "50", "--pairs", "random", "--count", "200", "--problems", "15")
    done = phil("advise", maps, "-m", "phil:forest", *options, "--json", target)
    assert done.code == 0
    assert "At 50.0 µs per call, " in done.out
    document = json.loads(target.read_text())
    assert (document["set"], document["expansion_cost_us"]) == (str(maps), 50)
    assert document["problems"] == 15
    entries = {entry["method"]: entry for entry in document["methods"]}
    assert entries["phil:forest"]["learned"]
    assert not entries["astar(octile)"]["learned"]
    assert (entries["astar(octile)"]["promise"], entries["phil:forest"]["promise"]) == (1, None)
    assert all(entry["solved"] == 15 for entry in entries.values())
    assert all(entry["cost_ratio"]["mean"] >= 1 - 1e-9 for entry in entries.values())
    [pays] = document["pays"]
    assert pays["method"] == "phil:forest"
    # The one method to use is the fastest by what was measured, or nearly so.
    totals = {
        name: entry["query_us"]["mean"] + 50 * entry["calls"]["mean"]
        for name, entry in entries.items()
    }
    assert totals[document["use"]["any_path"]] <= NEARLY * min(totals.values())
    assert "".join(document["verdict"].split()) in "".join(done.out.split())


def test_a_graph_file_as_json_alone(phil: Phil, streets: Path) -> None:
    done = phil("advise", streets, "--problems", "20", "--json", "-")
    assert done.code == 0
    document = json.loads(done.out)
    assert (document["problems"], document["unsolvable"], document["graphs"]) == (20, 0, 1)
    entries = {entry["method"]: entry for entry in document["methods"]}
    assert entries["astar(landmarks)"]["preparation_us"] > 0
    assert entries["astar(landmarks)"]["cost_ratio"]["mean"] == pytest.approx(1)
    assert entries["bfs"]["preparation_us"] == 0
    assert (document["pays"], document["training"]) == ([], None)
    assert "learned heuristic" in document["verdict"]


def test_a_short_training_is_kept_and_measured(
    phil: Phil, streets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("phil.learning.training.ITERATIONS", 1)
    output = tmp_path / "mine.safetensors"
    options = ("--train", "--count", "120", "-o", output, "--json", "-")
    done = phil("advise", streets, *options)
    assert done.code == 0
    document = json.loads(done.out)
    assert [entry["method"] for entry in document["pays"]] == [
        "greedy(trained)",
        "bounded(trained, 1.5)",
    ]
    training = document["training"]
    assert (training["preset"], training["iterations"], training["problems"]) == ("best", 1, 100)
    assert training["file"] == str(output)
    assert read_heuristic(output).metadata.training["settings"]["iterations"] == 1
    assert "a full training may do better (phil train; add --set neighbors=0" in done.err
    assert f"wrote {output}" in done.err
    assert "iteration 2/2: candidate" in done.err


def test_without_torch(phil: Phil, streets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    done = phil("advise", streets, "--train")
    assert (done.code, done.out) == (2, "")
    assert "training needs torch: pip install 'phil-search[train]'" in done.err


def test_no_problem_has_a_path(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    make_map("..", "##", "..", name="walls/0.png")
    done = phil("advise", tmp_path / "walls")
    assert done.code == 0
    assert done.out.startswith("No advice: none of the 1 problems has a path")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-o", "mine.safetensors"), "add --train"),
        (("--train", "-o", "none/mine.safetensors"), "does not exist"),
        (("--problems", "0"), "--problems must be at least 1"),
        (("--expansion-cost", "-1"), "must be finite and not negative"),
        (("-m", "oracle"), "phil evaluate"),
        (("-m", "astr"), "did you mean 'astar'?"),
        (("-m", "octile"), "this graph is not a grid"),
        (("--json", "none/x.json"), "does not exist"),
    ],
)
def test_bad_input(phil: Phil, streets: Path, arguments: tuple[str, ...], message: str) -> None:
    done = phil("advise", streets, *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert message in done.err
