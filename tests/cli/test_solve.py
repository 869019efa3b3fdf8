"""`phil solve`: results, files and bad input."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from phil.evaluation import Method
from phil.heuristics import default
from phil.heuristics.registry import load_heuristic

if TYPE_CHECKING:
    from tests.cli.conftest import MakeMap, Phil

ROOM = ("...", "##.", "...")
ENDS = ("--start", "2,0", "--goal", "0,0")


def picture_size(path: Path) -> tuple[int, int]:
    with Image.open(path) as picture:
        return picture.size


def test_a_path_is_found(program: Phil, make_map: MakeMap) -> None:
    done = program("solve", make_map(*ROOM), *ENDS, "-m", "euclidean")
    assert (done.code, done.err) == (0, "")
    head, row = (line.split() for line in done.out.splitlines())
    assert head == ["outcome", "expansions", "calls", "cost", "length", "ms"]
    assert row[:5] == ["solved", "5", "4", "4.83", "4"]


def test_without_a_method_it_takes_one_and_says_which(program: Phil, make_map: MakeMap) -> None:
    done = program("solve", make_map(*ROOM), *ENDS)
    assert (done.code, done.err) == (0, "")
    method, _, row = done.out.splitlines()
    assert re.fullmatch(r"method: (hedge\(phil:map\)|greedy\(euclidean\))", method)
    assert row.split()[0] == "solved"


def test_the_default_is_hedged_if_a_shipped_heuristic_fits(
    phil: Phil, make_map: MakeMap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        default, "_shipped_for_any_problem", lambda: [load_heuristic("phil:forest")]
    )
    map_file = make_map(*ROOM)
    done = phil("solve", map_file, *ENDS)
    assert done.out.splitlines()[0] == "method: hedge(phil:forest)"
    document = json.loads(phil("solve", map_file, *ENDS, "--json", "-").out)
    assert (document["method"], document["outcome"]) == ("hedge(phil:forest)", "solved")


@pytest.mark.parametrize("options", [("--bound", "1"), ("--anytime",)])
def test_with_a_bound_the_default_is_greedy(
    phil: Phil, make_map: MakeMap, options: tuple[str, ...]
) -> None:
    command = ("solve", make_map(*TRAP), *TRAP_ENDS, *options)
    assert phil(*command).out.splitlines()[0] == "method: greedy(euclidean)"
    document = json.loads(phil(*command, "--json", "-").out)
    assert document["proven"] == pytest.approx(1)


def test_a_hedged_search_takes_no_bound(phil: Phil, make_map: MakeMap) -> None:
    command = ("solve", make_map(*ROOM), *ENDS, "-m", "hedge(manhattan)")
    assert phil(*command).code == 0
    done = phil(*command, "--bound", "2")
    assert done.code == 2
    assert "bounds the expansions" in done.err


def test_the_json_says_it_all(phil: Phil, make_map: MakeMap) -> None:
    map_file = make_map(*ROOM)
    done = phil("solve", map_file, *ENDS, "-m", "euclidean", "--json", "-")
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    assert document.pop("milliseconds") > 0
    assert document == {
        "graph": str(map_file),
        "method": "euclidean",
        "start": [2, 0],
        "goal": [0, 0],
        "outcome": "solved",
        "expansions": 5,
        "calls": 4,
        "cost": pytest.approx(2 + 2 * 2**0.5),
        "length": 4,
        "path": [[2, 0], [2, 1], [1, 2], [0, 1], [0, 0]],
        "lower_bound": 0.0,
        "proven": None,
        "reopened": 0,
        "generated": document["generated"],
        "evaluations": document["evaluations"],
        "neighbor_calls": 4,
        "lookahead_calls": 0,
    }


# Greedy search turns upwards too early.
TRAP = ("....#.", ".#.##.", "#.#.#.", "......")
TRAP_ENDS = ("--start", "3,0", "--goal", "0,5")


def test_a_bound_is_kept_and_proven(phil: Phil, make_map: MakeMap) -> None:
    command = ("solve", make_map(*TRAP), *TRAP_ENDS, "-m", "euclidean")
    plain = json.loads(phil(*command, "--json", "-").out)
    bounded = json.loads(phil(*command, "--bound", "1", "--json", "-").out)
    cheapest = json.loads(phil(*command[:-1], "astar", "--json", "-").out)
    assert plain["cost"] > cheapest["cost"] == pytest.approx(bounded["cost"])
    assert bounded["lower_bound"] == pytest.approx(cheapest["cost"])
    assert bounded["proven"] == pytest.approx(1)
    done = phil(*command, "--bound", "1")
    head, row = (line.split() for line in done.out.splitlines())
    assert head == ["outcome", "expansions", "calls", "cost", "length", "proven", "ms"]
    assert (row[0], row[5]) == ("solved", "1.000")


def test_a_bound_that_meets_the_limit_shows_its_path_and_what_is_proven(
    phil: Phil, make_map: MakeMap
) -> None:
    pocket = make_map(".........", ".#######.", ".......#.", ".#######.", ".........")
    command = ("solve", pocket, "--start", "2,6", "--goal", "2,8", "-m", "euclidean")
    done = phil(*command, "--bound", "1", "--limit", "22", "--json", "-")
    document = json.loads(done.out)
    assert (done.code, document["outcome"], document["expansions"]) == (1, "limit", 22)
    assert (document["path"][0], document["path"][-1]) == ([2, 6], [2, 8])
    assert document["proven"] == pytest.approx(document["cost"] / document["lower_bound"])
    assert document["proven"] > 1


def test_anytime_prints_every_better_path(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    command = ("solve", make_map(*TRAP), *TRAP_ENDS, "-m", "euclidean", "--anytime")
    files = ("--json", tmp_path / "out.json", "--picture", tmp_path / "out.png")
    done = phil(*command, *files, "--trace", tmp_path / "trace.json")
    assert (done.code, done.err) == (0, "")
    head, *rows = (line.split() for line in done.out.splitlines())
    assert head == ["outcome", "expansions", "calls", "cost", "length", "proven", "ms"]
    costs = [float(row[3]) for row in rows]
    assert len(costs) > 1
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > costs[-1]
    assert rows[-1][5] == "1.000"
    document = json.loads((tmp_path / "out.json").read_text())
    assert [round(path["cost"], 2) for path in document["paths"]] == costs
    assert document["paths"][-1].items() <= document.items()
    assert len(json.loads((tmp_path / "trace.json").read_text())["trace"]) == int(rows[-1][1])
    first = phil(*command, "--bound", "inf", "--json", "-")
    assert [round(path["cost"], 2) for path in json.loads(first.out)["paths"]] == costs[:1]


@pytest.mark.parametrize(
    ("method", "proven"),
    [
        ("mha", ()),
        ("mha(euclidean,phil:forest)", ()),
        ("mha(euclidean,phil:forest,1.5,2)", ("proven",)),
        ("bfws(euclidean)", ()),
        ("wastar(octile,2)", ()),
        ("depth(euclidean,0.8)", ()),
    ],
)
def test_every_search_draws_and_traces(
    phil: Phil, make_map: MakeMap, tmp_path: Path, method: str, proven: tuple[str, ...]
) -> None:
    files = tmp_path / "out.png", tmp_path / "out.json"
    options = ("-m", method, "--picture", files[0], "--trace", files[1])
    done = phil("solve", make_map(*ROOM), *ENDS, *options)
    assert (done.code, done.err) == (0, "")
    head, row = (line.split() for line in done.out.splitlines())
    assert head == ["outcome", "expansions", "calls", "cost", "length", *proven, "ms"]
    document = json.loads(files[1].read_text())
    assert document["method"] == method
    assert len(document["trace"]) == int(row[1])
    assert files[0].stat().st_size > 0


def test_anytime_without_a_path(phil: Phil, make_map: MakeMap) -> None:
    wall = make_map("..", "##", "..")
    done = phil("solve", wall, *ENDS, "-m", "euclidean", "--anytime", "--json", "-")
    document = json.loads(done.out)
    assert (done.code, document["outcome"], document["paths"]) == (1, "unreachable", [])
    assert (document["lower_bound"], document["proven"]) == (None, None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-m", "euclidean", "--bound", "0.9"), "must be at least 1 (optimal), not 0.9"),
        (("-m", "euclidean", "--bound", "nan"), "must be at least 1 (optimal), not nan"),
        (
            ("-m", "bounded(euclidean, 2)", "--bound", "1.5"),
            "--bound 1.5: the method 'bounded(euclidean, 2)' has a bound of its own",
        ),
        (
            ("-m", "mha(euclidean, zero)", "--bound", "1.5"),
            "--bound 1.5: 'mha(euclidean, zero)' takes no separate bound: the bound of mha is the "
            "product of the weights after its heuristics, such as mha(euclidean, manhattan, 1.5, ",
        ),
        (("-m", "mha(euclidean, zero)", "--anytime"), "'mha(euclidean, zero)' finds one path"),
    ],
)
def test_bad_bounds(phil: Phil, make_map: MakeMap, options: tuple[str, ...], message: str) -> None:
    done = phil("solve", make_map(*ROOM), *ENDS, *options)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_a_npy_map_of_any_shape(phil: Phil, tmp_path: Path) -> None:
    np.save(tmp_path / "map.npy", np.ones((1, 7), bool))
    done = phil("solve", tmp_path / "map.npy", "--start", "0,0", "--goal", "0,6", "-m", "astar")
    assert done.code == 0


@pytest.mark.parametrize(
    ("method", "limit", "outcome"), [("bfs", (), "unreachable"), ("bfs", ("--limit", "1"), "limit")]
)
def test_no_path_exits_with_1_and_still_writes(
    phil: Phil, make_map: MakeMap, tmp_path: Path, method: str, limit: tuple[str, ...], outcome: str
) -> None:
    files = ("--picture", tmp_path / "out.png", "--trace", tmp_path / "out.json", "--json", "-")
    done = phil("solve", make_map("..", "##", ".."), *ENDS, "-m", method, *limit, *files)
    assert done.code == 1
    document = json.loads(done.out)
    assert (document["outcome"], document["cost"], document["length"]) == (outcome, None, None)
    assert json.loads((tmp_path / "out.json").read_text())["path"] == []
    assert picture_size(tmp_path / "out.png") == (268, 402)


def test_picture_and_trace(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    picture, trace = tmp_path / "out.png", tmp_path / "out.json"
    files = ("--picture", picture, "--trace", trace)
    assert phil("solve", make_map(*ROOM), *ENDS, "-m", "oracle", *files).code == 0
    assert picture_size(picture) == (402, 402)
    path = [[2, 0], [2, 1], [1, 2], [0, 1], [0, 0]]
    assert json.loads(trace.read_text()) == {
        "method": "oracle",
        "start": [2, 0],
        "goal": [0, 0],
        "outcome": "solved",
        "expansions": 5,
        "calls": 4,
        "path": path,
        "trace": path,
    }


def test_a_smoothed_path_is_told_written_and_drawn(
    phil: Phil, make_map: MakeMap, tmp_path: Path
) -> None:
    map_file, ends = make_map(*["." * 9] * 4), ("--start", "0,0", "--goal", "3,8")
    options = ("solve", map_file, *ends, "-m", "euclidean")
    plain, drawn = tmp_path / "plain.png", tmp_path / "smooth.png"
    assert phil(*options, "--picture", plain).code == 0
    done = phil(*options, "--smooth", "--picture", drawn, "--json", tmp_path / "out.json")
    assert (done.code, done.err) == (0, "")
    assert "smoothed: length 9.24 before, 8.54 after; waypoints: 2" in done.out
    document = json.loads((tmp_path / "out.json").read_text())
    assert document["length"] == 8
    assert document["smoothed"] == {
        "length_before": pytest.approx(5 + 3 * 2**0.5),
        "length": pytest.approx(73**0.5),
        "waypoints": [[0, 0], [3, 8]],
    }
    assert drawn.read_bytes() != plain.read_bytes()


def test_only_paths_on_maps_are_smoothed(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    edges = tmp_path / "edges.csv"
    edges.write_text("source,target\n1,2\n")
    done = phil("solve", edges, "--start", "1", "--goal", "2", "--smooth")
    assert (done.code, done.out) == (2, "")
    assert "--smooth: only a path on a map can be smoothed" in done.err
    walled = make_map(".#.")
    done = phil("solve", walled, "--start", "0,0", "--goal", "0,2", "-m", "astar", "--smooth")
    assert done.code == 1
    assert "smoothed" not in done.out


def test_start_at_the_goal_is_one_expansion(phil: Phil, make_map: MakeMap) -> None:
    ends = ("--start", "0,0", "--goal", "0,0")
    done = phil("solve", make_map("."), *ends, "-m", "astar", "--json", "-")
    assert done.code == 0
    document = json.loads(done.out)
    assert (document["expansions"], document["cost"], document["length"]) == (1, 0, 0)


@pytest.mark.parametrize(
    ("start", "goal", "method", "message"),
    [
        ("1,0", "0,0", "bfs", "--start 1,0: the cell (1, 0) is on an obstacle; choose a free cell"),
        ("2,0", "1,1", "bfs", "--goal 1,1: the cell (1, 1) is on an obstacle; choose a free cell"),
        ("3,0", "0,0", "bfs", "--start 3,0: cell (3, 0) is off the map: rows 0..2, columns 0..2"),
        ("-1,0", "0,0", "bfs", "--start -1,0: cell (-1, 0) is off the map: rows 0..2"),
        ("0", "0,0", "bfs", "--start 0: a cell of this map is ROW,COL such as 0,200, not '0'"),
        (
            "0,x",
            "0,0",
            "bfs",
            "--start 0,x: a cell of this map is ROW,COL such as 0,200, not '0,x'",
        ),
        ("2,0", "0,0", "greedy(euclidaen)", "did you mean 'euclidean'?"),
        ("2,0", "0,0", "bsf", "did you mean 'bfs'?"),
    ],
)
def test_bad_arguments(
    phil: Phil, make_map: MakeMap, start: str, goal: str, method: str, message: str
) -> None:
    done = phil("solve", make_map(*ROOM), "--start", start, "--goal", goal, "-m", method)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert message in done.err


def test_a_negative_limit(phil: Phil, make_map: MakeMap) -> None:
    done = phil("solve", make_map(*ROOM), *ENDS, "-m", "bfs", "--limit", "-1")
    assert (done.code, done.err) == (2, "error: the limit on expansions must not be negative: -1\n")


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n and no more"])
def test_a_file_that_is_no_map(program: Phil, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.png").write_bytes(content)
    done = program("solve", "bad.png", *ENDS, "-m", "bfs")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: bad.png")
    assert done.err.count("\n") == 1


def test_a_truncated_map(phil: Phil, make_map: MakeMap) -> None:
    map_file = make_map(*(("." * 40),) * 40)
    map_file.write_bytes(map_file.read_bytes()[:-20])
    done = phil("solve", map_file, *ENDS, "-m", "bfs")
    assert done.code == 2
    assert "truncated" in done.err


@pytest.mark.parametrize("rows", [("#",), ("##", "##")])
def test_an_all_blocked_map(phil: Phil, make_map: MakeMap, rows: tuple[str, ...]) -> None:
    done = phil("solve", make_map(*rows), "--start", "0,0", "--goal", "0,0", "-m", "bfs")
    assert done.code == 2
    assert "every cell is blocked" in done.err


def test_a_map_that_is_not_there(phil: Phil, tmp_path: Path) -> None:
    done = phil("solve", tmp_path / "none.png", *ENDS, "-m", "bfs")
    assert done.code == 2
    assert "none.png: No such file" in done.err


@pytest.mark.parametrize("option", ["--picture", "--trace", "--json"])
def test_outputs_are_checked_before_the_search(
    phil: Phil, make_map: MakeMap, tmp_path: Path, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("searched although the result cannot be written")

    monkeypatch.setattr(Method, "search", fail)
    target = tmp_path / "none" / "out.png"
    done = phil("solve", make_map(*ROOM), *ENDS, "-m", "bfs", option, target)
    assert (done.code, done.out) == (2, "")
    assert f"the folder {tmp_path / 'none'} does not exist" in done.err


def test_pictures_are_png(phil: Phil, make_map: MakeMap, tmp_path: Path) -> None:
    done = phil("solve", make_map(*ROOM), *ENDS, "-m", "bfs", "--picture", tmp_path / "out.jpg")
    assert done.code == 2
    assert "the name must end in .png" in done.err


@pytest.fixture
def cube(tmp_path: Path) -> Path:
    """A 3D map without obstacles."""
    path = tmp_path / "cube <b>.3dmap"
    path.write_text("voxel 4 3 2\n")
    return path


CORNERS = ("--start", "0,0,0", "--goal", "3,2,1", "-m", "euclidean")


def test_a_3d_map_is_drawn_as_a_page(phil: Phil, cube: Path, tmp_path: Path) -> None:
    page = tmp_path / "out.HTML"
    done = phil("solve", cube, *CORNERS, "--picture", page)
    assert (done.code, done.err) == (0, "")
    html = page.read_text(encoding="utf-8")
    assert html.startswith("<!DOCTYPE html>")
    assert html.count("<canvas") == 1
    for text in (
        "4 expansions, 3 calls",
        "4 x 3 x 2 cells",
        "cube &lt;b&gt;.3dmap",
        "3, 2, 1",
        "solved",
    ):
        assert text in html
    assert "cube <b>" not in html


def test_a_3d_search_without_a_path_is_drawn_too(phil: Phil, cube: Path, tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    done = phil("solve", cube, *CORNERS, "--limit", "2", "--picture", page)
    assert done.code == 1
    assert "2 expansions, 2 calls (limit)" in page.read_text(encoding="utf-8")


def test_the_ending_of_a_picture_fits_the_map(
    phil: Phil, cube: Path, make_map: MakeMap, tmp_path: Path
) -> None:
    done = phil("solve", cube, *CORNERS, "--picture", tmp_path / "out.png")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "a 3D map is drawn as an interactive page" in done.err
    assert "end the name in .html" in done.err
    page = tmp_path / "out.html"
    done = phil("solve", make_map(*ROOM), *ENDS, "-m", "bfs", "--picture", page)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "only 3D maps are drawn as interactive pages; end the name in .png" in done.err
    assert not page.exists()
