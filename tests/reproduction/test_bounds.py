"""The comparison of searches with a bound."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reproduction.bounds import BOUNDS, LEVELS, ratio
from tests.reproduction.conftest import Reproduce


def row(kind: str, name: str, expansions: float) -> dict[str, object]:
    figures = {"expansions": 100.0, "calls": 99.0, "cost_ratio": 1.0}
    bounded = {**figures, "expansions": expansions, "proven": 1.01}
    return {
        "kind": kind,
        "name": name,
        "problems": 3,
        "astar": 200.0,
        "bounds": {str(level): {"wastar": figures, "bounded": bounded} for level in LEVELS},
    }


def test_rows_are_ordered_by_kind_and_name() -> None:
    parts = {
        "family-mazes": {"rows": [row("family", "mazes", 50.0)]},
        "maps": {"rows": [row("map", "b", 20.0), row("map", "a", 10.0)]},
        "road-rimini": {"rows": [row("road", "rimini", 80.0)]},
    }
    document = {"command": "", **BOUNDS.assemble(parts, quick=False)}
    names = [found["name"] for rows in document["rows"].values() for found in rows]
    assert names == ["rimini", "a", "b", "mazes"]
    assert ratio(document["rows"]["family"][0], 1.5) == pytest.approx(0.5)
    assert [cells[1] for cells in BOUNDS.summary(document).rows] == ["0.80", "0.10", "0.20", "0.50"]


def test_a_quick_run_keeps_its_bounds(reproduce: Reproduce, tmp_path: Path) -> None:
    here = str(tmp_path)
    done = reproduce("bounds", "--quick", "--results", here, "--docs", here, "--heuristics", here)
    assert done.code == 0, done.err
    found = json.loads((tmp_path / "bounds-quick.json").read_text())["parts"]
    rows = [each for part in found.values() for each in part["rows"]]
    assert {each["kind"] for each in rows} == {"road", "map"}
    for each in rows:
        for level in LEVELS:
            bounded = each["bounds"][str(level)]["bounded"]
            assert bounded["cost_ratio"] * (1 + 1e-9) >= 1
            assert bounded["cost_ratio"] <= bounded["proven"] * (1 + 1e-9) <= level * (1 + 1e-6)
    assert "w = 1.05" in done.out
    assert "| roads |" in (tmp_path / "bounds-quick.md").read_text()
