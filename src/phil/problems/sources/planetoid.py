"""Cora, CiteSeer and PubMed as PyTorch Geometric's `Planetoid` has them in memory.

Their files are pickles (`ind.cora.graph`, ...), which only the library itself is asked to open.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from phil.problems.archive import Arrays
from phil.problems.sources.layout import network_arrays


class Tensor(Protocol):
    """What is asked of a tensor."""

    def numpy(self) -> NDArray[np.generic]:
        """The same numbers as an array."""


class Data(Protocol):
    """What is asked of a graph: `edge_index` (2, E), and features `x` (N, D)."""

    edge_index: Tensor
    x: Tensor


def planetoid_arrays(data: Data) -> Arrays:
    """The graph in our layout."""
    return network_arrays(data.edge_index.numpy(), csr_array(data.x.numpy()))
