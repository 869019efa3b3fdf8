"""The least path costs of problems, which cost ratios are relative to.

They are exact. A table of the costs to a goal takes one pass over the whole graph, so it pays only
for a goal (or start) that several problems share; otherwise A* with a lower bound expands a part of
the graph. Where many problems are on one graph, its landmarks pay: they take 17 passes, and A*
then expands a fraction of what it expands with the bound that needs no preparation. What was
expanded so far decides, never time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from phil.graphs import AnyGraph, SearchedGraph
from phil.graphs.distances import costs_from, costs_to
from phil.graphs.landmarks import COUNT
from phil.graphs.lower_bound import lower_bound_of
from phil.heuristics.landmarks import landmarks
from phil.heuristics.node_value import NodeValueGuide, free_way
from phil.problems.lazy import by_graph
from phil.problems.problem import Problem
from phil.search import ASTAR, search
from phil.search.guide import Heuristic, Traits
from phil.workers import LOCAL, Workers, open_workers
from phil.workers.shared import Shared

GUESS = 0.25  # of the nodes: what a search is taken to expand, until some have been seen
FEWEST = 5  # searches from which the rest is predicted
MOST = 512  # problems in a block; the costs of another block may be found in another process
FINE = 1e9  # ratio of weights up to which the costs to landmarks are exact enough

Role = Literal["start", "goal"]


class _ClosestBound:
    """The best lower bound that needs no preparation."""

    name = "closest_bound"
    traits = Traits("a lower bound", admissible=lambda graph: True)

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> NodeValueGuide:
        return NodeValueGuide(graph, goal, free_way(lower_bound_of(graph, goal)))


def least_costs(
    problems: Sequence[Problem],
    progress: Callable[[int, int], None] | None = None,
    on: str | Workers = LOCAL,
    shared: Shared[Sequence[Problem]] | None = None,
) -> list[float]:
    """The cost of a cheapest path of every problem; inf where there is none.

    `progress` is called with (problems done, problems), before the first and after every one.
    `shared` are the problems, if the workers have them already.

    >>> from phil.graphs import GridGraph
    >>> grid = GridGraph([[True, True, False, True]])
    >>> least_costs([Problem(grid, 0, 1), Problem(grid, 1, 3)])
    [1.0, inf]
    """
    found = [float("nan")] * len(problems)
    done = 0

    def keep(number: int, cost: float) -> None:
        nonlocal done
        found[number] = cost
        done += 1
        if progress is not None:
            progress(done, len(problems))

    if progress is not None:
        progress(0, len(problems))
    blocks = [*_blocks(problems)]
    with open_workers(on) as workers:
        if workers.is_here:
            for block in blocks:
                _OneGraph(block.of(problems), keep).run()
            return found
        for costs in workers.map(_costs_of, shared or workers.share(problems), blocks):
            for number, cost in costs.items():
                keep(number, cost)
    return found


@dataclass(frozen=True)
class Block:
    """Problems on one graph whose costs are found together."""

    numbers: tuple[int, ...]

    def of(self, problems: Sequence[Problem]) -> dict[int, Problem]:
        """The problems of the block, by number."""
        return {number: problems[number] for number in self.numbers}

    def __str__(self) -> str:
        return f"the least costs of problems {self.numbers[0]} to {self.numbers[-1]}"


def _blocks(problems: Sequence[Problem]) -> Iterator[Block]:
    """All problems in blocks, which do not depend on where they are worked on."""
    for numbers in by_graph(problems):
        if len(numbers) == 1:  # nothing to divide, so that it need not be read
            yield Block(tuple(numbers))
            continue
        together: list[int] = []
        for group in _groups({number: problems[number] for number in numbers}).values():
            together += group
            if len(together) >= MOST:
                yield Block(tuple(together))
                together = []
        if together:
            yield Block(tuple(together))


def _costs_of(problems: Sequence[Problem], block: Block) -> dict[int, float]:
    costs: dict[int, float] = {}
    _OneGraph(block.of(problems), costs.__setitem__).run()
    return costs


def _groups(problems: Mapping[int, Problem]) -> dict[tuple[Role, int], list[int]]:
    """The problems by their goal or start, whichever more problems have."""
    goals = Counter(problem.goal for problem in problems.values())
    starts = Counter(problem.start for problem in problems.values())
    groups: dict[tuple[Role, int], list[int]] = {}
    for number, problem in problems.items():
        by_start = starts[problem.start] > goals[problem.goal]
        end: tuple[Role, int] = ("start", problem.start) if by_start else ("goal", problem.goal)
        groups.setdefault(end, []).append(number)
    return groups


class _OneGraph:
    """The problems on one graph."""

    def __init__(self, problems: dict[int, Problem], keep: Callable[[int, float], None]) -> None:
        self._problems = problems
        self._keep = keep
        self._graph: AnyGraph = next(iter(problems.values())).graph
        self._left = len(problems)
        self._bound: Heuristic = _ClosestBound()
        self._searches = 0
        self._expansions = 0

    def run(self) -> None:
        """Find the costs of all problems, those that share an end with most others first.

        Otherwise their order is random, so that the first are like the rest: files of scenarios
        begin with the shortest paths.
        """
        groups = list(_groups(self._problems).items())
        shuffled = [groups[k] for k in np.random.default_rng(0).permutation(len(groups)).tolist()]
        for (role, end), numbers in sorted(shuffled, key=lambda group: -len(group[1])):
            if len(numbers) * self._expected() > self._graph.num_nodes:
                self._by_table(role, end, numbers)
            else:
                for number in numbers:
                    self._by_search(number)
            self._left -= len(numbers)

    def _expected(self) -> float:
        """The expansions that a search is expected to take."""
        if not self._searches:
            return GUESS * self._graph.num_nodes
        return self._expansions / self._searches

    def _by_table(self, role: Role, end: int, numbers: Sequence[int]) -> None:
        costs = (costs_to if role == "goal" else costs_from)(self._graph, end)
        for number in numbers:
            problem = self._problems[number]
            self._keep(number, float(costs[problem.start if role == "goal" else problem.goal]))

    def _by_search(self, number: int) -> None:
        self._prepare()
        problem = self._problems[number]
        result = search(self._graph, problem.start, problem.goal, self._bound, key=ASTAR)
        self._searches += 1
        self._expansions += result.expansions
        self._keep(number, result.cost if result.solved else float("inf"))

    def _prepare(self) -> None:
        """Choose landmarks as soon as the other searches would take longer than that."""
        graph = self._graph
        if self._bound is landmarks or self._searches < FEWEST or not _is_fine(graph):
            return
        passes = 1 + (2 if graph.directed else 1) * COUNT
        if self._left * self._expected() > passes * graph.num_nodes:
            self._bound = landmarks
            self._searches = self._expansions = 0


def _is_fine(graph: AnyGraph) -> bool:
    """Whether weights are close enough to each other for differences of costs to be exact."""
    if graph.is_grid or graph.weights is None:
        return True
    positive = graph.weights[graph.weights > 0]
    return bool(positive.size) and float(positive.max()) <= FINE * float(np.min(positive))
