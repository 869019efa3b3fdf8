"""Drawings as SVG."""

from __future__ import annotations

from matplotlib.figure import Figure

from phil.view.svg import svg


def drawing(title: str) -> Figure:
    figure = Figure()
    figure.subplots().set(title=title)
    return figure


def test_the_same_drawing_gives_the_same_file_with_its_letters() -> None:
    once, again = (svg(drawing("a title"), "salt") for _ in range(2))
    assert once == again
    assert b">a title<" in once
    assert svg(drawing("another"), "salt") != once
