"""A search from both ends, compiled: from the start, and from the goal against the edges.

Each end has a `State` of its own. The two share their counters and their trace, so that all counts
are those of both, and a stamp means the same to both.
"""

from __future__ import annotations

import numpy as np

from phil.compiled import Array1, Struct, kernel, primitive
from phil.graphs import AnyGraph
from phil.graphs.arrays import GraphArrays, degree_of, place_of_node, target_of
from phil.search.expand import try_close
from phil.search.open import begin, best, push
from phil.search.state import (
    CLOSED,
    EMPTY,
    EXPANDED,
    FOUND,
    GENERATED,
    NEW,
    NONE,
    OPEN_NODES,
    SEARCH,
    State,
    stage_stamp,
)

FORWARD, BACKWARD = 0, 1

# Rows of `Ends.marks`: the end whose turn it is and the one that expanded the last node, the depth
# of the level that is being expanded, and the node where the halves of the best path known meet.
TURN, LAST, LEVEL, MEETING = 0, 1, 2, 3

# Rows of `Ends.costs`: of the best path known, of the cheapest edge, and the highest value so far
# of a node discovered from the start; that of nodes discovered from the goal follows.
BEST, CHEAPEST, HIGHEST = 0, 1, 2


class Ends(Struct):
    """Both ends of a search, the one at the start first."""

    states: tuple[State, ...]
    graphs: tuple[GraphArrays, ...]
    marks: Array1[np.int64]
    costs: Array1[np.float64]


def begin_both(
    graph: AnyGraph, start: int, goal: int, states: tuple[State, State], cheapest: float
) -> Ends:
    """Start a search from both ends; from now on, the second state has the counters of the first.

    Parameters
    ----------
    graph
        The graph.
    start, goal
        Node ids.
    states
        One for each end, with the weights of their keys.
    cheapest
        The weight of the cheapest edge.

    Returns
    -------
    Ends
        OPEN = {start} at one end and {goal} at the other.
    """
    one, other = states
    searches = max(one.counters[SEARCH], other.counters[SEARCH])
    other.counters, other.trace = one.counters, one.trace
    for state, node in ((other, goal), (one, start)):
        one.counters[SEARCH] = searches  # the same for both
        begin(state, node)
    for row in (GENERATED, OPEN_NODES):
        one.counters[row] = 2
    return Ends(
        states=states,
        graphs=(graph.arrays, graph.reversed().arrays),
        # As if the last node had been expanded from the goal: the start is expanded first.
        marks=np.array([BACKWARD, BACKWARD, NONE, start if start == goal else NONE]),
        costs=np.array([np.inf, cheapest, 0.0, 0.0]),
    )


@primitive
def is_discovered(state: State, node: int) -> bool:
    """Whether this end has discovered a node."""
    return bool(state.nodes[node].stamp >= stage_stamp(state, NEW))


@primitive
def is_closed(state: State, node: int) -> bool:
    """Whether this end has expanded a node."""
    return bool(state.nodes[node].stamp == stage_stamp(state, CLOSED))


@primitive
def look_for_other(ends: Ends, side: int) -> bool:
    """Whether the node just expanded leads to one that the other end has discovered, too.

    The cheapest path through such a node is kept if it is better than the best one known.
    """
    state, other, graph = ends.states[side], ends.states[1 - side], ends.graphs[side]
    node = state.counters[EXPANDED]
    ends.marks[LAST] = side
    place = place_of_node(graph, node)
    found = False
    for edge in range(degree_of(graph, node)):
        near = target_of(graph, node, place, edge)
        if near >= 0 and is_discovered(other, near):
            found = True
            cost = state.nodes[near].g + other.nodes[near].g
            if cost < ends.costs[BEST]:
                ends.costs[BEST] = cost
                ends.marks[MEETING] = near
    return found


@kernel
def have_met(ends: Ends, side: int) -> bool:
    """`look_for_other`, for searches in Python."""
    return look_for_other(ends, side)


@primitive
def smaller(ends: Ends) -> int:
    """The end with the smaller OPEN; if they are alike, the one that did not expand last."""
    last = int(ends.marks[LAST])
    this, other = ends.states[last].open.size[0], ends.states[1 - last].open.size[0]
    return last if this < other else 1 - last


@primitive
def _turn_of_level(ends: Ends) -> int:
    """The next node of the level, or of the next level at the end where it is smaller."""
    marks = ends.marks
    state = ends.states[marks[TURN]]
    node = best(state)
    if node != NONE and state.nodes[node].depth == marks[LEVEL]:
        return node
    # A level is complete, so that OPEN is the next one at both ends.
    marks[TURN] = smaller(ends)
    state = ends.states[marks[TURN]]
    node = best(state)
    if node == NONE:
        return EMPTY
    marks[LEVEL] = state.nodes[node].depth
    return node


@kernel
def run_by_levels(ends: Ends, budget: int) -> int:
    """Breadth-first search, level by level.

    If an end has discovered all nodes up to depth a and the other up to depth b, and they have none
    in common, then no path has fewer than a + b + 1 moves. A first meeting while the next level is
    discovered at one of them is a path of that many.
    """
    while True:
        node = _turn_of_level(ends)
        if node < 0:
            return node
        side = ends.marks[TURN]
        state, graph = ends.states[side], ends.graphs[side]
        count = try_close(state, graph, node, NONE, budget)
        if count < 0:
            return count
        if look_for_other(ends, side):
            return FOUND
        for k in range(count):
            push(state, graph, state.new[k])


@kernel
def take_turn(ends: Ends) -> int:
    """The end with the smaller OPEN, which expands its best node next; EMPTY if one has none left.

    Measured with learned heuristics on citation graphs: strict alternation expands a few per cent
    more, and the end with the lowest value several times as many.
    """
    for side in range(len(ends.states)):
        if best(ends.states[side]) == NONE:
            return EMPTY
    ends.marks[TURN] = smaller(ends)
    return int(ends.marks[TURN])
