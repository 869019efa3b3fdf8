"""What a method costs on a set of problems: methods by name, running them, statistics, JSON."""

from phil.evaluation.evaluate import MethodScore, Run, evaluate, evaluation_json
from phil.evaluation.methods import Method, parse_method
from phil.evaluation.statistics import Summary, bootstrap_interval, summarize

__all__ = [
    "Method",
    "MethodScore",
    "Run",
    "Summary",
    "bootstrap_interval",
    "evaluate",
    "evaluation_json",
    "parse_method",
    "summarize",
]
