"""hash:k: k numbers in [-1, 1) per node, by a hash of the node's id and the column.

Nodes that look the same otherwise can then be told apart (appendix A of the paper). The numbers say
nothing about where a node lies: a heuristic has to learn them by heart, so they make sense on one
static graph whose nodes keep their ids, and never across graphs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.graphs.features.feature import Columns, Feature
from phil.graphs.graph import FeatureGroup, Graph

COLUMN_SHIFT = 40  # bits: beyond any node id
KEPT_BITS = 24  # what float32 holds exactly


def hashed(graph: Graph, k: int) -> NDArray[np.float32]:
    """The numbers of every node: SplitMix64 of id and column.

    >>> (1000 * hashed(Graph.from_edges(2, [(0, 1)]), 2)).astype(int).tolist()
    [[766, -803], [-136, -909]]
    """
    nodes = np.arange(graph.num_nodes, dtype=np.uint64)[:, None]
    columns = np.arange(k, dtype=np.uint64)[None, :] << np.uint64(COLUMN_SHIFT)
    value = ((nodes | columns) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    value = value ^ (value >> np.uint64(31))
    bits = (value >> np.uint64(64 - KEPT_BITS)).astype(np.float32)
    return bits * np.float32(2.0 ** (1 - KEPT_BITS)) - np.float32(1.0)


def _columns(graph: Graph, k: int) -> Columns:
    names = tuple(f"hash {number}" for number in range(k))
    return Columns(names, (FeatureGroup("hash", k, alike=True),))


HASH = Feature(
    name="hash",
    default=8,
    columns=_columns,
    operations=lambda graph, k: graph.num_nodes,
    compute=hashed,
)
