"""Where to draw the nodes of a graph that has no coordinates; computed once, always the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.graphs import Graph

SMALL = 1000  # nodes up to which springs are simulated, which compares all pairs
STEPS, FEWEST = 120, 15  # of averaging
MOST_WORK = 150_000_000  # edges times steps: some seconds
SPRING_STEPS = 60
CLOSEST = 1e-3


def layout(graph: Graph) -> tuple[NDArray[np.float64], str]:
    """Places for the nodes of a graph.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    places : ndarray, shape (nodes, 2)
        Within about -1 and 1.
    name : str
        `spring` for small graphs, `spectral` for others.

    Examples
    --------
    >>> places, name = layout(Graph.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)]))
    >>> places.shape, name
    ((4, 2), 'spring')
    """
    if graph.num_nodes <= SMALL:
        return _spring(graph), "spring"
    return _spectral(graph), "spectral"


def _spectral(graph: Graph) -> NDArray[np.float64]:
    """By the slowest vibrations of the graph: two smooth functions on it.

    They are found by repeated averaging over neighbours (power iteration), which takes a time that
    grows with the edges, and is the same on every machine.
    """
    source, target = graph.sources, graph.indices
    nodes = graph.num_nodes
    degree = np.bincount(source, minlength=nodes) + np.bincount(target, minlength=nodes) + 1.0
    vectors = np.random.default_rng(0).standard_normal((nodes, 2))
    mass = degree / degree.sum()
    for _ in range(min(STEPS, max(FEWEST, MOST_WORK // max(1, source.size)))):
        spread = vectors.copy()
        for axis in range(2):
            spread[:, axis] += np.bincount(source, vectors[target, axis], nodes)
            spread[:, axis] += np.bincount(target, vectors[source, axis], nodes)
        vectors = (spread / degree[:, None] + vectors) / 2
        vectors -= mass @ vectors  # not the constant function
        first = vectors[:, 0] / _norm(vectors[:, 0], mass)
        second = vectors[:, 1] - (mass * first * vectors[:, 1]).sum() * first
        vectors = np.stack([first, second / _norm(second, mass)], axis=1)
    # Ranks keep apart what the functions put into one spot.
    ranks = np.argsort(np.argsort(vectors, axis=0, kind="stable"), axis=0) / max(1, nodes - 1)
    return np.clip(vectors / 3, -1, 1) / 2 + (ranks - 0.5)


def _norm(vector: NDArray[np.float64], mass: NDArray[np.float64]) -> float:
    return float(np.sqrt((mass * vector**2).sum())) or 1.0


def _spring(graph: Graph) -> NDArray[np.float64]:
    """Edges pull, nodes push each other away (Fruchterman and Reingold), from a circle."""
    nodes = graph.num_nodes
    angle = 2 * np.pi * np.arange(nodes) / nodes
    places = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    places += 0.1 * np.random.default_rng(0).standard_normal(places.shape)
    source, target = graph.sources, graph.indices
    wanted = np.sqrt(2.0 / nodes)
    for step in range(SPRING_STEPS):
        apart = [axis[:, None] - axis[None] for axis in places.T]
        push = wanted**2 / np.maximum(apart[0] ** 2 + apart[1] ** 2, CLOSEST**2)
        force = np.stack([(axis * push).sum(axis=1) for axis in apart], axis=1)
        along = places[target] - places[source]
        pull = along * (np.linalg.norm(along, axis=1) / wanted)[:, None]
        np.add.at(force, source, pull)
        np.add.at(force, target, -pull)
        length = np.maximum(np.linalg.norm(force, axis=1), CLOSEST)[:, None]
        heat = 0.2 * (1 - step / SPRING_STEPS)
        places += force / length * np.minimum(length, heat)
    places -= places.mean(axis=0)
    return np.asarray(places / max(CLOSEST, float(np.abs(places).max())))
