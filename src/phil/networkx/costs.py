"""Costs that a function gives, of the edges that a search meets."""

from __future__ import annotations

from typing import Any

import numpy as np

from phil.graphs.callbacks import Callbacks
from phil.graphs.convert.networkx import Weight, cost_function


class FunctionCosts(Callbacks[Any]):
    """A networkx graph to discover, with the costs that a function gives."""

    def __init__(self, network: Any, weight: Weight) -> None:
        super().__init__(network.neighbors)
        self._cost = cost_function(network, weight)
        self._adjacency = network.adj

    def edges(self, node: Any) -> tuple[list[Any], list[float], list[int]]:
        """A node's neighbours, and what the function says of the edges to them."""
        targets, costs = [], []
        for other, data in self._adjacency[node].items():
            cost = self._cost(node, other, data)
            if cost is None or other == node:
                continue
            if not 0 <= cost < np.inf:
                raise NotImplementedError(
                    f"the weight of edge ({node!r}, {other!r}) is {cost}; "
                    "costs must be finite and not negative"
                )
            targets.append(other)
            costs.append(float(cost))
        return targets, costs, []

    def token(self, node: Any) -> int:
        """Nothing: only heuristics that A* has no use for ask for one."""
        return 0
