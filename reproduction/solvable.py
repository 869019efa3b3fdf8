"""Whether a problem has a path at all."""

from __future__ import annotations

import numpy as np

from phil.graphs.distances import hops_to
from phil.problems.problem import Problem


def has_path(problem: Problem) -> bool:
    """Whether the goal can be reached from the start."""
    return bool(np.isfinite(hops_to(problem.graph, problem.goal)[problem.start]))
