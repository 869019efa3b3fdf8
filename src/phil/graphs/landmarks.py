"""The costs of all nodes to 16 landmarks, computed once per graph."""

from __future__ import annotations

import threading
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from phil.graphs import AnyGraph
from phil.graphs.features.add import feature_table
from phil.graphs.features.landmarks import LANDMARKS
from phil.graphs.features.registry import Item

COUNT = 16

_tables: WeakKeyDictionary[AnyGraph, NDArray[np.float64]] = WeakKeyDictionary()
_lock = threading.Lock()


def landmark_table(graph: AnyGraph) -> NDArray[np.float64]:
    """The costs to each landmark, one row per node; on directed graphs also those from each.

    >>> from phil.graphs import Graph
    >>> landmark_table(Graph.from_edges(2, [(0, 1)], weights=[3.0])).tolist()
    [[3.0, 0.0], [0.0, 3.0]]
    """
    with _lock:  # only one of several threads computes
        table = _tables.get(graph)
        if table is None:
            computed, _ = feature_table(graph, Item(LANDMARKS, COUNT))
            _tables[graph] = table = np.ascontiguousarray(computed, np.float64)
    return table
