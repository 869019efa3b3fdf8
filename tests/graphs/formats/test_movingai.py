"""MovingAI maps and scenarios: what is read, and what is refused with which words."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs.formats import Scenario, read_movingai_map, read_scenarios
from phil.heuristics.classical import euclidean
from phil.search import ASTAR, search

HEADER = "type octile\nheight 2\nwidth 3\nmap\n"
LINE = "7\tsome map.map\t3\t2\t0\t1\t2\t0\t2.41421356"


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "file"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@given(
    cells=st.integers(1, 9).flatmap(
        lambda columns: st.lists(
            st.text(".GS@OTW", min_size=columns, max_size=columns), min_size=1, max_size=9
        )
    ),
    end=st.sampled_from(["\n", "\r\n"]),
    tail=st.sampled_from(["", "\n", "\n\n \n"]),
    swapped=st.booleans(),
)
def test_every_map_is_read(
    tmp_path_factory: pytest.TempPathFactory, cells: list[str], end: str, tail: str, swapped: bool
) -> None:
    sizes = [f"height {len(cells)}", f"width {len(cells[0])}"]
    lines = ["type octile", *(sizes[::-1] if swapped else sizes), "map", *cells]
    path = write(tmp_path_factory.getbasetemp(), end.join(lines) + tail)
    grid = read_movingai_map(path)
    assert grid.free.tolist() == [[letter in ".GS" for letter in row] for row in cells]
    assert (grid.connectivity, grid.corners, grid.diagonal_cost) == (8, "both_free", 2**0.5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is an empty file"),
        ("\n\n", "is an empty file"),
        ("type quadtile\n", "line 1: a grid map must start with 'type octile'"),
        ("type octile\nheight 2\n", "line 3: expected 'height H' or 'width W'"),
        ("type octile\nheight 2\nheight 2\nmap\n", "line 3: expected 'height H' or 'width W'"),
        ("type octile\nheight two\nwidth 3\nmap\n", "line 2: expected 'height H'"),
        ("type octile\nheight 2\nwidth -3\nmap\n", "line 3: expected 'height H'"),
        (f"type octile\nheight {'9' * 5000}\nwidth 3\nmap\n", "line 2: expected 'height H'"),
        ("type octile\nheight 0\nwidth 3\nmap\n", "line 2: a map of 0 x 3 has no cells"),
        ("type octile\nheight 2\nwidth 3\n...\n", "line 4: expected 'map'"),
        (HEADER + "...\n..\n", "line 6: 2 letters, but the header says 3"),
        (HEADER + "...\n.x.\n", "line 6: 'x' is not a map letter"),
        (HEADER + "...\n\n...\n", "line 6: 0 letters"),
        (HEADER + "...\n", "line 5: 1 rows, but the header says 2"),
        (HEADER + "...\n...\n...\n", "line 7: 3 rows, but the header says 2"),
        (HEADER, "line 4: 0 rows, but"),
        (HEADER.encode() + b"...\n.\xff.\n", "line 6: 'ÿ' is not a map letter"),
    ],
)
def test_what_is_no_map_is_refused_with_its_line(
    tmp_path: Path, text: str | bytes, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        read_movingai_map(write(tmp_path, text))


@pytest.mark.parametrize("version", ["version 1", "version 1.0"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_scenario(tmp_path: Path, version: str, end: str) -> None:
    path = write(tmp_path, end.join([version, LINE, "", LINE]) + end)
    expected = ("some map.map", (2, 3), (1, 0), (0, 2), 2.41421356)
    assert read_scenarios(path) == [Scenario(*expected, line=2), Scenario(*expected, line=4)]


def test_fields_between_blanks(tmp_path: Path) -> None:
    path = write(tmp_path, "version 1.0\n112 maps/a.map 512 400 135 383 354 187 450.32\n")
    assert read_scenarios(path) == [
        Scenario("maps/a.map", (400, 512), (383, 135), (187, 354), 450.32, line=2)
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("7 a.map 3 2 0 1 2 0", "line 2: 8 fields; a scenario has 9: bucket, map, "),
        ("7 a.map 3 2 0 1 2 x 1", "line 2: goal y must be an integer, not 'x'"),
        ("7 a.map 3 2 0 -1 2 0 1", "line 2: start y must be an integer, not '-1'"),
        ("7 a.map 3 2 3 1 2 0 1", "line 2: row 1, column 3 is off the map of 2 x 3"),
        ("7 a.map 3 2 0 1 2 2 1", "line 2: row 2, column 2 is off the map of 2 x 3"),
        ("7 a.map 3 2 0 1 2 0 nan", "line 2: optimal length must be non-negative"),
        ("7 a.map 3 2 0 1 2 0 -1", "line 2: optimal length must be non-negative"),
        ("7 a.map 3 2 0 1 2 0 far", "line 2: optimal length .* not 'far'"),
    ],
)
def test_what_is_no_scenario_is_refused_with_its_line(
    tmp_path: Path, line: str, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        read_scenarios(write(tmp_path, f"version 1\n{line}\n"))


def test_what_is_no_scenario_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: a scenario file must start with 'version 1'"):
        read_scenarios(write(tmp_path, LINE))
    with pytest.raises(InputError, match="is an empty file"):
        read_scenarios(write(tmp_path, ""))


@pytest.mark.parametrize("read", [read_movingai_map, read_scenarios])
def test_a_missing_file_and_a_folder(tmp_path: Path, read: object) -> None:
    assert callable(read)
    with pytest.raises(InputError, match=r"cannot read .*gone: No such file"):
        read(tmp_path / "gone")
    with pytest.raises(InputError, match="cannot read"):
        read(tmp_path)


@given(body=st.binary(max_size=200), header=st.sampled_from([b"", HEADER.encode(), b"version 1\n"]))
def test_foreign_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, header: bytes, body: bytes
) -> None:
    path = write(tmp_path_factory.getbasetemp(), header + body)
    for read in (read_movingai_map, read_scenarios):
        with contextlib.suppress(InputError):
            read(path)


@pytest.mark.data
def test_the_public_maps_and_the_lengths_of_their_scenarios() -> None:
    folder = Path(os.environ["PHIL_DATA"]) / "maps"
    if not folder.is_dir():
        pytest.skip("no MovingAI maps in PHIL_DATA")
    random = np.random.default_rng(0)
    for path in sorted(folder.glob("*/*.map"))[::4]:
        grid = read_movingai_map(path)
        (file,) = [*path.parent.glob(f"{path.name}.scen"), *path.parent.glob(f"{path.stem}-*.scen")]
        scenarios = read_scenarios(file)
        assert {scenario.shape for scenario in scenarios} == {grid.shape}, path
        if path.parent.name == "wc3maps512":
            continue  # their lengths are known to be too short
        for number in random.integers(len(scenarios), size=2).tolist():
            scenario = scenarios[number]
            found = search(grid, scenario.start, scenario.goal, euclidean, key=ASTAR)
            # Files round lengths, or count a diagonal move as 1.4142.
            assert found.cost == pytest.approx(scenario.optimal, rel=1e-3, abs=1e-2), (path, number)
