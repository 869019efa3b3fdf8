"""Problem sets: public maps and graphs, generated maps, and your own files."""

from phil.problems.pairs import single_graph_set
from phil.problems.problem import SPLITS, Problem, ProblemSet
from phil.problems.registry import list_sets, open_set, register_problem_set
from phil.problems.source import SetInfo, SetOptions

__all__ = [
    "SPLITS",
    "Problem",
    "ProblemSet",
    "SetInfo",
    "SetOptions",
    "list_sets",
    "open_set",
    "register_problem_set",
    "single_graph_set",
]
