"""Bidirectional A*, compiled: the algorithm NBA* of Pijls and Post (2009).

Each end expands its node with the lowest f = g + value, values being lower bounds on the cost to
the opposite end. A node is expanded from one end only: where that end has been, the other need not
go. BEST is the cost of the best path known. With consistent values, a path through an open node u
of one end that is better than the best one known

- costs at least f(u), and
- leaves u for an open node w of the other end, so that its part from u on costs at least F - h(u),
  where F is the lowest f at the other end and h(u) is the value that u has there, and also at least
  F - (the highest value there) + (the cheapest edge).

A node of which one of these shows that it cannot improve on BEST is dropped. When an end has no
node left, BEST is optimal. With values of 0 this is Dijkstra's algorithm from both ends, which ends
when the sum of the lowest g of both, plus the cheapest edge, reaches BEST.
"""

from __future__ import annotations

import numpy as np

from phil.compiled import kernel, primitive
from phil.search.ends import (
    BEST,
    CHEAPEST,
    HIGHEST,
    TURN,
    Ends,
    is_closed,
    look_for_other,
    smaller,
)
from phil.search.expand import insert, try_close
from phil.search.heap import drop, key_at, node_of
from phil.search.open import drop_stale
from phil.search.state import BAD_NODE, EMPTY, FOUND, NONE, NOT_A_NUMBER, ROUNDING


@primitive
def _lowest(ends: Ends, side: int) -> float:
    """The lowest key of an end; inf if it has no node left that the other has not expanded."""
    state, other = ends.states[side], ends.states[1 - side]
    heap = state.open
    drop_stale(state, heap)
    while heap.size[0] > 0 and is_closed(other, node_of(heap.tags[0])):
        drop(heap)
        drop_stale(state, heap)
    return key_at(heap, 0)


@primitive
def next_of_ends(ends: Ends) -> int:
    """The node to expand next, at the end with the smaller OPEN (TURN); or a code."""
    if ends.states[0].counters[BAD_NODE] != 0:
        return NOT_A_NUMBER
    one, two = _lowest(ends, 0), _lowest(ends, 1)
    known = ends.costs[BEST]
    if ends.states[0].open.size[0] == 0 or ends.states[1].open.size[0] == 0:
        return EMPTY if known == np.inf else FOUND
    if known < np.inf:
        g_one, g_two = one - ends.costs[HIGHEST], two - ends.costs[HIGHEST + 1]
        least = max(one, two, g_one + g_two + ends.costs[CHEAPEST])
        if least * ROUNDING >= known:
            return FOUND
    ends.marks[TURN] = smaller(ends)
    return node_of(ends.states[ends.marks[TURN]].open.tags[0])


@primitive
def can_improve(ends: Ends, node: int, value: float) -> bool:
    """Whether the best path may go through a node, whose value at the other end is given.

    If not, the node is dropped from OPEN.
    """
    side = ends.marks[TURN]
    state, other = ends.states[side], ends.states[1 - side]
    lowest = key_at(other.open, 0)
    rest = max(lowest - value, lowest - ends.costs[HIGHEST + 1 - side] + ends.costs[CHEAPEST])
    if (state.nodes[node].g + rest) * ROUNDING < ends.costs[BEST]:
        return True
    state.nodes[node].order = 0
    drop(state.open)
    return False


@primitive
def expand_at_end(ends: Ends, node: int, budget: int) -> int:
    """Expand a node from the end whose turn it is; the size of V_new, or a code."""
    side = ends.marks[TURN]
    count = try_close(ends.states[side], ends.graphs[side], node, NONE, budget)
    if count >= 0:
        look_for_other(ends, side)
    return count


@primitive
def insert_at_end(ends: Ends, count: int) -> None:
    """Insert V_new into OPEN with the values of its end."""
    side = ends.marks[TURN]
    state = ends.states[side]
    for k in range(count):
        if state.values[k] < np.inf:  # there is no path at all through a node of infinite value
            ends.costs[HIGHEST + side] = max(ends.costs[HIGHEST + side], state.values[k])
    insert(state, ends.graphs[side], count)


@kernel
def next_node(ends: Ends) -> int:
    """`next_of_ends`, for guides in Python."""
    return next_of_ends(ends)


@kernel
def is_worthwhile(ends: Ends, node: int, value: float) -> bool:
    """`can_improve`, for guides in Python."""
    return can_improve(ends, node, value)


@kernel
def expand_node(ends: Ends, node: int, budget: int) -> int:
    """`expand_at_end`, for guides in Python."""
    return expand_at_end(ends, node, budget)


@kernel
def insert_nodes(ends: Ends, count: int) -> None:
    """`insert_at_end`, for guides in Python."""
    insert_at_end(ends, count)
