"""A perceptron as a heuristic: files, graphs that it fits, weighted graphs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.heuristics.file import HeuristicFile, read_learned, write_heuristic
from phil.heuristics.mlp import Inputs, MlpHeuristic, MlpMetadata
from phil.heuristics.scaling import Scaling
from phil.search import ASTAR, GREEDY, Key, search
from phil.search.guide import WithoutLoop
from tests.guides import facts
from tests.perceptrons import random_perceptron


def random_graph(seed: int = 0, nodes: int = 60) -> Graph:
    """Connected, weighted, with three features per node."""
    random = np.random.default_rng(seed)
    ring = np.stack([np.arange(nodes), np.roll(np.arange(nodes), -1)], axis=1)
    edges = np.concatenate([ring, random.integers(nodes, size=(2 * nodes, 2))])
    edges = edges[edges[:, 0] != edges[:, 1]]
    weights = random.uniform(0.5, 2.0, len(edges))
    return Graph.from_edges(nodes, edges, random.normal(size=(nodes, 3)), weights=weights)


@pytest.mark.parametrize("inputs", ["graph", "nodes"])
@pytest.mark.parametrize("key", [GREEDY, ASTAR], ids=["greedy", "astar"])
def test_both_loops_agree_on_general_graphs(inputs: Inputs, key: Key) -> None:
    for seed in range(5):
        graph = random_graph(seed)
        heuristic = random_perceptron(inputs, (16, 8), graph, seed)
        compiled, python = (
            facts(search(graph, 0, 30, guided, key=key, trace=True))
            for guided in (heuristic, WithoutLoop(heuristic))
        )
        assert compiled == python


def test_a_file_gives_the_same_heuristic_again(tmp_path: Path) -> None:
    heuristic = random_perceptron().described({"seed": 3}, {"expansions": 4.5})
    write_heuristic(tmp_path / "one.safetensors", heuristic)
    again = read_learned(tmp_path / "one.safetensors", {"sail": MlpHeuristic.from_file})
    assert again.metadata == heuristic.metadata
    assert again.metadata.training == {"seed": 3}
    grid = GridGraph(np.random.default_rng(0).random((30, 40)) < 0.8)
    start, goal = np.flatnonzero(grid.free)[[0, -1]].tolist()
    one, two = (search(grid, start, goal, each, trace=True) for each in (heuristic, again))
    assert facts(one) == facts(two)


@pytest.mark.parametrize(
    "change",
    [{"hidden": ()}, {"hidden": (0,)}, {"inputs": "maps"}, {"feature_names": ("x",)}],
    ids=str,
)
def test_metadata_that_do_not_fit_are_refused(change: dict[str, object]) -> None:
    known = random_perceptron().metadata.model_dump()
    with pytest.raises(ValidationError):
        MlpMetadata.model_validate(known | change)


def test_the_features_of_grids_need_the_scaling_of_grids() -> None:
    with pytest.raises(ValidationError, match="2D grids, but a scaling for other graphs"):
        MlpMetadata(
            feature_names=("a",),
            method="sail",
            inputs="grid",
            hidden=(3,),
            scaling=Scaling(grid=False, centre=(0.0,), spread=(1.0,)),
        )


def test_a_damaged_file_is_refused() -> None:
    heuristic = random_perceptron()
    text = heuristic.metadata.model_dump_json()
    tensors = dict(heuristic.tensors)
    tensors["layers.0.bias"] = np.full(100, np.nan, np.float32)
    with pytest.raises(InputError, match=r"layers\.0\.bias"):
        MlpHeuristic.from_file(HeuristicFile("sail", text, tensors), "damaged")
    with pytest.raises(ValueError, match="from cem, its metadata from sail"):
        MlpHeuristic.from_file(HeuristicFile("cem", text, heuristic.tensors), "damaged")


def test_graphs_of_another_kind_are_refused() -> None:
    graph = random_graph()
    with pytest.raises(InputError, match="grid maps"):
        random_perceptron().begin(graph, 0, 1)
    with pytest.raises(InputError, match="general graphs"):
        random_perceptron("graph", graph=graph).begin(GridGraph([[True, True]]), 0, 1)
