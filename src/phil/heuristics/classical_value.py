"""The values of any classical heuristic, for kernels that are compiled once for all of them.

A search with one heuristic has a kernel for its kind alone, which compiles faster.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Struct, primitive
from phil.graphs.arrays import GraphArrays
from phil.heuristics.node_value import NO_VALUE, NodeValue, NodeValueGuide, value_of
from phil.heuristics.obstacles import ObstacleGuide, Obstacles, allocate, evaluate_new
from phil.search.guide import Guide
from phil.search.state import EXPANDED, State

NO_OBSTACLES = allocate(0, 0)


class ClassicalValue(Struct):
    """How a classical heuristic evaluates nodes: by itself, or by the obstacles discovered."""

    by_obstacles: bool
    node_value: NodeValue
    obstacles: Obstacles


def classical_value(guide: Guide) -> ClassicalValue | None:
    """The values of a guide; None if it is not classical."""
    if isinstance(guide, NodeValueGuide):
        return ClassicalValue(False, guide.value, NO_OBSTACLES)
    if isinstance(guide, ObstacleGuide):
        return ClassicalValue(True, NO_VALUE, guide.obstacles)
    return None


@primitive
def evaluate(
    value: ClassicalValue,
    state: State,
    graph: GraphArrays,
    count: int,
    values: NDArray[np.float64],
) -> None:
    """Write the values of the first `count` nodes of V_new."""
    if value.by_obstacles:
        expanded = state.counters[EXPANDED]
        evaluate_new(value.obstacles, graph, expanded, state.new, count, values)
        return
    for k in range(count):
        values[k] = value_of(value.node_value, graph, state.new[k])
