"""`python -m reproduction bounds`: what a bound on the path cost takes, against weighted A*.

On roads with heuristics trained for them, on maps that nobody trained on with `phil:map`, and on
the eight families with their shipped heuristics. `bounded` and weighted A* have the same lower
bound. With `--quick`, a road network and maps of two families are small, and so is the training.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from phil.evaluation import Method
from phil.heuristics.registry import PREFIX, SUFFIX, load_heuristic, read_any
from phil.problems import open_set
from phil.problems.generated import FAMILIES
from phil.problems.problem import Problem, ProblemSet
from phil.search import ASTAR, GREEDY, Key
from phil.search.guide import Heuristic
from reproduction.carry.benches import by_map
from reproduction.carry.trained import opened, small_maps
from reproduction.experiment import Document, Experiment, Request, Value
from reproduction.markup import Section, round_to, whole
from reproduction.methods import MethodSpec, train_once
from reproduction.page import Page
from reproduction.runner import Part, Stage
from reproduction.sections import CellWriter, table
from reproduction.store import Content, Parts
from reproduction.table1.table import has_path
from reproduction.table2.small_sets import small_set

LEVELS = (1.05, 1.1, 1.5, 2.0)
ROADS = ("oldenburg", "bologna", "rimini", "boston")
QUICK_ROADS = ("roads",)
MAPS = "maps"  # the part that holds all of them
LANDMARKS, OCTILE = "landmarks", "octile"
PHIL = MethodSpec(
    "phil",
    "PHIL",
    method="phil",
    quick={"iterations": 2, "rollouts": 4, "steps": 4, "candidates": 1},
)
KINDS = {
    "road": "Roads",
    "map": "Maps that nobody trained on",
    "family": "Families",
}
ABOUT = [
    "`bounded(PHIL, w)` finds a path of at most w times the optimal cost: see [how it is "
    "proven](method.md#a-bound-on-the-path-cost). *wA** is weighted A* with the same w and the "
    "same lower bound, which promises the same. Both prove it with landmarks on roads and with the "
    "octile distance on maps.",
    "Roads: a heuristic for each city, trained by `phil train` with its default settings. Maps: "
    "the test maps of `maps/movingai` and the shipped `phil:map`. Families: the test maps of Table "
    "1 and the shipped heuristic of each. Problems without a path are left out.",
    "*Ratio* is the mean expansions of `bounded` over those of wA*. *Cost* is the mean path cost "
    "over the optimal one, *proven* the mean of what the search has proven of it.",
]


class Bounds(Experiment):
    """Searches with a bound, against weighted A*."""

    name = "bounds"
    title = "Bounds on the path cost"

    def stages(self, request: Request) -> list[Stage]:
        """A part for each city and family, and one for all maps."""
        roads = QUICK_ROADS if request.quick else ROADS
        parts = [Part(f"road-{name}", partial(_road, request, name)) for name in roads]
        parts.append(Part(MAPS, partial(_maps, request)))
        if not request.quick:
            parts += [Part(f"family-{name}", partial(_family, request, name)) for name in FAMILIES]
        return [Stage(parts)]

    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        """All rows, by kind."""
        rows = [row for part in parts.values() for row in part["rows"]]
        return {
            "rows": {
                kind: sorted((row for row in rows if row["kind"] == kind), key=_name)
                for kind in KINDS
            }
        }

    def page(self, document: Document, request: Request) -> Page:
        """A table for each bound and kind of problems."""
        parts = [
            Section("What is compared", ABOUT),
            self.summary(document),
            *(
                _details(kind, rows, bound)
                for bound in LEVELS
                for kind, rows in document["rows"].items()
                if rows
            ),
        ]
        return Page(self.title, document["command"], parts, focus="ratio")

    def values(self, document: Document) -> dict[str, Value]:
        """Mean expansions."""
        return {
            f"{row['name']}, {bound}": Value(row["bounds"][str(bound)]["bounded"]["expansions"])
            for rows in document["rows"].values()
            for row in rows
            for bound in LEVELS
        }

    def summary(self, document: Document) -> Section:
        """The ratio of every row for every bound."""

        def of(bound: float) -> CellWriter:
            return lambda row: f"{ratio(row, bound):.2f}"

        return table(
            "Expansions over those of weighted A*",
            f"Made by `{document['command']}`.",
            {"problems": "name", **{f"w = {bound}": of(bound) for bound in LEVELS}},
            [row for rows in document["rows"].values() for row in rows],
        )


def ratio(row: Mapping[str, Any], bound: float) -> float:
    """The mean expansions of `bounded` over those of weighted A*."""
    found = row["bounds"][str(bound)]
    return float(found["bounded"]["expansions"] / found["wastar"]["expansions"])


def _name(row: Mapping[str, Any]) -> str:
    return str(row["name"])


def _road(request: Request, name: str) -> Content:
    problems = (
        small_set(f"quick/{name}")
        if request.quick
        else open_set(f"roads/{name}", data=request.data)
    )
    file = request.heuristics / request.named(Bounds.name) / f"{name}{SUFFIX}"
    train_once(file, problems, PHIL, 0, quick=request.quick)
    heuristic = read_any(file, PHIL.name)
    return {"rows": [measure("road", name, problems.test, heuristic, LANDMARKS)]}


def _maps(request: Request) -> Content:
    problems = small_maps() if request.quick else opened("maps/movingai", None, request.data)
    heuristic = load_heuristic(f"{PREFIX}map")
    return {
        "rows": [
            measure("map", name, found, heuristic, OCTILE)
            for name, found in by_map(problems.test).items()
        ]
    }


def _family(request: Request, name: str) -> Content:
    problems: ProblemSet = open_set(f"grids/{name}", data=request.data)
    heuristic = load_heuristic(f"{PREFIX}{name}")
    return {"rows": [measure("family", name, problems.test, heuristic, OCTILE)]}


def measure(
    kind: str, name: str, problems: Sequence[Problem], heuristic: Heuristic, lower: str
) -> Content:
    """A row: the means of all methods on problems that have a path."""
    known = load_heuristic(lower)
    problems = [*filter(has_path, problems)]
    optimal = [Method("astar", ASTAR, known).search(problem) for problem in problems]
    least = np.array([result.cost for result in optimal])
    bounds: Content = {}
    for bound in LEVELS:
        methods = {
            "wastar": Method("wastar", Key(g=1.0, h=bound, reopen=False), known),
            "bounded": Method("bounded", GREEDY, heuristic, bound, known),
        }
        bounds[str(bound)] = {}
        for method, solver in methods.items():
            results = [solver.search(problem) for problem in problems]
            bounds[str(bound)][method] = {
                "expansions": _mean([result.expansions for result in results]),
                "calls": _mean([result.calls for result in results]),
                "cost_ratio": _mean(np.array([result.cost for result in results]) / least),
            }
        # Those of the bounded search, which is the last one.
        bounds[str(bound)]["bounded"]["proven"] = _mean([result.proven for result in results])
    return {
        "kind": kind,
        "name": name,
        "problems": len(problems),
        "astar": _mean([result.expansions for result in optimal]),
        "bounds": bounds,
    }


def _mean(values: Any) -> float | None:
    return round_to(float(np.mean(values)), 6)


def _details(kind: str, rows: Sequence[Mapping[str, Any]], bound: float) -> Section:
    def of(method: str, key: str, write: Any) -> CellWriter:
        return lambda row: str(write(row["bounds"][str(bound)][method][key]))

    return table(
        f"{KINDS[kind]}, w = {bound}",
        "",
        {
            kind: "name",
            "problems": "problems",
            "A*": lambda row: whole(row["astar"]),
            "wA*": of("wastar", "expansions", whole),
            "bounded": of("bounded", "expansions", whole),
            "calls, bounded": of("bounded", "calls", whole),
            "ratio": lambda row: f"{ratio(row, bound):.2f}",
            "cost, wA*": of("wastar", "cost_ratio", _three),
            "cost, bounded": of("bounded", "cost_ratio", _three),
            "proven, bounded": of("bounded", "proven", _three),
        },
        rows,
    )


def _three(value: float) -> str:
    return f"{value:.3f}"


BOUNDS = Bounds()
