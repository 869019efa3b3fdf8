"""A query that every library is asked: a map, two cells, and the rule of the moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phil.graphs import GridGraph
from phil.graphs.grid import Corners

Cell = tuple[int, int]


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

    def node(self, cell: Cell) -> int:
        """The number of a cell in libraries whose nodes are numbers."""
        return cell[0] * self.shape[1] + cell[1]

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
