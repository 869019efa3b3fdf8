"""Implicit graphs that stand for explicit ones, and what they were asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from phil.graphs import AnyGraph, Graph, GridGraph, ImplicitGraph
from phil.search import Result

NAMES: dict[str, Callable[[int], Hashable]] = {
    "numbers": lambda node: node,
    "texts": lambda node: f"node {node}",
    "tuples": lambda node: (node // 3, ("rest", node % 3)),
}


@dataclass
class Mirror:
    """An implicit graph over other nodes that has the edges and features of an explicit one."""

    explicit: AnyGraph
    name: Callable[[int], Any] = NAMES["numbers"]
    directed: bool = True  # what the implicit graph declares
    neighbors: Counter[Hashable] = field(default_factory=Counter)  # how often each was asked for
    features: Counter[Hashable] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        explicit = self.explicit
        if isinstance(explicit, GridGraph):
            self.name = explicit.cell
            self.graph: ImplicitGraph[Any] = ImplicitGraph.on_grid(
                self._cells,
                explicit.shape,
                connectivity=explicit.connectivity,
                diagonal_cost=explicit.diagonal_cost,
                directed=self.directed,
            )
            return
        self._ids = {self.name(node): node for node in range(explicit.size)}
        self.graph = ImplicitGraph(
            self._edges,
            self._features,
            explicit.features.shape[1],
            edge_features=self._edge_features if explicit.edge_features.shape[1] else None,
            edge_dim=explicit.edge_features.shape[1],
            directed=self.directed,
        )

    def _cells(self, cell: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        assert isinstance(self.explicit, GridGraph)
        self.neighbors[cell] += 1
        near = self.explicit.neighbors(self.explicit.node(*cell))
        return [self.explicit.cell(int(node)) for node in near[::-1]]  # the order is not ours

    def _edges(self, node: Hashable) -> dict[Hashable, float]:
        assert isinstance(self.explicit, Graph)
        self.neighbors[node] += 1
        graph, number = self.explicit, self._ids[node]
        costs = np.ones(graph.indices.size) if graph.weights is None else graph.weights
        edges = slice(graph.indptr[number], graph.indptr[number + 1])
        near = map(self.name, graph.indices[edges].tolist())
        return dict(zip(near, costs[edges].tolist(), strict=True))

    def _features(self, node: Hashable) -> list[float]:
        self.features[node] += 1
        row: list[float] = self.explicit.features[self._ids[node]].tolist()
        return row

    def _edge_features(self, node: Hashable, other: Hashable) -> list[float]:
        assert isinstance(self.explicit, Graph)
        near = self.explicit.neighbors(self._ids[node]).tolist()
        edge = self.explicit.indptr[self._ids[node]] + near.index(self._ids[other])
        row: list[float] = self.explicit.edge_features[edge].tolist()
        return row

    def named(self, result: Result) -> dict[str, object]:
        """All of an explicit search's result but its time, with this graph's nodes."""
        return _comparable(result, lambda ids: tuple(self.name(node) for node in ids.tolist()))


def own_facts(result: Result[Any]) -> dict[str, object]:
    """All of an implicit search's result but its time."""
    return _comparable(result, lambda nodes: nodes)


def _comparable(result: Result[Any], named: Callable[[Any], object]) -> dict[str, object]:
    """A result's facts; with a trace, the path is the one by parents.

    The cheapest known path may differ: edges of an implicit graph are known one way only.
    """
    nodes = {name: vars(result)[name] for name in ("path", "trace", "path_by_parents")}
    named_nodes = {name: None if ids is None else named(ids) for name, ids in nodes.items()}
    facts = vars(result) | {"seconds": 0.0, "graph": None} | named_nodes
    if result.trace is not None:
        del facts["path"], facts["cost"]
    return facts


def simplified(graph: AnyGraph) -> AnyGraph:
    """The graph without loops and parallel edges, of which the first is kept."""
    if isinstance(graph, GridGraph):
        return graph
    source = graph.sources
    pairs = list(zip(source.tolist(), graph.indices.tolist(), strict=True))
    kept = [k for k, pair in enumerate(pairs) if pair[0] != pair[1] and pair not in set(pairs[:k])]
    return Graph.from_edges(
        graph.size,
        np.array([pairs[k] for k in kept], int).reshape(-1, 2),
        graph.features,
        edge_features=graph.edge_features[kept],
        weights=None if graph.weights is None else graph.weights[kept],
        directed=True,
    )
