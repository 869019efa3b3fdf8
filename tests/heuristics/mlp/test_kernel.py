"""The compiled forward pass against plain matrix products."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from phil.graphs import Graph
from phil.heuristics.mlp.kernel import BLOCK, allocate, forward
from phil.heuristics.obstacles import allocate as allocate_obstacles
from phil.search import search
from phil.search.guide import WithoutLoop
from tests.guides import facts
from tests.perceptrons import random_perceptron


@given(
    st.lists(st.sampled_from([1, 3, 16, 50, 100]), min_size=1, max_size=4),
    st.integers(1, BLOCK),
    st.integers(0, 9),
)
def test_any_list_of_layers(hidden: list[int], rows: int, seed: int) -> None:
    heuristic = random_perceptron(hidden=tuple(hidden), seed=seed)
    work = allocate(heuristic.weights, 2, allocate_obstacles(0, 0))
    inputs = np.random.default_rng(seed).normal(size=(rows, 17)).astype(np.float32)
    work.inputs[:rows] = inputs
    work.left[:] = work.right[:] = np.nan  # what a search before this one left there
    values = np.empty(rows)
    forward(heuristic.weights, work, rows, 200.0, values)
    x = inputs.astype(np.float64)
    for layer in range(len(hidden) + 1):
        x = x @ heuristic.tensors[f"layers.{layer}.weight"].T.astype(np.float64)
        x = x + heuristic.tensors[f"layers.{layer}.bias"]
        x = np.maximum(x, 0) if layer < len(hidden) else x
    np.testing.assert_allclose(values, 200.0 * x[:, 0], rtol=1e-4, atol=1e-2)


def test_a_node_with_more_neighbours_than_a_block() -> None:
    random = np.random.default_rng(0)
    nodes = 3 * BLOCK + 5
    spokes = [(0, node) for node in range(1, nodes - 1)]
    edges = [*spokes, (nodes - 2, nodes - 1)]
    graph = Graph.from_edges(nodes, edges, random.normal(size=(nodes, 3)))
    for inputs in ("graph", "nodes"):
        heuristic = random_perceptron(inputs, (20,), graph)
        compiled, python = (
            facts(search(graph, 0, nodes - 1, guided, trace=True))
            for guided in (heuristic, WithoutLoop(heuristic))
        )
        assert compiled == python
