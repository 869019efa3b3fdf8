"""What a heuristic computes once for a graph, before the first search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import mean

from phil.evaluation.timing import core_clock
from phil.graphs import AnyGraph
from phil.graphs.features.landmarks import landmark_costs
from phil.graphs.features.recipe import parse_recipe
from phil.heuristics.file import LearnedHeuristic
from phil.heuristics.landmarks import COUNT, Landmarks
from phil.search.guide import Heuristic

GRAPHS = 3  # of many, so many are prepared
SHORT = 1.0  # seconds: what takes no longer is done twice, since the first may load compiled code


@dataclass(frozen=True)
class Preparation:
    """Of one graph; all zero if there is nothing to prepare."""

    seconds: float
    nodes: float  # that must be known


def prepare(heuristics: Sequence[Heuristic], graphs: Sequence[AnyGraph]) -> Preparation:
    """What the heuristics need of a graph, the mean of some; computed even if the disk knows it.

    >>> from phil.heuristics.geometric import Euclidean
    >>> prepare([Euclidean], [Graph.from_edges(2, [(0, 1)])])
    Preparation(seconds=0, nodes=0)
    """
    some = graphs[:GRAPHS]
    jobs = [[job for one in heuristics for job in _jobs(one, graph)] for graph in some]
    return Preparation(
        mean(sum(map(_seconds, row)) for row in jobs),
        mean(graph.num_nodes if row else 0 for graph, row in zip(some, jobs, strict=True)),
    )


def _jobs(heuristic: Heuristic, graph: AnyGraph) -> Iterator[Callable[[], object]]:
    if heuristic is Landmarks:
        yield partial(landmark_costs, graph, COUNT)
    elif isinstance(heuristic, LearnedHeuristic) and not graph.is_grid:
        own = {group.name for group in graph.feature_groups}
        for item in parse_recipe(heuristic.metadata.added_features):
            if item.feature.name not in own:
                yield partial(item.feature.compute, graph, item.k)


def _seconds(job: Callable[[], object]) -> float:
    took = _time(job)
    return took if took > SHORT else _time(job)


def _time(job: Callable[[], object]) -> float:
    began = core_clock()
    job()
    return core_clock() - began
