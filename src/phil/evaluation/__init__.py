"""Comparing methods on a set of problems: methods by name, runs, statistics and JSON."""

from phil.evaluation.comparison import Evaluation, evaluation_json
from phil.evaluation.evaluate import evaluate
from phil.evaluation.methods import default_method, parse_method
from phil.evaluation.score import MethodScore, Run
from phil.evaluation.statistics import Summary, bootstrap_interval, bootstrap_ratio, summarize
from phil.search.hedge import HedgedMethod
from phil.search.method import Method, Solver
from phil.search.mha import MultiHeuristicMethod

__all__ = [
    "Evaluation",
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
