"""The learning curve: every validation is in the drawing, in the right place."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.view.curve import HEIGHT, WIDTH, LearningCurve, curve_svg, log_ticks


def drawing(curve: LearningCurve) -> ElementTree.Element:
    return ElementTree.fromstring(curve_svg(curve))


def dots(svg: ElementTree.Element) -> list[tuple[float, float]]:
    return [(float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in svg.iter("circle")]


def test_less_is_lower_and_later_is_further_right() -> None:
    svg = drawing(LearningCurve(((1, 900.0), (3, 350.0), (4, 410.0)), 700.0, "greedy"))
    (x1, y1), (x2, y2), (x3, y3) = dots(svg)
    assert x1 < x2 < x3
    assert y1 < y3 < y2  # y grows downwards
    classical = next(line for line in svg.iter("line") if line.get("class") == "classical")
    assert y1 < float(classical.attrib["y1"]) < y3


def test_the_line_is_the_best_so_far() -> None:
    svg = drawing(LearningCurve(((1, 900.0), (3, 350.0), (4, 410.0)), 700.0, "greedy"))
    path = next(svg.iter("path")).attrib["d"]
    last_height = float(re.findall(r"V([\d.]+)", path)[-1])
    assert last_height == pytest.approx(dots(svg)[1][1])
    assert "fell to 350" in svg.attrib["aria-label"]


def test_names_are_escaped() -> None:
    svg = drawing(LearningCurve(((1, 10.0),), 20.0, '<b>&"'))
    assert any('<b>&"' in (text.text or "") for text in svg.iter("text"))


def test_nothing_to_draw() -> None:
    assert curve_svg(LearningCurve((), 20.0, "greedy")) == ""


values = st.floats(1, 1e7)


@given(st.lists(values, min_size=1, max_size=20), values)
def test_everything_stays_on_the_drawing(validations: list[float], classical: float) -> None:
    curve = LearningCurve(tuple(enumerate(validations, start=1)), classical, "greedy")
    for x, y in dots(drawing(curve)):
        assert 0 <= x <= WIDTH
        assert 0 <= y <= HEIGHT


@given(values, values)
def test_ticks_enclose_the_range(one: float, other: float) -> None:
    ticks = log_ticks(min(one, other), max(one, other))
    assert len(ticks) >= 2
    assert list(ticks) == sorted(ticks)
    assert ticks[0] <= min(one, other)
    assert ticks[-1] >= max(one, other)
