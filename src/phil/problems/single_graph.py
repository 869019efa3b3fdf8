"""Problems on one graph: random pairs of start and goal that a path joins.

The three splits are drawn independently of each other. On large graphs training takes goals with
several starts each, since the oracle's table of a goal serves them all; on others every problem has
its own goal, which teaches more (on PubMed's validation problems, one training each: 0.013 of the
expansions of greedy Euclidean search instead of 0.023).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.distances import components, hops_to
from phil.problems.problem import Problem, ProblemSet
from phil.problems.seeded import seeded
from phil.problems.splits import split_counts

LARGE = 100_000  # nodes: from here on goals are shared in training
STARTS = 4  # of a goal that is shared
SPLIT_COUNTS = {"train": 600, "validation": 60, "test": 100}

Pair = tuple[int, int]  # start and goal


def single_graph_set(
    name: str, graph: AnyGraph, *, seed: int = 0, count: int | None = None
) -> ProblemSet:
    """Random problems on one graph: 600 to learn from, 60 to choose by, 100 to report.

    `count` changes that (see `split_counts`); fewer are the first of more.

    >>> graph = Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> problems = single_graph_set("mine", graph)
    >>> len(problems.train), problems.test[0].name
    (600, 'mine/test/0')
    """
    counts = split_counts(SPLIT_COUNTS, count)
    draw = PairDraw(graph, name)
    train: list[Pair] = []
    random = seeded(seed, "train")
    while len(train) < counts["train"]:
        goal = draw.pair(random)[1]
        starts = draw.starts(goal, STARTS if graph.size >= LARGE else 1, random)
        train += [(start, goal) for start in starts]
    splits = {
        "train": train[: counts["train"]],
        "validation": draw.pairs(counts["validation"], seeded(seed, "validation")),
        "test": draw.pairs(counts["test"], seeded(seed, "test")),
    }
    return ProblemSet(
        name,
        **{
            split: tuple(
                Problem(graph, start, goal, f"{name}/{split}/{number}")
                for number, (start, goal) in enumerate(pairs)
            )
            for split, pairs in splits.items()
        },
    )


class PairDraw:
    """Draws pairs of different nodes of a graph that a path joins, all equally likely.

    On a directed graph all starts that lead anywhere are equally likely, then all goals that can
    be reached from there. `parts` is what `components` would say, for those who know it already.
    """

    def __init__(self, graph: AnyGraph, name: str, parts: NDArray[np.int32] | None = None) -> None:
        self._graph = graph
        self._parts = components(graph) if parts is None and not graph.directed else parts
        if self._parts is None:
            assert not graph.is_grid, "grids have no direction"
            source = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
            led = np.bincount(source[source != graph.indices], minlength=graph.size) > 0
            self._nodes, chances = np.arange(graph.size), led.astype(float)
        else:
            self._nodes = np.flatnonzero(self._parts >= 0)
            chances = np.bincount(self._parts[self._nodes])[self._parts[self._nodes]] - 1.0
        if not chances.any():
            kind = "free cells" if graph.is_grid else "nodes"
            raise InputError(f"{name} has no two {kind} that a path joins")
        self._chances = chances / chances.sum()

    def pair(self, random: np.random.Generator) -> Pair:
        """One start and goal."""
        start = int(random.choice(self._nodes, p=self._chances))
        return start, int(random.choice(self._reached_from(start)))

    def pairs(self, count: int, random: np.random.Generator) -> list[Pair]:
        """So many starts and goals."""
        return [self.pair(random) for _ in range(count)]

    def starts(self, goal: int, count: int, random: np.random.Generator) -> list[int]:
        """Starts from which a goal can be reached; one may come more than once."""
        return [int(start) for start in random.choice(self._leading_to(goal), count)]

    def _reached_from(self, start: int) -> NDArray[np.int64]:
        if self._parts is None:
            return _others(np.isfinite(hops_to(self._graph.reversed(), start)), start)
        return _others(self._parts == self._parts[start], start)

    def _leading_to(self, goal: int) -> NDArray[np.int64]:
        if self._parts is None:
            return _others(np.isfinite(hops_to(self._graph, goal)), goal)
        return self._reached_from(goal)


def _others(joined: NDArray[np.bool_], node: int) -> NDArray[np.int64]:
    joined[node] = False
    return np.flatnonzero(joined)
