"""Conversion from and to graphs of other libraries: networkx, PyTorch Geometric and scipy."""

from phil.graphs.convert.arrays import from_pyg, from_scipy
from phil.graphs.convert.networkx import from_networkx, to_networkx

__all__ = ["from_networkx", "from_pyg", "from_scipy", "to_networkx"]
