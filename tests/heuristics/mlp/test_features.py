"""The inputs of a perceptron against plain definitions of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.graphs import Graph, GridGraph
from phil.heuristics.mlp.kernel import write_features
from phil.heuristics.mlp.specification import GRAPH, GRID, NODES
from phil.heuristics.obstacles import allocate, discover_around
from phil.heuristics.scaling import Scaling, frame, measure, scaled_features
from tests.strategies import grids

NO_GROUPS = np.zeros(0, np.int64)


def blocked_around(grid: GridGraph, node: int) -> set[tuple[int, int]]:
    row, column = grid.cell(node)
    rows, columns = grid.shape
    around = {
        (row + down, column + right)
        for down, right in grid.arrays.moves.tolist()
        if 0 <= row + down < rows and 0 <= column + right < columns
    }
    return {cell for cell in around if not grid.free[cell]}


def sail_features(
    grid: GridGraph, met: set[tuple[int, int]], goal: int, node: int, g: float, depth: int
) -> NDArray[np.float64]:
    """SaIL's 17 features as its paper lists them, scaled to the map."""
    rows, columns = grid.shape
    longer = max(rows, columns, 2) - 1

    def xy(cell: tuple[int, int]) -> NDArray[np.float64]:
        return np.array([cell[1], rows - 1 - cell[0]], float)

    def place(cell: tuple[int, int]) -> list[float]:
        return list((xy(cell) - [(columns - 1) / 2, (rows - 1) / 2]) / (longer / 2))

    here, there = grid.cell(node), grid.cell(goal)
    gap = np.abs(xy(there) - xy(here))
    lengths = np.array([g, np.hypot(*gap), gap.sum(), depth]) / longer
    found = [*place(here), *lengths, *place(there)]
    if not met:
        return np.array(found + [-1.0] * 9)
    row, column = here

    # Distance first, then the written rule for equally near cells.
    def straight(at: tuple[int, int]) -> tuple[float, ...]:
        return math.hypot(at[0] - row, at[1] - column), abs(at[0] - row), *at

    def by_column(at: tuple[int, int]) -> tuple[float, ...]:
        return abs(at[1] - column), abs(at[0] - row), at[1], at[0]

    def by_row(at: tuple[int, int]) -> tuple[float, ...]:
        return abs(at[0] - row), abs(at[1] - column), *at

    for order in (straight, by_column, by_row):
        cell = min(met, key=order)
        found += [*place(cell), order(cell)[0] / longer]
    return np.array(found)


@given(st.data())
def test_on_grids_they_are_the_17_of_sail(data: st.DataObject) -> None:
    grid = data.draw(grids())
    nodes = np.flatnonzero(grid.free).tolist()
    node = st.sampled_from(nodes)
    goal = data.draw(node)
    scale = frame(grid, Scaling())
    there = np.zeros(2, np.float32)
    scaled_features(grid.arrays, scale, goal, there)
    obstacles = allocate(*grid.shape)
    met: set[tuple[int, int]] = set()
    for expanded in data.draw(st.lists(node, max_size=4)):
        discover_around(obstacles, grid.arrays, expanded)
        met |= blocked_around(grid, expanded)
    other, g, depth = data.draw(node), data.draw(st.floats(0, 50)), data.draw(st.integers(0, 50))
    out = np.zeros(17, np.float32)
    write_features(GRID, NO_GROUPS, grid.arrays, scale, obstacles, there, other, g, depth, out)
    expected = sail_features(grid, met, goal, other, g, depth)
    np.testing.assert_allclose(out, expected, rtol=1e-5, atol=1e-5)


def test_on_graphs_they_are_features_path_cost_depth_and_distance() -> None:
    random = np.random.default_rng(3)
    graph = Graph.from_edges(5, [(0, 1), (1, 2)], random.normal(4, [1, 10, 0.1], (5, 3)))
    scaling = measure([graph], 8.0)
    scale = frame(graph, scaling)
    scaled = (graph.features - scaling.centre) / scaling.spread
    there = np.zeros(3, np.float32)
    scaled_features(graph.arrays, scale, 4, there)
    out = np.zeros(14, np.float32)
    given_ = (graph.arrays, scale, allocate(0, 0), there, 2, 12.0, 6, out)
    write_features(GRAPH, NO_GROUPS, *given_)
    gap = np.linalg.norm(scaled[2] - scaled[4])
    both = [*scaled[2], *scaled[4]]
    np.testing.assert_allclose(out, [*both, 1.5, 0.75, gap, *[0] * 5], rtol=1e-4)
    out[:] = 0
    write_features(NODES, NO_GROUPS, *given_)
    np.testing.assert_allclose(out, [*both, *[0] * 8], rtol=1e-4)
    by_group = [
        x for part in (slice(2), slice(2, 3)) for x in apart(scaled[2, part], scaled[4, part])
    ]
    write_features(NODES, np.array([2, 3]), *given_)
    np.testing.assert_allclose(out, [*both, *by_group, 0, 0], rtol=1e-4)
    write_features(GRAPH, np.array([2, 3]), *given_)
    np.testing.assert_allclose(out, [*both, 1.5, 0.75, *by_group], rtol=1e-4)


def apart(x: NDArray[np.floating[Any]], y: NDArray[np.floating[Any]]) -> tuple[float, float, float]:
    """Euclidean and cosine distance, and the largest difference."""
    cosine = 1 - x @ y / (np.linalg.norm(x) * np.linalg.norm(y))
    return float(np.linalg.norm(x - y)), float(cosine), float(np.abs(x - y).max())
