"""WHERE problems come from: public maps, generated maps and a user's own."""

from phil.problems.catalog import SetInfo, list_sets, open_set
from phil.problems.problem import Problem, ProblemSet

__all__ = ["Problem", "ProblemSet", "SetInfo", "list_sets", "open_set"]
