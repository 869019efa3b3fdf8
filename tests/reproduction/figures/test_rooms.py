"""The figure of the rooms says what it lacks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from reproduction.figures import rooms
from reproduction.figures.figure import Missing
from reproduction.figures.sources import Sources


@pytest.fixture
def nothing_trained(tmp_path: Path) -> Sources:
    return Sources(None, tmp_path / "results", tmp_path / "build")


def test_without_mujoco(nothing_trained: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    found = rooms.draw(nothing_trained)
    assert isinstance(found, Missing)
    assert "pip install 'phil-search[rooms]'" in found.text


def test_without_trainings(nothing_trained: Sources) -> None:
    pytest.importorskip("mujoco")
    assert rooms.draw(nothing_trained) == Missing(
        "first make it with `python -m reproduction table3`."
    )
