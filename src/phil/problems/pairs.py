"""Starts and goals of problems: the corners of a map, or random pairs.

Random draws depend only on names and seeds, so they are the same on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from phil.arguments import NOTHING, TEXT, WHOLE, takes
from phil.errors import InputError, unknown_name
from phil.graphs import AnyGraph, GridGraph
from phil.graphs.checks import GRAPH
from phil.graphs.distances import components, hops_to
from phil.problems.problem import Problem, ProblemSet, split_counts

PAIRS = ("corners", "random")
SPLIT_COUNTS = {"train": 600, "validation": 60, "test": 100}  # of random pairs on one graph
LARGE = 100_000  # nodes from which training problems share goals
STARTS = 4  # per shared goal

Pair = tuple[int, int]  # start and goal


def seeded(*key: object) -> np.random.Generator:
    """A random generator that depends only on this key.

    >>> seeded(0, "train").integers(10**6) == seeded(0, "train").integers(10**6)
    np.True_
    """
    digest = hashlib.sha256("/".join(map(str, key)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


@takes(name=TEXT, graph=GRAPH, seed=WHOLE, count=WHOLE | NOTHING)
def single_graph_set(
    name: str, graph: AnyGraph, *, seed: int = 0, count: int | None = None
) -> ProblemSet:
    """Draw random problems on one graph, each with a path from start to goal.

    The three splits are drawn independently of each other. On large graphs (from 100,000 nodes),
    four training problems share a goal, since one table of exact distances serves them all; on
    smaller graphs each has its own goal, which makes training more effective.

    Parameters
    ----------
    name : str
        The name of the set.
    graph : Graph or GridGraph
        The graph.
    seed : int, optional
        The seed of the random pairs.
    count : int, optional
        The number of training problems and of test problems, with a tenth as many for validation;
        by default 600, 100 and 60. A smaller set is a prefix of a larger one.

    Returns
    -------
    ProblemSet

    Raises
    ------
    InputError
        If no two nodes are connected by a path.

    Examples
    --------
    >>> import phil
    >>> graph = phil.Graph.from_edges(3, [(0, 1), (1, 2)])
    >>> single_graph_set("mine", graph)
    ProblemSet('mine', train=600, validation=60, test=100)
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


def map_problem(
    free: NDArray[np.bool_], set_name: str, map_name: str, pairs: str = "corners", seed: int = 0
) -> Problem:
    """The problem of one map, named `<set_name>/<map_name>`.

    >>> problem = map_problem(np.ones((3, 5), bool), "mine", "a.png")
    >>> problem.name, problem.graph.cell(problem.start), problem.graph.cell(problem.goal)
    ('mine/a.png', (2, 0), (0, 4))
    """
    [problem] = split_problems({map_name: GridGraph(free)}, set_name, pairs, seed)
    return problem


def split_problems(
    graphs: Mapping[str, AnyGraph],
    set_name: str,
    pairs: str = "corners",
    seed: int = 0,
    count: int | None = None,
) -> tuple[Problem, ...]:
    """The problems on the graphs of a split: one each, or `count` in total, taking turns.

    `corners` goes from the bottom-left cell of a map to the top-right cell. `random` draws two
    different nodes connected by a path; they depend only on the seed and the graph's name, so a
    graph keeps its pairs whatever else is in its set. A problem is named `<set_name>/<graph name>`,
    followed by its number if there may be several.
    """
    turns = pairs_per_graph(set_name, len(graphs), pairs, count)
    graphs = dict(islice(graphs.items(), count))
    drawn = {
        name: graph_pairs(graph, set_name, name, pairs, seed, turns)
        for name, graph in graphs.items()
    }
    problems = [
        Problem(graph, *drawn[name][turn], problem_name(set_name, name, turn, count))
        for turn in range(turns)
        for name, graph in graphs.items()
    ]
    return tuple(problems[:count])


