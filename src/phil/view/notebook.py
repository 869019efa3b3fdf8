"""What notebooks show of results, maps, problem sets and heuristics: a picture and a few facts."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from phil.graphs import GridGraph
from phil.heuristics.file import LearnedHeuristic
from phil.problems.problem import SPLITS, ProblemSet
from phil.search import Result
from phil.view.markup import escape
from phil.view.picture import BLOCKED, FREE, picture, small_png

SIDE = 240  # pixels of a picture's longer side
THUMB = 96  # pixels of each picture of a set
THUMBS = 4


def result_html(result: Result[Any]) -> str:
    """A search on a 2D map with its trace is drawn.

    >>> import phil
    >>> result = phil.search([[True] * 9] * 9, (8, 0), (0, 8), "astar", trace=True)
    >>> html = result_html(result)
    >>> "<img" in html, "expansions" in html
    (True, True)
    """
    facts: dict[str, str] = {
        "outcome": str(result.outcome),
        "expansions": f"{result.expansions:,}",
        "calls": f"{result.calls:,}",
    }
    if len(result.path):
        facts |= {"cost": f"{result.cost:.5g}", "length": f"{result.length:,} moves"}
    if result.lower_bound > 0 and isfinite(result.proven):
        facts["proven"] = f"at most {result.proven:.4g} times the optimum"
    facts["time"] = f"{1000 * result.seconds:.3g} ms"
    return _shown("Result", _search_image(result), facts)


def grid_html(grid: GridGraph) -> str:
    """A map, scaled down; a 3D map from above.

    >>> html = grid_html(GridGraph([[True, False], [True, True]]))
    >>> "<img" in html, "2 x 2 cells" in html
    (True, True)
    """
    facts = {
        "size": f"{' x '.join(map(str, grid.shape))} cells",
        "free": f"{grid.num_nodes:,} ({grid.num_nodes / grid.size:.0%})",
        "moves": f"{grid.connectivity} neighbours, corners: {grid.corners}",
    }
    return _shown("GridGraph", _map_image(grid.free, SIDE), facts)


def set_html(problems: ProblemSet) -> str:
    """How many problems there are in each split, and the first maps.

    >>> import phil
    >>> html = set_html(phil.open_set("generated/mazes", pairs="random", count=20))
    >>> html.count("<img"), "train" in html
    (4, True)
    """
    facts = {split: f"{len(problems.split(split)):,} problems" for split in SPLITS}
    # Only the first: problems may have to be read from a file.
    graphs = list({id(each.graph): each.graph for each in problems.all[:THUMBS]}.values())
    facts["graphs"] = f"{graphs[0]!r}, ..." if len(graphs) > 1 else "".join(map(repr, graphs))
    images = [_map_image(each.free, THUMB) for each in graphs if each.is_grid]
    return _shown(f"ProblemSet {problems.name}", "".join(images), facts)


def heuristic_html(heuristic: LearnedHeuristic) -> str:
    """What a learned heuristic reads, was trained on, and scored.

    >>> import phil
    >>> "known cells" in heuristic_html(phil.load("phil:forest"))
    True
    """
    facts = {"method": heuristic.method, "model": heuristic.summary}
    facts |= {"training" if "trained" in each else "score": each for each in heuristic.provenance}
    return _shown(f"{type(heuristic).__name__} {heuristic.name}", "", facts)


def _shown(title: str, image: str, facts: Mapping[str, str]) -> str:
    left = 'style="text-align: left"'
    rows = "".join(
        f"<tr><th {left}>{escape(name)}</th><td {left}>{escape(fact)}</td></tr>"
        for name, fact in facts.items()
    )
    return (
        f'<div style="display: flex; gap: 1em; align-items: flex-start">{image}'
        f"<div><b>{escape(title)}</b><table>{rows}</table></div></div>"
    )


def _search_image(result: Result[Any]) -> str:
    """The picture of a search, where there is a small one."""
    graph, trace = result.graph, result.trace
    if not isinstance(graph, GridGraph) or graph.axes != 2 or not isinstance(trace, np.ndarray):
        return ""
    if max(graph.shape) > 4 * SIDE:
        return ""
    drawn = picture(graph, replace(result, graph=graph))
    drawn.thumbnail((SIDE, SIDE))
    return _image(drawn, "the search on its map")


def _map_image(free: NDArray[np.bool_], side: int) -> str:
    step = max(1, max(free.shape) // side)
    if free.ndim == 3:
        share = free[::step, ::step, ::step].mean(axis=2).T[::-1]
        words = "the map from above"
    else:
        share = free[::step, ::step].astype(np.float64)
        words = "the map"
    colors = share[..., None] * np.array(FREE) + (1 - share[..., None]) * np.array(BLOCKED)
    image = Image.fromarray(colors.round().astype(np.uint8))
    scale = max(1, side // max(image.size))
    size = image.width * scale, image.height * scale
    return _image(image.resize(size, Image.Resampling.NEAREST), words)


def _image(image: Image.Image, words: str) -> str:
    data = base64.b64encode(small_png(image)).decode()
    return f'<img alt="{escape(words)}" src="data:image/png;base64,{data}">'
