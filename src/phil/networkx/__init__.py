"""Search networkx graphs with any heuristic, in the compiled engine.

It also serves as a networkx backend: `networkx.astar_path(G, source, target, backend="phil")`.
"""

from phil.networkx.conversion import Conversion, convert
from phil.networkx.search import heuristic_path, heuristic_search
from phil.networkx.units import NotALowerBound

__all__ = ["Conversion", "NotALowerBound", "convert", "heuristic_path", "heuristic_search"]
