"""landmarks:k: path costs between every node and k landmarks that are far apart.

Components get landmarks in proportion to their number of nodes, so a small one may get none.
Within a component, the first landmark is the node farthest from the one with the smallest id, and
each further landmark is the node farthest from all previous ones (ties: smallest id).
`hops:k` counts moves instead of costs, which suits searches that aim at few expansions.
A directed graph has two columns per landmark: the cost to it and the cost from it. Its components
are the weakly connected ones, and the distance of a node is the smaller of the two directions.

Where there is no path, the feature is 1.5 times the largest cost.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from phil.graphs import AnyGraph
from phil.graphs.distances import components, costs_from, directed_components, hops_from
from phil.graphs.features.feature import Columns, Feature, as_computed, visits
from phil.graphs.graph import FeatureGroup
from phil.memory import check_memory

UNREACHABLE = 1.5  # times the largest cost
CHOSEN = -1.0  # nearer than any distance: never chosen again


def landmark_costs(graph: AnyGraph, k: int, *, moves: bool = False) -> NDArray[np.float64]:
    """The costs to k landmarks (or all nodes, if fewer); on a directed graph also from them.

    Costs, or with `moves` numbers of moves, are inf where there is no path. A grid has one row per
    cell.

    >>> from phil.graphs import Graph
    >>> graph = Graph.from_edges(4, [(0, 1), (1, 2), (2, 3)])
    >>> landmark_costs(graph, 2).tolist()
    [[3.0, 0.0], [2.0, 1.0], [1.0, 2.0], [0.0, 3.0]]
    """
    ways = 2 if graph.directed else 1
    check_memory(2 * 8 * ways * k * graph.size, f"the costs of {graph.size} nodes to {k} landmarks")
    search = _Sweeps(graph, moves)
    number = directed_components(graph, "weak") if graph.directed else components(graph)
    sizes = np.bincount(number[number >= 0])
    shares = _shares(sizes, k)
    to: list[NDArray[np.float64]] = []
    back: list[NDArray[np.float64]] = []
    for component in np.argsort(-sizes, kind="stable"):
        if not shares[component]:
            break
        inside = number == component
        here, there = search.both_ways(int(np.argmax(inside)))
        nearest = np.where(inside, np.minimum(here, there), CHOSEN)
        # The first landmark is the node farthest from the node of smallest id.
        landmark = int(np.argmax(nearest))
        nearest[inside] = np.inf
        for _ in range(shares[component]):
            here, there = search.both_ways(landmark)
            to.append(here)
            back.append(there)
            nearest = np.minimum(nearest, np.minimum(here, there))
            nearest[landmark] = CHOSEN
            landmark = int(np.argmax(nearest))
    return np.stack([*to, *back] if graph.directed else to, axis=1)


class _Sweeps:
    """Least costs to and from a node; the graph is reversed only once."""

    def __init__(self, graph: AnyGraph, moves: bool) -> None:
        self._graph = graph
        self._backwards = graph.reversed()
        unit = not (graph.is_grid or graph.is_weighted)
        self._costs_from = hops_from if moves or unit else costs_from

    def both_ways(self, node: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The costs of all nodes to this one, and from it."""
        to = self._costs_from(self._backwards, node)
        return to, self._costs_from(self._graph, node) if self._graph.directed else to


def _shares(sizes: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """k apportioned by size (largest remainder method)."""
    k = min(k, int(sizes.sum()))
    exact = k * sizes / sizes.sum()
    shares: NDArray[np.int64] = np.floor(exact).astype(np.int64)
    rest = np.argsort(shares - exact, kind="stable")[: k - int(shares.sum())]
    shares[rest] += 1
    return shares


def _finite(table: NDArray[np.float64] | NDArray[np.float32]) -> NDArray[np.float32]:
    known = np.isfinite(table)
    beyond = UNREACHABLE * float(table[known].max() or 1.0)
    return as_computed(np.where(known, table, beyond))


def _moves(graph: AnyGraph, k: int) -> NDArray[np.float64]:
    return landmark_costs(graph, k, moves=True)


def _columns(graph: AnyGraph, k: int) -> Columns:
    return _named(graph, k, "landmarks", "{way} landmark {number}")


def _moves_columns(graph: AnyGraph, k: int) -> Columns:
    return _named(graph, k, "hops", "moves {way} landmark {number}")


def _named(graph: AnyGraph, k: int, group: str, name: str) -> Columns:
    ways = ("to", "from") if graph.directed else ("to",)
    names = tuple(name.format(way=way, number=number) for way in ways for number in range(k))
    return Columns(names, (FeatureGroup(group, len(names), alike=True),))


def _operations(graph: AnyGraph, k: int) -> int:
    return (1 + k * (2 if graph.directed else 1)) * visits(graph)


LANDMARKS = Feature(
    name="landmarks",
    default=16,
    instead="fewer landmarks",
    columns=_columns,
    operations=_operations,
    compute=landmark_costs,
    values=_finite,
    kept=True,
    on_grids=True,
)
HOPS = replace(LANDMARKS, name="hops", columns=_moves_columns, compute=_moves)
