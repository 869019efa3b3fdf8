"""Which nodes a problem joins: the corners of a map, or two at random."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, unknown_name
from phil.graphs import AnyGraph, GridGraph
from phil.graphs.distances import hops_to
from phil.problems.problem import Problem
from phil.problems.seeded import seeded
from phil.problems.single_graph import PairDraw

PAIRS = ("corners", "random")


def map_problem(
    free: NDArray[np.bool_], set_name: str, map_name: str, pairs: str = "corners", seed: int = 0
) -> Problem:
    """The problem of one map, named `<set_name>/<map_name>`.

    >>> problem = map_problem(np.ones((3, 5), bool), "mine", "a.png")
    >>> problem.name, problem.graph.cell(problem.start), problem.graph.cell(problem.goal)
    ('mine/a.png', (2, 0), (0, 4))
    """
    [problem] = split_problems({map_name: GridGraph(free)}, set_name, pairs, seed)
    return problem


def split_problems(
    graphs: Mapping[str, AnyGraph],
    set_name: str,
    pairs: str = "corners",
    seed: int = 0,
    count: int | None = None,
) -> tuple[Problem, ...]:
    """The problems of the graphs of a split: one each, or `count` in all, the graphs in turn.

    `corners` starts at the bottom-left cell of a map and ends at the top-right one. `random` takes
    two different nodes that a path joins; they depend on the seed and the graph's name alone, so a
    graph keeps its pairs wherever its set is stored and whatever else is in it. A problem is named
    `<set_name>/<graph's name>`, with its number behind if there may be several.
    """
    if pairs not in PAIRS:
        raise unknown_name("choice of pairs", pairs, PAIRS)
    if pairs == "corners":
        if count is not None:
            raise InputError(
                f"{set_name} joins the corners of its maps, one problem each; --count is how many "
                "pairs --pairs random draws, or how many of a file of pairs are taken"
            )
        return tuple(
            Problem(graph, *_corners(graph, f"{set_name}/{name}"), f"{set_name}/{name}")
            for name, graph in graphs.items()
        )
    each = 1 if count is None else -(-count // max(1, len(graphs)))
    drawn = {
        name: _random(graph, f"{set_name}/{name}", f"{seed}/{name}", each)
        for name, graph in graphs.items()
    }
    problems = [
        Problem(
            graph, *drawn[name][turn], f"{set_name}/{name}{'' if count is None else f'/{turn}'}"
        )
        for turn in range(each)
        for name, graph in graphs.items()
    ]
    return tuple(problems[:count])


def _corners(graph: AnyGraph, name: str) -> tuple[int, int]:
    if graph.axes != 2:
        raise InputError(
            f"{name} is no 2D map, so that it has no corners; choose --pairs random, or name a "
            "file of pairs"
        )
    rows, columns = graph.plane("a pair of corners")
    cells = {"bottom-left (start)": (rows - 1, 0), "top-right (goal)": (0, columns - 1)}
    for corner, cell in cells.items():
        if not graph.free[cell]:
            raise InputError(
                f"{name}: the {corner} corner, row {cell[0]}, column {cell[1]}, is on an obstacle; "
                "free it or choose random starts and goals with --pairs random"
            )
    start, goal = (graph.node(*cell) for cell in cells.values())
    return start, goal


def _random(graph: AnyGraph, name: str, key: str, count: int) -> list[tuple[int, int]]:
    if not graph.is_grid:
        return PairDraw(graph, name).pairs(count, seeded(key))
    keys = [key, *(f"{key}/{number}" for number in range(1, count))]
    return [_random_cells(graph, name, seeded(each)) for each in keys]


def _random_cells(grid: GridGraph, name: str, random: np.random.Generator) -> tuple[int, int]:
    for start in random.permutation(np.flatnonzero(grid.free)):
        if grid.neighbors(start).size:
            joined = np.isfinite(hops_to(grid, start))
            joined[start] = False
            return int(start), int(random.choice(np.flatnonzero(joined)))
    raise InputError(
        f"{name} has no two free cells that a path joins; remove it or choose --pairs corners"
    )
