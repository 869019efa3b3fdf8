"""Experiments in turn: resumed, counted, and none stopped by another's failure."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from phil.errors import InputError
from reproduction.everything.run import reproduce_all
from reproduction.experiment import Document, Experiment, Request, Value
from reproduction.markup import Section
from reproduction.page import Page
from reproduction.runner import Part, Stage
from reproduction.store import Content, Parts


class Small(Experiment):
    """An experiment with two parts and a page."""

    def __init__(self, name: str, log: list[str], *, fails: bool = False) -> None:
        self.name, self.title = name, name.title()  # type: ignore[misc]
        self._log, self._fails = log, fails

    def stages(self, request: Request) -> list[Stage]:
        return [Stage([Part(str(k), partial(self._make, k)) for k in range(2)], alone=True)]

    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        if self._fails:
            raise InputError("there is no such simulator")
        return {}

    def page(self, document: Document, request: Request) -> Page:
        table = Section("A table", [], ["a"], [["<1>"]])
        return Page(f"Page of {self.name}", document["command"], [table])

    def values(self, document: Document) -> dict[str, Value]:
        return {}

    def summary(self, document: Document) -> Section:
        return Section("")

    def _make(self, number: int) -> Content:
        if self._fails:
            raise InputError("there is no such simulator")
        self._log.append(f"{self.name}{number}")
        return {}


@pytest.fixture
def request_here(tmp_path: Path) -> Request:
    return Request(tmp_path / "results", tmp_path / "docs", tmp_path / "build", quick=True)


def test_all_are_run_once(request_here: Request) -> None:
    log: list[str] = []
    shown: list[tuple[str, int, int]] = []
    experiments = [Small(name, log) for name in ("first", "second")]
    for _ in range(2):
        report = reproduce_all(
            experiments, request_here, lambda name, _, *counts: shown.append((name, *counts))
        )
    assert log == ["first0", "first1", "second0", "second1"]
    assert shown[0] == ("first", 0, 4)
    assert shown[2] == ("first", 2, 4)
    assert shown[-1] == ("second", 4, 4)
    html = report.read_text()
    assert '<section id="first">\n<h2>Page of first</h2>' in html
    assert '<div class="scroll"><table>' in html
    assert "&lt;1&gt;" in html


def test_one_that_fails_does_not_stop_the_others(request_here: Request) -> None:
    log: list[str] = []
    experiments = [Small("first", log, fails=True), Small("second", log)]
    with pytest.raises(InputError, match=r"first: .*there is no such simulator"):
        reproduce_all(experiments, request_here, lambda *_: None)
    assert log == ["second0", "second1"]
    html = (request_here.docs / "report-quick.html").read_text()
    assert "python -m reproduction first" in html
    assert "Page of second" in html
