"""Experiments in turn: resumed, estimated, and none stopped by another's failure."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from phil.errors import InputError
from reproduction.everything.command import reproduce_all
from reproduction.everything.pace import Progress
from reproduction.experiment import Experiment, Request
from reproduction.parts import Part, Told, make_parts


def experiment(name: str, log: list[str], *, fails: bool = False) -> Experiment:
    """One with two parts and a page."""

    def make(number: int) -> dict[str, Any]:
        log.append(f"{name}{number}")
        return {}

    def parts(request: Request) -> list[Part]:
        return [Part(request.results / name / f"{k}.json", partial(make, k)) for k in range(2)]

    def reproduce(request: Request, told: Told) -> str:
        if fails:
            raise InputError("there is no such simulator")
        make_parts(parts(request), 1, told)
        (request.docs / f"{name}.md").write_text(f"# Page of {name}\n\n| a |\n|---|\n| <1> |\n")
        return name

    return Experiment(name, name.title(), (), parts, reproduce, lambda _: {}, (100.0, 1.0))


@pytest.fixture
def request_here(tmp_path: Path) -> Request:
    return Request(tmp_path / "results", tmp_path / "docs", tmp_path / "build")


def test_all_are_run_once(request_here: Request) -> None:
    log: list[str] = []
    shown: list[Progress] = []
    experiments = [experiment(name, log) for name in ("first", "second")]
    for _ in range(2):
        report = reproduce_all(experiments, request_here, lambda _, place: shown.append(place))
    assert log == ["first0", "first1", "second0", "second1"]
    assert (shown[0].done, shown[0].total, shown[0].seconds_left) == (0, 4, 400.0)
    # Parts take no time here; those of the second experiment are not known yet.
    assert shown[2].seconds_left == pytest.approx(200, abs=1)
    assert (shown[-1].done, shown[-1].seconds_left) == (4, 0)
    html = report.read_text()
    assert '<section id="first">\n<h2>Page of first</h2>' in html
    assert '<div class="scroll"><table>' in html
    assert "&lt;1&gt;" in html


def test_one_that_fails_does_not_stop_the_others(request_here: Request) -> None:
    log: list[str] = []
    experiments = [experiment("first", log, fails=True), experiment("second", log)]
    with pytest.raises(InputError, match="first: there is no such simulator"):
        reproduce_all(experiments, request_here, lambda *_: None)
    assert log == ["second0", "second1"]
    html = (request_here.docs / "report.html").read_text()
    assert "python -m reproduction first" in html
    assert "Page of second" in html


def test_a_failed_experiment_takes_no_more_time(request_here: Request) -> None:
    shown: list[Progress] = []
    experiments = [experiment("first", [], fails=True), experiment("second", [])]
    with pytest.raises(InputError):
        reproduce_all(experiments, request_here, lambda _, place: shown.append(place))
    assert [place.total for place in shown] == [4, 2, 2, 2]
