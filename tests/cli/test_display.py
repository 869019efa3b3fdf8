"""What training shows: a bar on a terminal, a line in a notebook, nothing elsewhere."""

from __future__ import annotations

import io
from typing import Any

import IPython.display
import pytest

import phil
from phil.cli import display
from phil.cli.console import PlainConsole
from phil.errors import InputError
from phil.learning import Iteration
from phil.learning.progress import RunOptions

GRID = phil.GridGraph([[True] * 9] * 9)
ITERATION = Iteration(
    number=3,
    total=10,
    candidate="a",
    steps=1,
    loss=0.5,
    validation=12.0,
    best=11.0,
    classical=20.0,
    classical_name="euclidean",
    shortest=9.0,
    seconds=1.0,
)


class Stopped(InputError):
    """The training has been told how to report."""


@pytest.fixture
def reporting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Training that reports one iteration, and stops."""

    class Learn:
        resumable = True

        def train(self, plan: object, run: RunOptions) -> None:
            if run.report is not None:
                run.report(ITERATION)
            raise Stopped("enough")

    monkeypatch.setattr("phil.learning.training.load_method", lambda method: Learn())


def shown(monkeypatch: pytest.MonkeyPatch, *, terminal: bool, **options: Any) -> str:
    written = io.StringIO()
    console = PlainConsole(file=written, force_terminal=terminal, width=200)
    monkeypatch.setattr(display, "error_console", lambda: console)
    with pytest.raises(Stopped):
        phil.train(GRID, **options)
    return written.getvalue()


@pytest.mark.usefixtures("reporting")
def test_a_terminal_shows_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, terminal=True)
    assert "iteration 3/10" in text
    assert "validation expansions 12.0, best 11.0 (euclidean 20.0)" in text


@pytest.mark.usefixtures("reporting")
@pytest.mark.parametrize(
    ("terminal", "options"),
    [(False, {}), (True, {"progress": False}), (True, {"report": lambda iteration: None})],
)
def test_nothing_is_shown_elsewhere_or_if_nobody_wants_it(
    terminal: bool,
    options: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert shown(monkeypatch, terminal=terminal, **options) == ""
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("reporting")
def test_a_notebook_shows_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines: list[str] = []

    class Handle:
        def update(self, data: dict[str, str], raw: bool) -> None:
            lines.append(data["text/plain"])

    def begin(data: dict[str, str], raw: bool, display_id: bool) -> Handle:
        lines.append(data["text/plain"])
        return Handle()

    console = PlainConsole(force_jupyter=True)
    monkeypatch.setattr(display, "error_console", lambda: console)
    monkeypatch.setattr(IPython.display, "display", begin)
    with pytest.raises(Stopped):
        phil.train(GRID)
    assert lines[0] == "preparing"
    assert lines[1].startswith("█" * 9 + "░" * 21 + " iteration 3/10: a, loss 0.5000")
    assert len(lines) == 2
    assert capsys.readouterr() == ("", "")
