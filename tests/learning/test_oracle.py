"""Problems made ready for training: the oracle, what is left out, and what must be alike."""

from __future__ import annotations

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.graphs.distances import hops_to
from phil.heuristics.scaling import Scaling
from phil.learning.oracle import network_settings, scaling_of, with_oracle
from phil.learning.settings import training_settings
from phil.problems.problem import Problem
from tests.learning.small import graph_problems, grid_problems, walled_off

BEST = training_settings("best")
AT_THE_GOAL = Problem(GridGraph(np.ones((3, 3), bool)), 4, 4)


def test_distances_are_moves_to_the_goal() -> None:
    problems = grid_problems(3) + grid_problems(1, side=12)
    oracle = with_oracle(problems, "train")
    assert oracle.problems == problems
    for problem, distance in zip(problems, oracle.distances, strict=True):
        assert np.array_equal(distance, hops_to(problem.graph, problem.goal))
    starts = [d[p.start] for p, d in zip(problems, oracle.distances, strict=True)]
    assert oracle.mean_distance == np.mean(starts)


def test_problems_that_teach_nothing_are_left_out() -> None:
    first, second = grid_problems(2)
    oracle = with_oracle((walled_off(), first, AT_THE_GOAL, second, walled_off(9)), "train")
    assert oracle.problems == (first, second)
    assert len(oracle.distances) == 2
    assert oracle.unsolvable == 2


def test_some_problems_must_be_left() -> None:
    with pytest.raises(InputError, match="no validation problems"):
        with_oracle((), "validation")
    with pytest.raises(InputError, match="none of the 2 train problems has a path"):
        with_oracle((walled_off(), AT_THE_GOAL), "train")


def test_dead_ends_of_directed_graphs_are_as_far_as_over_reverse_edges_or_left_out() -> None:
    round_trip = Graph.from_edges(3, [(0, 1), (1, 2), (2, 0)], directed=True)
    assert with_oracle((Problem(round_trip, 0, 2),), "train").distances[0].tolist() == [2, 1, 0]
    # Nothing leads on from 2; back over 0 it is two moves from the goal.
    fork = Graph.from_edges(3, [(0, 1), (0, 2)], weights=[3.0, 4.0], directed=True)
    [problem] = problems = (Problem(fork, 0, 1),)
    assert with_oracle(problems, "train", "moves").distances[0].tolist() == [1, 0, 2]
    assert with_oracle(problems, "train", "cost").distances[0].tolist() == [3, 0, 7]
    left = with_oracle(problems, "train", dead_ends="leave_out")
    assert left.distances[0].tolist() == [3, 0, np.inf]
    # A problem without a path stays one.
    back = with_oracle((Problem(fork, 1, 0), problem), "train")
    assert (back.problems, back.unsolvable) == (problems, 1)


def test_problems_with_one_goal_share_the_oracles_table() -> None:
    graph = Graph.from_edges(4, [(0, 1), (1, 2), (2, 3)])
    known = with_oracle([Problem(graph, 0, 3), Problem(graph, 1, 3), Problem(graph, 0, 2)], "train")
    assert known.distances[0] is known.distances[1]
    assert known.distances[2].tolist() == [2, 1, 0, 1]


def test_distances_are_path_costs_where_edges_have_weights() -> None:
    graph = Graph.from_edges(3, [(0, 1), (1, 2), (0, 2)], weights=[1.0, 1.0, 5.0])
    known = with_oracle([Problem(graph, 0, 2)], "train")
    assert (known.unit, known.mean_distance) == ("cost", 2.0)
    assert with_oracle([Problem(graph, 0, 2)], "train", "moves").mean_distance == 1.0
    # The mean of both, each of its own shortest path.
    assert with_oracle([Problem(graph, 0, 2)], "train", "mixed").mean_distance == 1.5


def test_the_network_takes_what_grids_offer() -> None:
    network = network_settings(BEST, with_oracle(grid_problems(2), "train"))
    assert (network.features, network.edge_features, network.axes) == (2, 2, 2)
    assert (network.known, network.lazy) == (BEST.known, True)
    assert (network.width, network.memory, network.remember) == (BEST.width, BEST.memory, False)
    four = Problem(GridGraph(np.ones((5, 5), bool), connectivity=4), 0, 24)
    walls = training_settings("best", {"walls": True})
    assert network_settings(walls, with_oracle((four,), "train")).walls == 4
    assert network_settings(walls, with_oracle(grid_problems(1), "train")).walls == 8
    paper = training_settings("paper")
    assert network_settings(paper, with_oracle((four,), "train")).walls == 0


def test_the_network_takes_what_graphs_offer() -> None:
    network = network_settings(BEST, with_oracle(graph_problems(2, edge_features=5), "train"))
    assert (network.features, network.edge_features, network.walls) == (3, 5, 0)


@pytest.mark.parametrize(
    "others",
    [
        graph_problems(1),
        (Problem(GridGraph(np.ones((5, 5), bool), connectivity=4), 0, 24),),
    ],
    ids=["graph", "4-connected"],
)
def test_graphs_of_different_kinds_are_refused(others: tuple[Problem, ...]) -> None:
    grids, walls = (
        with_oracle(grid_problems(1), "train"),
        training_settings("best", {"walls": True}),
    )
    with pytest.raises(InputError, match="train a separate heuristic for each kind"):
        network_settings(walls, with_oracle(grid_problems(1) + others, "train"))
    with pytest.raises(InputError, match="train a separate heuristic for each kind"):
        network_settings(walls, grids, with_oracle(others, "validation"))


def test_a_network_without_walls_takes_maps_with_all_moves() -> None:
    four = Problem(GridGraph(np.ones((5, 5), bool), connectivity=4), 0, 24)
    assert network_settings(BEST, with_oracle((*grid_problems(1), four), "train")).walls == 0


def test_graphs_without_features_are_refused() -> None:
    bare = Graph.from_edges(2, [(0, 1)], np.zeros((2, 0)))
    with pytest.raises(InputError, match="no node features"):
        network_settings(BEST, with_oracle((Problem(bare, 0, 1),), "train"))


def test_grids_are_scaled_by_their_own_size() -> None:
    assert scaling_of(with_oracle(grid_problems(2), "train")) == Scaling(grid=True)


def test_graphs_are_scaled_by_what_the_training_problems_show() -> None:
    oracle = with_oracle(graph_problems(3), "train")
    scaling = scaling_of(oracle, together=False)
    rows = np.concatenate(
        [problem.graph.features for problem in oracle.problems if isinstance(problem.graph, Graph)]
    )
    assert not scaling.grid
    assert scaling.centre == pytest.approx(rows.mean(axis=0), rel=1e-5)
    assert scaling.spread == pytest.approx(rows.std(axis=0), rel=1e-5)
    assert scaling.distance == oracle.mean_distance
    shared = np.sqrt(np.mean(rows.var(axis=0)))
    assert scaling_of(oracle).spread == pytest.approx((shared,) * 3, rel=1e-5)


def test_a_constant_feature_is_not_divided_by_zero() -> None:
    graph = Graph.from_edges(2, [(0, 1)], [[7.0, 1.0], [7.0, 3.0]])
    scaling = scaling_of(with_oracle((Problem(graph, 0, 1),), "train"), together=False)
    assert (scaling.centre, scaling.spread) == ((7.0, 2.0), (1.0, 1.0))
