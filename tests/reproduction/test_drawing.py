"""Drawings as SVG."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from matplotlib.figure import Figure

from reproduction.drawing import svg


def drawing(title: str) -> Figure:
    figure = Figure()
    figure.subplots().set(title=title)
    return figure


def test_the_same_drawing_gives_the_same_file_with_its_letters() -> None:
    once, again = (svg(drawing("a title"), "salt") for _ in range(2))
    assert once == again
    assert b">a title<" in once
    assert svg(drawing("another"), "salt") != once


def test_coordinates_have_no_more_digits_than_a_screen_shows() -> None:
    figure = drawing("0.123456 stays")
    figure.axes[0].plot([0, 1 / 3, 2 / 7])
    content = svg(figure, "salt")
    assert not re.search(rb'="[^"]*\.\d{3}', content)
    assert b">0.123456 stays<" in content


def test_names_are_no_formulas_but_powers_of_ten_are() -> None:
    figure = drawing(r"$\nonsense{$ & <b> \x1b[31m".replace(r"\x1b", "\x1b"))
    figure.axes[0].plot([1, 1000], [1, 1000], label="$x$")
    figure.axes[0].set(xscale="log")
    figure.axes[0].legend()
    content = svg(figure, "salt").decode()
    assert r"$\nonsense{$ &amp; &lt;b&gt; \x1b[31m" in content
    assert ">$x$<" in content
    assert ">$\\mathdefault" not in content
    ElementTree.fromstring(content)
