"""What a method costs on a set of problems: methods by name, running them, statistics, JSON."""

from phil.evaluation.evaluate import MethodScore, Run, evaluate, evaluation_json
from phil.evaluation.methods import parse_method
from phil.evaluation.solvers import Method, MultiHeuristicMethod, Solver
from phil.evaluation.statistics import Summary, bootstrap_interval, bootstrap_ratio, summarize

__all__ = [
    "Method",
    "MethodScore",
    "MultiHeuristicMethod",
    "Run",
    "Solver",
    "Summary",
    "bootstrap_interval",
    "bootstrap_ratio",
    "evaluate",
    "evaluation_json",
    "parse_method",
    "summarize",
]
