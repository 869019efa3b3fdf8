"""The part `network`: microseconds per evaluated node of searches with learned heuristics.

The core's limit is how fast one thread multiplies large matrices in the same rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

import phil
from phil.errors import InputError
from phil.evaluation.timing import Job, interleaved
from phil.graphs import AnyGraph, SearchedGraph
from phil.heuristics.file import write_heuristic
from phil.heuristics.phil import PhilHeuristic, PhilMetadata
from phil.heuristics.phil.batches import Gatherer
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.scaling import Scaling, frame
from phil.learning.learner import tensors_of
from phil.problems import Problem
from phil.search import Result
from phil.search.guide import Expansion, Heuristic
from reproduction.speed.common import RenewableGrid, Scale, load_learned, medians, ratio

EXPANSIONS = 3000  # of a search with an untrained network, which may never end
SAMPLE = 300  # expansions that torch, hundreds of times slower, is timed on
SIDE = 1024  # of the matrices whose product gives the core's peak
MODELS = ("paper", "best")
TREND = 0.9  # the trend of the steps to a node: this share of its parent's, the rest is its own
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


def measure(scale: Scale) -> dict[str, Any]:
    """Both networks on maps of every family."""
    torch.set_num_threads(1)
    rows = [
        _measure(model, family, problem, scale)
        for model in MODELS
        for family in scale.families
        for problem in scale.tests(family, scale.pick(2, 1))
    ]
    peak = max(row.pop("peak") for row in rows)
    for row in rows:
        row["share_of_peak"] = row["gflops"] / peak
    return {
        "peak_gflops": peak,
        "expansions": EXPANSIONS,
        "sample": SAMPLE,
        "models": {
            model: _summary([row for row in rows if row["model"] == model]) for model in MODELS
        },
        "searches": rows,
    }


def _measure(model: str, family: str, problem: Problem, scale: Scale) -> dict[str, Any]:
    heuristic = _random(scale, model)
    precomputed = PhilHeuristic(heuristic.metadata, heuristic.tensors, precompute=True)
    settings = heuristic.metadata.network
    new = RenewableGrid.of(problem)
    searches = {
        "whole": _search(lambda: new.grid, problem, heuristic, EXPANSIONS),
        "sample": _search(lambda: new.grid, problem, heuristic, SAMPLE),
        "torch": _search(lambda: problem.graph, problem, TorchHeuristic(heuristic), SAMPLE),
        "fill": _search(lambda: new.grid, problem, precomputed, 1),
        "filled": _search(lambda: problem.graph, problem, precomputed, EXPANSIONS),
    }
    # These load what is loaded once, and fill what "filled" starts from. Rounding may make engines
    # part ways, so each is divided by the nodes that it evaluated itself.
    evaluated = {name: search().evaluations for name, search in searches.items()}
    jobs: dict[str, Job] = {"product": _product(), **searches}
    before = dict.fromkeys(("whole", "sample", "fill"), new.renew)
    seconds = interleaved(jobs, scale.pick(7, 3), before=before)

    def times(slow: str, fast: str) -> float:
        return ratio(seconds[slow], seconds[fast]) * evaluated[fast] / evaluated[slow]

    ends = problem.start, problem.goal
    limits = phil.Limits(EXPANSIONS)
    counted = phil.search(problem.graph, *ends, heuristic, limits=limits, trace=True)
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
        "peak": 2 * SIDE**3 / min(seconds["product"]) / 1e9,
    }


# Networks that look at neighbours, as large as the paper's and as the shipped ones.
NETWORKS = {
    "paper": NetworkSettings(),
    "best": NetworkSettings(width=32, memory=16, remember=False, walls=8, trail=True),
}


def _random(scale: Scale, model: str) -> PhilHeuristic:
    """A network with random weights, which do not change its cost."""
    path = scale.build / f"{model}.safetensors"
    if not path.exists():
        torch.manual_seed(0)
        settings = NETWORKS[model]
        metadata = PhilMetadata(network=settings, feature_names=("x", "y"), scaling=Scaling())
        path.parent.mkdir(parents=True, exist_ok=True)
        write_heuristic(path, PhilHeuristic(metadata, tensors_of(PhilNetwork(settings))))
    return load_learned(str(path))


def _search(
    graph: Callable[[], AnyGraph], problem: Problem, heuristic: Heuristic, most: int
) -> Callable[[], phil.Result]:
    """A search of so many expansions at most, on what is the graph when it is run."""
    limits = phil.Limits(expansions=most)
    return lambda: phil.search(graph(), problem.start, problem.goal, heuristic, limits=limits)


def _product() -> Job:
    """One large product of float32 matrices."""
    random = np.random.default_rng(0)
    left, right = (random.random((SIDE, SIDE), np.float32) for _ in range(2))
    out = np.empty((SIDE, SIDE), np.float32)
    return lambda: np.dot(left, right, out=out)


def _summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Medians over the maps: of each family, and of the families."""
    families = {
        family: medians([row for row in rows if row["family"] == family], FIGURES)
        for family in dict.fromkeys(row["family"] for row in rows)
    }
    return {"families": families, "median": medians(families.values(), FIGURES)}


