"""Roll-outs: searches with two queues that record the nodes that they uncover, compiled.

One queue is ordered by the learner, the other by the oracle; each step takes its node from one of
them (the mixture policy of Algorithm 1). The closed list is shared, and every new node enters both
queues.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Array2, Struct, kernel, primitive
from phil.graphs import AnyGraph
from phil.graphs.arrays import GraphArrays
from phil.heuristics.file import Tensors
from phil.heuristics.phil.cache import ROWS, Cache, forget_map, map_shape
from phil.heuristics.phil.cache import allocate as allocate_cache
from phil.heuristics.phil.inputs import STATES
from phil.heuristics.phil.kernel import begin as begin_cache
from phil.heuristics.phil.kernel import evaluate, evaluate_again, note_expanded, set_ends
from phil.heuristics.phil.known import cells_of, is_called
from phil.heuristics.phil.weights import Weights, pack
from phil.heuristics.scaling import Frame, frame
from phil.learning.mixture import Mixture, RolloutSettings, most_events
from phil.learning.objective import Objective
from phil.learning.oracle import OracleProblems
from phil.learning.plan import Candidate
from phil.learning.settings import TrainingSettings
from phil.problems.problem import Problem
from phil.search.expand import close, insert, reorder
from phil.search.heap import Heap, allocate_heap, clear, drop, make_tag, node_of, put
from phil.search.open import begin as begin_state
from phil.search.open import best
from phil.search.state import OPEN_NODES, State, is_open
from phil.search.state import allocate as allocate_state

NODES, STEPS, EVENTS, MARKS = 0, 1, 2, 3  # rows of `RolloutBuffer.counters`
NO_GOAL = -1
STATE_NUMBERS = np.arange(1, STATES + 1, dtype=np.uint8)  # in `Rollout.known`


@dataclass(frozen=True)
class Rollout:
    """The record of a roll-out on one problem: the paper's trajectory [tau].

    nodes (M,): new nodes in order; first (S + 1,): index of each step's first node; memory (S, d):
    the learner's memory before each step; events (V, E): open nodes as indices into `nodes`, padded
    with -1; spent (V, E): the cost of the path to each of them, when it was open; trail (M, T): how
    the search came to each node; known (M, C): the states of the cells around it, 0 if unknown;
    distance (M,): the exact distances to the goal, once the oracle has labelled the nodes.
    """

    problem: int
    nodes: NDArray[np.int32]
    first: NDArray[np.int32]
    memory: NDArray[np.float32]
    events: NDArray[np.int32]
    spent: NDArray[np.float32]
    trail: NDArray[np.float32]
    known: NDArray[np.uint8]
    reached: bool
    distance: NDArray[np.float32] = field(default_factory=lambda: np.empty(0, np.float32))

    @property
    def steps(self) -> int:
        """The number of recorded steps."""
        return self.first.size - 1

    def inputs(self, places: NDArray[np.int64]) -> NDArray[np.float32]:
        """What the network reads of how the search came to nodes and of what it knew there."""
        cells = self.known.shape[1]
        states = self.known[places, :, None] == STATE_NUMBERS
        flat = states.reshape(places.size, STATES * cells)
        return np.concatenate([self.trail[places], flat], axis=1, dtype=np.float32)


class RolloutBuffer(Struct):
    """Preallocated arrays that a roll-out is recorded in."""

    nodes: Array1[np.int32]
    first: Array1[np.int32]
    memory: Array2[np.float32]
    events: Array2[np.int32]
    spent: Array2[np.float32]
    trail: Array2[np.float32]
    known: Array2[np.uint8]
    position: Array1[np.int32]  # of a node in `nodes`
    mark: Array1[np.int64]  # the last event that includes a node
    random: Array1[np.uint64]
    distance: Array1[np.float64]  # of all nodes, by the oracle; read only
    counters: Array1[np.int64]


class Roller(Mixture[Weights]):
    """Rolls out searches on problems, reusing its workspace."""

    def __init__(
        self, oracle: OracleProblems, settings: TrainingSettings, candidate: Candidate
    ) -> None:
        super().__init__(settings, len(oracle.problems))
        self._problems = oracle.problems
        self._distances = oracle.distances
        self._candidate = candidate
        size = max(problem.graph.size for problem in oracle.problems)
        degree = max(problem.graph.max_degree for problem in oracle.problems)
        self._size, self._degree = size, degree
        self._cells = max(cells_of(problem.graph) for problem in oracle.problems)
        # So many nodes can be discovered; with lazy look-ahead, each is evaluated twice at most.
        self._most = min(size, settings.horizon * degree + 1)
        times = 2 if candidate.network.lazy else 1
        key = Objective(settings.search).key
        # With path costs in the key, a node enters OPEN again with every better path.
        entries = self._most if key.g == 0 else settings.horizon * degree + 1
        self._learner = allocate_state(size, degree, room=times * entries)
        # Nodes are never reopened: the oracle's queue has each node once.
        self._learner.weights[:] = (key.g, key.h, key.depth, 0.0)
        self._oracle = allocate_heap(self._most)
        self._cache: Cache | None = None
        # What the cache was last used for, and what is reused from roll-out to roll-out.
        self._used: tuple[Weights, Problem] | None = None
        self._nodes = np.empty(times * self._most, np.int32)
        network = candidate.network
        self._trail = np.empty((self._nodes.size, network.steps_size), np.float32)
        self._known = np.empty((self._nodes.size, len(network.window)), np.uint8)
        self._position = np.full(size, -1, np.int32)
        self._mark = np.zeros(size, np.int64)
        self._marks = 0

    def roll(self, weights: Weights, problem: int, settings: RolloutSettings, seed: int) -> Rollout:
        """One roll-out on a problem, determined by seed and weights."""
        chosen = self._problems[problem]
        graph, name = chosen.graph, self._candidate.network.frame
        scale = frame(graph, self._candidate.scaling, name, (chosen.start, chosen.goal))
        steps = min(settings.steps, self._size)
        cache = self._cache_for(weights, chosen, scale)
        begin_cache(weights, cache, chosen.start)
        events = most_events(settings, steps), settings.event_size
        buffer = RolloutBuffer(
            nodes=self._nodes,
            first=np.zeros(steps + 1, np.int32),
            memory=np.zeros(
                (steps if weights.remember else 0, weights.memory.shape[0]), np.float32
            ),
            events=np.empty(events, np.int32),
            spent=np.zeros(events, np.float32),
            trail=self._trail,
            known=self._known,
            position=self._position,
            mark=self._mark,
            random=np.array([seed], np.uint64),
            distance=self._distances[problem],
            counters=np.array([0, 0, 0, self._marks]),
        )
        reached = _roll(
            self._learner,
            self._oracle,
            weights,
            cache,
            graph.arrays,
            scale,
            chosen.start,
            chosen.goal,
            settings.roll_in,
            settings.record_from,
            steps,
            settings.oracle_share,
            settings.stop_at_goal,
            settings.event_rate,
            buffer,
        )
        nodes = buffer.nodes[: buffer.counters[NODES]].copy()
        self._position[nodes] = -1
        self._marks = int(buffer.counters[MARKS])
        return Rollout(
            problem=problem,
            nodes=nodes,
            first=buffer.first[: buffer.counters[STEPS] + 1].copy(),
            memory=buffer.memory[: buffer.counters[STEPS]].copy(),
            events=buffer.events[: buffer.counters[EVENTS]].copy(),
            spent=buffer.spent[: buffer.counters[EVENTS]].copy(),
            trail=buffer.trail[: nodes.size].copy(),
            known=buffer.known[: nodes.size].copy(),
            reached=bool(reached),
        )

    def _cache_for(self, weights: Weights, problem: Problem, scale: Frame) -> Cache:
        """The cache, with as much of the last roll-out's as holds for this one."""
        needed = self._most * (1 + weights.neighbors)
        if self._cache is None:
            rows = min(self._size, needed)
            self._cache = allocate_cache(weights, self._size, self._degree, rows, cells=self._cells)
        graph, goal, last = problem.graph, problem.goal, self._used
        same = last is not None and last[0] is weights and last[1].goal == goal
        # In the frame of the goal, rows depend on the start too, which is rarely the same.
        same = same and weights.to_goal
        # Rows that are kept must leave room for those of all nodes that this one may discover.
        room = self._cache.ready.size - int(self._cache.counters[ROWS])
        same = same and (room >= needed or self._cache.ready.size >= self._size)
        if last is None or not same or not _same_nodes(last[1].graph, graph):
            set_ends(weights, self._cache, graph.arrays, scale, problem.start, goal)
        elif last[1].graph is not graph:
            forget_map(self._cache)
        self._used = weights, problem
        return self._cache


