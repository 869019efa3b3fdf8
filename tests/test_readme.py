"""The README's Python example, and that of docs/rooms.md, run as they stand."""

from __future__ import annotations

import re

import pytest

from tests.pages import ROOT, python_blocks


def test_the_python_example_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [example] = python_blocks(ROOT / "README.md")
    monkeypatch.chdir(ROOT)
    exec(compile(example, "README.md", "exec"), {})
    shown = capsys.readouterr().out
    expansions = re.search(r"PHIL: (\d+) expansions", (ROOT / "README.md").read_text())
    assert expansions
    assert shown.startswith(f"solved {expansions[1]} [(200, 0), ")
    assert shown.endswith("(0, 200)]\n")


def test_the_example_of_rooms_runs(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mujoco")
    [example] = python_blocks(ROOT / "docs" / "rooms.md")
    exec(compile(example, "rooms.md", "exec"), {})
    assert capsys.readouterr().out == "True True\n"
