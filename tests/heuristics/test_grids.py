"""Heuristics for 2D maps refuse 3D ones, known in full or not, in the same words."""

from __future__ import annotations

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import GridGraph, ImplicitGraph
from phil.heuristics.registry import load_heuristic
from phil.search import search
from phil.search.guide import Heuristic
from tests.implicit import Mirror
from tests.neural import random_neural_astar
from tests.perceptrons import random_perceptron


@pytest.mark.parametrize(
    ("heuristic", "said"),
    [
        (load_heuristic("obstacles"), r"obstacles needs a 2D map; .* 3 axes \(2 x 3 x 4\)"),
        (random_neural_astar(), r"needs a 2D map; .* 3 axes \(2 x 3 x 4\)"),
        (random_perceptron("grid"), "learned on 2D maps, this one is 3D"),
        (load_heuristic("phil:forest"), "learned on 2D maps, this one is 3D"),
    ],
    ids=["obstacles", "Neural A*", "SaIL", "PHIL"],
)
def test_a_map_of_three_axes_is_refused(heuristic: Heuristic, said: str) -> None:
    grid = GridGraph(np.ones((2, 3, 4), bool))
    for graph in (grid, Mirror(grid).graph):
        with pytest.raises(InputError, match=said):
            search(graph, (0, 0, 0), (1, 2, 3), heuristic)


@pytest.mark.parametrize("heuristic", [load_heuristic("obstacles"), random_neural_astar()])
def test_other_graphs_are_no_maps(heuristic: Heuristic) -> None:
    flat = ImplicitGraph.on_grid(lambda cell: [], (3, 3))
    with pytest.raises(InputError, match="known in full"):
        search(flat, (0, 0), (1, 1), heuristic)
    with pytest.raises(InputError, match="known in full"):
        search(ImplicitGraph(lambda node: [node + 1]), 0, 9, heuristic)
