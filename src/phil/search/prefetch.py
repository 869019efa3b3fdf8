"""Which nodes of an implicit graph to ask for along with the best one, in one batch."""

from __future__ import annotations

from heapq import heappop, heappush

from phil.graphs.arrays import GraphArrays
from phil.search.heap import CHILDREN, NODE_BITS, NODE_MASK
from phil.search.state import EXPANDED, State

PATIENCE = 4  # entries looked at per node to find


def next_to_ask(state: State, graph: GraphArrays, goal: int, most: int) -> list[int]:
    """The best nodes of OPEN whose neighbours are unknown, at most so many, the best one first.

    Only the first entries of OPEN are looked at, in order: what ranks far behind is unlikely to be
    expanded soon.
    """
    found = [int(state.counters[EXPANDED])]
    entries = int(state.open.size[0])
    ranks, tags = state.open.ranks.data, state.open.tags.data
    orders = state.nodes["order"]
    ahead: list[tuple[int, int, int]] = []  # rank, tag and place of entries not looked at
    if entries:
        ahead.append((ranks[0], tags[0], 0))
    for _ in range(PATIENCE * most):
        if not ahead or len(found) >= most:
            break
        _, tag, place = heappop(ahead)
        child = CHILDREN * place + 1
        for other in range(child, min(child + CHILDREN, entries)):
            heappush(ahead, (ranks[other], tags[other], other))
        node = tag & NODE_MASK
        if (
            orders[node] == tag >> NODE_BITS
            and graph.first[node] < 0
            and node not in (goal, *found)
        ):
            found.append(node)
    return found
