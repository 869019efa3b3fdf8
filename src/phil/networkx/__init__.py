"""For users of networkx: search their graphs with any heuristic, in the compiled engine.

`networkx.astar_path(G, source, target, backend="phil")` and the like run there as well.
"""

from phil.networkx.conversion import Conversion, convert
from phil.networkx.search import heuristic_path, heuristic_search

__all__ = ["Conversion", "convert", "heuristic_path", "heuristic_search"]
