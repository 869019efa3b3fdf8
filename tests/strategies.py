"""Random graphs and maps for the property tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.graphs import AnyGraph, FeatureGroup, Graph, GridGraph


@st.composite
def maps(draw: st.DrawFn, *, longest: int = 9) -> NDArray[np.bool_]:
    """An occupancy map with at least one free cell."""
    shape = draw(st.tuples(st.integers(1, longest), st.integers(1, longest)))
    share = draw(st.sampled_from([0.4, 0.7, 0.9, 1.0]))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    free = random.random(shape) < share
    free[random.integers(shape[0]), random.integers(shape[1])] = True
    return free


@st.composite
def grids(draw: st.DrawFn, *, longest: int = 9) -> GridGraph:
    """A grid of any shape, connectivity and corner rule."""
    return GridGraph(
        draw(maps(longest=longest)),
        connectivity=draw(st.sampled_from([4, 8])),
        corners=draw(st.sampled_from(["allow", "one_free", "both_free"])),
    )


@st.composite
def voxel_grids(draw: st.DrawFn, *, longest: int = 5) -> GridGraph:
    """A 3D grid of any shape, connectivity and corner rule, with at least one free cell."""
    shape = draw(st.tuples(*[st.integers(1, longest)] * 3))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    free = random.random(shape) < draw(st.sampled_from([0.4, 0.7, 0.9, 1.0]))
    free[tuple(random.integers(shape))] = True
    return GridGraph(
        free,
        connectivity=draw(st.sampled_from([6, 18, 26])),
        corners=draw(st.sampled_from(["allow", "one_free", "both_free"])),
    )


@st.composite
def graphs(draw: st.DrawFn, *, directed: bool | None = None, largest: int = 12) -> Graph:
    """A graph with parallel edges, loops, isolated nodes and, at times, weights."""
    nodes = draw(st.integers(1, largest))
    node = st.integers(0, nodes - 1)
    edges = draw(st.lists(st.tuples(node, node), max_size=3 * nodes))
    weights = [draw(st.integers(0, 20)) / 4 for _ in edges] if draw(st.booleans()) else None
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    return Graph.from_edges(
        nodes,
        np.array(edges, int).reshape(-1, 2),
        random.normal(size=(nodes, 3)),
        edge_features=random.normal(size=(len(edges), 1)),
        weights=weights,
        directed=draw(st.booleans()) if directed is None else directed,
    )


@st.composite
def problems(draw: st.DrawFn) -> tuple[AnyGraph, int, int]:
    """A graph of any kind with a start and a goal, joined or not."""
    graph: AnyGraph = draw(st.one_of(graphs(), grids(), voxel_grids()))
    nodes = st.sampled_from(node_ids(graph))
    return graph, draw(nodes), draw(nodes)


def node_ids(graph: AnyGraph) -> list[int]:
    """The ids that are nodes: on a grid those of free cells."""
    if isinstance(graph, GridGraph):
        return [int(node) for node in np.flatnonzero(graph.free)]
    return list(range(graph.size))


def edge_costs(graph: AnyGraph) -> dict[tuple[int, int], float]:
    """The least cost of a move from one node to another, read from the graph's public face."""
    costs: dict[tuple[int, int], float] = {}
    for node in node_ids(graph):
        if isinstance(graph, GridGraph):
            for other in graph.neighbors(node).tolist():
                axes = np.count_nonzero(np.subtract(graph.cell(node), graph.cell(other)))
                costs[node, other] = (0.0, 1.0, graph.diagonal_cost, 3**0.5)[axes]
            continue
        for edge in range(graph.indptr[node], graph.indptr[node + 1]):
            pair = node, int(graph.indices[edge])
            cost = 1.0 if graph.weights is None else float(graph.weights[edge])
            costs[pair] = min(cost, costs.get(pair, np.inf))
    return costs


@st.composite
def described_graphs(draw: st.DrawFn) -> Graph:
    """A graph with all that files may hold: labels, places, named features, weights."""
    graph = draw(graphs())
    nodes = graph.num_nodes
    text = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=5)
    labels = draw(st.none() | st.lists(text, min_size=nodes, max_size=nodes, unique=True))
    width = draw(st.integers(0, 3))
    names = draw(st.lists(text, min_size=width, max_size=width, unique_by=str.lower))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(["none", "plane", "space", "degrees"]))
    size = (nodes, 3 if kind == "space" else 2)
    places = None if kind == "none" else random.uniform(-90, 90, size)
    return Graph(
        graph.indptr,
        graph.indices,
        random.normal(size=(nodes, width)),
        feature_names=names,
        feature_groups=[FeatureGroup(f"group {k}", 1, alike=bool(k % 2)) for k in range(width)],
        edge_features=graph.edge_features if draw(st.booleans()) else None,
        weights=graph.weights,
        labels=labels,
        coordinates=places,
        geographic=kind == "degrees",
        directed=graph.directed,
    )
