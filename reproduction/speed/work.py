"""The arithmetic that a search with a network cannot do without.

Counted are matrix products, a multiplication and an addition as two operations. Not counted are
functions of single numbers, and products that need not be done again: a row of f and what follows
from it alone is computed once for a node and goal; the edges of a grid are its few moves.
"""

from __future__ import annotations

from dataclasses import dataclass

from phil.graphs import AnyGraph
from phil.heuristics.phil.specification import NetworkSettings
from phil.search import Result


@dataclass(frozen=True)
class Work:
    """Floating-point operations of one node or one expansion."""

    embedded: int  # f, for every node that is evaluated or a neighbour of one that is
    evaluated: int  # convolution, the GRU's input half, the output MLP
    expanded: int  # the GRU's memory half, for all new nodes of an expansion together

    def total(self, embedded: int, evaluated: int, expanded: int) -> int:
        """The operations of a search."""
        return self.embedded * embedded + self.evaluated * evaluated + self.expanded * expanded


def needed_work(settings: NetworkSettings) -> Work:
    """The operations of a network's parts.

    >>> needed_work(NetworkSettings())
    Work(embedded=67072, evaluated=131840, expanded=24576)
    """
    width, memory, features = settings.width, settings.memory, settings.features
    square = width * width
    embedded = (2 * features + 2) * width + (settings.layers - 1) * square
    # DeeperGCN mixes once; GAT and MPNN have a matrix for the node itself as well, MPNN further
    # ones for the two ends of a message.
    mixes = {"softmax": 1, "power": 1, "gat": 2, "max": 3, "sum": 3}[settings.convolution]
    if settings.convolution in ("max", "sum"):
        embedded += square
    convolution = mixes * square + settings.trail_size * width
    gates = 3 * memory * width
    output = (memory + features) * width + square + width
    expanded = 3 * memory * memory if settings.remember else 0
    return Work(2 * embedded, 2 * (convolution + gates + output), 2 * expanded)


def embedded_nodes(graph: AnyGraph, result: Result, goal: int, settings: NetworkSettings) -> int:
    """How many nodes' f a traced search needed."""
    if result.trace is None or (0 < settings.neighbors < graph.max_degree):
        raise ValueError("needs a trace, and a network that sees all neighbours or none")
    expanded = [node for node in result.trace.tolist() if node != goal]
    start = int(result.trace[0])
    evaluated = {other for node in expanded for other in graph.neighbors(node).tolist()} - {start}
    if settings.neighbors == 0:
        return len(evaluated)
    near = {other for node in evaluated for other in graph.neighbors(node).tolist()}
    return len(evaluated | near)
