"""Conversion: from and to networkx, from PyTorch Geometric and scipy, and from maps to graphs."""

from phil.graphs.convert.arrays import from_pyg, from_scipy
from phil.graphs.convert.grids import from_grid
from phil.graphs.convert.networkx import from_networkx, to_networkx

__all__ = ["from_grid", "from_networkx", "from_pyg", "from_scipy", "to_networkx"]
