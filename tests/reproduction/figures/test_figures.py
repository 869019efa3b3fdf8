"""Figures say what they lack, and the page shows those that there are."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from phil.errors import InputError
from reproduction.experiment import Request
from reproduction.figures.experiment import FIGURES
from reproduction.figures.searches import ROOMS_FIGURE, THREE_CONVOLUTIONS


@pytest.fixture
def nothing_trained(tmp_path: Path) -> Request:
    return Request(tmp_path / "results", tmp_path / "docs", tmp_path / "build")


def test_without_mujoco(nothing_trained: Request, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(InputError, match=r"pip install 'phil-search\[rooms\]'"):
        ROOMS_FIGURE.draw(nothing_trained)


def test_without_trainings(nothing_trained: Request) -> None:
    pytest.importorskip("mujoco")
    with pytest.raises(InputError, match="first make it with `python -m reproduction table3`"):
        ROOMS_FIGURE.draw(nothing_trained)
    with pytest.raises(InputError, match="first make them with `python -m reproduction ablations`"):
        THREE_CONVOLUTIONS.draw(nothing_trained)


def test_what_is_missing_is_left_out_of_the_page(nothing_trained: Request) -> None:
    document = FIGURES.write_page(nothing_trained)
    assert document["figures"] == {}
    assert {row[2] for row in FIGURES.summary(document).rows} == {"missing"}
    assert "## What is shown" in (nothing_trained.docs / "figures.md").read_text()
