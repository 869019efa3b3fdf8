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
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.heuristics.classical import euclidean, octile, zero
from phil.heuristics.node_value import TableHeuristic
from phil.heuristics.obstacles import obstacles
from phil.heuristics.phil import PhilHeuristic
from phil.heuristics.registry import BUILT_IN
from phil.search import ASTAR, BFS, GREEDY, Key, Limits, Outcome, loop, queries, search, search_many
from phil.search.guide import BatchGuide, Expansion, Heuristic, WithoutLoop, traits_of
from phil.search.state import StatePool
from tests.guides import PythonHeuristic, facts, table
from tests.networks import PRESETS, networks, random_heuristic, scaling_for
from tests.perceptrons import random_perceptron
from tests.strategies import graphs, grids, node_ids, voxel_grids

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


@given(st.one_of(graphs(), grids(), voxel_grids()), st.data())
def test_threads_change_no_result(graph: AnyGraph, data: st.DataObject) -> None:
    node = st.sampled_from(node_ids(graph))
    pairs = data.draw(st.lists(st.tuples(node, node), max_size=20))
    values = np.random.default_rng(data.draw(st.integers(0, 9))).normal(size=graph.size)
    learned = random_heuristic(data.draw(networks(graph)), scaling_for(graph))
    perceptron = random_perceptron("graph", graph=graph)
    kinds: list[Heuristic] = [
        table(values),
        TableHeuristic(values),
        WithoutLoop(euclidean),
        learned,
        perceptron,
    ]
    plane, space = graph.axes == 2, graph.axes == 3
    refused = {obstacles} if space else set() if plane else {obstacles, octile}
    built_in = [heuristic for heuristic in BUILT_IN.values() if heuristic not in refused]
    heuristic = data.draw(st.sampled_from([*built_in, *kinds]))
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


ALL_KINDS = [
    *(heuristic for heuristic in BUILT_IN.values() if traits_of(heuristic).batches),
    TableHeuristic(np.arange(81.0)),
    random_heuristic(PRESETS["paper"]),
    random_perceptron("grid"),
    random_perceptron("nodes"),
]


@pytest.mark.parametrize("heuristic", ALL_KINDS, ids=lambda heuristic: heuristic.name)
def test_one_call_of_a_kernel_answers_queries_to_different_goals(heuristic: Heuristic) -> None:
    assert isinstance(heuristic.begin(OPEN, 0, 80), BatchGuide)
    pairs = [(start, goal) for start in (0, 40, 72) for goal in (80, 3, 40, 80)]
    check_many(OPEN, pairs, heuristic, 1)


def test_heuristics_that_need_python_for_a_goal_say_so() -> None:
    lazy = random_heuristic(PRESETS["best"])
    ready = PhilHeuristic(lazy.metadata, lazy.tensors, precompute=True)
    assert not traits_of(BUILT_IN["oracle"]).batches
    assert not traits_of(ready).batches
    check_many(OPEN, [(0, 80), (3, 77), (7, 80)], ready, 2)


def test_what_a_batch_leaves_behind_belongs_to_its_last_goal() -> None:
    heuristic, fresh = (random_heuristic(PRESETS["paper"]) for _ in range(2))
    search_many(OPEN, [(0, 80), (0, 77), (5, 44)], heuristic, threads=1)
    for goal in (44, 77, 80):
        assert facts(search(OPEN, 9, goal, heuristic)) == facts(search(OPEN, 9, goal, fresh))


