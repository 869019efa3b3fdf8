"""Caution: tolls where searches go astray, and an oracle that goes round them."""

from __future__ import annotations

import numpy as np
import pytest

from phil.graphs import Graph, GridGraph
from phil.heuristics.classical import euclidean, oracle
from phil.learning import train
from phil.learning.caution import PLACES, measure_waste, with_caution
from phil.learning.oracle import with_oracle
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


def test_hard_candidates_are_cautious_in_turn() -> None:
    settings = {
        "iterations": 2, "steps": 2, "rollouts": 2, "hard": 1.0,
        "hard_candidates": 3, "caution": "0, 4",
    }  # fmt: skip
    heuristics = [train(small_set(), settings=settings, workers=workers) for workers in (1, 2)]
    found = [heuristic.metadata.training["candidates"] for heuristic in heuristics]
    assert [c["caution"] for c in found[0].values()] == [0.0, 0.0, 0.0, 4.0, 0.0]
    assert found[0] == found[1]


@pytest.mark.parametrize("text", ["-1", "", "a"])
def test_a_caution_is_a_number_not_below_0(text: str) -> None:
    with pytest.raises(ValueError, match="caution"):
        train(small_set(), settings={"caution": text})
