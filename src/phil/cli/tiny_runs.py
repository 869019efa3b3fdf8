"""Tiny runs that together call every compiled function, so that `phil warmup` compiles them all.

Registered heuristics, searches and learning methods are run automatically. Any other new kernel
needs a run here; a test fails for a kernel that no run reaches.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from phil.evaluation.methods import parse_method
from phil.graphs import Graph, GridGraph, ImplicitGraph
from phil.graphs.distances import components, costs_to, hops_to
from phil.graphs.features.degree import degrees
from phil.graphs.features.node2vec import embedding
from phil.heuristics.novelty import Novelty, allocate_seen, with_slots
from phil.heuristics.phil import PhilHeuristic
from phil.heuristics.registry import BUILT_IN, learned_kinds
from phil.problems.problem import Problem, ProblemSet
from phil.search import (
    ASTAR,
    BFS,
    GREEDY,
    anytime,
    search,
    search_bidirectional,
    search_hedge,
    search_many,
    search_mha,
    smooth,
)
from phil.search.guide import Traits, WithoutLoop, traits_of
from phil.search.registry import built_in_searches

SIDE = 5
START, GOAL = SIDE * (SIDE - 1), SIDE - 1
# Settings that make training instantaneous; each method takes those that it knows.
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
    "tune": 1,
    "tune_samples": 1,
    "tune_problems": 1,
}


def tiny_grid() -> GridGraph:
    """A map without obstacles; all sizes are runtime values, so any map compiles the same code."""
    return GridGraph(np.ones((SIDE, SIDE), bool))


def tiny_graph() -> Graph:
    """A weighted, directed path."""
    nodes = SIDE * SIDE
    ahead = [(node, node - 1) for node in range(1, nodes)]
    features = np.arange(2.0 * nodes).reshape(nodes, 2)
    return Graph.from_edges(nodes, ahead, features, weights=np.ones(len(ahead)), directed=True)


def distances() -> None:
    """The oracle's tables, and the neighbours of a cell."""
    grid = tiny_grid()
    grid.neighbors(GOAL)
    components(grid)
    for graph in (grid, tiny_graph()):
        hops_to(graph, GOAL)
        costs_to(graph, GOAL)


def features() -> None:
    """Node features that a kernel computes or learns."""
    degrees(tiny_grid(), 1)
    embedding(tiny_graph(), 2)


def built_in_heuristics() -> None:
    """Every built-in heuristic, with every key."""
    for heuristic in BUILT_IN.values():
        graphs = (tiny_grid(), tiny_graph())
        for graph in graphs[:1] if traits_of(heuristic).needs_grid else graphs:
            search(graph, START, GOAL, WithoutLoop(heuristic))
            for key in (GREEDY, ASTAR, BFS):
                search(graph, START, GOAL, heuristic, key=key, trace=True)
            search_many(graph, [(START, GOAL)], heuristic)


def learned_heuristics() -> None:
    """The sample models of every learned kind, with random weights; PHIL's also precomputed."""
    graphs = {graph.feature_names: graph for graph in (tiny_grid(), tiny_graph())}
    for kind in learned_kinds():
        for metadata in kind.samples():
            random = np.random.default_rng(0)
            tensors = {
                name: random.normal(0, 3, shape).astype(np.float32)
                for name, shape in kind.tensor_shapes(metadata).items()
            }
            graph, heuristic = graphs[metadata.feature_names], kind(metadata, tensors)
            search(graph, START, GOAL, WithoutLoop(heuristic))
            search(graph, START, GOAL, heuristic)
            search_many(graph, [(START, GOAL)], heuristic)
            search_hedge(graph, START, GOAL, heuristic, BUILT_IN["zero"])
            if isinstance(heuristic, PhilHeuristic) and heuristic.metadata.network.frame == "map":
                heuristic.precompute = True
                search(graph, START, GOAL, heuristic)


def implicit_graphs() -> None:
    """Graphs that are generated during the search."""
    line = ImplicitGraph(lambda node: [node + 1], lambda node: [float(node)], dim=1)
    for key in (GREEDY, ASTAR):
        search(line, 0, SIDE, BUILT_IN["euclidean"], key=key)


def named_searches() -> None:
    """Every registered search, also asked from Python, proofs, and tables that must grow."""
    both = BUILT_IN["zero"], BUILT_IN["euclidean"]
    asked = [WithoutLoop(heuristic) for heuristic in both]
    for graph in (tiny_grid(), tiny_graph()):
        for named in built_in_searches().values():
            method = parse_method(named.example)
            method.search(Problem(graph, START, GOAL, "tiny"), trace=True)
        for key in (GREEDY, ASTAR):
            search_bidirectional(graph, START, GOAL, asked[0], key=key)
        search_mha(graph, START, GOAL, both, trace=True)
        search_mha(graph, START, GOAL, asked)
        search_mha(graph, START, GOAL, asked, w1=2.0, w2=2.0)
        search(graph, START, GOAL, Novelty(asked[0]))
        list(anytime(graph, START, GOAL, BUILT_IN["zero"]))
    with_slots(allocate_seen(1), 2)


class OwnBound(WithoutLoop):
    """A lower bound as a user's own: asked from Python, and declared to be admissible."""

    traits = Traits("a lower bound", admissible=lambda graph: True)


def proofs() -> None:
    """A first path out of a pocket that a bound must improve and then prove, also from Python."""
    rows = "......", ".####.", "....#.", ".####.", "......"
    grid = GridGraph([[cell == "." for cell in row] for row in rows])
    ends = grid.node(2, 3), grid.node(2, 5)
    search(grid, *ends, BUILT_IN["euclidean"], bound=1.0)
    own = OwnBound(BUILT_IN["euclidean"])
    search(grid, *ends, own, bound=1.0, lower=own)


def smoothing() -> None:
    """A path that becomes a line."""
    smooth(tiny_grid(), [START, START + 1, START + 2])


def training() -> None:
    """One training iteration of every method, in all the ways that have kernels of their own."""
    from phil.learning import train
    from phil.learning.registry import METHODS

    problems = (Problem(tiny_grid(), START, GOAL, "tiny"),)
    tiny = ProblemSet("tiny", problems, problems)
    for method in METHODS:
        train(tiny, method=method, settings=_tiny(method))
    train(tiny, preset="paper", settings=_tiny("phil"))
    train(tiny, settings=_tiny("phil") | {"walls": True})
    train(tiny, method="supervised", settings=_tiny("supervised") | {"scheme": "pairs", "pairs": 1})


def _tiny(method: str) -> dict[str, Any]:
    from phil.learning.registry import load_method

    known = load_method(method).settings.model_fields
    return {name: value for name, value in TINY.items() if name in known}


def can_train() -> bool:
    """Whether torch is installed; without it the training kernels are not needed."""
    return find_spec("torch") is not None


def search_runs() -> dict[str, Callable[[], None]]:
    """The runs that need no torch, by name; wheels ship the kernels that they call."""
    return {
        "distances": distances,
        "features": features,
        "built-in heuristics": built_in_heuristics,
        "learned heuristics": learned_heuristics,
        "implicit graphs": implicit_graphs,
        "searches": named_searches,
        "proofs": proofs,
        "smoothing": smoothing,
    }


def tiny_runs() -> dict[str, Callable[[], None]]:
    """All runs, by name."""
    return search_runs() | ({"training": training} if can_train() else {})
