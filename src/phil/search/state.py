"""The state of one best-first search, as arrays that kernels work on.

A search alternates `expand`, which moves the best node of OPEN to CLOSE and discovers its new
neighbours (V_new), and `insert`, which puts them into OPEN with the values that a guide gave them.
What is known of a node is a record, found by its id. Nothing is cleared between searches: a
record's `stamp` says whether it belongs to the search at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.errors import InputError
from phil.graphs.lower_bound import NO_BOUND, LowerBound
from phil.memory import check_memory
from phil.search.heap import MOST_ORDERS, Heap, allocate_heap, room_of, with_room

# What `expand` and the compiled loops return instead of a number of new nodes.
EMPTY = -1  # OPEN ran empty
FOUND = -2  # the goal was moved to CLOSE
PAUSED = -3  # the budget of expansions is used up
FULL = -4  # OPEN has no room for another expansion
UNKNOWN = -5  # the neighbours of the best node of OPEN must be asked for (counter EXPANDED)
UNKNOWN_NEW = -6  # a guide needs the neighbours of V_new; its loop goes on with counter PENDING
MET = -7  # with a bound: the goal is the best node of OPEN, and its path is to be proven
PROVEN = -8  # with a bound: the path found before is good enough
NOT_A_NUMBER = -9  # a guide's value is NaN (counter BAD_NODE)

# Rows of `State.counters`.
SEARCH, ORDER, OPEN_NODES, EXPANSIONS, REOPENED = 0, 1, 2, 3, 4
GENERATED, EVALUATIONS, NEIGHBOR_CALLS, TRACED, EXPANDED = 5, 6, 7, 8, 9
PENDING, BAD_NODE, NEAR = 10, 11, 12
COUNTERS = 13

NONE = -1

# `Node.stamp` is STAGES * search + stage.
NEW, OPEN, CLOSED, OPEN_AGAIN, FINAL = 0, 1, 2, 3, 4  # FINAL: closed, and never opened again
STAGES = 5
MOST_SEARCHES = 2**31 // STAGES - 1

NODE = np.dtype(
    [
        ("stamp", np.int32),
        ("order", np.uint32),  # of its entry in OPEN; 0 when it has none
        ("g", np.float64),
        ("h", np.float64),
        ("depth", np.int32),
        ("parent", np.int32),
    ]
)

# Rows of `State.bounds`, for searches with a bound on the path's cost (see `phil.search.open`).
PART, BOUND, LOWEST, CEILING = 0, 1, 2, 3
PLAIN, SEEKING, PROVING = 0.0, 1.0, 2.0  # parts of a search: without a bound, and with one

FIRST_ROOM = 1024  # entries of OPEN to begin with


@dataclass(frozen=True)
class Key:
    """The order of OPEN, least first: `g * path cost + h * heuristic value + depth * moves`.

    Equal keys leave OPEN in the order in which they entered it.

    Parameters
    ----------
    g, h, depth : float
        The weights of the path cost from the start, the heuristic's value and the number of moves
        from the start.
    reopen : bool
        Whether, where path cost counts, a closed node to which a better path is found is opened
        again. Weighted A* with a consistent heuristic keeps its bound without, and expands no node
        twice.

    Examples
    --------
    >>> import phil
    >>> phil.ASTAR == phil.Key(g=1.0, h=1.0)
    True
    """

    g: float
    h: float
    depth: float = 0.0
    reopen: bool = True


GREEDY = Key(g=0.0, h=1.0)
ASTAR = Key(g=1.0, h=1.0)
BFS = Key(g=0.0, h=0.0)


class State(NamedTuple):
    """The arrays of one search; room for `size` node ids with at most `degree` neighbours each."""

    nodes: NDArray[np.void]  # of type NODE
    open: Heap  # by key
    waiting: Heap  # with a bound: nodes that wait, by the least cost of a path through them
    # V_new of the last expansion, and room for its values.
    new: NDArray[np.int32]
    values: NDArray[np.float64]
    # Room for the neighbours of one node.
    near: NDArray[np.int32]
    edges: NDArray[np.int64]
    costs: NDArray[np.float64]
    trace: NDArray[np.int32]
    weights: NDArray[np.float64]  # of the key: g, h, depth; and 1 if it opens nodes again
    bounds: NDArray[np.float64]
    lower: LowerBound
    counters: NDArray[np.int64]


def allocate(size: int, degree: int, room: int = FIRST_ROOM) -> State:
    """A state for graphs of up to `size` node ids, with room for so many entries of OPEN.

    Records are asked for but not touched: the system gives memory as they are used.
    """
    check_memory(size * NODE.itemsize, f"a search on a graph of {size:,} nodes")
    return State(
        nodes=np.zeros(size, NODE),
        open=allocate_heap(room + degree),
        waiting=allocate_heap(0),
        new=np.empty(degree, np.int32),
        values=np.empty(degree),
        near=np.empty(degree, np.int32),
        edges=np.empty(degree, np.int64),
        costs=np.empty(degree),
        trace=np.empty(0, np.int32),
        weights=np.array([0.0, 0.0, 0.0, 1.0]),
        bounds=np.zeros(4),
        lower=NO_BOUND,
        counters=np.zeros(COUNTERS, np.int64),
    )


def with_room_for_entries(state: State) -> State:
    """The same search with twice the room in OPEN: what a search that is FULL needs to go on."""
    if state.counters[ORDER] >= MOST_ORDERS - state.new.size:
        raise InputError(
            f"a search may put at most {MOST_ORDERS:,} entries into OPEN; "
            "give it a limit of expansions"
        )
    larger = state._replace(open=with_room(state.open, 2 * room_of(state.open)))
    return larger if state.bounds[PART] == PLAIN else with_room_for_waiting(larger)


def with_room_for_waiting(state: State) -> State:
    """The same search with the room that a bound needs: any open node may have to wait."""
    return state._replace(waiting=with_room(state.waiting, room_of(state.open)))


def with_room_for_nodes(state: State, size: int, degree: int) -> State:
    """The same search with room for more nodes, or nodes with more neighbours."""
    if state.nodes.size < size:
        nodes = np.zeros(max(size, 2 * state.nodes.size), NODE)
        nodes[: state.nodes.size] = state.nodes
        state = state._replace(nodes=nodes)
    if state.new.size < degree:
        degree = max(degree, 2 * state.new.size)
        new = np.empty(degree, np.int32)
        new[: state.new.size] = state.new
        state = state._replace(
            new=new,
            values=np.empty(degree),
            near=np.empty(degree, np.int32),
            edges=np.empty(degree, np.int64),
            costs=np.empty(degree),
        )
    return state


class StatePool:
    """Lends states out and takes them back, so that a query allocates nothing in the long run."""

    KEPT = 4

    def __init__(self) -> None:
        self._free: list[State] = []
        self._lock = Lock()

    def take(self, size: int, degree: int) -> State:
        """A state that is large enough; its arrays may be longer than asked for."""
        with self._lock:
            for position, state in enumerate(self._free):
                if state.nodes.size >= size and state.new.size >= degree:
                    return self._free.pop(position)
        return allocate(size, degree)

    def give_back(self, state: State) -> None:
        """Keep a state for the next search; the smallest one goes when there are too many."""
        if state.counters[SEARCH] >= MOST_SEARCHES:
            return
        with self._lock:
            self._free.append(state)
            if len(self._free) > self.KEPT:
                self._free.sort(key=lambda kept: kept.nodes.size)
                self._free.pop(0)


@primitive
def stage_stamp(state: State, stage: int) -> int:
    """The stamp of a node at a stage of this search."""
    return STAGES * state.counters[SEARCH] + stage


@primitive
def is_open(state: State, node: int) -> bool:
    """Whether the node is in OPEN."""
    return state.nodes[node].stamp == stage_stamp(state, OPEN) or was_closed(state, node)


@primitive
def was_closed(state: State, node: int) -> bool:
    """Whether the node is in OPEN, but was in CLOSE before."""
    return state.nodes[node].stamp == stage_stamp(state, OPEN_AGAIN)


@kernel
def path_length(state: State, goal: int) -> int:
    """The number of nodes of the path to a node that the search has met."""
    count = 1
    node = np.int64(goal)
    while state.nodes[node].parent >= 0:
        node = np.int64(state.nodes[node].parent)
        count += 1
    return count


@kernel
def write_path(state: State, goal: int, path: NDArray[np.int64]) -> None:
    """Write the path to a node, start first."""
    node = np.int64(goal)
    for position in range(path.size - 1, -1, -1):
        path[position] = node
        node = np.int64(state.nodes[node].parent)
