"""Published lengths against those that A* finds."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from reproduction.scenarios import FAMILIES, main

MAP = "type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n"
LINE = "0\ta.map\t3\t2\t0\t1\t2\t1\t{}\n"


def run(data: Path, *options: str) -> tuple[int, dict[str, object]]:
    out = data / "out.json"
    code = main(["--data", str(data), "--json", str(out), *options])
    return code, json.loads(out.read_text())


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
def test_equal_lengths(tmp_path: Path, options: tuple[str, ...]) -> None:
    write(tmp_path, 4.0, 4.00001, 4.004)
    code, document = run(tmp_path, *options)
    assert code == 0
    assert (document["searched"], document["equal"]) == (5, 5)


def test_another_length_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, 4.0, 4.02)
    code, document = run(tmp_path)
    assert code == 1
    assert (document["searched"], document["equal"]) == (4, 3)
    assert "dao/a.map: 1 of 2 lines equal, of 2" in capsys.readouterr().out


def test_missing_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--data", str(tmp_path), "--json", str(tmp_path / "out.json")]
    assert main(arguments) == 2
    assert "no MovingAI maps" in capsys.readouterr().err
    write(tmp_path, 4.0)
    (tmp_path / "maps" / "dao" / "a.map.scen").unlink()
    assert main(arguments) == 2
    assert "has no scenario file beside it" in capsys.readouterr().err


def test_the_published_results_are_whole() -> None:
    file = Path(__file__).parents[2] / "benchmarks" / "results" / "scenarios.json"
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
def test_a_few_lines_of_every_family(tmp_path: Path) -> None:
    data = Path(os.environ["PHIL_DATA"])
    if not (data / "maps").is_dir():
        pytest.skip("no MovingAI maps in PHIL_DATA")
    out = tmp_path / "out.json"
    assert main(["--data", str(data), "--quick", "--json", str(out)]) == 0
    found = {one["map"].split("/")[0] for one in json.loads(out.read_text())["maps"]}
    assert found == {*FAMILIES, "warframe3d"}
