"""WHERE problems come from: public maps and graphs, generated maps and a user's own."""

from phil.problems.catalog import list_sets, open_set
from phil.problems.info import SetInfo
from phil.problems.problem import Problem, ProblemSet

__all__ = ["Problem", "ProblemSet", "SetInfo", "list_sets", "open_set"]
