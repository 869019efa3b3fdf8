"""Heuristics whose value of a node does not depend on the search: one kernel for all of them.

A `NodeValue` says how the value is computed: a kind, and the arrays that this kind reads. (Kernels
are never passed as arguments: Numba would recompile them in every process.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Array2, Struct, direct, kernel, primitive
from phil.errors import InputError, shortened
from phil.graphs import SearchedGraph
from phil.graphs.arrays import GraphArrays, position, position_size, write_position
from phil.graphs.lower_bound import NO_BOUND, LowerBound, aim, highest_gap, least_cost
from phil.search.batch import QUERY, Batch, begins, record
from phil.search.ends import Ends
from phil.search.expand import expand, insert
from phil.search.guide import Expansion, Guide, SharedLoop, Traits
from phil.search.state import State

ZERO, EUCLIDEAN, MANHATTAN, FREE_WAY, TABLE, LANDMARKS = range(6)  # kinds


class NodeValue(Struct):
    """How a node's value is computed; arrays that its kind does not read are empty."""

    kind: int
    # EUCLIDEAN, MANHATTAN: the goal's features, and a buffer for those of a node.
    there: Array1[np.float32]
    here: Array1[np.float32]
    lower: LowerBound  # FREE_WAY
    # TABLE: (nodes, 1), the values. LANDMARKS: (nodes, landmarks), the costs to each landmark; on
    # directed graphs also those from each.
    table: Array2[np.float64]
    goal_row: Array1[np.float64]  # LANDMARKS: the goal's row of the table
    one_way: bool


_NO_FEATURES = np.empty(0, np.float32)
NO_VALUE = NodeValue(
    ZERO, _NO_FEATURES, _NO_FEATURES, NO_BOUND, np.empty((0, 0)), np.empty(0), False
)


def feature_distance(kind: int, graph: SearchedGraph, goal: int) -> NodeValue:
    """The distance between the features of a node and those of the goal; on a grid, of cells."""
    dimension = position_size(graph.arrays)
    there = np.empty(dimension, np.float32)
    write_position(graph.arrays, goal, there)
    return NO_VALUE.replace(kind=kind, there=there, here=np.empty(dimension, np.float32))


def free_way(lower: LowerBound) -> NodeValue:
    """The cost that a lower bound gives."""
    return NO_VALUE.replace(kind=FREE_WAY, lower=lower)


def table_lookup(table: NDArray[np.float64]) -> NodeValue:
    """The value of a node in a table."""
    rows = np.ascontiguousarray(table, np.float64).reshape(-1, 1)
    return NO_VALUE.replace(kind=TABLE, table=rows)


def landmark_bound(table: NDArray[np.float64], goal: int, *, one_way: bool) -> NodeValue:
    """The lower bound from landmarks."""
    return NO_VALUE.replace(
        kind=LANDMARKS, table=table, goal_row=table[goal].copy(), one_way=one_way
    )


@primitive
def _feature_distance(value: NodeValue, graph: GraphArrays, node: int) -> float:
    """In cells on a grid."""
    position(graph, node, value.here)
    total = 0.0
    for column in range(value.here.size):
        gap = np.float64(value.here[column]) - np.float64(value.there[column])
        if value.kind == EUCLIDEAN:
            total += gap * gap
        else:
            total += abs(gap)
    return np.sqrt(total) if value.kind == EUCLIDEAN else total


@primitive
def value_of(value: NodeValue, graph: GraphArrays, node: int) -> float:
    """The value of a node."""
    if value.kind == ZERO:
        return 0.0
    if value.kind == FREE_WAY:
        return least_cost(graph, value.lower, node)
    if value.kind == TABLE:
        return float(value.table[node, 0])
    if value.kind == LANDMARKS:
        return highest_gap(value.table, value.goal_row, value.one_way, node, 0.0)
    return _feature_distance(value, graph, node)


@kernel
def _score(
    value: NodeValue, graph: GraphArrays, new: NDArray[np.int32], values: NDArray[np.float64]
) -> None:
    for k in range(new.size):
        values[k] = value_of(value, graph, new[k])


@kernel
def _run(state: State, value: NodeValue, graph: GraphArrays, goal: int, budget: int) -> int:
    while True:
        count = expand(state, graph, goal, budget)
        if count < 0:
            return count
        for k in range(count):
            state.values[k] = value_of(value, graph, state.new[k])
        insert(state, graph, count)


@primitive
def _aim(value: NodeValue, graph: GraphArrays, goal: int) -> None:
    """Direct the values at another goal."""
    if value.kind == EUCLIDEAN or value.kind == MANHATTAN:
        position(graph, goal, value.there)
    elif value.kind == FREE_WAY:
        aim(graph, value.lower, goal)
    elif value.kind == LANDMARKS:
        for column in range(value.goal_row.size):
            value.goal_row[column] = value.table[goal, column]


@kernel
def _run_batch(batch: Batch, state: State, value: NodeValue, graph: GraphArrays) -> int:
    code = 0
    while code == 0:
        goal = batch.goals[batch.progress[QUERY]]
        if begins(batch, state):
            _aim(value, graph, goal)
        code = record(batch, state, graph, _run(state, value, graph, goal, batch.budget))
    return code


class NodeValueGuide:
    """Guides one search by a value per node."""

    def __init__(self, graph: SearchedGraph, goal: int, value: NodeValue) -> None:
        self.value = value
        self._graph = graph
        self._goal = goal

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The value of each new node."""
        values = np.empty(expansion.new.size)
        _score(self.value, self._graph.arrays, np.ascontiguousarray(expansion.new), values)
        return values

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        return direct(_run)(state, self.value, self._graph.arrays, self._goal, budget)

    def share_loop(self, guides: Sequence[Guide]) -> SharedLoop | None:
        """The compiled loop of MHA* if all guides are classical."""
        from phil.heuristics.classical_mha import share_loop  # which knows this class

        return share_loop(self._graph, self._goal, guides)

    def share_ends(self, other: Guide) -> Callable[[Ends, int], int] | None:
        """The compiled loop of bidirectional A* if the other end has such a guide, too."""
        from phil.heuristics.both_ends import share_ends  # which knows this class

        return share_ends(self, other)

    def run_batch(self, state: State, batch: Batch) -> int:
        """Many searches, compiled; not for tables of distances to one goal."""
        return _run_batch(batch, state, self.value, self._graph.arrays)


class TableHeuristic:
    """Values known before the search, one per node id."""

    traits = Traits("values from a table", batches=True)

    def __init__(self, table: NDArray[np.float64], name: str = "table") -> None:
        self.name = name
        self._value = table_lookup(table)

    def __repr__(self) -> str:
        return f"TableHeuristic({shortened(self.name)}, values={len(self._value.table)})"

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> NodeValueGuide:
        """A guide for one search; raises `InputError` if not every id of the graph has a value."""
        if not graph.is_known:
            raise InputError(
                f"{self.name} needs a graph that is known in full, whose ids are fixed"
            )
        values = len(self._value.table)
        if values < graph.size:
            raise InputError(f"{self.name} has {values} values, but the graph {graph.size} ids")
        return NodeValueGuide(graph, goal, self._value)
