"""`python -m reproduction paths`: what paths cost by parents, as returned, and smoothed.

Greedy search by the straight line and by the shipped heuristics, on the test maps of the eight
families from corner to corner, and on those of `maps/movingai`. With `--quick`, on a few small
generated maps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import mean
from typing import Any

from phil import smooth
from phil.evaluation import parse_method
from phil.heuristics.registry import PREFIX
from phil.problems.generated import FAMILIES
from phil.problems.problem import Problem
from phil.search.expand import path_cost
from reproduction.carry.trained import opened, small_maps
from reproduction.experiment import Document, Experiment, Request, Value
from reproduction.markup import Section, count, round_to, whole
from reproduction.page import Page
from reproduction.runner import Part, Stage
from reproduction.sections import cell, table
from reproduction.store import Content, Parts
from reproduction.table1.table import QUICK_FAMILIES, has_path, small_set

MAPS = "maps/movingai"
LEARNED, EUCLIDEAN = "phil", "euclidean"
TITLES = {LEARNED: "PHIL", EUCLIDEAN: "greedy Euclidean"}
LEAST = "astar(octile)"
MEASURES = {
    "by_parents": "cost by parents",
    "cost": "cost of the path",
    "smoothed": "smoothed length",
}
ABOUT = [
    "A greedy search returns the cheapest path over the edges that it has seen. *Cost by parents* "
    "is the cost of the path by which it reached the goal instead, *cost of the path* that of the "
    "one it returns, and *smoothed length* the Euclidean length of the latter after `phil.smooth`. "
    "All are divided by the cost of a cheapest path on the grid, and averaged over problems; "
    "smoothed paths may turn anywhere, so they can be shorter than that. Neither takes an "
    "expansion or a call.",
    "On the eight families, PHIL is the shipped heuristic of the family, from corner to corner on "
    "its test maps, and corners may be cut. On `maps/movingai` it is `phil:map`, with random pairs "
    "on test maps, and no corner may be cut.",
]


class Paths(Experiment):
    """The cost of paths by parents, by the rule of greedy searches, and smoothed."""

    name = "paths"
    title = "Paths"

    def stages(self, request: Request) -> list[Stage]:
        """A part for each set and method."""
        return [
            Stage(
                [
                    Part(_part_name(name, method), partial(_part, request, name, method))
                    for name in (*_families(request.quick), MAPS)
                    for method in TITLES
                ]
            )
        ]

    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        """By method, a row for each set."""
        return {
            "methods": {
                method: {
                    name: _row(parts[part])
                    for name in (*_families(quick), MAPS)
                    if (part := _part_name(name, method)) in parts
                }
                for method in TITLES
            }
        }

    def page(self, document: Document, request: Request) -> Page:
        """A table for each method."""
        sections = [_section(document, method) for method in TITLES]
        parts = [Section("What is compared", ABOUT), *sections]
        return Page(self.title, document["command"], parts, focus=MEASURES["cost"])

    def values(self, document: Document) -> dict[str, Value]:
        """The mean cost ratio of PHIL's paths."""
        return {name: Value(row["cost"]) for name, row in document["methods"][LEARNED].items()}

    def summary(self, document: Document) -> Section:
        """The table of PHIL."""
        return _section(document, LEARNED)


def _families(quick: bool) -> Sequence[str]:
    return QUICK_FAMILIES if quick else tuple(FAMILIES)


def _part_name(name: str, method: str) -> str:
    return f"{name.replace('/', '-')}-{method}"


def _part(request: Request, name: str, method: str) -> Content:
    """Every problem's expansions, least cost, and what its path costs."""
    solver = parse_method(_method(name, method))
    found: dict[str, list[float | None]] = {key: [] for key in ("expansions", "least", *MEASURES)}
    exact = parse_method(LEAST)
    for problem in _problems(request, name):
        graph, result = problem.graph, solver.search(problem, trace=True)
        assert result.path_by_parents is not None
        found["expansions"].append(result.expansions)
        found["least"].append(round_to(exact.search(problem).cost, 8))
        by_parents = float(path_cost(graph.arrays, result.path_by_parents))
        found["by_parents"].append(round_to(by_parents, 8))
        found["cost"].append(round_to(result.cost, 8))
        found["smoothed"].append(round_to(smooth(graph, result.path).length, 8))
    return {"set": name, "method": method, **found}


def _method(name: str, method: str) -> str:
    if method == EUCLIDEAN:
        return f"greedy({EUCLIDEAN})"
    return f"{PREFIX}{'map' if name == MAPS else name}"


def _problems(request: Request, name: str) -> list[Problem]:
    """The test problems of a set that have a path."""
    if name == MAPS:
        problems = small_maps() if request.quick else opened(MAPS, None, request.data)
    elif request.quick:
        problems = small_set(name)
    else:
        problems = opened(f"grids/{name}", None, request.data)
    return [*filter(has_path, problems.test)]


def _row(part: Mapping[str, Any]) -> dict[str, Any]:
    """The means of a part; costs over the least cost."""
    ratios = {
        key: mean(cost / least for cost, least in zip(part[key], part["least"], strict=True))
        for key in MEASURES
    }
    return {
        "problems": len(part["expansions"]),
        "expansions": mean(part["expansions"]),
        **ratios,
    }


def _section(document: Document, method: str) -> Section:
    rows: Mapping[str, Mapping[str, Any]] = document["methods"][method]
    text = f"Made by `{document['command']}`. Mean expansions, and means over the least cost."
    return table(
        TITLES[method],
        text,
        {
            "set": "set",
            "problems": cell("problems", whole),
            "expansions": cell("expansions", count),
            **{title: cell(key, "{:.3f}".format) for key, title in MEASURES.items()},
        },
        ({"set": name, **row} for name, row in rows.items()),
    )


PATHS = Paths()
