"""Learning on 3D maps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.graphs.distances import hops_to
from phil.heuristics.mlp import MlpHeuristic
from phil.heuristics.phil import PhilHeuristic
from phil.heuristics.registry import load_heuristic
from phil.learning import train
from phil.problems.problem import Problem, ProblemSet
from phil.search import search
from tests.contracts.check_heuristic import check_heuristic
from tests.learning.small import QUICK


def corner_to_corner(count: int, seed: int) -> tuple[Problem, ...]:
    """Solvable problems in boxes with a third of their voxels blocked."""
    random = np.random.default_rng(seed)
    problems: list[Problem] = []
    while len(problems) < count:
        free = random.random((7, 6, 5)) > 0.33
        free[0, 0, 0] = free[-1, -1, -1] = True
        grid = GridGraph(free, corners="both_free")
        if np.isfinite(hops_to(grid, 0)[grid.size - 1]):
            problems.append(Problem(grid, 0, grid.size - 1, f"{seed}/{len(problems)}"))
    return tuple(problems)


BOXES = ProblemSet("boxes", corner_to_corner(4, 0), corner_to_corner(4, 1))


def test_phil_learns_there_and_keeps_the_contract(tmp_path: Path) -> None:
    output = tmp_path / "boxes.safetensors"
    # With tolls for places and moves that are blocked as inputs, which are for 2D maps.
    learned = train(BOXES, settings=QUICK | {"hard_candidates": 1}, output=output)
    assert isinstance(learned, PhilHeuristic)
    assert learned.metadata.feature_names == ("x", "y", "z")
    assert learned.metadata.network.features == learned.metadata.network.edge_features == 3
    assert learned.metadata.network.walls == 0
    again = load_heuristic(str(output))
    for problem in BOXES.validation:
        ends = problem.graph, problem.start, problem.goal
        assert search(*ends, again).solved
        assert search(*ends, again).expansions == search(*ends, learned).expansions
    check_heuristic(again)
    with pytest.raises(InputError, match="learned on 3D maps, this one is 2D"):
        search(GridGraph([[True]]), 0, 0, again)


def test_sail_reads_what_it_reads_of_graphs() -> None:
    learned = train(BOXES, method="sail", settings={"iterations": 1, "searches": 4, "updates": 1})
    assert isinstance(learned, MlpHeuristic)
    assert learned.metadata.inputs == "graph"
    assert learned.metadata.num_inputs == 9
    check_heuristic(learned)


def test_neural_astar_refuses() -> None:
    with pytest.raises(InputError, match=r"problem '0/0': Neural A\* needs a 2D map"):
        train(BOXES, method="neural_astar")
