"""Small generated graphs of three kinds: what `python -m reproduction table2 --quick` runs on."""

from __future__ import annotations

import networkx as nx
import numpy as np

from phil.graphs import FeatureGroup, Graph
from phil.graphs.distances import components
from phil.graphs.features import add_features
from phil.graphs.features.coordinates import project
from phil.graphs.features.edges import road_edge_features
from phil.problems.pairs import PairDraw, seeded, single_graph_set
from phil.problems.problem import Problem, ProblemSet

PAPERS = 400
ATOMS = (15, 30)  # of a molecule
MOLECULES = {"train": 40, "validation": 10, "test": 20}
TYPES = 4  # of atoms
WORDS = 8
JUNCTIONS = 400
CORNER = (12.5, 44.0)  # of the city, in degrees
WIDTH = 0.05  # of the city, in degrees
LONGEST_ROAD = 360.0  # metres


def small_set(name: str) -> ProblemSet:
    """One of the three by name."""
    return {"quick/network": _network, "quick/molecules": _molecules, "quick/roads": _roads}[name]()


def _network() -> ProblemSet:
    """Preferential attachment, as among citations; near papers share words."""
    random = seeded("network")
    links = nx.barabasi_albert_graph(PAPERS, 2, seed=0)
    own = random.normal(size=(PAPERS, WORDS))
    shared = nx.to_scipy_sparse_array(links) @ own
    graph = Graph.from_edges(PAPERS, list(links.edges), (shared > 1).astype(np.float32))
    return single_graph_set("quick/network", graph)


def _molecules() -> ProblemSet:
    """Random trees with a ring, and a type for every atom."""
    name = "quick/molecules"
    return ProblemSet(
        name,
        **{
            split: tuple(_molecule(f"{name}/{split}/{number}") for number in range(count))
            for split, count in MOLECULES.items()
        },
    )


def _molecule(name: str) -> Problem:
    random = seeded(name)
    size = int(random.integers(*ATOMS))
    bonds = [(node, int(random.integers(max(0, node - 3), node))) for node in range(1, size)]
    types = np.eye(TYPES)[random.integers(TYPES, size=size)]
    groups = [FeatureGroup("atom", TYPES)]
    graph = Graph.from_edges(size, [*bonds, (0, size - 1)], types, feature_groups=groups)
    return Problem(graph, *PairDraw(graph, name).pair(random), name)


def _roads() -> ProblemSet:
    """Junctions strewn over a square, straight roads between near ones; the largest part of it."""
    coordinates = np.array(CORNER) + WIDTH * seeded("roads").random((JUNCTIONS, 2))
    places = project(coordinates, geographic=True)
    far = np.linalg.norm(places[:, None] - places[None], axis=2)
    edges = np.argwhere(np.triu(far < LONGEST_ROAD, k=1))
    part = components(Graph.from_edges(JUNCTIONS, edges))
    kept = part == np.bincount(part).argmax()
    edges = edges[kept[edges].all(axis=1)]
    graph = Graph.from_edges(
        int(kept.sum()),
        (np.cumsum(kept) - 1)[edges],
        weights=far[edges[:, 0], edges[:, 1]],
        coordinates=coordinates[kept],
        geographic=True,
    )
    graph = add_features(graph, "coordinates,degree")
    graph = graph.with_features(
        graph.features,
        graph.feature_names,
        graph.feature_groups,
        edge_features=road_edge_features(graph),
    )
    return single_graph_set("quick/roads", graph)