class TorchHeuristic:
    """A learned heuristic whose values torch computes, eagerly and on one thread."""

    name = "torch"

    def __init__(self, heuristic: PhilHeuristic) -> None:
        self.metadata = heuristic.metadata
        self.network = PhilNetwork(heuristic.metadata.network)
        self.network.load_state_dict(
            {name: torch.from_numpy(tensor) for name, tensor in heuristic.tensors.items()}
        )

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> TorchGuide:
        """A guide for one search."""
        if not graph.is_known:
            raise InputError("the comparison with torch needs a graph that is known in full")
        return TorchGuide(self, graph, start, goal)


class TorchGuide:
    """Guides one search; what it reads of the graph is gathered by compiled code."""

    def __init__(self, owner: TorchHeuristic, graph: AnyGraph, start: int, goal: int) -> None:
        settings, scaling = owner.metadata.network, owner.metadata.scaling
        self._network = owner.network
        self._gatherer = Gatherer([Problem(graph, start, goal)], settings, scaling)
        self._frame = frame(graph, scaling)
        self._features = graph.features
        self._trails = settings.trail
        self._trend = {start: np.zeros(settings.features, np.float32)}
        self._memory = torch.zeros(settings.memory)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The values of V_new; moves the memory on."""
        if not expansion.new.size:
            return np.empty(0)
        group = (0, expansion.new, self._trail(expansion))
        with torch.inference_mode():
            values, self._memory = self._network(self._gatherer.gather([group]), self._memory)
        scaled: NDArray[np.float64] = values.double().numpy()
        return scaled * self._frame.distance

    def _trail(self, expansion: Expansion) -> NDArray[np.float32]:
        """How the search came to each node: depth, last step, trend of the steps."""
        if not self._trails:
            return np.empty((expansion.new.size, 0), np.float32)
        steps = (self._features[expansion.new] - self._features[expansion.node]) / self._frame.step
        trends = TREND * self._trend[expansion.node] + (1 - TREND) * steps
        self._trend.update(zip(expansion.new.tolist(), trends, strict=True))
        depth = expansion.depth[:, None] / self._frame.distance
        return np.hstack([depth, steps, trends]).astype(np.float32)


@dataclass(frozen=True)
class Work:
    """Floating-point operations of one node or one expansion."""

    embedded: int  # f, for every node that is evaluated or a neighbour of one that is
    evaluated: int  # convolution, the GRU's input half, the output MLP
    expanded: int  # the GRU's memory half, for all new nodes of an expansion together

    def total(self, embedded: int, evaluated: int, expanded: int) -> int:
        """The operations of a search."""
        return self.embedded * embedded + self.evaluated * evaluated + self.expanded * expanded


def needed_work(settings: NetworkSettings) -> Work:
    """The operations of a network's parts.

    >>> needed_work(NetworkSettings())
    Work(embedded=67072, evaluated=131840, expanded=24576)
    """
    width, memory, features = settings.width, settings.memory, settings.features
    square = width * width
    embedded = (2 * features + 2) * width + (settings.layers - 1) * square
    # DeeperGCN mixes once; GAT and MPNN have a matrix for the node itself as well, MPNN further
    # ones for the two ends of a message.
    mixes = {"softmax": 1, "power": 1, "gat": 2, "max": 3, "sum": 3}[settings.convolution]
    if settings.convolution in ("max", "sum"):
        embedded += square
    convolution = mixes * square + settings.trail_size * width
    gates = 3 * memory * width
    output = (memory + features) * width + square + width
    expanded = 3 * memory * memory if settings.remember else 0
    return Work(2 * embedded, 2 * (convolution + gates + output), 2 * expanded)


def embedded_nodes(graph: AnyGraph, result: Result, goal: int, settings: NetworkSettings) -> int:
    """How many nodes' f a traced search needed."""
    if result.trace is None or (0 < settings.neighbors < graph.max_degree):
        raise ValueError("needs a trace, and a network that sees all neighbours or none")
    expanded = [node for node in result.trace.tolist() if node != goal]
    start = int(result.trace[0])
    evaluated = {other for node in expanded for other in graph.neighbors(node).tolist()} - {start}
    if settings.neighbors == 0:
        return len(evaluated)
    near = {other for node in evaluated for other in graph.neighbors(node).tolist()}
    return len(evaluated | near)
