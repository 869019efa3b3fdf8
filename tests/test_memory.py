"""What does not fit into memory, or into the numbers of a kernel, is refused before it is made."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import phil.memory
from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.graphs.checks import MAX_NODES
from phil.graphs.distances import costs_to, hops_to
from phil.memory import available_bytes, check_memory

GIGABYTE = 10**9


def vast(*shape: int, value: float = 0) -> NDArray[Any]:
    """An array of any size that takes no memory."""
    return np.broadcast_to(np.array(value), shape)


def test_what_is_free_is_known_here() -> None:
    free = available_bytes()
    assert free is None or 10**6 < free < 10**15


@pytest.mark.parametrize(
    ("need", "free", "message"),
    [
        (37 * GIGABYTE, 12 * GIGABYTE, "it needs 37 GB of memory, 12 GB are free; make it smaller"),
        (GIGABYTE, GIGABYTE // 2, "it needs 1.0 GB of memory, 0.5 GB are free"),
        (GIGABYTE, GIGABYTE, None),
        (GIGABYTE, None, None),
        (1000, 0, None),
    ],
)
def test_what_is_larger_than_free_memory_is_refused(
    need: int, free: int | None, message: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phil.memory, "available_bytes", lambda: free)
    if message is None:
        check_memory(need, "it")
        return
    with pytest.raises(InputError, match=message):
        check_memory(need, "it")


@pytest.mark.parametrize(
    ("files", "free"),
    [
        ({"memory.max": "1000", "memory.current": "400", "memory.stat": "inactive_file 50"}, 650),
        ({"memory.max": "1000", "memory.current": "1400"}, 0),
        ({"memory.max": "max", "memory.current": "400"}, None),
        (
            {
                "memory/memory.limit_in_bytes": "1000",
                "memory/memory.usage_in_bytes": "300",
                "memory/memory.stat": "cache 9\ntotal_inactive_file 100",
            },
            800,
        ),
        ({}, None),
    ],
)
def test_a_container_may_allow_less(tmp_path: Path, files: dict[str, str], free: int) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text + "\n")
    assert phil.memory._container_bytes(tmp_path) == free


EDGES = 10**13


@pytest.mark.parametrize(
    "make",
    [
        lambda: Graph(vast(10), vast(EDGES), vast(9, 1)),
        lambda: Graph(vast(10), vast(9), vast(9, EDGES), directed=True),
        lambda: Graph(vast(10), vast(9), vast(9, 1), edge_features=vast(9, EDGES), directed=True),
        lambda: Graph.from_edges(9, vast(EDGES, 2), vast(9, 1)),
        lambda: Graph.from_edges(9, vast(EDGES, 2), vast(9, 1), directed=True),
    ],
)
def test_a_graph_larger_than_memory_is_refused(make: Callable[[], Graph]) -> None:
    with pytest.raises(InputError, match=r"a graph of 9 nodes and \d+ edges needs \d+ GB"):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: Graph(vast(MAX_NODES + 2), vast(9), vast(9, 1)),
        lambda: Graph.from_edges(MAX_NODES + 1, vast(9, 2), vast(9, 1)),
        lambda: GridGraph(vast(2**16, 2**15, value=True)),
    ],
)
def test_more_nodes_than_int32_can_number_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(InputError, match=rf"at most {MAX_NODES} are supported"):
        make()


def test_the_largest_map_is_refused_by_memory_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phil.memory, "available_bytes", lambda: GIGABYTE)
    with pytest.raises(InputError, match=r"a map of 2147450880 cells needs 8\.6 GB"):
        GridGraph(vast(2**16 - 1, 2**15, value=True))


def test_tables_over_all_nodes_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = GridGraph(np.ones((2, 3), bool))
    monkeypatch.setattr(phil.memory, "SMALL", 0)
    monkeypatch.setattr(phil.memory, "available_bytes", lambda: 1)
    for distances in (hops_to, costs_to):
        with pytest.raises(InputError, match="a table of the distances of 6 nodes needs"):
            distances(grid, 0)
    with pytest.raises(InputError, match="a table of the features of 6 cells needs"):
        _ = grid.features


def test_edges_are_counted_in_64_bits() -> None:
    rows = np.array([0, 1, 2], np.int32)
    graph = Graph(rows, np.array([1, 0], np.uint8), np.zeros((2, 1)))
    assert graph.arrays.first.dtype == graph.arrays.last.dtype == np.int64


@pytest.mark.parametrize(
    "rows",
    [
        # The differences of these overflow to numbers that do not fall.
        np.array([0, 2**62, -(2**63), -(2**62), 0]),
        np.array([0, 2**63 + 7, 2**63 + 8, 0, 0], np.uint64),
    ],
)
def test_rows_that_wrap_around_are_refused(rows: NDArray[Any]) -> None:
    with pytest.raises(InputError, match="indptr decreases"):
        Graph(rows, np.zeros(0, int), np.zeros((4, 1)))


@pytest.mark.parametrize("node", [2**31, 2**32, 2**63, -(2**31)])
def test_node_ids_that_int32_cannot_hold_are_refused(node: int) -> None:
    # Cut to 32 bits, 2**32 would be node 0.
    ids = np.array([node], np.uint64 if node > 0 else np.int64)
    with pytest.raises(InputError, match=r"node ids must be in 0\.\.1"):
        Graph([0, 1, 1], ids, np.zeros((2, 1)), directed=True)
    with pytest.raises(InputError, match=r"node ids must be in 0\.\.1"):
        Graph.from_edges(2, np.stack([ids, ids], axis=1), np.zeros((2, 1)))


def measured(make: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> float:
    """The memory asked for, as a multiple of that used at the peak."""
    asked: list[int] = []
    monkeypatch.setattr("phil.graphs.checks.check_memory", lambda need, what: asked.append(need))
    monkeypatch.setattr("phil.graphs.grid.check_memory", lambda need, what: asked.append(need))
    make()  # what it loads on its first call is not the graph's
    tracemalloc.start()
    tracemalloc.clear_traces()  # of whoever started it before
    try:
        make()
        return max(asked) / tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize(("nodes", "edges", "features"), [(100, 20000, 1), (20000, 100, 4)])
def test_the_memory_asked_for_is_that_used(
    nodes: int,
    edges: int,
    features: int,
    weighted: bool,
    directed: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(0)
    pairs = random.integers(nodes, size=(edges, 2))
    table = random.random((nodes, features))
    weights = random.random(edges) if weighted else None
    graph = Graph.from_edges(nodes, pairs, table, weights=weights, directed=directed)

    def from_edges() -> Graph:
        return Graph.from_edges(nodes, pairs, table, weights=weights, directed=directed)

    def from_rows() -> Graph:
        return Graph(graph.indptr, graph.indices, table, weights=graph.weights, directed=directed)

    assert 1 <= measured(from_edges, monkeypatch) < 2
    assert 1 <= measured(from_rows, monkeypatch) < 3


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64])
def test_the_memory_asked_for_a_map_is_that_used(
    dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells: NDArray[Any] = np.ones((300, 400), dtype)
    assert 0.99 < measured(lambda: GridGraph(cells), monkeypatch) < 4
    assert 0.99 < measured(lambda: GridGraph(cells).features, monkeypatch) < 1.5