def pack_for(candidate: Candidate, tensors: Tensors) -> Weights:
    """The weights of a candidate's network, in the layout of the compiled kernels."""
    return pack(candidate.network, tensors, candidate.scaling.edge_spread)


def _same_nodes(one: AnyGraph, other: AnyGraph) -> bool:
    """Whether the nodes of two graphs have the same features."""
    return one is other or (map_shape(one) is not None and map_shape(one) == map_shape(other))


@primitive
def random_number(state: NDArray[np.uint64]) -> float:
    """A random number in [0, 1) by SplitMix64; each roll-out has its own generator."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    value = state[0]
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    value = value ^ (value >> np.uint64(31))
    return np.float64(value >> np.uint64(11)) / 9007199254740992.0


@primitive
def _take(buffer: RolloutBuffer, learner: State, event: int, taken: int, node: int) -> int:
    """Add an open node to an event, unless it is in it already or was never recorded."""
    if buffer.mark[node] == buffer.counters[MARKS] or buffer.position[node] < 0:
        return taken
    buffer.mark[node] = buffer.counters[MARKS]
    buffer.events[event, taken] = buffer.position[node]
    buffer.spent[event, taken] = learner.nodes[node].g
    return taken + 1


@primitive
def best_of_oracle(learner: State, oracle: Heap) -> int:
    """The first node of the oracle's queue that is still open."""
    while not is_open(learner, node_of(oracle.tags[0])):
        drop(oracle)
    return node_of(oracle.tags[0])


