"""`phil problems`: the list of sets, and fetching the public ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from phil.problems.generated import FAMILIES
from tests.problems.graph_files import biology_arrays, road_arrays, save

if TYPE_CHECKING:
    from tests.cli.conftest import MakeMap, Phil


def test_every_set_is_listed(program: Phil) -> None:
    done = program("problems", "--data", "none")
    assert (done.code, done.err) == (0, "")
    for family in FAMILIES:
        assert f"grids/{family} " in done.out
        assert f"generated/{family} " in done.out
    assert "no: not in none" in done.out


def test_the_json_says_what_is_found(phil: Phil, tmp_path: Path) -> None:
    target = tmp_path / "sets.json"
    done = phil("problems", "--data", tmp_path, "--json", target)
    assert done.code == 0
    sets = {info["name"]: info for info in json.loads(target.read_text())["sets"]}
    maps = [name for name in sets if name.startswith(("grids/", "generated/", "planning/"))]
    assert len(maps) == 3 * len(FAMILIES) + 2  # and all families together, twice
    assert not sets["citations/cora"]["found"]
    assert not sets["grids/forest"]["found"]
    made = sets["generated/forest"]
    assert made["found"]
    assert made["counts"] == {"train": 600, "validation": 100, "test": 100}
    assert made["shape"] == [201, 201]


def test_public_sets_are_found(phil: Phil, public_grids: Path) -> None:
    done = phil("problems", "--data", public_grids.parent, "--json", "-")
    sets = json.loads(done.out)["sets"]
    public = [info for info in sets if not info["name"].startswith("planning/")]
    assert all(info["found"] for info in public)


def test_download_goes_where_data_points(
    phil: Phil, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def download_maps(folder: Path | None, report: Callable[[str], None]) -> None:
        asked.append(folder)
        report("fetching")

    monkeypatch.setattr("phil.problems.download.maps.download_maps", download_maps)
    done = phil("problems", "--download", "--data", tmp_path)
    assert (done.code, done.err, asked) == (0, "fetching\n", [tmp_path])


def test_a_host_that_does_not_answer(
    phil: Phil, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ConnectionError("no route to host")

    monkeypatch.setattr("pooch.HTTPDownloader.__call__", fail)
    done = phil("problems", "--download", "--data", tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "no route to host; check the connection" in done.err


def test_only_the_sets_that_are_named(phil: Phil, tmp_path: Path) -> None:
    done = phil("problems", "roads", "citations/cora", "--data", tmp_path, "--json", "-")
    names = [info["name"] for info in json.loads(done.out)["sets"]]
    assert names[0] == "citations/cora"
    assert "roads/rimini" in names
    assert all(name.startswith("roads/") for name in names[1:])
    wrong = phil("problems", "citations/corra", "--data", tmp_path)
    assert (wrong.code, wrong.out) == (2, "")
    assert "did you mean 'citations/cora'" in wrong.err


def test_download_of_graphs(phil: Phil, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def fetch_set(name: str, folder: Path, place: str | None, report: object) -> None:
        asked.append((name, folder, place))

    monkeypatch.setattr("phil.problems.download.graphs.fetch_set", fetch_set)
    done = phil("problems", "--download", "citations/cora", "--data", tmp_path)
    assert (done.code, asked) == (0, [("citations/cora", tmp_path, None)])
    assert "citations/cora" in done.out
    phil("problems", "roads/carpi", "--download", "--place", "Carpi, Italy", "--data", tmp_path)
    assert asked[1] == ("roads/carpi", tmp_path, "Carpi, Italy")


def test_graphs_show_nodes_and_edges(phil: Phil, tmp_path: Path) -> None:
    save(tmp_path / "roads" / "mine.npz", **road_arrays())
    save(tmp_path / "graphs" / "enzymes.npz", **biology_arrays())
    done = phil("problems", "roads/mine", "biology/enzymes", "--data", tmp_path)
    assert "4 nodes, 5 edges" in done.out
    assert "20 graphs: 12.5 nodes" in done.out


def test_a_set_is_written_listed_described_and_evaluated(phil: Phil, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet files need the extra ray")
    target = tmp_path / "mazes.parquet"
    drawn = ("--pairs", "random", "--count", 3, "--seed", 5)
    done = phil("problems", "generated/mazes", *drawn, "-o", target)
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith(f"wrote {target}: ProblemSet('generated/mazes', train=3, ")
    [info] = json.loads(phil("problems", target, "--json", "-").out)["sets"]
    assert info["counts"] == {"train": 3, "validation": 1, "test": 3}
    assert info["graphs"] == 7
    assert "7 graphs" in phil("problems", target).out
    described = json.loads(phil("info", target, "--json", "-").out)
    assert described["read"] == "when used"
    assert described["problems"] == info["counts"]
    assert described["first_graph"]["shape"] == [201, 201]
    evaluated = [
        json.loads(phil("evaluate", *which, "-m", "astar", "--json", "-").out)["methods"][0]
        for which in ((target,), ("generated/mazes", *drawn))
    ]
    assert evaluated[0]["expansions"] == evaluated[1]["expansions"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("generated/mazes", "--count", 3),
            "--pairs, --count, --seed and --weight are for --output",
        ),
        (("-o", "a.parquet"), "--output writes one set; name it"),
        (("generated/mazes", "-o", "a.npz"), "are written to files named *.parquet"),
        (("generated/maze", "-o", "a.parquet"), "did you mean"),
    ],
)
def test_what_cannot_be_written(phil: Phil, arguments: tuple[object, ...], words: str) -> None:
    done = phil("problems", *arguments)
    assert done.code == 2
    assert words in " ".join(done.err.split())


def test_a_folder_is_listed(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    make_map("..", "..")
    done = phil("problems", tmp_path)
    assert done.code == 0
    assert "1 graph" in done.out
