"""Every command of docs/graphs.md runs as it stands there."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import networkx as nx
import pytest

from phil.graphs.formats.registry import formats
from tests.pages import DOCS, commands, run_command, run_python, steps

COMMANDS = commands(DOCS / "graphs.md")
SIDE = 8
WRITTEN = (".png", ".json", ".geojson", ".safetensors")


def street_map(crs: str = "epsg:4326") -> nx.MultiDiGraph:
    """A town of SIDE x SIDE crossings, numbered from 100, as OSMnx would save it."""
    town = nx.MultiDiGraph(crs=crs)
    for row, column in product(range(SIDE), repeat=2):
        town.add_node(100 + row * SIDE + column, x=12 + 0.001 * column, y=44 + 0.001 * row)
    for row, column in product(range(SIDE), repeat=2):
        here = 100 + row * SIDE + column
        steps = [here + 1] * (column + 1 < SIDE) + [here + SIDE] * (row + 1 < SIDE)
        for there in steps:
            town.add_edge(here, there, length=115.0, travel_time=14.0)
            town.add_edge(there, here, length=115.0, travel_time=14.0)
    return town


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the page speaks of; the commands run in order and find each other's."""
    place = tmp_path_factory.mktemp("page")
    nx.write_graphml(street_map(), place / "city.graphml")
    (place / "cities").mkdir()
    for number in range(3):
        nx.write_graphml(street_map(), place / "cities" / f"{number}.graphml")
    (place / "trips.csv").write_text("start,goal\n101,163\n140,107\n")
    rows = [".....", ".@@@.", "....."]
    header = f"type octile\nheight {len(rows)}\nwidth {len(rows[0])}\nmap\n"
    (place / "room.map").write_text(header + "\n".join(rows) + "\n")
    scenario = "0\troom.map\t5\t3\t0\t0\t4\t2\t6\n"
    (place / "room.map.scen").write_text(f"version 1\n{scenario}")
    return place


def test_the_page_has_commands() -> None:
    assert len(COMMANDS) >= 15
    assert {command.split()[0] for command in COMMANDS} == {
        *("info", "convert", "solve", "evaluate", "train")
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    arguments, printed, told = run_command(command, capsys)
    if "--json" in arguments:
        path = json.loads(printed)["path"]
        assert (path[0], path[-1]) == ("101", "163")
    if "room.map.scen" in arguments:
        assert "all 1 published lengths are optimal" in told
    written = [Path(word) for word in arguments if word.endswith(WRITTEN)]
    assert all(file.stat().st_size for file in written)


def test_the_python_of_the_page_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = [step for step in steps(DOCS / "graphs.md") if step.python]
    assert any(block.prints for block in blocks)
    for block in blocks:
        run_python(DOCS / "graphs.md", block, {}, capsys)


def test_the_page_lists_every_format_with_its_endings() -> None:
    page = (DOCS / "graphs.md").read_text()
    missing = [end for known in formats() for end in known.endings if f"`{end}`" not in page]
    assert not missing
