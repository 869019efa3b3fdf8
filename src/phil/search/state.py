"""The state of one best-first search, as arrays that kernels work on.

A search alternates between `expand`, which moves the best node of OPEN to CLOSE and discovers its
new neighbours (V_new), and `insert`, which inserts them into OPEN with the values from a guide.
Each node has a record, indexed by its id. Nothing is cleared between searches: a record's `stamp`
tells whether it belongs to the current search.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from phil.arguments import FLAG, Kind, is_number
from phil.compiled import Array1, Struct, kernel, primitive
from phil.errors import InputError
from phil.graphs.lower_bound import NO_BOUND, LowerBound
from phil.memory import check_memory
from phil.search.heap import MOST_ORDERS, Heap, allocate_heap, room_of, with_room

# Codes that `expand` and the compiled loops return instead of a number of new nodes.
EMPTY = -1  # OPEN ran empty
FOUND = -2  # the goal was moved to CLOSE
PAUSED = -3  # the budget of expansions is used up
FULL = -4  # OPEN has no room for another expansion
UNKNOWN = -5  # the neighbours of the best node of OPEN are not known yet (counter EXPANDED)
UNKNOWN_NEW = -6  # a guide needs the neighbours of V_new; its loop continues with counter PENDING
MET = -7  # with a bound: the goal is reached, or it is time to look for a better path
PROVEN = -8  # with a bound: the path found before is good enough
NOT_A_NUMBER = -9  # a guide's value is NaN (counter BAD_NODE)

# Rows of `State.counters`.
SEARCH, ORDER, OPEN_NODES, EXPANSIONS, REOPENED = 0, 1, 2, 3, 4
GENERATED, EVALUATIONS, NEIGHBOR_CALLS, TRACED, EXPANDED = 5, 6, 7, 8, 9
PENDING, BAD_NODE, SHARED, TWIN_CLOSED = 10, 11, 12, 13
AHEAD = 14  # nodes called to look ahead, but not expanded
UNGUIDED, UNGUIDED_CALLS = 15, 16  # nodes that no guide was asked about; those of them expanded
COUNTERS = 17

NONE = -1

# `Node.stamp` is STAGES * search + stage.
NEW, OPEN, CLOSED, OPEN_AGAIN, FINAL = 0, 1, 2, 3, 4  # FINAL: closed and never reopened
STAGES = 5
MOST_SEARCHES = 2**31 // STAGES - 1

NODE = np.dtype(
    [
        ("stamp", np.int32),
        ("order", np.uint32),  # of its entry in OPEN; 0 if it has none
        ("g", np.float64),
        ("h", np.float64),
        ("depth", np.int32),
        ("parent", np.int32),
    ]
)

# A record of `State.trace`: an expanded node as it was then, and the counters.
TRACE = np.dtype(
    [
        ("node", np.int32),
        ("parent", np.int32),
        ("depth", np.int32),
        ("g", np.float64),
        ("h", np.float64),
        ("called", np.int64),  # for expanding, this node included, and for looking ahead lazily
        ("shown", np.int64),  # to guides: nodes discovered before, for which they may look ahead
    ]
)

# Rows of `State.bounds`, for searches with a suboptimality bound (see `phil.search.proof`).
PART, BOUND, LOWEST, CEILING = 0, 1, 2, 3
PASS_CEILING, LAST_PASS, NEXT_LOOK = 4, 5, 6  # the last two are numbers of expansions
PLAIN, SEEKING, IMPROVING, PROVING = 0.0, 1.0, 2.0, 3.0  # parts: without a bound, and with one

# Sums of the same edge weights differ by rounding: what is equal up to rounding counts as equal.
ROUNDING = 1.0 + 1e-12

NO_TRACE = np.empty(0, TRACE)
NO_TWIN = np.zeros(0, NODE)
FIRST_ROOM = 1024  # initial capacity of OPEN


MOST_KEY_WEIGHT = 1e100  # times the cost of any path, it is still a float
KEY_WEIGHT = Kind(
    f"a number between -{MOST_KEY_WEIGHT:g} and {MOST_KEY_WEIGHT:g}",
    lambda value: is_number(value) and -MOST_KEY_WEIGHT <= value <= MOST_KEY_WEIGHT,
)


@dataclass(frozen=True)
class Key:
    """The order of OPEN, lowest first: `g * path cost + h * heuristic value + depth * moves`.

    Nodes with equal keys leave OPEN first in, first out, except in A* and weighted A*: see
    `ties_to_goal`.

    Parameters
    ----------
    g, h, depth : float
        The weights of the path cost from the start, the heuristic value and the number of moves
        from the start.
    reopen : bool
        Whether a closed node is reopened when a better path to it is found, if `g` is not 0.
        Weighted A* with a consistent heuristic keeps its suboptimality bound without reopening, and
        expands no node twice.
    ties_to_goal : bool
        Whether, of nodes with equal keys, up to rounding, the one with the lowest heuristic value
        leaves OPEN first, if `g` and `h` are both positive.

    Raises
    ------
    InputError
        If a weight is not a number of at most 1e100.

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
    ties_to_goal: bool = True

    def __post_init__(self) -> None:
        for name in ("g", "h", "depth"):
            KEY_WEIGHT.check(getattr(self, name), f"the weight {name} of a key")
        for name in ("reopen", "ties_to_goal"):
            FLAG.check(getattr(self, name), f"{name} of a key")

    @property
    def is_greedy(self) -> bool:
        """Whether it ignores the path cost, and orders by more than moves from the start.

        The path of such a search is the cheapest one inside what it knows, since its parents follow
        no rule about paths. Those of breadth-first search do: fewest moves.
        """
        return self.g == 0 and (self.h != 0 or self.depth < 0)


