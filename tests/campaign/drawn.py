"""Graphs of all kinds, drawn at random from a seed, each with what is true of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, get_args

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from phil.graphs import AnyGraph, Graph, GridGraph
from phil.graphs.features.coordinates import project
from phil.graphs.stencil import Corners
from tests.campaign import truth
from tests.campaign.truth import Ids, Reals, Truth

CORNERS: tuple[Corners, ...] = get_args(Corners)
SCALES = (1e-38, 1e-3, 1.0, 1.0, 1e3, 1e37)  # of features, which are float32
DIAGONALS = (2**0.5, 1.0, 1.5, 2.0, 2.5, 0.5, 1e-3, 1e3, 1e-300, 1e100)
LARGE = 0.01  # the share of large graphs


@dataclass(frozen=True)
class Drawn:
    """A graph, what is true of it, and its kind: a row of the table."""

    kind: str
    graph: AnyGraph
    truth: Truth
    about: str

    @property
    def nodes(self) -> Ids:
        """The ids that are nodes."""
        graph = self.graph
        return np.flatnonzero(graph.free) if graph.is_grid else np.arange(graph.size)

    def pairs(self, random: Generator) -> list[tuple[int, int]]:
        """Starts and goals: a node and itself, any two, neighbours, and two without a path."""
        start, goal = random.choice(self.nodes, 2).tolist()
        pairs = [(start, start), (start, goal)]
        if self.truth.sources.size:
            edge = random.integers(self.truth.sources.size)
            pairs.append((int(self.truth.sources[edge]), int(self.truth.targets[edge])))
        away = self.nodes[~np.isfinite(self.truth.costs_from(start)[self.nodes])]
        if away.size:
            pairs.append((start, int(random.choice(away))))
        return pairs


def _some_nodes(random: Generator) -> int:
    large = random.random() < LARGE
    return int(random.integers(300, 3000) if large else random.integers(1, 61))


# The edges of a graph of `nodes` nodes.


def _any_edges(random: Generator, nodes: int) -> Ids:
    return random.integers(0, nodes, (int(random.integers(3 * nodes + 1)), 2))


def _tree(random: Generator, nodes: int) -> Ids:
    children = np.arange(1, nodes)
    parents = {
        "tree": (random.random(nodes - 1) * children).astype(np.int64),
        "star": np.zeros(nodes - 1, np.int64),
        "path": children - 1,
    }[random.choice(["tree", "star", "path"])]
    return np.stack([parents, children], axis=1)[random.permutation(nodes - 1)]


def _complete(random: Generator, nodes: int) -> Ids:
    ends = np.indices((min(nodes, 14),) * 2).reshape(2, -1).T
    return ends[random.permutation(len(ends))]


def _layered(random: Generator, nodes: int) -> Ids:
    layers = np.array_split(np.arange(nodes), random.integers(1, 9))
    steps = [
        np.stack([random.choice(here, 2 * here.size), random.choice(there, 2 * here.size)], axis=1)
        for here, there in pairwise(layers)
        if here.size and there.size
    ]
    return np.concatenate([np.empty((0, 2), np.int64), *steps])


STRUCTURES: dict[str, Callable[[Generator, int], Ids]] = {
    "any edges": _any_edges,
    "trees, stars and paths": _tree,
    "complete graphs": _complete,
    "layered graphs": _layered,
}

# Weights of as many edges, some of which cannot tell paths apart or come close to the ends of
# what is accepted.
WEIGHTS: dict[str, Callable[[Generator, int], Reals | None]] = {
    "none": lambda random, count: None,
    "ones": lambda random, count: np.ones(count),
    "equal": lambda random, count: np.full(count, random.random()),
    "real": lambda random, count: random.random(count),
    "integer": lambda random, count: random.integers(0, 6, count).astype(float),
    "mostly zero": lambda random, count: random.random(count) * (random.random(count) < 0.2),
    "zero": lambda random, count: np.zeros(count),
    "tiny": lambda random, count: 1e-300 * random.random(count),
    "subnormal": lambda random, count: 5e-324 * random.integers(0, 50, count).astype(float),
    "huge": lambda random, count: 1e100 * random.random(count),
    "wide": lambda random, count: 10.0 ** random.uniform(-6, 6, count),
    "vast": lambda random, count: 10.0 ** random.uniform(-300, 100, count),
}


def _described(random: Generator, nodes: int) -> dict[str, Any]:
    """Features, labels and coordinates, or not."""
    given: dict[str, Any] = {}
    if random.random() < 0.8:
        size = nodes, int(random.integers(1, 4))
        given["features"] = random.normal(size=size) * random.choice(SCALES)
    if random.random() < 0.2:
        given["labels"] = [f"node {node}" for node in range(nodes)]
    if random.random() < 0.2:
        given["coordinates"] = random.normal(size=(nodes, 3 if random.random() < 0.5 else 2))
    return given


def _with_edges(structure: str) -> Callable[[Generator], Drawn]:
    def draw(random: Generator) -> Drawn:
        nodes = _some_nodes(random)
        edges = STRUCTURES[structure](random, nodes)
        if random.random() < 0.3:  # parallel edges and loops
            edges = np.concatenate([edges, edges[: len(edges) // 2, ::-1], _any_edges(random, 1)])
        return _explicit(structure, random, nodes, edges, _described(random, nodes))

    return draw


def _explicit(
    kind: str,
    random: Generator,
    nodes: int,
    edges: Ids,
    given: dict[str, Any],
    weights: Reals | None = None,
) -> Drawn:
    how = "given"
    if weights is None:
        how = str(random.choice([*WEIGHTS]))
        weights = WEIGHTS[how](random, len(edges))
    directed = bool(random.random() < 0.5)
    graph = Graph.from_edges(nodes, edges, weights=weights, directed=directed, **given)
    true = truth.explicit(nodes, edges, weights, directed=directed)
    return Drawn(kind, graph, true, f"{graph!r}, weights {how}")


def _geometric(random: Generator) -> Drawn:
    """Nodes in the plane or in space, or on the globe, joined to near ones."""
    nodes = _some_nodes(random)
    geographic = random.random() < 0.5
    if geographic:
        # Everywhere or at one place, with the poles and the date line.
        wide = 1.0 if random.random() < 0.5 else 0.01
        places = random.uniform(-wide, wide, (nodes, 2)) * [180.0, 90.0]
        edge_of_the_map = random.random(places.shape) < 0.1
        places = np.where(edge_of_the_map, np.sign(places) * [180.0, 90.0], places)
        features = project(places, geographic=True)
    else:
        places = features = random.random((nodes, int(random.integers(2, 4)))) * 100
    count = min(nodes, 6)
    near = cKDTree(features).query(features, count)[1].reshape(nodes, count)
    edges = np.stack([np.repeat(np.arange(nodes), count), near[:, :count].ravel()], axis=1)
    edges = edges[random.random(len(edges)) < 0.6]
    exact = features.astype(np.float32).astype(float)
    lengths = np.linalg.norm(exact[edges[:, 0]] - exact[edges[:, 1]], axis=1)
    longer = 1 + random.random(len(edges)) * random.choice([0.0, 0.5])
    given = {"features": features, "coordinates": places, "geographic": geographic}
    return _explicit("places", random, nodes, edges, given, lengths * longer)


def _grid(random: Generator) -> Drawn:
    side = 60 if random.random() < LARGE else 9
    shape = random.integers(1, side, 2)
    if random.random() < 0.1:
        shape[random.integers(2)] = 1
    diagonal = float(random.choice(DIAGONALS))
    return _map("maps in 2D", random, tuple(shape), [4, 8], diagonal)


def _space(random: Generator) -> Drawn:
    side = 14 if random.random() < LARGE else 5
    return _map("maps in 3D", random, tuple(random.integers(1, side, 3)), [6, 18, 26], 2**0.5)


def _map(
    kind: str, random: Generator, shape: tuple[int, ...], moves: list[int], diagonal: float
) -> Drawn:
    free: NDArray[np.bool_] = random.random(shape) < random.choice([0.4, 0.7, 0.9, 1.0])
    free[tuple(random.integers(shape))] = True
    connectivity, corners = int(random.choice(moves)), CORNERS[random.integers(3)]
    graph = GridGraph(free, connectivity=connectivity, corners=corners, diagonal_cost=diagonal)
    true = truth.on_grid(free, connectivity, corners, diagonal)
    return Drawn(kind, graph, true, f"{graph!r}, diagonal_cost={diagonal:g}")


KINDS: tuple[Callable[[Generator], Drawn], ...] = (
    *map(_with_edges, STRUCTURES),
    _geometric,
    _grid,
    _space,
)


def drawn(random: Generator) -> Drawn:
    """A graph of any kind."""
    return KINDS[random.integers(len(KINDS))](random)
