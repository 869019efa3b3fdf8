"""Appendix G of the paper: milliseconds per expanded node, and the share of the heuristic."""

from phil.experiments.runtime.command import reproduce
from phil.experiments.runtime.page import claims
from phil.experiments.runtime.study import Runtime

__all__ = ["Runtime", "claims", "reproduce"]
