"""The comparison on single maps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from phil.errors import InputError
from reproduction.experiment import Request
from reproduction.one_map import METHODS, ONE_MAP, QUICK_MAPS, TIMED, published_set
from tests.reproduction.conftest import Reproduce

HERE = Path()


def part(name: str, seed: int, expansions: float) -> dict[str, object]:
    figures = {"expansions": 100.0, "calls": 99.0, "cost_ratio": 1.0, "milliseconds": 1.0}
    return {
        "map": name,
        "seed": seed,
        "free": 10,
        "methods": {each: dict(figures) for each in METHODS}
        | {"phil": {**figures, "expansions": expansions, "milliseconds": 2.0}},
        "training_seconds": 1.0,
        "validation": {"expansions": {"mean": 50.0}},
    }


def test_means_over_seeds_and_maps() -> None:
    parts = {
        "a": part("forest", 0, 40.0),
        "b": part("forest", 1, 60.0),
        "c": part("mazes", 0, 200.0),
    }
    document = ONE_MAP.assemble(parts, quick=True)
    assert document["maps"]["forest"]["ratio"] == pytest.approx(0.5)
    assert document["maps"]["forest"]["deviation"] == pytest.approx(200**0.5)
    assert document["maps"]["mazes"]["ratio"] == pytest.approx(2.0)
    assert document["overall"]["ratio"] == pytest.approx(1.0)
    assert document["overall"]["time"] == pytest.approx(2.0)


def test_a_quick_run_shows_and_keeps_its_scores(reproduce: Reproduce, tmp_path: Path) -> None:
    here = str(tmp_path)
    done = reproduce("one-map", "--quick", "--results", here, "--docs", here, "--heuristics", here)
    assert done.code == 0, done.err
    found = json.loads((tmp_path / "one_map-quick.json").read_text())["parts"]
    assert [each["map"] for each in found.values()] == [*QUICK_MAPS]
    for each in found.values():
        assert all(each["methods"][name]["milliseconds"] > 0 for name in TIMED)
        assert each["methods"]["astar"]["cost_ratio"] == pytest.approx(1.0)
        fewest = each["methods"]["fewest"]["expansions"]
        assert all(fewest <= scored["expansions"] for scored in each["methods"].values())
    assert "| forest |" in done.out
    assert "| mazes |" in (tmp_path / "one_map-quick.md").read_text()


def test_maps_that_are_not_there(tmp_path: Path) -> None:
    request = Request(results=HERE, docs=HERE, heuristics=HERE, data=tmp_path)
    with pytest.raises(InputError, match="MovingAI maps"):
        published_set(request, "dao/arena2")


def test_the_test_pairs_are_lines_of_the_scenario_file(tmp_path: Path) -> None:
    folder = tmp_path / "maps" / "dao"
    folder.mkdir(parents=True)
    rows = ["." * 30] * 30
    (folder / "level.map").write_text(
        "type octile\nheight 30\nwidth 30\nmap\n" + "\n".join(rows) + "\n"
    )
    lines = [f"0\tlevel.map\t30\t30\t0\t0\t{x}\t0\t{x}" for x in range(5)]
    (folder / "level.map.scen").write_text("version 1\n" + "\n".join(lines) + "\n")
    request = Request(results=HERE, docs=HERE, heuristics=HERE, data=tmp_path)
    problems = published_set(request, "dao/level")
    assert [problem.goal for problem in problems.test] == [1, 2, 3, 4]
    assert (len(problems.train), len(problems.validation)) == (600, 60)
