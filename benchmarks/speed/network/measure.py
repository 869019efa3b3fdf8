"""The part `network`: microseconds per evaluated node of searches with learned heuristics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import torch

import phil
from benchmarks.speed.maps import NewGrid, solvable
from benchmarks.speed.network import peak
from benchmarks.speed.network.models import MODELS, learned, name_of, precomputed
from benchmarks.speed.network.torch_search import TorchHeuristic
from benchmarks.speed.network.work import embedded_nodes, needed_work
from benchmarks.speed.scale import Scale
from benchmarks.speed.timing import ratio
from phil.evaluation.timing import Job, interleaved
from phil.graphs import AnyGraph, GridGraph
from phil.problems import Problem
from phil.search.guide import Heuristic

EXPANSIONS = 3000  # of a search with an untrained network, which may never end
SAMPLE = 300  # expansions that torch, hundreds of times slower, is timed on
MAPS, ROUNDS = 2, 7
QUICK_ROUNDS = 3


def measure(scale: Scale) -> dict[str, Any]:
    """Both networks on maps of every family."""
    torch.set_num_threads(1)
    rounds = QUICK_ROUNDS if scale.quick else ROUNDS
    best = [1e-9]  # GFLOP/s of the best product so far
    rows = [
        _measure(model, family, problem, scale, rounds, best)
        for model in MODELS
        for family in scale.families
        for problem in solvable(scale.problems(family).test, 1 if scale.quick else MAPS)
    ]
    limit = max(best)
    for row in rows:
        row["share_of_peak"] = row["gflops"] / limit
    return {
        "peak_gflops": limit,
        "expansions": EXPANSIONS,
        "sample": SAMPLE,
        "models": {
            model: _summary([row for row in rows if row["model"] == model]) for model in MODELS
        },
        "searches": rows,
    }


def _measure(
    model: str, family: str, problem: Problem, scale: Scale, rounds: int, best: list[float]
) -> dict[str, Any]:
    name = name_of(model, family, scale)
    heuristic = learned(name)
    settings = heuristic.metadata.network
    assert isinstance(problem.graph, GridGraph)
    new = NewGrid(problem.graph)
    searches = {
        "whole": _search(lambda: new.grid, problem, heuristic, EXPANSIONS),
        "sample": _search(lambda: new.grid, problem, heuristic, SAMPLE),
        "torch": _search(lambda: problem.graph, problem, TorchHeuristic(heuristic), SAMPLE),
        "fill": _search(lambda: new.grid, problem, precomputed(heuristic), 1),
        "filled": _search(lambda: problem.graph, problem, precomputed(heuristic), EXPANSIONS),
    }
    # These load what is loaded once, and fill what "filled" starts from. Rounding may make engines
    # part ways, so each is divided by the nodes that it evaluated itself.
    evaluated = {name: search().evaluations for name, search in searches.items()}
    jobs: dict[str, Job] = {"product": peak.product(), **searches}
    seconds = interleaved(
        jobs, rounds, before=dict.fromkeys(("whole", "sample", "fill"), new.renew)
    )

    def times(slow: str, fast: str) -> float:
        return ratio(seconds[slow], seconds[fast]) * evaluated[fast] / evaluated[slow]

    limits = phil.Limits(EXPANSIONS)
    ends = problem.start, problem.goal
    counted = phil.search(problem.graph, *ends, heuristic, limits=limits, trace=True)
    best.append(peak.WORK / min(seconds["product"]) / 1e9)
    took = median(seconds["whole"])
    embedded = embedded_nodes(problem.graph, counted, problem.goal, settings)
    work = needed_work(settings).total(embedded, counted.evaluations, counted.expansions)
    return {
        "model": model,
        "family": family,
        "map": problem.name,
        "expansions": counted.expansions,
        "evaluations": counted.evaluations,
        "embedded": embedded,
        "us_per_evaluated": 1e6 * took / counted.evaluations,
        "us_per_expansion": 1e6 * took / counted.expansions,
        "kflop_per_evaluated": work / counted.evaluations / 1e3,
        "gflops": work / took / 1e9,
        "torch_us_per_evaluated": 1e6 * median(seconds["torch"]) / evaluated["torch"],
        "torch_ratio": times("torch", "sample"),
        "precomputed_us_per_evaluated": 1e6 * median(seconds["filled"]) / evaluated["filled"],
        "precomputed_ratio": times("whole", "filled"),
        "fill_ms": 1e3 * median(seconds["fill"]),
    }


def _search(
    graph: Callable[[], AnyGraph], problem: Problem, heuristic: Heuristic, most: int
) -> Callable[[], phil.Result]:
    """A search of so many expansions at most, on what is the graph when it is run."""
    limits = phil.Limits(expansions=most)
    return lambda: phil.search(graph(), problem.start, problem.goal, heuristic, limits=limits)


FIGURES = (
    "us_per_evaluated",
    "us_per_expansion",
    "kflop_per_evaluated",
    "gflops",
    "share_of_peak",
    "torch_us_per_evaluated",
    "torch_ratio",
    "precomputed_us_per_evaluated",
    "precomputed_ratio",
    "fill_ms",
)


def _summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Medians over the maps: of each family, and of the families."""
    families = {
        family: _medians([row for row in rows if row["family"] == family])
        for family in dict.fromkeys(row["family"] for row in rows)
    }
    return {"families": families, "median": _medians(list(families.values()))}


def _medians(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    return {name: median(row[name] for row in rows) for name in FIGURES}
