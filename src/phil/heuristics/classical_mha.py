"""MHA* with classical heuristics only: the whole search, compiled."""

from __future__ import annotations

from collections.abc import Sequence

from phil.compiled import Struct, kernel, primitive
from phil.graphs import SearchedGraph
from phil.graphs.arrays import GraphArrays
from phil.heuristics.classical_value import ClassicalValue, classical_value, evaluate
from phil.search.guide import Guide
from phil.search.mha_queues import (
    Queues,
    enter_in_turn,
    enter_within_bound,
    expand_in_turn,
    expand_within_bound,
)
from phil.search.state import State


class ClassicalValues(Struct):
    """The values of several heuristics, in the order of their queues."""

    each: tuple[ClassicalValue, ...]


@primitive
def _evaluate_all(
    values: ClassicalValues, state: State, queues: Queues, graph: GraphArrays, count: int
) -> None:
    for number in range(len(values.each)):
        evaluate(values.each[number], state, graph, count, queues.values[number])


@kernel
def _run_in_turn(
    state: State,
    queues: Queues,
    values: ClassicalValues,
    graph: GraphArrays,
    goal: int,
    budget: int,
) -> int:
    while True:
        count = expand_in_turn(state, queues, graph, goal, budget)
        if count < 0:
            return count
        _evaluate_all(values, state, queues, graph, count)
        enter_in_turn(state, queues, count)


@kernel
def _run_within_bound(
    state: State,
    queues: Queues,
    values: ClassicalValues,
    graph: GraphArrays,
    goal: int,
    budget: int,
) -> int:
    while True:
        count = expand_within_bound(state, queues, graph, goal, budget)
        if count < 0:
            return count
        _evaluate_all(values, state, queues, graph, count)
        enter_within_bound(state, queues, graph, goal, count)


class ClassicalLoop:
    """Runs MHA* with the values of several classical guides."""

    def __init__(self, graph: SearchedGraph, goal: int, values: ClassicalValues) -> None:
        self._graph = graph
        self._goal = goal
        self._values = values

    def run_in_turn(self, state: State, queues: Queues, budget: int) -> int:
        """Search with queues that take turns."""
        return _run_in_turn(state, queues, self._values, self._graph.arrays, self._goal, budget)

    def run_within_bound(self, state: State, queues: Queues, budget: int) -> int:
        """Search with an anchor queue too."""
        arrays = self._graph.arrays
        return _run_within_bound(state, queues, self._values, arrays, self._goal, budget)


def share_loop(graph: SearchedGraph, goal: int, guides: Sequence[Guide]) -> ClassicalLoop | None:
    """The loop for these guides; None if one of them is not classical."""
    values = []
    for guide in guides:
        value = classical_value(guide)
        if value is None:
            return None
        values.append(value)
    return ClassicalLoop(graph, goal, ClassicalValues(tuple(values)))
