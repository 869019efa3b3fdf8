"""Figures that sum parts up, and whether they keep their bounds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reproduction.speed.summary import Figure, summary

RESULTS = Path(__file__).parents[3] / "reproduction" / "results" / "speed.json"


@pytest.mark.parametrize(
    ("value", "least", "most", "kept"),
    [
        (1.0, None, 1.0, True),
        (1.1, None, 1.0, False),
        (20.0, 20.0, None, True),
        (19.9, 20.0, None, False),
    ],
)
def test_bounds(value: float, least: float | None, most: float | None, kept: bool) -> None:
    assert Figure("text", value, "{:.1f}x", least, most).kept == kept


def kinds(**times: float) -> dict[str, object]:
    return {"methods": {name: {"times_reference": time} for name, time in times.items()}}


def test_the_slowest_kind_of_maps_counts() -> None:
    ours = {"phil A* (octile)": 1.0, "phil greedy (euclidean)": 0.1}
    fair, unfair = kinds(pyastar2d=0.8, **ours), kinds(pyastar2d=0.5, **ours)
    astar, greedy = summary({"peers": {"kinds": [fair, unfair]}})
    assert (astar.text, astar.value, astar.kept) == (
        "phil A* (octile): time relative to pyastar2d, slowest kind of maps",
        2.0,
        False,
    )
    assert (greedy.value, greedy.kept) == (0.2, True)


def test_never_breaking_even_is_no_break_even() -> None:
    families = {
        str(number): {"break_even_us": {"n = 8": {"A*": cost}}}
        for number, cost in enumerate([0.0, 0.2, 0.5, 0.6, None])
    }
    found = summary({"break_even": {"families": families}})
    assert [figure.value for figure in found] == [3, 2]


def test_the_published_figures() -> None:
    parts = json.loads(RESULTS.read_text())["parts"]
    figures = summary({part: document["results"] for part, document in parts.items()})
    assert len(figures) == 20
    # Loose: what a busy machine measured may miss a bound, most of them must be kept.
    assert sum(figure.kept for figure in figures) >= 15
