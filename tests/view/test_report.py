"""The report is one readable file that loads nothing, hides nothing and runs no one's text."""

from __future__ import annotations

import base64
import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from phil.errors import InputError
from phil.evaluation import Method, MethodScore, evaluate
from phil.graphs import GridGraph
from phil.heuristics.classical import euclidean, oracle, zero
from phil.problems.problem import Problem
from phil.search import ASTAR, BFS, GREEDY, Limits
from phil.view import LearningCurve, MapView, Report, Shot, report_html, write_report

METHODS = [
    Method("phil", GREEDY, oracle),
    Method("astar", ASTAR, euclidean),
    Method("bfs", BFS, zero),
]


class Page(HTMLParser):
    """Tags, attributes and text of a page; checks that every element is closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "img"):
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def problems() -> list[Problem]:
    free = np.ones((2, 12, 15), bool)
    free[0, 3:, 7] = False
    free[1, :, 7] = False  # no path
    grids = [GridGraph(cells) for cells in free]
    return [
        Problem(grid, grid.node(11, 0), grid.node(0, 14), f"map {number}")
        for number, grid in enumerate(grids)
    ]


def map_view(problem: Problem) -> MapView:
    assert isinstance(problem.graph, GridGraph)
    shots = [Shot(method.text, method.search(problem, trace=True)) for method in METHODS]
    return MapView(problem.name, problem.graph, problem.goal, shots)


@pytest.fixture(scope="module")
def report(problems: list[Problem]) -> Report:
    maps = [map_view(problem) for problem in problems]
    return Report(
        title="A comparison",
        summary="What came out.",
        problems="Two small maps.",
        scores=evaluate(problems, METHODS),
        focus="phil",
        maps=maps,
        curve=LearningCurve(((1, 900.0), (2, 350.0), (3, 410.0)), 700.0, "greedy(euclidean)"),
        facts={"command": "phil demo", "seed": "7"},
    )


def mean_expansions(score: MethodScore) -> float:
    assert score.expansions.mean is not None
    return score.expansions.mean


def test_it_is_a_well_formed_page_that_loads_nothing(report: Report) -> None:
    html = report_html(report)
    page = Page(html)
    assert html.startswith("<!DOCTYPE html>")
    assert "://" not in html
    assert "@import" not in html
    assert "url(" not in html
    assert not {"script", "link", "iframe", "object", "base"} & {tag for tag, _ in page.tags}
    loaded = [
        value
        for _, attributes in page.tags
        for name, value in attributes.items()
        if name in ("src", "href", "srcset", "xlink:href")
    ]
    assert len(loaded) == 6
    assert all(value is not None and value.startswith("data:image/png;base64,") for value in loaded)


def test_it_shows_the_numbers(report: Report) -> None:
    html = report_html(report)
    page = Page(html)
    for text in ("A comparison", "What came out.", "Two small maps.", "phil demo", "7"):
        assert text in page.text
    for score in report.scores:
        assert score.method in page.text
        assert f"{mean_expansions(score):.3g}" in page.text
    assert "1 of 2" in page.text
    calls = re.findall(r"<td>([\d.]+)</td><td>1 of 2</td>", html)
    means = [score.calls.mean for score in report.scores]
    assert [float(cell) for cell in calls] == pytest.approx(means, rel=0.01)
    ratio = mean_expansions(report.scores[0]) / mean_expansions(report.scores[1])
    assert f"{ratio:.1%}" in page.text
    for view in report.maps:
        for shot in view.shots:
            result = shot.result
            assert f"{result.expansions:,} expansions, {result.calls:,} calls" in page.text
    assert "calls (unreachable)" in page.text


def test_the_bars_are_proportional(report: Report) -> None:
    page = Page(report_html(report))
    styles = [attributes.get("style") or "" for attributes in page.all("i")]
    widths = [float(style[6:-1]) for style in styles if style.startswith("width:")]
    means = [mean_expansions(score) for score in report.scores]
    assert widths == pytest.approx([100 * mean / max(means) for mean in means], abs=0.01)


def test_every_picture_is_a_png_with_a_description(report: Report) -> None:
    images = Page(report_html(report)).all("img")
    assert len(images) == 6
    for attributes in images:
        source, alt = attributes["src"], attributes["alt"]
        assert source
        assert alt
        assert "expansions" in alt
        with Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2]))) as image:
            image.load()
            assert image.format == "PNG"
            assert (attributes["width"], attributes["height"]) == tuple(map(str, image.size))


def test_the_focus_stands_out(report: Report) -> None:
    page = Page(report_html(report))
    assert sum(attributes.get("class") == "focus" for attributes in page.all("tr")) == 1
    assert sum(attributes.get("class") == "focus" for attributes in page.all("figure")) == 2


def test_text_is_escaped(report: Report) -> None:
    evil = "<script>alert('x')</script>\"&"
    curve = LearningCurve(((1, 10.0),), 5.0, evil)
    view = replace(report.maps[0], name=evil, shots=[Shot(evil, report.maps[0].shots[0].result)])
    changed = Report(
        title=evil,
        summary=evil,
        problems=evil,
        scores=[MethodScore(evil, report.scores[0].runs)],
        focus=evil,
        maps=[view],
        curve=curve,
        facts={evil: evil},
    )
    html = report_html(changed)
    assert "<script" not in html
    assert evil in Page(html).text
    assert evil in (Page(html).all("img")[0]["alt"] or "")


def test_a_method_that_solved_nothing_and_one_that_was_stopped(problems: list[Problem]) -> None:
    scores = evaluate(problems[1:], METHODS[:1])
    scores += evaluate(problems[1:], METHODS[1:], limits=Limits(expansions=3))
    html = report_html(Report("t", "s", "p", scores))
    page = Page(html)
    assert "\N{EN DASH}" in page.text
    assert "0 of 1" in page.text
    assert "limit reached" in page.text
    assert "nan" not in page.text
    assert "None" not in page.text


def test_empty_parts_are_left_out(report: Report) -> None:
    html = report_html(Report("t", "s", "p", report.scores, curve=LearningCurve((), 5.0, "x")))
    assert "Learning" not in html
    assert "What each method expanded" not in html


def test_the_file_is_written_whole_or_not_at_all(report: Report, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    write_report(target, report)
    assert target.read_text(encoding="utf-8") == report_html(report)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    with pytest.raises(InputError, match="does not exist"):
        write_report(tmp_path / "missing" / "report.html", report)
