"""The README's Python example runs as it stands."""

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
