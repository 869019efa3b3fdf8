"""Maps made coarser, and the 4-connected 40x40 problems of the paper's ablations.

A block of cells becomes one cell, free when most of the block is. Of maps of 201x201 cells, cropped
to 200x200, blocks of 5x5 make 40x40 cells, each free when at least 13 of its 25 were. Narrow gaps
may close on the way, so problems without a path are left out, and counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.graphs.distances import hops_to
from phil.problems import SPLITS, Problem, ProblemSet, open_set
from phil.problems.grids import find_family

BLOCK = 5
CONNECTIVITY = 4


@dataclass(frozen=True)
class CoarseSet:
    """Coarse problems with a path, and how many maps of each split had none."""

    problems: ProblemSet
    unsolvable: Mapping[str, int]


def coarsen(free: NDArray[np.bool_], block: int = BLOCK) -> NDArray[np.bool_]:
    """A cell for every whole block of a map, free when most of it is.

    Rows below the last whole block and columns right of it are cropped.

    >>> coarsen(np.array([[1, 1, 0, 1], [1, 0, 0, 1]], bool), block=2)
    array([[ True, False]])
    """
    rows, columns = (side // block for side in free.shape)
    if min(rows, columns) == 0:
        raise InputError(
            f"a map of {free.shape[0]}x{free.shape[1]} cells has no block of {block}x{block}; "
            "take smaller blocks"
        )
    blocks = free[: rows * block, : columns * block].reshape(rows, block, columns, block)
    most: NDArray[np.bool_] = 2 * blocks.sum(axis=(1, 3)) > block * block
    return most


def coarse_set(name: str, splits: Mapping[str, Mapping[str, NDArray[np.bool_]]]) -> CoarseSet:
    """The coarse problems of maps by split and name: bottom-left to top-right, 4-connected."""
    found, unsolvable = {}, {}
    for split, maps in splits.items():
        made = [_problem(coarsen(free), f"{name}/{split}/{key}") for key, free in maps.items()]
        found[split] = tuple(problem for problem in made if problem is not None)
        unsolvable[split] = len(made) - len(found[split])
    return CoarseSet(ProblemSet(name, **found), unsolvable)


def open_coarse(family: str, data: Path | None = None) -> CoarseSet:
    """The coarse problems of a family: of its public maps where they are found, else generated."""
    source = "grids" if find_family(family, data) is not None else "generated"
    fine = open_set(f"{source}/{family}", data=data)
    splits: dict[str, dict[str, NDArray[np.bool_]]] = {}
    for split in SPLITS:
        splits[split] = {}
        for problem in fine.split(split):
            assert problem.graph.is_grid
            splits[split][problem.name.rpartition("/")[2]] = problem.graph.free
    return coarse_set(f"coarse/{source}/{family}", splits)


def _problem(free: NDArray[np.bool_], name: str) -> Problem | None:
    """From corner to corner; None if a corner is blocked or nothing joins the two."""
    if not (free[-1, 0] and free[0, -1]):
        return None
    grid = GridGraph(free, connectivity=CONNECTIVITY)
    start, goal = grid.node(free.shape[0] - 1, 0), grid.node(0, free.shape[1] - 1)
    if np.isinf(hops_to(grid, goal)[start]):
        return None
    return Problem(grid, start, goal, name)
