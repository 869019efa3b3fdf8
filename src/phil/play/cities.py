"""A city to search in: streets of different speeds around a centre, a river and a few bridges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import Delaunay

from phil.graphs import Graph

RIVER = 0.045  # half of its width, of a city with sides of 2
BRIDGES = (-0.78, -0.05, 0.62)  # where they are, along x
RING = 0.62  # radius of the ring road
NEAR = 0.035  # a street within this distance of a main road's line is part of it
LONGEST = 2.6  # streets longer than this many times the usual are left out
SPEEDS = {"street": 1.0, "main": 2.5}


def generate_city(junctions: int = 3000, seed: int = 0) -> Graph:
    """Draw a city; its edges are weighted by travel time.

    Parameters
    ----------
    junctions : int, optional
        The number of nodes, at most: those cut off from the rest are left out.
    seed : int, optional
        The seed of the junctions.

    Returns
    -------
    Graph
        Undirected and connected, with coordinates.

    Examples
    --------
    >>> city = generate_city(500)
    >>> city.is_drawable, city.is_weighted, 400 < city.num_nodes <= 500
    (True, True, True)
    """
    random = np.random.default_rng(seed)
    places = _junctions(junctions, random)
    ends = _streets(places, random)
    kept = _largest_part(len(places), ends)
    number = np.cumsum(kept) - 1
    ends = number[ends[kept[ends].all(axis=1)]]
    places = places[kept]
    lengths = np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1)
    speeds = np.where(_is_main(places[ends]), SPEEDS["main"], SPEEDS["street"])
    # So that the straight line is a lower bound: no road is faster than 1.
    times = lengths * max(SPEEDS.values()) / speeds
    coordinates = 1000 * places
    return Graph.from_edges(
        len(places),
        ends,
        features=coordinates,
        feature_names=("x", "y"),
        weights=1000 * times,
        coordinates=coordinates,
    )


def _junctions(count: int, random: np.random.Generator) -> NDArray[np.float64]:
    """Junctions, closer together near the centre, none in the river."""
    radius = random.uniform(0, 1, 3 * count) ** 0.75
    angle = random.uniform(0, 2 * np.pi, 3 * count)
    places = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    step = 1.5 / np.sqrt(count)
    # A rough lattice: one junction in a square, as blocks of houses have them.
    squares = np.floor(places / step).astype(np.int64)
    _, first = np.unique(squares, axis=0, return_index=True)
    places = places[np.sort(first)]
    places = places[np.abs(_above_river(places)) > RIVER][:count]
    return places


def _above_river(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far places are above the middle of the river."""
    x, y = places[..., 0], places[..., 1]
    return np.asarray(y - 0.12 * np.sin(3 * x) + 0.08)


def _streets(places: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.int64]:
    """The ends of streets between neighbouring junctions; few of them cross the river."""
    corners = Delaunay(places).simplices
    pairs = np.sort(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]))
    pairs = np.unique(pairs, axis=0).astype(np.int64)
    lengths = np.linalg.norm(places[pairs[:, 0]] - places[pairs[:, 1]], axis=1)
    crosses = (_above_river(places[pairs]) > 0).sum(axis=1) == 1
    dead = random.random(len(pairs)) < 0.22
    usual = np.median(lengths)
    kept = ~crosses & (lengths < LONGEST * usual) & (~dead | _is_main(places[pairs]))
    middle = places[pairs].mean(axis=1)[:, 0]
    for place in BRIDGES:
        over = np.where(crosses, np.abs(middle - place) + lengths, np.inf)
        kept[int(np.argmin(over))] = True
    return np.asarray(pairs[kept])


def _is_main(ends: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether both ends of a street are at the ring road, or at an axis of the city."""
    radius = np.linalg.norm(ends, axis=-1)
    ring = np.abs(radius - RING) < NEAR
    axis = np.abs(ends[..., 0] + 0.05) < NEAR / 1.5
    return np.asarray(ring.all(axis=-1) | axis.all(axis=-1))


def _largest_part(nodes: int, ends: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which nodes are in the largest connected part."""
    from phil.graphs.distances import components

    part = components(Graph.from_edges(nodes, ends))
    return np.asarray(part == np.bincount(part).argmax())
