"""Classical searches on the public maps give the figures that were measured independently."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phil.heuristics.classical import euclidean, manhattan, oracle, zero
from phil.problems import open_set
from phil.search import BFS, GREEDY, Key, Outcome, search
from phil.search.guide import Heuristic

# What prototypes measured on the solvable public test maps (without the goal): that a search here
# gives the same is the check that graphs, corners, ties and counting are the same.
# Family: BFS, A*, greedy euclidean, greedy manhattan, shortest path in moves, solvable maps.
MEASURED = {
    "alternating_gaps": (31_070, 16_931, 5_414, 6_323, 270, 100),
    "single_bugtrap": (37_844, 14_248, 1_066, 1_110, 240, 100),
    "shifting_gaps": (31_043, 13_136, 2_595, 3_024, 251, 100),
    "forest": (33_552, 12_862, 328, 324, 239, 100),
    "bugtrap_forest": (33_306, 18_715, 2_327, 1_998, 274, 100),
    "gaps_and_forest": (26_112, 20_648, 7_738, 8_746, 473, 91),
    "mazes": (18_088, 12_267, 1_010, 952, 267, 100),
    "multiple_bugtraps": (36_417, 19_329, 2_728, 2_555, 268, 100),
}


@pytest.mark.parametrize("family", MEASURED)
def test_classical_searches_reproduce_the_measured_figures(family: str, public_grids: Path) -> None:
    test = open_set(f"grids/{family}", data=public_grids).test
    methods: list[tuple[Heuristic, Key]] = [
        (zero, BFS),
        (euclidean, Key(g=1.0, h=1.0, ties_to_goal=False)),
        (euclidean, GREEDY),
        (manhattan, GREEDY),
        (oracle, GREEDY),
    ]
    means = []
    for heuristic, key in methods:
        results = [search(p.graph, p.start, p.goal, heuristic, key=key) for p in test]
        solved = [result.expansions for result in results if result.solved]
        assert len(solved) == MEASURED[family][-1]
        assert {r.outcome for r in results} <= {Outcome.SOLVED, Outcome.UNREACHABLE}
        means.append(np.mean(solved) - 1)
    assert means == pytest.approx(MEASURED[family][:-1], rel=0.02)
