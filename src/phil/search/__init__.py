"""How a graph is searched: best-first search and its variants, counting, outcomes and limits."""

from phil.search.anytime import anytime
from phil.search.best_first import search
from phil.search.bidirectional import search_bidirectional
from phil.search.hedge import search_hedge
from phil.search.many import search_many, search_stream
from phil.search.mha import search_mha
from phil.search.result import Limits, Outcome, Result
from phil.search.smoothing import Smoothed, smooth
from phil.search.state import ASTAR, BFS, GREEDY, Key
from phil.search.watch import Piece, Watcher, watched

__all__ = [
    "ASTAR",
    "BFS",
    "GREEDY",
    "Key",
    "Limits",
    "Outcome",
    "Piece",
    "Result",
    "Smoothed",
    "Watcher",
    "anytime",
    "search",
    "search_bidirectional",
    "search_hedge",
    "search_many",
    "search_mha",
    "search_stream",
    "smooth",
    "watched",
]
