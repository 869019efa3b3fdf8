"""Region: the part of an implicit graph around one goal that training knows."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import pairwise
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.callbacks import Callbacks, N, Neighbors
from phil.graphs.discovery import Discovery
from phil.graphs.graph import Graph
from phil.graphs.implicit import ImplicitGraph

Edges = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]  # from, to, cost


class Predecessors(Callbacks[N]):
    """The function that returns the nodes from which an edge leads to a node."""

    def asked(self, node: N) -> str:
        """What was called for a node, for errors."""
        return f"predecessors({node!r})"


class Region(Generic[N]):
    """What is known of an implicit graph on the way to a goal.

    It grows: `explore` adds the nodes nearest to the goal, `add` the nodes of a search and `follow`
    those of a path, with their neighbours. No node's neighbours are requested twice. Ids never
    change; the goal's is 0.

    >>> ring = ImplicitGraph(lambda node: [(node - 1) % 100, (node + 1) % 100])
    >>> region = Region(ring, 0, directed=False)
    >>> region.explore(3)
    [1, 2, 3, 4]
    >>> region.follow([10, 9, 8])
    5
    >>> region.nodes
    [0, 99, 1, 98, 2, 10, 9, 8, 11, 7]
    >>> region.graph()
    Graph(nodes=10, edges=8, features=0, undirected)
    """

    def __init__(
        self,
        graph: ImplicitGraph[N],
        goal: N,
        *,
        directed: bool,
        predecessors: Neighbors[N] | None = None,
    ) -> None:
        self._found = graph.discover(goal, goal)
        self._directed = directed
        self._back = None  # the same, with edges from a node to its predecessors
        if not directed:
            self._back = self._found
        elif predecessors is not None:
            self._back = Discovery(Predecessors(predecessors), goal, goal)

    @property
    def nodes(self) -> list[N]:
        """The user's nodes, by id."""
        return self._found.nodes

    def explore(self, most: int) -> list[int]:
        """Request the edges into the nodes from which the goal costs least, at most so many.

        Nodes at the same cost are requested together. In a directed graph, their neighbours are
        added too. Returns the ids of all nodes that were found to lead to the goal: none, if edges
        cannot be followed backwards.
        """
        back = self._back
        if back is None:
            return []
        costs, queue, done = {back.goal: 0.0}, [(0.0, back.goal)], set[int]()
        while queue and len(done) < most:
            least, batch = queue[0][0], list[int]()
            while queue and queue[0][0] == least and len(done) < most:
                node = heapq.heappop(queue)[1]
                if node not in done:
                    done.add(node)
                    batch.append(node)
            back.reveal(batch)
            for node in batch:
                edges = slice(int(back.arrays.first[node]), int(back.arrays.last[node]))
                before = back.arrays.indices[edges].tolist()
                for other, cost in zip(before, back.arrays.weights[edges].tolist(), strict=True):
                    if least + cost < costs.get(other, np.inf):
                        costs[other] = least + cost
                        heapq.heappush(queue, (least + cost, other))
        found = sorted(costs)[1:]  # without the goal
        if back is not self._found:
            ids = self._found.meet(back.nodes)
            self._found.reveal(ids[node] for node in sorted(done))
            found = [ids[node] for node in found]
        return found

    def add(self, nodes: Sequence[N]) -> list[int]:
        """Add nodes and their neighbours, except for the goal's; returns the ids of the nodes."""
        ids = self._found.meet(nodes)
        self._found.reveal(node for node in ids if node != self._found.goal)
        return ids

    def follow(self, path: Sequence[N]) -> int:
        """Add the nodes of a path and their neighbours; returns the id of the first node.

        Raises `InputError` if a node is no neighbour of the one before it.
        """
        found, ids = self._found, self.add(path)
        arrays = found.arrays
        for here, there in pairwise(ids):
            if there not in arrays.indices[arrays.first[here] : arrays.last[here]]:
                raise InputError(
                    f"in a path, {found.nodes[there]!r} follows {found.nodes[here]!r}, but is not "
                    "among its neighbours"
                )
        return ids[0]

    def graph(self) -> Graph:
        """The region as an explicit graph; features of edges are 0, since not all are known.

        Raises `InputError` if what is known of an edge from its two ends differs.
        """
        found = self._found
        size = len(found.nodes)
        edges = _edges(found)
        if self._back is not None:
            target, source, cost = _edges(self._back)
            if self._back is not found:
                ids = np.array(found.meet(self._back.nodes))
                source, target = ids[source], ids[target]
            seen = found.arrays.first[source] >= 0  # also from their sources
            self._check(edges, (source[seen], target[seen], cost[seen]))
            edges = tuple(  # type: ignore[assignment]
                np.concatenate([ours, theirs[~seen]])
                for ours, theirs in zip(edges, (source, target, cost), strict=True)
            )
        source, target, cost = edges
        order = np.argsort(source, kind="stable")
        return Graph(
            np.concatenate([[0], np.cumsum(np.bincount(source, minlength=size))]),
            target[order],
            found.features,
            edge_features=np.zeros((cost.size, found.arrays.edge_features.shape[1]), np.float32),
            weights=None if (cost == 1).all() else cost[order],
            directed=self._directed,
        )

    def _check(self, edges: Edges, back: Edges) -> None:
        """Raise an error unless the edges known from their targets are among all edges."""
        size = len(self.nodes)
        keys = edges[0] * size + edges[1]
        order = np.argsort(keys)
        wanted = back[0] * size + back[1]
        places = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), keys.size - 1)]
        wrong = np.flatnonzero((keys[places] != wanted) | (edges[2][places] != back[2]))
        if wrong.size:
            first = wrong[0]
            here, there = self.nodes[back[0][first]], self.nodes[back[1][first]]
            known = "predecessors" if self._directed else "neighbors"
            what = "costs something else" if keys[places[first]] == wanted[first] else "is missing"
            advice = "" if self._directed else "; if edges lead one way only, pass directed=True"
            raise InputError(
                f"{known}({there!r}) has {here!r} at a cost of {back[2][first]:g}, but the edge "
                f"{what} in neighbors({here!r}){advice}"
            )


def _edges(discovery: Discovery[N]) -> Edges:
    """The edges of all nodes whose neighbours were requested."""
    arrays = discovery.arrays
    asked = np.flatnonzero(arrays.first[: len(discovery.nodes)] >= 0)
    asked = asked[np.argsort(arrays.first[asked], kind="stable")]  # in the order of their edges
    source = np.repeat(asked, arrays.last[asked] - arrays.first[asked])
    return source, arrays.indices[: source.size].astype(np.int64), arrays.weights[: source.size]
