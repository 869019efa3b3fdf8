"""Tiny runs that together call every compiled function, so that `phil warmup` compiles them all.

Whoever adds a kernel adds a run that calls it; a test fails for a kernel that no run reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec

import numpy as np

from phil.evaluation.methods import parse_method
from phil.graphs import AnyGraph, Graph, GridGraph, ImplicitGraph
from phil.graphs.distances import components, costs_to, hops_to
from phil.graphs.features.node2vec import embedding
from phil.heuristics.mlp import MlpHeuristic, MlpMetadata
from phil.heuristics.mlp.specification import KINDS
from phil.heuristics.mlp.specification import tensor_shapes as mlp_shapes
from phil.heuristics.neural_astar import (
    EncoderSettings,
    NeuralAstarHeuristic,
    NeuralAstarMetadata,
)
from phil.heuristics.neural_astar.encoder import tensor_shapes as encoder_shapes
from phil.heuristics.novelty import allocate_seen, with_slots
from phil.heuristics.phil import PhilHeuristic, PhilMetadata
from phil.heuristics.phil.specification import NetworkSettings, tensor_shapes
from phil.heuristics.registry import BUILT_IN
from phil.heuristics.scaling import Scaling
from phil.problems.problem import Problem, ProblemSet
from phil.search import ASTAR, BFS, GREEDY, anytime, search, search_mha
from phil.search.guide import WithoutLoop, traits_of
from phil.search.registry import built_in_searches

SIDE = 5
START, GOAL = SIDE * (SIDE - 1), SIDE - 1
# The settings of a training that takes no time; each method knows some of them.
TINY = {
    "width": 4,
    "memory": 4,
    "channels": (2,),
    "iterations": 1,
    "rollouts": 1,
    "searches": 1,
    "samples": 2,
    "rounds": 1,
    "updates": 1,
    "batch": 1,
    "hard_candidates": 0,
}


def tiny_grid() -> GridGraph:
    """An empty map; all sizes are runtime values, so any map compiles the same code."""
    return GridGraph(np.ones((SIDE, SIDE), bool))


def tiny_graph() -> Graph:
    """A weighted, directed path."""
    nodes = SIDE * SIDE
    ahead = [(node, node - 1) for node in range(1, nodes)]
    features = np.arange(2.0 * nodes).reshape(nodes, 2)
    return Graph.from_edges(nodes, ahead, features, weights=np.ones(len(ahead)), directed=True)


def networks() -> Iterator[tuple[AnyGraph, PhilHeuristic]]:
    """A network with all its inputs for a grid, and one without any for a graph."""
    graph = tiny_graph()
    general = Scaling(grid=False, centre=(0.0, 0.0), spread=(1.0, 1.0))
    for searched, scaling, settings in (
        (tiny_grid(), Scaling(), NetworkSettings(width=4, memory=4, walls=8, trail=True)),
        (graph, general, NetworkSettings(width=4, memory=4, edge_features=0, remember=False)),
    ):
        metadata = PhilMetadata(
            network=settings, feature_names=searched.feature_names, scaling=scaling
        )
        shapes = tensor_shapes(settings)
        tensors = {name: np.full(shape, 0.1, np.float32) for name, shape in shapes.items()}
        yield searched, PhilHeuristic(metadata, tensors)


def distances() -> None:
    """The oracle's tables, and a grid's neighbours."""
    grid = tiny_grid()
    grid.neighbors(GOAL)
    components(grid)
    for graph in (grid, tiny_graph()):
        hops_to(graph, GOAL)
        costs_to(graph, GOAL)


def features() -> None:
    """Features that are learned by a kernel."""
    embedding(tiny_graph(), 2)


def built_in_heuristics() -> None:
    """Every heuristic that needs no file, with every key."""
    for heuristic in BUILT_IN.values():
        graphs = (tiny_grid(), tiny_graph())
        for graph in graphs[:1] if traits_of(heuristic).needs_grid else graphs:
            search(graph, START, GOAL, WithoutLoop(heuristic))
            for key in (GREEDY, ASTAR, BFS):
                search(graph, START, GOAL, heuristic, key=key, trace=True)


def learned_heuristics() -> None:
    """Networks with and without memory, trail and walls; the same with all nodes precomputed."""
    for graph, heuristic in networks():
        search(graph, START, GOAL, WithoutLoop(heuristic))
        search(graph, START, GOAL, heuristic)
        metadata, tensors = heuristic.metadata, heuristic.tensors
        search(graph, START, GOAL, PhilHeuristic(metadata, tensors, precompute=True))


def perceptrons() -> None:
    """Multi-layer perceptrons with all kinds of inputs."""
    grid = tiny_grid()
    for inputs in KINDS:
        metadata = MlpMetadata(
            feature_names=grid.feature_names,
            method="sail",
            inputs=inputs,
            hidden=(4, 4),
            scaling=Scaling(),
        )
        shapes = mlp_shapes(metadata)
        tensors = {name: np.full(shape, 0.1, np.float32) for name, shape in shapes.items()}
        heuristic = MlpHeuristic(metadata, tensors)
        search(grid, START, GOAL, WithoutLoop(heuristic))
        search(grid, START, GOAL, heuristic)


def neural_astar() -> None:
    """Neural A*, with costs that let it find better ways to nodes of OPEN."""
    settings = EncoderSettings(channels=(2, 2), patch=1, most_cost=9.0)
    metadata = NeuralAstarMetadata(
        feature_names=tiny_grid().feature_names, encoder=settings, block=1
    )
    random = np.random.default_rng(0)
    tensors = {
        name: random.normal(0, 3, shape).astype(np.float32)
        for name, shape in encoder_shapes(settings).items()
    }
    heuristic = NeuralAstarHeuristic(metadata, tensors)
    search(tiny_grid(), START, GOAL, WithoutLoop(heuristic))
    search(tiny_grid(), START, GOAL, heuristic)


def implicit_graphs() -> None:
    """Graphs that are met on the way."""
    line = ImplicitGraph(lambda node: [node + 1], lambda node: [float(node)], dim=1)
    for key in (GREEDY, ASTAR):
        search(line, 0, SIDE, BUILT_IN["euclidean"], key=key)


def named_searches() -> None:
    """Every search that a method can name, proofs that a path is optimal, tables that must grow."""
    both = BUILT_IN["zero"], BUILT_IN["euclidean"]
    for graph in (tiny_grid(), tiny_graph()):
        for named in built_in_searches().values():
            method = parse_method(named.example)
            method.search(Problem(graph, START, GOAL, "tiny"), trace=True)
        search_mha(graph, START, GOAL, both, trace=True)
        list(anytime(graph, START, GOAL, BUILT_IN["zero"]))
    with_slots(allocate_seen(1), 2)


def training() -> None:
    """Trainings of one iteration, by every method."""
    from phil.learning import train
    from phil.learning.registry import METHODS, load_method

    problems = (Problem(tiny_grid(), START, GOAL, "tiny"),)
    for method in METHODS:
        known = load_method(method).settings.model_fields
        settings = {name: value for name, value in TINY.items() if name in known}
        train(ProblemSet("tiny", problems, problems), method=method, settings=settings)


def can_train() -> bool:
    """Whether torch is installed; without it nobody needs what training compiles."""
    return find_spec("torch") is not None


def tiny_runs() -> dict[str, Callable[[], None]]:
    """The runs by name."""
    runs = {
        "distances": distances,
        "features": features,
        "built-in heuristics": built_in_heuristics,
        "learned heuristics": learned_heuristics,
        "perceptrons": perceptrons,
        "Neural A*": neural_astar,
        "implicit graphs": implicit_graphs,
        "searches": named_searches,
    }
    return runs | {"training": training} if can_train() else runs
