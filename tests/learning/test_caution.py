"""Caution: tolls where searches go astray, and an oracle that goes round them."""

from __future__ import annotations

import numpy as np
import pytest

from phil.graphs import Graph, GridGraph
from phil.heuristics.classical import euclidean, oracle
from phil.learning import competition, train
from phil.learning.caution import PLACES, Waste, measure_waste, with_caution
from phil.learning.oracle import OracleProblems, with_oracle
from phil.problems.problem import Problem
from tests.learning.small import small_set


def trapped() -> Problem:
    """A trap in the middle of a map: greedy search fills it."""
    free = np.ones((64, 64), bool)
    free[20:45, 44] = False
    free[20, 20:45] = False
    grid = GridGraph(free)
    return Problem(grid, grid.node(63, 0), grid.node(0, 63))


def test_waste_is_where_searches_leave_their_path() -> None:
    problem = trapped()
    waste = measure_waste(euclidean, [problem])
    assert waste is not None
    assert waste.shape == (PLACES, PLACES)
    assert waste.max() == 1
    rows, columns = np.unravel_index(waste.argmax(), waste.shape)
    assert 20 < rows < 45
    assert 20 < columns < 45


def test_without_waste_there_are_no_tolls() -> None:
    waste = measure_waste(oracle, [trapped()])
    assert waste is not None
    assert waste.max() == 0


def pocket(shape: tuple[int, int], row: int, column: int, depth: int = 1) -> Problem:
    """A way along a row that turns down before a dead end, which greedy search fills.

    The dead end, of `depth` cells, begins at the column.
    """
    free = np.zeros(shape, bool)
    free[row, : column + depth] = True
    free[row:, column - 1] = True
    free[-1, column:] = True
    free[row:, -1] = True
    grid = GridGraph(free, connectivity=4)
    return Problem(grid, grid.node(row, 0), grid.node(row, shape[1] - 1))


def test_waste_spreads_to_what_is_near() -> None:
    waste = measure_waste(euclidean, [pocket((64, 64), 20, 30)])
    assert waste is not None
    rows, columns = np.indices(waste.shape)
    distance = np.hypot(rows - 20, columns - 30)
    near = distance < 6  # beyond, the smoothing ends
    expected = np.exp(-(distance**2) / (2 * 2.0**2))  # a standard deviation of two places
    np.testing.assert_allclose(waste[near], expected[near], rtol=1e-6)
    assert (waste[distance > 15] == 0).all()


def test_places_are_parts_of_a_map_whatever_its_shape() -> None:
    waste = measure_waste(euclidean, [pocket((32, 128), 10, 60)])
    assert waste is not None
    assert waste[20, 30] == waste.max() == 1


def test_maps_count_by_the_share_of_them_that_is_wasted() -> None:
    small, large = pocket((64, 64), 10, 10, depth=4), pocket((256, 256), 200, 200, depth=16)
    waste = measure_waste(euclidean, [small, large])
    assert waste is not None
    # Four times as many cells in a row, on a map of sixteen times as many.
    assert waste[50, 50:54].max() == pytest.approx(waste[10, 10:14].max() / 4)


def test_enough_problems_are_searched_and_taught() -> None:
    smooth, rough = pocket((8, 8), 2, 5, depth=0), pocket((8, 8), 2, 5)
    for searched, astray in ((99, True), (100, False)):
        waste = measure_waste(euclidean, [smooth] * searched + [rough])
        assert waste is not None
        assert waste.any() == astray
    taught = with_caution(with_oracle([smooth] * 201, "train"), np.zeros((PLACES, PLACES)), 1.0)
    assert len(taught.problems) == len(taught.distances) == 200


def test_the_cautious_oracle_goes_round() -> None:
    problem = trapped()
    waste = measure_waste(euclidean, [problem])
    assert waste is not None
    plain = with_oracle([problem], "train")
    cautious = with_caution(plain, waste, 5.0)
    inside = problem.graph.node(30, 35)  # type: ignore[union-attr]
    assert cautious.distances[0][inside] > plain.distances[0][inside] + 5
    assert (cautious.distances[0] >= plain.distances[0]).all()
    same = with_caution(plain, waste, 0.0)
    np.testing.assert_allclose(same.distances[0], plain.distances[0])


def test_graphs_that_are_no_maps_have_no_places() -> None:
    graph = Graph.from_edges(3, np.array([[0, 1], [1, 2]]), np.zeros((3, 1)))
    assert measure_waste(euclidean, [Problem(graph, 0, 2)]) is None


def test_hard_candidates_are_cautious_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    cautions = []

    def noted(problems: OracleProblems, waste: Waste, caution: float) -> OracleProblems:
        cautions.append(caution)
        return with_caution(problems, waste, caution)

    monkeypatch.setattr(competition, "with_caution", noted)
    settings = {
        "plain": 0,
        "iterations": 2, "steps": 2, "rollouts": 2, "hard": 1.0,
        "hard_candidates": 3, "caution": "0, 4", "tune": 0,
    }  # fmt: skip
    heuristics = [train(small_set(), settings=settings, workers=workers) for workers in (1, 2)]
    found = [heuristic.metadata.training["candidates"] for heuristic in heuristics]
    assert [c["caution"] for c in found[0].values()] == [0.0, 0.0, 0.0, 4.0, 0.0]
    assert found[0] == found[1]
    assert cautions == [4.0, 4.0]  # the others learn from distances without tolls


@pytest.mark.parametrize("text", ["-1", "", "a"])
def test_a_caution_is_a_number_not_below_0(text: str) -> None:
    with pytest.raises(ValueError, match="caution"):
        train(small_set(), settings={"caution": text})