@pytest.mark.parametrize("threads", [1, 3])
def test_a_batch_continues_after_python_has_made_room(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = GridGraph(np.ones((22, 22, 22), bool))
    pairs = [(0, space.size - 1 - k) for k in range(6)]
    alone = [facts(search(space, *pair, zero)) for pair in pairs]
    # An empty pool, so that OPEN is small; no room for paths; no patience with kernels.
    monkeypatch.setattr(loop, "_pool", StatePool())
    monkeypatch.setattr(queries, "ROOM", 3)
    monkeypatch.setattr(time, "clock_gettime", lambda _: 0.0)
    assert list(map(facts, search_many(space, pairs, zero, threads=threads))) == alone
    learned, other = (random_heuristic(PRESETS["best"]) for _ in range(2))
    plane = GridGraph(np.ones((70, 70), bool))  # more nodes than the cache has rows at first
    again = [facts(search(plane, 0, goal, other)) for goal in (4899, 69)]
    assert list(map(facts, search_many(plane, [(0, 4899), (0, 69)], learned))) == again


def test_every_query_has_its_own_time_and_path() -> None:
    first, second = search_many(OPEN, [(0, 8), (8, 0)], euclidean)
    assert first.path.tolist() == second.path.tolist()[::-1]
    assert 0 < first.seconds < 60
    first.path[:] = 0
    assert second.path[0] == 8


def test_without_a_path_there_is_none() -> None:
    walls = np.ones((3, 3), bool)
    walls[1] = False
    [found] = search_many(GridGraph(walls), [(0, 8)], euclidean)
    assert (found.outcome, found.path.size) == (Outcome.UNREACHABLE, 0)
    assert (found.cost, found.lower_bound) == (np.inf, np.inf)


def test_shares_cover_all_queries_and_become_smaller() -> None:
    work = queries.Queries(OPEN, np.zeros((100, 2), np.int64), euclidean, GREEDY, None)
    shares = [*iter(work.take_share, range(100, 100))]
    assert [query for share in shares for query in share] == list(range(100))
    sizes = list(map(len, shares))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


def test_cells_and_any_iterable_can_be_given() -> None:
    results = search_many(OPEN, (((0, 0), (0, goal)) for goal in range(9)), euclidean)
    assert [result.length for result in results] == list(range(9))


@pytest.mark.parametrize("pairs", [[((0, 0), (8, 8)), ((4, 4), (0, 8))], [(0, 80), (40, 8)]])
def test_many_pairs_are_checked_at_once(pairs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GridGraph, "between", None)  # which checks one
    assert [result.length for result in search_many(OPEN, pairs, euclidean)] == [8, 4]


def test_ids_and_cells_can_be_mixed() -> None:
    results = search_many(OPEN, [((0, 0), 8), (0, (0, 8)), (0, 8)], euclidean)
    assert [result.length for result in results] == [8, 8, 8]


@pytest.mark.parametrize("method", ["astar(octile)", "bfs", "hedge(zero)", "bounded(zero, 1.5)"])
def test_methods_by_name(method: str) -> None:
    pairs = [((0, 0), (8, 8)), ((4, 4), (0, 8))]
    together = search_many(OPEN, pairs, method)
    assert list(map(facts, together)) == [facts(search(OPEN, *pair, method)) for pair in pairs]
    with pytest.raises(InputError, match="has a key of its own"):
        search_many(OPEN, pairs, method, key=BFS)


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
        ([(0, 1, 2), (3,)], r"^pairs\[0\] must be \(start, goal\), not \(0, 1, 2\)"),
        ([(0, 1), (1, 10**30)], r"^pairs\[1\]: goal 10+ is off the map"),
        ([((0, 0), (1, 1)), ((1, 1, 1), (0, 0))], r"^pairs\[1\]: a cell of this map is"),
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


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_pair_that_a_kernel_fails_at_is_named(threads: int) -> None:
    values = np.zeros(81)
    values[40] = np.nan
    # The goals are not in order; two pairs do not meet the node.
    pairs = [(0, 1), (80, 71), (39, 60), (39, 41), (0, 80), (39, 9)]
    with pytest.raises(InputError, match=r"^pairs\[2\], from 39 to 60: .*NaN for node \(4, 4\)"):
        search_many(OPEN, pairs, TableHeuristic(values), threads=threads)


def test_no_pair_is_begun_after_one_has_failed() -> None:
    begun = []

    def score(expansion: Expansion) -> Any:
        begun.append(expansion.node)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search_many(OPEN, [(start, 80) for start in range(9)], PythonHeuristic(score), threads=1)
    assert begun == [0]


def test_an_interrupt_ends_all_threads() -> None:
    begun = []

    def score(expansion: Expansion) -> Any:
        begun.append(expansion.node)
        if expansion.node == 0:
            raise KeyboardInterrupt
        time.sleep(0.01)
        return np.zeros(expansion.new.size)

    pairs = [(0, 80)] + [(1, 2)] * 200
    with pytest.raises(KeyboardInterrupt):
        search_many(OPEN, pairs, PythonHeuristic(score), threads=2)
    assert len(begun) < 200


def test_of_two_pairs_that_a_kernel_fails_at_in_a_row_the_first_is_named() -> None:
    values = np.zeros(81)
    values[40] = np.nan
    pairs = [(39, 60), (39, 9)]  # they are searched in the order of their goals
    with pytest.raises(InputError, match=r"^pairs\[0\], from 39 to 60") as caught:
        search_many(OPEN, pairs, TableHeuristic(values), threads=1)
    assert isinstance(caught.value.__cause__, InputError)
    assert str(caught.value).endswith(str(caught.value.__cause__))


def test_an_interrupt_ends_all_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    main, shares = threading.get_ident(), []

    def work(worker: queries.Worker) -> None:
        if threading.get_ident() == main:
            raise KeyboardInterrupt
        end = time.monotonic() + 30
        while not worker._queries.stopped and time.monotonic() < end:
            time.sleep(0.001)
        shares.append(worker._queries.take_share())

    monkeypatch.setattr(queries.Worker, "work", work)
    with pytest.raises(KeyboardInterrupt):
        search_many(OPEN, [(0, 80)] * 50, euclidean, threads=3)
    assert list(map(len, shares)) == [0, 0]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_heuristic_that_does_not_fit_the_graph_is_refused(threads: int) -> None:
    path = Graph.from_edges(3, [(0, 1), (1, 2)])
    with pytest.raises(InputError, match=r"^pairs\[0\], from 2 to 0: octile"):
        search_many(path, [(2, 0), (1, 1)], octile, threads=threads)


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
