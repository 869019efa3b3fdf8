"""Graphs are read-only, and can be sent to other processes, through shared memory too."""

from __future__ import annotations

import copy
import pickle
from mmap import mmap
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.compiled import cache_misses
from phil.graphs import AnyGraph, Graph, GridGraph, ImplicitGraph
from phil.heuristics.classical import euclidean
from phil.search import search
from tests.guides import facts
from tests.networks import ANYWHERE, random_heuristic, scaling_for
from tests.strategies import described_graphs, grids, voxel_grids

ANY = st.one_of(described_graphs(), grids(), voxel_grids())
FACE = (
    *("indptr", "indices", "weights", "features", "edge_features", "feature_names"),
    *("feature_groups", "labels", "coordinates", "geographic", "directed", "max_degree"),
    *("free", "connectivity", "corners", "diagonal_cost", "num_nodes"),
)


def kernel_fields(graph: AnyGraph) -> list[Any]:
    """What kernels see of a graph."""
    stencil = graph.arrays.stencil
    return [field for field in graph.arrays if field is not stencil] + list(stencil)


def face(graph: AnyGraph) -> list[object]:
    """All that a graph shows, comparable."""
    shown = [getattr(graph, name) for name in FACE if hasattr(graph, name)] + kernel_fields(graph)
    return [value.tolist() if isinstance(value, np.ndarray) else value for value in shown]


def check_read_only(graph: AnyGraph) -> None:
    fields = [*vars(graph).values(), *kernel_fields(graph), graph.features]
    arrays = [value for value in fields if isinstance(value, np.ndarray) and value.size]
    assert arrays
    assert not any(array.flags.writeable for array in arrays)


@given(ANY)
def test_no_array_can_be_written(graph: AnyGraph) -> None:
    check_read_only(graph)


@given(ANY)
def test_a_pickled_graph_is_the_same_and_read_only(graph: AnyGraph) -> None:
    fresh = pickle.dumps(graph)
    shown = face(graph)  # computes what is kept for later
    for other in (pickle.loads(fresh), copy.copy(graph), copy.deepcopy(graph)):
        assert type(other) is type(graph)
        assert face(other) == shown
        check_read_only(other)


@pytest.mark.parametrize("graph", [GridGraph(np.ones((9, 9), bool)), Graph.from_edges(2, [(0, 1)])])
def test_what_is_derived_is_not_sent(graph: AnyGraph) -> None:
    fresh = copy.copy(graph)
    face(graph)
    graph.reversed()
    assert len(pickle.dumps(graph)) == len(pickle.dumps(fresh))


def through_shared_memory(graph: AnyGraph) -> AnyGraph:
    """A graph whose arrays are in memory shared by processes, as another one gets it."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(graph, protocol=5, buffer_callback=buffers.append)
    shared = []
    for buffer in buffers:
        raw = buffer.raw()
        memory = memoryview(mmap(-1, max(1, raw.nbytes)))[: raw.nbytes]
        memory[:] = raw
        shared.append(memory)
    graph = pickle.loads(data, buffers=shared)
    return graph


def some_graphs() -> list[AnyGraph]:
    random = np.random.default_rng(5)
    edges = random.integers(0, 40, (90, 2))
    places = random.random((40, 2))
    return [
        GridGraph(random.random((12, 12)) < 0.9),
        Graph.from_edges(40, edges, places, weights=random.random(90), edge_features=edges),
    ]


@pytest.mark.parametrize("graph", some_graphs(), ids=lambda graph: type(graph).__name__)
def test_arrays_in_shared_memory_are_used_as_they_are_and_compile_nothing(graph: AnyGraph) -> None:
    start, goal = graph.node_ids[[0, -1]].tolist()
    learned = random_heuristic(ANYWHERE, scaling_for(graph))
    here = [search(graph, start, goal, guide) for guide in (euclidean, learned)]
    compiled = cache_misses()
    shared = through_shared_memory(graph)
    given = [value for value in vars(shared).values() if isinstance(value, np.ndarray)]
    assert not any(array.flags.owndata for array in given)
    check_read_only(shared)
    there = [search(shared, start, goal, guide) for guide in (euclidean, learned)]
    assert list(map(facts, there)) == list(map(facts, here))
    assert cache_misses() == compiled


def next_numbers(number: int) -> list[int]:
    return [number + 1, 3 * number]


def neighbors_in_a_row(cell: tuple[int, int]) -> list[tuple[int, int]]:
    return [(cell[0], column) for column in (cell[1] - 1, cell[1] + 1) if 0 <= column < 9]


def test_an_implicit_graph_is_sent_if_its_functions_can_be() -> None:
    numbers = pickle.loads(pickle.dumps(ImplicitGraph(next_numbers)))
    assert search(numbers, 1, 10, euclidean).solved
    row = pickle.loads(pickle.dumps(ImplicitGraph.on_grid(neighbors_in_a_row, (1, 9))))
    assert search(row, (0, 0), (0, 8), euclidean).length == 8
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(ImplicitGraph(lambda number: [number + 1]))
