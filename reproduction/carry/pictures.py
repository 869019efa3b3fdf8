"""Searches on real maps, drawn: `phil:map` beside greedy Euclidean search."""

from __future__ import annotations

import numpy as np
from PIL import Image

from phil.evaluation import parse_method
from phil.files import write_atomic
from phil.problems.problem import Problem
from phil.view.picture import picture, small_png
from reproduction.carry import benches
from reproduction.drawing import sheet
from reproduction.experiment import Request
from reproduction.store import Content

SHOWN = ("dao/brc202d", "bg512/AR0602SR", "cities/London_0_512", "wc3maps512/duskwood")
METHODS = (benches.EUCLIDEAN, benches.PHIL)
PIXELS = 400  # the longer side of one picture


def shown(request: Request) -> tuple[str, ...]:
    """The maps that are drawn."""
    return (next(iter(benches.groups(request, benches.MAPS))),) if request.quick else SHOWN


def slug(name: str) -> str:
    """The name of a map's part and picture.

    >>> slug("dao/brc202d")
    'brc202d'
    """
    return name.rpartition("/")[2]


def draw(request: Request, name: str) -> Content:
    """Draw the searches on one map beside each other; gives what is written below."""
    problem = _median(benches.groups(request, benches.MAPS)[name])
    assert problem.graph.is_grid
    cells: list[tuple[str, Image.Image]] = []
    expansions: dict[str, int] = {}
    for method in METHODS:
        result = benches.solver(request, method).search(problem, trace=True)
        image = picture(problem.graph, result, goal=problem.goal)
        image.thumbnail((PIXELS, PIXELS))
        expansions[method] = result.expansions
        cells.append((f"{benches.TITLES[method]}: {result.expansions:,} expansions", image))
    request.docs.mkdir(parents=True, exist_ok=True)
    file = request.docs / f"{request.named('carry')}-{slug(name)}.png"
    write_atomic(file, small_png(sheet(cells, across=len(cells))))
    return {"map": name, "problem": problem.name, "expansions": expansions}


def _median(problems: list[Problem]) -> Problem:
    """The problem of the median of greedy Euclidean's expansions, the lower of two."""
    greedy = parse_method(benches.UNLEARNED[benches.EUCLIDEAN])
    order = np.argsort([greedy.search(problem).expansions for problem in problems], kind="stable")
    return problems[int(order[(len(problems) - 1) // 2])]
