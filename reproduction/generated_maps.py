"""`python -m reproduction generated-maps`: are the generated maps like the public ones?

Free fraction and shortest path must agree within 5 %; the mean expansions of A* and of greedy
search within 15 %, or their bootstrap 95 % intervals must overlap. Maps without a path are counted
and are in no mean but that of the free fraction. The exit code is 1 if a family misses.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.cli.output import note, say
from phil.errors import InputError
from phil.evaluation.statistics import bootstrap_interval
from phil.files import check_writable, write_atomic
from phil.graphs.distances import hops_to
from phil.heuristics.classical import euclidean
from phil.problems.generated import FAMILIES, generate_maps
from phil.problems.grids import read_family
from phil.problems.pairs import map_problem
from phil.search import ASTAR, GREEDY, search
from reproduction.experiment import Request

COUNT, QUICK_COUNT = 600, 20  # maps of each kind and family
QUANTITIES = ("free", "path", "astar", "greedy")
TOLERANCE = {"free": 0.05, "path": 0.05, "astar": 0.15, "greedy": 0.15}
CALLS = ("astar_calls", "greedy_calls")  # kept beside the expansions, and not compared
MAY_OVERLAP = ("astar", "greedy")  # quantities that may differ by more if their intervals overlap


@dataclass(frozen=True)
class Mean:
    """A mean and its bootstrap 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Maps:
    """What was measured on some maps: a mean of each quantity."""

    maps: int
    unsolvable: int
    means: dict[str, Mean]


@dataclass(frozen=True)
class Comparison:
    """One family: public maps against generated ones."""

    public: Maps
    generated: Maps

    def ratio(self, quantity: str) -> float:
        """Generated over public."""
        return self.generated.means[quantity].mean / self.public.means[quantity].mean

    def holds(self, quantity: str) -> bool:
        """Whether the generated maps are alike in this."""
        if abs(self.ratio(quantity) - 1) <= TOLERANCE[quantity]:
            return True
        ours, theirs = self.generated.means[quantity], self.public.means[quantity]
        overlap = ours.low <= theirs.high and theirs.low <= ours.high
        return quantity in MAY_OVERLAP and overlap

    @property
    def passed(self) -> bool:
        """Whether they are alike in everything."""
        return all(self.holds(quantity) for quantity in QUANTITIES)


def run(request: Request, _: Sequence[str]) -> bool:
    """Compare the families, print a table and keep the figures."""
    file = request.results / f"{request.named('generated_maps')}.json"
    check_writable(file)
    count = QUICK_COUNT if request.quick else COUNT
    comparisons = {}
    for family in request.chosen("families", "family", FAMILIES):
        comparisons[family] = compare(family, count, request.data)
        note(f"{family}: {_verdict(comparisons[family])}")
    document = as_json(comparisons)
    write_atomic(file, (json.dumps(document, indent=1) + "\n").encode())
    say(*markdown(comparisons).split("\n"))
    return bool(document["passed"])


def measure(maps: Iterable[NDArray[np.bool_]], name: str) -> Maps:
    """Free fraction, shortest path (moves), expansions and calls from corner to corner."""
    values: dict[str, list[float]] = {quantity: [] for quantity in (*QUANTITIES, *CALLS)}
    for number, free in enumerate(maps):
        problem = map_problem(free, name, str(number))
        graph, start, goal = problem.graph, problem.start, problem.goal
        values["free"].append(float(free.mean()))
        moves = float(hops_to(graph, goal)[start])
        if not np.isfinite(moves):
            continue
        values["path"].append(moves)
        for method, key in (("astar", ASTAR), ("greedy", GREEDY)):
            result = search(graph, start, goal, euclidean, key=key)
            values[method].append(result.expansions)
            values[f"{method}_calls"].append(result.calls)
    if not values["path"]:
        raise InputError(f"{name}: no map has a path from corner to corner; measure more maps")
    return Maps(
        maps=len(values["free"]),
        unsolvable=len(values["free"]) - len(values["path"]),
        means={
            quantity: Mean(float(np.mean(numbers)), *bootstrap_interval(numbers))
            for quantity, numbers in values.items()
        },
    )


def compare(family: str, count: int, data: Path | None) -> Comparison:
    """Measure the first `count` public train maps of a family and as many generated ones."""
    public = list(read_family(family, data)["train"].values())[:count]
    return Comparison(
        public=measure(public, f"grids/{family}"),
        generated=measure(generate_maps(family, count, seed=0), f"generated/{family}"),
    )


def as_json(comparisons: dict[str, Comparison]) -> dict[str, Any]:
    """The document that is written."""
    return {
        "command": "python -m reproduction generated-maps",
        "passed": all(comparison.passed for comparison in comparisons.values()),
        "families": {
            family: {
                "public": asdict(comparison.public),
                "generated": asdict(comparison.generated),
                "ratio": {quantity: comparison.ratio(quantity) for quantity in QUANTITIES},
                "holds": {quantity: comparison.holds(quantity) for quantity in QUANTITIES},
                "passed": comparison.passed,
            }
            for family, comparison in comparisons.items()
        },
    }


def markdown(comparisons: dict[str, Comparison]) -> str:
    """The table: public / generated, with the intervals of the mean expansions."""
    lines = [
        "| family | maps | no path | free fraction | shortest path (moves) | A* expansions | "
        "A* calls | greedy expansions | greedy calls | alike |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for family, comparison in comparisons.items():
        sides = comparison.public, comparison.generated
        cells = [
            " / ".join(str(side.maps) for side in sides),
            " / ".join(str(side.unsolvable) for side in sides),
            " / ".join(f"{side.means['free'].mean:.3f}" for side in sides),
            " / ".join(f"{side.means['path'].mean:.1f}" for side in sides),
            *(
                " / ".join(_with_interval(side.means[quantity]) for side in sides)
                for quantity in ("astar", "astar_calls", "greedy", "greedy_calls")
            ),
            _verdict(comparison),
        ]
        lines.append(f"| {family} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _with_interval(mean: Mean) -> str:
    return f"{mean.mean:,.0f} ({mean.low:,.0f}-{mean.high:,.0f})"


def _verdict(comparison: Comparison) -> str:
    missed = [quantity for quantity in QUANTITIES if not comparison.holds(quantity)]
    return f"no: {', '.join(missed)}" if missed else "yes"
