"""Comparing methods on a set of problems: methods by name, runs, statistics and JSON."""

from phil.evaluation.evaluate import MethodScore, Run, evaluate, evaluation_json
from phil.evaluation.methods import default_method, parse_method
from phil.evaluation.statistics import Summary, bootstrap_interval, bootstrap_ratio, summarize
from phil.search.hedge import HedgedMethod
from phil.search.method import Method, Solver
from phil.search.mha import MultiHeuristicMethod

__all__ = [
    "HedgedMethod",
    "Method",
    "MethodScore",
    "MultiHeuristicMethod",
    "Run",
    "Solver",
    "Summary",
    "bootstrap_interval",
    "bootstrap_ratio",
    "default_method",
    "evaluate",
    "evaluation_json",
    "parse_method",
    "summarize",
]
