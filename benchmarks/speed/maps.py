"""Choosing problems."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np

from phil.graphs import GridGraph
from phil.graphs.distances import hops_to
from phil.problems import Problem


class NewGrid:
    """A grid that can be made anew.

    PHIL keeps what it has computed for the last goals of a graph. Asked again for the same goal
    of the same graph it would answer from there; a graph made anew is a new one to it.
    """

    def __init__(self, grid: GridGraph) -> None:
        self.grid = grid

    def renew(self) -> None:
        """Put an equal grid in the place of this one."""
        old = self.grid
        self.grid = GridGraph(
            old.free,
            connectivity=old.connectivity,
            corners=old.corners,
            diagonal_cost=old.diagonal_cost,
        )
        _ = self.grid.arrays  # made when they are first asked for


def solvable(problems: Iterable[Problem], most: int) -> list[Problem]:
    """The first problems that have a path."""
    return list(islice((problem for problem in problems if _joined(problem)), most))


def _joined(problem: Problem) -> bool:
    return bool(np.isfinite(hops_to(problem.graph, problem.goal)[problem.start]))