GREEDY = Key(g=0.0, h=1.0)
ASTAR = Key(g=1.0, h=1.0)
BFS = Key(g=0.0, h=0.0)


class State(Struct):
    """The arrays of one search, for `size` node ids with at most `degree` neighbours each."""

    nodes: Annotated[NDArray[np.void], 1, NODE]  # of type NODE
    open: Heap  # by key
    # With a bound. Once the goal is reached: all open nodes, by the lower bound of paths through
    # them. Closed nodes with a better path that their neighbours have not been given yet, by g.
    waiting: Heap
    again: Heap
    # V_new of the last expansion, and a buffer for its values.
    new: Array1[np.int32]
    values: Array1[np.float64]
    trace: Annotated[NDArray[np.void], 1, TRACE]  # of type TRACE
    weights: Array1[np.float64]  # of the key: g, h, depth; and 1 if it reopens nodes
    bounds: Array1[np.float64]
    lower: LowerBound
    counters: Array1[np.int64]
    # The records of another search on the same problem. What that has expanded costs this one no
    # expansion: it is counted as SHARED. The other's stamps are at least TWIN_CLOSED there.
    twin: Annotated[NDArray[np.void], 1, NODE]


def allocate(size: int, degree: int, room: int = FIRST_ROOM) -> State:
    """A state for graphs of up to `size` node ids, with `room` entries of OPEN.

    The records are not touched, so memory is committed only as they are used.
    """
    check_memory(size * NODE.itemsize, f"a search on a graph of {size:,} nodes")
    return State(
        nodes=np.zeros(size, NODE),
        open=allocate_heap(room + degree),
        waiting=allocate_heap(0),
        again=allocate_heap(0),
        new=np.empty(degree, np.int32),
        values=np.empty(degree),
        trace=NO_TRACE,
        weights=np.array([0.0, 0.0, 0.0, 1.0]),
        bounds=np.zeros(7),
        lower=NO_BOUND,
        counters=np.zeros(COUNTERS, np.int64),
        twin=NO_TWIN,
    )


def make_room_for_entries(state: State) -> None:
    """Double the room in OPEN, which a search that is FULL needs."""
    if state.counters[ORDER] >= MOST_ORDERS - state.new.size:
        raise InputError(
            f"a search can insert at most {MOST_ORDERS:,} entries into OPEN; "
            "set a limit on expansions"
        )
    state.open = with_room(state.open, 2 * room_of(state.open))
    if state.bounds[PART] != PLAIN:
        make_room_for_waiting(state)


def make_room_for_waiting(state: State, entries: int = 0) -> None:
    """Make the room that a bound needs: as much as OPEN has, and so many entries more there."""
    state.open = with_room(state.open, int(state.open.size[0]) + entries)
    state.waiting = with_room(state.waiting, room_of(state.open))
    state.again = with_room(state.again, room_of(state.open))


def make_room_for_nodes(state: State, size: int, degree: int) -> None:
    """Make room for more nodes, or nodes with more neighbours."""
    if state.nodes.size < size:
        nodes = np.zeros(max(size, 2 * state.nodes.size), NODE)
        nodes[: state.nodes.size] = state.nodes
        state.nodes = nodes
    if state.new.size < degree:
        degree = max(degree, 2 * state.new.size)
        new = np.empty(degree, np.int32)
        new[: state.new.size] = state.new
        state.new = new
        state.values = np.empty(degree)


class StatePool:
    """Reuses states, so that queries allocate nothing in the long run."""

    KEPT = 4

    def __init__(self) -> None:
        self._free: list[State] = []
        self._lock = Lock()

    def take(self, size: int, degree: int) -> State:
        """A state that is large enough; its arrays may be longer than necessary."""
        with self._lock:
            for position, state in enumerate(self._free):
                if state.nodes.size >= size and state.new.size >= degree:
                    return self._free.pop(position)
        return allocate(size, degree)

    def give_back(self, state: State) -> None:
        """Keep a state for the next search; if there are too many, the smallest is dropped."""
        if state.counters[SEARCH] >= MOST_SEARCHES // 2:  # the next may be many in one call
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
    """Whether the node is in OPEN but was in CLOSE before."""
    return state.nodes[node].stamp == stage_stamp(state, OPEN_AGAIN)


@primitive
def is_shared(state: State, node: int) -> bool:
    """Whether the other search has expanded the node (see `State.twin`)."""
    return node < state.twin.size and state.twin[node].stamp >= state.counters[TWIN_CLOSED]


@kernel
def path_length(state: State, goal: int) -> int:
    """The number of nodes on the path to a discovered node."""
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