def pairs_per_graph(set_name: str, graphs: int, pairs: str, count: int | None) -> int:
    """How many pairs are needed on each of some graphs for `count` problems in total."""
    if pairs not in PAIRS:
        raise unknown_name("choice of pairs", pairs, PAIRS)
    if pairs == "corners" and count is not None:
        raise InputError(
            f"{set_name} has one problem per map, from corner to corner; use --count only with "
            "--pairs random or a file of pairs"
        )
    return 1 if count is None else -(-count // max(1, graphs))


def graph_pairs(
    graph: AnyGraph, set_name: str, name: str, pairs: str, seed: int, count: int
) -> list[Pair]:
    """The pairs on one graph of a split (see `split_problems`)."""
    where = f"{set_name}/{name}"
    if pairs == "corners":
        return [_corners(graph, where)]
    return _random(graph, where, f"{seed}/{name}", count)


def problem_name(set_name: str, name: str, turn: int, count: int | None) -> str:
    """The name of a problem on a graph: numbered if there may be several."""
    return f"{set_name}/{name}{'' if count is None else f'/{turn}'}"


class PairDraw:
    """Draws pairs of different nodes connected by a path, all with equal probability.

    On a directed graph, first a start with outgoing edges is drawn uniformly, then a goal reachable
    from it. `parts` is the result of `components`, if already known.
    """

    def __init__(self, graph: AnyGraph, name: str, parts: NDArray[np.int32] | None = None) -> None:
        self._graph = graph
        self._parts = components(graph) if parts is None and not graph.directed else parts
        if self._parts is None:
            assert not graph.is_grid, "grids have no direction"
            source = graph.sources
            led = np.bincount(source[source != graph.indices], minlength=graph.size) > 0
            self._nodes, chances = np.arange(graph.size), led.astype(float)
        else:
            self._nodes = np.flatnonzero(self._parts >= 0)
            chances = np.bincount(self._parts[self._nodes])[self._parts[self._nodes]] - 1.0
        if not chances.any():
            kind = "free cells" if graph.is_grid else "nodes"
            raise InputError(f"{name} has no two {kind} connected by a path")
        self._chances = chances / chances.sum()

    def pair(self, random: np.random.Generator) -> Pair:
        """One start and goal."""
        start = int(random.choice(self._nodes, p=self._chances))
        return start, int(random.choice(self._reached_from(start)))

    def pairs(self, count: int, random: np.random.Generator) -> list[Pair]:
        """`count` starts and goals."""
        return [self.pair(random) for _ in range(count)]

    def starts(self, goal: int, count: int, random: np.random.Generator) -> list[int]:
        """Starts from which a goal can be reached, drawn with replacement."""
        return [int(start) for start in random.choice(self._leading_to(goal), count)]

    def _reached_from(self, start: int) -> NDArray[np.int64]:
        if self._parts is None:
            return _others(np.isfinite(hops_to(self._graph.reversed(), start)), start)
        return _others(self._parts == self._parts[start], start)

    def _leading_to(self, goal: int) -> NDArray[np.int64]:
        if self._parts is None:
            return _others(np.isfinite(hops_to(self._graph, goal)), goal)
        return self._reached_from(goal)


def _corners(graph: AnyGraph, name: str) -> tuple[int, int]:
    if graph.axes != 2:
        raise InputError(
            f"{name} is not a 2D map, so it has no corners; use --pairs random or a file of pairs"
        )
    rows, columns = graph.plane("a pair of corners")
    cells = {"bottom-left (start)": (rows - 1, 0), "top-right (goal)": (0, columns - 1)}
    for corner, cell in cells.items():
        if not graph.free[cell]:
            raise InputError(
                f"{name}: the {corner} corner, row {cell[0]}, column {cell[1]}, is on an obstacle; "
                "free it or use --pairs random"
            )
    start, goal = (graph.node(*cell) for cell in cells.values())
    return start, goal


def _random(graph: AnyGraph, name: str, key: str, count: int) -> list[tuple[int, int]]:
    if not graph.is_grid:
        return PairDraw(graph, name).pairs(count, seeded(key))
    keys = [key, *(f"{key}/{number}" for number in range(1, count))]
    return [_random_cells(graph, name, seeded(each)) for each in keys]


def _random_cells(grid: GridGraph, name: str, random: np.random.Generator) -> tuple[int, int]:
    for start in random.permutation(np.flatnonzero(grid.free)):
        if grid.neighbors(start).size:
            joined = np.isfinite(hops_to(grid, start))
            joined[start] = False
            return int(start), int(random.choice(np.flatnonzero(joined)))
    raise InputError(
        f"{name} has no two free cells connected by a path; remove it or use --pairs corners"
    )


def _others(joined: NDArray[np.bool_], node: int) -> NDArray[np.int64]:
    joined[node] = False
    return np.flatnonzero(joined)