@kernel
def _write_event(learner: State, oracle: Heap, buffer: RolloutBuffer) -> None:
    """Choose open nodes to rank: both queues' best, then half near the front, half from all."""
    event = buffer.counters[EVENTS]
    size = buffer.events.shape[1]
    open_nodes = learner.counters[OPEN_NODES]
    if event >= buffer.events.shape[0] or open_nodes < 2:
        return
    buffer.counters[EVENTS] += 1
    buffer.counters[MARKS] += 1
    for k in range(size):
        buffer.events[event, k] = -1
    taken = _take(buffer, learner, event, 0, best_of_oracle(learner, oracle))
    taken = _take(buffer, learner, event, taken, best(learner))
    entries = learner.open.size[0]
    if open_nodes <= size:
        for k in range(entries):
            node = node_of(learner.open.tags[k])
            if taken < size and is_open(learner, node):
                taken = _take(buffer, learner, event, taken, node)
        return
    front = min(entries, 8 * size)
    for _ in range(4 * size):
        if taken >= size:
            return
        reach = front if taken % 2 == 0 else entries
        node = node_of(learner.open.tags[int(random_number(buffer.random) * reach)])
        if is_open(learner, node):
            taken = _take(buffer, learner, event, taken, node)


@primitive
def _record(buffer: RolloutBuffer, node: int, inputs: NDArray[np.float32]) -> None:
    """Record a node with its inputs, unless it has no label: the goal cannot be reached from it."""
    if buffer.distance[node] == np.inf:
        return
    at = buffer.counters[NODES]
    buffer.position[node] = at
    buffer.nodes[at] = node
    steps = buffer.trail.shape[1]
    for c in range(steps):
        buffer.trail[at, c] = inputs[c]
    for cell in range(buffer.known.shape[1]):
        state = 0
        for k in range(STATES):
            state += (k + 1) * (inputs[steps + STATES * cell + k] != 0.0)
        buffer.known[at, cell] = state
    buffer.counters[NODES] += 1


@kernel
def _roll(
    learner: State,
    oracle: Heap,
    weights: Weights,
    cache: Cache,
    graph: GraphArrays,
    frame: Frame,
    start: int,
    goal: int,
    roll_in: int,
    record_from: int,
    steps: int,
    oracle_share: float,
    stop_at_goal: bool,
    event_rate: float,
    buffer: RolloutBuffer,
) -> bool:
    distance = buffer.distance
    begin_state(learner, start)
    clear(oracle)
    put(oracle, distance[start], make_tag(0, start))
    reached = False
    for step in range(steps):
        if learner.counters[OPEN_NODES] == 0:
            break
        by_oracle = step >= roll_in and random_number(buffer.random) < oracle_share
        node = best_of_oracle(learner, oracle) if by_oracle else best(learner)
        while weights.lazy and not by_oracle:
            # The start has no parent to be evaluated with.
            if node in (start, goal) or is_called(cache, graph, frame, node):
                break
            value = evaluate_again(learner, weights, cache, graph, frame, node)
            reorder(learner, graph, node, value)
            if step >= record_from:
                _record(buffer, node, cache.trail[0])
            node = best(learner)
        # Without a goal, since a roll-out may continue after it.
        count = close(learner, graph, node, NO_GOAL)
        if node == goal:
            reached = True
            if stop_at_goal:
                if weights.lazy and step >= record_from:  # nodes may have been evaluated again
                    buffer.counters[STEPS] += 1
                    buffer.first[buffer.counters[STEPS]] = buffer.counters[NODES]
                break
        note_expanded(cache, graph, frame, node)
        if step >= record_from:
            row = buffer.counters[STEPS]
            for j in range(buffer.memory.shape[1] if buffer.memory.shape[0] > 0 else 0):
                buffer.memory[row, j] = cache.memory[0, j]
        depth = learner.nodes[node].depth + 1
        evaluate(weights, cache, graph, frame, node, depth, learner.new, count, learner.values)
        if step >= record_from:
            for k in range(count):
                _record(buffer, learner.new[k], cache.trail[k])
            buffer.counters[STEPS] += 1
            buffer.first[row + 1] = buffer.counters[NODES]
        insert(learner, graph, count)
        for k in range(count):
            other = learner.new[k]
            put(oracle, distance[other], make_tag(learner.nodes[other].order, other))
        if event_rate > 0 and random_number(buffer.random) < event_rate:
            _write_event(learner, oracle, buffer)
    return reached
