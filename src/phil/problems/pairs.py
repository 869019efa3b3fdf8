"""Which cells of a map a problem joins: the corners, or two at random."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, unknown_name
from phil.graphs import GridGraph
from phil.graphs.distances import hops_to
from phil.problems.problem import Problem

PAIRS = ("corners", "random")


def map_problem(
    free: NDArray[np.bool_], set_name: str, map_name: str, pairs: str = "corners", seed: int = 0
) -> Problem:
    """The problem of one map, named `<set_name>/<map_name>`.

    `corners` starts at the bottom-left cell and ends at the top-right one. `random` takes two
    different free cells that a path joins; they depend on the seed and the map's name alone, so a
    map keeps its pair wherever its set is stored and whatever else is in it.

    >>> problem = map_problem(np.ones((3, 5), bool), "mine", "a.png")
    >>> problem.name, problem.graph.cell(problem.start), problem.graph.cell(problem.goal)
    ('mine/a.png', (2, 0), (0, 4))
    """
    if pairs not in PAIRS:
        raise unknown_name("choice of pairs", pairs, PAIRS)
    name = f"{set_name}/{map_name}"
    grid = GridGraph(free)
    start, goal = (
        _corners(grid, name) if pairs == "corners" else _random(grid, name, f"{seed}/{map_name}")
    )
    return Problem(grid, start, goal, name)


def _corners(grid: GridGraph, name: str) -> tuple[int, int]:
    rows, columns = grid.plane("a pair of corners")
    cells = {"bottom-left (start)": (rows - 1, 0), "top-right (goal)": (0, columns - 1)}
    for corner, cell in cells.items():
        if not grid.free[cell]:
            raise InputError(
                f"{name}: the {corner} corner, row {cell[0]}, column {cell[1]}, is on an obstacle; "
                "free it or choose random starts and goals with --pairs random"
            )
    start, goal = (grid.node(*cell) for cell in cells.values())
    return start, goal


def _random(grid: GridGraph, name: str, key: str) -> tuple[int, int]:
    digest = hashlib.sha256(key.encode()).digest()
    random = np.random.default_rng(int.from_bytes(digest, "big"))
    for start in random.permutation(np.flatnonzero(grid.free)):
        if grid.neighbors(start).size:
            joined = np.isfinite(hops_to(grid, start))
            joined[start] = False
            return int(start), int(random.choice(np.flatnonzero(joined)))
    raise InputError(
        f"{name} has no two free cells that a path joins; remove it or choose --pairs corners"
    )
