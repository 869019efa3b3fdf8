"""Roll-outs by any heuristic, in Python; the rules are those of the compiled `rollout`."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from phil.graphs import AnyGraph
from phil.graphs.arrays import neighbors
from phil.learning.mixture import Mixture, RolloutSettings, most_events
from phil.learning.objective import Objective
from phil.learning.oracle import OracleProblems
from phil.learning.rollout import Rollout
from phil.learning.settings import TrainingSettings
from phil.search.guide import Expansion, Guide, Heuristic, guided
from phil.search.state import Key

Entry = tuple[float, int, int]  # key, order of entering, node


class PythonRoller(Mixture[Heuristic]):
    """Rolls out searches on problems by a heuristic."""

    def __init__(self, oracle: OracleProblems, settings: TrainingSettings) -> None:
        super().__init__(settings, len(oracle.problems))
        self._oracle = oracle
        self._key = Objective(settings.search).key

    def roll(
        self, weights: Heuristic, problem: int, settings: RolloutSettings, seed: int
    ) -> Rollout:
        """One roll-out on a problem, determined by seed and heuristic."""
        chosen, distance = self._oracle.problems[problem], self._oracle.distances[problem]
        random = np.random.default_rng(seed)
        events = most_events(settings, min(settings.steps, chosen.graph.size))
        record = Record(settings.event_size, events)
        with guided(weights, chosen.graph, chosen.start, chosen.goal) as guide:
            search = Search(chosen.graph, chosen.start, distance, guide, self._key)
            reached = False
            for step in range(settings.steps):
                by_oracle = step >= settings.roll_in and random.random() < settings.oracle_share
                node = search.best(by_oracle=by_oracle)
                if node is None:
                    break
                reached = reached or node == chosen.goal
                if node == chosen.goal and settings.stop_at_goal:
                    break
                new = search.expand(node)
                if step >= settings.record_from:
                    record.add_step(new[np.isfinite(distance[new])])
                if settings.event_rate > 0 and random.random() < settings.event_rate:
                    record.add_event(search, random)
        return record.rollout(problem, reached)


class Search:
    """A search with two queues: the learner's, by the key, and the oracle's, by the distance."""

    def __init__(
        self,
        graph: AnyGraph,
        start: int,
        distance: NDArray[np.float64],
        guide: Guide,
        key: Key,
    ) -> None:
        self._arrays = graph.arrays
        self._near, self._edges, self._costs = (
            np.empty(graph.max_degree, kind) for kind in ("i4", "i8", "f8")
        )
        self._distance = distance
        self._guide = guide
        self._key = key
        self.queue: list[Entry] = [(0.0, 0, start)]
        self._oracle: list[Entry] = [(0.0, 0, start)]
        self.costs = {start: 0.0}  # of the paths to all nodes met
        self._depths = {start: 0}
        self._values = {start: 0.0}
        self._closed: set[int] = set()
        self._entered = 0

    def is_open(self, node: int) -> bool:
        """Whether a node that was met is not yet expanded."""
        return node not in self._closed

    def best(self, *, by_oracle: bool) -> int | None:
        """The first open node of a queue; None if there is none."""
        queue = self._oracle if by_oracle else self.queue
        while queue and queue[0][2] in self._closed:
            heappop(queue)
        return queue[0][2] if queue else None

    def expand(self, node: int) -> NDArray[np.int32]:
        """Expand a node; returns the nodes that were met for the first time."""
        self._closed.add(node)
        count = neighbors(self._arrays, node, self._near, self._edges, self._costs)
        new: dict[int, float] = {}
        for other, cost in zip(
            self._near[:count].tolist(), self._costs[:count].tolist(), strict=True
        ):
            there = self.costs[node] + cost
            if other not in self.costs:
                new[other] = min(there, new.get(other, there))
            elif self._key.g > 0 and self.is_open(other) and there < self.costs[other]:
                self._enter(other, there, self._depths[node] + 1)
        found = np.array(list(new), np.int32)
        paths = np.array(list(new.values()), np.float64)
        depth = self._depths[node] + 1
        depths = np.full(found.size, depth, np.int32)
        shown = Expansion(node, found, paths, depths, len(self._closed))
        for other, there, value in zip(
            new, new.values(), self._guide.score(shown).tolist(), strict=True
        ):
            self._values[other] = value
            self._enter(other, there, depth)
            heappush(self._oracle, (float(self._distance[other]), self._entered, other))
        return found

    def _enter(self, node: int, cost: float, depth: int) -> None:
        self.costs[node], self._depths[node] = cost, depth
        self._entered += 1
        key = self._key
        rank = key.g * cost + key.h * self._values[node] + key.depth * depth
        heappush(self.queue, (rank, self._entered, node))


class Record:
    """What a roll-out records."""

    def __init__(self, size: int, most: int) -> None:
        self._size, self._most = size, most
        self._nodes: list[int] = []
        self._first = [0]
        self._places: dict[int, int] = {}
        self._events: list[list[int]] = []
        self._spent: list[list[float]] = []

    def add_step(self, nodes: NDArray[np.int32]) -> None:
        """Record the new nodes of a step."""
        for node in nodes.tolist():
            self._places[node] = len(self._nodes)
            self._nodes.append(node)
        self._first.append(len(self._nodes))

    def add_event(self, search: Search, random: np.random.Generator) -> None:
        """Record open nodes to rank: both queues' best, then half near the front, half from all."""
        if len(self._events) >= self._most:
            return
        taken: dict[int, None] = {}
        for node in _candidates(search, self._size, random):
            if node in self._places and search.is_open(node):
                taken[node] = None
            if len(taken) == self._size:
                break
        if len(taken) >= 2:
            rest = self._size - len(taken)
            self._events.append([self._places[node] for node in taken] + [-1] * rest)
            self._spent.append([search.costs[node] for node in taken] + [0.0] * rest)

    def rollout(self, problem: int, reached: bool) -> Rollout:
        """The record as arrays."""
        steps, count = len(self._first) - 1, len(self._nodes)
        return Rollout(
            problem=problem,
            nodes=np.array(self._nodes, np.int32),
            first=np.array(self._first, np.int32),
            memory=np.zeros((steps, 0), np.float32),
            events=np.array(self._events, np.int32).reshape(-1, self._size),
            spent=np.array(self._spent, np.float32).reshape(-1, self._size),
            trail=np.zeros((count, 0), np.float32),
            known=np.zeros((count, 0), np.uint8),
            reached=reached,
        )


def _candidates(search: Search, size: int, random: np.random.Generator) -> Iterator[int]:
    """Nodes to rank, in the order in which they are taken."""
    for by_oracle in (True, False):
        node = search.best(by_oracle=by_oracle)
        if node is not None:
            yield node
    entries = len(search.queue)
    if entries <= size:
        yield from (node for _, _, node in search.queue)
        return
    front = min(entries, 8 * size)
    draws = random.random(4 * size)
    reach = np.where(np.arange(draws.size) % 2, entries, front)
    for place in (draws * reach).astype(np.int64).tolist():
        yield search.queue[place][2]
