"""Bidirectional A* with heuristics whose values do not depend on the search, compiled."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from phil.compiled import Struct, kernel
from phil.heuristics.node_value import NodeValue, NodeValueGuide, value_of
from phil.search.ends import BEST, TURN, Ends
from phil.search.ends_astar import can_improve, expand_at_end, insert_at_end, next_of_ends
from phil.search.guide import Guide
from phil.search.state import EVALUATIONS


class ValuesOfEnds(Struct):
    """The values at both ends, to the goal first."""

    each: tuple[NodeValue, ...]


@kernel
def _run(values: ValuesOfEnds, ends: Ends, budget: int) -> int:
    while True:
        node = next_of_ends(ends)
        if node < 0:
            return node
        side = ends.marks[TURN]
        state, graph = ends.states[side], ends.graphs[side]
        if ends.costs[BEST] < np.inf:
            state.counters[EVALUATIONS] += 1
            there = value_of(values.each[1 - side], graph, node)
            if not can_improve(ends, node, there):
                continue
        count = expand_at_end(ends, node, budget)
        if count < 0:
            return count
        for k in range(count):
            state.values[k] = value_of(values.each[side], graph, state.new[k])
        insert_at_end(ends, count)


def share_ends(guide: NodeValueGuide, other: Guide) -> Callable[[Ends, int], int] | None:
    """The loop for the guides of both ends; None if the other has no values of this kind."""
    if not isinstance(other, NodeValueGuide):
        return None
    return partial(_run, ValuesOfEnds((guide.value, other.value)))
