"""The figures drawn for real, on small problems."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from reproduction.figures.experiment import FIGURES
from reproduction.figures.searches import DRAWN
from tests.reproduction.conftest import QuickRun


@pytest.mark.slow
def test_every_figure_is_drawn(tmp_path: Path, trained: Path) -> None:
    ran = QuickRun.of(FIGURES, tmp_path, heuristics=trained)
    found = ran.document["figures"]
    missing = {figure.name for figure in DRAWN} - {*found}
    assert missing <= {"rooms"}  # where nothing can be drawn off-screen
    for figure in DRAWN:
        if figure.name not in missing:
            file = ran.file(f"-{figure.name}.png")
            assert f"![{figure.title}]({file.name})" in ran.text("md")
            assert base64.b64encode(file.read_bytes()).decode() in ran.text("html")
    trapped = found["trap"]
    assert trapped["expansions"]["greedy Euclidean"] >= 3 * trapped["shortest"]
    assert all(summary["seen"] > 0 for summary in found["learning"]["families"]["forest"].values())
