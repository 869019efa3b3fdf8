"""The queries that every library is asked: a map, two cells, and the rule of the moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phil.graphs import GridGraph
from phil.graphs.formats import read_movingai_map, read_scenarios
from phil.graphs.stencil import Corners
from phil.problems.data_files import data_folders
from phil.problems.generated import generate_map
from reproduction.speed.common import Cell, Scale

LARGE = {"forest": 1001, "mazes": 1001}  # sides of generated maps
MOVINGAI = {
    "MovingAI 512x512": (
        "bg512/AR0300SR",
        "cities/Berlin_0_512",
        "mazes/maze512-8-0",
        "random/random512-20-0",
    ),
    "MovingAI 1024x1024": ("cities/Berlin_0_1024",),
}
FAR = 0.8  # of a map's scenarios in order of length, which one is taken


@dataclass(frozen=True)
class Rule:
    """What moves cost and when they may be made: libraries differ, so they are grouped by it."""

    name: str
    text: str
    corners: Corners
    diagonal: float


KING = Rule("king", "diagonal moves cost 1 and cut corners", "allow", 1.0)
OCTILE = Rule("octile", "diagonal moves cost sqrt 2 and cut corners", "allow", 2**0.5)
STRICT = Rule(
    "strict", "diagonal moves cost sqrt 2, only if both cells beside are free", "both_free", 2**0.5
)
RULES = {rule.name: rule for rule in (KING, OCTILE, STRICT)}


@dataclass(frozen=True)
class Query:
    """One path to find."""

    kind: str  # maps of one kind are summed up together
    name: str
    free: NDArray[np.bool_]
    start: Cell
    goal: Cell
    rule: Rule
    learned: str = "phil:forest"  # the heuristic that PHIL takes

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.free.shape[0], self.free.shape[1]

    def grid(self) -> GridGraph:
        """The map as our graph."""
        return GridGraph(self.free, corners=self.rule.corners, diagonal_cost=self.rule.diagonal)

    @property
    def nodes(self) -> tuple[int, int]:
        """Start and goal in libraries whose nodes are numbers."""
        columns = self.shape[1]
        return self.start[0] * columns + self.start[1], self.goal[0] * columns + self.goal[1]

    def cells(self, nodes: ArrayLike) -> NDArray[np.int64]:
        """The (row, column) of each node."""
        return np.stack(np.divmod(np.asarray(nodes, np.int64), self.shape[1]), axis=1)

    def estimate(self) -> Callable[[int], float]:
        """The octile distance of a node to the goal, for libraries that call Python for it."""
        columns, (goal_row, goal_column) = self.shape[1], self.goal
        extra = self.rule.diagonal - 2.0

        def octile(node: int) -> float:
            row, column = divmod(node, columns)
            down, right = abs(row - goal_row), abs(column - goal_column)
            return down + right + extra * (down if down < right else right)

        return octile


def edges(query: Query) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The undirected edges (E, 2) of the map, each once, and their costs."""
    free = query.free
    number = np.arange(free.size).reshape(free.shape)
    strict = query.rule.corners == "both_free"
    pairs, costs = [], []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        here, there = _halves(down, right)
        joined = free[here] & free[there]
        if down and right and strict:
            # The cells beside a diagonal move: one shares its row, the other its column.
            joined = joined & free[here[0], there[1]] & free[there[0], here[1]]
        pairs.append(np.stack([number[here][joined], number[there][joined]], axis=1))
        costs.append(np.full(int(joined.sum()), query.rule.diagonal if down and right else 1.0))
    return np.concatenate(pairs), np.concatenate(costs)


def _halves(down: int, right: int) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Where a move begins and where it ends, as parts of a map."""
    rows, columns = (
        (slice(None, -1), slice(1, None)) if step else (slice(None), slice(None))
        for step in (down, right)
    )
    if right < 0:
        columns = columns[::-1]
    return (rows[0], columns[0]), (rows[1], columns[1])


def path_cost(query: Query, cells: NDArray[np.int64]) -> float:
    """What a path costs, worked out from the map alone; a `ValueError` if it is none."""
    where = f"{query.name} ({query.rule.name})"
    if tuple(cells[0]) != query.start or tuple(cells[-1]) != query.goal:
        raise ValueError(f"{where}: the path does not join start and goal")
    if not query.free[cells[:, 0], cells[:, 1]].all():
        raise ValueError(f"{where}: the path enters an obstacle")
    steps = np.diff(cells, axis=0)
    if len(steps) and not (np.abs(steps).max(axis=1) == 1).all():
        raise ValueError(f"{where}: the path jumps")
    diagonal = (steps != 0).all(axis=1)
    here, there = cells[:-1][diagonal], cells[1:][diagonal]
    beside = query.free[here[:, 0], there[:, 1]] & query.free[there[:, 0], here[:, 1]]
    if query.rule.corners == "both_free" and not beside.all():
        raise ValueError(f"{where}: the path cuts a corner")
    return float(np.where(diagonal, query.rule.diagonal, 1.0).sum())


def queries(scale: Scale) -> Iterator[Query]:
    """All queries; public maps that are not found are left out."""
    for family in scale.families:
        yield from _family(scale, family)
    if scale.quick:
        return
    for kind, names in MOVINGAI.items():
        for name in names:
            yield from _movingai(scale, kind, name)
    for family, side in LARGE.items():
        free = generate_map(family, np.random.default_rng(0), (side, side))
        for rule in (KING, OCTILE):
            kind, ends = f"generated {side}x{side}", ((side - 1, 0), (0, side - 1))
            yield Query(kind, family, free, *ends, rule, f"phil:{family}")


def _family(scale: Scale, family: str) -> Iterator[Query]:
    (problem,) = scale.tests(family, 1)
    grid = problem.graph
    assert grid.is_grid
    kind = f"{scale.pick('public', 'generated')} {grid.shape[0]}x{grid.shape[1]}"
    ends = grid.cell(problem.start), grid.cell(problem.goal)
    for rule in scale.pick((KING, OCTILE), (KING, OCTILE, STRICT)):
        yield Query(kind, problem.name, grid.free, *ends, rule, f"phil:{family}")


def _movingai(scale: Scale, kind: str, name: str) -> Iterator[Query]:
    files = (folder / "maps" / f"{name}.map" for folder in data_folders(scale.data))
    path = next((file for file in files if file.is_file()), None)
    if path is None:
        return
    scenarios = sorted(read_scenarios(f"{path}.scen"), key=lambda scenario: scenario.optimal)
    far = scenarios[int(FAR * len(scenarios))]
    for rule in (KING, STRICT):
        yield Query(kind, name, read_movingai_map(path).free, far.start, far.goal, rule)
