"""Figures that sum parts up, and the bounds that the published ones keep."""

from __future__ import annotations

import json
from pathlib import Path

from reproduction.speed.summary import summary

RESULTS = Path(__file__).parents[3] / "reproduction" / "results" / "speed.json"


def kinds(**times: float) -> dict[str, object]:
    return {"methods": {name: {"times_reference": time} for name, time in times.items()}}


def test_the_slowest_kind_of_maps_counts() -> None:
    ours = {"phil A* (octile)": 1.0, "phil greedy (euclidean)": 0.1}
    fair, unfair = kinds(pyastar2d=0.8, **ours), kinds(pyastar2d=0.5, **ours)
    astar, greedy = summary({"peers": {"kinds": [fair, unfair]}})
    assert astar.text == "phil A* (octile): time relative to pyastar2d, slowest kind of maps"
    assert (str(astar), str(greedy)) == ("2.00x", "0.20x")


def test_never_breaking_even_is_no_break_even() -> None:
    families = {
        str(number): {"break_even_us": {"n = 8": {"A*": cost}}}
        for number, cost in enumerate([0.0, 0.2, 0.5, 0.6, None])
    }
    found = summary({"break_even": {"families": families}})
    assert [figure.value for figure in found] == [3, 2]


def test_the_published_figures_keep_their_bounds() -> None:
    found = summary(json.loads(RESULTS.read_text())["parts"])
    figures = {figure.text: figure.value for figure in found}
    assert len(figures) == 31
    paper = "Search with the paper's network"
    for text, least in {
        f"{paper}: share of the core's float32 peak": 0.25,
        f"{paper}: times faster than torch per evaluated node, slowest family": 20,
        f"{paper}: times faster again when precomputed": 2,
        "phil A* (octile): times faster than networkx A*, slowest kind of maps": 20,
        "phil A* (octile): times faster than rustworkx A*, slowest kind of maps": 5,
        "Families whose break-even against A* is at most 0.2 µs, of 8": 8,
    }.items():
        assert figures[text] >= least
    for text, most in {
        "phil A* (octile): time relative to pyastar2d, slowest kind of maps": 2.5,
        "phil A* (octile): time relative to tcod Pathfinder, slowest kind of maps": 1,
        "PHIL: time per expansion on the slowest size of map relative to the smallest": 1.5,
        "Opening a mapped graph of 100,000,000 stored edges": 1,
        "Its own memory in a process, besides the file": 10,
        "Training: wall time, slower family": 60,
        "`phil solve` with a shipped heuristic": 1.5,
    }.items():
        assert figures[text] <= most
