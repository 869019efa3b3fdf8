"""`phil evaluate`: the table, the JSON, the notes and bad input."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from phil.cli.console import PlainConsole

if TYPE_CHECKING:
    from tests.cli.conftest import MakeMap, Phil

STATISTICS = ("expansions", "calls", "cost_ratio", "milliseconds")


@pytest.fixture
def maps(make_map: MakeMap, tmp_path: Path) -> Path:
    """A flat folder of maps, one of which has no path."""
    for number in range(9):
        make_map(*("." * (5 + number),) * 6, name=f"maps/{number}.png")
    make_map("..", "##", "..", name="maps/wall.png")
    return tmp_path / "maps"


def test_a_folder_of_maps(program: Phil, maps: Path) -> None:
    done = program("evaluate", "maps", "-m", "astar", "-m", "greedy(oracle)", "--split", "all")
    assert done.code == 0
    head, *rows = done.out.splitlines()
    columns = ["method", "solved", "mean expansions", "median", "p95", "mean calls"]
    assert re.split("  +", head.strip())[:6] == columns
    assert [row.split()[:4] for row in rows] == [
        ["astar", "9", "of", "10"],
        ["greedy(oracle)", "9", "of", "10"],
    ]
    assert done.err == (
        "note: 1 of 10 problems have no path from start to goal; they count as unreachable and are "
        "excluded from the statistics\n"
    )


def test_a_terminal_is_told_what_is_done(
    phil: Phil, maps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = PlainConsole(force_terminal=True, width=100, file=io.StringIO())
    monkeypatch.setattr("phil.cli.display.error_console", lambda: shown)
    assert phil("evaluate", maps, "-m", "bfs", "--split", "all").code == 0
    printed = shown.file.getvalue()  # type: ignore[attr-defined]
    assert "finding the least costs" in printed
    assert "searching" in printed
    assert "10/10" in printed


def test_json_alone_on_standard_output(program: Phil, maps: Path) -> None:
    methods = ("-m", "bfs", "-m", "euclidean")
    done = program("evaluate", "maps", *methods, "--split", "all", "--json", "-")
    assert done.code == 0
    document = json.loads(done.out)
    assert (document["set"], document["split"]) == ("maps", "all")
    assert [entry["method"] for entry in document["methods"]] == ["bfs", "euclidean"]
    for entry in document["methods"]:
        counts = [entry[name] for name in ("problems", "solved", "unreachable", "limit")]
        assert counts == [10, 9, 1, 0]
        for name in STATISTICS:
            assert set(entry[name]) == {"mean", "median", "p95"}
        # No look-ahead, no node expanded twice, and the neighbours of the goal are not needed.
        for name in ("mean", "median", "p95"):
            assert entry["calls"][name] == pytest.approx(entry["expansions"][name] - 1)


def test_searches_with_several_heuristics_and_numbers(program: Phil, maps: Path) -> None:
    texts = ["mha(euclidean,phil:forest)", "bfws(euclidean)", "mha", "mha(zero,octile,2,1.5)"]
    methods = [part for text in texts for part in ("-m", text)]
    done = program("evaluate", "maps", *methods, "--split", "all", "--json", "-")
    assert done.code == 0
    entries = json.loads(done.out)["methods"]
    assert [entry["method"] for entry in entries] == texts
    for entry in entries:
        assert (entry["solved"], entry["unreachable"]) == (9, 1)
    assert entries[-1]["cost_ratio"]["mean"] <= 3
    assert entries[0]["mean_evaluations"] == pytest.approx(2 * (entries[0]["mean_generated"] - 1))


def test_what_is_wrong_with_a_method_is_said(phil: Phil, maps: Path) -> None:
    done = phil("evaluate", maps, "-m", "mha(euclidean,2)")
    assert done.code == 2
    assert "such as mha(euclidean, manhattan, 2, 2)" in done.err


def test_json_in_a_file_beside_the_table(phil: Phil, maps: Path, tmp_path: Path) -> None:
    target = tmp_path / "scores.json"
    done = phil("evaluate", maps, "-m", "bfs", "--split", "train", "--json", target)
    assert done.code == 0
    assert "bfs" in done.out
    assert json.loads(target.read_text())["split"] == "train"


def test_a_limit_is_reported_and_is_no_failure(phil: Phil, maps: Path) -> None:
    arguments = ("evaluate", maps, "-m", "bfs", "--split", "all", "--limit", "3", "--json", "-")
    done = phil(*arguments)
    assert done.code == 0
    (entry,) = json.loads(done.out)["methods"]
    assert (entry["solved"], entry["unreachable"], entry["limit"]) == (0, 1, 9)
    assert all(entry[name] == dict.fromkeys(("mean", "median", "p95")) for name in STATISTICS)
    assert done.err.count("the limit was reached") == 1
    assert "on some of the 10 problems (bfs on 9" in done.err


def test_random_pairs_depend_on_the_seed(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    for number in range(3):
        make_map(*("." * 30,) * 30, name=f"maps/{number}.png")

    def expansions(seed: int) -> float:
        options = ("--pairs", "random", "--seed", seed, "--split", "all", "--json", "-")
        done = phil("evaluate", tmp_path / "maps", "-m", "bfs", *options)
        mean: float = json.loads(done.out)["methods"][0]["expansions"]["mean"]
        return mean

    assert expansions(0) == expansions(0) != expansions(1)


def test_maps_that_were_trained_on_are_named(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    for split in ("train", "test"):
        make_map("...", ".#.", "...", name=f"maps/{split}/0.png")
    make_map("...", "...", "...", name="maps/test/1.png")
    done = phil("evaluate", tmp_path / "maps", "-m", "bfs")
    assert done.code == 0
    assert done.err == "note: 1 of 2 test maps are also training or validation maps\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("generated/forrest", "-m", "bfs"), "did you mean 'generated/forest'?"),
        (("no/such/folder", "-m", "bfs"), "there is no file or folder no/such/folder"),
        (("generated/forest", "-m", "astr"), "did you mean 'astar'?"),
        (("generated/forest", "-m", "bfs", "--limit", "-2"), "must not be negative"),
        (("generated/forest", "-m", "bfs", "--json", "none/x.json"), "does not exist"),
        (("generated/forest", "-m", "bfs", "--split", "tset"), "did you mean 'test'?"),
        (("generated/forest", "-m", "bfs", "--pairs", "corner"), "did you mean 'corners'?"),
        (("grids/forest", "-m", "bfs", "--data", "none"), "phil problems --download"),
    ],
)
def test_bad_input(phil: Phil, arguments: tuple[str, ...], message: str) -> None:
    done = phil("evaluate", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert message in done.err


def test_an_empty_split(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    make_map("..", "..", name="maps/0.png")
    done = phil("evaluate", tmp_path / "maps", "-m", "bfs")
    assert done.code == 2
    assert "has no test problems; choose another --split, such as all" in done.err


def test_a_corner_on_an_obstacle(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    make_map("..", "#.", name="maps/0.png")
    done = phil("evaluate", tmp_path / "maps", "-m", "bfs", "--split", "all")
    assert done.code == 2
    assert "--pairs random" in done.err


def test_public_maps(phil: Phil, public_grids: Path) -> None:
    data = ("--data", public_grids.parent)
    done = phil("evaluate", "grids/gaps_and_forest", "-m", "astar", *data, "--json", "-")
    (entry,) = json.loads(done.out)["methods"]
    assert (entry["problems"], entry["solved"], entry["unreachable"]) == (100, 91, 9)
