"""Graphs of other libraries: networkx, PyTorch Geometric and scipy."""

from phil.graphs.convert.networkx import from_networkx, to_networkx
from phil.graphs.convert.pyg import from_pyg
from phil.graphs.convert.scipy import from_scipy

__all__ = ["from_networkx", "from_pyg", "from_scipy", "to_networkx"]
