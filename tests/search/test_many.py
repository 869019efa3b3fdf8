"""Many searches in several threads give what one thread gives."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs import AnyGraph, GridGraph
from phil.heuristics.classical import euclidean, octile
from phil.heuristics.obstacles import obstacles
from phil.heuristics.registry import BUILT_IN
from phil.search import ASTAR, BFS, GREEDY, Key, Limits, search, search_many
from phil.search.guide import Expansion, Heuristic, WithoutLoop
from tests.guides import PythonHeuristic, facts, table
from tests.networks import PRESETS, networks, random_heuristic, scaling_for
from tests.strategies import graphs, grids, node_ids

OPEN = GridGraph(np.ones((9, 9), bool))


def check_many(
    graph: AnyGraph,
    pairs: list[tuple[int, int]],
    heuristic: Heuristic,
    threads: int,
    key: Key = GREEDY,
    limits: Limits | None = None,
    bound: float | None = None,
) -> None:
    options: dict[str, Any] = {"key": key, "limits": limits, "bound": bound}
    alone = [search(graph, *pair, heuristic, **options) for pair in pairs]
    many = search_many(graph, pairs, heuristic, threads=threads, **options)
    assert [facts(result) for result in many] == [facts(result) for result in alone]


@given(st.one_of(graphs(), grids()), st.data())
def test_threads_change_no_result(graph: AnyGraph, data: st.DataObject) -> None:
    node = st.sampled_from(node_ids(graph))
    pairs = data.draw(st.lists(st.tuples(node, node), max_size=20))
    values = np.random.default_rng(data.draw(st.integers(0, 9))).normal(size=graph.size)
    learned = random_heuristic(data.draw(networks(graph)), scaling_for(graph))
    python = WithoutLoop(euclidean)
    on_grid = isinstance(graph, GridGraph)
    built_in = [h for h in BUILT_IN.values() if on_grid or h not in (obstacles, octile)]
    heuristic = data.draw(st.sampled_from([*built_in, table(values), python, learned]))
    key = data.draw(st.sampled_from([GREEDY, ASTAR, BFS, Key(g=1, h=2, depth=-0.1)]))
    limits = data.draw(st.sampled_from([None, Limits(expansions=3)]))
    bound = data.draw(st.sampled_from([None, 1.0, 2.0]))
    check_many(graph, pairs, heuristic, data.draw(st.integers(1, 4)), key, limits, bound)


@pytest.mark.parametrize("heuristic", [euclidean, random_heuristic(PRESETS["best"])])
def test_long_searches_run_side_by_side(heuristic: Heuristic) -> None:
    random = np.random.default_rng(4)
    grid = GridGraph(random.random((60, 60)) < 0.8)
    nodes = np.flatnonzero(grid.free)
    pairs = [(int(start), int(goal)) for start, goal in random.choice(nodes, (60, 2))]
    check_many(grid, pairs, heuristic, 8, ASTAR)


def test_cells_and_any_iterable_can_be_given() -> None:
    results = search_many(OPEN, (((0, 0), (0, goal)) for goal in range(9)), euclidean)
    assert [result.length for result in results] == list(range(9))


def test_no_pair_gives_no_result() -> None:
    assert search_many(OPEN, [], euclidean) == []


def never(expansion: Expansion) -> Any:
    pytest.fail("a search has begun")


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([(0, 1), (0, 81)], r"^pairs\[1\]: goal 81 is off the map"),
        ([((0, 0), (1, 1)), ((9, 0), 0)], r"^pairs\[1\]: cell \(9, 0\) is off the map"),
        ([(0, 1), 7], r"^pairs\[1\] must be \(start, goal\), not 7"),
        ([(0, 1, 2)], r"^pairs\[0\] must be \(start, goal\), not \(0, 1, 2\)"),
    ],
)
def test_a_pair_that_cannot_be_searched_is_named_before_any_is(pairs: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        search_many(OPEN, pairs, PythonHeuristic(never))


def test_a_bad_bound_is_said_before_any_is_searched() -> None:
    with pytest.raises(InputError, match="bound on the path's cost must be at least 1"):
        search_many(OPEN, [], euclidean, bound=0.5)


@pytest.mark.parametrize("threads", [0, -1])
def test_there_must_be_a_thread(threads: int) -> None:
    with pytest.raises(InputError, match=f"threads must be at least 1, not {threads}"):
        search_many(OPEN, [(0, 1)], euclidean, threads=threads)


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize(("value", "message"), [(np.nan, "NaN"), (None, "shape")])
def test_the_first_pair_that_fails_is_named(value: Any, threads: int, message: str) -> None:
    def score(expansion: Expansion) -> Any:
        if 40 in expansion.new:  # met by the last pairs only
            time.sleep(0.01)
            return np.full(expansion.new.size, value) if value is not None else np.zeros(0)
        return np.zeros(expansion.new.size)

    pairs = [(0, 1)] * 5 + [(39, 60), (39, 61), (39, 62)]
    with pytest.raises(InputError, match=rf"^pairs\[5\], from 39 to 60: .*{message}"):
        search_many(OPEN, pairs, PythonHeuristic(score), threads=threads)


def test_an_error_of_a_heuristic_keeps_its_type_and_names_the_pair() -> None:
    def score(expansion: Expansion) -> Any:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine") as caught:
        search_many(OPEN, [(3, 3), (0, 8)], PythonHeuristic(score), threads=2)
    assert caught.value.__notes__ == ["in pairs[1], from 0 to 8"]


def test_so_many_threads_are_used() -> None:
    # Each search waits until four have begun; with fewer threads that would never be.
    together = threading.Barrier(4, timeout=30)
    met: set[int] = set()

    def score(expansion: Expansion) -> Any:
        if threading.get_ident() not in met:
            met.add(threading.get_ident())
            together.wait()
        return np.zeros(expansion.new.size)

    search_many(OPEN, [(0, 80)] * 8, PythonHeuristic(score), threads=4)
    assert len(met) == 4
