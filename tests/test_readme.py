"""The README's Python example, and those of two other pages, run as they stand."""

from __future__ import annotations

import re
from typing import Any

import pytest

import phil
from tests.pages import ROOT, python_blocks

SHOWN = r"A\*: ([\d,]+) expansions \| PHIL: (\d+) expansions"


def test_the_python_example_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [example] = python_blocks(ROOT / "README.md")
    monkeypatch.chdir(ROOT)
    exec(compile(example, "README.md", "exec"), {})
    shown = capsys.readouterr().out
    said = re.search(SHOWN, (ROOT / "README.md").read_text())
    assert said
    assert shown.startswith(f"solved {said[2]} [(200, 0), ")
    assert shown.endswith("(0, 200)]\n")
    assert said[0] in (ROOT / "docs" / "index.md").read_text()
    grid = phil.GridGraph(phil.read_map("docs/images/map.png"))
    astar = phil.search(grid, (200, 0), (0, 200), phil.load("euclidean"), key=phil.ASTAR)
    assert said[1] == f"{astar.expansions:,}"


def test_the_example_of_rooms_runs(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mujoco")
    [example] = python_blocks(ROOT / "docs" / "rooms.md")
    exec(compile(example, "rooms.md", "exec"), {})
    assert capsys.readouterr().out == "True True\n"


def test_the_example_of_the_playground_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("anywidget")
    [example] = python_blocks(ROOT / "docs" / "playground.md")
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    exec(compile(example, "playground.md", "exec"), names)
    assert names["race"].recording["phil"] == "recording"
