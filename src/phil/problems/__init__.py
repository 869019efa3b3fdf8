"""Problem sets: public maps and graphs, generated maps, and your own files."""

from phil.problems.domain import Domain
from phil.problems.pairs import single_graph_set
from phil.problems.problem import SPLITS, Problem, ProblemSet
from phil.problems.registry import list_sets, open_set, register_problem_set, write_set
from phil.problems.source import SetInfo, SetOptions

__all__ = [
    "SPLITS",
    "Domain",
    "Problem",
    "ProblemSet",
    "SetInfo",
    "SetOptions",
    "list_sets",
    "open_set",
    "register_problem_set",
    "single_graph_set",
    "write_set",
]
