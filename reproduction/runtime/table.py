"""The runtime analysis: one part for each family of maps, all methods in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from phil.evaluation import parse_method
from phil.heuristics.registry import SUFFIX, shipped_folder
from phil.problems.generated import FAMILIES
from reproduction.experiment import Document, Experiment, Request, Value
from reproduction.grid import Trial
from reproduction.markup import Section
from reproduction.methods import train_once
from reproduction.page import Page, Picture
from reproduction.record import machine
from reproduction.runner import Part, Stage
from reproduction.runtime import page
from reproduction.runtime.timing import ENGINES, PYTHON, measure
from reproduction.store import Content, Parts
from reproduction.table1.methods import METHODS
from reproduction.table1.table import TABLE1, has_path

TIMED = ("sail", "bfws", "astar", "mha", "manhattan", "neural_astar", "phil", "phil_paper")
NETWORKS = ("phil", "phil_paper")  # each of them as the paper's PHIL
MAPS, ROUNDS = 10, 3
QUICK_MAPS, QUICK_ROUNDS = 3, 2

# Where the heuristics that are timed come from.
TABLE, SHIPPED, SHORT = "Table 1", "shipped", "short training"
# A network's time does not depend on its weights; what it expands does, and with that how many
# nodes an expansion discovers. So these are for whoever has not trained for Table 1.
SHORT_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "phil_paper": {"iterations": 6, "steps": 20, "validate_every": 6, "validation": 5},
    "sail": {"explored": (1.0,), "iterations": 3, "searches": 50, "updates": 600, "validation": 20},
    "neural_astar": {"iterations": 2, "validation": 20},
}


class Printed(NamedTuple):
    """What the paper says: one method takes `ratio` of another's time per node."""

    method: str
    other: str
    ratio: float


# "PHIL runs 57.9% faster than BFWS and 32.2% faster than SaIL, and not much slower than
# traditional A* (34.7%) and h_man (18.3%). Although Neural A* is 71.0% faster than PHIL ..."
PRINTED = (
    Printed("phil", "bfws", 1 - 0.579),
    Printed("phil", "sail", 1 - 0.322),
    Printed("phil", "astar", 1 + 0.347),
    Printed("phil", "manhattan", 1 + 0.183),
    Printed("neural_astar", "phil", 1 - 0.710),
)


class Runtime(Experiment):
    """Milliseconds per expanded node of the methods of Table 1."""

    name = "runtime"
    title = "Runtime: milliseconds per node"
    options = ("families",)

    def stages(self, request: Request) -> list[Stage]:
        """A part for each family, made while nothing else runs."""
        parts = [Part(row, partial(_family, request, row)) for row in TABLE1.rows(request)]
        return [Stage(parts, alone=True)]

    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        """Times per node, the heuristics' shares, and the ratios that the paper prints."""
        families = {family: _row(parts[family]) for family in FAMILIES if family in parts}
        means = {engine: _means(families, engine) for engine in ENGINES}
        return {
            "titles": {name: METHODS[name].title for name in TIMED},
            "families": families,
            "mean": means,
            "claims": [
                {
                    **printed._asdict(),
                    "ours": {
                        engine: {
                            phil: {"ratio": ours, "agrees": (ours < 1) == (printed.ratio < 1)}
                            for phil in NETWORKS
                            for ours in [_ratio(printed, means, engine, phil)]
                        }
                        for engine in ENGINES
                    },
                }
                for printed in PRINTED
            ],
        }

    def page(self, document: Document, request: Request) -> Page:
        """The paper's percentages beside ours, all times and shares, and a chart."""
        parts: list[Section | Picture] = [*page.sections(document), page.chart(document)]
        return Page(page.TITLE, document["command"], parts, METHODS["phil"].title)

    def values(self, document: Document) -> dict[str, Value]:
        """Mean milliseconds per node."""
        return {
            f"{document['titles'][method]}, {engine}, milliseconds per node": Value(milliseconds)
            for engine, means in document["mean"].items()
            for method, milliseconds in means.items()
        }

    def summary(self, document: Document) -> Section:
        """The paper's percentages beside ours."""
        return page.claims(document)


def _family(request: Request, family: str) -> Content:
    solvers, origins = {}, {}
    for name in TIMED:
        spec, origins[name] = METHODS[name], ""
        if spec.learned:
            file, origins[name] = _heuristic(request, Trial(family, name))
            solvers[name] = spec.solver(file)
        else:
            solvers[name] = parse_method(spec.text)
    solvable = filter(has_path, TABLE1.problems(request, family).test)
    problems = list(islice(solvable, QUICK_MAPS if request.quick else MAPS))
    rounds = QUICK_ROUNDS if request.quick else ROUNDS
    measured = measure(problems, solvers, rounds)
    return {
        "family": family,
        "maps": len(problems),
        "rounds": rounds,
        "machine": machine(),
        "methods": {
            name: {"heuristic": origins[name], **engines} for name, engines in measured.items()
        },
    }


def _heuristic(request: Request, trial: Trial) -> tuple[Path, str]:
    """The file of a trained heuristic and where it comes from: Table 1 if it has one."""
    known, shipped = TABLE1.heuristic(request, trial), shipped_folder() / (trial.row + SUFFIX)
    if known.exists() or request.quick or trial.method not in ("phil", *SHORT_SETTINGS):
        return TABLE1.train(request, trial), TABLE
    if trial.method == "phil" and shipped.exists():
        return shipped, SHIPPED
    output = request.heuristics / "runtime" / known.name
    short = replace(METHODS[trial.method], settings=SHORT_SETTINGS.get(trial.method, {}))
    problems = TABLE1.problems(request, trial.row)
    return train_once(output, problems, short, 0, quick=False), SHORT


def _row(part: Content) -> dict[str, Any]:
    methods = {
        name: {
            "heuristic": method["heuristic"],
            **{engine: _cell(method[engine]) for engine in ENGINES if engine in method},
        }
        for name, method in part["methods"].items()
    }
    return {**part, "methods": methods}


def _cell(measured: Mapping[str, float]) -> dict[str, float]:
    share = 1 - measured["replayed"] / measured["milliseconds"]
    return {
        **measured,
        "milliseconds_per_node": measured["milliseconds"] / measured["expansions"],
        "heuristic_share": max(0.0, share),
    }


def _means(families: Mapping[str, Any], engine: str) -> dict[str, float]:
    """Of milliseconds per node over families, of all that run on the engine."""
    rows = [row["methods"] for row in families.values()]
    return {
        name: float(np.mean([methods[name][engine]["milliseconds_per_node"] for methods in rows]))
        for name in TIMED
        if all(engine in methods[name] for methods in rows)
    }


def _ratio(
    printed: Printed, means: Mapping[str, Mapping[str, float]], engine: str, phil: str
) -> float:
    """Ours, with one of our networks as PHIL.

    Where one of the two methods has no compiled loop, both are called from Python.
    """
    names = (printed.method, printed.other)
    times = means[engine if {*names} <= means[engine].keys() else PYTHON]
    first, second = (times[phil if name == "phil" else name] for name in names)
    return first / second


RUNTIME = Runtime()
