"""Published lengths against those that A* finds."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reproduction.scenarios import FAMILIES
from tests.cli.conftest import Done
from tests.reproduction.conftest import Reproduce

Run = Callable[..., tuple[Done, dict[str, Any]]]

MAP = "type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n"
LINE = "0\ta.map\t3\t2\t0\t1\t2\t1\t{}\n"


@pytest.fixture
def run(reproduce: Reproduce, tmp_path: Path) -> Run:
    """The command on a folder's maps; what was printed and written."""

    def run(data: Path, *options: str) -> tuple[Done, dict[str, Any]]:
        folders = ("--results", str(tmp_path / "out"), "--docs", str(tmp_path / "out"))
        done = reproduce("scenarios", "--data", str(data), *folders, *options)
        file = tmp_path / "out" / f"scenarios{'-quick' if '--quick' in options else ''}.json"
        return done, json.loads(file.read_text()) if file.exists() else {}

    return run


def write(data: Path, *lengths: float) -> None:
    """A map on which the way round a wall is 4 long, and a cube."""
    folder = data / "maps" / "dao"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.map").write_text(MAP)
    lines = "".join(LINE.format(length) for length in lengths)
    (folder / "a.map.scen").write_text(f"version 1\n{lines}")
    cubes = data / "maps" / "warframe3d"
    cubes.mkdir(exist_ok=True)
    (cubes / "Simple.3dmap").write_text("voxel 3 3 3\n1 1 1\n")
    (cubes / "Simple.3dmap.3dscen").write_text(
        "version 1\nSimple.3dmap\n0 0 0 2 0 2 2.82842712 1.0\n0 0 0 2 2 2 4.82842712 1.39\n"
    )


@pytest.mark.parametrize("options", [(), ("--quick",)])
def test_equal_lengths(run: Run, tmp_path: Path, options: tuple[str, ...]) -> None:
    write(tmp_path, 4.0, 4.00001, 4.004)
    done, document = run(tmp_path, *options)
    assert done.code == 0
    assert (document["searched"], document["equal"]) == (5, 5)


def test_another_length_is_found(run: Run, tmp_path: Path) -> None:
    write(tmp_path, 4.0, 4.02)
    done, document = run(tmp_path)
    assert done.code == 1
    assert (document["searched"], document["equal"]) == (4, 3)
    assert "dao/a.map: 1 of 2 lines equal, of 2" in done.out


def test_missing_data(run: Run, tmp_path: Path) -> None:
    done, _ = run(tmp_path)
    assert done.code == 2
    assert "no MovingAI maps" in done.err
    write(tmp_path, 4.0)
    (tmp_path / "maps" / "dao" / "a.map.scen").unlink()
    done, _ = run(tmp_path)
    assert done.code == 2
    assert "has no scenario file beside it" in done.err


def test_the_published_results_are_whole() -> None:
    file = Path(__file__).parents[2] / "reproduction" / "results" / "scenarios.json"
    document = json.loads(file.read_text())
    maps = document["maps"]
    assert not document["quick"]
    assert all(one["equal"] == one["searched"] for one in maps)
    whole = [one["map"] for one in maps if one["searched"] == one["lines"] and ".map" in one["map"]]
    flat = [name for name in whole if name.endswith(".map")]
    assert len(flat) >= 20
    assert len({name.split("/")[0] for name in flat}) >= 6
    searched = {one["map"].split("/")[1]: one["searched"] for one in maps}
    assert searched["Simple.3dmap"] == 10_000
    assert searched["A1.3dmap"] == searched["EC2.3dmap"] == 100


@pytest.mark.data
def test_a_few_lines_of_every_family(run: Run) -> None:
    data = Path(os.environ["PHIL_DATA"])
    if not (data / "maps").is_dir():
        pytest.skip("no MovingAI maps in PHIL_DATA")
    done, document = run(data, "--quick")
    assert done.code == 0
    assert {one["map"].split("/")[0] for one in document["maps"]} == {*FAMILIES, "warframe3d"}
